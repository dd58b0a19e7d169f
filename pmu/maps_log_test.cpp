// At stake: names for addresses of a program that is gone, out of memory that it could write to until its end.
#include "pmu/maps_log.h"

#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <random>

namespace tare::pmu {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

/// Memory behind which nothing may be read.
class GuardedMemory {
  public:
    explicit GuardedMemory(std::size_t pages = 1) : size_(pages * kPage) {
        data_ = static_cast<std::byte*>(
            mmap(nullptr, size_ + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        mprotect(data_ + size_, kPage, PROT_NONE);
    }
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;
    ~GuardedMemory() { munmap(data_, size_ + kPage); }
    [[nodiscard]] std::span<std::byte> all() const { return {data_, size_}; }

  private:
    static constexpr std::size_t kPage = 4096;
    std::size_t size_;
    std::byte* data_ = nullptr;
};

TEST(MapsLog, gives_back_the_maps_of_each_process_and_of_one_its_last) {
    const GuardedMemory memory(64);
    MapsLog log(memory.all());
    EXPECT_EQ(log.of(7), "");
    log.leave(7);
    log.leave(8);
    const std::string first = log.of(7);
    EXPECT_THAT(first, AllOf(HasSubstr("[stack]"), EndsWith("\n")));
    void* more = mmap(nullptr, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    log.leave(7);
    munmap(more, 4096);
    EXPECT_THAT(log.of(7), AllOf(HasSubstr("/dev/zero"), HasSubstr("[stack]")));
    EXPECT_THAT(log.of(8), Not(HasSubstr("/dev/zero")));
    EXPECT_EQ(log.of(9), "");
}

TEST(MapsLog, is_cut_after_a_line_where_there_is_no_more_room) {
    const GuardedMemory memory(1);
    const std::vector<GuardedMemory> enough(64);  // two lines each, of some 50 characters: more than the room there is
    MapsLog log(memory.all());
    log.leave(7);
    EXPECT_THAT(log.of(7), AllOf(EndsWith("\n"), Not(HasSubstr("[stack]"))));
    for (int i = 0; i < 3; ++i) log.leave(8);
    EXPECT_EQ(log.of(8), "");
}

TEST(MapsLog, reads_nothing_beyond_its_memory_whatever_is_in_it) {
    std::mt19937_64 random(77);
    const GuardedMemory memory(8);
    for (int round = 0; round < 3000; ++round) {
        std::memset(memory.all().data(), 0, memory.all().size());
        MapsLog log(memory.all());
        log.leave(7);
        auto* words = reinterpret_cast<std::uint64_t*>(memory.all().data());
        const std::uint64_t values[] = {random(), random() % 40'000, ~std::uint64_t{0} - random() % 64, 7,
                                        (random() % 5'000) * 8};
        for (int i = 0; i < 2; ++i) words[random() % 4] = values[random() % 5];
        EXPECT_THAT(log.of(7), SizeIs(testing::Le(memory.all().size())));
        log.leave(8);
    }
}

}  // namespace
}  // namespace tare::pmu
