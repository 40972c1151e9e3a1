#pragma once

#include <memory>
#include <string>

#include "saltus/view/served_result.hpp"

namespace saltus::cli {

// Answers a browser on this machine for one result file, as viewer/README.md says: on the loopback address only, and
// only pages that came from here. Other paths, methods, hosts and origins are refused.
class ViewServer {
public:
    // Port 0 takes a free one. Throws InvalidInput where the port is taken.
    ViewServer(ServedResult& result, int port);
    ~ViewServer();

    // "http://127.0.0.1:PORT/KEY/"; requests without the key get no answer.
    std::string address() const;
    // Answers until stop(), which another thread calls.
    void listen();
    void stop();

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace saltus::cli
