#include "saltus/io/problem/friction_text.hpp"

#include <fmt/format.h>

#include <iterator>

#include "saltus/io/problem/matrix_text.hpp"

namespace saltus {

namespace {

struct ContactSizes {
    Index dimension, count;
    Index size() const { return dimension * count; }
    Index coefficients() const { return dimension == 5 ? 2 * count : count; }
};

ContactSizes read_contact_sizes(TokenReader& reader) {
    const Index d = reader.integer("the dimension of a contact, 2, 3, or 5 with rolling friction", 2, 5);
    if (d == 4) reader.fail_with("expected a contact of dimension 2, 3 or 5, found 4");
    const ContactSizes contacts{d, reader.size("the number of contacts")};
    reader.expect_room_for(contacts.size() + contacts.coefficients(), "q and mu");
    return contacts;
}

// M of a global problem, of any size: its rows are those of f, for which there must be room.
Matrix read_square_matrix(TokenReader& reader) {
    TokenReader ahead = reader;
    ahead.integer("the storage of the matrix", 0, 2);
    const Index rows = ahead.size("the rows of the matrix");
    reader.expect_room_for(rows, "f");
    return read_matrix(reader, rows, rows);
}

Eigen::VectorXd read_coefficients(TokenReader& reader, std::string_view name, Index contacts) {
    Eigen::VectorXd mu = reader.numbers(name, contacts);
    for (Index i = 0; i < contacts; ++i)
        if (mu[i] < 0.0)
            reader.fail_with(
                fmt::format("expected coefficients of friction, zero or more, found {}[{}] = {}", name, i, mu[i]));
    return mu;
}

Eigen::VectorXd read_rolling(TokenReader& reader, const ContactSizes& contacts) {
    if (contacts.dimension != 5) return {};
    return read_coefficients(reader, "mu_r", contacts.count);
}

FrictionProblem finish_local(TokenReader& reader, const ContactSizes& contacts, const Matrix& W) {
    FrictionProblem problem{.W = BlockMatrix(W, static_cast<int>(contacts.dimension)),
                            .q = reader.numbers("q", contacts.size()),
                            .mu = read_coefficients(reader, "mu", contacts.count)};
    problem.rolling = read_rolling(reader, contacts);
    return problem;
}

GlobalFrictionProblem finish_global(TokenReader& reader, const ContactSizes& contacts, Matrix M) {
    const Index rows = M.rows();
    GlobalFrictionProblem problem{.M = std::move(M),
                                  .H = read_matrix(reader, rows, contacts.size()),
                                  .f = reader.numbers("f", rows),
                                  .b = reader.numbers("b", contacts.size()),
                                  .mu = read_coefficients(reader, "mu", contacts.count)};
    problem.rolling = read_rolling(reader, contacts);
    return problem;
}

bool has_more_tokens_than(TokenReader reader, Index count) {
    for (; count > 0; --count) reader.next();
    return !reader.peek().empty();
}

// storage, rows, columns of H; q may start with the same numbers, but not much follows it: mu, mu_r and perhaps a flag.
bool at_second_matrix(const TokenReader& reader, const ContactSizes& contacts, Index rows) {
    TokenReader ahead = reader;
    const auto storage = ahead.try_integer(), found_rows = ahead.try_integer(), cols = ahead.try_integer();
    return storage >= 0 && storage <= 2 && found_rows == rows && cols == contacts.size() &&
           has_more_tokens_than(reader, contacts.size() + contacts.coefficients() + 1);
}

template <class P>
void append_coefficients(std::string& text, const P& problem) {
    write_numbers(text, problem.mu);
    if (problem.dimension() == 5) write_numbers(text, problem.rolling);
}

}  // namespace

// d, contacts, storage, rows, columns. A sparse 2 x 2 matrix makes it the header of an lcp with two unknowns too, but
// then the word CSparse comes one token later.
bool looks_like_friction(TokenReader reader) {
    TokenReader ahead = reader;
    IndexList head;
    while (head.size() < 5) {
        const auto value = ahead.try_integer();
        if (!value) return false;
        head.push_back(*value);
    }
    if (head[0] != 2 && head[0] != 3 && head[0] != 5) return false;
    if (head[1] < 0 || head[2] < 0 || head[2] > 2 || (head[1] == 0 && head[3] != head[4])) return false;
    const bool is_lcp_header = head[1] <= 2 && head[2] == head[0] && head[3] == head[0];
    for (int token = 0; token < 6; ++token) reader.next();
    return !is_lcp_header || reader.peek() == "CSparse";
}

FrictionProblem read_friction(TokenReader& reader) {
    const ContactSizes contacts = read_contact_sizes(reader);
    return finish_local(reader, contacts, read_matrix(reader, contacts.size(), contacts.size()));
}

GlobalFrictionProblem read_global_friction(TokenReader& reader) {
    const ContactSizes contacts = read_contact_sizes(reader);
    return finish_global(reader, contacts, read_square_matrix(reader));
}

std::variant<FrictionProblem, GlobalFrictionProblem> read_any_friction(TokenReader& reader) {
    const ContactSizes contacts = read_contact_sizes(reader);
    Matrix first = read_square_matrix(reader);
    if (at_second_matrix(reader, contacts, first.rows())) return finish_global(reader, contacts, std::move(first));
    if (first.rows() == contacts.size()) return finish_local(reader, contacts, first);
    reader.fail(
        fmt::format("a matrix H of {} rows and {} columns (the first matrix has {} rows: that of a local problem "
                    "would have {})",
                    first.rows(), contacts.size(), first.rows(), contacts.size()));
}

void append(std::string& text, const FrictionProblem& problem) {
    fmt::format_to(std::back_inserter(text), "{}\n{}\n", problem.dimension(), problem.contacts());
    write_matrix(text, problem.W);
    write_numbers(text, problem.q);
    append_coefficients(text, problem);
}

void append(std::string& text, const GlobalFrictionProblem& problem) {
    fmt::format_to(std::back_inserter(text), "{}\n{}\n", problem.dimension(), problem.contacts());
    write_matrix(text, problem.M);
    write_matrix(text, problem.H);
    write_numbers(text, problem.f);
    write_numbers(text, problem.b);
    append_coefficients(text, problem);
}

}  // namespace saltus
