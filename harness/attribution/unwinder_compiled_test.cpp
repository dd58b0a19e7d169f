// At stake: code that was compiled at run time (Numba, CPython's perf trampolines) has no file; without a way through
// it all its samples would end there.

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <algorithm>

#include "harness/attribution/unwinder_fixture_for_test.h"

namespace tare::attribution {
namespace {

using core::StackSample;
using ::testing::ElementsAreArray;

class CompiledUnwinderTest : public UnwinderTest {
  protected:
    void SetUp() override {
        UnwinderTest::SetUp();
        void* memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) GTEST_SKIP() << "no memory may be both written and executed here";
        ::munmap(memory, 4096);
    }
};

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

TEST_F(CompiledUnwinderTest, GetsThroughCodeCompiledAtRunTimeByItsFramePointer) {
    // push %rbp; mov %rsp,%rbp; sub $64,%rsp; call *%rdi; add $64,%rsp; pop %rbp; ret
    expect_chains_through(
        unwinder,
        CompiledCode({0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x40, 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x40, 0x5d, 0xc3}),
        10);
}

TEST_F(CompiledUnwinderTest, LosesNoFrameOfCompiledCodeThatCallsCompiledCode) {
    // push %rbp; mov %rsp,%rbp; call 16; pop %rbp; ret; and at 16 the same with call *%rdi
    const CompiledCode code({0x55, 0x48, 0x89, 0xe5, 0xe8, 0x07, 0x00, 0x00, 0x00, 0x5d, 0xc3, 0x90,
                             0x90, 0x90, 0x90, 0x90, 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3});
    unwinder.set_modules(own_modules());
    const std::uint64_t start = address_of(code.function());
    const SteppedCall call = stepped(code.function(), address_of(&asks_the_clock));
    const StackSample sample = sample_at(call, address_of(&asks_the_clock));
    std::vector<std::uint64_t> expected = leaf_chain(sample, call);
    expected.insert(expected.begin() + 1, {start + 21, start + 8});
    EXPECT_THAT(addresses_in(unwinder.unwind(sample)), ElementsAreArray(expected));
}

TEST_F(CompiledUnwinderTest, GetsThroughCodeCompiledAtRunTimeWithoutFramePointerByTheScan) {
    if (kHasFramePointers) GTEST_SKIP() << kFramesHangOnRbp;
    // As CPython's perf trampoline: sub $8,%rsp; call *%rdi; add $8,%rsp; ret
    expect_chains_through(unwinder, CompiledCode({0x48, 0x83, 0xec, 0x08, 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x08, 0xc3}),
                          6);
}

TEST_F(CompiledUnwinderTest, GetsThroughCodeThatWasCompiledAfterTheModulesWereTold) {
    const CompiledCode code(
        {0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x40, 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x40, 0x5d, 0xc3});
    const SteppedCall call = stepped(code.function(), address_of(&asks_the_clock));
    const StackSample sample = sample_at(call, address_of(&asks_the_clock));
    std::vector<std::uint64_t> expected = leaf_chain(sample, call);
    expected.insert(expected.begin() + 1, address_of(code.function()) + 9);
    EXPECT_THAT(addresses_in(unwinder.unwind(sample)), ElementsAreArray(expected));
}

}  // namespace
}  // namespace tare::attribution
