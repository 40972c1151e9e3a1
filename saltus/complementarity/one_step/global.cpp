#include "saltus/complementarity/one_step/global.hpp"

#include <cmath>

namespace saltus {

namespace {

void check_finite(const Matrix& matrix, std::string_view name) {
    if (const auto at = matrix.find_non_finite())
        require(false, "GlobalFrictionProblem: {}({}, {}) is {}; every entry must be a finite number", name, at->first,
                at->second, matrix(at->first, at->second));
}

void check_finite(const Eigen::VectorXd& vector, std::string_view name) {
    for (Index i = 0; i < vector.size(); ++i)
        require(std::isfinite(vector[i]), "GlobalFrictionProblem: {}[{}] is {}; every entry must be a finite number",
                name, i, vector[i]);
}

// The columns W_.j of one contact after another: how the impulse at contact j acts on itself and its neighbours.
class DelassusAssembly {
public:
    DelassusAssembly(const ComponentFactors& mass, const Matrix::Sparse& H, int dimension)
        : mass_(mass), dimension_(dimension), contacts_(H.cols() / dimension) {
        touching_.resize(static_cast<std::size_t>(mass.components()));
        for (Index j = 0; j < contacts_; ++j) collect(H, j);
        sums_.resize(dimension, dimension * contacts_);
        is_neighbour_.assign(static_cast<std::size_t>(contacts_), false);
    }

    BlockMatrix build() {
        for (Index j = 0; j < contacts_; ++j) add_column(j);
        return {std::vector<int>(static_cast<std::size_t>(contacts_), dimension_), entries_};
    }

private:
    struct Coefficient {  // H(row, column) of a contact, the row counted within its component
        int row, column;
        double value;
    };
    struct Touch {  // the rows of H in one component, the columns of one contact
        Index contact;
        std::vector<Coefficient> coefficients;
    };

    void collect(const Matrix::Sparse& H, Index contact) {
        for (int c = 0; c < dimension_; ++c)
            for (Matrix::Sparse::InnerIterator entry(H, contact * dimension_ + c); entry; ++entry) {
                if (entry.value() == 0.0) continue;
                auto& touches = touching_[static_cast<std::size_t>(mass_.component(entry.row()))];
                if (touches.empty() || touches.back().contact != contact) {
                    touches.push_back({contact, {}});
                    of_contact_.emplace_back(contact, mass_.component(entry.row()), std::ssize(touches) - 1);
                }
                touches.back().coefficients.push_back(
                    {static_cast<int>(mass_.position(entry.row())), c, entry.value()});
            }
    }

    // W_ij = sum over the components k that contacts i and j touch of H_ki' M_kk^-1 H_kj.
    void add_column(Index j) {
        for (; next_ < of_contact_.size() && of_contact_[next_].contact == j; ++next_) {
            const auto& touches = touching_[static_cast<std::size_t>(of_contact_[next_].component)];
            solve(of_contact_[next_].component, touches[static_cast<std::size_t>(of_contact_[next_].touch)]);
            for (const Touch& touch : touches) add_block(touch);
        }
        std::sort(neighbours_.begin(), neighbours_.end());
        for (const Index i : neighbours_) {
            entries_.push_back({i, j, sums_.middleCols(i * dimension_, dimension_)});
            is_neighbour_[static_cast<std::size_t>(i)] = false;
        }
        neighbours_.clear();
    }

    // columns_ = M_kk^-1 H_kj.
    void solve(Index component, const Touch& touch) {
        columns_.setZero(std::ssize(mass_.rows(component)), dimension_);
        for (const Coefficient& h : touch.coefficients) columns_(h.row, h.column) = h.value;
        for (int c = 0; c < dimension_; ++c) mass_.solve_component(component, columns_.col(c));
    }

    void add_block(const Touch& touch) {
        auto sum = sums_.middleCols(touch.contact * dimension_, dimension_);
        if (!is_neighbour_[static_cast<std::size_t>(touch.contact)]) {
            is_neighbour_[static_cast<std::size_t>(touch.contact)] = true;
            neighbours_.push_back(touch.contact);
            sum.setZero();
        }
        for (const Coefficient& h : touch.coefficients) sum.row(h.column) += h.value * columns_.row(h.row);
    }

    struct Place {
        Index contact, component, touch;
    };

    const ComponentFactors& mass_;
    int dimension_;
    Index contacts_;
    std::vector<std::vector<Touch>> touching_;  // for each component, contacts ascending
    std::vector<Place> of_contact_;             // the same, contacts ascending
    std::size_t next_ = 0;
    Eigen::MatrixXd columns_, sums_;  // sums_: the blocks W_ij of the column j at work, i = 0 .. contacts - 1
    IndexList neighbours_;
    std::vector<bool> is_neighbour_;
    std::vector<BlockMatrix::Entry> entries_;
};

}  // namespace

void check(const GlobalFrictionProblem& problem) {
    const Index n = problem.f.size(), d = problem.dimension(), contacts = problem.contacts();
    require(problem.M.rows() == n && problem.M.cols() == n,
            "GlobalFrictionProblem: M is {} x {} but f has {} entries; M must be {} x {}", problem.M.rows(),
            problem.M.cols(), n, n, n);
    require(d * contacts == problem.b.size() && (d == 2 || d == 3 || d == 5),
            "GlobalFrictionProblem: b has {} entries for {} coefficients mu; a contact takes 2, 3 or 5",
            problem.b.size(), contacts);
    require(problem.H.rows() == n && problem.H.cols() == problem.b.size(),
            "GlobalFrictionProblem: H is {} x {}; M and b ask for {} x {}", problem.H.rows(), problem.H.cols(), n,
            problem.b.size());
    require(problem.rolling.size() == (d == 5 ? contacts : 0),
            "GlobalFrictionProblem: rolling has {} coefficients; {} contacts of dimension {} need {}",
            problem.rolling.size(), contacts, d, d == 5 ? contacts : 0);
    check_finite(problem.M, "M");
    check_finite(problem.H, "H");
    check_finite(problem.f, "f");
    check_finite(problem.b, "b");
    const auto check_coefficients = [](const Eigen::VectorXd& mu, std::string_view name) {
        for (Index i = 0; i < mu.size(); ++i)
            require(std::isfinite(mu[i]) && mu[i] >= 0.0,
                    "GlobalFrictionProblem: {}[{}] is {}; it must be a number, zero or more", name, i, mu[i]);
    };
    check_coefficients(problem.mu, "mu");
    check_coefficients(problem.rolling, "rolling");
}

FrictionProblem uncoupled_contacts(const GlobalFrictionProblem& problem) {
    const Eigen::VectorXd inverse_mass =
        problem.M.diagonal().unaryExpr([](double m) { return m != 0.0 ? 1.0 / std::abs(m) : 0.0; });
    const Matrix::Sparse H = problem.H.to_sparse();
    const int d = problem.dimension();
    std::vector<BlockMatrix::Entry> diagonal;
    for (Index i = 0; i < problem.contacts(); ++i) {
        Eigen::MatrixXd block = Eigen::MatrixXd::Zero(d, d);
        for (int c = 0; c < d; ++c)
            for (Matrix::Sparse::InnerIterator entry(H, i * d + c); entry; ++entry)
                block(c, c) += entry.value() * entry.value() * inverse_mass[entry.row()];
        diagonal.push_back({i, i, block});
    }
    const std::vector<int> sizes(static_cast<std::size_t>(problem.contacts()), d);
    const Eigen::VectorXd free_velocity = problem.b + H.transpose() * inverse_mass.cwiseProduct(problem.f);
    return {BlockMatrix(sizes, diagonal), free_velocity, problem.mu, problem.rolling};
}

GlobalJudge::GlobalJudge(const GlobalFrictionProblem& problem)
    : problem_(problem), contacts_(uncoupled_contacts(problem)), view_(contacts_) {}

double GlobalJudge::operator()(const Eigen::VectorXd& v, const Eigen::VectorXd& r) {
    Mv_.setZero(v.size());
    problem_.M.multiply_add(v, Mv_);
    Hr_.setZero(v.size());
    problem_.H.multiply_add(r, Hr_);
    u_ = problem_.b;
    problem_.H.transpose_multiply_add(v, u_);
    const double scale = std::max({problem_.f.norm(), Mv_.norm(), Hr_.norm()});
    const double imbalance = (Mv_ - Hr_ - problem_.f).norm();
    if (!std::isfinite(imbalance) || !std::isfinite(scale)) return std::numeric_limits<double>::infinity();
    return (scale > 0.0 ? imbalance / scale : imbalance) + residual(view_, r, u_);
}

double residual(const GlobalFrictionProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& r) {
    require(v.size() == problem.f.size() && r.size() == problem.b.size(),
            "GlobalFrictionProblem: v has {} entries and r {}; the problem has {} and {}", v.size(), r.size(),
            problem.f.size(), problem.b.size());
    return GlobalJudge(problem)(v, r);
}

Reduction reduce(const GlobalFrictionProblem& problem) {
    check(problem);
    Reduction result{{}, ComponentFactors(problem.M), problem.H.to_sparse(), problem.f};
    Eigen::VectorXd q = problem.b;
    problem.H.transpose_multiply_add(result.mass.solve(problem.f), q);
    BlockMatrix W = DelassusAssembly(result.mass, result.H, problem.dimension()).build();
    result.local = {std::move(W), std::move(q), problem.mu, problem.rolling};
    return result;
}

}  // namespace saltus
