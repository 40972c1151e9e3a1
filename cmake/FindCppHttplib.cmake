# cpp-httplib as Debian's libcpp-httplib-dev builds it; include it by cli/httplib.hpp, which defines what it was built with.
find_path(CppHttplib_INCLUDE_DIR httplib.h)
find_library(CppHttplib_LIBRARY NAMES cpp-httplib)
find_package(OpenSSL QUIET)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CppHttplib
    REQUIRED_VARS CppHttplib_INCLUDE_DIR CppHttplib_LIBRARY OPENSSL_INCLUDE_DIR
    REASON_FAILURE_MESSAGE "install Debian's libcpp-httplib-dev (scripts/install-deps does)")
if(CppHttplib_FOUND AND NOT TARGET CppHttplib::CppHttplib)
    add_library(CppHttplib::CppHttplib INTERFACE IMPORTED)
    target_include_directories(CppHttplib::CppHttplib INTERFACE ${CppHttplib_INCLUDE_DIR} ${OPENSSL_INCLUDE_DIR})
    target_link_libraries(CppHttplib::CppHttplib INTERFACE ${CppHttplib_LIBRARY})
endif()
