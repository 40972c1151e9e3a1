#include "saltus/io/problem/fclib_file.hpp"

#include <algorithm>
#include <array>

#include "saltus/io/problem/hdf5_image.hpp"

namespace saltus {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr Index column_storage = -1, row_storage = -2;

// The groups of the two forms, without and with rolling friction.
struct Form {
    ProblemKind kind;
    std::array<const char*, 2> groups;
};
constexpr Form local_form{ProblemKind::friction, {"fclib_local", "fclib_local_rolling"}};
constexpr Form global_form{ProblemKind::global_friction, {"fclib_global", "fclib_global_rolling"}};

std::string group_of(const Form& form, bool is_rolling) { return form.groups[is_rolling ? 1 : 0]; }

// The group of the form that the file has; empty if none.
std::string found_group(const Hdf5Image& image, const Form& form) {
    for (const std::string group : form.groups)
        if (image.has(group)) return group;
    return "";
}

void check_indices(const Hdf5Image& image, const std::string& name, const IndexList& indices, Index count) {
    const auto bad = std::find_if(indices.begin(), indices.end(), [&](Index k) { return k < 0 || k >= count; });
    if (bad != indices.end())
        image.fail(
            name, fmt::format("expected indices from 0 to {}, found {} at {}", count - 1, *bad, bad - indices.begin()));
}

// Entry k of the result is the row (or column) whose entries are pointer[row] to pointer[row + 1] - 1.
IndexList read_compressed(const Hdf5Image& image, const std::string& name, Index rows) {
    const IndexList pointer = image.integers(name, rows + 1);
    if (pointer.front() != 0 || !std::is_sorted(pointer.begin(), pointer.end()))
        image.fail(name, "expected a pointer that starts with 0 and ascends");
    const Index stored = image.size(name.substr(0, name.size() - 1) + "x");
    if (pointer.back() > stored)
        image.fail(
            name, fmt::format("expected a pointer that ends at {} entries or fewer, found {}", stored, pointer.back()));
    IndexList result;
    result.reserve(static_cast<std::size_t>(pointer.back()));
    for (Index row = 0; row < rows; ++row) result.resize(static_cast<std::size_t>(pointer[row + 1]), row);
    return result;
}

void check_shape(const Hdf5Image& image, const std::string& group, Index rows, Index cols) {
    const Index m = image.integer(group + "/m"), n = image.integer(group + "/n");
    if (m != rows || n != cols)
        image.fail(group,
                   fmt::format("expected a matrix {} x {}, as the vectors have it, found {} x {}", rows, cols, m, n));
}

Matrix read_matrix(const Hdf5Image& image, const std::string& group, Index rows, Index cols) {
    check_shape(image, group, rows, cols);
    const Index nz = image.integer(group + "/nz");
    if (nz < row_storage)
        image.fail(group + "/nz",
                   fmt::format("expected a storage, -2 (rows), -1 (columns) or a number of triplets, found {}", nz));
    IndexList i, j;
    if (nz >= 0) {
        i = image.integers(group + "/i", nz);
        j = image.integers(group + "/p", nz);
    } else {
        (nz == column_storage ? j : i) = read_compressed(image, group + "/p", nz == column_storage ? cols : rows);
        (nz == column_storage ? i : j) = image.integers(group + "/i", std::ssize(nz == column_storage ? j : i));
    }
    check_indices(image, group + (nz == row_storage ? "/p" : "/i"), i, rows);
    check_indices(image, group + (nz == row_storage ? "/i" : "/p"), j, cols);
    const Eigen::VectorXd x = image.numbers(group + "/x", std::ssize(i));
    Triplets entries;
    entries.reserve(i.size());
    for (std::size_t k = 0; k < i.size(); ++k) entries.emplace_back(i[k], j[k], x[static_cast<Index>(k)]);
    Matrix::Sparse matrix(rows, cols);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

Eigen::VectorXd read_coefficients(const Hdf5Image& image, const std::string& name, Index contacts) {
    Eigen::VectorXd mu = image.numbers(name, contacts);
    for (Index i = 0; i < contacts; ++i)
        if (mu[i] < 0.0)
            image.fail(name, fmt::format("expected coefficients of friction, zero or more, found {} at {}", mu[i], i));
    return mu;
}

// What both forms have.
struct Contacts {
    Index dimension, count;
    Eigen::VectorXd mu, rolling;
    Index size() const { return dimension * count; }
};

Contacts read_contacts(const Hdf5Image& image, const std::string& group) {
    const std::string mu = group + "/vectors/mu", rolling = group + "/vectors/mu_r";
    const Index d = image.integer(group + "/spacedim"), count = image.size(mu);
    if (d != 2 && d != 3 && d != 5)
        image.fail(group + "/spacedim", fmt::format("expected 2, 3 or 5 (rolling friction), found {}", d));
    if (d != 5 && image.has(rolling))
        image.fail(group + "/spacedim", fmt::format("expected 5, since there is {}, found {}", rolling, d));
    return {d, count, read_coefficients(image, mu, count),
            d == 5 ? read_coefficients(image, rolling, count) : Eigen::VectorXd()};
}

void refuse_bilateral(const Hdf5Image& image, const std::string& group, const std::string& matrix) {
    if (image.has(group + "/" + matrix))
        image.fail(group + "/" + matrix,
                   "the problem has bilateral constraints, which this reader does not take; eliminate them first");
}

FrictionProblem read_local(const Hdf5Image& image, const std::string& group) {
    refuse_bilateral(image, group, "R");
    Contacts contacts = read_contacts(image, group);
    const Index n = contacts.size();
    Eigen::VectorXd q = image.numbers(group + "/vectors/q", n);
    return {BlockMatrix(read_matrix(image, group + "/W", n, n), static_cast<int>(contacts.dimension)), std::move(q),
            std::move(contacts.mu), std::move(contacts.rolling)};
}

GlobalFrictionProblem read_global(const Hdf5Image& image, const std::string& group) {
    refuse_bilateral(image, group, "G");
    Contacts contacts = read_contacts(image, group);
    const Index n = contacts.size(), freedoms = image.size(group + "/vectors/f");
    Eigen::VectorXd f = image.numbers(group + "/vectors/f", freedoms), b = image.numbers(group + "/vectors/w", n);
    Matrix M = read_matrix(image, group + "/M", freedoms, freedoms);
    return {std::move(M),           read_matrix(image, group + "/H", freedoms, n),
            std::move(f),           std::move(b),
            std::move(contacts.mu), std::move(contacts.rolling)};
}

std::span<const double> values_of(const Eigen::VectorXd& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

void write_integer(Hdf5Image& image, const std::string& name, Index value) {
    const int stored = static_cast<int>(value);
    image.write(name, std::span(&stored, 1));
}

void write_matrix(Hdf5Image& image, const std::string& group, const Matrix::Sparse& matrix) {
    const auto entries = static_cast<std::size_t>(matrix.nonZeros());
    image.make_group(group);
    write_integer(image, group + "/m", matrix.rows());
    write_integer(image, group + "/n", matrix.cols());
    write_integer(image, group + "/nz", column_storage);
    write_integer(image, group + "/nzmax", matrix.nonZeros());
    image.write(group + "/p", std::span(matrix.outerIndexPtr(), static_cast<std::size_t>(matrix.cols()) + 1));
    image.write(group + "/i", std::span(matrix.innerIndexPtr(), entries));
    image.write(group + "/x", std::span(matrix.valuePtr(), entries));
}

// The groups, the dimension and the coefficients of either form.
template <class P>
std::string write_contacts(Hdf5Image& image, const Form& form, const P& problem) {
    const bool is_rolling = problem.dimension() == 5;
    const std::string group = group_of(form, is_rolling);
    image.make_group(group);
    image.make_group(group + "/vectors");
    write_integer(image, group + "/spacedim", problem.dimension());
    image.write(group + "/vectors/mu", values_of(problem.mu));
    if (is_rolling) image.write(group + "/vectors/mu_r", values_of(problem.rolling));
    return group;
}

}  // namespace

bool is_hdf5(std::string_view bytes) {
    return bytes.starts_with("\x89HDF\r\n\x1a\n");  // HDF5 file format specification, sec. II.A
}

Problem read_fclib(const std::string& file, std::string_view bytes, std::optional<ProblemKind> kind) {
    const Hdf5Image image(file, bytes);
    for (const Form& form : {local_form, global_form}) {
        const std::string group = kind && *kind != form.kind ? "" : found_group(image, form);
        if (group.empty()) continue;
        if (form.kind == ProblemKind::friction) return read_local(image, group);
        return read_global(image, group);
    }
    throw ProblemFileError(file, 0,
                           kind
                               ? fmt::format("expected an FCLIB problem of kind {}, found no group of that kind; give "
                                             "--kind friction (fclib_local) or --kind global-friction (fclib_global)",
                                             to_string(*kind))
                               : "expected a group fclib_local or fclib_global, found none: this is not an FCLIB file");
}

std::string fclib_bytes(const std::string& file, const FrictionProblem& problem) {
    Hdf5Image image(file);
    const std::string group = write_contacts(image, local_form, problem);
    write_matrix(image, group + "/W", problem.W.to_sparse());
    image.write(group + "/vectors/q", values_of(problem.q));
    return image.bytes();
}

std::string fclib_bytes(const std::string& file, const GlobalFrictionProblem& problem) {
    Hdf5Image image(file);
    const std::string group = write_contacts(image, global_form, problem);
    write_matrix(image, group + "/M", problem.M.to_sparse());
    write_matrix(image, group + "/H", problem.H.to_sparse());
    image.write(group + "/vectors/f", values_of(problem.f));
    image.write(group + "/vectors/w", values_of(problem.b));
    return image.bytes();
}

}  // namespace saltus
