#pragma once

#include "saltus/integrators/scheme.hpp"
#include "saltus/model/diagnosis.hpp"

namespace saltus {

// The scheme that converges to the kind of solution which the diagnosis predicts, and why it was chosen.
struct SchemeChoice {
    Scheme scheme{};
    std::string reason{};
};
SchemeChoice choose_scheme(const Model& model, const Diagnosis& diagnosis);

// What a user of this scheme should know beforehand: one sentence each, which says what to do.
std::vector<std::string> warnings(const Model& model, const Diagnosis& diagnosis, const Scheme& scheme);

}  // namespace saltus
