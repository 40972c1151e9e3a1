#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace saltus::cli {

// The table of a sweep: a comment that says what it was made with, names of columns, the lines of each set of values
// followed by the comment "# done K". What comes after the last of these is not complete, and is dropped when the file
// is continued.
class SweepFile {
public:
    // Continues a file with the same header, begins one that does not exist or is empty. Throws InvalidInput for a file
    // of another command or that cannot be written.
    SweepFile(const std::filesystem::path& path, const std::string& header, const std::vector<std::string>& columns);

    long done() const { return done_; }
    // The number of sets of values that are done.
    long failures() const { return failures_; }
    // The lines of the next set of values, and why it failed, if it did.
    void add(const std::string& lines, const std::string& failure);

private:
    void check_written();

    std::string name_;
    std::ofstream stream_;
    long done_ = 0, failures_ = 0;
};

}  // namespace saltus::cli
