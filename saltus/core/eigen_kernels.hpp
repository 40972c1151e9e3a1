#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

// The inner kernels of Eigen's products and triangular solves, compiled once in eigen_kernels.cpp: without this, every
// file that multiplies two matrices compiles them again, for 2 to 8 seconds. Only the precompiled headers of this
// project include this file; a build without them, and projects that use the library, take the kernels from Eigen.
// They are what Eigen 3.4 calls, never inlined there, so that results and speed are the same.

#if EIGEN_VERSION_AT_LEAST(3, 4, 0) && !EIGEN_VERSION_AT_LEAST(3, 4, 90)

#ifdef SALTUS_DEFINES_EIGEN_KERNELS
#define SALTUS_KERNEL template
#else
#define SALTUS_KERNEL extern template
#endif

namespace Eigen::internal {

using SaltusTraits = gebp_traits<double, double, false, false>;
using SaltusTarget = blas_data_mapper<double, Index, ColMajor, Unaligned, 1>;
using SaltusByColumn = const_blas_data_mapper<double, Index, ColMajor>;
using SaltusByRow = const_blas_data_mapper<double, Index, RowMajor>;

// C += A B, and the copies of A and B into blocks.
SALTUS_KERNEL struct gebp_kernel<double, double, Index, SaltusTarget, SaltusTraits::mr, SaltusTraits::nr, false, false>;
SALTUS_KERNEL struct gemm_pack_lhs<double, Index, SaltusByColumn, SaltusTraits::mr, SaltusTraits::LhsProgress,
                                   SaltusTraits::LhsPacket4Packing, ColMajor, false, false>;
SALTUS_KERNEL struct gemm_pack_lhs<double, Index, SaltusByRow, SaltusTraits::mr, SaltusTraits::LhsProgress,
                                   SaltusTraits::LhsPacket4Packing, RowMajor, false, false>;
SALTUS_KERNEL struct gemm_pack_rhs<double, Index, SaltusByColumn, SaltusTraits::nr, ColMajor, false, false>;
SALTUS_KERNEL struct gemm_pack_rhs<double, Index, SaltusByRow, SaltusTraits::nr, RowMajor, false, false>;
SALTUS_KERNEL struct gemm_pack_rhs<double, Index, SaltusTarget, SaltusTraits::nr, ColMajor, false, true>;
SALTUS_KERNEL void evaluateProductBlockingSizesHeuristic<double, double, 1, Index>(Index&, Index&, Index&, Index);
SALTUS_KERNEL void evaluateProductBlockingSizesHeuristic<double, double, 4, Index>(Index&, Index&, Index&, Index);

// y += A x, A by columns or by rows.
SALTUS_KERNEL struct general_matrix_vector_product<Index, double, SaltusByColumn, ColMajor, false, double, SaltusByRow,
                                                   false, 0>;
SALTUS_KERNEL struct general_matrix_vector_product<Index, double, SaltusByColumn, ColMajor, false, double,
                                                   SaltusByColumn, false, 0>;
SALTUS_KERNEL struct general_matrix_vector_product<Index, double, SaltusByRow, RowMajor, false, double, SaltusByColumn,
                                                   false, 0>;
SALTUS_KERNEL struct general_matrix_vector_product<Index, double, SaltusByRow, RowMajor, false, double, SaltusByRow,
                                                   false, 1>;

// X <- T^-1 X, T triangular.
SALTUS_KERNEL struct triangular_solve_matrix<double, Index, OnTheLeft, Lower, false, ColMajor, ColMajor, 1>;
SALTUS_KERNEL struct triangular_solve_matrix<double, Index, OnTheLeft, UnitLower, false, ColMajor, ColMajor, 1>;
SALTUS_KERNEL struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, ColMajor, ColMajor, 1>;
SALTUS_KERNEL struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, RowMajor, ColMajor, 1>;

// Copies of sparse matrices.
SALTUS_KERNEL void assign_sparse_to_sparse(SparseMatrix<double>&, const SparseMatrix<double>&);

}  // namespace Eigen::internal

#undef SALTUS_KERNEL
#endif
