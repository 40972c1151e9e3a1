# The library in three parts, each of some layers, with what it needs:
#   Saltus::solvers     core, laws, complementarity              Eigen, fmt, SuiteSparse, TBB
#   Saltus::simulation  model, integrators, simulation, domains  and SUNDIALS
#   Saltus::io          io, render, view                         and HDF5, Cairo, zlib
# Saltus::saltus is all of them. A new file in a layer is found by itself: a solver, law or scheme touches no CMake file.
add_library(saltus_interface INTERFACE)
target_include_directories(saltus_interface INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
target_compile_features(saltus_interface INTERFACE cxx_std_20)
target_compile_definitions(saltus_interface INTERFACE ${saltus_definitions})
target_link_libraries(saltus_interface INTERFACE Eigen3::Eigen fmt::fmt)

# What runs per step, per contact or per sample is compiled with -O2 (`full`). `light`, -O1: what works once per run and
# takes long to compile; `hot`, -O3: the innermost loops, where each file is compiled by itself, since gcc inlines less
# in large units. -O3 for all would take 1.6 times as long to compile.
set(light_sources saltus/model/analysis.cpp saltus/model/diagnosis.cpp saltus/model/equivalences.cpp
    saltus/model/expression_.*.cpp saltus/model/formulations.cpp saltus/model/recognise.cpp saltus/model/.*checks.cpp
    saltus/integrators/scheme.*.cpp saltus/core/matrix_facts.cpp saltus/core/dense_eigenvalues.cpp
    saltus/core/nearest_name.cpp saltus/io/performance_profile.cpp saltus/io/.*_lock.cpp saltus/io/model/.*
    saltus/render/.*_picture.cpp saltus/render/picture.cpp saltus/render/vtk_file.cpp saltus/render/gltf_file.cpp
    saltus/view/manifest.cpp saltus/view/page.cpp saltus/view/served_result.cpp)
set(hot_sources saltus/core/block_matrix.cpp saltus/core/dense_lu.cpp saltus/core/dense_orthogonal.cpp
    saltus/core/eigen_kernels.cpp saltus/core/factorization.cpp saltus/core/matrix.cpp
    saltus/complementarity/.*
    saltus/integrators/linear_stepper.cpp saltus/integrators/step_maps.cpp saltus/integrators/lagrangian/delassus.cpp
    saltus/integrators/lagrangian/free_motion.cpp saltus/integrators/lagrangian/.*stepper_base.cpp
    saltus/integrators/lagrangian/moreau_jean_stepper.cpp saltus/integrators/lagrangian/percussion_solver.cpp
    saltus/integrators/lagrangian/step_.*.cpp saltus/model/.*_functions.cpp saltus/model/program.cpp
    saltus/simulation/recorder.cpp saltus/simulation/time_stepping.cpp saltus/simulation/trajectory.cpp
    saltus/io/result/place_history.cpp saltus/io/result/result_writer.cpp saltus/render/rasterizer.cpp)
set(light_optimisation -O1)
set(hot_optimisation -O3)
foreach(level light hot)
    list(TRANSFORM ${level}_sources PREPEND "^${PROJECT_SOURCE_DIR}/")
    list(JOIN ${level}_sources "$|" ${level}_sources)
endforeach()

# saltus_part(NAME LAYERS ... NEEDS ...): the static library saltus_NAME.
function(saltus_part name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LAYERS;NEEDS")
    list(TRANSFORM arg_LAYERS PREPEND ${PROJECT_SOURCE_DIR}/saltus/)
    list(TRANSFORM arg_LAYERS APPEND /*.cpp OUTPUT_VARIABLE patterns)
    file(GLOB_RECURSE full CONFIGURE_DEPENDS ${patterns})
    add_library(saltus_${name} STATIC)
    add_library(Saltus::${name} ALIAS saltus_${name})
    set_target_properties(saltus_${name} PROPERTIES EXPORT_NAME ${name})
    target_link_libraries(saltus_${name} PUBLIC saltus_interface PRIVATE ${arg_NEEDS})
    foreach(level light hot full)
        set(sources ${full})
        if(NOT level STREQUAL "full")
            list(FILTER sources INCLUDE REGEX "${${level}_sources}$")
            list(REMOVE_ITEM full ${sources} "")
        endif()
        if(sources)
            saltus_objects(${name} ${level} ${sources})
        endif()
    endforeach()
endfunction()

# Objects of saltus_NAME at one level of optimisation. The first part that has some makes the precompiled headers of the
# level for all.
function(saltus_objects name level)
    set(part saltus_${name}_${level})
    add_library(${part} OBJECT ${ARGN})
    set_target_properties(${part} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${part} PRIVATE saltus_interface saltus_flags ${arg_NEEDS})
    target_compile_options(${part} PRIVATE $<$<CONFIG:Release>:${${level}_optimisation}>)
    set(batch_light 8)
    set(batch_full 4)  # a change of one solver is compiled in seconds
    set(batch_hot 1)
    get_property(headers GLOBAL PROPERTY saltus_headers_${level})
    saltus_fast_build(${part} BATCH ${batch_${level}} LIKE ${headers})
    if(NOT headers)
        set_property(GLOBAL PROPERTY saltus_headers_${level} ${part})
    endif()
    target_sources(saltus_${name} PRIVATE $<TARGET_OBJECTS:${part}>)
endfunction()

saltus_part(solvers LAYERS core laws complementarity NEEDS SuiteSparse::SuiteSparse TBB::tbb)
saltus_part(simulation LAYERS model integrators simulation NEEDS Sundials::Sundials TBB::tbb)
saltus_part(io LAYERS io render view NEEDS Hdf5Serial::Hdf5Serial ZLIB::ZLIB Cairo::Cairo
            $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
target_link_libraries(saltus_simulation PUBLIC saltus_solvers)
target_link_libraries(saltus_io PUBLIC saltus_simulation)
add_library(saltus INTERFACE)
add_library(Saltus::saltus ALIAS saltus)
target_link_libraries(saltus INTERFACE saltus_io)

# The page of reports is part of the library: see viewer/README.md.
set(page_bundle ${PROJECT_SOURCE_DIR}/viewer/dist/page.html)
set_source_files_properties(saltus/view/page_bundle.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
    OBJECT_DEPENDS ${page_bundle} COMPILE_DEFINITIONS SALTUS_PAGE_BUNDLE="${page_bundle}")

# Its pimpl has members of an anonymous namespace, which is an error in a file that another includes.
set_source_files_properties(saltus/core/factorization.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set_source_files_properties(saltus/core/version.cpp PROPERTIES COMPILE_DEFINITIONS SALTUS_VERSION="${PROJECT_VERSION}")
# It defines what the precompiled headers declare.
set_source_files_properties(saltus/core/eigen_kernels.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
                            SKIP_PRECOMPILE_HEADERS ON)
