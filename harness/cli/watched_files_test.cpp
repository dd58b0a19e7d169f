// At stake: pairs measured before and after a rebuild are never taken for one subject.
#include "harness/cli/watched_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/core/clock.h"

namespace tare::cli {
namespace {

class WatchedFilesTest : public testing::Test {
  protected:
    WatchedFilesTest() {
        std::filesystem::create_directories(folder_);
        write("old");
    }
    ~WatchedFilesTest() override { std::filesystem::remove_all(folder_); }
    static WatchedFiles watch(const std::vector<std::string>& paths) {
        WatchedFiles watched;
        watched.add(paths);
        return watched;
    }
    void write(const char* text) { std::ofstream(path_) << text; }

    const std::filesystem::path folder_ =
        std::filesystem::path(testing::TempDir()) / ("watched-" + std::to_string(core::wall_clock_ns()));
    const std::filesystem::path path_ = folder_ / "module.so";
};

TEST_F(WatchedFilesTest, AreUnchangedUntilTheyAreReplacedOrRemoved) {
    const WatchedFiles watched = watch({path_.string(), (folder_ / "absent").string(), folder_.string()});
    std::ofstream(folder_ / "another") << "file";
    EXPECT_EQ(watched.first_changed(), "");
    const std::string before = watch({path_.string()}).digest();
    EXPECT_EQ(watch({path_.string()}).digest(), before);
    write("rebuilt");
    EXPECT_NE(watch({path_.string()}).digest(), before);
    EXPECT_EQ(watched.first_changed(), path_.string());
    std::filesystem::remove(path_);
    EXPECT_EQ(watched.first_changed(), path_.string());
}

TEST_F(WatchedFilesTest, SayWhichWasBuiltSinceAGivenTime) {
    const double now_s = core::unix_time_s();
    EXPECT_EQ(watch({path_.string()}).first_modified_after(now_s + 60), "");
    EXPECT_EQ(watch({path_.string()}).first_modified_after(now_s - 60), path_.string());
}

}  // namespace
}  // namespace tare::cli
