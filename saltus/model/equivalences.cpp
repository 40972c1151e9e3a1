#include "saltus/model/equivalences.hpp"

#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/complementarity/place.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/dense.hpp"
#include "saltus/core/factorization.hpp"
#include "saltus/core/matrix_facts.hpp"
#include "saltus/model/combination.hpp"
#include "saltus/model/stacked.hpp"

namespace saltus {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

Matrix::Sparse sparse(Index rows, Index cols, const Triplets& entries) {
    Matrix::Sparse result(rows, cols);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
}

bool has_two_bounds(const Interval& law) { return std::isfinite(law.lower) && std::isfinite(law.upper); }

// Other multipliers mu of an interaction, lambda = L mu + l, whose rows are R y + S mu + s.
struct Change {
    Triplets L{}, R{}, S{};
    Eigen::VectorXd l;
    std::vector<double> s{};
    std::vector<Interval> laws{};

    explicit Change(Index rows) : l(Eigen::VectorXd::Zero(rows)) {}

    Index add(Interval law, double constant = 0.0) {
        laws.push_back(law);
        s.push_back(constant);
        return std::ssize(laws) - 1;
    }
    // lambda_i = factor mu + shift, with the row sign(factor) y_i.
    Index replace(Index i, Interval law, double factor, double shift) {
        const Index mu = add(law);
        L.emplace_back(i, mu, factor);
        R.emplace_back(mu, i, factor > 0.0 ? 1.0 : -1.0);
        l[i] = shift;
        return mu;
    }
    void keep(Index i, Interval law) { replace(i, law, 1.0, 0.0); }
};

// Adds B l, the force of the constant part of lambda, to b of the systems of an interaction.
void add_constant_force(const Interaction& interaction, const Eigen::VectorXd& l, Model& model) {
    if (interaction.B.rows() == 0 || l.isZero(0.0)) return;
    const Eigen::VectorXd force = interaction.B * l;
    Index at = 0;
    for (const Index s : interaction.systems) {
        FirstOrderSystem& system = model.systems[static_cast<std::size_t>(s)];
        const Index n = system.x0.size();
        system.b = combination(Matrix::Sparse(n, 1), force.segment(at, n), {{.F = system.b}});
        at += n;
    }
}

// (x, mu, t) -> (x, L mu, t).
Matrix::Sparse arguments_change(const Matrix::Sparse& L, Index n) {
    Triplets entries;
    for (Index i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
    for (Index k = 0; k < L.outerSize(); ++k)
        for (Matrix::Sparse::InnerIterator it(L, k); it; ++it)
            entries.emplace_back(n + it.row(), n + it.col(), it.value());
    entries.emplace_back(n + L.rows(), n + L.cols(), 1.0);
    return sparse(n + L.rows() + 1, n + L.cols() + 1, entries);
}

void apply(const Change& change, Interaction& interaction, Model& model) {
    const Index n = model.states_of(interaction), m = interaction.rows(), count = std::ssize(change.laws);
    const Matrix::Sparse L = sparse(m, count, change.L), R = sparse(count, m, change.R),
                         S = sparse(count, count, change.S);
    Eigen::VectorXd constant = Eigen::Map<const Eigen::VectorXd>(change.s.data(), count);
    add_constant_force(interaction, change.l, model);
    if (interaction.D.rows() > 0) constant += R * (interaction.D * change.l);
    interaction.D = interaction.D.rows() == 0 ? S : Matrix::Sparse(R * interaction.D.to_sparse() * L + S);
    if (interaction.C.rows() > 0) interaction.C = Matrix::Sparse(R * interaction.C.to_sparse());
    if (interaction.B.rows() > 0) interaction.B = Matrix::Sparse(interaction.B.to_sparse() * L);
    interaction.e = combination(Matrix::Sparse(count, 1), constant, {{.F = interaction.e, .L = R}});
    Eigen::VectorXd shift = Eigen::VectorXd::Zero(n + m + 1);
    shift.segment(n, m) = change.l;
    const Matrix::Sparse J = arguments_change(L, n), none(count, n + count + 1);
    interaction.h = combination(none, Eigen::VectorXd::Zero(count), {{.F = interaction.h, .L = R, .J = J, .j = shift}});
    interaction.g = combination(Matrix::Sparse(n, n + count + 1), Eigen::VectorXd::Zero(n),
                                {{.F = interaction.g, .J = J, .j = shift}});
    interaction.law = change.laws;
}

// Every row of every interaction changed by change_row(row, law, change).
template <class ChangeRow>
Model with_changed_rows(const Model& model, ChangeRow change_row) {
    model.check();
    Model result = model;
    for (Interaction& interaction : result.interactions) {
        Change change(interaction.rows());
        for (Index i = 0; i < interaction.rows(); ++i) change_row(i, interaction.law_of(i), change);
        apply(change, interaction, result);
    }
    return result;
}

constexpr Interval half_line{}, line{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

}  // namespace

Model to_complementarity(const Model& model) {
    return with_changed_rows(model, [](Index i, Interval law, Change& change) {
        if (law.is_free()) return change.keep(i, law);
        if (!std::isfinite(law.lower)) return (void)change.replace(i, half_line, -1.0, law.upper);
        const Index a = change.replace(i, half_line, 1.0, law.lower);
        if (!std::isfinite(law.upper)) return;
        const Index s = change.add(half_line, law.upper - law.lower);
        change.S.emplace_back(a, s, 1.0);
        change.S.emplace_back(s, a, -1.0);
    });
}

Model to_mixed_complementarity(const Model& model) {
    return with_changed_rows(model, [](Index i, Interval law, Change& change) {
        if (!has_two_bounds(law)) return change.keep(i, law);
        const Index a = change.add(half_line), c = change.add(half_line), p = change.add(line, law.upper - law.lower);
        change.L.emplace_back(i, a, 1.0);
        change.l[i] = law.lower;
        change.S.emplace_back(a, p, 1.0);
        change.S.emplace_back(c, p, 1.0);
        change.R.emplace_back(c, i, -1.0);
        change.S.emplace_back(p, a, -1.0);
        change.S.emplace_back(p, c, -1.0);
    });
}

Model with_bounds(const Model& model, Interval bounds) {
    require(has_two_bounds(bounds) && bounds.lower < bounds.upper,
            "with_bounds: the bounds are [{}, {}]; give two numbers, the smaller first", bounds.lower, bounds.upper);
    return with_changed_rows(model, [bounds](Index i, Interval law, Change& change) {
        if (!has_two_bounds(law)) return change.keep(i, law);
        require(law.lower < law.upper, "with_bounds: the law of row {} is [{}, {}]; a constant has no other bounds", i,
                law.lower, law.upper);
        const double factor = (law.upper - law.lower) / (bounds.upper - bounds.lower);
        change.replace(i, bounds, factor, law.lower - factor * bounds.lower);
    });
}

namespace {

// A linear model as one system and one interaction, dense.
struct Whole {
    std::string system_name{}, interaction_name{};
    Eigen::VectorXd x0;
    Eigen::MatrixXd M, A, B, C, D;
    Eigen::VectorXd lower, upper;
    Function b, e;

    Whole(const Model& model, std::string_view who) {
        model.check();
        require(model.is_linear(), "{}: model '{}' has functions of x or lambda; it must be linear", who, model.name);
        const Stacked parts(model);
        x0 = model.initial_state();
        M = parts.M.to_dense();
        A = parts.A.to_dense();
        B = parts.B.to_dense();
        C = parts.C.to_dense();
        D = parts.D.to_dense();
        lower = parts.lower;
        upper = parts.upper;
        std::vector<FunctionTerm> b_terms, e_terms;
        Index state = 0, row = 0;
        for (const FirstOrderSystem& system : model.systems) {
            b_terms.push_back({.F = system.b, .L = placing(x0.size(), range(state, system.x0.size()))});
            state += system.x0.size();
            system_name += (system_name.empty() ? "" : "+") + system.name;
        }
        for (const Interaction& interaction : model.interactions) {
            e_terms.push_back({.F = interaction.e, .L = placing(lower.size(), range(row, interaction.rows()))});
            row += interaction.rows();
            interaction_name += (interaction_name.empty() ? "" : "+") + interaction.name;
        }
        b = combination(Matrix::Sparse(x0.size(), 1), Eigen::VectorXd::Zero(x0.size()), std::move(b_terms));
        e = combination(Matrix::Sparse(lower.size(), 1), Eigen::VectorXd::Zero(lower.size()), std::move(e_terms));
    }

    Interval law(Index row) const { return {lower[row], upper[row]}; }

    // The rows whose law satisfies the condition.
    template <class Condition>
    IndexList rows_where(Condition condition) const {
        IndexList rows;
        for (Index i = 0; i < lower.size(); ++i)
            if (condition(law(i))) rows.push_back(i);
        return rows;
    }

private:
    static IndexList range(Index start, Index size) {
        IndexList result;
        for (Index i = 0; i < size; ++i) result.push_back(start + i);
        return result;
    }
};

// factor F(t) + rest, where F may be absent.
Function transformed(const Eigen::MatrixXd& factor, const Function& F, const Function& rest = {}) {
    const Index outputs = factor.rows();
    return combination(Matrix::Sparse(outputs, 1), Eigen::VectorXd::Zero(outputs),
                       {{.F = F, .L = factor.sparseView()}, {.F = rest}});
}

}  // namespace

Model without_equations(const Model& model) {
    const Whole whole(model, "without_equations");
    const IndexList F = whole.rows_where([](const Interval& law) { return law.is_free(); });
    const IndexList C = whole.rows_where([](const Interval& law) { return !law.is_free(); });
    const Eigen::MatrixXd D_FF = whole.D(F, F);
    require(Factorization{}.compute(D_FF),
            "without_equations: D of the {} equations of model '{}' is singular; they are not of index 1", F.size(),
            model.name);
    // lambda_F = -K (C_F x + D_FC lambda_C + e_F)
    const Eigen::MatrixXd K = inverse(D_FF), B_F = whole.B(Eigen::all, F), D_CF = whole.D(C, F);
    const Eigen::MatrixXd C_F = whole.C(F, Eigen::all), D_FC = whole.D(F, C);
    Eigen::MatrixXd rows_of_C = Eigen::MatrixXd::Zero(std::ssize(C), whole.lower.size()),
                    input = Eigen::MatrixXd::Zero(whole.x0.size(), whole.lower.size());
    for (Index i = 0; i < std::ssize(C); ++i) rows_of_C(i, C[static_cast<std::size_t>(i)]) = 1.0;
    rows_of_C(Eigen::all, F) = -D_CF * K;
    input(Eigen::all, F) = -B_F * K;

    Model result{.name = model.name, .t0 = model.t0};
    result.systems.push_back({.name = whole.system_name,
                              .x0 = whole.x0,
                              .A = whole.A - B_F * K * C_F,
                              .b = transformed(input, whole.e, whole.b),
                              .M = whole.M});
    if (C.empty()) return result;
    Interaction rest{.name = whole.interaction_name,
                     .C = whole.C(C, Eigen::all) - D_CF * K * C_F,
                     .D = whole.D(C, C) - D_CF * K * D_FC,
                     .B = whole.B(Eigen::all, C) - B_F * K * D_FC,
                     .e = transformed(rows_of_C, whole.e)};
    rest.law.clear();
    for (const Index i : C) rest.law.push_back(whole.law(i));
    result.interactions.push_back(std::move(rest));
    return result;
}

SweepingForm to_sweeping_process(const Model& model) {
    const Whole whole(model, "to_sweeping_process");
    require(whole.D.isZero(0.0),
            "to_sweeping_process: D of model '{}' is not zero; take to_differential_equation() where D is "
            "regular",
            model.name);
    const auto is_complementarity = [](const Interval& law) { return law.lower == 0.0 && !std::isfinite(law.upper); };
    require(std::ssize(whole.rows_where(is_complementarity)) == whole.lower.size(),
            "to_sweeping_process: model '{}' has laws other than [0, inf), which are not normal cones of a set of x",
            model.name);
    const DenseLu mass(whole.M);
    const Index n = whole.x0.size();
    const Eigen::MatrixXd B = mass.solve(whole.B), CB = clean_product(whole.C, B);
    require(CB.rows() > 0 && is_symmetric(CB, 1e-12) && is_positive_definite(CB),
            "to_sweeping_process: C M^-1 B of model '{}' is not symmetric positive definite", model.name);
    // P = C' (C B)^-1 C + Q'Q, Q = I - B (C B)^-1 C, is positive definite and has P B = C', as Q B = 0.
    const Eigen::MatrixXd along = solve_positive_definite(CB, whole.C), Q = Eigen::MatrixXd::Identity(n, n) - B * along;
    const Eigen::MatrixXd P = whole.C.transpose() * along + Q.transpose() * Q;
    const auto [R, R_inverse] = square_roots(P);
    const Eigen::MatrixXd RM_inverse = R * mass.inverse();
    return {.system = {.name = whole.system_name,
                       .x0 = R * whole.x0,
                       .A = RM_inverse * whole.A * R_inverse,
                       .b = transformed(RM_inverse, whole.b)},
            .set = {whole.C * R_inverse, whole.e},
            .R = R};
}

namespace {

// lambda(x, t) of (142), and the derivative of the piece where x is.
class LawSolution {
public:
    explicit LawSolution(Whole whole) : whole_(std::move(whole)) {}

    // NaN where the solver does not converge: a Function has no other way to say so.
    Eigen::VectorXd at(const Function::In& in) const {
        const Index n = whole_.x0.size(), m = whole_.lower.size();
        Eigen::VectorXd e = Eigen::VectorXd::Zero(m), lambda(m);
        whole_.e.value(in.data() + n, e.data());
        for (Index i = 0; i < m; ++i) lambda[i] = whole_.law(i).project(0.0);
        const BoxVi law{whole_.D, whole_.C * in.head(n) + e, whole_.lower, whole_.upper};
        if (!Auto{}.solve(law, lambda).converged()) lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
        return lambda;
    }
    // d lambda_A = -D_AA^-1 (C_A dx + e_A' dt), A the rows between their bounds.
    Eigen::MatrixXd derivative(const Function::In& in) const {
        const Index n = whole_.x0.size(), m = whole_.lower.size();
        const Eigen::VectorXd lambda = at(in);
        IndexList A;
        for (Index i = 0; i < m; ++i)
            if (place_of(whole_.law(i), lambda[i]) == Place::basic) A.push_back(i);
        Eigen::VectorXd e_t = Eigen::VectorXd::Zero(m);
        whole_.e.jacobian(in.data() + n, e_t.data());
        Eigen::MatrixXd result = Eigen::MatrixXd::Zero(m, n + 1), right(std::ssize(A), n + 1);
        right << whole_.C(A, Eigen::all), e_t(A);
        result(A, Eigen::all) = -DenseLu(whole_.D(A, A)).solve(right);
        return result;
    }

private:
    Whole whole_;
};

}  // namespace

Model to_differential_equation(const Model& model) {
    const Whole whole(model, "to_differential_equation");
    const PMatrixFact fact = p_matrix(whole.D);
    require(fact.answer == Answer::yes, "to_differential_equation: D of model '{}' is not known to be a P-matrix{}",
            model.name, fact.answer == Answer::no ? fmt::format("; a principal minor is {}", fact.value) : "");
    const LawSolution lambda(whole);
    const Index n = whole.x0.size();
    Model result{.name = model.name, .t0 = model.t0};
    result.systems.push_back({.name = whole.system_name, .x0 = whole.x0, .A = whole.A, .b = whole.b, .M = whole.M});
    result.systems[0].f = Function::with_jacobian(
        n + 1, n, [lambda, B = whole.B](const Function::In& in, Function::Out& out) { out = B * lambda.at(in); },
        [lambda, B = whole.B](const Function::In& in, Function::OutMatrix& jacobian) {
            jacobian = B * lambda.derivative(in);
        });
    return result;
}

}  // namespace saltus
