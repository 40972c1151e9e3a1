#include "saltus/core/block_matrix.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

// visit(row, col, value) for every entry that is not zero, or is stored in a sparse matrix.
template <class Visit>
void for_each_nonzero(const Matrix& matrix, Visit&& visit) {
    if (matrix.is_sparse()) {
        for (Index col = 0; col < matrix.cols(); ++col)
            for (Matrix::Sparse::InnerIterator entry(matrix.sparse(), col); entry; ++entry)
                visit(entry.row(), col, entry.value());
        return;
    }
    const Matrix::Dense& dense = matrix.dense();
    for (Index col = 0; col < matrix.cols(); ++col)
        for (Index row = 0; row < matrix.rows(); ++row)
            if (dense(row, col) != 0.0) visit(row, col, dense(row, col));
}

std::vector<int> repeated(const Matrix& matrix, int size) {
    require(size >= 1 && matrix.rows() % size == 0, "BlockMatrix: {} rows cannot be cut into blocks of size {}",
            matrix.rows(), size);
    return std::vector<int>(static_cast<std::size_t>(matrix.rows() / size), size);
}

}  // namespace

BlockMatrix::BlockMatrix(const Matrix& matrix, const std::vector<int>& sizes) {
    set_sizes(sizes);
    require(matrix.rows() == rows() && matrix.cols() == rows(),
            "BlockMatrix: the matrix is {} x {}, the sizes of its blocks add up to {}", matrix.rows(), matrix.cols(),
            rows());
    std::vector<int> block_of;
    for (Index i = 0; i < blocks(); ++i)
        block_of.insert(block_of.end(), static_cast<std::size_t>(size(i)), static_cast<int>(i));
    const auto block_at = [&](Index row) { return block_of[static_cast<std::size_t>(row)]; };
    std::vector<std::vector<int>> pattern(sizes.size());
    for_each_nonzero(matrix, [&](Index row, Index col, double) {
        auto& columns = pattern[static_cast<std::size_t>(block_at(row))];
        if (columns.empty() || columns.back() != block_at(col)) columns.push_back(block_at(col));
    });
    lay_out(pattern);
    for_each_nonzero(matrix, [&](Index row, Index col, double value) {
        const Index i = block_at(row), j = block_at(col);
        block_values(i, j)[(col - start(j)) * stride(size(i)) + row - start(i)] = value;
    });
}

BlockMatrix::BlockMatrix(const Matrix& matrix, int size) : BlockMatrix(matrix, repeated(matrix, size)) {}

BlockMatrix::BlockMatrix(const std::vector<int>& sizes, const std::vector<Entry>& entries) {
    set_sizes(sizes);
    std::vector<std::vector<int>> pattern(sizes.size());
    for (const Entry& entry : entries) {
        require(entry.row >= 0 && entry.row < blocks() && entry.col >= 0 && entry.col < blocks(),
                "BlockMatrix: there is no block ({}, {}); there are {} rows of blocks", entry.row, entry.col, blocks());
        require(entry.values.rows() == size(entry.row) && entry.values.cols() == size(entry.col),
                "BlockMatrix: block ({}, {}) is {} x {}; it must be {} x {}", entry.row, entry.col, entry.values.rows(),
                entry.values.cols(), size(entry.row), size(entry.col));
        pattern[static_cast<std::size_t>(entry.row)].push_back(static_cast<int>(entry.col));
    }
    lay_out(pattern);
    for (const Entry& entry : entries) {
        const int rows = size(entry.row);
        Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>(block_values(entry.row, entry.col), rows,
                                                             entry.values.cols(), Eigen::OuterStride<>(stride(rows))) +=
            entry.values;
    }
}

void BlockMatrix::set_sizes(const std::vector<int>& sizes) {
    starts_.resize(sizes.size() + 1);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        require(sizes[i] >= 1 && sizes[i] <= largest_block,
                "BlockMatrix: block {} has size {}; it must be from 1 to {}", i, sizes[i], largest_block);
        starts_[i + 1] = starts_[i] + sizes[i];
    }
    const bool is_uniform = std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end();
    uniform_size_ = is_uniform && !sizes.empty() ? sizes.front() : 0;
}

void BlockMatrix::lay_out(std::vector<std::vector<int>>& pattern) {
    row_begin_.reserve(pattern.size() + 1);
    std::size_t offset = 0;
    for (Index i = 0; i < blocks(); ++i) {
        auto& columns = pattern[static_cast<std::size_t>(i)];
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        std::erase(columns, static_cast<int>(i));
        columns_.push_back(static_cast<int>(i));
        columns_.insert(columns_.end(), columns.begin(), columns.end());
        row_begin_.push_back(columns_.size());
        for (std::size_t k = offsets_.size(); k < columns_.size(); ++k) {
            offsets_.push_back(offset);
            offset += static_cast<std::size_t>(stride(size(i)) * size(columns_[k]));
        }
    }
    values_.assign(offset, 0.0);
}

double* BlockMatrix::block_values(Index i, Index j) {
    const auto row = columns(i);
    const auto found = i == j ? row.begin() : std::lower_bound(row.begin() + 1, row.end(), static_cast<int>(j));
    return &values_[offsets_[first(i) + static_cast<std::size_t>(found - row.begin())]];
}

void BlockMatrix::add_row_product(Index i, const double* x, double* y_i, std::size_t first_block) const {
    const auto add = [&]<int Rows>() {
        Eigen::Map<Eigen::Matrix<double, Rows, 1>> y(y_i);
        y += row_product<Rows, Eigen::Dynamic>(i, x, first_block);
    };
    switch (size(i)) {
        case 1:
            return add.operator()<1>();
        case 2:
            return add.operator()<2>();
        case 3:
            return add.operator()<3>();
        case 4:
            return add.operator()<4>();
        case 5:
            return add.operator()<5>();
        case 6:
            return add.operator()<6>();
    }
}

void BlockMatrix::multiply_add(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    const auto add_rows = [&]<int Size>() {
        for (Index i = 0; i < blocks(); ++i) y.segment<Size>(start(i)) += row_product<Size, Size>(i, x.data());
    };
    switch (uniform_size_) {
        case 2:
            return add_rows.operator()<2>();
        case 3:
            return add_rows.operator()<3>();
        case 5:
            return add_rows.operator()<5>();
    }
    for (Index i = 0; i < blocks(); ++i) add_row_product(i, x.data(), y.data() + start(i));
}

Eigen::VectorXd BlockMatrix::operator*(const Eigen::VectorXd& x) const {
    Eigen::VectorXd y = Eigen::VectorXd::Zero(rows());
    multiply_add(x, y);
    return y;
}

Matrix::Sparse BlockMatrix::to_sparse() const {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < blocks(); ++i) {
        for (std::size_t k = 0; k < columns(i).size(); ++k) {
            const Block values = block(i, k);
            const Index j = columns(i)[k];
            for (Index c = 0; c < values.cols(); ++c)
                for (Index r = 0; r < values.rows(); ++r)
                    entries.emplace_back(static_cast<int>(start(i) + r), static_cast<int>(start(j) + c), values(r, c));
        }
    }
    Matrix::Sparse result(rows(), rows());
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
}

Matrix::Dense BlockMatrix::to_dense() const {
    Matrix::Dense result = Matrix::Dense::Zero(rows(), rows());
    for (Index i = 0; i < blocks(); ++i) {
        for (std::size_t k = 0; k < columns(i).size(); ++k) {
            const Index j = columns(i)[k];
            result.block(start(i), start(j), size(i), size(j)) = block(i, k);
        }
    }
    return result;
}

BlockMatrix BlockMatrix::principal(const IndexList& list) const {
    std::vector<int> place(static_cast<std::size_t>(blocks()), -1), sizes;
    for (const Index i : list) {
        place[static_cast<std::size_t>(i)] = static_cast<int>(sizes.size());
        sizes.push_back(size(i));
    }
    std::vector<std::vector<int>> pattern(sizes.size());
    for (std::size_t row = 0; row < list.size(); ++row)
        for (const int j : columns(list[row]))
            if (const int col = place[static_cast<std::size_t>(j)]; col >= 0) pattern[row].push_back(col);
    BlockMatrix result;
    result.set_sizes(sizes);
    result.lay_out(pattern);
    for (std::size_t row = 0; row < list.size(); ++row) {
        const Index i = list[row];
        for (std::size_t k = 0; k < columns(i).size(); ++k) {
            const int j = columns(i)[k], col = place[static_cast<std::size_t>(j)];
            if (col < 0) continue;
            std::copy_n(&values_[offsets_[first(i) + k]], stride(size(i)) * size(j),
                        result.block_values(static_cast<Index>(row), col));
        }
    }
    return result;
}

double BlockMatrix::asymmetry() const {
    const Matrix::Sparse W = to_sparse();
    const Matrix::Sparse skew = W - Matrix::Sparse(W.transpose());
    const double largest = Matrix(W).largest_entry();
    return largest > 0.0 ? Matrix(skew).largest_entry() / largest : 0.0;
}

}  // namespace saltus
