// At stake: each frame rests on the one before it. What is unknown must stay unknown: a guessed register would lead
// into some frame, and the stack would look complete.
#include "harness/attribution/frame_step.h"

#include <dwarf.h>
#include <gmock/gmock.h>

#include <cstring>

namespace tare::attribution {
namespace {

using Kind = RegisterRule::Kind;

constexpr std::size_t kRbx = 3;
constexpr std::size_t kRbp = 6;
constexpr std::uint64_t kStack = 0x7ffc00001000;

class FrameStepTest : public ::testing::Test {
  protected:
    FrameStepTest() {
        sample.stack_address = kStack;
        sample.stack.resize(64);
        for (std::uint64_t i = 0; i < 8; ++i) {
            const std::uint64_t word = 0x1000 + i;
            std::memcpy(sample.stack.data() + 8 * i, &word, sizeof word);
        }
        frame.values[core::kStackPointer] = kStack;
        frame.values[core::kInstructionPointer] = 0x401000;
        rule.cfa_register = static_cast<std::int32_t>(core::kStackPointer);
        rule.cfa_offset = 24;
        rule.registers[core::kStackPointer] = {Kind::kOffset, 0};
        rule.registers[core::kInstructionPointer] = {Kind::kSavedAt, -8};
    }
    StepEnd take() { return step(rule, frame, StackMemory(sample, code), caller); }

    core::StackSample sample;
    LoadedCode code;
    FrameRule rule;
    FrameRegisters frame;
    FrameRegisters caller;
};

TEST_F(FrameStepTest, FindsTheCallerAndItsRegisters) {
    rule.registers[kRbx] = {Kind::kSavedAt, -24};
    rule.registers[kRbp] = {Kind::kSame, 0};
    frame.values[kRbp] = 7;
    ASSERT_EQ(take(), StepEnd::kCaller);
    EXPECT_EQ(caller.values[core::kInstructionPointer], 0x1002U);
    EXPECT_EQ(caller.address(), 0x1001U);
    EXPECT_EQ(caller.stack_pointer(), kStack + 24);
    EXPECT_EQ(caller.values[kRbx], 0x1000U);
    EXPECT_EQ(caller.values[kRbp], 7U);
    EXPECT_FALSE(caller.knows(0));
}

TEST_F(FrameStepTest, TakesNoReturnAddressThatLiesAcrossTwoSlots) {
    for (std::uint64_t off = 1; off < 8; ++off) {
        frame.values[core::kStackPointer] = kStack + off;
        EXPECT_EQ(take(), StepEnd::kLost) << off;
    }
    frame.values[core::kStackPointer] = kStack + 8;
    EXPECT_EQ(take(), StepEnd::kCaller);
}

TEST_F(FrameStepTest, IsLostWithoutTheRegisterThatTheFrameHangsOn) {
    rule.cfa_register = static_cast<std::int32_t>(kRbp);
    frame.values[kRbp] = kStack;
    EXPECT_EQ(take(), StepEnd::kCaller);
    frame.known &= ~(1U << kRbp);
    EXPECT_EQ(take(), StepEnd::kLost);
}

TEST_F(FrameStepTest, IsLostWhereTheStackWouldNotShrink) {
    rule.cfa_register = static_cast<std::int32_t>(kRbp);
    rule.cfa_offset = 16;
    frame.values[core::kStackPointer] = kStack + 32;
    for (const std::uint64_t pointer : {kStack, kStack + 16}) {
        frame.values[kRbp] = pointer;
        EXPECT_EQ(take(), StepEnd::kLost);
    }
    frame.values[kRbp] = kStack + 24;
    EXPECT_EQ(take(), StepEnd::kCaller);
}

TEST_F(FrameStepTest, ReturnsFromASignalToTheVeryInstructionOnWhateverStack) {
    rule.is_signal_frame = true;
    rule.registers[core::kStackPointer] = {Kind::kExpressionAt, 0};
    rule.expressions = {{{DW_OP_breg7, 32, 0}}};
    ASSERT_EQ(take(), StepEnd::kCaller);
    EXPECT_EQ(caller.address(), 0x1002U);
    EXPECT_EQ(caller.stack_pointer(), 0x1004U);
}

TEST_F(FrameStepTest, TellsTheEntryAndTheEndOfTheCopyApart) {
    rule.cfa_offset = 128;
    EXPECT_EQ(take(), StepEnd::kLost);
    sample.stack_cut = true;
    EXPECT_EQ(take(), StepEnd::kCut);
    rule.cfa_offset = -128;
    EXPECT_EQ(take(), StepEnd::kLost);
    rule.registers[core::kInstructionPointer] = {};
    EXPECT_EQ(take(), StepEnd::kEntry);
}

TEST_F(FrameStepTest, KnowsWhereALinkersPltEntryHasPushed) {
    // GNU ld's .plt: CFA = RSP + 8 + ((RIP & 15) >= 11) << 3
    rule.cfa_register = -1;
    rule.cfa = {{DW_OP_breg7, 8, 0}, {DW_OP_breg0 + 16, 0, 0}, {DW_OP_lit15, 0, 0},
                {DW_OP_and, 0, 0},   {DW_OP_lit11, 0, 0},      {DW_OP_ge, 0, 0},
                {DW_OP_lit3, 0, 0},  {DW_OP_shl, 0, 0},        {DW_OP_plus, 0, 0}};
    ASSERT_EQ(take(), StepEnd::kCaller);
    EXPECT_EQ(caller.values[core::kInstructionPointer], 0x1000U);
    frame.values[core::kInstructionPointer] = 0x40100b;
    ASSERT_EQ(take(), StepEnd::kCaller);
    EXPECT_EQ(caller.values[core::kInstructionPointer], 0x1001U);
}

TEST_F(FrameStepTest, FindsTheFrameOfARealignedStack) {
    // gcc's main with an aligned local: CFA = *(RBP - 8)
    rule.cfa_register = -1;
    rule.cfa = {{DW_OP_breg6, std::uint64_t(-8), 0}, {DW_OP_deref, 0, 0}};
    const std::uint64_t cfa = kStack + 40;
    std::memcpy(sample.stack.data() + 8, &cfa, sizeof cfa);
    frame.values[kRbp] = kStack + 16;
    ASSERT_EQ(take(), StepEnd::kCaller);
    EXPECT_EQ(caller.stack_pointer(), cfa);
    EXPECT_EQ(caller.values[core::kInstructionPointer], 0x1004U);
}

TEST_F(FrameStepTest, IsLostWithAnExpressionThatIsNone) {
    rule.cfa_register = -1;
    for (const Expression& expression :
         {Expression{}, Expression{{DW_OP_plus, 0, 0}}, Expression{{DW_OP_bra, 0, 0}},
          Expression{{DW_OP_lit1, 0, 0}, {DW_OP_deref, 0, 0}}, Expression(100, Operation{DW_OP_lit1, 0, 0})}) {
        rule.cfa = expression;
        EXPECT_EQ(take(), StepEnd::kLost);
    }
}

}  // namespace
}  // namespace tare::attribution
