// At stake: every call from one file into another passes a stub; unnamed, or named by position where the linker laid
// them out differently, each would stand as a function of its own between caller and callee.
#include "harness/attribution/plt_stubs.h"

#include <gmock/gmock.h>

#include <random>
#include <string>

namespace tare::attribution {
namespace {

constexpr std::uint64_t kPlt = 0x1000;
constexpr std::uint64_t kSlots = 0x4000;

std::string number(std::uint64_t value) {
    std::string text;
    for (int i = 0; i < 4; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
}

/// The jump through a slot, as it stands at an address.
std::string jump(std::uint64_t address, std::uint64_t slot) {
    return "\xff\x25" + number(slot - (address + 6));
}

std::string padded(std::string code, std::size_t size) {
    code.resize(size, '\x90');
    return code;
}

PltRelocations two_relocations() {
    return {{{kSlots, "malloc", 0}, {kSlots + 8, "free", 0}}, {{kSlots + 16, "memcpy", 0}}};
}

std::vector<std::string> names_of(const PltSection& section, const PltRelocations& relocations) {
    std::vector<std::string> names;
    for (const PltStub& stub : plt_stubs({section}, relocations))
        names.emplace_back(stub.target == nullptr ? "?" : stub.target->symbol);
    return names;
}

/// GNU ld's lazy table: a header, then jump; push index; jump to the header.
std::string lazy_table() {
    std::string code = padded("\xff\x35" + number(2) + jump(kPlt + 6, kSlots - 8), 16);
    code += padded(jump(kPlt + 16, kSlots) + '\x68' + number(0) + '\xe9' + number(0), 16);
    code += padded(jump(kPlt + 32, kSlots + 8) + '\x68' + number(1) + '\xe9' + number(0), 16);
    return code;
}

TEST(PltStubs, AreNamedByTheSlotThatTheyJumpThrough) {
    const std::string code = lazy_table();
    EXPECT_THAT(names_of({kPlt, code, 16}, two_relocations()), ::testing::ElementsAre("?", "malloc", "free"));
    const PltRelocations relocations = two_relocations();
    const auto stubs = plt_stubs({{kPlt, code, 16}}, relocations);
    EXPECT_EQ(stubs[1].start, kPlt + 16);
    EXPECT_EQ(stubs[1].end, kPlt + 32);
}

TEST(PltStubs, AreNotNamedByTheirPosition) {
    const std::string code = padded(jump(kPlt, kSlots + 8), 16) + padded(jump(kPlt + 16, kSlots), 16);
    EXPECT_THAT(names_of({kPlt, code, 16}, two_relocations()), ::testing::ElementsAre("free", "malloc"));
}

TEST(PltStubs, AreReadBehindTheMarksOfControlFlowProtection) {
    const std::string mark = "\xf3\x0f\x1e\xfa";
    const std::string code = padded(mark + '\xf2' + jump(kPlt + 5, kSlots + 16), 16) +
                             padded(mark + jump(kPlt + 20, kSlots), 16) +
                             padded(mark + "\x41\xbb" + number(1) + jump(kPlt + 42, kSlots + 8), 16) +
                             padded(mark + '\x68' + number(1) + "\xf2\xe9" + number(0), 16);
    EXPECT_THAT(names_of({kPlt, code, 16}, two_relocations()),
                ::testing::ElementsAre("memcpy", "malloc", "free", "free"));
}

TEST(PltStubs, OfEightBytesAreRead) {
    const std::string code = padded(jump(kPlt, kSlots + 16), 8) + padded(jump(kPlt + 8, kSlots), 8);
    EXPECT_THAT(names_of({kPlt, code, 8}, two_relocations()), ::testing::ElementsAre("memcpy", "malloc"));
}

TEST(PltStubs, ThatAreNotUnderstoodHaveNoTarget) {
    const std::string code = padded("\xc3", 16) + padded(jump(kPlt + 16, 0x9999), 16) +
                             padded("\x68" + number(77), 16) + std::string("\xff\x25\x00", 3);
    EXPECT_THAT(names_of({kPlt, code, 16}, two_relocations()), ::testing::Each("?"));
}

TEST(PltStubs, SurviveDamage) {
    std::mt19937_64 random(20'261'127);
    const PltRelocations relocations = two_relocations();
    const std::string good = lazy_table();
    std::size_t named = 0;
    for (int i = 0; i < 50'000; ++i) {
        std::string code = good;
        for (int flips = 1 + static_cast<int>(random() % 6); flips > 0; --flips)
            code[random() % code.size()] = static_cast<char>(random());
        code.resize(random() % (code.size() + 1));
        for (const PltStub& stub : plt_stubs({{kPlt, code, 16}}, relocations)) named += stub.target != nullptr ? 1 : 0;
    }
    EXPECT_GT(named, 1'000U);
    EXPECT_LT(named, 100'000U);
}

}  // namespace
}  // namespace tare::attribution
