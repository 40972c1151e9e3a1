# cmake --install and find_package(Saltus)
