#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "render/export_support.hpp"
#include "saltus/render/film.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using testing::contents;
using testing::refusal;
using testing::TemporaryFolder;

// While it lives, the PATH begins with a folder that has another ffmpeg, a shell script; or is nothing else.
class OtherFfmpeg {
public:
    explicit OtherFfmpeg(const std::optional<std::string>& script) : path_(std::getenv("PATH")) {
        const std::filesystem::path program = folder_ / "ffmpeg";
        if (script) {
            std::ofstream(program) << "#!/bin/sh\n" << *script;
            std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        }
        const std::string here = program.parent_path().string();
        setenv("PATH", (script ? here + ":" + path_ : here).c_str(), 1);
    }
    ~OtherFfmpeg() { setenv("PATH", path_.c_str(), 1); }

    std::string file(const std::string& name) const { return (folder_ / name).string(); }

private:
    TemporaryFolder folder_;
    std::string path_;
};

// Writes three frames.
void write_film(const std::filesystem::path& path) {
    FilmWriter film(path, {128, 64}, 25.0);
    for (int k = 0; k < 3; ++k) film.frame(Picture({128, 64}, 0x102030));
    film.finish();
}

TEST(Film, IsWrittenByFfmpeg) {
    if (std::system("command -v ffmpeg >/dev/null") != 0) GTEST_SKIP() << "there is no ffmpeg";
    const TemporaryFolder folder;
    for (const char* name : {"film.mp4", "-it's: \"a film\" $HOME.mp4"}) {
        write_film(folder / name);
        const std::string bytes = contents(folder / name);
        EXPECT_EQ(bytes.substr(4, 4), "ftyp");
        EXPECT_LT(bytes.find("moov"), bytes.find("mdat"));  // a browser can begin before it has all
    }
    {
        FilmWriter given_up(folder / "film.mp4", {128, 64}, 25.0);
        given_up.frame(Picture({128, 64}));
    }
    EXPECT_EQ(folder.entries(), 2u);
}

TEST(Film, GivesFfmpegRawPicturesAndArgumentsWithoutAShell) {
    const TemporaryFolder folder;
    const OtherFfmpeg ffmpeg(
        "if [ \"$2\" = -encoders ]; then echo ' V..... mpeg4 '; exit; fi\n"
        "for last; do :; done\nprintf '%s\\n' \"$*\" > \"${last#file:}\"\nwc -c >> \"${last#file:}\"\n");
    write_film(folder / "$(a) b.mp4");
    const std::string said = contents(folder / "$(a) b.mp4");
    EXPECT_NE(said.find("-f rawvideo -pix_fmt rgb24 -s 128x64 -r 25 -i pipe:0"), std::string::npos) << said;
    EXPECT_NE(said.find("-c:v mpeg4"), std::string::npos) << said;  // there is no libx264
    EXPECT_NE(said.find("-pix_fmt yuv420p -movflags +faststart"), std::string::npos) << said;
    EXPECT_TRUE(said.ends_with("\n73728\n")) << said;  // 3 x 128 x 64 x 3
}

TEST(Film, SaysWhatFfmpegSaid) {
    const TemporaryFolder folder;
    {
        const OtherFfmpeg ffmpeg("[ \"$2\" = -encoders ] && exit\necho 'no room on the disk' >&2\nexit 1\n");
        const std::string message = refusal([&] {
            FilmWriter film(folder / "film.mp4", {1280, 720}, 25.0);
            for (int k = 0; k < 100; ++k) film.frame(Picture({1280, 720}));
            film.finish();
        });
        EXPECT_TRUE(message.ends_with("film.mp4: ffmpeg ended early: no room on the disk")) << message;
    }
    {
        const OtherFfmpeg ffmpeg("[ \"$2\" = -encoders ] && exit\ncat >/dev/null\necho 'no muxer' >&2\nexit 1\n");
        const std::string message = refusal([&] { write_film(folder / "film.mp4"); });
        EXPECT_TRUE(message.ends_with("film.mp4: ffmpeg cannot write the film: no muxer")) << message;
    }
    EXPECT_EQ(folder.entries(), 0u);
}

TEST(Film, SaysThatFfmpegIsMissing) {
    const TemporaryFolder folder;
    const OtherFfmpeg none(std::nullopt);
    EXPECT_EQ(refusal([&] { write_film(folder / "film.mp4"); }),
              "ffmpeg is not there: install ffmpeg, or export --to png or --to gltf");
}

TEST(Film, RefusesOddSizesAndFolders) {
    const TemporaryFolder folder;
    EXPECT_EQ(refusal([&] {
                  FilmWriter(folder / "film.mp4", {127, 64}, 25.0);
              }),
              "the size of a film is 127x64; width and height must be even, as in 1200x800");
    EXPECT_EQ(refusal([&] { FilmWriter("/tmp", {128, 64}, 25.0); }), "/tmp: that is a folder; name a file");
}

}  // namespace
}  // namespace saltus
