# cmake --install, and what find_package(Saltus) reads. The parts need different packages, and so find_package finds
# those of the components that a project asks for.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Saltus)

# The folders of the headers stay as they are.
file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/public_headers.txt public_headers)
foreach(header ${public_headers})
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()
if(SALTUS_CLI)
    install(TARGETS saltus_cli RUNTIME)
endif()

# One file of targets for each part, since those of a file need all their packages.
foreach(part solvers simulation io)
    set(targets saltus_${part})
    if(part STREQUAL "solvers")
        list(APPEND targets saltus_interface)
    elseif(part STREQUAL "io")
        list(APPEND targets saltus)
    endif()
    install(TARGETS ${targets} EXPORT Saltus_${part})
    install(EXPORT Saltus_${part} NAMESPACE Saltus:: FILE Saltus_${part}.cmake DESTINATION ${package_folder})
endforeach()

write_basic_package_version_file(${PROJECT_BINARY_DIR}/SaltusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/SaltusConfig.cmake ${PROJECT_BINARY_DIR}/SaltusConfigVersion.cmake
        ${PROJECT_SOURCE_DIR}/cmake/FindSuiteSparse.cmake ${PROJECT_SOURCE_DIR}/cmake/FindHdf5Serial.cmake
        ${PROJECT_SOURCE_DIR}/cmake/FindSundials.cmake ${PROJECT_SOURCE_DIR}/cmake/FindCairo.cmake
        DESTINATION ${package_folder})
