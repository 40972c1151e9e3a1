#pragma once

#include "saltus/complementarity/affine/affine_box.hpp"
#include "saltus/complementarity/place.hpp"
#include "saltus/core/updatable_inverse.hpp"

namespace saltus {

// The path of Lemke's method, one pivot at a time: the state behind `Lemke`.
//
// Each index i is in one of three places: z_i at its lower bound (w_i >= 0), at its upper bound (w_i <= 0), or basic
// (l_i <= z_i <= u_i, w_i = 0). On the path one index e is nowhere: z_e is at a bound and w_e = 0. The basic unknowns
// are z_A and t; the equations that determine them are the rows R = A + {e} of w = M z + q + t d = 0:
//     K (z_A, t) = -(q_R + M_RN z_N),   K = [M_RA  d_R].                               docs/theory.md (6)
class LemkePath {
public:
    // `M` is the dense matrix of `problem`; both must outlive the path.
    LemkePath(const AffineBox& problem, const Eigen::MatrixXd& M);

    // The first complementary basis, from the active set of a guess. False if its block of M is singular.
    bool start(const Eigen::VectorXd& guess);
    // The same from a vertex of the box and the free variables, as the theory of the method assumes. False if no
    // regular basis contains every free variable.
    bool start_at_vertex();

    enum class Step { pivoted, solved, ray };
    // The next pivot. After `ray`, ray() is its direction.
    Step advance();

    // Recomputes every value from the inverse, and the inverse too if it has drifted. False if the basis is singular.
    bool refresh();

    const Eigen::VectorXd& z() const { return z_; }
    Eigen::VectorXd ray() const;  // dz along the last direction
    IndexList basic_variables() const;

private:
    struct Entering {
        Index index;       // of z or w; n for t
        bool is_slack;     // w_index enters, else z_index
        double direction;  // +1 increases, -1 decreases
    };
    struct Leaving {
        enum class Kind { none, t, flip, z, w } kind = Kind::none;
        Index index = -1;
        double step = 0.0;
        Place bound = Place::at_lower;  // where z_index goes, for z and flip
    };

    // Basic unknowns are named by one index: j < n for z_j, n for t, n + 1 + i for w_i. Then comes the entering
    // variable, which may reach its other bound.
    Index flip_id() const { return 2 * n_ + 1; }
    struct Candidate {
        Index id;
        double ratio, uncertainty;
    };

    bool is_basic(Index variable) const { return column_of_[variable] >= 0; }
    double sign(Index i) const { return slack_sign(problem_.interval(i), place_[i]); }

    bool factor_basis();
    bool begin();
    bool extend_singular_free_block();
    bool place_violators_at_bounds();
    void set_basis(const IndexList& basic);
    void compute_values();
    void choose_covering_vector();
    void enter_covering_variable();

    void compute_direction();
    bool is_rounding(Index id, double speed) const;
    Leaving ratio_test();
    Leaving leaving_for(Index id, double step) const;  // the basic unknown `id` reaches the end of its interval
    void break_ties(IndexList& tied) const;
    void pivot(const Leaving& leaving);
    Eigen::VectorXd column(Index variable) const;  // K's column of z_variable or of t, on the rows R
    Eigen::VectorXd row(Index equation) const;     // K's row of that equation, on the basic variables
    double rate_of(Index id) const;
    Eigen::VectorXd perturbation_of(Index id) const;
    Eigen::MatrixXd basis_matrix() const;

    static constexpr double tie_tolerance = 2e-12;  // relative: ratios this close to the least one are equal

    const AffineBox& problem_;
    const Eigen::MatrixXd& M_;
    const Index n_;
    Eigen::VectorXd lower_, upper_, row_scale_, z_, w_, covering_, perturbation_sign_;
    double t_ = 0.0, t_start_ = 0.0;
    std::vector<Place> place_;
    IndexList rows_, columns_;      // of K: equations, and variables (n_ stands for t)
    IndexList row_of_, column_of_;  // their positions in K, or -1
    UpdatableInverse inverse_;
    Entering entering_{};
    Eigen::VectorXd basic_rate_, slack_rate_;
    std::vector<Candidate> candidates_;  // of the last ratio test
};

}  // namespace saltus
