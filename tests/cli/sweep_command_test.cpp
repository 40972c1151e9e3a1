#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "cli/command.hpp"

namespace saltus {
namespace {

using testing::contents;
using testing::Outcome;
using testing::run_saltus;
using testing::TemporaryFile;

const std::string ball = std::string(SALTUS_EXAMPLES) + "/bouncing_ball.toml";

std::string sweep(const TemporaryFile& output, const std::string& rest) {
    return "sweep " + ball + " --vary e=0.2:0.8:4 --t-end 2 --quiet -o " + output.path().string() + " " + rest;
}

TEST(SweepCommand, KeepsTheImpactsOfEachValueWhateverTheThreads) {
    const TemporaryFile one, two;
    EXPECT_EQ(run_saltus(sweep(one, "--record impact-map --threads 1")).exit_code, 0);
    EXPECT_EQ(run_saltus(sweep(two, "--record impact-map --threads 2")).exit_code, 0);
    const std::string text = contents(one.path());
    EXPECT_EQ(text, contents(two.path()));
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    EXPECT_TRUE(line.starts_with("# saltus sweep bouncing_ball of e=0.2:0.8:4")) << line;
    std::getline(lines, line);
    EXPECT_EQ(line, "e,t,interaction,before,after,percussion");
    std::getline(lines, line);
    EXPECT_TRUE(line.starts_with("0.2,0.45")) << line;
    EXPECT_NE(text.find("\n# done 3\n"), std::string::npos);
}

TEST(SweepCommand, GoesOnWhereItWasInterrupted) {
    const TemporaryFile whole, part;
    const std::string command = "--record final";
    ASSERT_EQ(run_saltus(sweep(whole, command)).exit_code, 0);
    ASSERT_EQ(run_saltus(sweep(part, command)).exit_code, 0);
    const std::string text = contents(whole.path());
    std::filesystem::resize_file(part.path(), text.find("# done 1") + 20);  // in the middle of the third value
    const Outcome outcome = run_saltus(sweep(part, command));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    EXPECT_EQ(contents(part.path()), text);
    const Outcome other = run_saltus(sweep(part, "--record impact-map"));
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_NE(other.errors.find("is not the result of this command"), std::string::npos) << other.errors;
}

// sqrt(2/9.81), to more digits than steps of 1e-3 have.
TEST(SweepCommand, TakesASchemeByName) {
    const TemporaryFile output;
    const std::string command = "--record impact-map --scheme event-driven --tolerance 1e-9";
    ASSERT_EQ(run_saltus(sweep(output, command)).exit_code, 0);
    const std::string text = contents(output.path());
    EXPECT_NE(text.find(", scheme event-driven, tolerance 1e-9, model "), std::string::npos) << text;
    EXPECT_NE(text.find("\n0.2,0.451523640"), std::string::npos) << text;
    EXPECT_EQ(run_saltus(sweep(output, "--record impact-map")).exit_code, 2);
}

TEST(SweepCommand, SaysOfFailuresAgain) {
    const TemporaryFile output;
    const TemporaryFile model(
        "[parameters]\na = 1\n[systems.b]\nq0 = 0\nmass = 1\nforce = \"sqrt(a - t)\"\n"
        "[simulation]\nstep = 0.1\nt_end = 2\n",
        ".toml");
    const std::string arguments =
        "sweep " + model.path().string() + " --vary a=1:3:3 --quiet -o " + output.path().string();
    for (int k = 0; k < 2; ++k) {
        const Outcome outcome = run_saltus(arguments);
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_NE(outcome.errors.find("saltus: 1 values failed"), std::string::npos) << outcome.errors;
    }
}

TEST(SweepCommand, RefusesWhatItCannotDo) {
    const TemporaryFile output;
    const auto message = [&](const std::string& rest) { return run_saltus("sweep " + ball + " " + rest).errors; };
    EXPECT_EQ(message("--vary e=0.2:0.8"),
              "saltus: --vary e=0.2:0.8: write name=first:last:count, as in rpm=100:1000:500\n");
    EXPECT_EQ(message("--vary e=0:1:3 --record impact-maps"),
              "saltus: --record is 'impact-maps'; did you mean "
              "'impact-map'?\n");
    EXPECT_EQ(message("--vary e=0:1:3 --record stroboscopic"),
              "saltus: --record stroboscopic: give --period, an expression of the parameters, as in 60/rpm\n");
    EXPECT_NE(message("--vary f=0:1:3 -o " + output.path().string()).find("there is no parameter 'f'"),
              std::string::npos);
    // A value that makes no sense is reported, and does not stop the others.
    const Outcome outcome = run_saltus("sweep " + ball + " --vary e=0.5:1.5:2 --t-end 1 -o " + output.path().string());
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(contents(output.path()).find("interaction 'ground': restitution is 1.5"), std::string::npos)
        << contents(output.path());
}

}  // namespace
}  // namespace saltus
