#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <thread>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/open_page.hpp"
#include "cli/view_options.hpp"
#include "cli/view_server.hpp"
#include "saltus/core/check.hpp"

namespace saltus::cli {

namespace {

struct ViewArguments {
    std::string file{};
    ViewOptions view{};
    int port = 0;
    bool is_opened = true;
};

ExitCode run(const ViewArguments& arguments) {
    require(arguments.port >= 0 && arguments.port <= 65535, "--port is {}; it must be between 0 and 65535",
            arguments.port);
    const InterruptGuard guard;
    ServedResult result(arguments.file, arguments.view.choice());
    ViewServer server(result, arguments.port);
    fmt::print("{} is shown at {}\nCtrl-C ends it\n", arguments.file, server.address());
    std::fflush(stdout);
    std::thread listener([&] { server.listen(); });
    if (arguments.is_opened) open_page(server.address());
    while (!InterruptGuard::is_interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    server.stop();
    listener.join();
    return solved;
}

}  // namespace

Command add_view(CLI::App& app) {
    const auto arguments = std::make_shared<ViewArguments>();
    CLI::App* command =
        app.add_subcommand("view", "Show a result in the browser, however large, also while its run goes on");
    command->add_option("RESULT", arguments->file, "The result file (.h5)")->required();
    arguments->view.add_to(*command);
    command->add_option("--port", arguments->port, "Where to answer on this machine; a free port if not given");
    command->add_flag(
        "--no-open", [arguments](std::int64_t) { arguments->is_opened = false; }, "Start no browser");
    return {command, [arguments] { return run(*arguments); }};
}

}  // namespace saltus::cli
