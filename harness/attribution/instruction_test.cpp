// At stake: one instruction taken for a call that is none, and every function after it stands one frame too deep.
#include "harness/attribution/instruction.h"

#include <gtest/gtest.h>

namespace tare::attribution {
namespace {

Instruction decoded(std::vector<std::uint8_t> bytes) {
    core::CodeBytes code{.address = 0x1000, .length = static_cast<std::uint8_t>(bytes.size()), .bytes = {}};
    std::copy(bytes.begin(), bytes.end(), code.bytes.begin());
    return decode({code}).at(0x1000);
}

// Encodings: Intel's manual, volume 2.
TEST(Instruction, KnowsWhatLeavesTheLine) {
    EXPECT_EQ(decoded({0xe8, 1, 0, 0, 0}), (Instruction{5, Flow::kCall, false}));        // call rel32
    EXPECT_EQ(decoded({0xff, 0x15, 1, 0, 0, 0}), (Instruction{6, Flow::kCall, false}));  // call [rip+1]
    EXPECT_EQ(decoded({0xf2, 0xe8, 1, 0, 0, 0}), (Instruction{6, Flow::kCall, false}));  // bnd call
    EXPECT_EQ(decoded({0xc3}), (Instruction{1, Flow::kReturn, false}));
    EXPECT_EQ(decoded({0xf3, 0xc3}), (Instruction{2, Flow::kReturn, false}));  // repz ret, as old GCC writes it
    EXPECT_EQ(decoded({0xeb, 0xfe}), (Instruction{2, Flow::kJump, false}));
    EXPECT_EQ(decoded({0x74, 0x10}), (Instruction{2, Flow::kJump, false}));  // je
    EXPECT_EQ(decoded({0xff, 0xe0}), (Instruction{2, Flow::kJump, false}));  // jmp rax
    EXPECT_EQ(decoded({0x0f, 0x05}), (Instruction{2, Flow::kSystemCall, false}));
    EXPECT_EQ(decoded({0x90}), (Instruction{1, Flow::kNext, false}));
}

TEST(Instruction, KnowsRepeatedStringInstructions) {
    EXPECT_EQ(decoded({0xf3, 0xa4}), (Instruction{2, Flow::kNext, true}));               // rep movsb
    EXPECT_EQ(decoded({0xf3, 0x48, 0xab}), (Instruction{3, Flow::kNext, true}));         // rep stosq
    EXPECT_EQ(decoded({0xf2, 0xae}), (Instruction{2, Flow::kNext, true}));               // repne scasb
    EXPECT_EQ(decoded({0xf3, 0x0f, 0x58, 0xc1}), (Instruction{4, Flow::kNext, false}));  // addss: f3 is no prefix here
    EXPECT_EQ(decoded({0xf3, 0x90}), (Instruction{2, Flow::kNext, false}));              // pause
}

TEST(Instruction, DecodesAvx512) {
    EXPECT_EQ(decoded({0x62, 0xf1, 0x7c, 0x48, 0x58, 0xc1}), (Instruction{6, Flow::kNext, false}));  // vaddps zmm0,...
}

TEST(Instruction, TakesBytesThatAreNoneAsOneThatFlowsOn) {
    EXPECT_EQ(decoded({0x06, 0x06}), (Instruction{2, Flow::kNext, false}));  // push es: not in 64-bit mode
    EXPECT_EQ(decoded({0xe8, 1}), (Instruction{2, Flow::kNext, false}));     // cut off at the end of a mapping
    EXPECT_EQ(decoded({}), (Instruction{1, Flow::kNext, false}));
}

}  // namespace
}  // namespace tare::attribution
