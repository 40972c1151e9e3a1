#include "saltus/model/formulations.hpp"

#include <optional>

#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"
#include "saltus/model/combination.hpp"

namespace saltus {

namespace {

// The model of one system, checked.
Model model_of(FirstOrderSystem system, std::vector<Interaction> interactions) {
    Model model{.name = system.name, .systems = {std::move(system)}, .interactions = std::move(interactions)};
    model.check();
    return model;
}

// `who` names the owner: "filippov: field 2".
void check_function(const std::string& who, const Function& function, Index inputs, Index outputs) {
    require(function.inputs() == inputs && function.outputs() == outputs,
            "{} takes {} numbers and returns {}; it must take {} (x, t) and return {}", who, function.inputs(),
            function.outputs(), inputs, outputs);
}

// (x, lambda, t) -> (x, t), n states and m rows.
Matrix::Sparse without_multipliers(Index n, Index m) {
    IndexList kept;
    for (Index i = 0; i < n; ++i) kept.push_back(i);
    kept.push_back(n + m);
    return placing(n + m + 1, kept).transpose();
}

// The same, of a point.
Eigen::VectorXd state_and_time(const Function::In& in, Index n) {
    Eigen::VectorXd result(n + 1);
    result << in.head(n), in[in.size() - 1];
    return result;
}

bool is_set(std::size_t k, Index bit) { return (k >> bit & 1u) != 0; }

// prod_i (lambda_i if bit i of k is set, else 1 - lambda_i), without the factor number `left_out`: (135).
double product_weight(std::size_t k, const Eigen::VectorXd& lambda, Index left_out = -1) {
    double product = 1.0;
    for (Index i = 0; i < lambda.size(); ++i)
        if (i != left_out) product *= is_set(k, i) ? lambda[i] : 1.0 - lambda[i];
    return product;
}

// sum_k weight(k, lambda) fields_k(x, t), a function of (x, lambda, t); slope(k, lambda, i) is d weight_k / d lambda_i.
template <class Weight, class Slope>
Function blend(const std::vector<Function>& fields, Index n, Index m, Weight weight, Slope slope) {
    return Function::with_jacobian(
        n + m + 1, n,
        [=](const Function::In& in, Function::Out& r) {
            const Eigen::VectorXd arguments = state_and_time(in, n), lambda = in.segment(n, m);
            Eigen::VectorXd field(n);
            r.setZero();
            for (std::size_t k = 0; k < fields.size(); ++k) {
                fields[k].value(arguments.data(), field.data());
                r += weight(k, lambda) * field;
            }
        },
        [=](const Function::In& in, Function::OutMatrix& jacobian) {
            const Eigen::VectorXd arguments = state_and_time(in, n), lambda = in.segment(n, m);
            Eigen::VectorXd field(n);
            Eigen::MatrixXd inner(n, n + 1);
            for (std::size_t k = 0; k < fields.size(); ++k) {
                fields[k].value(arguments.data(), field.data());
                fields[k].jacobian(arguments.data(), inner.data());
                jacobian.leftCols(n) += weight(k, lambda) * inner.leftCols(n);
                jacobian.col(n + m) += weight(k, lambda) * inner.col(n);
                for (Index i = 0; i < m; ++i) jacobian.col(n + i) += slope(k, lambda, i) * field;
            }
        });
}

}  // namespace

Model sweeping_process(FirstOrderSystem system, const MovingSet& set) {
    require(dimension(set) == system.x0.size(), "system '{}': the set has {} dimensions, x0 has {} entries",
            system.name, dimension(set), system.x0.size());
    return model_of(std::move(system), {normal_cone(set)});
}

Model filippov(FirstOrderSystem system, const Function& switching, std::vector<Function> fields) {
    const Index n = system.x0.size(), m = switching.outputs();
    check_function("filippov: the switching function", switching, n + 1, m);
    require(0 < m && m < 16, "filippov: {} switching functions; give from 1 to 15", m);
    require(fields.size() == std::size_t(1) << m,
            "filippov: {} switching functions make {} pieces; {} fields are given", m, 1 << m, fields.size());
    for (std::size_t k = 0; k < fields.size(); ++k)
        check_function(fmt::format("filippov: field {}", k), fields[k], n + 1, n);
    Matrix::Sparse minus(m, m);
    minus.setIdentity();
    minus *= -1.0;
    Interaction step{.name = "switch", .law = {{0.0, 1.0}}};
    step.h = combination(Matrix::Sparse(m, n + m + 1), Eigen::VectorXd::Zero(m),
                         {{.F = switching, .L = minus, .J = without_multipliers(n, m)}});
    step.g = blend(
        fields, n, m, [](std::size_t k, const Eigen::VectorXd& lambda) { return product_weight(k, lambda); },
        [](std::size_t k, const Eigen::VectorXd& lambda, Index i) {
            return (is_set(k, i) ? 1.0 : -1.0) * product_weight(k, lambda, i);
        });
    return model_of(std::move(system), {std::move(step)});
}

namespace {

// (g(x, t) - mu, sum theta - 1).
Function region_rows(const Function& indicators, Index n) {
    const Index k = indicators.outputs();
    return Function::with_jacobian(
        n + k + 2, k + 1,
        [=](const Function::In& in, Function::Out& y) {
            const Eigen::VectorXd arguments = state_and_time(in, n);
            indicators.value(arguments.data(), y.data());
            y.head(k).array() -= in[n + k];
            y[k] = in.segment(n, k).sum() - 1.0;
        },
        [=](const Function::In& in, Function::OutMatrix& jacobian) {
            const Eigen::VectorXd arguments = state_and_time(in, n);
            Eigen::MatrixXd inner(k, n + 1);
            indicators.jacobian(arguments.data(), inner.data());
            jacobian.topLeftCorner(k, n) = inner.leftCols(n);
            jacobian.col(n + k + 1).head(k) = inner.col(n);
            jacobian.col(n + k).head(k).setConstant(-1.0);
            jacobian.row(k).segment(n, k).setOnes();
        },
        indicators.variation());
}

}  // namespace

Model stewart(FirstOrderSystem system, const Function& indicators, std::vector<Function> fields) {
    const Index n = system.x0.size(), k = indicators.outputs();
    check_function("stewart: the indicators", indicators, n + 1, k);
    require(k > 1 && std::ssize(fields) == k, "stewart: {} indicators need as many fields, two or more; {} are given",
            k, fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i)
        check_function(fmt::format("stewart: field {}", i), fields[i], n + 1, n);
    Interaction regions{.name = "regions", .law = {}};
    regions.h = region_rows(indicators, n);
    regions.g = blend(
        fields, n, k + 1, [](std::size_t i, const Eigen::VectorXd& lambda) { return lambda[static_cast<Index>(i)]; },
        [](std::size_t i, const Eigen::VectorXd&, Index j) { return static_cast<Index>(i) == j ? 1.0 : 0.0; });
    regions.law.assign(static_cast<std::size_t>(k), Interval{});
    regions.law.push_back({-infinity, infinity});
    return model_of(std::move(system), {std::move(regions)});
}

namespace {

constexpr double rounding = 1e-12;  // relative: equal up to the rounding of the data

// (A, a): the field of the argument (x, 1).
Eigen::MatrixXd joined(const AffineField& field) {
    Eigen::MatrixXd result(field.A.rows(), field.A.cols() + 1);
    result << field.A, field.a;
    return result;
}

// The jumps of the fields across the hyperplanes, where they are independent of each other.
std::optional<std::vector<Eigen::MatrixXd>> jumps_of(const std::vector<Eigen::MatrixXd>& fields, Index hyperplanes) {
    std::vector<Eigen::MatrixXd> jumps;
    for (Index i = 0; i < hyperplanes; ++i) jumps.push_back(fields[std::size_t(1) << i] - fields[0]);
    for (std::size_t k = 0; k < fields.size(); ++k) {
        Eigen::MatrixXd rest = fields[k] - fields[0];
        for (Index i = 0; i < hyperplanes; ++i)
            if (is_set(k, i)) rest -= jumps[static_cast<std::size_t>(i)];
        if (rest.norm() > rounding * (fields[k].norm() + fields[0].norm())) return std::nullopt;
    }
    return jumps;
}

// The interaction (136), one row per hyperplane, each continuous or constant; empty if one is neither.
std::optional<Interaction> linear_pieces(const Eigen::MatrixXd& surfaces, const std::vector<Eigen::MatrixXd>& jumps) {
    const Index m = surfaces.rows(), n = surfaces.cols() - 1;
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(m, m), B(n, m);
    std::vector<Interval> laws(static_cast<std::size_t>(m));
    for (Index i = 0; i < m; ++i) {
        const Eigen::MatrixXd& jump = jumps[static_cast<std::size_t>(i)];
        const Eigen::RowVectorXd surface = surfaces.row(i);
        const Eigen::VectorXd p = jump * surface.transpose() / surface.squaredNorm();
        if ((jump - p * surface).norm() <= rounding * jump.norm()) {
            D(i, i) = 1.0;
            B.col(i) = p;
        } else if (jump.leftCols(n).norm() <= rounding * jump.norm()) {
            laws[static_cast<std::size_t>(i)] = {0.0, 1.0};
            B.col(i) = jump.col(n);
        } else {
            return std::nullopt;
        }
    }
    Interaction pieces{.name = "switch", .C = -surfaces.leftCols(n), .D = D, .B = B, .law = std::move(laws)};
    pieces.e = combination(Matrix::Sparse(m, 1), -surfaces.col(n), {});
    return pieces;
}

// The field (A, a) as a function of (x, t).
Function affine_function(const Eigen::MatrixXd& field) {
    Eigen::MatrixXd linear = field;
    linear.rightCols(1).setZero();
    return Function::with_jacobian(
        field.cols(), field.rows(),
        [=](const Function::In& in, Function::Out& out) { out = linear * in + field.rightCols(1); },
        [=](const Function::In&, Function::OutMatrix& jacobian) { jacobian = linear; });
}

void add_field(const Eigen::MatrixXd& field, FirstOrderSystem& system) {
    const Index n = field.rows();
    if (system.A.rows() == 0) system.A = Eigen::MatrixXd::Zero(n, n);
    system.A = Eigen::MatrixXd(system.A.to_dense() + field.leftCols(n));
    system.b = combination(Matrix::Sparse(n, 1), field.col(n), {{.F = system.b}});
}

}  // namespace

Model piecewise_affine(FirstOrderSystem system, const Eigen::MatrixXd& normals, const Eigen::VectorXd& offsets,
                       const std::vector<AffineField>& fields) {
    const Index n = system.x0.size(), m = normals.rows();
    require(
        0 < m && m < 16 && normals.cols() == n && offsets.size() == m,
        "piecewise affine: normals is {} x {}, {} offsets, {} states; give 1 to 15 rows with one entry per state, and "
        "one offset per row",
        m, normals.cols(), offsets.size(), n);
    for (Index i = 0; i < m; ++i)
        require(normals.row(i).norm() > 0.0, "piecewise affine: row {} of normals is zero; give a direction", i);
    require(fields.size() == std::size_t(1) << m, "piecewise affine: {} hyperplanes make {} cells; {} fields are given",
            m, 1 << m, fields.size());
    std::vector<Eigen::MatrixXd> joined_fields;
    for (std::size_t k = 0; k < fields.size(); ++k) {
        require(fields[k].A.rows() == n && fields[k].A.cols() == n && fields[k].a.size() == n,
                "piecewise affine: in field {} A is {} x {} and a has {} entries; there are {} states", k,
                fields[k].A.rows(), fields[k].A.cols(), fields[k].a.size(), n);
        joined_fields.push_back(joined(fields[k]));
    }
    Eigen::MatrixXd surfaces(m, n + 1);
    surfaces << normals, offsets;
    if (const auto jumps = jumps_of(joined_fields, m))
        if (auto pieces = linear_pieces(surfaces, *jumps)) {
            add_field(joined_fields[0], system);
            return model_of(std::move(system), {std::move(*pieces)});
        }
    std::vector<Function> functions;
    for (const Eigen::MatrixXd& field : joined_fields) functions.push_back(affine_function(field));
    return filippov(std::move(system), affine_function(surfaces), std::move(functions));
}

namespace {

// T(x, t) v, a function of (x, v, t).
Function product(const Function& T, Index n, Index m) {
    return Function::with_jacobian(
        n + m + 1, n,
        [=](const Function::In& in, Function::Out& r) {
            Eigen::MatrixXd matrix(n, m);
            T.value(state_and_time(in, n).data(), matrix.data());
            r = matrix * in.segment(n, m);
        },
        [=](const Function::In& in, Function::OutMatrix& jacobian) {
            const Eigen::VectorXd arguments = state_and_time(in, n);
            Eigen::MatrixXd matrix(n, m), inner(n * m, n + 1);
            T.value(arguments.data(), matrix.data());
            T.jacobian(arguments.data(), inner.data());
            jacobian.middleCols(n, m) = matrix;
            for (Index j = 0; j < m; ++j) {
                jacobian.leftCols(n) += in[n + j] * inner.middleRows(n * j, n).leftCols(n);
                jacobian.col(n + m) += in[n + j] * inner.middleRows(n * j, n).col(n);
            }
        });
}

// product(x, u(t), t), a function of (x, t).
Function with_input(const Function& product, const Function& u, Index n) {
    const Index m = u.outputs();
    const auto arguments_of = [u, n, m](const Function::In& in) {
        Eigen::VectorXd arguments(n + m + 1);
        arguments << in.head(n), Eigen::VectorXd::Zero(m), in[n];
        u.value(in.data() + n, arguments.data() + n);
        return arguments;
    };
    return Function::with_jacobian(
        n + 1, n,
        [=](const Function::In& in, Function::Out& out) { product.value(arguments_of(in).data(), out.data()); },
        [=](const Function::In& in, Function::OutMatrix& jacobian) {
            Eigen::MatrixXd inner(n, n + m + 1);
            Eigen::VectorXd u_t(m);
            product.jacobian(arguments_of(in).data(), inner.data());
            u.jacobian(in.data() + n, u_t.data());
            jacobian << inner.leftCols(n), inner.middleCols(n, m) * u_t + inner.col(n + m);
        });
}

void check_directions(const Function& T, Index n, Index m) {
    require(
        T.inputs() == n + 1 && T.outputs() == n * m,
        "controlled system: T takes {} numbers and returns {}; for {} states and {} controls it must take {} (x, t) "
        "and return {}, the columns of T one after the other",
        T.inputs(), T.outputs(), n, m, n + 1, n * m);
}

}  // namespace

Model controlled_system(FirstOrderSystem system, const Function& T, const Function& u) {
    const Index n = system.x0.size();
    require(u.inputs() == 1 && u.outputs() > 0,
            "controlled system: u takes {} numbers and returns {}; it must take 1 (t)", u.inputs(), u.outputs());
    check_directions(T, n, u.outputs());
    system.f = combination(Matrix::Sparse(n, n + 1), Eigen::VectorXd::Zero(n),
                           {{.F = system.f}, {.F = with_input(product(T, n, u.outputs()), u, n)}});
    return model_of(std::move(system), {});
}

Model controlled_system(FirstOrderSystem system, const Function& T, Interaction control) {
    check_directions(T, system.x0.size(), control.rows());
    require(control.g.is_empty() && control.B.rows() == 0,
            "controlled system: interaction '{}' has B or g already; T takes their place", control.name);
    control.g = product(T, system.x0.size(), control.rows());
    return model_of(std::move(system), {std::move(control)});
}

}  // namespace saltus
