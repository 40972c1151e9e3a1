#include "saltus/integrators/scheme_choice.hpp"

#include <fmt/format.h>

#include "saltus/core/check.hpp"
#include "saltus/integrators/higher_order_stepper.hpp"

namespace saltus {

namespace {

constexpr EulerMoreau trapezoidal{.theta = 0.5, .gamma = 0.5}, backward{}, measures{.measures = true};

// Why the higher-order sweeping process cannot take this model; empty if it can.
std::string why_not_sweeping(const Model& model) {
    try {
        HigherOrderStepper(model, 1.0);
        return "";
    } catch (const InvalidInput& error) {
        return error.what();
    }
}

SchemeChoice for_distribution(const Model& model, int degree) {
    const std::string obstacle = why_not_sweeping(model);
    if (obstacle.empty())
        return {HigherOrderSweeping{},
                fmt::format("relative degree {}: backward Euler does not converge, using the higher-order sweeping "
                            "process",
                            degree)};
    return {measures, fmt::format("relative degree {}, but {}", degree, obstacle)};
}

}  // namespace

SchemeChoice choose_scheme(const Model& model, const Diagnosis& diagnosis) {
    switch (diagnosis.smoothness) {
        case Smoothness::differentiable:
            return {trapezoidal,
                    model.rows() == 0 ? "there are no laws: order 2" : "lambda is a Lipschitz function of x: order 2"};
        case Smoothness::absolutely_continuous:
            return {backward, diagnosis.is_too_large ? "the model is too large for an analysis; this one is robust"
                                                     : "x is continuous, lambda may jump: order 1"};
        case Smoothness::distribution:
            return for_distribution(model, *diagnosis.degree.uniform);
        case Smoothness::bounded_variation:
            break;
    }
    return {measures, "x may jump: the measure sigma = h lambda stays bounded"};
}

namespace {

void warn_of_scheme(const Model& model, const Diagnosis& diagnosis, const EulerMoreau& scheme,
                    std::vector<std::string>& result) {
    if (diagnosis.smoothness == Smoothness::distribution) {
        const std::string obstacle = why_not_sweeping(model);
        result.push_back(
            fmt::format("relative degree {}: backward Euler does not converge; {}", *diagnosis.degree.uniform,
                        obstacle.empty() ? fmt::format("take scheme = \"{}\"", HigherOrderSweeping::name) : obstacle));
    }
    if (diagnosis.smoothness != Smoothness::differentiable && scheme.gamma < 1.0 && !diagnosis.is_too_large)
        result.push_back(
            fmt::format("gamma = {}, but lambda may jump: it may oscillate; gamma = 1 does not", scheme.gamma));
    if (diagnosis.smoothness == Smoothness::bounded_variation && !scheme.measures)
        result.push_back(
            "x may jump: lambda is then an impulse, about 1/h in the step of the jump; with measures = true sigma = h "
            "lambda is recorded, which stays bounded");
}

}  // namespace

std::vector<std::string> warnings(const Model& model, const Diagnosis& diagnosis, const Scheme& scheme) {
    std::vector<std::string> result;
    if (const EulerMoreau* euler = std::get_if<EulerMoreau>(&scheme)) warn_of_scheme(model, diagnosis, *euler, result);
    if (std::holds_alternative<ExplicitSwitched>(scheme))
        result.push_back(
            fmt::format("an explicit scheme chatters about sliding modes and needs short steps; the scheme "
                        "{} does neither",
                        EulerMoreau::name));
    if (diagnosis.has_unique_steps == Answer::no && diagnosis.is_passive != Answer::yes)
        result.push_back(
            "the matrix of a step is not a P-matrix: a step may have several solutions, of which one is taken, "
            "or none");
    if (diagnosis.has_start == Answer::no && diagnosis.smoothness != Smoothness::differentiable)
        result.push_back(fmt::format("the initial state does not satisfy the laws at t = {}: x jumps there", model.t0));
    const bool is_mixed = model.rows() > 1 && !diagnosis.is_too_large && !diagnosis.degree.uniform &&
                          diagnosis.is_passive != Answer::yes && diagnosis.smoothness == Smoothness::bounded_variation;
    if (is_mixed)
        result.push_back("the rows have no uniform relative degree: no theorem promises that the scheme converges");
    return result;
}

}  // namespace saltus
