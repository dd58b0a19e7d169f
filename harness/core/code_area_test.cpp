// At stake: the names of 6,000 code objects in memory that signal handlers of several processes write to at once, and
// that a profiled program may scribble on: what is read back is either what was written or nothing.
#include "harness/core/code_area.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <random>
#include <thread>
#include <vector>

namespace tare::core {
namespace {

using testing::Each;
using testing::Optional;

/// Zeroed, aligned as a mapping is, and shared with forked children.
class SharedBytes {
  public:
    explicit SharedBytes(std::size_t size)
        : size_(size), at_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        if (at_ == MAP_FAILED) std::abort();
    }
    SharedBytes(const SharedBytes&) = delete;
    SharedBytes& operator=(const SharedBytes&) = delete;
    ~SharedBytes() { munmap(at_, size_); }
    [[nodiscard]] std::span<std::byte> span() const { return {static_cast<std::byte*>(at_), size_}; }

  private:
    std::size_t size_;
    void* at_;
};

constexpr std::size_t kSize = 1 << 20;

CodeKey key_of(std::uint64_t i) {
    return {.address = 0x7f0000000000 + i * 64, .name_address = i * 48, .table_address = i * 32, .first_line = i};
}

PythonCode code_of(std::uint64_t i) {
    return {.file = "/lib/file" + std::to_string(i % 7) + ".py",
            .name = "Class.method" + std::to_string(i),
            .first_line = static_cast<int>(i),
            .line_table = std::string(i % 100, static_cast<char>(i)),
            .line_format = static_cast<LineFormat>(i % 3)};
}

std::uint32_t describe(CodeArea& area, std::uint64_t i) {
    const PythonCode code = code_of(i);
    return area.describe(
        key_of(i),
        {.file = code.file, .name = code.name, .line_table = code.line_table, .line_format = code.line_format});
}

TEST(CodeArea, ReadsBackWhatWasDescribed) {
    const SharedBytes memory(kSize);
    CodeArea area(memory.span());
    std::vector<std::uint32_t> numbers;
    for (std::uint64_t i = 0; i < 1000; ++i) numbers.push_back(describe(area, i));
    for (std::uint64_t i = 0; i < 1000; ++i) {
        EXPECT_THAT(area.read(numbers[i]), Optional(code_of(i)));
        EXPECT_EQ(area.find(key_of(i)), numbers[i]);
        EXPECT_EQ(describe(area, i), numbers[i]) << "described twice";
    }
    EXPECT_EQ(area.described(), 1000U);
    EXPECT_EQ(area.refused(), 0U);
    const CodeArea other_side(memory.span());
    EXPECT_THAT(other_side.read(numbers[7]), Optional(code_of(7)));
}

TEST(CodeArea, TellsCodeObjectsApartThatTookOneAddressInTurn) {
    const SharedBytes memory(kSize);
    CodeArea area(memory.span());
    const CodeKey key = key_of(1);
    const std::uint32_t first = area.describe(key, {.file = "f", .name = "first", .line_table = ""});
    std::size_t apart = 0;
    for (CodeKey other : {CodeKey{key.address, 1, key.table_address, key.first_line},
                          CodeKey{key.address, key.name_address, 1, key.first_line},
                          CodeKey{key.address, key.name_address, key.table_address, 2},
                          CodeKey{key.address, key.name_address, key.table_address, key.first_line, 1},
                          CodeKey{1, key.name_address, key.table_address, key.first_line}}) {
        EXPECT_EQ(area.find(other), CodeArea::kFull);
        apart += area.describe(other, {.file = "f", .name = "other", .line_table = ""}) != first;
    }
    EXPECT_EQ(apart, 5U);
    EXPECT_EQ(area.read(first)->name, "first");
}

TEST(CodeArea, KnowsNothingOfNumbersThatWereNeverGiven) {
    const SharedBytes memory(kSize);
    const CodeArea area(memory.span());
    for (const std::uint32_t number : {0U, 1U, 2047U, 2048U, 1U << 31, CodeArea::kFull})
        EXPECT_EQ(area.read(number), std::nullopt) << number;
    EXPECT_EQ(area.find(key_of(3)), CodeArea::kFull);
}

TEST(CodeArea, CutsTextAtItsBoundsBetweenCharacters) {
    const SharedBytes memory(kSize);
    CodeArea area(memory.span());
    std::string name(1023, 'n');
    name += "\u00e9 and more";  // its two bytes lie across the bound of 1,024
    const std::string file(5000, 'f');
    const std::string table(70'000, '\x80');
    const auto code = area.read(area.describe(key_of(1), {.file = file, .name = name, .line_table = table}));
    ASSERT_TRUE(code);
    EXPECT_EQ(code->name, std::string(1023, 'n'));
    EXPECT_EQ(code->file.size(), 4096U);
    EXPECT_EQ(code->line_table.size(), 65'536U);
}

TEST(CodeArea, RefusesAndCountsWhatHasNoRoomAndKeepsTheRest) {
    const SharedBytes memory(64 * 1024);  // 128 slots
    CodeArea area(memory.span());
    std::map<std::uint64_t, std::uint32_t> given;
    for (std::uint64_t i = 0; i < 1000; ++i)
        if (const std::uint32_t number = describe(area, i); number != CodeArea::kFull) given.emplace(i, number);
    EXPECT_GT(given.size(), 100U);
    EXPECT_LE(given.size(), 128U);
    EXPECT_EQ(area.described(), given.size());
    EXPECT_EQ(area.refused(), 1000 - given.size());
    for (const auto& [i, number] : given) EXPECT_THAT(area.read(number), Optional(code_of(i)));
}

TEST(CodeArea, RefusesByTextWhereSlotsAreLeft) {
    const SharedBytes memory(64 * 1024);
    CodeArea area(memory.span());
    const std::string table(10'000, '\x80');
    std::vector<std::uint32_t> given;
    for (std::uint64_t i = 0; i < 20; ++i)
        given.push_back(area.describe(key_of(i), {.file = "f", .name = "n", .line_table = table}));
    EXPECT_EQ(std::count_if(given.begin(), given.end(), [](auto n) { return n != CodeArea::kFull; }), 5);
    EXPECT_NE(describe(area, 50), CodeArea::kFull) << "a short text still finds room";
    EXPECT_EQ(area.find(key_of(19)), CodeArea::kFull);
}

TEST(CodeArea, OfMemoryTooSmallOrOddlyAlignedIsEmptyAtWorst) {
    const SharedBytes memory(kSize);
    CodeArea tiny(memory.span().first(100));
    EXPECT_EQ(describe(tiny, 1), CodeArea::kFull);
    EXPECT_EQ(tiny.read(0), std::nullopt);
    EXPECT_EQ(tiny.described() + tiny.refused(), 0U);
    CodeArea odd(memory.span().subspan(3));
    EXPECT_THAT(odd.read(describe(odd, 1)), Optional(code_of(1)));
}

TEST(CodeArea, TakesSeveralWritersOfTheSameCode) {
    const SharedBytes memory(kSize);
    std::vector<std::vector<std::uint32_t>> numbers(4, std::vector<std::uint32_t>(500));
    std::vector<std::thread> writers;
    for (auto& mine : numbers)
        writers.emplace_back([&memory, &mine] {
            CodeArea area(memory.span());
            for (std::uint64_t i = 0; i < mine.size(); ++i) do
                    mine[i] = describe(area, i);
                while (mine[i] == CodeArea::kFull);  // another thread was writing it just then
        });
    for (std::thread& writer : writers) writer.join();
    const CodeArea area(memory.span());
    EXPECT_THAT(numbers, Each(numbers[0]));
    EXPECT_EQ(area.described(), 500U);
    for (std::uint64_t i = 0; i < 500; ++i) EXPECT_THAT(area.read(numbers[0][i]), Optional(code_of(i)));
}

TEST(CodeArea, SurvivesWritersThatAreKilled) {
    for (int round = 0; round < 20; ++round) {
        const SharedBytes memory(kSize);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            CodeArea area(memory.span());
            for (std::uint64_t i = 0;; ++i) static_cast<void>(describe(area, i % 1500));
        }
        usleep(200 + 50 * round);
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        CodeArea area(memory.span());
        std::size_t lost = 0;
        for (std::uint64_t i = 0; i < 1500; ++i) {
            const std::uint32_t number = describe(area, i);
            if (number == CodeArea::kFull)
                ++lost;
            else
                ASSERT_THAT(area.read(number), Optional(code_of(i)));
        }
        EXPECT_LE(lost, 1U) << "only the one that was being written";
    }
}

TEST(CodeArea, ReadsNothingBeyondItsBoundsWhateverTheMemoryHolds) {
    const SharedBytes memory(64 * 1024);
    std::mt19937_64 random(20240611);
    for (int round = 0; round < 300; ++round) {
        CodeArea area(memory.span());
        std::fill(memory.span().begin(), memory.span().end(), std::byte{0});
        for (std::uint64_t i = 0; i < 60; ++i) static_cast<void>(describe(area, i));
        auto* words = reinterpret_cast<std::uint64_t*>(memory.span().data());
        for (int k = 0; k < 400; ++k) {
            const std::uint64_t at = random() % (k % 2 == 0 ? 1024 : memory.span().size() / 8);
            words[at] = k % 3 == 0 ? random() : words[at] ^ (1ULL << (random() % 64));
        }
        for (std::uint32_t number = 0; number < 200; ++number)
            if (const auto code = area.read(number)) {
                EXPECT_LE(code->file.size(), 4096U);
                EXPECT_LE(code->name.size(), 1024U);
                for (const std::int32_t offset : {-2, 0, 20, 4000, INT32_MAX}) static_cast<void>(code->line_at(offset));
            }
        for (std::uint64_t i = 0; i < 100; ++i) static_cast<void>(describe(area, i));
    }
}

}  // namespace
}  // namespace tare::core
