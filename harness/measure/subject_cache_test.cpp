// At stake: 60 ms of every start that the cache saves, and that it never serves an answer about files that changed.
#include "harness/measure/subject_cache.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "harness/measure/temporary_folder_for_test.h"

namespace tare::measure {
namespace {

using testing::HasSubstr;

const Fields kAnswer{{"version", "3.11.2"}, {"site_packages", "/a b=c"}, {"site_packages", "/d\n\\e"}, {"end", "1"}};

TEST(SubjectCache, ReturnsWhatWasRememberedWordForWord) {
    const TemporaryFolder folder;
    ASSERT_TRUE(remember(folder.path() / "new/folder", "key\nof lines", kAnswer, {"/"}));
    const std::optional<Fields> known = remembered(folder.path() / "new/folder", "key\nof lines");
    ASSERT_TRUE(known);
    EXPECT_EQ(field(*known, "version"), "3.11.2");
    EXPECT_THAT(all_fields(*known, "site_packages"), testing::ElementsAre("/a b=c", "/d\n\\e"));
    EXPECT_EQ(remembered(folder.path() / "new/folder", "another key"), std::nullopt);
}

TEST(SubjectCache, ForgetsWhenAWatchedFileChangesAppearsOrGoes) {
    const TemporaryFolder folder;
    const std::string present = folder.write("present", "1");
    const std::string absent = folder.path() / "absent";
    const std::filesystem::path cache = folder.path() / "cache";
    const auto remembered_again = [&] {
        EXPECT_TRUE(remember(cache, "k", kAnswer, {present, absent}));
        return remembered(cache, "k").has_value();
    };
    ASSERT_TRUE(remembered_again());
    folder.write("present", "12");
    EXPECT_FALSE(remembered(cache, "k")) << "another size";
    ASSERT_TRUE(remembered_again());
    const timespec times[2] = {{1, 0}, {1, 1}};
    ASSERT_EQ(::utimensat(AT_FDCWD, present.c_str(), times, 0), 0);
    EXPECT_FALSE(remembered(cache, "k")) << "another time of modification";
    ASSERT_TRUE(remembered_again());
    folder.write("absent", "");
    EXPECT_FALSE(remembered(cache, "k")) << "a file appeared";
    ASSERT_TRUE(remembered_again());
    std::filesystem::remove(present);
    EXPECT_FALSE(remembered(cache, "k")) << "a file is gone";
}

TEST(SubjectCache, ComparesTheKeyItselfWhereTwoKeysShareAFileName) {
    const TemporaryFolder folder;
    const auto only_file = [&](const std::string& name) {
        return std::filesystem::directory_iterator(folder.path() / name)->path();
    };
    ASSERT_TRUE(remember(folder.path() / "one", "k1", kAnswer, {}));
    ASSERT_TRUE(remember(folder.path() / "two", "k2", kAnswer, {}));
    std::filesystem::copy_file(only_file("one"), only_file("two"), std::filesystem::copy_options::overwrite_existing);
    EXPECT_EQ(remembered(folder.path() / "two", "k2"), std::nullopt);
}

TEST(SubjectCache, IgnoresACutFile) {
    const TemporaryFolder folder;
    ASSERT_TRUE(remember(folder.path(), "k", kAnswer, {}));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) - 3);
    EXPECT_EQ(remembered(folder.path(), "k"), std::nullopt);
}

TEST(SubjectCache, IsOffWithoutAFolder) {
    EXPECT_EQ(remembered("", "k"), std::nullopt);
}

TEST(SubjectCache, SaysThatItsFolderCannotBeWritten) {
    const TemporaryFolder folder;
    const core::Status status = remember(folder.write("file", "") + "/below", "k", kAnswer, {});
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().what, HasSubstr("Not a directory"));
    EXPECT_THAT(status.error().hint, HasSubstr("XDG_CACHE_HOME"));
}

TEST(SubjectCache, KeepsEnvironmentsApart) {
    ::unsetenv("PYTHONPATH");
    const std::string before = cache_key("/usr/bin/python3");
    ::setenv("PYTHONPATH", "lib", 1);
    const std::string with_path = cache_key("/usr/bin/python3");
    ::setenv("TARE_UNRELATED", "1", 1);
    EXPECT_EQ(cache_key("/usr/bin/python3"), with_path);
    ::unsetenv("PYTHONPATH");
    EXPECT_NE(before, with_path);
    EXPECT_THAT(with_path, HasSubstr("cwd=" + std::filesystem::current_path().native()));
}

}  // namespace
}  // namespace tare::measure
