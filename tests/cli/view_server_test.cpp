#include "cli/view_server.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "cli/command.hpp"
#include "cli/httplib.hpp"
#include "saltus/core/check.hpp"
#include "support/refusal.hpp"
#include "support/result_of.hpp"

namespace saltus {
namespace {

using testing::drawn_ball;
using testing::ResultOf;

// A server of its own, and a client that is not a browser.
class Served {
public:
    Served() : server_(served_, 0), thread_([this] { server_.listen(); }) {}
    ~Served() {
        server_.stop();
        thread_.join();
    }
    // "http://127.0.0.1:PORT", and the path "/KEY".
    std::string address() const { return server_.address().substr(0, server_.address().find('/', 7)); }
    std::string key() const {
        const std::string path = server_.address().substr(address().size());
        return path.substr(0, path.size() - 1);
    }
    httplib::Client client() { return httplib::Client(address()); }
    httplib::Result get(const std::string& path, const httplib::Headers& headers = {}) {
        return client().Get((key() + path).c_str(), headers);
    }
    int status(const std::string& path, const httplib::Headers& headers = {}) {
        const httplib::Result answer = get(path, headers);
        return answer ? answer->status : 0;
    }

private:
    ResultOf result_{drawn_ball};
    ServedResult served_{result_.file.path(), {}};
    cli::ViewServer server_;
    std::thread thread_;
};

TEST(ViewServer, AnswersItsPage) {
    Served served;
    const auto page = served.get("/");
    ASSERT_TRUE(page);
    EXPECT_EQ(page->status, 200);
    EXPECT_NE(page->body.find("Content-Security-Policy"), std::string::npos);
    const auto manifest = served.get("/manifest");
    EXPECT_EQ(nlohmann::json::parse(manifest->body)["samples"], 1001);
    EXPECT_EQ(manifest->get_header_value("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(manifest->get_header_value("Cross-Origin-Resource-Policy"), "same-origin");
    EXPECT_TRUE(manifest->get_header_value("Access-Control-Allow-Origin").empty());
    EXPECT_EQ(served.get("/window?columns=0,1&from=0&to=1&points=100")->status, 200);
    EXPECT_EQ(served.get("/marks?kind=impacts&from=-1e9&to=1e9")->status, 200);
    EXPECT_EQ(served.get("/frames?first=0&count=2")->status, 200);
}

TEST(ViewServer, RefusesOtherPathsAndMethods) {
    Served served;
    for (const char* path : {"/etc/passwd", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/manifest/x", "//"})
        EXPECT_EQ(served.status(path), 404) << path;
    EXPECT_EQ(served.client().Post((served.key() + "/manifest").c_str(), "x", "text/plain")->status, 404);
    EXPECT_EQ(served.client().Delete((served.key() + "/manifest").c_str())->status, 404);
    EXPECT_EQ(served.client().Post(served.key().c_str(), std::string(1000000, 'x'), "text/plain")->status, 413);
}

// Another user of this machine can ask, but does not know the key.
TEST(ViewServer, AnswersOnlyThoseWhoKnowItsKey) {
    Served served, other;
    EXPECT_EQ(served.key().size(), 33u);
    EXPECT_NE(served.key(), other.key());
    for (const char* path : {"/", "/manifest", "/0/manifest"}) EXPECT_EQ(served.client().Get(path)->status, 404);
    EXPECT_EQ(served.client().Get((other.key() + "/manifest").c_str())->status, 404);
}

TEST(ViewServer, TellsWhatIsWrongWithARequest) {
    Served served;
    const auto answer = [&](const char* path) { return served.get(path); };
    EXPECT_EQ(answer("/window?columns=zero&from=0&to=1&points=10")->status, 400);
    EXPECT_EQ(answer("/window?columns=zero&from=0&to=1&points=10")->body, "columns is 'zero'; it must be a number");
    EXPECT_EQ(answer("/window?columns=99999&from=0&to=1&points=10")->status, 400);
    EXPECT_EQ(answer("/window")->status, 400);
    EXPECT_EQ(answer("/window?columns=0&from=nan&to=1&points=10")->status, 400);
    EXPECT_EQ(answer("/frames?first=-1&count=2")->status, 400);
    EXPECT_EQ(answer("/frames?first=0&count=99999999999999999999")->status, 400);
    EXPECT_EQ(answer("/marks?kind=secrets&from=0&to=1")->status, 400);
}

TEST(ViewServer, TellsPagesOfOtherRunsApart) {
    Served served;
    const std::string run = served.get("/run")->body;
    EXPECT_EQ(run.size(), 16u);
    for (const char* path :
         {"/window?columns=0&from=0&to=1&points=10", "/marks?kind=impacts&from=0&to=1", "/frames?first=0&count=2"}) {
        EXPECT_EQ(served.status(path + ("&run=" + run)), 200) << path;
        EXPECT_EQ(served.status(path + std::string("&run=another")), 409) << path;
    }
}

// Another site can make a browser ask, with these headers.
TEST(ViewServer, RefusesOtherOrigins) {
    Served served;
    const std::string here = served.address().substr(7);
    EXPECT_EQ(served.status("/manifest", {{"Host", here}, {"Sec-Fetch-Site", "same-origin"}}), 200);
    EXPECT_EQ(served.status("/", {{"Host", here}, {"Sec-Fetch-Site", "none"}}), 200);
    EXPECT_EQ(served.status("/manifest", {{"Host", here}, {"Origin", "http://" + here}}), 200);
    EXPECT_EQ(served.status("/manifest", {{"Host", "evil.example"}}), 403);  // its name leads to this machine
    EXPECT_EQ(served.status("/manifest", {{"Host", here}, {"Origin", "https://evil.example"}}), 403);
    EXPECT_EQ(served.status("/manifest", {{"Host", here}, {"Origin", "null"}}), 403);
    EXPECT_EQ(served.status("/manifest", {{"Host", here}, {"Sec-Fetch-Site", "cross-site"}}), 403);
    EXPECT_EQ(served.status("/", {{"Host", here}, {"Sec-Fetch-Site", "same-site"}}), 403);
}

TEST(ViewServer, SaysThatAPortIsTaken) {
    Served served;
    const int port = std::stoi(served.address().substr(served.address().rfind(':') + 1));
    const ResultOf result(drawn_ball);
    ServedResult other(result.file.path(), {});
    EXPECT_NE(testing::refusal([&] { cli::ViewServer(other, port); }).find("is it taken?"), std::string::npos);
}

// A server that is interrupted before it listens ends too.
TEST(ViewCommand, EndsWhenInterrupted) {
    const ResultOf result(drawn_ball);
    for (const char* pause : {"0.02", "0.1", "0.5"}) {
        // Killed after ten seconds more: status 137.
        const std::string command =
            fmt::format("timeout --signal=INT --kill-after=10 {} {} view --no-open {} >/dev/null", pause,
                        SALTUS_COMMAND, result.file.path().string());
        EXPECT_NE(std::system(command.c_str()) >> 8, 137) << pause;
    }
}

TEST(ViewCommand, RefusesWhatIsNoResult) {
    const testing::TemporaryFile file("text");
    const testing::Outcome outcome = testing::run_saltus("view --no-open " + file.path().string());
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.errors.find("is not a result file"), std::string::npos);
}

TEST(ReportCommand, WritesAPage) {
    const testing::TemporaryFile result("", ".h5"), page("", ".html");
    testing::write_result(result.path(), drawn_ball);
    const std::string files = result.path().string() + " -o " + page.path().string();
    testing::Outcome outcome = testing::run_saltus("report " + files + " --plot 'ball.q[0], ball.q[1]'");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    EXPECT_NE(outcome.output.find("report in "), std::string::npos);
    EXPECT_NE(testing::contents(page.path()).find("saltus-manifest"), std::string::npos);
    outcome = testing::run_saltus("report " + files + " --plot 'ball.q[9]'");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.errors.find("there is no channel 'ball.q[9]'"), std::string::npos);
    outcome = testing::run_saltus("report " + files + " --phase 'ball.q[0]'");
    EXPECT_NE(outcome.errors.find("a phase portrait has two"), std::string::npos);
    outcome = testing::run_saltus("report " + result.path().string() + " -o " + result.path().string());
    EXPECT_NE(outcome.errors.find("that is the result file"), std::string::npos);
    outcome = testing::run_saltus("report " + result.path().string() + " -o /dev/full");
    EXPECT_EQ(outcome.exit_code, 2);
}

// Small enough to be mailed.
TEST(RunCommand, WritesThePageOfABallOf1500Kilobytes) {
    const testing::TemporaryFile result("", ".h5");
    std::filesystem::remove(result.path());
    const testing::Outcome outcome =
        testing::run_saltus("run " SALTUS_EXAMPLES "/bouncing_ball.toml --report --quiet -o " + result.path().string());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    const std::filesystem::path page = std::filesystem::path(result.path()).replace_extension(".html");
    EXPECT_LT(std::filesystem::file_size(page), 1500000u);
    std::filesystem::remove(page);
}

}  // namespace
}  // namespace saltus
