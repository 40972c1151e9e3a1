#include "saltus/io/problem/problem_file.hpp"
#include "saltus/core/infinity.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "support/random_problems.hpp"
#include "support/same_bits.hpp"
#include "support/temporary_file.hpp"

namespace saltus {
namespace {

using testing::contents;
using testing::Random;
using testing::same_bits;
using testing::TemporaryFile;

const std::filesystem::path data = SALTUS_TEST_DATA;

template <class P>
P read(const std::filesystem::path& path) {
    return std::get<P>(read_problem(path));
}

template <class P>
P parse(std::string_view text) {
    return read<P>(TemporaryFile(text).path());
}

TEST(ProblemFile, EveryFileOfTheCollectionIsOfTheKindOfItsFolder) {
    int files = 0;
    for (const auto kind : {ProblemKind::lcp, ProblemKind::mlcp, ProblemKind::relay})
        for (const auto& entry : std::filesystem::directory_iterator(data / to_string(kind))) {
            ++files;
            EXPECT_EQ(kind_of(read_problem(entry.path())), kind) << entry.path();
        }
    EXPECT_EQ(files, 28);
}

TEST(ProblemFile, DenseValuesComeColumnByColumn) {  // Cottle, Pang, Stone, example 4.4.7; a remark follows q
    const Lcp lcp = read<Lcp>(data / "lcp/lcp_CPS_2.dat");
    EXPECT_EQ(lcp.M.dense(), (Eigen::Matrix3d{{0, -1, 2}, {2, 0, -2}, {-1, 1, 0}}));
    EXPECT_EQ(lcp.q, Eigen::Vector3d(-3, 6, -1));
}

TEST(ProblemFile, BlockSparseFilesHoldTheSameProblemAsTheirDenseTwins) {
    for (const std::string name : {"lcp_deudeu", "lcp_trivial"}) {
        const Lcp dense = read<Lcp>(data / "lcp" / (name + ".dat")),
                  block = read<Lcp>(data / "lcp" / (name + "_block.dat"));
        EXPECT_TRUE(block.M.is_sparse());
        EXPECT_EQ(block.M.to_dense(), dense.M.dense());
        EXPECT_EQ(block.q, dense.q);
    }
}

TEST(ProblemFile, BlocksMayHaveAnyShapeAndRowsMayBeEmpty) {
    // Block rows {0}, {1, 2}, {3}, the same block columns; blocks (0, 1), (1, 0) and (1, 1); the row pointer stops
    // before the last block row, which is empty.
    const Lcp lcp = parse<Lcp>(
        "4  1 4 4  3 3 3  1 3 4  1 3 4  3 3  0 1 3  1 0 1  0  12 13  1  21 31  2  22 32 23 33   -1 -2 -3 -4");
    EXPECT_EQ(lcp.M.to_dense(), (Eigen::Matrix4d{{0, 12, 13, 0}, {21, 22, 23, 0}, {31, 32, 33, 0}, {0, 0, 0, 0}}));
    EXPECT_EQ(lcp.q, Eigen::Vector4d(-1, -2, -3, -4));
}

const char* const header_2x2 = "2\n2\n2\n2\n";
const Eigen::Matrix2d upper_2x2{{1.5, -2}, {0, 3}};

TEST(ProblemFile, SparseColumnsAsCSparsePrintsThem) {
    const Lcp lcp = parse<Lcp>(std::string(header_2x2) +
                               "2\nCSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016\n"
                               "2-by-2, nzmax: 3 nnz: 3, 1-norm: 5\n"
                               "    col 0 : locations 0 to 0\n      0 : 1.5\n"
                               "    col 1 : locations 1 to 2\n      0 : -2\n      1 : 3\n -1 -2\n");
    EXPECT_TRUE(lcp.M.is_sparse());
    EXPECT_EQ(lcp.M.to_dense(), upper_2x2);
    EXPECT_EQ(lcp.q, Eigen::Vector2d(-1, -2));
}

TEST(ProblemFile, SparseTripletsAddUp) {
    const Lcp lcp = parse<Lcp>(std::string(header_2x2) +
                               "1\nCSparse Version 3.2.0\ntriplet: 2-by-2, nzmax: 9 nnz: 4\n"
                               "    1 1 : 2\n    0 1 : -2\n    1 1 : 1\n    0 0 : 1.5\n -1 -2\n");
    EXPECT_EQ(lcp.M.to_dense(), upper_2x2);
}

TEST(ProblemFile, EmptySparseColumns) {
    const Lcp lcp = parse<Lcp>(std::string(header_2x2) +
                               "2\nCSparse Version 3.1.9\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 4\n"
                               "    col 0 : locations 0 to -1\n    col 1 : locations 0 to 0\n      0 : 4\n0 1");
    EXPECT_EQ(lcp.M.to_dense(), (Eigen::Matrix2d{{0, 4}, {0, 0}}));
}

TEST(ProblemFile, RelaysHaveBoundsWhichMayBeInfinite) {
    const BoxVi relay = parse<BoxVi>("2 0 2 2 2 2  1 0 0 1  -5 5  -inf -1  +1 INF");
    EXPECT_EQ(relay.lower, Eigen::Vector2d(-infinity, -1));
    EXPECT_EQ(relay.upper, Eigen::Vector2d(1, infinity));
    EXPECT_EQ(relay.q, Eigen::Vector2d(-5, 5));
}

// After q an mlcp file repeats its blocks row by row: A (equalities), B (complementarities), C, D, and q in two parts.
TEST(ProblemFile, MixedProblemsAgreeWithTheSecondStorageOfTheFile) {
    const Mlcp mlcp = read<Mlcp>(data / "mlcp/RCD_mlcp.dat");
    EXPECT_EQ(mlcp.free, (std::vector<bool>{true, true, false}));
    EXPECT_EQ(mlcp.M.dense(), (Eigen::Matrix3d{{0.1, -0.1, -1}, {-1.504999999999999893418590, 0.5, 0}, {0, -1, 0}}));
    EXPECT_EQ(mlcp.q, Eigen::Vector3d(0, 4.949999999999999955591079e-01, 0));
}

TEST(ProblemFile, BlocksOfMixedProblemsComeInAnyOrder) {
    const Mlcp mlcp = parse<Mlcp>("1 0  1 2  0 1 2 3  1 0 1   0 3 3 3 3  1 0 0 0 1 0 0 0 1  7 8 9");
    EXPECT_EQ(mlcp.free, (std::vector<bool>{false, true, false}));
}

TEST(ProblemFile, AnExplicitKindSettlesWhatTheContentsDoNot) {
    const std::string lcp_with_numbers_after_it = "1 0 1 1 1 1  2  -3  4";
    const TemporaryFile file(lcp_with_numbers_after_it);
    EXPECT_THROW(read_problem(file.path()), ProblemFileError);
    EXPECT_EQ(std::get<Lcp>(read_problem(file.path(), ProblemKind::lcp)).q[0], -3.0);
}

// Values of every magnitude, subnormal ones included.
double any_double(Random& random) {
    if (random.coin(0.1)) return random.coin() ? 0.0 : -0.0;
    return random.uniform() * std::pow(10.0, static_cast<double>(random.integer(-318, 307)));
}
Eigen::VectorXd any_vector(Index n, Random& random) {
    return Eigen::VectorXd::NullaryExpr(n, [&](Index) { return any_double(random); });
}
Matrix any_matrix(Index n, Random& random) {
    Eigen::MatrixXd dense = Eigen::MatrixXd::NullaryExpr(n, n, [&](Index, Index) { return any_double(random); });
    if (random.coin()) return dense;
    return Matrix::Sparse(dense.sparseView());
}

TEST(ProblemFile, WritingThenReadingGivesTheSameBits) {
    const TemporaryFile file;
    for (unsigned seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const Index n = random.integer(1, 7);
        const Lcp lcp{any_matrix(n, random), any_vector(n, random)};
        write_problem(file.path(), lcp);
        EXPECT_TRUE(same_bits(read<Lcp>(file.path()), lcp)) << "seed " << seed;

        Mlcp mlcp{any_matrix(n, random), any_vector(n, random), {}};
        for (Index i = 0; i < n; ++i) mlcp.free.push_back(random.coin());
        write_problem(file.path(), mlcp);
        EXPECT_TRUE(same_bits(read<Mlcp>(file.path()), mlcp)) << "seed " << seed;

        BoxVi relay{any_matrix(n, random), any_vector(n, random), any_vector(n, random), {}};
        relay.upper = relay.lower.array() + random.uniform(0.0, 1.0);
        if (random.coin()) relay.lower[0] = -infinity;
        if (random.coin()) relay.upper[n - 1] = infinity;
        write_problem(file.path(), relay);
        EXPECT_TRUE(same_bits(read<BoxVi>(file.path()), relay)) << "seed " << seed;
    }
}

TEST(ProblemFile, ProblemsWithoutUnknownsAreWrittenAndRead) {
    const TemporaryFile file;
    const Eigen::MatrixXd none(0, 0);
    const Eigen::VectorXd q(0);
    for (const Problem& problem : {Problem(Lcp{none, q}), Problem(Mlcp{none, q, {}}), Problem(BoxVi{none, q, q, q})}) {
        write_problem(file.path(), problem);
        EXPECT_EQ(read_problem(file.path(), kind_of(problem)).index(), problem.index());
    }
}

TEST(ProblemFile, InconsistentProblemsAreNotWritten) {
    const TemporaryFile file;
    EXPECT_THROW(write_problem(file.path(), Lcp{Eigen::Matrix2d::Identity(), Eigen::Vector3d::Zero()}), InvalidInput);
    EXPECT_THROW(write_problem("/nonexistent/folder/a.dat", Lcp{Eigen::Matrix2d::Identity(), Eigen::Vector2d::Zero()}),
                 ProblemFileError);
}

struct BadFile {
    std::string text;
    Index line;
    std::string message;  // a part of it
};

const std::string csparse = "2\n2\n2\n2\n2\nCSparse Version 3.1.9\n";

const BadFile bad_files[] = {
    {"", 0, "the file is empty"},
    {"\n \n", 3, "expected the number of unknowns n, an integer from 0 to"},
    {"PK\x03\x04\x01\xff\xfe", 1, "found 'PK\?\?\?\?\?'"},
    {"\x89HDF\r\n\x1a\n\x02\x08", 0, "HDF5 cannot read the file; it is truncated or damaged"},
    {"\x89HDF\n", 1, "found '?HDF'"},
    {"hello world", 1, "found 'hello'"},
    {"-2\n0\n-2\n-2\n", 1, "found '-2'"},
    {"2.5\n0\n2\n2\n", 1, "found '2.5'"},
    {"99999999999999999999\n0\n", 1, "found '99999999999999999999'"},
    {"2000000000\n0\n2000000000\n2000000000\n2000000000 2000000000\n1 2", 1,
     "expected 2000000000 values of q, found the end of the file"},
    {"3\n0\n3\n3\n3\t3\n1 2", 5, "expected 9 values of the dense matrix, found the end"},
    {"2\n7\n2\n2\n", 2, "expected the storage of the matrix, an integer from 0 to 2"},
    {"2\n0\n2\n3\n2 3\n1 2 3 4 5 6 -1 -1", 4, "expected 2 for the columns of the matrix"},
    {"2\n0\n2\n2\n2 3\n1 2 3 4 -1 -1", 5, "columns of the dense matrix, once more"},
    {"2\n0\n2\n2\n2 2\n1 2\n3 x4\n-1 -1", 7, "(value 4 of the 4 of the dense matrix), found 'x4'"},
    {"2\n0\n2\n2\n2 2\n1 2\n3 1e4x\n-1 -1", 7, "found '1e4x'"},
    {"2\n0\n2\n2\n2 2\n1 nan\n3 4\n-1 -1", 6, "expected a finite number"},
    {"2\n0\n2\n2\n2 2\n1 2\n3 4\n-1 inf", 8, "(value 2 of the 2 of q), found 'inf'"},
    {"2\n0\n2\n2\n2 2\n1 2\n3 4\n-1\n", 9, "(value 2 of the 2 of q), found the end of the file"},
    {"1\n0\n1\n1\n1 1\n1\n-1\n0 nan\n", 8, "expected a number, inf or -inf"},
    {"1\n0\n1\n1\n1 1\n1\n-1\n1 0\n", 8, "found lower[0] = 1 and upper[0] = 0"},
    {"2\n0\n2\n2\n2 2\n1 2 3 4 -1 -1\n5\n", 6, "--kind lcp or --kind relay"},
    {"2\n1\n2\n2\n1 1 1\n3\n2\n", 6, "the end row of every block row"},
    {"2\n1\n2\n2\n1 1 1\n1\n2\n", 6, "the end row of every block row to end at 2, found 1"},
    {"2\n1\n2\n2\n1 1 1\n2\n2\n2 1\n0 2\n0\n0\n1 1 1 1\n0 0", 9, "the row pointer"},
    {"2\n1\n2\n2\n1 1 1\n2\n2\n2 1\n1 1\n0\n0\n1 1 1 1\n0 0", 9, "ascends from 0 to the number of blocks, 1"},
    {"2\n1\n2\n2\n1 1 1\n2\n2\n2 1\n0 1\n1\n0\n1 1 1 1\n0 0", 10, "the block column"},
    {"2\n1\n2\n2\n1 1 1\n2\n2\n2 1\n0 1\n0\n3\n1 1 1 1\n0 0", 11, "expected 0 for the number of the block"},
    {csparse + "nonsense\n", 7, "the line 'R-by-C, nzmax: N nnz: N'"},
    {csparse + "2-by-2, nzmax: 0 nnz: 0\ncol 0 : locations 0 to -1\n1 1", 9, "'col'"},
    {csparse + "2-by-2, nzmax: 1 nnz: 1\ncol 1 : locations 0 to 0\n", 8, "number of the column"},
    {csparse + "triplet: 2-by-2, nzmax: 1 nnz: 1\n0 2 : 1\n1 1", 8, "the column of an entry"},
    {"1 1 1 1\n0 1 2\n0 2\n", 3, "the flag of a block (0: equality, 1: complementarity)"},
    {"1 1 1 1\n0 1 2\n0 0\n0 2 2 2 2\n", 3, "expected 1 equality rows, found 2"},
    {"1 1 2000000000 2000000000\n0 1 2\n", 1, "expected 4000000000 values of q"},
    {"3 2000000000 0 3 3", 1, "expected 8000000000 values of q and mu"},
    {"3 1 0 2000000000 2000000000", 1, "expected 2000000000 values of f"},
    {"3\n1\n0\n3\n3\n3 3\n", 6, "expected 9 values of the dense matrix, found the end"},
    {"3 1 0 3 3 3 3\n1 0 0 0 1 0 0 0 1\n0 0\n", 4, "(value 3 of the 3 of q), found the end of the file"},
    {"3 1 0 3 3 3 3\n1 0 0 0 1 0 0 0 1\n0 0 0\n-0.5\n", 4, "zero or more, found mu[0] = -0.5"},
    {"3 1 0 3 3 3 3\n1 0 0 0 1 0 0 0 1\n0 0 0\nnan\n", 4, "expected a finite number (mu)"},
    {"5 1 0 5 5 5 5\n1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1\n0 0 0 0 0\n1\n", 5, "(mu_r), found the end"},
    {"3 1 0 2 2 2 2\n1 0 0 1\n0 0 0\n1\n", 3, "expected a matrix H of 2 rows and 3 columns"},
    {"3 1 0 3 4 3 4\n1 0 0 0 1 0 0 0 1\n0 0 0\n1\n", 1, "expected 3 for the columns of the matrix"},
    {"2\n1\n2\n2\n2\n2\nCSparse Version 3\n2-by-2, nzmax: 0 nnz: 0\n", 9, "'col'"},
};

TEST(ProblemFile, BadFilesAreRefusedWithFileLineAndExpectation) {
    for (const auto& [text, line, message] : bad_files) {
        SCOPED_TRACE(text);
        const TemporaryFile file(text);
        try {
            read_problem(file.path());
            ADD_FAILURE() << "no error; expected: " << message;
        } catch (const ProblemFileError& error) {
            EXPECT_EQ(error.line, line) << error.what();
            EXPECT_EQ(error.file, file.path().string());
            EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
            EXPECT_TRUE(std::string(error.what()).starts_with(file.path().string() + ":"));
        }
    }
}

TEST(ProblemFile, MissingFilesAndFoldersAreRefused) {
    const auto message = [](const std::filesystem::path& path) -> std::string {
        try {
            read_problem(path);
        } catch (const ProblemFileError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message("/nonexistent/a.dat"), "/nonexistent/a.dat: there is no such file");
    EXPECT_EQ(message(data), data.string() + ": this is a folder; expected a problem file");
    EXPECT_EQ(message("/dev/zero"), "/dev/zero: this is not a regular file");
}

// Reads the text as every kind: a problem or a ProblemFileError, nothing else.
void read_in_every_way(const TemporaryFile& file) {
    std::vector<std::optional<ProblemKind>> kinds(problem_kinds.begin(), problem_kinds.end());
    kinds.emplace_back();
    for (const auto kind : kinds) try {
            read_problem(file.path(), kind);
        } catch (const ProblemFileError&) {
        }
}

TEST(ProblemFile, NoDamagedFileDoesMoreThanThrow) {
    const std::string sparse = "2 2 2 2\n2\nCSparse\n2-by-2, nzmax: 1\ncol 0 : 0 to 0\n0 : 4\ncol 1 : 1 to 0\n-1 -2\n";
    const std::string triplet = "2 2 2 2\n1\nCSparse\ntriplet: 2-by-2, nzmax: 1\n0 0 : 4\n1 0 : -3\n-1 -2\n";
    TemporaryFile file;
    for (const std::string& intact :
         {contents(data / "lcp/lcp_trivial_block.dat"), contents(data / "lcp/lcp_CPS_3.dat"),
          contents(data / "mlcp/deudeu_mlcp.dat"), contents(data / "relay/step_1x1.dat"), sparse, triplet,
          contents(data / "friction3d/FC3D_Example1_SBM.dat"), contents(data / "friction3d/GFC3D_Example1.dat"),
          contents(data / "friction2d/FC2D_SliderCrankLagrangian00000.dat"),
          contents(data / "rolling/RFC3D_sphere_1.dat")}) {
        for (std::size_t length = 0; length < intact.size(); length += 3) {
            file.write(intact.substr(0, length));
            read_in_every_way(file);
        }
        Random random(1);
        for (int trial = 0; trial < 200; ++trial) {
            std::string damaged = intact;
            for (int k = 0; k < 3; ++k)
                damaged[static_cast<std::size_t>(random.integer(0, std::ssize(damaged) - 1))] =
                    random.coin() ? static_cast<char>(random.integer(0, 255))
                                  : static_cast<char>(random.integer('0', '9'));
            file.write(damaged);
            read_in_every_way(file);
        }
    }
}

}  // namespace
}  // namespace saltus
