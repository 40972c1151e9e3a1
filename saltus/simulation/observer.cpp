#include "saltus/simulation/observer.hpp"

#include <fmt/format.h>

namespace saltus {

std::string FailedStep::reason() const {
    return fmt::format("{} t = {:.12g}{}: {}{}", is_at_event ? "the motion does not go on at" : "the step to", t,
                       is_at_event ? "" : " cannot be solved", where.empty() ? "" : where + ": ", solve.message);
}

}  // namespace saltus
