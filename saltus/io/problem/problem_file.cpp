#include "saltus/io/problem/problem_file.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "saltus/complementarity/affine/affine_box.hpp"
#include "saltus/complementarity/one_step/global.hpp"
#include "saltus/io/problem/fclib_file.hpp"
#include "saltus/io/problem/friction_text.hpp"
#include "saltus/io/problem/matrix_text.hpp"
#include "saltus/io/problem/token_reader.hpp"

namespace saltus {

namespace {

std::string read_text(const std::filesystem::path& path) {
    const auto refuse = [&](std::string_view why) { throw ProblemFileError(path.string(), 0, std::string(why)); };
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) refuse("there is no such file");
    if (std::filesystem::is_directory(status)) refuse("this is a folder; expected a problem file");
    if (!std::filesystem::is_regular_file(status)) refuse("this is not a regular file");
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    if (stream && stream.peek() == std::ifstream::traits_type::eof()) refuse("the file is empty");
    if (!stream || !(text << stream.rdbuf())) refuse("the file cannot be read");
    return std::move(text).str();
}

Lcp read_lcp(TokenReader& reader) {
    const Index n = reader.size("the number of unknowns n");
    reader.expect_room_for(n, "q");
    Matrix M = read_matrix(reader, n, n);
    return {std::move(M), reader.numbers("q", n)};
}

BoxVi read_bounds(TokenReader& reader, Lcp problem) {
    const Index n = problem.q.size();
    Eigen::VectorXd lower = reader.numbers("lower", n, TokenReader::Range::extended);
    Eigen::VectorXd upper = reader.numbers("upper", n, TokenReader::Range::extended);
    for (Index i = 0; i < n; ++i)
        if (lower[i] > upper[i])
            reader.fail_with(fmt::format("expected lower <= upper, found lower[{0}] = {1} and upper[{0}] = {2}", i,
                                         lower[i], upper[i]));
    return {std::move(problem.M), std::move(problem.q), std::move(lower), std::move(upper)};
}

BoxVi read_relay(TokenReader& reader) { return read_bounds(reader, read_lcp(reader)); }

// 0 = starts[0] <= starts[1] <= ... <= size: block k is rows starts[k] to starts[k + 1] - 1.
IndexList read_block_starts(TokenReader& reader, Index size) {
    IndexList starts{reader.integer("the row at which the first block starts", 0, 0)};
    while (starts.back() < size)
        starts.push_back(reader.integer("the row at which a block starts", starts.back(), size));
    return starts;
}

std::vector<bool> read_free_rows(TokenReader& reader, Index equalities, Index size) {
    const IndexList starts = read_block_starts(reader, size);
    std::vector<bool> free;
    for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
        const bool is_equality = reader.integer("the flag of a block (0: equality, 1: complementarity)", 0, 1) == 0;
        free.insert(free.end(), static_cast<std::size_t>(starts[k + 1] - starts[k]), is_equality);
    }
    const auto found = std::count(free.begin(), free.end(), true);
    if (found != equalities)
        reader.fail_with(fmt::format("expected {} equality rows, found {} in the blocks", equalities, found));
    return free;
}

Mlcp read_mlcp(TokenReader& reader) {
    reader.integer("the first storage flag of an mlcp", 1, 1);
    reader.integer("the second storage flag of an mlcp", 0, 1);
    const Index equalities = reader.size("the number of equalities");
    const Index size = equalities + reader.size("the number of complementarities");
    reader.expect_room_for(size, "q");
    std::vector<bool> free = read_free_rows(reader, equalities, size);
    Matrix M = read_matrix(reader, size, size);
    return {std::move(M), reader.numbers("q", size), std::move(free)};
}

// The first integers of a file, fewer if a token is not an integer: enough to tell the kinds apart.
IndexList leading_integers(TokenReader reader) {
    IndexList values;
    for (auto value = reader.try_integer(); value && values.size() < 5; value = reader.try_integer())
        values.push_back(*value);
    return values;
}

// 1, flag, n, m, 0. An lcp with one unknown repeats its size, or has a positive number of blocks, where this has 0.
bool looks_like_mlcp(const IndexList& head) {
    return head.size() == 5 && head[0] == 1 && (head[1] == 0 || head[1] == 1) && head[4] == 0;
}

// An lcp ends after q, a relay has 2n numbers more.
Problem read_lcp_or_relay(TokenReader& reader) {
    Lcp lcp = read_lcp(reader);
    const Index bounds = 2 * lcp.q.size(), found = reader.count_numbers();
    if (found == 0) return lcp;
    if (found == bounds) return read_bounds(reader, std::move(lcp));
    reader.fail_with(fmt::format(
        "expected the end of an lcp or the {} bounds of a relay after q, found {} numbers; if it is an lcp or a relay "
        "all the same, give its kind (--kind lcp or --kind relay)",
        bounds, found));
}

Problem to_problem(std::variant<FrictionProblem, GlobalFrictionProblem> problem) {
    return std::visit([](auto& p) -> Problem { return std::move(p); }, problem);
}

Problem read_recognised(TokenReader& reader) {
    if (looks_like_mlcp(leading_integers(reader))) return read_mlcp(reader);
    if (looks_like_friction(reader)) return to_problem(read_any_friction(reader));
    return read_lcp_or_relay(reader);
}

Problem read_as(ProblemKind kind, TokenReader& reader) {
    switch (kind) {
        case ProblemKind::lcp:
            return read_lcp(reader);
        case ProblemKind::mlcp:
            return read_mlcp(reader);
        case ProblemKind::relay:
            return read_relay(reader);
        case ProblemKind::friction:
            return read_friction(reader);
        case ProblemKind::global_friction:
            return read_global_friction(reader);
    }
    throw InvalidInput("read_problem: the kind is none of ProblemKind");
}

void append(std::string& text, const Lcp& problem) {
    fmt::format_to(std::back_inserter(text), "{}\n", problem.q.size());
    write_matrix(text, problem.M);
    write_numbers(text, problem.q);
}

void append(std::string& text, const BoxVi& problem) {
    fmt::format_to(std::back_inserter(text), "{}\n", problem.q.size());
    write_matrix(text, problem.M);
    write_numbers(text, problem.q);
    write_numbers(text, problem.lower);
    write_numbers(text, problem.upper);
}

void append(std::string& text, const Mlcp& problem) {
    const auto out = std::back_inserter(text);
    const auto& free = problem.free;
    const auto equalities = std::count(free.begin(), free.end(), true);
    fmt::format_to(out, "1\n0\n{}\n{}\n0", equalities, std::ssize(free) - equalities);
    std::string flags;
    for (std::size_t i = 0; i < free.size(); ++i) {
        if (i + 1 < free.size() && free[i + 1] == free[i]) continue;
        fmt::format_to(out, " {}", i + 1);
        flags += free[i] ? "0 " : "1 ";
    }
    fmt::format_to(out, "\n{}\n", flags);
    write_matrix(text, problem.M);
    write_numbers(text, problem.q);
}

// Throws if a problem cannot be written.
template <class Affine>
void check_sound(const Affine& problem) {
    AffineBox(problem).check("write_problem", Eigen::VectorXd::Zero(problem.q.size()));
}
void check_sound(const FrictionProblem& problem) {
    OneStepView(problem).check("write_problem", Eigen::VectorXd::Zero(problem.q.size()));
}
void check_sound(const GlobalFrictionProblem& problem) { check(problem); }

bool is_hdf5_name(const std::filesystem::path& path) {
    return path.extension() == ".hdf5" || path.extension() == ".h5";
}

template <class P>
std::string file_contents(const std::filesystem::path& path, const P& problem) {
    if (is_hdf5_name(path)) {
        if constexpr (requires { fclib_bytes(path.string(), problem); }) return fclib_bytes(path.string(), problem);
        throw ProblemFileError(path.string(), 0, "HDF5 files hold friction problems only; name the file .dat");
    }
    std::string text;
    append(text, problem);
    return text;
}

}  // namespace

std::string_view to_string(ProblemKind kind) {
    switch (kind) {
        case ProblemKind::lcp:
            return "lcp";
        case ProblemKind::mlcp:
            return "mlcp";
        case ProblemKind::relay:
            return "relay";
        case ProblemKind::friction:
            return "friction";
        case ProblemKind::global_friction:
            return "global-friction";
    }
    return "unknown";
}

ProblemKind kind_of(const Problem& problem) { return problem_kinds[problem.index()]; }

Problem read_problem(const std::filesystem::path& path, std::optional<ProblemKind> kind) {
    const std::string text = read_text(path), file = path.string();
    if (is_hdf5(text)) return read_fclib(file, text, kind);
    TokenReader reader(file, text);
    return kind ? read_as(*kind, reader) : read_recognised(reader);
}

namespace {

// The coefficients of a contact; none for other laws.
struct Coefficients {
    double mu = 0.0, rolling = 0.0;
};
struct CoefficientsOf {
    std::optional<Coefficients> operator()(const Coulomb2D& law) const { return Coefficients{law.mu[0]}; }
    std::optional<Coefficients> operator()(const Coulomb3D& law) const { return Coefficients{law.mu[0]}; }
    std::optional<Coefficients> operator()(const RollingFriction& law) const {
        return Coefficients{law.mu[0], law.mu[1]};
    }
    template <class Other>
    std::optional<Coefficients> operator()(const Other&) const {
        return std::nullopt;
    }
};

}  // namespace

std::optional<Problem> to_file_problem(const StepProblem& problem) {
    if (const BoxVi* box = std::get_if<BoxVi>(&problem))
        return box->q.size() > 0 ? std::optional<Problem>(*box) : std::nullopt;
    const OneStepProblem& step = std::get<OneStepProblem>(problem);
    FrictionProblem result{step.W, step.q, Eigen::VectorXd(std::ssize(step.laws))};
    Eigen::VectorXd rolling(std::ssize(step.laws));
    for (std::size_t k = 0; k < step.laws.size(); ++k) {
        const std::optional<Coefficients> coefficients = std::visit(CoefficientsOf{}, step.laws[k]);
        if (!coefficients || step.laws[k].index() != step.laws[0].index()) return std::nullopt;
        result.mu[static_cast<Index>(k)] = coefficients->mu;
        rolling[static_cast<Index>(k)] = coefficients->rolling;
    }
    if (step.laws.empty()) return std::nullopt;
    if (std::holds_alternative<RollingFriction>(step.laws[0])) result.rolling = rolling;
    return result;
}

void write_problem(const std::filesystem::path& path, const Problem& problem) {
    std::visit([](const auto& p) { check_sound(p); }, problem);
    const std::string text = std::visit([&](const auto& p) { return file_contents(path, p); }, problem);
    std::ofstream stream(path, std::ios::binary);
    if (!(stream << text) || !stream.flush()) throw ProblemFileError(path.string(), 0, "the file cannot be written");
}

}  // namespace saltus
