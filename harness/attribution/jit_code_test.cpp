// At stake: Numba's kernels run in memory without a file; without these two sources everything they do is nameless.
#include "harness/attribution/jit_code.h"

#include <elf.h>
#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

namespace tare::attribution {
namespace {

constexpr std::uint64_t kText = 0x7f0000001000;

/// The object with its code at kText, as LLVM writes the address of a section into the copy that it registers.
std::string object() {
    std::ifstream stream(TARE_JIT_SAMPLE, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    for (unsigned i = 0; i < header.e_shnum; ++i) {
        char* at = bytes.data() + header.e_shoff + i * sizeof(Elf64_Shdr);
        Elf64_Shdr section;
        std::memcpy(&section, at, sizeof section);
        if (section.sh_type != SHT_PROGBITS || (section.sh_flags & SHF_EXECINSTR) == 0 || section.sh_size == 0)
            continue;
        section.sh_addr = kText;
        std::memcpy(at, &section, sizeof section);
    }
    return bytes;
}

std::string name_at(const JitCode& jit, std::uint64_t address) {
    const auto found = jit.find(address);
    return found == jit.end() ? "" : found->second.name;
}

TEST(JitCode, ReadsAPerfMap) {
    JitCode jit;
    EXPECT_EQ(jit.add_perf_map("7f00 10 py::f (a b)\n0x7f10 0x1 g\n"), 0U);
    EXPECT_EQ(name_at(jit, 0x7eff), "");
    EXPECT_EQ(name_at(jit, 0x7f00), "py::f (a b)");
    EXPECT_EQ(name_at(jit, 0x7f0f), "py::f (a b)");
    EXPECT_EQ(name_at(jit, 0x7f10), "g");
    EXPECT_EQ(name_at(jit, 0x7f11), "");
    EXPECT_EQ(jit.find(0x7f05)->first, 0x7f00U);
}

TEST(JitCode, CountsTheLinesOfAPerfMapThatItCannotUse) {
    JitCode jit;
    EXPECT_EQ(jit.add_perf_map("\nx 10 a\n10\n10 \n10 20\n10 20 \n10 0 a\nffffffffffffffff 10 a\n-1 1 a\n10  5 a\n"
                               "11112222333344445 1 a\n"),
              11U);
    EXPECT_TRUE(jit.empty());
}

TEST(JitCode, DoesNotUseALineThatIsStillBeingWritten) {
    JitCode jit;
    EXPECT_EQ(jit.add_perf_map("10 10 whole\n20 10 hal"), 1U);
    EXPECT_EQ(name_at(jit, 0x10), "whole");
    EXPECT_EQ(name_at(jit, 0x20), "");
}

TEST(JitCode, ForgetsWhatALaterFunctionOverwrites) {
    JitCode jit;
    EXPECT_EQ(jit.add_perf_map("100 10 a\n110 10 b\n120 10 c\n10f 12 new\n"), 0U);
    EXPECT_EQ(name_at(jit, 0x105), "");
    EXPECT_EQ(name_at(jit, 0x110), "new");
    EXPECT_EQ(name_at(jit, 0x120), "new");
    EXPECT_EQ(name_at(jit, 0x125), "");
    EXPECT_EQ(jit.add_perf_map("130 10 d\n"), 0U);
    EXPECT_EQ(name_at(jit, 0x120), "new");
}

TEST(JitCode, ReadsAnObjectAtTheAddressesOfItsSections) {
    JitCode jit;
    ASSERT_TRUE(jit.add_object(object()));
    EXPECT_EQ(name_at(jit, kText), "sample::add");
    const auto plain = jit.find(kText + 0x10);
    ASSERT_NE(plain, jit.end());
    EXPECT_EQ(plain->second.name, "sample_jit_plain");
    EXPECT_EQ(name_at(jit, plain->second.end), "");
    EXPECT_EQ(name_at(jit, kText - 1), "");
}

TEST(JitCode, RefusesBytesThatAreNoObject) {
    JitCode jit;
    const core::Status text = jit.add_object("no object");
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, core::ErrorCode::kData);
    EXPECT_FALSE(jit.add_object(""));
    EXPECT_FALSE(jit.add_object(object().substr(0, 100)));
}

TEST(JitCode, SurvivesDamagedObjects) {
    std::mt19937_64 random(20'261'124);
    const std::string good = object();
    int accepted = 0;
    for (int i = 0; i < 10'000; ++i) {
        std::string bytes = good;
        for (int flips = 1 + static_cast<int>(random() % 6); flips > 0; --flips)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        if (random() % 8 == 0) bytes.resize(random() % bytes.size());
        JitCode jit;
        accepted += jit.add_object(bytes) ? 1 : 0;
    }
    EXPECT_GT(accepted, 1'000);
    EXPECT_LT(accepted, 10'000);
}

TEST(JitCode, SurvivesDamagedPerfMaps) {
    std::mt19937_64 random(20'261'125);
    for (int i = 0; i < 20'000; ++i) {
        std::string text = "7f00 10 py::f\n7f10 20 _ZN1a1fEi\nffff 1 x\n";
        for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
            text[random() % text.size()] = "0123456789abcdefx \n-_Z\xff"[random() % 23];
        JitCode jit;
        EXPECT_LE(jit.add_perf_map(text), 8U);
    }
}

}  // namespace
}  // namespace tare::attribution
