#include "cli/interrupt.hpp"

#include <csignal>

namespace saltus::cli {

namespace {

volatile std::sig_atomic_t flag = 0;

extern "C" void note_interrupt(int signal) {
    flag = 1;
    std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
    flag = 0;
    std::signal(SIGINT, note_interrupt);
    std::signal(SIGTERM, note_interrupt);
}

InterruptGuard::~InterruptGuard() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::is_interrupted() { return flag != 0; }

}  // namespace saltus::cli
