#pragma once

#include <optional>

#include "saltus/complementarity/one_step/contact_graph.hpp"
#include "saltus/complementarity/one_step/sweep.hpp"

namespace saltus::one_step {

// Some blocks of a problem with their own copy of W, q and the laws; the load of the others on them is in its q.
class ProblemPart {
public:
    // owner[i] is the number of the part to which block i belongs, `number` that of this one.
    ProblemPart(const OneStepView& problem, IndexList blocks, const std::vector<int>& owner, int number);

    Index size() const { return std::ssize(blocks_); }
    const OneStepProblem& problem() const { return problem_; }
    // q <- q_0 + sum W_ij r_j over the other parts j; r_part <- the rows of this part.
    void load(const BlockMatrix& W, const Eigen::VectorXd& r);
    void unload(const BlockMatrix& W, Eigen::VectorXd& r) const { scatter(W, blocks_, r_part, r); }

    Eigen::VectorXd r_part;

private:
    struct Coupling {  // the k-th block of row i of W, which leads out of the part; i starts at `row` here
        Index i, row;
        std::size_t k;
    };

    IndexList blocks_;
    OneStepProblem problem_;
    Eigen::VectorXd free_q_;
    std::vector<Coupling> couplings_;
};

// Gauss-Seidel in which clusters of neighbouring blocks are solved together, as if each were one block:
//     sweep over the single blocks, then
//     r_C <- solution of w_C = W_CC r_C + (q_C + sum_{j not in C} W_Cj r_j).                        docs/theory.md (95)
// With large friction a few contacts may have no stable solution one by one, and cycle for ever; together with those
// around them they do. There is no cluster before the first grow().
class Clusters {
public:
    explicit Clusters(const OneStepView& problem);

    // One sweep; r is changed in place. Clusters are solved to residual `accuracy` where they can be.
    void sweep(Eigen::VectorXd& r, double accuracy);

    // movement[i]: how much block i moved lately. The most restless blocks, which make up `share` of the whole, join
    // the clusters with all their neighbours; if they are in one already, with a wider ring of neighbours.
    void grow(const Eigen::VectorXd& movement, double share);
    Index largest() const;  // blocks

private:
    void add_around(Index seed);
    void build();

    const OneStepView& problem_;
    std::vector<bool> is_member_;
    std::vector<int> rings_;  // how often each block was a seed
    std::vector<ProblemPart> clusters_;
    std::optional<ProblemPart> singles_;
    std::optional<OneStepView> view_;  // of singles_, for sweep_
    std::optional<Sweep> sweep_;
};

}  // namespace saltus::one_step
