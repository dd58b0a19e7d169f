// At stake: a load from an address that a half-linked frame left behind must not end the program that is profiled.
#include "python/readable_memory.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mman.h>

namespace tare::python {
namespace {

constexpr std::size_t kPage = 4096;

/// Three pages: readable, not, readable.
class Pages {
  public:
    Pages()
        : at_(static_cast<std::byte*>(
              mmap(nullptr, 3 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
        mprotect(at_ + kPage, kPage, PROT_NONE);
    }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    ~Pages() { munmap(at_, 3 * kPage); }
    [[nodiscard]] std::uint64_t page(int i) const { return reinterpret_cast<std::uint64_t>(at_) + i * kPage; }

  private:
    std::byte* at_;
};

TEST(ReadableMemory, IsWhereThePagesAreOfTheWholeRange) {
    const Pages pages;
    ReadableMemory memory;
    EXPECT_TRUE(memory.has(pages.page(0), kPage));
    EXPECT_TRUE(memory.has(pages.page(2), 1));
    EXPECT_FALSE(memory.has(pages.page(1), 1));
    EXPECT_TRUE(memory.has(pages.page(1) - 8, 8));
    EXPECT_FALSE(memory.has(pages.page(1) - 8, 9)) << "one byte of the next page";
    EXPECT_FALSE(memory.has(pages.page(0), 3 * kPage));
}

TEST(ReadableMemory, IsNowhereNearNullNorBeyondUserSpace) {
    ReadableMemory memory;
    for (const std::uint64_t address : {0ULL, 8ULL, 4096ULL, 65'535ULL, 0x7ffffffff000ULL, 0x800000000000ULL,
                                        0xffff888000000000ULL, 0xffffffffff600000ULL, ~0ULL, ~7ULL})
        EXPECT_FALSE(memory.has(address, 8)) << std::hex << address;
    const std::uint64_t here = reinterpret_cast<std::uint64_t>(&memory);
    EXPECT_FALSE(memory.has(here, ~0ULL)) << "sizes that wrap around";
    EXPECT_FALSE(memory.has(here, 0 - here));
}

TEST(ReadableMemory, ChangesNoSignalMask) {
    sigset_t before;
    sigset_t after;
    pthread_sigmask(SIG_BLOCK, nullptr, &before);
    const Pages pages;
    for (int i = 0; i < 3; ++i) static_cast<void>(is_page_readable(pages.page(i)));
    pthread_sigmask(SIG_BLOCK, nullptr, &after);
    for (int signal = 1; signal < 65; ++signal) EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal));
}

TEST(ReadableMemory, LoadsWhatIsThere) {
    alignas(8) const std::array<std::uint8_t, 16> bytes{1, 2, 3, 4, 5, 6, 7, 8, 9};
    const std::uint64_t address = reinterpret_cast<std::uint64_t>(bytes.data());
    EXPECT_EQ(ReadableMemory::at<std::uint8_t>(address + 8), 9);
    EXPECT_EQ(ReadableMemory::at<std::uint32_t>(address), 0x04030201U);
    EXPECT_EQ(ReadableMemory::at<std::uint64_t>(address + 1), 0x0908070605040302U) << "unaligned";
}

}  // namespace
}  // namespace tare::python
