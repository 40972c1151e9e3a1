# cairo, which draws pictures without a display, as Debian's libcairo2-dev lays it out.
find_path(Cairo_INCLUDE_DIR cairo.h PATH_SUFFIXES cairo)
find_library(Cairo_LIBRARY NAMES cairo)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Cairo
    REQUIRED_VARS Cairo_INCLUDE_DIR Cairo_LIBRARY
    REASON_FAILURE_MESSAGE "install Debian's libcairo2-dev (scripts/install-deps does)")
if(Cairo_FOUND AND NOT TARGET Cairo::Cairo)
    add_library(Cairo::Cairo INTERFACE IMPORTED)
    target_include_directories(Cairo::Cairo INTERFACE ${Cairo_INCLUDE_DIR})
    target_link_libraries(Cairo::Cairo INTERFACE ${Cairo_LIBRARY})
endif()
