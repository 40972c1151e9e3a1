# ARKODE (Runge-Kutta methods) and CVODE (formulas for stiff equations), as Debian's libsundials-dev lays it out.
find_path(Sundials_INCLUDE_DIR arkode/arkode.h)
find_library(Sundials_arkode_LIBRARY sundials_arkode)
find_library(Sundials_cvode_LIBRARY sundials_cvode)
find_library(Sundials_nvecserial_LIBRARY sundials_nvecserial)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Sundials
    REQUIRED_VARS Sundials_INCLUDE_DIR Sundials_arkode_LIBRARY Sundials_cvode_LIBRARY Sundials_nvecserial_LIBRARY
    REASON_FAILURE_MESSAGE "install Debian's libsundials-dev (scripts/install-deps does)")
if(Sundials_FOUND AND NOT TARGET Sundials::Sundials)
    add_library(Sundials::Sundials INTERFACE IMPORTED)
    target_include_directories(Sundials::Sundials INTERFACE ${Sundials_INCLUDE_DIR})
    target_link_libraries(Sundials::Sundials INTERFACE ${Sundials_arkode_LIBRARY} ${Sundials_cvode_LIBRARY}
                          ${Sundials_nvecserial_LIBRARY})
endif()
