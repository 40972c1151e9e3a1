#include "saltus/model/analysis.hpp"

#include "saltus/complementarity/place.hpp"
#include "saltus/core/dense.hpp"
#include "saltus/core/factorization.hpp"
#include "saltus/core/infinity.hpp"
#include "saltus/model/stacked.hpp"

namespace saltus {

namespace {

// M^-1 A, M^-1 B, C, D, dense.
struct Standard {
    Eigen::MatrixXd A, B, C, D;

    explicit Standard(const Model& model) {
        const Stacked parts(model);
        const DenseLu mass(parts.M.to_dense());
        A = mass.solve(parts.A.to_dense());
        B = mass.solve(parts.B.to_dense());
        C = parts.C.to_dense();
        D = parts.D.to_dense();
    }
};

bool is_regular(const Eigen::MatrixXd& matrix) {
    Factorization factorization;
    return factorization.compute(matrix);
}

}  // namespace

std::vector<Eigen::MatrixXd> markov_parameters(const Model& model, int count) {
    const Standard s(model);
    std::vector<Eigen::MatrixXd> result{s.D};
    Eigen::MatrixXd power = s.B;
    while (std::ssize(result) < count) {
        result.push_back(clean_product(s.C, power));
        power = clean_product(s.A, power);
    }
    result.resize(static_cast<std::size_t>(count));
    return result;
}

RelativeDegree relative_degree(const Model& model) {
    const int most = static_cast<int>(model.states());
    const std::vector<Eigen::MatrixXd> markov = markov_parameters(model, most + 1);
    RelativeDegree degree;
    degree.rows.resize(static_cast<std::size_t>(model.rows()));
    for (int k = 0; k <= most; ++k)
        for (Index i = 0; i < model.rows(); ++i)
            if (auto& row = degree.rows[static_cast<std::size_t>(i)];
                !row && markov[static_cast<std::size_t>(k)](i, i) != 0.0)
                row = k;
    for (int k = 0; k <= most; ++k) {
        const Eigen::MatrixXd& parameter = markov[static_cast<std::size_t>(k)];
        if (parameter.isZero(0.0)) continue;
        if (is_regular(parameter)) degree.uniform = k;
        break;
    }
    return degree;
}

namespace {

// G(s) = C (s - A)^-1 B + D at s = i omega, as the real matrix [Re G, -Im G; Im G, Re G], which has the same norm, and
// twice each eigenvalue of G + G*: complex algebra would take a minute to compile.
Eigen::MatrixXd transfer(const Standard& system, double omega) {
    const Index n = system.A.rows(), m = system.D.rows();
    Eigen::MatrixXd resolvent(2 * n, 2 * n), B = Eigen::MatrixXd::Zero(2 * n, m);
    const Eigen::MatrixXd turn = omega * Eigen::MatrixXd::Identity(n, n);
    resolvent << -system.A, -turn, turn, -system.A;
    B.topRows(n) = system.B;
    const Eigen::MatrixXd X = DenseLu(resolvent).solve(B);
    const Eigen::MatrixXd real = system.C * X.topRows(n) + system.D, imaginary = system.C * X.bottomRows(n);
    Eigen::MatrixXd G(2 * m, 2 * m);
    G << real, -imaginary, imaginary, real;
    return G;
}

// The smallest eigenvalue of G + G*.
double least_real_part(const Standard& system, double omega) {
    const Eigen::MatrixXd G = transfer(system, omega);
    return symmetric_eigenvalues(G + G.transpose())[0];
}

// The frequencies at which G(i omega) + G(i omega)* may be singular: those of the imaginary eigenvalues of a
// Hamiltonian matrix, R = D + D' regular (Boyd, Balakrishnan, Kabamba 1989), and all its others.
std::vector<double> critical_frequencies(const Standard& s) {
    const Index n = s.A.rows();
    const Eigen::MatrixXd R_inverse = inverse(s.D + s.D.transpose()), F = s.A - s.B * R_inverse * s.C;
    Eigen::MatrixXd hamiltonian(2 * n, 2 * n);
    hamiltonian << F, -s.B * R_inverse * s.B.transpose(), s.C.transpose() * R_inverse * s.C, -F.transpose();
    std::vector<double> frequencies{0.0};
    for (const std::complex<double>& value : eigenvalues(hamiltonian)) frequencies.push_back(std::abs(value.imag()));
    std::sort(frequencies.begin(), frequencies.end());
    return frequencies;
}

}  // namespace

// G is positive real if and only if no pole lies to the right of the imaginary axis and G + G* >= 0 on the line
// Re s = shift for every shift > 0; its sign can change at critical frequencies only.
Answer passivity(const Model& model) {
    Standard s(model);
    const Index n = s.A.rows(), m = s.D.rows();
    if (m == 0) return Answer::unknown;
    constexpr double tiny = 1e-6;
    const double largest = s.A.cwiseAbs().maxCoeff(), size = largest > 0.0 ? largest : 1.0;
    s.A -= tiny * size * Eigen::MatrixXd::Identity(n, n);
    if ((eigenvalues(s.A).real().array() > 0.0).any()) return Answer::no;
    const double gain = transfer(s, size).cwiseAbs().maxCoeff();
    s.D += tiny * std::max(gain, 1e-300) * Eigen::MatrixXd::Identity(m, m);
    if (!is_positive_definite(Matrix(s.D))) return Answer::no;
    const std::vector<double> frequencies = critical_frequencies(s);
    for (std::size_t k = 0; k < frequencies.size(); ++k) {
        const double next = k + 1 < frequencies.size() ? frequencies[k + 1] : 2.0 * (frequencies[k] + size);
        if (least_real_part(s, 0.5 * (frequencies[k] + next)) < 0.0) return Answer::no;
    }
    return Answer::yes;
}

namespace {

// The values of b and e at t, stacked.
struct Load {
    Eigen::VectorXd b, e;

    Load(const Model& model, double t)
        : b(Eigen::VectorXd::Zero(model.states())), e(Eigen::VectorXd::Zero(model.rows())) {
        const Signals signals(model);
        Eigen::VectorXd values(std::max(signals.inputs(), signals.offsets()));
        signals.evaluate_inputs(t, values.data());
        for (Index k = 0; k < signals.inputs(); ++k) b[signals.input_rows()[static_cast<std::size_t>(k)]] = values[k];
        signals.evaluate_offsets(t, values.data());
        for (Index k = 0; k < signals.offsets(); ++k) e[signals.offset_rows()[static_cast<std::size_t>(k)]] = values[k];
    }
};

// The solutions (x, lambda) of one placement: z = point + s direction with s in [least, most].
class PlacementSet {
public:
    PlacementSet(const Stacked& parts, const Load& load, const Placement& placement)
        : parts_(parts), load_(load), placement_(placement) {}

    enum class Outcome { none, piece, larger };
    Outcome solve(Equilibria::Piece& piece) const {
        const Index n = parts_.states(), m = parts_.rows();
        Eigen::MatrixXd T = Eigen::MatrixXd::Zero(n + m, n + m);
        Eigen::VectorXd right = Eigen::VectorXd::Zero(n + m);
        T.topLeftCorner(n, n) = parts_.A.to_dense();
        T.topRightCorner(n, m) = parts_.B.to_dense();
        right.head(n) = -load_.b;
        for (Index i = 0; i < m; ++i) {
            if (place(i) == Place::basic) {
                T.row(n + i) << parts_.C.to_dense().row(i), parts_.D.to_dense().row(i);
                right[n + i] = -load_.e[i];
            } else {
                T(n + i, n + i) = 1.0;
                right[n + i] = bound_at(law(i), place(i));
            }
        }
        const Eigen::VectorXd scale = T.cwiseAbs().rowwise().maxCoeff().cwiseMax(1e-300).cwiseInverse();
        const FullPivotLu factor(scale.asDiagonal() * T);
        const Eigen::VectorXd scaled = scale.cwiseProduct(right), z = factor.solve(scaled);
        const double error = (scale.asDiagonal() * T * z - scaled).lpNorm<Eigen::Infinity>();
        if (error > 1e-10 * std::max(1.0, scaled.lpNorm<Eigen::Infinity>())) return Outcome::none;
        const Eigen::MatrixXd kernel = factor.kernel();
        if (kernel.cols() > 1) return Outcome::larger;
        const Eigen::VectorXd direction =
            kernel.cols() == 1 ? Eigen::VectorXd(kernel.col(0)) : Eigen::VectorXd::Zero(n + m);
        if (!cut(z, direction, piece)) return Outcome::none;
        piece.point = z.head(n);
        piece.direction = direction.head(n).isZero(1e-14) ? Eigen::VectorXd() : Eigen::VectorXd(direction.head(n));
        return Outcome::piece;
    }

private:
    Place place(Index i) const { return placement_[static_cast<std::size_t>(i)]; }
    Interval law(Index i) const { return parts_.law(i); }

    // The s for which the rows hold.
    bool cut(const Eigen::VectorXd& z, const Eigen::VectorXd& direction, Equilibria::Piece& piece) const {
        const Index n = parts_.states(), m = parts_.rows();
        const Eigen::VectorXd y =
            parts_.C * Eigen::VectorXd(z.head(n)) + parts_.D * Eigen::VectorXd(z.tail(m)) + load_.e;
        const Eigen::VectorXd y_direction =
            parts_.C * Eigen::VectorXd(direction.head(n)) + parts_.D * Eigen::VectorXd(direction.tail(m));
        piece.least = -infinity;
        piece.most = infinity;
        const double slack = 1e-12 * std::max(1.0, z.lpNorm<Eigen::Infinity>());
        // value + s slope >= bound.
        const auto at_least = [&](double value, double slope, double bound) {
            if (bound == -infinity) return true;
            if (std::abs(slope) <= 1e-14) return value >= bound - slack;
            const double s = (bound - value) / slope;
            (slope > 0.0 ? piece.least : piece.most) = slope > 0.0 ? std::max(piece.least, s) : std::min(piece.most, s);
            return piece.least <= piece.most + slack;
        };
        for (Index i = 0; i < m; ++i) {
            if (place(i) == Place::basic) {
                if (!at_least(z[n + i], direction[n + i], law(i).lower)) return false;
                if (!at_least(-z[n + i], -direction[n + i], -law(i).upper)) return false;
            } else if (const double sign = slack_sign(law(i), place(i)); sign != 0.0) {
                if (!at_least(sign * y[i], sign * y_direction[i], 0.0)) return false;
            }
        }
        return true;
    }

    const Stacked& parts_;
    const Load& load_;
    const Placement& placement_;
};

bool is_point(const Equilibria::Piece& piece) { return piece.direction.size() == 0; }

// A direction of length 1 in its largest entry, positive where s is bounded on one side only; a segment without length
// is a point.
void normalise(Equilibria::Piece& piece) {
    if (is_point(piece)) return;
    double length = piece.direction.lpNorm<Eigen::Infinity>();
    if (std::isinf(piece.least) && std::isfinite(piece.most)) length = -length;
    piece.direction /= length;
    piece.least *= length;
    piece.most *= length;
    if (length < 0.0) std::swap(piece.least, piece.most);
    const double size = std::max(1.0, piece.point.lpNorm<Eigen::Infinity>());
    if (piece.most - piece.least > 1e-12 * size) return;
    piece.point += piece.least * piece.direction;
    piece.direction.resize(0);
}

// Whether x lies on the piece.
bool lies_on(const Eigen::VectorXd& x, const Equilibria::Piece& piece) {
    const double rounding = 1e-10 * std::max(1.0, x.lpNorm<Eigen::Infinity>());
    Eigen::VectorXd nearest = piece.point;
    if (!is_point(piece)) {
        const double s = (x - piece.point).dot(piece.direction) / piece.direction.squaredNorm();
        nearest += std::clamp(s, piece.least, piece.most) * piece.direction;
    }
    return (x - nearest).lpNorm<Eigen::Infinity>() <= rounding;
}

// Whether every equilibrium of `piece` is one of `other`.
bool is_part_of(const Equilibria::Piece& piece, const Equilibria::Piece& other) {
    if (is_point(piece)) return lies_on(piece.point, other);
    if (is_point(other)) return false;
    const auto at = [&](double s) { return Eigen::VectorXd(piece.point + s * piece.direction); };
    const auto reaches = [&](double bound, double finite) {
        if (std::isfinite(bound)) return lies_on(at(bound), other);
        return lies_on(at(finite + std::copysign(1e3, bound)), other) &&
               std::isinf(piece.direction.dot(other.direction) * bound > 0.0 ? other.most : other.least);
    };
    const double middle = std::isfinite(piece.least) ? piece.least : std::isfinite(piece.most) ? piece.most : 0.0;
    return reaches(piece.least, middle) && reaches(piece.most, middle);
}

// Different placements often have the same equilibria: keeps each once.
void remove_repetitions(std::vector<Equilibria::Piece>& pieces) {
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const auto& a, const auto& b) { return !is_point(a) && is_point(b); });
    std::vector<Equilibria::Piece> kept;
    for (Equilibria::Piece& piece : pieces) {
        const auto has = [&](const Equilibria::Piece& other) { return is_part_of(piece, other); };
        if (std::ranges::none_of(kept, has)) kept.push_back(std::move(piece));
    }
    pieces = std::move(kept);
}

}  // namespace

Equilibria equilibria(const Model& model, double t) {
    constexpr double most_placements = 4096.0;
    const Stacked parts(model);
    const Load load(model, t);
    Equilibria result;
    std::vector<std::vector<Place>> choices;
    double count = 1.0;
    for (Index i = 0; i < parts.rows(); ++i) {
        choices.push_back(places_in(parts.law(i)));
        count *= static_cast<double>(choices.back().size());
    }
    if (!model.is_linear() || count > most_placements) {
        result.is_complete = false;
        return result;
    }
    Placement placement(choices.size());
    for (long k = 0; k < static_cast<long>(count); ++k) {
        long digits = k;
        for (std::size_t i = 0; i < choices.size(); ++i) {
            placement[i] = choices[i][static_cast<std::size_t>(digits) % choices[i].size()];
            digits /= static_cast<long>(choices[i].size());
        }
        Equilibria::Piece piece;
        switch (PlacementSet(parts, load, placement).solve(piece)) {
            case PlacementSet::Outcome::piece:
                normalise(piece);
                result.pieces.push_back(std::move(piece));
                break;
            case PlacementSet::Outcome::larger:
                result.is_complete = false;
                break;
            case PlacementSet::Outcome::none:
                break;
        }
    }
    remove_repetitions(result.pieces);
    return result;
}

}  // namespace saltus
