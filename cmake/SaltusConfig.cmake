# find_package(Saltus) gives the target Saltus::saltus. The library is static: what it links comes with it.
include(CMakeFindDependencyMacro)
find_dependency(Eigen3 3.4 NO_MODULE)
find_dependency(fmt)
list(PREPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})  # FindSuiteSparse.cmake and its like
find_dependency(SuiteSparse)
find_dependency(Hdf5Serial)
find_dependency(Sundials)
find_dependency(TBB)
find_dependency(ZLIB)
find_dependency(Cairo)
list(POP_FRONT CMAKE_MODULE_PATH)
include(${CMAKE_CURRENT_LIST_DIR}/SaltusTargets.cmake)
