#include "saltus/core/interruption.hpp"

#include <future>

namespace saltus {

void Interruption::watch(const std::function<void()>& work) {
    std::future<void> done = std::async(std::launch::async, [&] {
        const Scope shared(this);
        work();
    });
    while (done.wait_for(period) == std::future_status::timeout) {
        try {
            check();
        } catch (...) {  // the work refers to what this thread has: it must end first
            end();
            done.wait();
            throw;
        }
    }
    done.get();
}

}  // namespace saltus
