// Friction problems, as .dat and as FCLIB's HDF5.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <limits>

#include "saltus/complementarity/one_step/one_step_problem.hpp"
#include "saltus/io/problem/fclib_file.hpp"
#include "saltus/io/problem/hdf5_image.hpp"
#include "support/random_problems.hpp"
#include "support/same_bits.hpp"
#include "support/temporary_file.hpp"

namespace saltus {
namespace {

using testing::contents;
using testing::Random;
using testing::same_bits;
using testing::TemporaryFile;

const std::filesystem::path friction_data = SALTUS_TEST_DATA;

template <class P>
P read_friction(const std::filesystem::path& path) {
    return std::get<P>(read_problem(path));
}

std::vector<std::filesystem::path> friction_files() {
    std::vector<std::filesystem::path> files;
    for (const std::string folder : {"friction2d", "friction3d", "rolling"})
        for (const auto& entry : std::filesystem::directory_iterator(friction_data / folder))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

bool is_global_name(const std::string& name) {
    return name.starts_with("GFC") || name.starts_with("gfc") || name.starts_with("GRFC") || name.starts_with("Box_") ||
           name.starts_with("Chute");
}

TEST(FrictionFile, EveryFileOfTheCollectionIsOfTheKindAndDimensionOfItsName) {
    int files = 0;
    for (const auto& path : friction_files()) {
        ++files;
        SCOPED_TRACE(path.string());
        const int dimension = path.parent_path().filename() == "friction2d"   ? 2
                              : path.parent_path().filename() == "friction3d" ? 3
                                                                              : 5;
        const Problem problem = read_problem(path);
        const bool is_global = is_global_name(path.filename());
        ASSERT_EQ(kind_of(problem), is_global ? ProblemKind::global_friction : ProblemKind::friction);
        EXPECT_TRUE(same_bits(read_problem(path, kind_of(problem)), problem));
        if (is_global) {
            EXPECT_EQ(std::get<GlobalFrictionProblem>(problem).dimension(), dimension);
        } else {
            const auto& local = std::get<FrictionProblem>(problem);
            EXPECT_EQ(local.dimension(), dimension);
            OneStepView(local).check("test", Eigen::VectorXd::Zero(local.q.size()));
        }
    }
    EXPECT_EQ(files, 35);
}

// In this file the solution was announced and never written: HDF5 stores nothing, and gives zeros.
TEST(FclibFile, DatasetsThatWereNeverWrittenAreZero) {
    const auto path = friction_data / "friction3d/Capsules-i125-1213.hdf5";
    const std::string bytes = contents(path);
    const Hdf5Image image(path.string(), bytes);
    EXPECT_EQ(image.numbers("solution/r", 858), Eigen::VectorXd::Zero(858));
    EXPECT_GT(image.numbers("solution/u", 858).norm(), 1.0);
}

// The text has 6 digits in the matrices, all in the vectors.
TEST(FrictionFile, TextAndHdf5HoldTheSameRollingProblem) {
    const auto text = read_friction<GlobalFrictionProblem>(friction_data / "rolling/GRFC3D_Chute-ndof-768-nc-4-3.dat"),
               hdf5 = read_friction<GlobalFrictionProblem>(friction_data / "rolling/Chute-ndof-768-nc-4-3.hdf5");
    EXPECT_LE((text.M.to_dense() - hdf5.M.to_dense()).norm(), 1e-5 * hdf5.M.to_dense().norm());
    EXPECT_LE((text.H.to_dense() - hdf5.H.to_dense()).norm(), 1e-5 * hdf5.H.to_dense().norm());
    EXPECT_EQ(text.f, hdf5.f);
    EXPECT_EQ(text.b, hdf5.b);
    EXPECT_EQ(text.mu, hdf5.mu);
    EXPECT_EQ(text.rolling, hdf5.rolling);
    EXPECT_EQ(hdf5.rolling[0], 0.1);
}

TEST(FrictionFile, OneContactByHand) {
    const auto problem = read_friction<FrictionProblem>(friction_data / "friction3d/FrictionContact3D_1c.dat");
    EXPECT_EQ(problem.W.to_dense(), (Eigen::Matrix3d{{15, -1, -2}, {-1, 14, 1}, {-2, 1, 16}}));
    EXPECT_EQ(problem.q, Eigen::Vector3d(-1, 2, 3));
    EXPECT_EQ(problem.mu[0], 0.1);
}

// HDF5 has no dense matrices.
Problem with_sparse_matrices(Problem problem) {
    if (auto* global = std::get_if<GlobalFrictionProblem>(&problem)) {
        global->M = global->M.to_sparse();
        global->H = global->H.to_sparse();
    }
    return problem;
}

void expect_same_after_writing(const Problem& problem) {
    const TemporaryFile text, hdf5("", ".hdf5");
    write_problem(text.path(), problem);
    write_problem(hdf5.path(), problem);
    EXPECT_FALSE(is_hdf5(contents(text.path())));
    EXPECT_TRUE(is_hdf5(contents(hdf5.path())));
    EXPECT_TRUE(same_bits(read_problem(text.path(), kind_of(problem)), problem));
    EXPECT_TRUE(same_bits(read_problem(hdf5.path(), kind_of(problem)), with_sparse_matrices(problem)));
    EXPECT_EQ(read_problem(text.path()).index(), problem.index()) << contents(text.path());
    EXPECT_EQ(read_problem(hdf5.path()).index(), problem.index());
}

TEST(FrictionFile, WritingThenReadingTheCollectionGivesTheSameBits) {
    for (const auto& path : friction_files()) {
        SCOPED_TRACE(path.string());
        expect_same_after_writing(read_problem(path));
    }
}

Matrix sparse_or_dense(const Eigen::MatrixXd& dense, Random& random) {
    if (random.coin()) return dense;
    return Matrix::Sparse(dense.sparseView());
}

Eigen::MatrixXd with_holes(Index rows, Index cols, Random& random) {
    return Eigen::MatrixXd::NullaryExpr(rows, cols, [&](Index, Index) {
        return random.coin() ? 0.0 : random.uniform() * std::pow(10.0, static_cast<double>(random.integer(-300, 300)));
    });
}

TEST(FrictionFile, WritingThenReadingRandomProblemsGivesTheSameBits) {
    for (unsigned seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        const int d = std::array{2, 3, 5}[static_cast<std::size_t>(random.integer(0, 2))];
        const Index contacts = random.integer(0, 4), n = contacts > 0 ? d * contacts : 0,
                    freedoms = random.integer(0, 6);
        const Eigen::VectorXd mu = random.vector(contacts, 0.0, 1.0),
                              rolling = d == 5 ? random.vector(contacts, 0.0, 1.0) : Eigen::VectorXd();
        expect_same_after_writing(FrictionProblem{BlockMatrix(sparse_or_dense(with_holes(n, n, random), random), d),
                                                  random.vector(n), mu, rolling});
        expect_same_after_writing(GlobalFrictionProblem{sparse_or_dense(with_holes(freedoms, freedoms, random), random),
                                                        sparse_or_dense(with_holes(freedoms, n, random), random),
                                                        random.vector(freedoms), random.vector(n), mu, rolling});
    }
}

TEST(FrictionFile, AffineProblemsAreNotWrittenAsHdf5) {
    const TemporaryFile file("", ".h5");
    EXPECT_THROW(write_problem(file.path(), Lcp{Eigen::Matrix2d::Identity(), Eigen::Vector2d::Zero()}),
                 ProblemFileError);
}

TEST(FrictionFile, InconsistentProblemsAreNotWritten) {
    const TemporaryFile file;
    FrictionProblem local = read_friction<FrictionProblem>(friction_data / "friction3d/FrictionContact3D_1c.dat");
    local.mu[0] = -1.0;
    EXPECT_THROW(write_problem(file.path(), local), InvalidInput);
    GlobalFrictionProblem global =
        read_friction<GlobalFrictionProblem>(friction_data / "friction3d/GFC3D_Example00.dat");
    global.f.conservativeResize(2);
    EXPECT_THROW(write_problem(file.path(), global), InvalidInput);
}

// q = (0, 3, 3), the header of a dense matrix 3 x 3: what follows is too short for one.
TEST(FrictionFile, VelocitiesThatLookLikeAMatrixStayVelocities) {
    const TemporaryFile file("3 1 0 3 3 3 3  2 0 0 0 2 0 0 0 2   0 3 3   0.5\n1\n");
    const auto problem = read_friction<FrictionProblem>(file.path());
    EXPECT_EQ(problem.q, Eigen::Vector3d(0, 3, 3));
    EXPECT_EQ(problem.mu[0], 0.5);
}

// One contact in the plane, W = [2 -1; 3 4], stored by hand.
struct Storage {
    int nz;
    std::vector<int> p, i;
    std::vector<double> x;
};
const Storage by_columns{-1, {0, 2, 4}, {0, 1, 0, 1}, {2, 3, -1, 4}};

void add_matrix(Hdf5Image& image, const std::string& group, const Storage& storage, int rows = 2, int cols = 2) {
    const auto write_integer = [&](const std::string& name, int value) {
        image.write(group + "/" + name, std::span<const int>(&value, 1));
    };
    image.make_group(group);
    write_integer("m", rows);
    write_integer("n", cols);
    write_integer("nz", storage.nz);
    write_integer("nzmax", static_cast<int>(storage.x.size()));
    image.write(group + "/p", std::span(storage.p));
    image.write(group + "/i", std::span(storage.i));
    image.write(group + "/x", std::span(storage.x));
}

// Each part of the file can be replaced by another, or left out.
struct Parts {
    std::string group = "fclib_local";
    Storage W = by_columns;
    int rows = 2;
    std::vector<int> spacedim{2};
    std::vector<double> q{-1, 0.5}, mu{0.25};
    std::vector<std::string> absent{}, extra_matrices{};
};

std::string hdf5_bytes(const Parts& parts) {
    const auto has = [&](const std::string& name) {
        return std::find(parts.absent.begin(), parts.absent.end(), name) == parts.absent.end();
    };
    Hdf5Image image("test");
    image.make_group(parts.group);
    image.make_group(parts.group + "/vectors");
    if (has("spacedim")) image.write(parts.group + "/spacedim", std::span(parts.spacedim));
    if (has("W")) add_matrix(image, parts.group + "/W", parts.W, parts.rows);
    if (has("q")) image.write(parts.group + "/vectors/q", std::span(parts.q));
    if (has("mu")) image.write(parts.group + "/vectors/mu", std::span(parts.mu));
    for (const auto& name : parts.extra_matrices) add_matrix(image, parts.group + "/" + name, by_columns);
    return image.bytes();
}

TEST(FclibFile, EveryStorageGivesTheSameMatrix) {
    const Storage by_rows{-2, {0, 2, 4}, {0, 1, 0, 1}, {2, -1, 3, 4}};
    const Storage triplets{5, {1, 0, 1, 0, 1}, {0, 0, 1, 1, 1}, {-1, 2, 1, 3, 3}};  // W(1, 1) = 1 + 3
    const Storage longer{4, {1, 0, 1, 0, 9}, {0, 0, 1, 1, 9}, {-1, 2, 4, 3, 9}};    // what is allocated, not used
    for (const Storage& storage : {by_columns, by_rows, triplets, longer}) {
        const TemporaryFile file(hdf5_bytes({.W = storage}));
        const auto problem = read_friction<FrictionProblem>(file.path());
        EXPECT_EQ(problem.W.to_dense(), (Eigen::Matrix2d{{2, -1}, {3, 4}})) << storage.nz;
        EXPECT_EQ(problem.q, Eigen::Vector2d(-1, 0.5));
        EXPECT_EQ(problem.mu[0], 0.25);
    }
}

struct BadParts {
    Parts parts;
    std::string message;  // a part of it
};

TEST(FclibFile, BadFilesAreRefusedWithFileAndDataset) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const BadParts bad_files[] = {
        {{.group = "fclib_loca"}, "expected a group fclib_local or fclib_global, found none"},
        {{.absent = {"spacedim"}}, "fclib_local/spacedim: there is no such dataset"},
        {{.absent = {"q"}}, "fclib_local/vectors/q: there is no such dataset"},
        {{.absent = {"mu"}}, "fclib_local/vectors/mu: there is no such dataset"},
        {{.absent = {"W"}}, "fclib_local/W/m: there is no such dataset"},
        {{.spacedim = {4}}, "fclib_local/spacedim: expected 2, 3 or 5 (rolling friction), found 4"},
        {{.spacedim = {}}, "fclib_local/spacedim: expected 1 integers, found 0"},
        {{.spacedim = {5}}, "fclib_local/vectors/mu_r: there is no such dataset"},
        {{.spacedim = {3}}, "fclib_local/vectors/q: expected 3 numbers, found 2"},
        {{.rows = 3}, "fclib_local/W: expected a matrix 2 x 2, as the vectors have it, found 3 x 2"},
        {{.q = {1, nan}}, "fclib_local/vectors/q: expected finite numbers, found nan at 1"},
        {{.mu = {-1}}, "fclib_local/vectors/mu: expected coefficients of friction, zero or more, found -1 at 0"},
        {{.mu = {nan}}, "fclib_local/vectors/mu: expected finite numbers"},
        {{.W = {-3, {0, 2, 4}, {0, 1, 0, 1}, {2, 3, -1, 4}}}, "fclib_local/W/nz: expected a storage"},
        {{.W = {-1, {0, 2}, {0, 1}, {2, 3}}}, "fclib_local/W/p: expected 3 integers, found 2"},
        {{.W = {-1, {0, 3, 2}, {0, 1}, {2, 3}}}, "fclib_local/W/p: expected a pointer that starts with 0"},
        {{.W = {-1, {1, 1, 2}, {0, 1}, {2, 3}}}, "fclib_local/W/p: expected a pointer that starts with 0"},
        {{.W = {-1, {0, 1, 2000000000}, {0, 1}, {2, 3}}}, "fclib_local/W/p: expected a pointer that ends at 2"},
        {{.W = {-1, {0, 1, 2}, {0, 2}, {2, 3}}}, "fclib_local/W/i: expected indices from 0 to 1, found 2 at 1"},
        {{.W = {-2, {0, 1, 2}, {0, -1}, {2, 3}}}, "fclib_local/W/i: expected indices from 0 to 1, found -1 at 1"},
        {{.W = {2, {0, 2}, {0, 1}, {2, 3}}}, "fclib_local/W/p: expected indices from 0 to 1, found 2 at 1"},
        {{.W = {2, {0, 1}, {0, 1}, {2}}}, "fclib_local/W/x: expected 2 numbers, found 1"},
        {{.W = {2, {0, 1}, {0, 1}, {2, nan}}}, "fclib_local/W/x: expected finite numbers"},
        {{.extra_matrices = {"V", "R"}}, "fclib_local/R: the problem has bilateral constraints"},
    };
    TemporaryFile file;
    for (const auto& [parts, message] : bad_files) {
        file.write(hdf5_bytes(parts));
        try {
            read_problem(file.path());
            ADD_FAILURE() << "no error; expected: " << message;
        } catch (const ProblemFileError& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with(file.path().string() + ": ")) << error.what();
            EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
        }
    }
}

TEST(FclibFile, TheKindChoosesAmongTheFormsOfAFile) {
    const TemporaryFile file(hdf5_bytes({}));
    EXPECT_EQ(kind_of(read_problem(file.path(), ProblemKind::friction)), ProblemKind::friction);
    EXPECT_THROW(read_problem(file.path(), ProblemKind::global_friction), ProblemFileError);
    EXPECT_THROW(read_problem(file.path(), ProblemKind::lcp), ProblemFileError);
}

// Whether `check` holds in a process of its own. On some damaged files HDF5 1.10 loses memory of its own and complains
// when its process ends.
template <class Check>
bool holds_apart(Check&& check) {
    const pid_t child = fork();
    if (child == 0) _exit(check() ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool is_refused(std::string_view bytes) {
    try {
        read_fclib("test", bytes);
        return false;
    } catch (const ProblemFileError&) {
        return true;
    }
}

TEST(FclibFile, TruncatedFilesAreRefused) {
    const std::string intact = hdf5_bytes({});
    EXPECT_TRUE(holds_apart([&] {
        for (std::size_t length = 0; length < intact.size(); ++length)
            if (!is_refused(std::string_view(intact).substr(0, length))) return false;
        return true;
    }));
    EXPECT_FALSE(is_refused(intact));
}

TEST(FclibFile, NoDamagedFileDoesMoreThanThrow) {
    const std::string intact = hdf5_bytes({});
    EXPECT_TRUE(holds_apart([&] {
        Random random(1);
        int refused = 0;
        for (int trial = 0; trial < 300; ++trial) {
            std::string damaged = intact;
            for (int k = 0; k < 3; ++k)
                damaged[static_cast<std::size_t>(random.integer(8, std::ssize(damaged) - 1))] =
                    random.coin() ? static_cast<char>(random.integer(0, 255)) : static_cast<char>(255);
            if (is_refused(damaged)) ++refused;
        }
        return refused > 30;  // much of a small file is padding
    }));
}

}  // namespace
}  // namespace saltus
