// At stake: a program that is installed, moved or linked to, and measures with the workers, the package and the suite
// that came with it, and with nobody else's.
#include "harness/cli/installation.h"

#include <gmock/gmock.h>

#include "harness/measure/temporary_folder_for_test.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class InstallationTest : public testing::Test {
  protected:
    /// A folder that holds the package.
    [[nodiscard]] fs::path home(const std::string& name) const {
        folder_.write(name + "/python/tare/_session.py", "");
        return folder_.path() / name;
    }
    measure::TemporaryFolder folder_;
};

TEST_F(InstallationTest, IsTheFolderAboveThatOfTheProgram) {
    const fs::path installed = home("installed"), sources = home("sources");
    const auto found = find_installation(installed / "bin" / "bench", "", sources);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->worker_dirs.back(), installed / "bin");
    EXPECT_EQ(found->package_dir, installed / "python");
    EXPECT_EQ(found->suite_dir, installed / "benchmarks" / "numpy");
}

TEST_F(InstallationTest, OfABuildFolderIsTheSourceTree) {
    const fs::path sources = home("sources");
    const auto found = find_installation(sources / "build" / "release" / "bin" / "bench", "", sources);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->worker_dirs.back(), sources / "build" / "release" / "bin");
    EXPECT_EQ(found->package_dir, sources / "python");
}

TEST_F(InstallationTest, IsWhereTheUserSaysOrNowhere) {
    const fs::path installed = home("installed"), mine = home("mine");
    EXPECT_EQ(find_installation(installed / "bin" / "bench", mine, "")->package_dir, mine / "python");
    const auto none = find_installation(installed / "bin" / "bench", folder_.path() / "absent", installed);
    ASSERT_FALSE(none) << "what the user names is not replaced by something else";
    EXPECT_THAT(none.error().what, HasSubstr("absent/python"));
    EXPECT_THAT(none.error().hint, HasSubstr("TARE_HOME"));
}

}  // namespace
}  // namespace tare::cli
