#pragma once

#include "saltus/model/model.hpp"

namespace saltus {

// The linear parts of a model, stacked over its systems and interactions (002, ch. 2):             docs/theory.md (112)
//     M x' = A x + b(t) + r,   y = C x + D lambda + e(t),   r = B lambda,   -y in N_[lower, upper](lambda).
// Sparse beyond `dense_limit` states and rows together.
struct Stacked {
    static constexpr Index dense_limit = 64;

    Matrix M, A, B, C, D;
    Eigen::VectorXd lower, upper;

    explicit Stacked(const Model& model);
    Index states() const { return A.rows(); }
    Index rows() const { return C.rows(); }
    Interval law(Index row) const { return {lower[row], upper[row]}; }
};

// The functions of time of a model, b and e, evaluated into stacked vectors. Absent functions cost nothing.
class Signals {
public:
    explicit Signals(const Model& model);

    Index inputs() const { return inputs_; }    // rows of b that a function gives
    Index offsets() const { return offsets_; }  // rows of e that a function gives
    // The stacked rows of b and of e to which the values belong.
    const IndexList& input_rows() const { return input_rows_; }
    const IndexList& offset_rows() const { return offset_rows_; }
    // values <- b(t), e(t), in the order of input_rows() and offset_rows().
    void evaluate_inputs(double t, double* values) const;
    void evaluate_offsets(double t, double* values) const;

private:
    std::vector<Function> b_, e_;
    IndexList input_rows_, offset_rows_;
    Index inputs_ = 0, offsets_ = 0;
};

}  // namespace saltus
