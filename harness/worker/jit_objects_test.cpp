// At stake: a list that foreign code has written, and may have damaged or closed to a ring, ends neither the worker nor
// its memory.
#include "harness/worker/jit_objects.h"

#include <gmock/gmock.h>

#include <array>

namespace tare::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// As compilers declare them.
struct CodeEntry {
    CodeEntry* next = nullptr;
    CodeEntry* previous = nullptr;
    const char* symbol_file = nullptr;
    std::uint64_t symbol_file_bytes = 0;
};
struct CodeDescriptor {
    std::uint32_t version = 1;
    std::uint32_t action = 0;
    CodeEntry* relevant = nullptr;
    CodeEntry* first = nullptr;
};

std::vector<std::string> objects_of(const CodeDescriptor& descriptor) {
    OwnMemory memory;
    auto objects = jit_objects(reinterpret_cast<std::uint64_t>(&descriptor), memory);
    EXPECT_TRUE(objects) << objects.error().what;
    return objects ? *objects : std::vector<std::string>();
}

TEST(JitObjects, AreThoseOfTheList) {
    CodeEntry second{.symbol_file = "second\0one", .symbol_file_bytes = 10};
    CodeEntry first{.next = &second, .symbol_file = "first", .symbol_file_bytes = 5};
    EXPECT_THAT(objects_of({.first = &first}), ElementsAre("first", std::string("second\0one", 10)));
    EXPECT_THAT(objects_of({}), SizeIs(0));
}

TEST(JitObjects, LeaveOutWhatCannotBeRead) {
    CodeEntry good{.symbol_file = "good", .symbol_file_bytes = 4};
    CodeEntry nowhere{.next = &good, .symbol_file = reinterpret_cast<const char*>(16), .symbol_file_bytes = 4};
    CodeEntry huge{.next = &nowhere, .symbol_file = "x", .symbol_file_bytes = ~std::uint64_t{0}};
    EXPECT_THAT(objects_of({.first = &huge}), ElementsAre("good"));
    CodeEntry before{.next = reinterpret_cast<CodeEntry*>(16), .symbol_file = "before", .symbol_file_bytes = 6};
    EXPECT_THAT(objects_of({.first = &before}), ElementsAre("before"));
}

TEST(JitObjects, OfARingAreBounded) {
    CodeEntry entry{.symbol_file = "again", .symbol_file_bytes = 5};
    entry.next = &entry;
    EXPECT_THAT(objects_of({.first = &entry}), SizeIs(4096));
    const std::string big(20 << 20, 'x');
    CodeEntry wide{.symbol_file = big.data(), .symbol_file_bytes = big.size()};
    wide.next = &wide;
    EXPECT_THAT(objects_of({.first = &wide}), SizeIs(3)) << "64 MiB in all";
}

TEST(JitObjects, AreThoseOfVersionOneOnly) {
    const CodeDescriptor other{.version = 2};
    OwnMemory memory;
    const auto refused = jit_objects(reinterpret_cast<std::uint64_t>(&other), memory);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().what, HasSubstr("version 1"));
    EXPECT_FALSE(jit_objects(16, memory));
}

}  // namespace
}  // namespace tare::worker
