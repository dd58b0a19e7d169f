// At stake: a scan meets what earlier calls and signals left. Any return address among it that unwinds on would do, and
// the profile would show a function that does not run.

#include <gmock/gmock.h>

#include <algorithm>

#include "harness/attribution/unwinder_fixture_for_test.h"

namespace tare::attribution {
namespace {

using core::StackSample;
using ::testing::ElementsAreArray;
using ::testing::SizeIs;

class DeceivedUnwinderTest : public UnwinderTest {
  protected:
    void SetUp() override {
        if (kHasFramePointers) GTEST_SKIP() << kFramesHangOnRbp;
        UnwinderTest::SetUp();
    }
};

TEST_F(DeceivedUnwinderTest, PrefersTheCallOfTheVeryFunctionToReturnAddressesThatAnEarlierCallLeft) {
    // The earlier call had the same caller, so that its frame unwinds to the entry just as well.
    const SteppedCall earlier = stepped_in_test_code(&framed_calls_other, 8192);
    const StackSample in_leaf = sample_at(earlier, address_of(&bare_leaf));
    const std::uint64_t stale = word_at(in_leaf, in_leaf.registers[core::kStackPointer]);

    const SteppedCall call = stepped_in_test_code(&framed_calls_bare_moves_by, 8192);
    StackSample sample = sample_at(call, address_of(&bare_moves_by) + 3);  // in the middle of the frame
    const std::uint64_t stack_pointer = sample.registers[core::kStackPointer];
    const std::uint64_t returned = word_at(sample, stack_pointer + 8192);
    std::vector<std::uint64_t> expected = leaf_chain(sample, call);
    expected.insert(expected.begin() + 1, returned - 1);
    // `stale` 32 bytes below where it would return to the same caller.
    for (const std::uint64_t place : {std::uint64_t{64}, std::uint64_t{4096}, std::uint64_t{8192 - 16}}) {
        StackSample deceptive = sample;
        set_word(deceptive, stack_pointer + place, stale);
        set_word(deceptive, stack_pointer + place + 32, returned);
        set_word(deceptive, stack_pointer + 8192, returned);
        const NativeStack stack = unwinder.unwind(deceptive);
        EXPECT_EQ(stack.quality, StackQuality::kScanned);
        EXPECT_THAT(addresses_in(stack), ElementsAreArray(expected)) << place;
    }
}

TEST_F(DeceivedUnwinderTest, PrefersACallerToAnOldOneWhoseFramePointerLeadsToTheCallerOfAnother) {
    const SteppedCall earlier = stepped_in_test_code(&framed_by_pointer, address_of(&bare_leaf));
    const StackSample in_leaf = sample_at(earlier, address_of(&bare_leaf));
    const std::uint64_t stale = word_at(in_leaf, in_leaf.registers[core::kStackPointer]);

    const SteppedCall call = stepped_in_test_code(nameless_code(), 7);
    StackSample sample = sample_at(call, address_of(nameless_code()) + 8);
    const NativeStack stack = unwinder.unwind(sample);
    ASSERT_THAT(addresses_in(stack), ElementsAreArray(leaf_chain(sample, call)));
    sample.registers[6] = stack.frames[2].stack_pointer - 16;  // RBP + 8: the return address into that frame
    set_word(sample, sample.registers[core::kStackPointer] + 64, stale);
    EXPECT_THAT(addresses_in(unwinder.unwind(sample)), ElementsAreArray(leaf_chain(sample, call)));
}

TEST_F(DeceivedUnwinderTest, IsNotDeceivedByStaleReturnAddressesWhereTheCodeTellsTheFrame) {
    const SteppedCall call = stepped_in_test_code(&bare_kernel, 7);
    for (StackSample sample : call.samples) {
        const std::uint64_t stack_pointer = sample.registers[core::kStackPointer];
        if (stack_pointer % 4096 != 0) continue;
        // A perfect copy of the true chain, lower down.
        const std::uint64_t top = sample.registers[3] + 104;  // RBX is the copy of the stack pointer
        for (std::uint64_t offset = 0; offset < 512 && top + offset + 8 <= sample.stack_address + sample.stack.size();
             offset += 8)
            set_word(sample, stack_pointer + 256 + offset, word_at(sample, top - 8 + offset));
        ASSERT_THAT(addresses_in(unwinder.unwind(sample)), ElementsAreArray(leaf_chain(sample, call)));
    }
}

TEST_F(DeceivedUnwinderTest, TakesNoWordThatFollowsNoCall) {
    const std::uint64_t framed = address_of(&framed_calls_other);
    const std::uint64_t returned = framed + 9;  // sub, call; its frame is of 32 bytes
    StackSample sample;
    sample.stack_address = 0x7ffc00000000;
    sample.stack.resize(256);
    sample.stack_cut = true;
    sample.registers[core::kStackPointer] = sample.stack_address;
    sample.registers[core::kInstructionPointer] = address_of(&bare_moves_by) + 3;
    set_word(sample, sample.stack_address + 8, framed + 5);  // unwinds like the others
    set_word(sample, sample.stack_address + 16, address_of(&bare_leaf));
    set_word(sample, sample.stack_address + 24, ~std::uint64_t{0});
    std::vector<std::uint64_t> expected = {address_of(&bare_moves_by) + 3};
    for (std::uint64_t place = 40; place < 256; place += 32) {
        set_word(sample, sample.stack_address + place, returned);
        expected.push_back(returned - 1);
    }
    EXPECT_THAT(addresses_in(unwinder.unwind(sample)), ElementsAreArray(expected));
}

TEST_F(DeceivedUnwinderTest, IsNotLedOutByTheFrameOfAnEarlierSignal) {
    // The stepping itself leaves one at each instruction, within the 16 KB that this code skips at its second.
    const SteppedCall call = stepped_in_test_code(nameless_code(), 7);
    const StackSample sample = sample_at(call, address_of(nameless_code()) + 8);
    EXPECT_THAT(addresses_in(unwinder.unwind(sample)), ElementsAreArray(leaf_chain(sample, call)));
}

}  // namespace
}  // namespace tare::attribution
