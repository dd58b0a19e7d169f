// At stake: a rule that is kept for a range of code must be that of each instruction in it. In the dynamic linker's
// epilogues libdw tells ranges that begin too early.
#include "harness/attribution/frame_rules.h"

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

#include "harness/attribution/own_modules_for_test.h"

namespace tare::attribution {
namespace {

using ::testing::Ge;
using ::testing::SizeIs;

core::CodeModule libc() {
    for (core::CodeModule& module : own_modules())
        if (module.path.find("libc.so") != std::string::npos) return std::move(module);
    return {};
}
std::string libc_path() {
    return libc().path;
}

TEST(FrameRules, AreTheSameWhateverWasAskedBefore) {
    const auto file = ElfFile::open(libc_path());
    ASSERT_TRUE(file) << file.error().what;
    FrameRules kept(*file);
    ASSERT_THAT(kept.entries(), SizeIs(Ge(1000U)));
    std::mt19937 random(1);
    for (int round = 0; round < 100; ++round) {
        const FrameEntry entry = kept.entries()[random() % kept.entries().size()];
        const std::uint64_t size = std::min<std::uint64_t>(entry.end - entry.start, 400);
        std::vector<std::uint64_t> addresses;
        for (std::uint64_t i = 0; i < size; ++i) addresses.push_back(entry.start + i);
        std::shuffle(addresses.begin(), addresses.end(), random);
        for (const std::uint64_t address : addresses) (void)kept.find(address);
        FrameRules backwards(*file);  // asked in this order, it has no range to reuse
        for (std::uint64_t i = size; i-- > 0;) {
            const FrameRule* expected = backwards.find(entry.start + i);
            const FrameRule* found = kept.find(entry.start + i);
            ASSERT_EQ(expected == nullptr, found == nullptr);
            ASSERT_TRUE(found == nullptr || *found == *expected) << entry.start + i;
        }
    }
    EXPECT_LT(kept.rules_read(), 100U * 40U);
}

TEST(FrameRules, KeepWhatCalledFunctionsKeep) {
    const auto file = ElfFile::open(libc_path());
    ASSERT_TRUE(file) << file.error().what;
    FrameRules rules(*file);
    void* library = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);  // its own: a sanitizer stands before it
    ASSERT_NE(library, nullptr);
    const FrameRule* first = rules.find(reinterpret_cast<std::uint64_t>(dlsym(library, "qsort")) - libc().bias);
    dlclose(library);
    ASSERT_NE(first, nullptr);
    for (const std::size_t kept : {3U, 6U, 12U, 13U, 14U, 15U})
        EXPECT_EQ(first->registers[kept].kind, RegisterRule::Kind::kSame) << kept;
    for (const std::size_t lost : {0U, 1U, 2U, 4U, 5U, 8U, 9U, 10U, 11U})
        EXPECT_EQ(first->registers[lost].kind, RegisterRule::Kind::kUnknown) << lost;
}

TEST(FrameRules, KnowNothingOutsideTheEntries) {
    const auto file = ElfFile::open(libc_path());
    ASSERT_TRUE(file) << file.error().what;
    FrameRules rules(*file);
    EXPECT_EQ(rules.find(0), nullptr);
    EXPECT_EQ(rules.find(~std::uint64_t{0}), nullptr);
    EXPECT_EQ(rules.entry_around(rules.entries().front().start - 1), nullptr);
}

}  // namespace
}  // namespace tare::attribution
