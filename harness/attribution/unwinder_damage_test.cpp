// At stake: samples are whatever a stopped thread had, and files change under a running program. Nothing of it may end
// the profiler, take it more than a moment, or be called complete.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "harness/attribution/unwinder_fixture_for_test.h"

namespace tare::attribution {
namespace {

using core::CodeModule;
using core::StackSample;
using ::testing::ElementsAreArray;
using ::testing::Ge;
using ::testing::Le;
using ::testing::SizeIs;

using DamagedUnwinderTest = UnwinderTest;

std::uint64_t sorts(std::uint64_t value) {
    std::uint64_t numbers[] = {value, 3, 1, 2};
    std::qsort(numbers, 4, sizeof numbers[0], [](const void* a, const void* b) {
        return static_cast<int>(*static_cast<const std::uint64_t*>(a)) -
               static_cast<int>(*static_cast<const std::uint64_t*>(b));
    });
    return numbers[0];
}

TEST_F(DamagedUnwinderTest, SaysThatAStackWasCutWhereTheCopyDoesNotReachTheCaller) {
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

TEST_F(DamagedUnwinderTest, KeepsTheCertainFramesOfAStackThatIsCutFurtherOut) {
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

TEST_F(DamagedUnwinderTest, ReadsOnlyTheCopyWhateverAddressIsAskedFor) {
    // At its first instruction a function's return address lies at the stack pointer, in any build.
    StackSample sample = sample_at(stepped(&prints, 7, 1), address_of(&prints));
    for (const std::uint64_t stack_pointer :
         {~std::uint64_t{0}, ~std::uint64_t{0} - 7, std::uint64_t{0}, std::uint64_t{8},
          sample.stack_address + sample.stack.size(), sample.stack_address - 1}) {
        sample.registers[core::kStackPointer] = stack_pointer;
        sample.registers[6] = stack_pointer;  // where code is built with frame pointers
        EXPECT_EQ(unwinder.unwind(sample).quality, StackQuality::kTruncated);
    }
    sample.stack.clear();
    EXPECT_EQ(unwinder.unwind(sample).quality, StackQuality::kTruncated);
    EXPECT_THAT(unwinder.unwind(StackSample{}).frames, SizeIs(1));
}

TEST_F(DamagedUnwinderTest, GivesUpInBoundedTimeOnStacksAtRandom) {
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

TEST_F(DamagedUnwinderTest, GivesUpInBoundedTimeWhereEveryWordIsAReturnAddress) {
    SteppedCall call = stepped_in_test_code(nameless_code(), 7);
    StackSample& sample = call.samples[2];
    sample.stack.resize(65536);
    const std::uint64_t first = sample.stack_address;
    for (std::uint64_t place = 0; place < 65536; place += 8)
        set_word(sample, first + place, call.callers[place / 8 % 5] + 1);
    EXPECT_EQ(unwinder.unwind(sample).quality, StackQuality::kTruncated);
    EXPECT_THAT(unwinder.effort().rules_used, Le(20000U));
}

TEST_F(DamagedUnwinderTest, HasNoUnwindInformationFromAFileThatWasReplacedOrIsGone) {
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

TEST_F(DamagedUnwinderTest, KeepsWhatItReadWhenModulesAreToldAnew) {
    const SteppedCall call = stepped(&prints, 7);
    const StackSample& sample = call.samples.at(100);
    for (const StackSample& earlier : call.samples) (void)unwinder.unwind(earlier);
    const NativeStack stack = unwinder.unwind(sample);
    const std::uint64_t read = unwinder.effort().rules_read;
    unwinder.set_modules(modules);
    EXPECT_EQ(unwinder.unwind(sample), stack);
    EXPECT_EQ(unwinder.effort().rules_read, read);
    unwinder.set_modules({});
    EXPECT_EQ(unwinder.unwind(sample).quality, StackQuality::kTruncated);
}

}  // namespace
}  // namespace tare::attribution
