# cmake --install, and what find_package(Saltus) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Saltus)

install(TARGETS saltus EXPORT SaltusTargets)
if(SALTUS_CLI)
    install(TARGETS saltus_cli RUNTIME)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/saltus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp)
install(EXPORT SaltusTargets NAMESPACE Saltus:: DESTINATION ${package_folder})

write_basic_package_version_file(${PROJECT_BINARY_DIR}/SaltusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/SaltusConfig.cmake ${PROJECT_BINARY_DIR}/SaltusConfigVersion.cmake
        ${PROJECT_SOURCE_DIR}/cmake/FindSuiteSparse.cmake ${PROJECT_SOURCE_DIR}/cmake/FindHdf5Serial.cmake
        ${PROJECT_SOURCE_DIR}/cmake/FindSundials.cmake ${PROJECT_SOURCE_DIR}/cmake/FindCairo.cmake
        DESTINATION ${package_folder})
