# find_package(Saltus COMPONENTS solvers)       Saltus::solvers: needs Eigen, fmt, SuiteSparse, TBB
# find_package(Saltus COMPONENTS simulation)    Saltus::simulation, and SUNDIALS
# find_package(Saltus COMPONENTS io)            Saltus::io, and HDF5, Cairo, zlib
# find_package(Saltus)                          all of them: Saltus::saltus
# The libraries are static: what they link comes with them.
include(CMakeFindDependencyMacro)
set(saltus_parts ${Saltus_FIND_COMPONENTS})
if(NOT saltus_parts)
    set(saltus_parts io)
endif()
foreach(part ${saltus_parts})
    if(NOT part MATCHES "^(solvers|simulation|io)$")
        set(Saltus_FOUND FALSE)
        set(Saltus_NOT_FOUND_MESSAGE "Saltus has no component '${part}'; it has solvers, simulation, io")
        return()
    endif()
endforeach()

list(PREPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})  # FindSuiteSparse.cmake and its like
find_dependency(Eigen3 3.4 NO_MODULE)
find_dependency(fmt)
find_dependency(SuiteSparse)
find_dependency(TBB)
include(${CMAKE_CURRENT_LIST_DIR}/Saltus_solvers.cmake)
if("simulation" IN_LIST saltus_parts OR "io" IN_LIST saltus_parts)
    find_dependency(Sundials)
    include(${CMAKE_CURRENT_LIST_DIR}/Saltus_simulation.cmake)
endif()
if("io" IN_LIST saltus_parts)
    find_dependency(Hdf5Serial)
    find_dependency(ZLIB)
    find_dependency(Cairo)
    include(${CMAKE_CURRENT_LIST_DIR}/Saltus_io.cmake)
endif()
list(POP_FRONT CMAKE_MODULE_PATH)
foreach(part ${saltus_parts})
    set(Saltus_${part}_FOUND TRUE)
endforeach()
