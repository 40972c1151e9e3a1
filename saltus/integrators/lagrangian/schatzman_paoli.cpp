#include "saltus/integrators/lagrangian/schatzman_paoli.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

void SchatzmanPaoli::check() const { check_options(name, tolerance, max_iterations); }

}  // namespace saltus
