#include "saltus/model/moving_set.hpp"

#include "saltus/complementarity/affine/dual_active_set.hpp"
#include "saltus/core/check.hpp"
#include "saltus/model/combination.hpp"

namespace saltus {

namespace {

void check_of_time(std::string_view set, std::string_view what, const Function& function, Index outputs) {
    require(function.inputs() == 1 && function.outputs() == outputs,
            "{}: {} takes {} numbers and returns {}; it must take 1 (t) and return {}", set, what, function.inputs(),
            function.outputs(), outputs);
}

void check(const HalfSpace& set) {
    require(set.normal.allFinite() && set.normal.norm() > 0.0, "half-space: the normal is {}; give a direction",
            set.normal.size() == 0 ? "empty" : "zero or not finite");
    if (!set.offset.is_empty()) check_of_time("half-space", "the offset", set.offset, 1);
}

void check(const Polyhedron& set) {
    require(set.normals.rows() > 0 && set.normals.cols() > 0, "polyhedron: normals is {} x {}; give one row per face",
            set.normals.rows(), set.normals.cols());
    require(!set.normals.find_non_finite(), "polyhedron: an entry of normals is not finite; give numbers");
    if (!set.offsets.is_empty()) check_of_time("polyhedron", "offsets", set.offsets, set.normals.rows());
}

void check(const Box& set) {
    const Index n = std::max(set.lower.outputs(), set.upper.outputs());
    require(n > 0, "box: it has neither lower nor upper bounds; give at least one of them");
    if (!set.lower.is_empty()) check_of_time("box", "lower", set.lower, n);
    if (!set.upper.is_empty()) check_of_time("box", "upper", set.upper, n);
}

void check(const Ball& set) {
    require(set.centre.outputs() > 0, "ball: it has no centre; give a function of t");
    check_of_time("ball", "the centre", set.centre, set.centre.outputs());
    check_of_time("ball", "the radius", set.radius, 1);
}

Eigen::VectorXd at(const Function& function, double t, Index size) {
    Eigen::VectorXd value = Eigen::VectorXd::Zero(size);
    function.value(&t, value.data());
    return value;
}

Index entries(const HalfSpace& set) { return set.normal.size(); }
Index entries(const Polyhedron& set) { return set.normals.cols(); }
Index entries(const Box& set) { return std::max(set.lower.outputs(), set.upper.outputs()); }
Index entries(const Ball& set) { return set.centre.outputs(); }

Eigen::VectorXd nearest(const HalfSpace& set, double t, const Eigen::VectorXd& z) {
    const double gap = set.normal.dot(z) + at(set.offset, t, 1)[0];
    if (gap >= 0.0) return z;
    return z - gap / set.normal.squaredNorm() * set.normal;
}

// min 1/2 |x - z|^2 subject to normals x >= -offsets(t).
Eigen::VectorXd nearest(const Polyhedron& set, double t, const Eigen::VectorXd& z) {
    const Index n = z.size(), m = set.normals.rows();
    const Qp program{.H = Eigen::MatrixXd::Identity(n, n), .c = -z, .G = set.normals, .h = -at(set.offsets, t, m)};
    Eigen::VectorXd solution = Eigen::VectorXd::Zero(program.unknowns());
    solution.head(n) = z;
    const SolveReport report = DualActiveSet{}.solve(program, solution);
    require(report.converged(), "polyhedron: at t = {} there is no nearest point ({}: {}); is the set empty?", t,
            to_string(report.status), report.message);
    return solution.head(n);
}

Eigen::VectorXd nearest(const Box& set, double t, const Eigen::VectorXd& z) {
    Eigen::VectorXd x = z;
    if (!set.lower.is_empty()) x = x.cwiseMax(at(set.lower, t, z.size()));
    if (!set.upper.is_empty()) {
        const Eigen::VectorXd upper = at(set.upper, t, z.size());
        x = x.cwiseMin(upper);
        if (!set.lower.is_empty())
            require((at(set.lower, t, z.size()).array() <= upper.array()).all(),
                    "box: at t = {} a lower bound exceeds its upper bound: the set is empty", t);
    }
    return x;
}

Eigen::VectorXd nearest(const Ball& set, double t, const Eigen::VectorXd& z) {
    const Eigen::VectorXd centre = at(set.centre, t, z.size()), from_centre = z - centre;
    const double radius = at(set.radius, t, 1)[0], distance = from_centre.norm();
    require(radius >= 0.0, "ball: at t = {} the radius is {}: the set is empty", t, radius);
    if (distance <= radius) return z;
    return centre + radius / distance * from_centre;
}

Polyhedron as_polyhedron(const HalfSpace& set) { return {Eigen::MatrixXd(set.normal.transpose()), set.offset}; }

Polyhedron as_polyhedron(const Polyhedron& set) { return set; }

// x - lower >= 0, then upper - x >= 0.
Polyhedron as_polyhedron(const Box& set) {
    const Index n = entries(set), lower_rows = set.lower.outputs(), m = lower_rows + set.upper.outputs();
    Matrix::Sparse normals(m, n);
    IndexList below, above;
    for (Index i = 0; i < lower_rows; ++i) below.push_back(i);
    for (Index i = lower_rows; i < m; ++i) above.push_back(i);
    for (Index i = 0; i < m; ++i) normals.insert(i, i % n) = i < lower_rows ? 1.0 : -1.0;
    return {normals,
            combination(Matrix::Sparse(m, 1), Eigen::VectorXd::Zero(m),
                        {{.F = set.lower, .L = -placing(m, below)}, {.F = set.upper, .L = placing(m, above)}})};
}

template <class Polyhedral>
Interaction cone_of(const Polyhedral& set) {
    const Polyhedron faces = as_polyhedron(set);
    return {.C = faces.normals, .B = faces.normals.transpose(), .e = faces.offsets};
}

// The terms of the relation of a ball and its derivatives, at (x, lambda, t).
struct BallAt {
    Eigen::VectorXd d, c_t;  // x - c, c'
    double lambda, R, R_t;

    BallAt(const Ball& ball, const Function::In& in) : c_t(ball.centre.outputs()), lambda(in[in.size() - 2]) {
        const double t = in[in.size() - 1];
        d = in.head(c_t.size()) - at(ball.centre, t, c_t.size());
        R = at(ball.radius, t, 1)[0];
        if (!(R > 0.0)) R = std::numeric_limits<double>::quiet_NaN();  // no set, and no step
        ball.centre.jacobian(&t, c_t.data());
        ball.radius.jacobian(&t, &R_t);
    }
};

Interaction cone_of(const Ball& ball) {
    const Index n = entries(ball);
    Interaction cone;
    cone.h = Function::with_jacobian(
        n + 2, 1,
        [ball](const Function::In& in, Function::Out& y) {
            const BallAt b(ball, in);
            y[0] = (b.R * b.R - b.d.squaredNorm()) / (2.0 * b.R);
        },
        [ball, n](const Function::In& in, Function::OutMatrix& jacobian) {
            const BallAt b(ball, in);
            jacobian.row(0).head(n) = -b.d / b.R;
            jacobian(0, n + 1) = b.d.dot(b.c_t) / b.R + 0.5 * b.R_t * (1.0 + b.d.squaredNorm() / (b.R * b.R));
        });
    cone.g = Function::with_jacobian(
        n + 2, n,
        [ball](const Function::In& in, Function::Out& r) {
            const BallAt b(ball, in);
            r = -b.lambda / b.R * b.d;
        },
        [ball, n](const Function::In& in, Function::OutMatrix& jacobian) {
            const BallAt b(ball, in);
            jacobian.leftCols(n).diagonal().setConstant(-b.lambda / b.R);
            jacobian.col(n) = -b.d / b.R;
            jacobian.col(n + 1) = b.lambda / b.R * (b.c_t + b.R_t / b.R * b.d);
        });
    return cone;
}

}  // namespace

Index dimension(const MovingSet& set) {
    return std::visit(
        [](const auto& s) {
            check(s);
            return entries(s);
        },
        set);
}

Eigen::VectorXd project(const MovingSet& set, double t, const Eigen::VectorXd& z) {
    require(dimension(set) == z.size(), "project: the set has {} dimensions, the point {}", dimension(set), z.size());
    return std::visit([&](const auto& s) { return nearest(s, t, z); }, set);
}

Interaction normal_cone(const MovingSet& set, std::string name) {
    Interaction cone = std::visit(
        [](const auto& s) {
            check(s);
            return cone_of(s);
        },
        set);
    cone.name = std::move(name);
    return cone;
}

}  // namespace saltus
