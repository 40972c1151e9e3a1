#include "saltus/integrators/lagrangian/impact_map.hpp"

#include <algorithm>

#include "saltus/core/check.hpp"
#include "saltus/core/dense.hpp"

namespace saltus {

namespace {

bool is_newton(const ContactLaw& law) { return law.impact == ContactLaw::Impact::newton; }

// u_N < 0, by more than rounding: of its own terms, and of the velocities which forces make in a step and a contact
// at rest takes away.
bool is_closing(const StepBlock& block, double u, const Eigen::VectorXd& v, double change) {
    if (u >= 0.0) return false;
    const Eigen::MatrixXd& J = block.functions.J();
    double size = 0.0;
    for (Index j = 0; j < J.cols(); ++j)
        size += std::abs(J(0, j)) * (std::abs(v[block.functions.coordinates()[static_cast<std::size_t>(j)]]) + change);
    return u < -1e-9 * size;
}

std::vector<Law> laws_of(const std::vector<StepBlock>& blocks, const IndexList& members) {
    std::vector<Law> laws;
    for (const Index i : members) {
        const std::vector<Law>& own = blocks[static_cast<std::size_t>(i)].laws;
        laws.insert(laws.end(), own.begin(), own.end());
    }
    return laws;
}

// The rows of W, and copies of some: sources[i] is the row of W that row i is. Rows that stand alone have only `value`
// on the diagonal.
Matrix with_copies(const Matrix& W, const IndexList& sources, const IndexList& alone, double value) {
    std::vector<IndexList> copies(static_cast<std::size_t>(W.rows()));
    for (Index i = 0; i < std::ssize(sources); ++i)
        if (!std::binary_search(alone.begin(), alone.end(), i))
            copies[static_cast<std::size_t>(sources[static_cast<std::size_t>(i)])].push_back(i);
    std::vector<Eigen::Triplet<double>> entries;
    const auto add = [&](Index i, Index j, double entry) {
        entries.emplace_back(static_cast<int>(i), static_cast<int>(j), entry);
    };
    const Matrix::Sparse sparse = W.to_sparse();
    for (Index column = 0; column < W.cols(); ++column)
        for (Matrix::Sparse::InnerIterator entry(sparse, column); entry; ++entry)
            for (const Index i : copies[static_cast<std::size_t>(entry.row())])
                for (const Index j : copies[static_cast<std::size_t>(column)]) add(i, j, entry.value());
    for (const Index i : alone) add(i, i, value);
    Matrix::Sparse result(std::ssize(sources), std::ssize(sources));
    result.setFromTriplets(entries.begin(), entries.end());
    if (W.is_sparse()) return result;
    return Matrix::Dense(result);
}

}  // namespace

ImpactMap::ImpactMap(const LagrangianModel& model) : system_starts_(model.starts()), delassus_(system_starts_) {
    for (Index i = 0; i < std::ssize(model.interactions); ++i) {
        blocks_.push_back(make_block(model, system_starts_, i, rows_, 0.0));
        rows_ += blocks_.back().rows();
    }
    // A step of length zero: W = M at the beginning.
    for (const LagrangianSystem& system : model.systems)
        motions_.push_back(make_free_motion(system, model.t0, 0.0, 0.0));
    v_scratch_ = Eigen::VectorXd::Zero(system_starts_.back());
}

bool ImpactMap::is_needed(const LagrangianModel& model) {
    return std::any_of(model.interactions.begin(), model.interactions.end(), [](const LagrangianInteraction& i) {
        const ContactLaw* law = std::get_if<ContactLaw>(&i.law);
        return law && !is_newton(*law);
    });
}

const IndexList& ImpactMap::find_struck(const std::vector<StepBlock>& blocks, const Eigen::VectorXd& y,
                                        const Eigen::VectorXd& u, const Eigen::VectorXd& v, double h, double change) {
    struck_.clear();
    double speed = 0.0;
    const auto is_apart = [](const StepBlock& block) { return !block.contact() || is_newton(*block.contact()); };
    for (const StepBlock& block : blocks)
        if (!is_apart(block) && block.is_active && is_closing(block, u[block.start], v, change))
            speed = std::max(speed, -u[block.start]);
    if (speed == 0.0) return struck_;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Index at = blocks[i].start;
        if (!is_apart(blocks[i]) && (blocks[i].is_active || y[at] + 0.5 * h * u[at] <= 1e-6 * h * speed))
            struck_.push_back(static_cast<Index>(i));
    }
    return struck_;
}

Index ImpactMap::root(Index system) const {
    while (parents_[static_cast<std::size_t>(system)] != system) system = parents_[static_cast<std::size_t>(system)];
    return system;
}

void ImpactMap::join(const LagrangianInteraction& interaction) {
    const Index first = root(interaction.systems.front());
    for (const Index s : interaction.systems) parents_[static_cast<std::size_t>(root(s))] = first;
}

SolveReport ImpactMap::apply(double t, const Eigen::VectorXd& q, const IndexList& closed, Eigen::VectorXd& v,
                             Eigen::VectorXd& P) {
    P.setZero(rows_);
    parents_.resize(motions_.size());
    for (std::size_t s = 0; s < parents_.size(); ++s) parents_[s] = static_cast<Index>(s);
    for (const Index i : closed)
        if (blocks_[static_cast<std::size_t>(i)].contact()) join(blocks_[static_cast<std::size_t>(i)].interaction());
    for (const StepBlock& block : blocks_)
        if (std::holds_alternative<JointLaw>(block.interaction().law)) join(block.interaction());

    SolveReport report{.status = SolveStatus::converged, .residual = 0.0};
    const auto root_of = [this](const StepBlock& block) { return root(block.interaction().systems.front()); };
    for (Index island = 0; island < std::ssize(motions_); ++island) {
        members_.clear();
        for (const Index i : closed) {
            const StepBlock& block = blocks_[static_cast<std::size_t>(i)];
            if (block.contact() && root_of(block) == island) members_.push_back(i);
        }
        contacts_ = members_.size();
        if (contacts_ == 0) continue;
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            if (std::holds_alternative<JointLaw>(blocks_[i].interaction().law) && root_of(blocks_[i]) == island)
                members_.push_back(static_cast<Index>(i));
        if (!evaluate(t, q, v)) continue;
        if (!evaluate_masses(t, q, v)) return {.status = SolveStatus::stalled, .message = "the mass is not finite"};
        for (const Index i : members_)
            find_X(blocks_[static_cast<std::size_t>(i)], system_starts_, solve_with(motions_));
        delassus_.assemble(blocks_, members_);
        find_loads(v);
        const ContactLaw::Impact kind = member(0).contact()->impact;
        SolveReport own = kind == ContactLaw::Impact::newton    ? solve_newton()
                          : kind == ContactLaw::Impact::poisson ? solve_poisson()
                                                                : solve_cascade();
        for (std::size_t k = 0; k < members_.size(); ++k) {
            const StepBlock& block = member(k);
            P.segment(block.start, block.rows()) = P_.segment(delassus_.start(k), block.rows());
            block.add_to(v, system_starts_, P_.data() + delassus_.start(k));
        }
        if (report.converged() && (!own.converged() || own.residual > report.residual)) report = std::move(own);
    }
    return report;
}

// J and offset of the members; false if no contact closes.
bool ImpactMap::evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    bool is_struck = false;
    for (std::size_t k = 0; k < members_.size(); ++k) {
        StepBlock& block = member(k);
        block.functions.evaluate(t, q);
        if (k >= contacts_) {
            fill_joint(block);
            continue;
        }
        Eigen::VectorXd u(block.rows());
        block.functions.velocity(v, u.data());
        is_struck = is_struck || is_closing(block, u[0], v, 0.0);
        fill_contact(block, u.data());
    }
    return is_struck;
}

bool ImpactMap::evaluate_masses(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    for (std::size_t s = 0; s < motions_.size(); ++s) {
        const Index at = system_starts_[s];
        auto* motion = std::get_if<NonlinearFreeMotion>(&motions_[s]);
        if (!motion) continue;
        motion->begin(t, t, q.data() + at, v.data() + at);
        if (!motion->linearise(v.data() + at, v_scratch_.data() + at)) return false;
    }
    return true;
}

void ImpactMap::find_loads(const Eigen::VectorXd& v) {
    load_.resize(delassus_.rows());
    P_ = Eigen::VectorXd::Zero(delassus_.rows());
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const StepBlock& block = member(k);
        load_.segment(delassus_.start(k), block.rows()) = block.offset + block.J * v(block.functions.coordinates());
    }
}

SolveReport ImpactMap::solve_newton() {
    solver_.set(delassus_.to_matrix(), laws_of(blocks_, members_));
    return solver_.solve(load_, P_);
}

SolveReport ImpactMap::solve_poisson() {
    const Matrix W = delassus_.to_matrix();
    solver_.set(W, laws_of(blocks_, members_));
    const SolveReport report = solver_.solve(load_, P_);
    if (!report.converged()) return report;
    const Eigen::VectorXd P_c = P_;
    W.multiply_add(P_c, load_);  // u_c
    return solve_expansion(W, P_c);
}

// P_Ne = a + Q_N with a = e P_Nc. P_Te is bounded by friction (a + Q_N): it is the sum of what Q_N bounds, which with
// Q_N makes a contact, and of what a bounds. The latter is a second contact with the same sliding velocity, and with a
// normal row of its own, w_N = (P_N - a) / rho, 0 <= w_N _|_ P_N >= 0, so that P_N = a.
SolveReport ImpactMap::solve_expansion(const Matrix& W, const Eigen::VectorXd& P_c) {
    const Index n = W.rows();
    Eigen::VectorXd returned = Eigen::VectorXd::Zero(n);
    std::vector<Law> laws = laws_of(blocks_, members_);
    IndexList sources(static_cast<std::size_t>(n));  // the row that a row of the enlarged problem copies
    for (Index i = 0; i < n; ++i) sources[static_cast<std::size_t>(i)] = i;
    IndexList normals;  // rows that stand alone
    for (std::size_t k = 0; k < contacts_; ++k) {
        const StepBlock& block = member(k);
        const Index at = delassus_.start(k);
        returned[at] = block.contact()->restitution * P_c[at];
        if (block.rows() == 1 || returned[at] == 0.0) continue;
        normals.push_back(std::ssize(sources));
        for (Index i = 0; i < block.rows(); ++i) sources.push_back(at + i);
        laws.push_back(block.laws.front());
    }
    W.multiply_add(returned, load_);
    Eigen::VectorXd load = load_(sources), P_e = Eigen::VectorXd::Zero(std::ssize(sources));
    const double mean = W.diagonal().mean();  // 1 / rho
    for (const Index i : normals) load[i] = -mean * returned[sources[static_cast<std::size_t>(i)]];
    solver_.set(normals.empty() ? W : with_copies(W, sources, normals, mean), std::move(laws));
    const SolveReport report = solver_.solve(load, P_e);
    for (const Index i : normals) P_e[i] = 0.0;
    P_ = P_c + returned;
    for (std::size_t i = 0; i < sources.size(); ++i) P_[sources[i]] += P_e[static_cast<Index>(i)];
    return report;
}

// Joints are eliminated: their percussions keep W_JJ P_J + W_JC P_C + load_J = 0. W_JJ may be singular, where they are
// redundant; the rest is in its range.
SolveReport ImpactMap::solve_cascade() {
    const Index contacts = static_cast<Index>(contacts_), joints = delassus_.rows() - contacts;
    CascadeProblem problem{delassus_.to_matrix(), load_.head(contacts), {}};
    for (std::size_t k = 0; k < contacts_; ++k) {
        const ContactLaw& law = *member(k).contact();
        problem.contacts.push_back({law.restitution, law.stiffness, law.exponent});
    }
    Eigen::VectorXd P;
    if (joints == 0) {
        const SolveReport report = ImpactCascade{}.solve(problem, P);
        P_ = P;
        return report;
    }
    const Eigen::MatrixXd W = problem.W.to_dense();
    const LeastSquares W_JJ(W.bottomRightCorner(joints, joints));
    const Eigen::MatrixXd to_joints = W_JJ.solve(W.bottomLeftCorner(joints, contacts));
    const Eigen::VectorXd correction = W_JJ.solve(load_.tail(joints));
    problem.W = Matrix(W.topLeftCorner(contacts, contacts) - W.topRightCorner(contacts, joints) * to_joints);
    problem.u -= W.topRightCorner(contacts, joints) * correction;
    const SolveReport report = ImpactCascade{}.solve(problem, P);
    P_.head(contacts) = P;
    P_.tail(joints) = -correction - to_joints * P;
    return report;
}

}  // namespace saltus
