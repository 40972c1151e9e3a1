# HDF5's C library without MPI, as Debian's libhdf5-dev lays it out. CMake's own FindHDF5 needs the language C enabled in
# every project that uses Saltus.
find_path(Hdf5Serial_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(Hdf5Serial_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hdf5Serial
    REQUIRED_VARS Hdf5Serial_INCLUDE_DIR Hdf5Serial_LIBRARY
    REASON_FAILURE_MESSAGE "install Debian's libhdf5-dev (scripts/install-deps does)")
if(Hdf5Serial_FOUND AND NOT TARGET Hdf5Serial::Hdf5Serial)
    add_library(Hdf5Serial::Hdf5Serial INTERFACE IMPORTED)
    target_include_directories(Hdf5Serial::Hdf5Serial INTERFACE ${Hdf5Serial_INCLUDE_DIR})
    target_link_libraries(Hdf5Serial::Hdf5Serial INTERFACE ${Hdf5Serial_LIBRARY})
endif()
