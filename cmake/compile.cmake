# How our own targets are compiled; nothing of it reaches a user's project.

# -O3 takes 1.6 times as long to compile as -O2. Eigen vectorizes by itself; what gains from -O3 is named in
# libraries.cmake.
string(REPLACE -O3 -O2 CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
add_library(saltus_flags INTERFACE)
# gcc 12 sees accesses out of bounds where Eigen packs small vectors into registers, and where a std::string is moved;
# the sanitizers watch the real ones.
target_compile_options(saltus_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wno-array-bounds
    -Wno-stringop-overflow $<$<BOOL:${SALTUS_NATIVE}>:-march=native> $<$<BOOL:${SALTUS_WERROR}>:-Werror>)
# What gcc 12 concludes from what it has inlined is wrong where Eigen, std::variant and its own AVX intrinsics are, and
# depends on the processor. The build with sanitizers, which inlines little, keeps these warnings.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT SALTUS_SANITIZE)
    target_compile_options(saltus_flags INTERFACE -Wno-uninitialized -Wno-maybe-uninitialized -Wno-restrict
        -Wno-stringop-overread -Wno-use-after-free -Wno-free-nonheap-object -Wno-nonnull)
endif()
# gcc collects garbage each time its heap has grown by a third; with room for 512 MB it compiles in a tenth less time.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(saltus_flags INTERFACE "SHELL:--param ggc-min-heapsize=524288")
endif()
# Memory, and the undefined behaviour that is cheap to watch.
if(SALTUS_SANITIZE)
    target_compile_options(saltus_flags INTERFACE -fno-omit-frame-pointer -fsanitize=address,undefined
        -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow,nonnull-attribute,returns-nonnull-attribute
        -fno-sanitize-recover=all)
    target_link_options(saltus_flags INTERFACE -fsanitize=address,undefined)
endif()
# Eigen's alignment depends on the instruction set of each translation unit; fixed here, so that a library built with
# AVX and a program built without it agree on how vectors are allocated.
set(saltus_definitions EIGEN_MAX_ALIGN_BYTES=32)

# saltus_fast_build(TARGET [ALWAYS] [LIKE other] [HEADERS ...]): precompiled headers, those of the target `other`, else Eigen's
# and HEADERS; small files are compiled as one, BATCH at a time (4). ALWAYS: also where SALTUS_FAST_BUILD is off.
function(saltus_fast_build target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "ALWAYS" "BATCH;LIKE" "HEADERS")
    if(NOT SALTUS_FAST_BUILD AND NOT arg_ALWAYS)
        return()
    endif()
    if(arg_LIKE)
        target_precompile_headers(${target} REUSE_FROM ${arg_LIKE})
    else()
        target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <filesystem> <functional> <map> <memory> <optional>
            <span> <string> <variant> <vector> <fmt/format.h> ${PROJECT_SOURCE_DIR}/saltus/core/eigen_kernels.hpp
            <Eigen/LU> <Eigen/QR> ${arg_HEADERS})
    endif()
    if(NOT arg_BATCH)
        set(arg_BATCH 4)
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${arg_BATCH})
endfunction()
