// At stake: a steady 7 % between two byte-identical copies of NumPy, which stays as long as their pages do. So what is
// reported as evicted must be gone, and what stayed must be reported.
#include "harness/measure/page_cache.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>

#include <filesystem>
#include <fstream>

#include "harness/measure/descriptor.h"
#include "harness/measure/temporary_folder_for_test.h"

namespace tare::measure {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t kFileBytes = 1 << 20;

/// Beside this program, which lies on a disk wherever /tmp is.
class FileOnDisk {
  public:
    explicit FileOnDisk(std::size_t bytes = kFileBytes, const std::string& name = "file")
        : path_(std::filesystem::read_symlink("/proc/self/exe").parent_path() /
                ("page_cache_test_" + name + std::to_string(getpid()))) {
        std::ofstream(path_, std::ios::binary) << std::string(bytes, 'x');
    }
    ~FileOnDisk() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    FileOnDisk(const FileOnDisk&) = delete;
    FileOnDisk& operator=(const FileOnDisk&) = delete;
    [[nodiscard]] const std::string& path() const { return path_.native(); }

  private:
    std::filesystem::path path_;
};

class Mapping {
  public:
    explicit Mapping(const std::string& path) {
        const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
        start_ = mmap(nullptr, kFileBytes, PROT_READ, MAP_SHARED, file.get(), 0);
    }
    ~Mapping() { munmap(start_, kFileBytes); }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    [[nodiscard]] bool is_valid() const { return start_ != MAP_FAILED; }
    [[nodiscard]] std::size_t touch() const {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < kFileBytes; i += 4096) sum += static_cast<const unsigned char*>(start_)[i];
        return sum;
    }
    [[nodiscard]] std::size_t resident() const {
        std::vector<unsigned char> states(kFileBytes / 4096);
        EXPECT_EQ(mincore(start_, kFileBytes, states.data()), 0);
        std::size_t count = 0;
        for (const unsigned char state : states) count += state & 1u;
        return count;
    }

  private:
    void* start_ = MAP_FAILED;
};

/// What the file system makes of the request itself: one in memory, or an overlay upon one, keeps all pages.
bool keeps_pages(const std::string& path) {
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    fsync(file.get());
    posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
    const Mapping seen(path);
    return seen.is_valid() && seen.resident() > 0;
}
constexpr const char* kKept = "the file system of the build folder keeps the pages of its files";

bool is_in_memory_only(const std::string& path) {
    struct statfs system {};
    return statfs(path.c_str(), &system) == 0 && system.f_type == TMPFS_MAGIC;
}

TEST(PageCache, EvictsAFileThatWasJustWritten) {
    const FileOnDisk file;
    if (keeps_pages(FileOnDisk(kFileBytes, "probe").path())) GTEST_SKIP() << kKept;
    const std::vector<EvictedFile> evicted = evict({file.path()});
    ASSERT_EQ(evicted.size(), 1u);
    EXPECT_FALSE(evicted[0].error) << evicted[0].error->what;
    EXPECT_EQ(evicted[0].path, file.path());
    EXPECT_EQ(evicted[0].pages, kFileBytes / 4096);
    EXPECT_EQ(evicted[0].resident_pages, 0u);
    const Mapping seen(file.path());
    ASSERT_TRUE(seen.is_valid());
    EXPECT_EQ(seen.resident(), 0u) << "as seen by another than evict() itself";
}

TEST(PageCache, SaysThatAMappedFileStayed) {
    const FileOnDisk file;
    if (keeps_pages(file.path())) GTEST_SKIP() << kKept;
    const Mapping mapping(file.path());
    ASSERT_TRUE(mapping.is_valid());
    ASSERT_EQ(mapping.touch(), kFileBytes / 4096 * 'x');
    const std::vector<EvictedFile> evicted = evict({file.path()});
    ASSERT_TRUE(evicted.at(0).error);
    EXPECT_GT(evicted[0].resident_pages, 0u);
    EXPECT_THAT(evicted[0].error->what, HasSubstr("pages stayed"));
    EXPECT_THAT(evicted[0].error->what, HasSubstr(file.path()));
}

TEST(PageCache, SaysThatATmpfsHasNothingElse) {
    if (!is_in_memory_only("/dev/shm")) GTEST_SKIP() << "/dev/shm is no tmpfs here";
    const std::string path = "/dev/shm/tare_page_cache_test_" + std::to_string(getpid());
    std::ofstream(path) << std::string(10'000, 'x');
    const std::vector<EvictedFile> evicted = evict({path});
    std::filesystem::remove(path);
    ASSERT_TRUE(evicted.at(0).error);
    EXPECT_EQ(evicted[0].pages, 3u);
    EXPECT_EQ(evicted[0].resident_pages, 3u);
    EXPECT_THAT(evicted[0].error->what, HasSubstr("tmpfs"));
}

TEST(PageCache, ClaimsNothingWhereTheKernelDoesNotTell) {
    if (geteuid() != 0)
        GTEST_SKIP() << "only root can become another user, to whom mincore shows every page as resident";
    constexpr uid_t kNobody = 65534;
    const FileOnDisk file;
    std::filesystem::permissions(file.path(), static_cast<std::filesystem::perms>(0644));  // whoever may write is told
    if (seteuid(kNobody) != 0) GTEST_SKIP() << "this root may not become another user";
    const std::vector<EvictedFile> evicted = evict({file.path()});
    ASSERT_EQ(seteuid(0), 0);
    ASSERT_TRUE(evicted.at(0).error);
    // Below a folder that is closed to others, such as root's home, it cannot even be opened.
    EXPECT_THAT(evicted[0].error->what, AnyOf(HasSubstr("told only to its owner"), HasSubstr("Permission denied")));
}

TEST(PageCache, ReportsEachFileThatCannotBeOpenedAndGoesOn) {
    const FileOnDisk file(0);
    const std::vector<EvictedFile> evicted = evict({"/proc/absent/library.so", "/proc", file.path()});
    ASSERT_EQ(evicted.size(), 3u);
    EXPECT_THAT(evicted[0].error->what, HasSubstr("No such file"));
    EXPECT_THAT(evicted[1].error->what, HasSubstr("no regular file"));
    EXPECT_FALSE(evicted[2].error) << "an empty file has no pages";
}

TEST(MappedByOneSide, LeavesOutWhatBothMapUnderWhateverName) {
    const TemporaryFolder folder;
    const std::string both = folder.write("both.so", "1");
    const std::string a = folder.write("a.so", "2");
    const std::string b = folder.write("b.so", "2");
    std::filesystem::create_hard_link(both, folder.path() / "hard.so");
    std::filesystem::create_symlink(both, folder.path() / "soft.so");
    const std::string hard = folder.path() / "hard.so", soft = folder.path() / "soft.so";
    EXPECT_THAT(mapped_by_one_side({both, a}, {both, b}), ElementsAre(a, b));
    EXPECT_THAT(mapped_by_one_side({both}, {hard}), IsEmpty());
    EXPECT_THAT(mapped_by_one_side({soft, a}, {both, a}), IsEmpty());
    EXPECT_THAT(mapped_by_one_side({a, a}, {}), ElementsAre(a));
}

TEST(MappedByOneSide, KeepsWhatHasVanished) {
    EXPECT_THAT(mapped_by_one_side({"/proc/absent/a.so"}, {"/proc/absent/a.so"}),
                ElementsAre("/proc/absent/a.so", "/proc/absent/a.so"))
        << "evicting it will say why";
}

}  // namespace
}  // namespace tare::measure
