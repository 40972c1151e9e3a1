#include <hdf5.h>

#include "cli/commands.hpp"

int main(int argc, char** argv) {
    H5dont_atexit();  // files are closed by then; one that a full disk left behind would make HDF5 crash
    return saltus::cli::run_command_line(argc, argv);
}
