// At stake: what a file does not know must not be made up: of another build than what runs, every rule would be wrong.
#include "harness/attribution/unwind_file.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>

#include "harness/attribution/unwinder_fixture_for_test.h"

namespace tare::attribution {
namespace {

class UnwindFileTest : public UnwinderTest {
  protected:
    [[nodiscard]] core::CodeModule module_of(std::uint64_t address) const {
        return *std::find_if(modules.begin(), modules.end(), [&](const core::CodeModule& module) {
            return address >= module.start && address < module.end;
        });
    }
};

TEST_F(UnwindFileTest, TakesACallOfAnotherFilesFunctionForOneWhoseTargetNobodyKnows) {
    const core::CodeModule module = module_of(address_of(&prints));
    UnwindFile file(module);
    const SteppedCall call = stepped(&prints, 7, 64);
    std::uint64_t returned = 0;  // of the first call, that of snprintf through its PLT entry
    for (std::size_t i = 1; i < call.samples.size() && returned == 0; ++i) {
        const core::StackSample& sample = call.samples[i];
        const std::uint64_t after = call.samples[i - 1].registers[core::kInstructionPointer] + 5;
        if (word_at(sample, sample.registers[core::kStackPointer]) == after) returned = after;
    }
    ASSERT_NE(returned, 0U);
    EXPECT_EQ(file.call_before(returned - module.bias).kind, CallSite::Kind::kIndirect);
}

TEST_F(UnwindFileTest, FollowsACallOfThePltEntryOfItsOwnFunctionAndKnowsItsCallerByTheCode) {
    const auto elf = ElfFile::open(TARE_UNWINDER_TEST_LIBRARY);
    ASSERT_TRUE(elf) << elf.error().what;
    UnwindFile file({TARE_UNWINDER_TEST_LIBRARY, elf->build_id(), 0, 0, 0});
    ASSERT_TRUE(file.is_readable());
    const auto caller = symbol_address(*elf, SymbolTable::kDynamic, "calls_by_name");
    const auto called = symbol_address(*elf, SymbolTable::kDynamic, "called_by_name");
    ASSERT_TRUE(caller && called);
    std::optional<std::uint64_t> stub;
    for (std::uint64_t address = *caller; file.function_start(address) == caller && !stub; ++address) {
        if (file.call_before(address) != CallSite{CallSite::Kind::kDirect, *called}) continue;
        stub = call_before(elf->bytes_at(address - kLongestCall, kLongestCall), address).target;
    }
    ASSERT_TRUE(stub);
    EXPECT_NE(*stub, *called);
    EXPECT_EQ(file.function_start(*stub + 6), stub);
    EXPECT_EQ(file.rule_at(*stub), nullptr);
    const FrameRule* rule = file.rule_from_code(*stub, false);
    ASSERT_NE(rule, nullptr);
    EXPECT_EQ(rule->cfa_register, static_cast<std::int32_t>(core::kStackPointer));
    EXPECT_EQ(rule->cfa_offset, 8);
}

TEST_F(UnwindFileTest, KnowsFunctionsRulesAndCallsOfAFile) {
    const core::CodeModule module = module_of(address_of(&bare_kernel));
    UnwindFile file(module);
    ASSERT_TRUE(file.is_readable());
    const std::uint64_t kernel = address_of(&bare_kernel) - module.bias;
    EXPECT_EQ(file.rule_at(kernel), nullptr);
    EXPECT_NE(file.rule_from_code(kernel + 4, false), nullptr);
    EXPECT_EQ(file.function_start(kernel + 40), kernel);
    const std::uint64_t framed = address_of(&framed_calls_other) - module.bias;
    EXPECT_NE(file.rule_at(framed), nullptr);
    EXPECT_EQ(file.call_before(framed + 9), (CallSite{CallSite::Kind::kDirect, address_of(&bare_leaf) - module.bias}));
    const auto elf = ElfFile::open(module.path);
    ASSERT_TRUE(elf) << elf.error().what;
    EXPECT_TRUE(file.is_entry(elf->entry() + 20));  // _start
    EXPECT_FALSE(file.is_entry(kernel));
}

TEST_F(UnwindFileTest, KnowsNothingOfAnotherBuildOrAFileThatIsGone) {
    const core::CodeModule module = module_of(address_of(&bare_kernel));
    const std::uint64_t framed = address_of(&framed_calls_other) - module.bias;
    core::CodeModule other = module;
    other.build_id = "00";
    core::CodeModule gone = module;
    gone.path += " (deleted)";
    for (const core::CodeModule& changed : {other, gone}) {
        UnwindFile file(changed);
        EXPECT_FALSE(file.is_readable());
        EXPECT_EQ(file.rule_at(framed), nullptr);
        EXPECT_EQ(file.rule_from_code(framed, false), nullptr);
        EXPECT_EQ(file.call_before(framed + 9), CallSite{});
        EXPECT_EQ(file.function_start(framed), std::nullopt);
        EXPECT_FALSE(file.is_entry(framed));
        EXPECT_EQ(file.word_at(framed), std::nullopt);
    }
}

TEST_F(UnwindFileTest, ReadsConstantsOfTheFileAndNothingThatTheProcessCanWrite) {
    static const std::uint64_t constant = 0x0123456789abcdef;
    static std::uint64_t variable = 1;
    const core::CodeModule module = module_of(address_of(&bare_kernel));
    const UnwindFile file(module);
    EXPECT_EQ(file.word_at(reinterpret_cast<std::uint64_t>(&constant) - module.bias), constant);
    EXPECT_EQ(file.word_at(reinterpret_cast<std::uint64_t>(&variable) - module.bias), std::nullopt);
    EXPECT_EQ(file.word_at(~std::uint64_t{0} - 3), std::nullopt);
}

}  // namespace
}  // namespace tare::attribution
