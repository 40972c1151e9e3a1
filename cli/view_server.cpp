#include "cli/view_server.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <random>
#include <thread>

#include "cli/httplib.hpp"
#include "saltus/core/check.hpp"
#include "saltus/view/page.hpp"

namespace saltus::cli {

namespace {

constexpr const char* host = "127.0.0.1";
using httplib::Request;
using httplib::Response;

template <class Number>
Number number_of(std::string_view text, std::string_view name) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    require(error == std::errc() && end == text.data() + text.size(), "{} is '{}'; it must be a number", name, text);
    return value;
}

template <class Number>
Number parameter(const Request& request, const char* name) {
    return number_of<Number>(request.get_param_value(name), name);
}

std::vector<Index> columns_of(const Request& request) {
    std::vector<Index> result;
    const std::string text = request.get_param_value("columns");
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        result.push_back(number_of<Index>(std::string_view(text).substr(start, end - start), "columns"));
        start = end + 1;
    }
    return result;
}

std::string make_key() {
    std::random_device random;
    std::string result;
    for (int k = 0; k < 4; ++k) result += fmt::format("{:08x}", random());
    return result;
}

struct OtherRun {};

constexpr const char* binary = "application/octet-stream";

}  // namespace

struct ViewServer::Implementation {
    ServedResult& result;
    httplib::Server server{};
    int port = 0;
    std::string page = served_page();
    std::string key = make_key();  // in the address: other users of this machine do not know it

    explicit Implementation(ServedResult& served) : result(served) {}

    // A page of an earlier run into the same file must not show the numbers of this one.
    void refuse_other_run(const Request& request) const {
        if (request.has_param("run") && request.get_param_value("run") != result.run()) throw OtherRun();
    }

    // A page of another site can make a browser ask us, but not with our name as host (a name of its own that leads
    // here is refused), nor can it hide where it is from.
    bool is_ours(const Request& request) const {
        const std::string name = request.get_header_value("Host");
        const bool is_here = name == fmt::format("{}:{}", host, port) || name == fmt::format("localhost:{}", port) ||
                             (port == 80 && (name == host || name == "localhost"));
        const std::string site = request.get_header_value("Sec-Fetch-Site"),
                          origin = request.get_header_value("Origin");
        return is_here && (site.empty() || site == "same-origin" || site == "none") &&
               (origin.empty() || origin == "http://" + name);
    }

    template <class Answer>
    void add(const char* path, const char* type, Answer answer) {
        server.Get("/" + key + path, [answer, type](const Request& request, Response& response) {
            try {
                response.set_content(answer(request), type);
            } catch (const OtherRun&) {
                response.status = 409;
            } catch (const std::exception& error) {
                response.status = 400;
                response.set_content(error.what(), "text/plain; charset=utf-8");
            }
        });
    }

    void prepare() {
        server.set_pre_routing_handler([this](const Request& request, Response& response) {
            if (is_ours(request)) return httplib::Server::HandlerResponse::Unhandled;
            response.status = 403;
            response.set_content("saltus view answers its own page only", "text/plain; charset=utf-8");
            return httplib::Server::HandlerResponse::Handled;
        });
        // Instead of httplib's options, with which another program could share the port.
        server.set_socket_options([](auto socket) {
            const int yes = 1;
            ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
        });
        server.set_tcp_nodelay(true);  // an answer is written in two pieces: the second would wait 40 ms
        // Browsers keep connections for a while: they hold up neither the end nor other pages.
        server.set_keep_alive_timeout(1);
        constexpr std::size_t threads = 32;
        server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
        constexpr std::size_t longest_body = 1024;
        server.set_payload_max_length(longest_body);  // requests have no body
        server.set_default_headers({{"Cache-Control", "no-store"},
                                    {"X-Content-Type-Options", "nosniff"},
                                    {"X-Frame-Options", "DENY"},
                                    {"Referrer-Policy", "no-referrer"},
                                    {"Cross-Origin-Resource-Policy", "same-origin"}});
        add("/", "text/html; charset=utf-8", [this](const Request&) { return page; });
        add("/manifest", "application/json", [this](const Request&) { return result.manifest(); });
        add("/run", "text/plain; charset=utf-8", [this](const Request&) { return result.run(); });
        add("/window", binary, [this](const Request& request) {
            refuse_other_run(request);
            return result.window(columns_of(request), parameter<double>(request, "from"),
                                 parameter<double>(request, "to"), parameter<Index>(request, "points"));
        });
        add("/marks", binary, [this](const Request& request) {
            refuse_other_run(request);
            return result.marks(request.get_param_value("kind"), parameter<double>(request, "from"),
                                parameter<double>(request, "to"));
        });
        add("/frames", binary, [this](const Request& request) {
            refuse_other_run(request);
            return result.frames(parameter<Index>(request, "first"), parameter<Index>(request, "count"));
        });
    }
};

ViewServer::ViewServer(ServedResult& result, int port) : implementation_(std::make_unique<Implementation>(result)) {
    implementation_->prepare();
    httplib::Server& server = implementation_->server;
    if (port == 0)
        implementation_->port = server.bind_to_any_port(host);
    else if (server.bind_to_port(host, port))
        implementation_->port = port;
    require(implementation_->port > 0, "--port {}: cannot be used; is it taken? Leave it out to take a free one", port);
}

ViewServer::~ViewServer() = default;

std::string ViewServer::address() const {
    return fmt::format("http://{}:{}/{}/", host, implementation_->port, implementation_->key);
}
void ViewServer::listen() { implementation_->server.listen_after_bind(); }
void ViewServer::stop() {
    // A server that does not listen yet would miss the call.
    while (!implementation_->server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    implementation_->server.stop();
}

}  // namespace saltus::cli
