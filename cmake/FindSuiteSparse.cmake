# KLU (sparse LU) and CHOLMOD (sparse Cholesky), as Debian's libsuitesparse-dev lays them out.
find_path(SuiteSparse_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(SuiteSparse_LIBRARIES)
foreach(part klu btf cholmod colamd ccolamd camd amd suitesparseconfig)
    find_library(SuiteSparse_${part}_LIBRARY ${part})
    list(APPEND SuiteSparse_LIBRARIES ${SuiteSparse_${part}_LIBRARY})
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuiteSparse
    REQUIRED_VARS SuiteSparse_INCLUDE_DIR SuiteSparse_klu_LIBRARY SuiteSparse_cholmod_LIBRARY
    REASON_FAILURE_MESSAGE "install Debian's libsuitesparse-dev (scripts/install-deps does)")
if(SuiteSparse_FOUND AND NOT TARGET SuiteSparse::SuiteSparse)
    add_library(SuiteSparse::SuiteSparse INTERFACE IMPORTED)
    target_include_directories(SuiteSparse::SuiteSparse INTERFACE ${SuiteSparse_INCLUDE_DIR})
    target_link_libraries(SuiteSparse::SuiteSparse INTERFACE ${SuiteSparse_LIBRARIES})
endif()
