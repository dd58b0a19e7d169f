// At stake: the worker reads addresses that a statement has executed and may have unmapped since; none may be a crash.
#include "harness/worker/own_memory.h"

#include <gmock/gmock.h>

#include "harness/worker/mapped_pages_for_test.h"

namespace tare::worker {
namespace {

TEST(OwnMemory, IsReadAcrossPages) {
    std::string text(10'000, '.');
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>('a' + i % 23);
    OwnMemory memory;
    EXPECT_EQ(memory.read(reinterpret_cast<std::uint64_t>(text.data()), text.size()), text);
    EXPECT_EQ(memory.read(reinterpret_cast<std::uint64_t>(text.data()) + 5000, 7), text.substr(5000, 7));
}

TEST(OwnMemory, EndsWhereTheMappingEnds) {
    MappedPages pages;
    const std::uint64_t address = pages.write_at_end("end");
    OwnMemory memory;
    EXPECT_EQ(memory.read(address, 15), "end");
    EXPECT_EQ(memory.read(pages.end(), 15), "");
    std::uint64_t number = 0;
    EXPECT_FALSE(memory.read_object(address, number));
}

TEST(OwnMemory, HasNothingAtAddressesThatDoNotExist) {
    OwnMemory memory;
    EXPECT_EQ(memory.read(8, 8), "");
    EXPECT_EQ(memory.read(~std::uint64_t{0} - 4, 100), "");
}

}  // namespace
}  // namespace tare::worker
