#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "cli/command.hpp"
#include "cli/export.hpp"
#include "render/export_support.hpp"

namespace saltus {
namespace {

using testing::contents;
using testing::Outcome;
using testing::run_saltus;
using testing::TemporaryFile;
using testing::TemporaryFolder;

constexpr const char* ball_model = R"(name = "Ball"
[systems.ball]
q0 = 1
mass = 1
force = -9.81
[contacts.ground]
gap = "q[0] - 0.1"
restitution = 0.5
[view.bodies.ball]
shape = "sphere"
radius = 0.1
position = [0, 0, "q[0]"]
color = "#d55e00"
[view.bodies.floor]
shape = "plane"
size = [2, 2]
position = [0, 0, 0]
[view.contacts.ground]
point = [0, 0, 0]
normal = [0, 0, 1]
[simulation]
step = 0.001
t_end = 1.5
)";

// A folder with ball.h5, the results of a ball that is drawn, and circuit.h5, those of a circuit, which is not.
class ExportCommand : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        folder_ = new TemporaryFolder;
        const TemporaryFile model(ball_model, ".toml");
        const Outcome ball = run_saltus("run " + model.path().string() + " -o " + file("ball.h5"));
        ASSERT_EQ(ball.exit_code, 0) << ball.errors;
        ASSERT_EQ(run_saltus("run " SALTUS_EXAMPLES "/circuit_a.toml -o " + file("circuit.h5")).exit_code, 0);
    }
    static void TearDownTestSuite() { delete folder_; }

    static std::string file(const std::string& name) { return (*folder_ / name).string(); }
    static bool exists(const std::string& name) { return std::filesystem::exists(file(name)); }
    static Outcome exported(const std::string& result, const std::string& options) {
        return run_saltus("export " + file(result) + " " + options);
    }
    static std::string refused(const std::string& result, const std::string& options) {
        const Outcome outcome = exported(result, options);
        EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
        EXPECT_EQ(outcome.output, "");
        return outcome.errors;
    }

private:
    static TemporaryFolder* folder_;
};
TemporaryFolder* ExportCommand::folder_ = nullptr;

TEST_F(ExportCommand, WritesVtkForAtMostAThousandSamples) {
    const Outcome outcome = exported("ball.h5", "--to vtk");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, file("ball.pvd") + ": 751 of 1501 samples; --every 1 writes all\n");
    EXPECT_TRUE(exists("ball/bodies_000750.vtp"));
    EXPECT_TRUE(exists("ball/contacts_000750.vtp"));
    EXPECT_FALSE(exists("ball/bodies_000751.vtp"));
    EXPECT_EQ(exported("ball.h5", "--to vtk --every 500").output,
              file("ball.pvd") + ": 4 of 1501 samples; --every 1 writes all\n");
    EXPECT_FALSE(exists("ball/bodies_000004.vtp"));
}

TEST_F(ExportCommand, WritesGltf) {
    const Outcome outcome = exported("ball.h5", "--to gltf --every 100 -o " + file("other.glb"));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, file("other.glb") + ": 16 of 1501 samples; --every 1 writes all\n");
    EXPECT_EQ(contents(file("other.glb")).substr(0, 4), "glTF");
}

TEST_F(ExportCommand, WritesPicturesOfScenesAndPlots) {
    EXPECT_EQ(exported("ball.h5", "--to png").output, file("ball.png") + ": the scene at t = 1.5\n");
    EXPECT_EQ(exported("ball.h5", "--to png --frame 0.5004 --size 320x200").output,
              file("ball.png") + ": the scene at t = 0.5\n");
    EXPECT_EQ(contents(file("ball.png")).substr(1, 3), "PNG");
    EXPECT_EQ(exported("ball.h5", "--to png --plot 'ball.q[0], ball.v[0]' --plot energy.total").output,
              file("ball.png") + ": 2 plots\n");
    EXPECT_EQ(exported("ball.h5", "--plot default --to png").exit_code, 0);
    EXPECT_EQ(exported("circuit.h5", "--to png").exit_code, 0);
    EXPECT_EQ(contents(file("circuit.png")).substr(1, 3), "PNG");
}

TEST_F(ExportCommand, WritesFilms) {
    if (std::system("command -v ffmpeg >/dev/null") != 0) GTEST_SKIP() << "there is no ffmpeg";
    const Outcome outcome = exported("ball.h5", "--to mp4 --size 160x120 --fps 10 --speed 0.5");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, file("ball.mp4") + ": 31 frames, 3.1 s; a second shows 0.5 of the time of the model\n");
    EXPECT_EQ(contents(file("ball.mp4")).substr(4, 4), "ftyp");
}

TEST_F(ExportCommand, ExplainsHowAResultIsDrawn) {
    for (const char* options : {"--to vtk", "--to gltf", "--to mp4", "--to png --frame 1"})
        EXPECT_NE(refused("circuit.h5", options)
                      .find("circuit.h5: the model does not say how it is drawn; add a table [view.bodies.NAME] to the "
                            "model file and run it again, or export --to csv"),
                  std::string::npos);
}

TEST_F(ExportCommand, RefusesOptionsOfOtherFormats) {
    EXPECT_EQ(refused("ball.h5", "--to xls"), "saltus: --to is 'xls'; it must be csv, vtk, gltf, png or mp4\n");
    EXPECT_EQ(refused("ball.h5", ""), "saltus: export: give --to csv, vtk, gltf, png or mp4, or --events FILE\n");
    EXPECT_EQ(refused("ball.h5", "--to csv --every 2"),
              "saltus: --every belongs to --to vtk and --to gltf; leave it out\n");
    EXPECT_EQ(refused("ball.h5", "--to vtk --size 64x64"),
              "saltus: --size belongs to --to png and --to mp4; leave it out\n");
    EXPECT_EQ(refused("ball.h5", "--to png --fps 3"), "saltus: --fps belongs to --to mp4; leave it out\n");
    EXPECT_EQ(refused("ball.h5", "--to csv --plot x"), "saltus: --plot belongs to --to png; leave it out\n");
    EXPECT_EQ(refused("ball.h5", "--to png --plot x --frame 0"),
              "saltus: --plot and --frame are two pictures; give one of them\n");
}

TEST_F(ExportCommand, RefusesWrongValues) {
    EXPECT_EQ(refused("ball.h5", "--to png --frame 2"), "saltus: --frame is 2; the run is from t = 0 to 1.5\n");
    EXPECT_EQ(refused("ball.h5", "--to png --frame nan"), "saltus: --frame is nan; the run is from t = 0 to 1.5\n");
    EXPECT_EQ(refused("ball.h5", "--to png --plot 'ball.q[1]'"),
              "saltus: there is no channel 'ball.q[1]'; did you mean 'ball.q[0]'?\n");
    EXPECT_EQ(refused("ball.h5", "--to png --plot 'ball.q[0],'"),
              "saltus: --plot is 'ball.q[0],'; give names of channels with commas between them\n");
    EXPECT_EQ(refused("ball.h5", "--to png --plot ' '"),
              "saltus: --plot is ' '; give names of channels with commas between them\n");
    EXPECT_EQ(refused("ball.h5", "--to png --size 12"), "saltus: --size is '12'; it must be like 1200x800\n");
    EXPECT_EQ(refused("ball.h5", "--to gltf --every 0"), "saltus: --every is 0; it must be 1 or more\n");
    EXPECT_EQ(refused("ball.h5", "--to mp4 --fps 0"), "saltus: --fps is 0; it must be from 1 to 240\n");
    EXPECT_EQ(refused("ball.h5", "--to mp4 --speed -1"), "saltus: --speed is -1; it must be a number above zero\n");
    EXPECT_NE(refused("ball.h5", "--to mp4 --speed 1e-9").find("the film would have 4.5e+10 frames"),
              std::string::npos);
    EXPECT_NE(refused("ball.h5", "--to mp4 --size 161x120").find("width and height must be even"), std::string::npos);
}

TEST_F(ExportCommand, OverwritesNeitherTheResultNorFolders) {
    const std::string before = contents(file("ball.h5"));
    for (const char* format : {"csv", "vtk", "gltf", "png", "mp4"}) {
        const std::string to = std::string("--to ") + format + " -o ";
        EXPECT_NE(refused("ball.h5", to + file("ball.h5")).find("that is the result file; name another file"),
                  std::string::npos);
        const std::string ending = std::string(format) == "vtk" ? ".pvd" : std::string(format) == "gltf" ? ".glb" : "";
        const std::string folder = file("folder" + ending);
        std::filesystem::create_directory(folder);
        EXPECT_NE(refused("ball.h5", to + folder), "");
        EXPECT_TRUE(std::filesystem::is_empty(folder));
        std::filesystem::remove(folder);
    }
    EXPECT_EQ(contents(file("ball.h5")), before);
}

TEST_F(ExportCommand, SaysThatTheDiskIsFull) {
    for (const char* format : {"csv", "png"})
        EXPECT_EQ(refused("ball.h5", std::string("--to ") + format + " -o /dev/full"),
                  "saltus: /dev/full: cannot be written; is the disk full?\n");
}

// A result with these heights of a ball that falls.
void write_falling_ball(const std::string& path, const std::vector<double>& heights) {
    constexpr const char* model = R"([systems.ball]
q0 = 1
mass = 1
[view.bodies.ball]
shape = "sphere"
radius = 0.1
position = [0, 0, "q[0]"]
)";
    const std::vector<std::string> names{"ball.q[0]", "ball.v[0]"};
    ResultWriter writer(path, {.channels = names, .states = names}, model, {.name = "falling"});
    for (std::size_t k = 0; k < heights.size(); ++k) {
        const std::vector<double> values{heights[k], 0.0};
        writer.sample({.t = 2.0 + 0.1 * static_cast<double>(k), .values = values});
    }
    writer.finish({.name = "falling", .end = "interrupted"});
}

TEST_F(ExportCommand, SaysThatThereAreNoSamples) {
    write_falling_ball(file("empty.h5"), {});
    for (const char* format : {"vtk", "gltf", "png", "mp4"})
        EXPECT_EQ(refused("empty.h5", std::string("--to ") + format),
                  "saltus: " + file("empty.h5") + ": has no samples; there is nothing to export\n");
    EXPECT_EQ(exported("empty.h5", "--to csv").output, file("empty.csv") + ": 0 samples of 2 channels\n");
}

TEST_F(ExportCommand, ExportsOneSampleAndNumbersThatAreNone) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (const std::vector<double>& heights : {std::vector<double>{1.0}, {nan}, {1.0, nan, 1e300}}) {
        write_falling_ball(file("short.h5"), heights);
        for (const char* options : {"--to vtk", "--to gltf", "--to png", "--to png --frame 2",
                                    "--to png --plot default", "--to png --plot 'ball.q[0]'"}) {
            const Outcome outcome = exported("short.h5", options);
            EXPECT_EQ(outcome.exit_code, 0) << options << ": " << outcome.errors;
        }
    }
}

TEST(FilmSpeed, IsRoundAndGivesAboutTenSeconds) {
    EXPECT_EQ(cli::film_speed(10.0), 1.0);
    EXPECT_EQ(cli::film_speed(0.0), 1.0);
    EXPECT_NEAR(cli::film_speed(1.5), 0.2, 1e-15);
    for (double duration = 1e-6; duration < 1e6; duration *= 1.37) {
        EXPECT_GE(duration / cli::film_speed(duration), 6.3);
        EXPECT_LE(duration / cli::film_speed(duration), 15.9);
    }
}

}  // namespace
}  // namespace saltus
