// At stake: in a Numba program 60 % of the samples lie in code without a file; where nothing is known of it, a scan of
// the stack skips its callers, up to C's main, and calls the stack complete.
#include "harness/attribution/loaded_code.h"

#include <elf.h>
#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <iterator>

namespace tare::attribution {
namespace {

constexpr std::uint64_t kText = 0x7f0000001000;
constexpr std::uint64_t kMemory = 0x7f0000000000;
constexpr std::uint64_t kMemoryEnd = 0x7f0000010000;

/// An object whose code lies at kText, as JitList tells one.
std::string compiled() {
    std::ifstream stream(TARE_JIT_SAMPLE, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    for (unsigned i = 0; i < header.e_shnum; ++i) {
        char* at = bytes.data() + header.e_shoff + i * sizeof(Elf64_Shdr);
        Elf64_Shdr section;
        std::memcpy(&section, at, sizeof section);
        if ((section.sh_flags & SHF_EXECINSTR) == 0 || section.sh_size == 0) continue;
        section.sh_addr = kText;
        std::memcpy(at, &section, sizeof section);
    }
    return bytes;
}

std::vector<core::CodeModule> memory_without_a_file() {
    core::CodeModule module;
    module.start = kMemory;
    module.end = kMemoryEnd;
    return {module};
}

TEST(LoadedCode, knows_how_frames_of_compiled_code_are_left) {
    LoadedCode code;
    code.set(memory_without_a_file());
    EXPECT_EQ(code.find(kText).file, nullptr);
    code.add_compiled(compiled());
    const CodeAddress found = code.find(kText);
    ASSERT_NE(found.file, nullptr);
    EXPECT_EQ(found.address, kText);
    EXPECT_EQ(found.bias, 0);
    EXPECT_NE(found.file->rule_from_code(kText, false), nullptr) << "by its instructions";
    EXPECT_EQ(code.find(kMemory).file, nullptr) << "beside it";
    code.set(memory_without_a_file());
    EXPECT_EQ(code.find(kText).file, found.file) << "modules are told anew";
}

TEST(LoadedCode, knows_compiled_code_that_no_list_of_modules_holds_yet) {
    LoadedCode code;
    const auto elsewhere = [&](std::uint64_t start, std::uint64_t end) {
        core::CodeModule module;
        module.start = start;
        module.end = end;
        code.set({module});
    };
    elsewhere(kMemoryEnd, kMemoryEnd + 0x1000);
    code.add_compiled(compiled());
    for (int i = 0; i < 2; ++i) {
        EXPECT_TRUE(code.may_hold(kText));
        EXPECT_TRUE(code.find(kText).is_code);
        EXPECT_NE(code.find(kText).file, nullptr);
        EXPECT_FALSE(code.find(kMemory).is_code);
        elsewhere(kMemoryEnd, kMemoryEnd + 0x1000);  // told anew
    }
}

TEST(LoadedCode, takes_later_code_for_what_it_overwrites) {
    LoadedCode code;
    code.set(memory_without_a_file());
    code.add_compiled(compiled());
    const UnwindFile* first = code.find(kText).file;
    code.add_compiled(compiled());
    EXPECT_NE(code.find(kText).file, first);
    EXPECT_NE(code.find(kText).file, nullptr);
}

TEST(LoadedCode, bears_an_object_that_is_damaged) {
    LoadedCode code;
    code.set(memory_without_a_file());
    const std::string whole = compiled();
    for (std::size_t size = 0; size < whole.size(); size += 7) {
        code.add_compiled(whole.substr(0, size));
        const CodeAddress found = code.find(kText);
        if (found.file != nullptr) (void)found.file->rule_at(kText);
    }
    EXPECT_TRUE(code.find(kText).is_code);
}

}  // namespace
}  // namespace tare::attribution
