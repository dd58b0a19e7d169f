// At stake: OpenBLAS's kernel for dgemm has no unwind information, moves the stack pointer by up to 33 KB and uses RBP
// as data; 85 to 89 % of the samples of a 128 x 128 product stopped there in libdw, libunwind and libgcc alike.
#include "harness/attribution/unwinder.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "harness/attribution/own_modules_for_test.h"
#include "harness/attribution/unwinder_test_code.h"
#include "harness/attribution/unwinder_test_sampler.h"

namespace tare::attribution {
namespace {

using core::CodeModule;
using core::StackSample;
using ::testing::ElementsAreArray;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Not;
using ::testing::SizeIs;

std::uint64_t address_of(Function function) {
    return reinterpret_cast<std::uint64_t>(function);
}

std::vector<std::uint64_t> addresses_in(const NativeStack& stack) {
    std::vector<std::uint64_t> addresses;
    for (const NativeFrame& frame : stack.frames) addresses.push_back(frame.address);
    return addresses;
}

/// The instruction itself, then the callers.
std::vector<std::uint64_t> leaf_chain(const StackSample& sample, const SteppedCall& call) {
    std::vector<std::uint64_t> chain = {sample.registers[core::kInstructionPointer]};
    chain.insert(chain.end(), call.callers.begin(), call.callers.end());
    return chain;
}

std::uint64_t word_at(const StackSample& sample, std::uint64_t address) {
    std::uint64_t word = 0;
    std::memcpy(&word, sample.stack.data() + (address - sample.stack_address), sizeof word);
    return word;
}

void set_word(StackSample& sample, std::uint64_t address, std::uint64_t word) {
    std::memcpy(sample.stack.data() + (address - sample.stack_address), &word, sizeof word);
}

class UnwinderTest : public ::testing::Test {
  protected:
    void SetUp() override {
        modules = own_modules();
        unwinder.set_modules(modules);
    }

    SteppedCall stepped_in_test_code(Function function, std::uint64_t argument) {
        return stepped(function, argument, 4096, reinterpret_cast<std::uint64_t>(test_code_start),
                       reinterpret_cast<std::uint64_t>(test_code_end));
    }

    std::string place_of(std::uint64_t address) const {
        for (const CodeModule& module : modules)
            if (address >= module.start && address < module.end)
                return module.path + " + " + std::to_string(address - module.bias);
        return std::to_string(address);
    }

    std::string text_of(const NativeStack& stack) const {
        std::string text;
        for (const NativeFrame& frame : stack.frames)
            text += place_of(frame.address) + (frame.scanned ? " scanned\n" : "\n");
        return text;
    }

    std::vector<CodeModule> modules;
    Unwinder unwinder;
};

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

std::uint64_t prints(std::uint64_t value) {
    char text[64];
    return static_cast<std::uint64_t>(
        std::snprintf(text, sizeof text, "%.17g %llu", 0.1, static_cast<unsigned long long>(value)));
}

std::uint64_t sorts(std::uint64_t value) {
    std::uint64_t numbers[] = {value, 3, 1, 2};
    std::qsort(numbers, 4, sizeof numbers[0], [](const void* a, const void* b) {
        return static_cast<int>(*static_cast<const std::uint64_t*>(a)) -
               static_cast<int>(*static_cast<const std::uint64_t*>(b));
    });
    return numbers[0];
}

std::uint64_t asks_the_clock(std::uint64_t) {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_nsec);
}

TEST_F(UnwinderTest, IsCompleteAtEveryInstructionOfLibrariesPltEntriesAndTheVdso) {
    for (const Function function : {&prints, &sorts, &asks_the_clock}) {
        const SteppedCall call = stepped(function, 7);
        ASSERT_THAT(call.samples, SizeIs(Ge(50U)));
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

// Stacks that deceive.

StackSample sample_at(const SteppedCall& call, std::uint64_t address) {
    for (const StackSample& sample : call.samples)
        if (sample.registers[core::kInstructionPointer] == address) return sample;
    ADD_FAILURE() << "no sample there";
    return {};
}

TEST_F(UnwinderTest, PrefersTheCallOfTheVeryFunctionToReturnAddressesThatAnEarlierCallLeft) {
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

TEST_F(UnwinderTest, PrefersACallerWhoseFrameNeedsNoRegisterToAnOldOneThatHangsOnTheFramePointerOfNow) {
    const SteppedCall earlier = stepped_in_test_code(&framed_by_pointer, address_of(&bare_leaf));
    const StackSample in_leaf = sample_at(earlier, address_of(&bare_leaf));
    const std::uint64_t stale = word_at(in_leaf, in_leaf.registers[core::kStackPointer]);

    const SteppedCall call = stepped_in_test_code(nameless_code(), 7);
    StackSample sample = sample_at(call, address_of(nameless_code()) + 8);
    const NativeStack stack = unwinder.unwind(sample);
    ASSERT_THAT(addresses_in(stack), ElementsAreArray(leaf_chain(sample, call)));
    sample.registers[6] = stack.frames[4].stack_pointer - 16;  // RBP + 8: the return address into that frame
    set_word(sample, sample.registers[core::kStackPointer] + 64, stale);
    EXPECT_THAT(addresses_in(unwinder.unwind(sample)), ElementsAreArray(leaf_chain(sample, call)));
}

TEST_F(UnwinderTest, IsNotDeceivedByStaleReturnAddressesWhereTheCodeTellsTheFrame) {
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

TEST_F(UnwinderTest, TakesNoWordThatFollowsNoCallOrLiesInNoFunction) {
    const SteppedCall call = stepped_in_test_code(nameless_code(), 7);
    for (StackSample sample : call.samples) {
        const std::uint64_t stack_pointer = sample.registers[core::kStackPointer];
        if (stack_pointer + 4096 > call.samples[0].registers[core::kStackPointer]) continue;
        set_word(sample, stack_pointer + 8, address_of(&bare_leaf));       // a function's address
        set_word(sample, stack_pointer + 16, address_of(&bare_leaf) + 2);  // inside, after no call
        set_word(sample, stack_pointer + 24, address_of(&framed_calls_other) + 1);
        set_word(sample, stack_pointer + 32, ~std::uint64_t{0});
        EXPECT_THAT(addresses_in(unwinder.unwind(sample)), ElementsAreArray(leaf_chain(sample, call)));
    }
}

// Stacks and modules that are damaged.

TEST_F(UnwinderTest, SaysThatAStackWasCutWhereTheCopyDoesNotReachTheCaller) {
    const SteppedCall call = stepped_in_test_code(&bare_kernel, 7);
    for (StackSample sample : call.samples) {
        if (sample.registers[core::kStackPointer] % 4096 != 0) continue;
        sample.stack.resize(8192);
        sample.stack_cut = true;
        const NativeStack stack = unwinder.unwind(sample);
        EXPECT_EQ(stack.quality, StackQuality::kTruncated);
        EXPECT_THAT(stack.frames, SizeIs(1));
    }
}

TEST_F(UnwinderTest, KeepsTheCertainFramesOfAStackThatIsCutFurtherOut) {
    const SteppedCall call = stepped_in_test_code(&bare_kernel, 7);
    StackSample sample = call.samples[20];
    const NativeStack whole = unwinder.unwind(sample);
    ASSERT_THAT(whole.frames, SizeIs(Ge(8U)));
    sample.stack.resize(whole.frames[6].stack_pointer - sample.stack_address);
    sample.stack_cut = true;
    const NativeStack cut = unwinder.unwind(sample);
    EXPECT_EQ(cut.quality, StackQuality::kTruncated);
    EXPECT_THAT(cut.frames, ElementsAreArray(whole.frames.begin(), whole.frames.begin() + 7));
}

TEST_F(UnwinderTest, ReadsOnlyTheCopyWhateverAddressIsAskedFor) {
    StackSample sample = stepped(&prints, 7).samples.at(100);
    for (const std::uint64_t stack_pointer :
         {~std::uint64_t{0}, ~std::uint64_t{0} - 7, std::uint64_t{0}, std::uint64_t{8},
          sample.stack_address + sample.stack.size(), sample.stack_address - 1}) {
        sample.registers[core::kStackPointer] = stack_pointer;
        EXPECT_EQ(unwinder.unwind(sample).quality, StackQuality::kTruncated);
    }
    sample.stack.clear();
    EXPECT_EQ(unwinder.unwind(sample).quality, StackQuality::kTruncated);
    EXPECT_THAT(unwinder.unwind(StackSample{}).frames, SizeIs(1));
}

TEST_F(UnwinderTest, GivesUpInBoundedTimeOnStacksAtRandom) {
    std::mt19937_64 random(1);
    std::vector<StackSample> samples = stepped(&prints, 7, 64).samples;
    const SteppedCall kernel = stepped_in_test_code(&bare_kernel, 7);
    samples.insert(samples.end(), kernel.samples.begin(), kernel.samples.end());
    std::uint64_t most_steps = 0;
    for (int round = 0; round < 3000; ++round) {
        StackSample sample = samples[random() % samples.size()];
        const auto any_place = [&] { return sample.stack_address + random() % (sample.stack.size() / 8 - 1) * 8; };
        for (std::uint64_t i = random() % 200; i > 0; --i) switch (random() % 4) {
                case 0:
                    set_word(sample, any_place(), random());
                    break;
                case 1:
                    set_word(sample, any_place(), word_at(sample, any_place()));
                    break;
                case 2: {
                    const CodeModule& module = modules[random() % modules.size()];
                    set_word(sample, any_place(), module.start + random() % (module.end - module.start));
                    break;
                }
                default:
                    if (random() % 8 == 0) sample.registers[random() % 17] = word_at(sample, any_place());
            }
        if (random() % 4 == 0) sample.stack.resize(random() % sample.stack.size() + 16);
        sample.stack_cut = random() % 2 == 0;
        const std::uint64_t before = unwinder.effort().rules_used;
        const NativeStack stack = unwinder.unwind(sample);
        most_steps = std::max(most_steps, unwinder.effort().rules_used - before);
        ASSERT_THAT(stack.frames, SizeIs(Ge(1U)));
    }
    EXPECT_THAT(most_steps, Le(20000U));
}

TEST_F(UnwinderTest, GivesUpInBoundedTimeWhereEveryWordIsAReturnAddress) {
    SteppedCall call = stepped_in_test_code(nameless_code(), 7);
    StackSample& sample = call.samples[2];
    sample.stack.resize(65536);
    const std::uint64_t first = sample.stack_address;
    for (std::uint64_t place = 0; place < 65536; place += 8)
        set_word(sample, first + place, call.callers[place / 8 % 5] + 1);
    EXPECT_EQ(unwinder.unwind(sample).quality, StackQuality::kTruncated);
    EXPECT_THAT(unwinder.effort().rules_used, Le(20000U));
}

TEST_F(UnwinderTest, HasNoUnwindInformationFromAFileThatWasReplacedOrIsGone) {
    const SteppedCall call = stepped(&sorts, 7);
    const auto is_libc = [](const CodeModule& module) { return module.path.find("libc.so") != std::string::npos; };
    const auto libc = std::find_if(modules.begin(), modules.end(), is_libc);
    ASSERT_NE(libc, modules.end());
    std::vector<CodeModule> gone = modules;
    for (CodeModule& module : gone)
        if (is_libc(module)) module.path += " (deleted)";
    std::vector<CodeModule> replaced = modules;
    for (CodeModule& module : replaced)
        if (is_libc(module)) module.build_id.back() ^= 1;
    for (const auto& changed : {gone, replaced}) {
        Unwinder other;
        other.set_modules(changed);
        std::size_t in_libc = 0;
        for (const StackSample& sample : call.samples) {
            const std::uint64_t address = sample.registers[core::kInstructionPointer];
            if (address < libc->start || address >= libc->end) continue;
            ++in_libc;
            const NativeStack stack = other.unwind(sample);
            EXPECT_EQ(stack.quality, StackQuality::kScanned);
            EXPECT_EQ(stack.frames.back().address, call.callers.back());
        }
        EXPECT_GT(in_libc, 50U);
    }
    unwinder.set_modules(gone);
    unwinder.set_modules(modules);
    EXPECT_EQ(unwinder.unwind(call.samples.back()).quality, StackQuality::kComplete);
}

// Code compiled at run time: no file, no unwind information.

class CompiledCode {
  public:
    explicit CompiledCode(std::initializer_list<unsigned char> code)
        : memory_(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        std::copy(code.begin(), code.end(), static_cast<unsigned char*>(memory_));
    }
    ~CompiledCode() { ::munmap(memory_, 4096); }
    CompiledCode(const CompiledCode&) = delete;
    CompiledCode& operator=(const CompiledCode&) = delete;
    [[nodiscard]] Function function() const { return reinterpret_cast<Function>(memory_); }

  private:
    void* memory_;
};

/// Calls its argument, a function, and what that calls in turn is stepped.
void expect_chains_through(Unwinder& unwinder, const CompiledCode& code, std::uint64_t return_offset) {
    unwinder.set_modules(own_modules());
    const SteppedCall call = stepped(code.function(), address_of(&asks_the_clock));
    const std::uint64_t start = address_of(code.function());
    std::size_t inside = 0;
    for (const StackSample& sample : call.samples) {
        if (sample.registers[core::kInstructionPointer] != address_of(&asks_the_clock)) continue;
        ++inside;
        std::vector<std::uint64_t> expected = leaf_chain(sample, call);
        expected.insert(expected.begin() + 1, start + return_offset - 1);
        const NativeStack stack = unwinder.unwind(sample);
        EXPECT_EQ(stack.quality, StackQuality::kScanned);
        EXPECT_THAT(addresses_in(stack), ElementsAreArray(expected));
    }
    EXPECT_EQ(inside, 1U);
}

TEST_F(UnwinderTest, GetsThroughCodeCompiledAtRunTimeByItsFramePointer) {
    // push %rbp; mov %rsp,%rbp; sub $64,%rsp; call *%rdi; add $64,%rsp; pop %rbp; ret
    expect_chains_through(
        unwinder,
        CompiledCode({0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x40, 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x40, 0x5d, 0xc3}),
        10);
}

TEST_F(UnwinderTest, GetsThroughCodeCompiledAtRunTimeWithoutFramePointerByTheScan) {
    // As CPython's perf trampoline: sub $8,%rsp; call *%rdi; add $8,%rsp; ret
    expect_chains_through(unwinder, CompiledCode({0x48, 0x83, 0xec, 0x08, 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x08, 0xc3}),
                          6);
}

TEST_F(UnwinderTest, GetsThroughCodeThatWasCompiledAfterTheModulesWereTold) {
    const CompiledCode code(
        {0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x40, 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x40, 0x5d, 0xc3});
    const SteppedCall call = stepped(code.function(), address_of(&asks_the_clock));
    for (const StackSample& sample : call.samples) EXPECT_NE(unwinder.unwind(sample).quality, StackQuality::kTruncated);
}

}  // namespace
}  // namespace tare::attribution
