#include "saltus/io/problem/matrix_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace saltus {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr Index dense_storage = 0, block_sparse_storage = 1, sparse_storage = 2;

Matrix assemble(Index rows, Index cols, const Triplets& entries) {
    Matrix::Sparse matrix(rows, cols);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

Matrix read_dense(TokenReader& reader, Index rows, Index cols) {
    reader.integer("the rows of the dense matrix, once more", rows, rows);
    reader.integer("the columns of the dense matrix, once more", cols, cols);
    return Matrix::Dense(reader.numbers("the dense matrix", rows * cols).reshaped(rows, cols));
}

// Cumulated ends of the blocks of rows or columns, e.g. 3 6 9; with a leading 0 the blocks are [ends[k], ends[k + 1]).
IndexList read_block_ends(TokenReader& reader, std::string_view what, Index blocks, Index total) {
    reader.expect_room_for(blocks, what);
    IndexList ends{0};
    for (Index k = 0; k < blocks; ++k) ends.push_back(reader.integer(what, ends.back(), total));
    if (ends.back() != total)
        reader.fail_with(fmt::format("expected {} to end at {}, found {}", what, total, ends.back()));
    return ends;
}

// Blocks row_pointer[i] to row_pointer[i + 1] - 1 lie in block row i; block rows past the end of the pointer are empty.
IndexList read_row_pointer(TokenReader& reader, Index length, Index blocks) {
    IndexList pointer = reader.integers("the row pointer of the blocks", length, 0, blocks);
    const bool covers_all = pointer.empty() ? blocks == 0 : pointer.front() == 0 && pointer.back() == blocks;
    if (!covers_all || !std::is_sorted(pointer.begin(), pointer.end()))
        reader.fail_with(fmt::format("expected a row pointer that ascends from 0 to the number of blocks, {}", blocks));
    return pointer;
}

void read_block(TokenReader& reader, Index row, Index row_end, Index col, Index col_end, Triplets& entries) {
    const Eigen::VectorXd values = reader.numbers("the block", (row_end - row) * (col_end - col));
    for (Index k = 0, j = col; j < col_end; ++j)
        for (Index i = row; i < row_end; ++i) entries.emplace_back(i, j, values[k++]);
}

Matrix read_block_sparse(TokenReader& reader, Index rows, Index cols) {
    const Index blocks = reader.size("the number of blocks");
    const Index block_rows = reader.size("the number of block rows");
    const Index block_cols = reader.size("the number of block columns");
    const IndexList row_ends = read_block_ends(reader, "the end row of every block row", block_rows, rows);
    const IndexList col_ends = read_block_ends(reader, "the end column of every block column", block_cols, cols);
    const Index pointer_length = reader.integer("the length of the row pointer", 0, block_rows + 1);
    reader.integer("the length of the column index (the number of blocks)", blocks, blocks);
    const IndexList pointer = read_row_pointer(reader, pointer_length, blocks);
    const IndexList block_col = reader.integers("the block column of every block", blocks, 0, block_cols - 1);
    Triplets entries;
    for (std::size_t i = 0; i + 1 < pointer.size(); ++i)
        for (Index k = pointer[i]; k < pointer[i + 1]; ++k) {
            reader.integer("the number of the block", k, k);
            const auto j = static_cast<std::size_t>(block_col[static_cast<std::size_t>(k)]);
            read_block(reader, row_ends[i], row_ends[i + 1], col_ends[j], col_ends[j + 1], entries);
        }
    return assemble(rows, cols, entries);
}

// CSparse prints counts with 6 digits (1.5e+06): no loop trusts them, an entry is a line with a colon.
constexpr Index largest_exact_count = 1000000;

bool at_entry(const TokenReader& reader) {
    TokenReader ahead = reader;
    return ahead.peek() != "col" && ahead.rest_of_line().find(':') != std::string_view::npos;
}

Triplets read_triplets(TokenReader& reader, Index rows, Index cols) {
    Triplets entries;
    while (at_entry(reader)) {
        const Index i = reader.integer("the row of an entry", 0, rows - 1);
        const Index j = reader.integer("the column of an entry", 0, cols - 1);
        reader.expect(":", "an entry 'I J : value'");
        entries.emplace_back(i, j, reader.number("the value of an entry"));
    }
    return entries;
}

Triplets read_columns(TokenReader& reader, Index rows, Index cols) {
    Triplets entries;
    for (Index j = 0; j < cols; ++j) {
        reader.expect("col", "the line 'col J : locations A to B' of every column");
        if (j < largest_exact_count) reader.integer("the number of the column", j, j);
        reader.rest_of_line();
        while (at_entry(reader)) {
            const Index i = reader.integer("the row of an entry", 0, rows - 1);
            reader.expect(":", "an entry 'I : value'");
            entries.emplace_back(i, j, reader.number("the value of an entry"));
        }
    }
    return entries;
}

Matrix read_sparse(TokenReader& reader, Index rows, Index cols) {
    reader.integer("the origin flag of the sparse matrix", 0, 9);
    reader.rest_of_line();
    reader.rest_of_line();  // the version of the library
    const bool is_triplet = reader.peek() == "triplet:";
    if (is_triplet) reader.next();
    if (reader.peek().find("-by-") == std::string_view::npos)
        reader.fail("the line 'R-by-C, nzmax: N nnz: N' of a sparse matrix");
    reader.rest_of_line();
    return assemble(rows, cols, is_triplet ? read_triplets(reader, rows, cols) : read_columns(reader, rows, cols));
}

void write_dense(std::string& text, const Matrix::Dense& matrix) {
    fmt::format_to(std::back_inserter(text), "{}\t{}\n", matrix.rows(), matrix.cols());
    for (Index j = 0; j < matrix.cols(); ++j) write_numbers(text, matrix.col(j));
}

void write_sparse(std::string& text, const Matrix::Sparse& matrix) {
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "2\nCSparse Version 3 layout, written by Saltus\n{}-by-{}, nzmax: {} nnz: {}\n", matrix.rows(),
                   matrix.cols(), matrix.nonZeros(), matrix.nonZeros());
    for (Index j = 0; j < matrix.cols(); ++j) {
        fmt::format_to(out, "    col {} : locations {} to {}\n", j, matrix.outerIndexPtr()[j],
                       matrix.outerIndexPtr()[j + 1] - 1);
        for (Matrix::Sparse::InnerIterator entry(matrix, j); entry; ++entry)
            fmt::format_to(out, "      {} : {:.17g}\n", entry.row(), entry.value());
    }
}

// The blocks of row i in ascending order of columns: the order of the files. BlockMatrix has the diagonal first.
std::vector<std::size_t> ascending_blocks(const BlockMatrix& matrix, Index i) {
    const auto columns = matrix.columns(i);
    std::vector<std::size_t> order(columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t k) { return columns[k]; });
    return order;
}

// What comes before the values of the blocks.
void write_block_pattern(std::string& text, const BlockMatrix& matrix) {
    std::string ends, pointer = "0", columns;
    std::size_t count = 0;
    for (Index i = 0; i < matrix.blocks(); ++i) {
        fmt::format_to(std::back_inserter(ends), "{} ", matrix.start(i) + matrix.size(i));
        fmt::format_to(std::back_inserter(pointer), " {}", count += matrix.columns(i).size());
        for (const std::size_t k : ascending_blocks(matrix, i))
            fmt::format_to(std::back_inserter(columns), "{} ", matrix.columns(i)[k]);
    }
    fmt::format_to(std::back_inserter(text), "{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", matrix.stored_blocks(),
                   matrix.blocks(), matrix.blocks(), ends, ends, matrix.blocks() + 1, matrix.stored_blocks(), pointer,
                   columns);
}

}  // namespace

Matrix read_matrix(TokenReader& reader, Index rows, Index cols) {
    const Index storage = reader.integer("the storage of the matrix", dense_storage, sparse_storage);
    reader.integer("the rows of the matrix", rows, rows);
    reader.integer("the columns of the matrix", cols, cols);
    if (storage == dense_storage) return read_dense(reader, rows, cols);
    if (storage == block_sparse_storage) return read_block_sparse(reader, rows, cols);
    return read_sparse(reader, rows, cols);
}

void write_numbers(std::string& text, const Eigen::Ref<const Eigen::VectorXd>& values) {
    for (const double value : values) fmt::format_to(std::back_inserter(text), "{:.17g} ", value);
    text += '\n';
}

void write_matrix(std::string& text, const Matrix& matrix) {
    fmt::format_to(std::back_inserter(text), "{}\n{}\n{}\n", matrix.is_sparse() ? sparse_storage : dense_storage,
                   matrix.rows(), matrix.cols());
    if (matrix.is_sparse())
        write_sparse(text, matrix.sparse());
    else
        write_dense(text, matrix.dense());
}

void write_matrix(std::string& text, const BlockMatrix& matrix) {
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "{}\n{}\n{}\n", block_sparse_storage, matrix.rows(), matrix.rows());
    write_block_pattern(text, matrix);
    Index number = 0;
    for (Index i = 0; i < matrix.blocks(); ++i)
        for (const std::size_t k : ascending_blocks(matrix, i)) {
            const BlockMatrix::Block block = matrix.block(i, k);
            fmt::format_to(out, "{}\n", number++);
            for (Index j = 0; j < block.cols(); ++j) write_numbers(text, block.col(j));
        }
}

}  // namespace saltus
