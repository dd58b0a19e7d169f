// At stake: counts that are exact to the instruction, so that 3,770 against 3,771 means something. Expected counts are
// those of the assembly below.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "pmu/stepping_for_test.h"

namespace tare::pmu {
namespace {

using core::Refusal;
using core::Trace;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

#if defined(__x86_64__)

// Functions in assembly, each ending in RET, and a mark behind the last.
asm(R"(
    .text
tare_test_empty:
    ret
tare_test_straight:
    nop
    nop
    nop
    ret
tare_test_loop:
    mov $7, %ecx
1:  dec %ecx
    jnz 1b
    ret
tare_test_calls:
    call tare_test_empty
    call tare_test_empty
    ret
tare_test_copy:
    mov $25, %ecx
    rep movsb
    ret
tare_test_system_call:
    mov $39, %eax
    syscall
    ret
tare_test_turn_in_place:
    mov $3, %ecx
1:  loop 1b
    ret
tare_test_arguments:
    mov $11, %edi
    mov $22, %esi
    nop
    ret
tare_test_end:
)");

}  // namespace

extern "C" {
void tare_test_empty() __asm__("tare_test_empty");
void tare_test_straight() __asm__("tare_test_straight");
void tare_test_loop() __asm__("tare_test_loop");
void tare_test_calls() __asm__("tare_test_calls");
void tare_test_copy(char* to, const char* from) __asm__("tare_test_copy");
void tare_test_system_call() __asm__("tare_test_system_call");
void tare_test_turn_in_place() __asm__("tare_test_turn_in_place");
void tare_test_arguments() __asm__("tare_test_arguments");
extern const char tare_test_end[] __asm__("tare_test_end");
}

namespace {

/// The steps inside the assembly above, as offsets from `function`.
std::vector<long> offsets(const Trace& trace, void (*function)()) {
    const auto first = reinterpret_cast<std::uint64_t>(&tare_test_empty);
    const auto end = reinterpret_cast<std::uint64_t>(&tare_test_end);
    std::vector<long> found;
    for (const core::Step& step : trace.steps)
        if (step.address >= first && step.address < end)
            found.push_back(static_cast<long>(step.address - reinterpret_cast<std::uint64_t>(function)));
    return found;
}

TEST_F(Stepping, RecordsEveryInstructionOfAStraightLineOnce) {
    const Trace trace = step([] { tare_test_straight(); });
    EXPECT_THAT(offsets(trace, tare_test_straight), ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(trace.refusal, Refusal::kNone);
    EXPECT_THAT(trace.repeats, IsEmpty());
    EXPECT_THAT(trace.system_calls, IsEmpty());
}

TEST_F(Stepping, CountsNothingOfItsOwn) {
    const Trace nothing = step([] {});
    const Trace empty = step([] { tare_test_empty(); });
    const Trace straight = step([] { tare_test_straight(); });
    EXPECT_LE(nothing.steps.size(), 16u) << "what the compiler needs to call an empty function and end()";
    EXPECT_EQ(straight.steps.size() - empty.steps.size(), 3u);
}

TEST_F(Stepping, CountsEachTurnOfALoop) {
    const Trace trace = step([] { tare_test_loop(); });
    EXPECT_THAT(offsets(trace, tare_test_loop), SizeIs(1 + 7 * 2 + 1));
}

TEST_F(Stepping, FollowsCallsAndReturnsWithTheirStackPointers) {
    const Trace trace = step([] { tare_test_calls(); });
    ASSERT_THAT(offsets(trace, tare_test_calls), SizeIs(2 + 2 + 1));
    const auto at = std::find_if(trace.steps.begin(), trace.steps.end(), [](const core::Step& s) {
        return s.address == reinterpret_cast<std::uint64_t>(&tare_test_calls);
    });
    ASSERT_GE(trace.steps.end() - at, 5);
    EXPECT_EQ(at[1].stack_pointer, at[0].stack_pointer - 8);
    EXPECT_EQ(at[2].stack_pointer, at[0].stack_pointer);
}

TEST_F(Stepping, ReadsTheFirstTwoArguments) {
    const Trace trace = step([] { asm volatile("call tare_test_arguments" ::: "rdi", "rsi", "memory"); });
    const auto nop = reinterpret_cast<std::uint64_t>(&tare_test_arguments) + 10;
    const auto at =
        std::find_if(trace.steps.begin(), trace.steps.end(), [nop](const core::Step& s) { return s.address == nop; });
    ASSERT_NE(at, trace.steps.end());
    EXPECT_EQ(at->argument1, 11u);
    EXPECT_EQ(at->argument2, 22u);
}

TEST_F(Stepping, TakesARepeatedInstructionForOneAndKeepsItsIterations) {
    std::array<char, 25> to{};
    const char from[26] = "abcdefghijklmnopqrstuvwxy";
    const Trace trace = step([&] { tare_test_copy(to.data(), from); });
    EXPECT_EQ(to.back(), 'y');
    EXPECT_THAT(offsets(trace, reinterpret_cast<void (*)()>(tare_test_copy)), ElementsAre(0, 5, 7));
    ASSERT_THAT(trace.repeats, SizeIs(1));
    EXPECT_EQ(trace.repeats[0].times, 24u);
    EXPECT_EQ(trace.steps[trace.repeats[0].step].address, reinterpret_cast<std::uint64_t>(tare_test_copy) + 5);
}

TEST_F(Stepping, TakesAJumpToItselfLikewise) {
    const Trace trace = step([] { asm volatile("call tare_test_turn_in_place" ::: "rcx", "cc", "memory"); });
    EXPECT_THAT(offsets(trace, tare_test_turn_in_place), ElementsAre(0, 5, 7));
    ASSERT_THAT(trace.repeats, SizeIs(1));
    EXPECT_EQ(trace.repeats[0].times, 2u);
}

TEST_F(Stepping, NotesSystemCallsAndMissesNotTheInstructionBehindThem) {
    const Trace trace = step([] { asm volatile("call tare_test_system_call" ::: "rax", "rcx", "r11", "memory"); });
    EXPECT_THAT(offsets(trace, tare_test_system_call), ElementsAre(0, 5, 7));
    ASSERT_THAT(trace.system_calls, SizeIs(1));
    EXPECT_EQ(trace.system_calls[0].number, SYS_getpid);
    EXPECT_EQ(trace.steps[trace.system_calls[0].step].address,
              reinterpret_cast<std::uint64_t>(&tare_test_system_call) + 5);
}

TEST_F(Stepping, RecordsUpToItsLimitAndLetsTheRestRun) {
    const std::size_t needed = step([] { tare_test_loop(); }).steps.size();
    EXPECT_EQ(step([] { tare_test_loop(); }, needed).refusal, Refusal::kNone);
    bool ran = false;
    const Trace trace = step(
        [&] {
            tare_test_loop();
            ran = true;
        },
        needed - 8);
    EXPECT_EQ(trace.refusal, Refusal::kTooLong);
    EXPECT_THAT(trace.steps, SizeIs(needed - 8));
    EXPECT_TRUE(ran);
}

TEST_F(Stepping, LimitsTheIterationsOfARepeatedInstructionToo) {
    std::vector<char> memory(3000, 'x');
    const Trace trace = step(
        [&] {
            void* to = memory.data();
            std::size_t n = memory.size();
            asm volatile("rep stosb" : "+D"(to), "+c"(n) : "a"('y') : "memory");
        },
        40);
    EXPECT_EQ(trace.refusal, Refusal::kTooLong);
    EXPECT_THAT(memory, Each('y'));
}

#endif

[[gnu::noinline]] double horner(double x) {
    double y = 1;
    for (int i = 0; i < 20; ++i) y = y * x + 1.0 / (i + 1);
    return y;
}

TEST_F(Stepping, GivesTheSameCountTenTimes) {
    volatile double result = 0;
    std::vector<std::size_t> counts;
    for (int i = 0; i < 10; ++i) counts.push_back(step([&] { result = horner(0.5); }).steps.size());
    EXPECT_GT(counts[0], 60u);
    EXPECT_THAT(counts, Each(counts[0]));
}

TEST_F(Stepping, IsOpenOnceInAProcess) {
    const auto first = Stepper::open(10);
    ASSERT_TRUE(first);
    const auto second = Stepper::open(10);
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().what, HasSubstr("being stepped already"));
}

TEST_F(Stepping, PutsBackWhatItFound) {
    sigset_t trap;
    sigemptyset(&trap);
    sigaddset(&trap, SIGTRAP);
    pthread_sigmask(SIG_BLOCK, &trap, nullptr);
    stack_t before{};
    sigaltstack(nullptr, &before);
    (void)step([] {});
    sigset_t now;
    pthread_sigmask(SIG_UNBLOCK, &trap, &now);
    EXPECT_EQ(sigismember(&now, SIGTRAP), 1);
    struct sigaction action {};
    sigaction(SIGTRAP, nullptr, &action);
    EXPECT_EQ(action.sa_handler, SIG_DFL);
    stack_t after{};
    sigaltstack(nullptr, &after);
    EXPECT_EQ(after.ss_sp, before.ss_sp);
    EXPECT_EQ(after.ss_flags, before.ss_flags);
}

TEST_F(Stepping, HasRecordedNothingBeforeItBegins) {
    core::Expected<Stepper> stepper = Stepper::open(10);
    ASSERT_TRUE(stepper);
    EXPECT_EQ(stepper->take(), Trace{});
}

TEST(StepperLimit, HasBounds) {
    EXPECT_FALSE(Stepper::open(0));
    EXPECT_FALSE(Stepper::open(std::size_t{1} << 60));
}

}  // namespace
}  // namespace tare::pmu
