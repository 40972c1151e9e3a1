#pragma once

#include <sys/types.h>

#include <cstdio>

#include "saltus/io/output_file.hpp"
#include "saltus/render/picture.hpp"

namespace saltus {

// A film, MP4 with H.264 (MPEG-4 part 2 where ffmpeg has no libx264), made by the program ffmpeg, to which the pictures
// go. It gets its name only when it is complete. Throws InvalidInput, with what ffmpeg said, if this fails.
class FilmWriter {
public:
    // Width and height must be even. Throws InvalidInput if ffmpeg is not on the PATH.
    FilmWriter(const std::filesystem::path& path, PictureSize size, double frames_a_second);
    // Without finish(), ffmpeg is stopped and nothing is left.
    ~FilmWriter();
    FilmWriter(const FilmWriter&) = delete;
    FilmWriter& operator=(const FilmWriter&) = delete;

    void frame(const Picture& picture);
    void finish();

private:
    // What ffmpeg said, once it has ended.
    std::string last_words();

    std::string name_;
    PictureSize size_;
    PartialFile file_;
    std::FILE* errors_ = nullptr;  // what ffmpeg writes to its standard error
    int socket_ = -1;              // its standard input
    pid_t process_ = -1;
    std::string bytes_{};
};

}  // namespace saltus
