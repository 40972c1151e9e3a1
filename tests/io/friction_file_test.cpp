// Friction problems, as .dat and as FCLIB's HDF5.
#include <gtest/gtest.h>

#include <set>

#include "saltus/complementarity/friction/one_step_problem.hpp"
#include "saltus/io/fclib_file.hpp"
#include "support/random_problems.hpp"
#include "support/same_bits.hpp"
#include "support/temporary_file.hpp"

namespace saltus {
namespace {

using testing::Random;
using testing::same_bits;
using testing::same_values;
using testing::TemporaryFile;

const std::filesystem::path data = SALTUS_TEST_DATA;

template <class P>
P read(const std::filesystem::path& path) {
    return std::get<P>(read_problem(path));
}

std::vector<std::filesystem::path> friction_files() {
    std::vector<std::filesystem::path> files;
    for (const std::string folder : {"friction2d", "friction3d", "rolling"})
        for (const auto& entry : std::filesystem::directory_iterator(data / folder)) files.push_back(entry.path());
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

}  // namespace
}  // namespace saltus
