// At stake: OpenBLAS's kernel for dgemm has no unwind information, moves the stack pointer by up to 33 KB and uses RBP
// as data; 85 to 89 % of the samples of a 128 x 128 product stopped there in libdw, libunwind and libgcc alike.

#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "harness/attribution/unwinder_fixture_for_test.h"

namespace tare::attribution {
namespace {

using core::StackSample;
using ::testing::ElementsAreArray;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// Every instruction of a function without unwind information that calls none.
void expect_exact_chains(Unwinder& unwinder, const SteppedCall& call, std::size_t least_samples) {
    ASSERT_THAT(call.samples, SizeIs(Ge(least_samples)));
    ASSERT_THAT(call.callers, SizeIs(Ge(8U)));
    for (const StackSample& sample : call.samples) {
        const NativeStack stack = unwinder.unwind(sample);
        const auto offset =
            sample.registers[core::kInstructionPointer] - call.samples[0].registers[core::kInstructionPointer];
        ASSERT_EQ(stack.quality, StackQuality::kScanned) << "at +" << offset;
        ASSERT_THAT(addresses_in(stack), ElementsAreArray(leaf_chain(sample, call))) << "at +" << offset;
        EXPECT_FALSE(stack.frames[0].scanned);
        EXPECT_TRUE(stack.frames[1].scanned);
        EXPECT_FALSE(stack.frames[2].scanned);
    }
}

TEST_F(UnwinderTest, GetsThroughALeafWithoutUnwindInformationAtEveryInstruction) {
    expect_exact_chains(unwinder, stepped_in_test_code(&bare_leaf, 7), 3);
}

TEST_F(UnwinderTest, GetsThroughTheKernelThatMovesTheStackPointerToAPageAtEveryInstruction) {
    const SteppedCall call = stepped_in_test_code(&bare_kernel, 7);
    expect_exact_chains(unwinder, call, 40);
    const auto moved = std::count_if(call.samples.begin(), call.samples.end(), [](const StackSample& sample) {
        return sample.registers[core::kStackPointer] % 4096 == 0;
    });
    EXPECT_GT(moved, 20);
    EXPECT_EQ(unwinder.effort().by_code, call.samples.size());
}

TEST_F(UnwinderTest, GetsThroughCodeOfWhichNotEvenASymbolIsKnownByTheScan) {
    if (kHasFramePointers) GTEST_SKIP() << kFramesHangOnRbp;
    const SteppedCall call = stepped_in_test_code(nameless_code(), 7);
    expect_exact_chains(unwinder, call, 6);
    EXPECT_THAT(unwinder.effort().by_scan, Ge(call.samples.size()));
    EXPECT_EQ(unwinder.effort().by_code, 0U);
}

TEST_F(UnwinderTest, GetsThroughCodeWhoseStackPointerNobodyCanFollowByTheScan) {
    const SteppedCall call = stepped_in_test_code(&bare_moves_by, 8192);
    expect_exact_chains(unwinder, call, 5);
    EXPECT_GT(unwinder.effort().by_scan, 0U);
}

TEST_F(UnwinderTest, GetsThroughTwoFunctionsWithoutUnwindInformationUponEachOther) {
    const SteppedCall call = stepped_in_test_code(&bare_pushes, 6);
    ASSERT_THAT(call.samples, SizeIs(Ge(40U)));
    std::size_t in_leaf = 0;
    for (const StackSample& sample : call.samples) {
        const NativeStack stack = unwinder.unwind(sample);
        std::vector<std::uint64_t> expected = leaf_chain(sample, call);
        const std::uint64_t address = expected.front();
        if (address >= address_of(&bare_leaf) && address < address_of(&bare_pushes)) {
            ++in_leaf;
            expected.insert(expected.begin() + 1, word_at(sample, sample.registers[core::kStackPointer]) - 1);
        }
        EXPECT_EQ(stack.quality, StackQuality::kScanned);
        EXPECT_THAT(addresses_in(stack), ElementsAreArray(expected));
    }
    EXPECT_EQ(in_leaf, 9U);
    EXPECT_EQ(unwinder.effort().by_scan, 0U);
}

TEST_F(UnwinderTest, GetsOutOfAFunctionWhoseUnwindInformationIsWrong) {
    const SteppedCall call = stepped_in_test_code(&framed_wrongly, 7);
    ASSERT_THAT(call.samples, SizeIs(7));
    for (std::size_t i = 0; i < 7; ++i) {
        if (i == 2) continue;  // what lies at the stack pointer there, an earlier call left
        const StackSample& sample = call.samples[i];
        const NativeStack stack = unwinder.unwind(sample);
        EXPECT_NE(stack.quality, StackQuality::kTruncated);
        EXPECT_THAT(addresses_in(stack), ElementsAreArray(leaf_chain(sample, call)));
    }
}

TEST_F(UnwinderTest, TellsWhereEachFrameBegins) {
    const SteppedCall call = stepped_in_test_code(&bare_kernel, 7);
    for (const StackSample& sample : call.samples) {
        const NativeStack stack = unwinder.unwind(sample);
        EXPECT_EQ(stack.frames[0].stack_pointer, sample.registers[core::kStackPointer]);
        for (std::size_t i = 1; i < stack.frames.size(); ++i) {
            EXPECT_GT(stack.frames[i].stack_pointer, stack.frames[i - 1].stack_pointer);
            EXPECT_EQ(word_at(sample, stack.frames[i].stack_pointer - 8) - 1, stack.frames[i].address);
        }
    }
}

std::uint64_t sorts(std::uint64_t value) {
    std::uint64_t numbers[] = {value, 3, 1, 2};
    std::qsort(numbers, 4, sizeof numbers[0], [](const void* a, const void* b) {
        return static_cast<int>(*static_cast<const std::uint64_t*>(a)) -
               static_cast<int>(*static_cast<const std::uint64_t*>(b));
    });
    return numbers[0];
}

TEST_F(UnwinderTest, IsCompleteAtEveryInstructionOfLibrariesPltEntriesAndTheVdso) {
    struct Traced {
        Function function;
        std::size_t least_samples;  // a clock that the vdso cannot read is a system call: a dozen instructions
    };
    for (const auto& [function, least_samples] :
         {Traced{&prints, 50}, Traced{&sorts, 50}, Traced{&asks_the_clock, 5}}) {
        const SteppedCall call = stepped(function, 7);
        ASSERT_THAT(call.samples, SizeIs(Ge(least_samples)));
        for (const StackSample& sample : call.samples) {
            const NativeStack stack = unwinder.unwind(sample);
            ASSERT_EQ(stack.quality, StackQuality::kComplete) << text_of(stack);
            std::vector<std::uint64_t> outer = addresses_in(stack);
            ASSERT_THAT(outer, SizeIs(Ge(call.callers.size() + 1)));
            outer.erase(outer.begin(), outer.end() - static_cast<std::ptrdiff_t>(call.callers.size()));
            ASSERT_THAT(outer, ElementsAreArray(call.callers));
        }
    }
}

TEST_F(UnwinderTest, ReachesTheEntryOfAThread) {
    NativeStack stack;
    std::thread([&] {
        const SteppedCall call = stepped_in_test_code(&bare_kernel, 7);
        ASSERT_THAT(call.samples, Not(IsEmpty()));
        stack = unwinder.unwind(call.samples[20]);
        EXPECT_THAT(addresses_in(stack), ElementsAreArray(leaf_chain(call.samples[20], call)));
    }).join();
    EXPECT_EQ(stack.quality, StackQuality::kScanned);
}

SteppedCall call_in_handler;
volatile std::uint64_t interrupted_at = 0;

std::uint64_t raises(std::uint64_t) {
    asm volatile("lea 1f(%%rip), %%rax\n mov %%rax, %0\n 1: ud2" : "=m"(interrupted_at)::"rax");
    return 0;
}

TEST_F(UnwinderTest, GetsThroughASignalHandlerToTheVeryInstructionThatWasInterrupted) {
    struct sigaction action {};
    struct sigaction before {};
    action.sa_sigaction = [](int, siginfo_t*, void* context) {
        call_in_handler = stepped(&bare_leaf, 7);
        static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP] += 2;
    };
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGILL, &action, &before);
    raises(0);
    ::sigaction(SIGILL, &before, nullptr);
    ASSERT_THAT(call_in_handler.samples, SizeIs(3));
    const NativeStack stack = unwinder.unwind(call_in_handler.samples[0]);
    EXPECT_NE(stack.quality, StackQuality::kTruncated);
    EXPECT_THAT(addresses_in(stack), ::testing::Contains(interrupted_at));
}

}  // namespace
}  // namespace tare::attribution
