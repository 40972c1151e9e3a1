#include "saltus/complementarity/one_step/anderson.hpp"

#include <Eigen/Cholesky>

#include "saltus/core/check.hpp"

namespace saltus::one_step {

namespace {
constexpr int steps_after_retreat = 5;
constexpr double regularisation = 1e-8;  // of gamma, see (85)
}  // namespace

void check_memory(std::string_view solver, int memory) {
    constexpr int most = 1000;  // a hundred times what helps
    require(memory >= 0 && memory <= most, "{}: memory is {}; it must be from 0 to {}", solver, memory, most);
}

Anderson::Anderson(Eigen::Index size, int memory, bool retreats)
    : memory_(memory),
      retreats_(retreats),
      f_(size),
      last_f_(size),
      last_g_(size),
      best_g_(retreats ? size : 0),
      dF_(size, memory),
      dG_(size, memory),
      gram_(memory, memory),
      system_(memory, memory),
      gamma_(memory) {}

void Anderson::restart() {
    stored_ = next_ = 0;
    has_last_ = false;
}

void Anderson::remember(const Eigen::VectorXd& g) {
    dF_.col(next_) = f_ - last_f_;
    dG_.col(next_) = g - last_g_;
    stored_ = std::min(stored_ + 1, memory_);
    gamma_.head(stored_).noalias() = dF_.leftCols(stored_).transpose() * dF_.col(next_);
    gram_.col(next_).head(stored_) = gamma_.head(stored_);
    gram_.row(next_).head(stored_) = gamma_.head(stored_).transpose();
    next_ = (next_ + 1) % memory_;
}

bool Anderson::takes_plain_step(double length, Eigen::VectorXd& g) {
    if (plain_steps_ > 0) {
        --plain_steps_;
        return true;
    }
    if (has_last_ && length > (retreats_ ? 1.0 : 2.0) * least_) {
        restart();
        if (retreats_) {
            g = best_g_;
            plain_steps_ = steps_after_retreat;
            return true;
        }
    }
    if (!has_last_ || length < least_) {
        least_ = length;
        if (retreats_) best_g_ = g;
    }
    return false;
}

double Anderson::accelerate(const Eigen::VectorXd& x, Eigen::VectorXd& g) {
    f_ = g - x;
    const double length = f_.norm();
    if (memory_ == 0 || takes_plain_step(length, g)) return length;
    if (has_last_) remember(g);
    last_f_ = f_;
    last_g_ = g;
    has_last_ = true;
    if (stored_ == 0) return length;
    const int m = stored_;
    auto A = system_.topLeftCorner(m, m);
    A = gram_.topLeftCorner(m, m);
    const double shift = regularisation * A.trace() / m;
    A.diagonal().array() += shift;
    auto gamma = gamma_.head(m);
    gamma.noalias() = dF_.leftCols(m).transpose() * f_;
    Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(A);
    if (factor.info() != Eigen::Success) {
        restart();
        return length;
    }
    factor.solveInPlace(gamma);
    g.noalias() -= dG_.leftCols(m) * gamma;
    return length;
}

}  // namespace saltus::one_step
