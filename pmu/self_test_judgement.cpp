// Lower bounds leave room for a prefetcher or a predictor that helps; upper bounds for interrupts, and for the kernel
// where it is counted.
#include "pmu/self_test_judgement.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "harness/core/count_arithmetic.h"
#include "pmu/counter_refusal.h"

namespace tare::pmu {

using core::CounterOutcome;
using core::CounterRequest;
using core::CounterRole;
using core::CounterSource;
using core::CounterState;

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr double kQuarter = 0.25;

/// The loop runs half a millisecond; reading the counter and the timer's interrupts are the kernel's part in it.
constexpr double kKernelAllowance = 500'000;

Expectation of_loop(const CounterRequest& request, double least, double most, std::string_view work) {
    return {.least = least, .most = most + (request.kernel ? kKernelAllowance : 0), .work = work};
}

CounterOutcome suspect(std::string reason) {
    return {.state = CounterState::kSuspect,
            .problem = core::CounterProblem{.errno_name = "",
                                            .reason = std::move(reason),
                                            .hint = "do not trust it here; a virtual PMU may answer without counting"},
            .reading_cost = 0};
}

std::string range_text(const Expectation& expectation) {
    if (expectation.most == kNoLimit) return fmt::format("at least {:.0f}", expectation.least);
    return fmt::format("{:.0f} to {:.0f}", expectation.least, expectation.most);
}

}  // namespace

std::vector<WorkKind> work_for(const CounterRequest& request) {
    switch (request.role) {
        case CounterRole::kCycles:
        case CounterRole::kTimedCycles:
        case CounterRole::kInstructions:
        case CounterRole::kBranches:
        case CounterRole::kTaskClock:
            return {WorkKind::kLoop};
        case CounterRole::kBranchMisses:
            return {WorkKind::kRandomBranches};
        case CounterRole::kL1dMisses:
        case CounterRole::kL2Misses:
        case CounterRole::kLlcMisses:
            return {WorkKind::kFlushedLines};
        case CounterRole::kDtlbWalks:
            return {WorkKind::kScatteredPages};
        case CounterRole::kPageFaults:
        case CounterRole::kMinorFaults:
        case CounterRole::kMajorFaults:    // would need a file that is not in memory
        case CounterRole::kCpuMigrations:  // the thread is pinned
            return {WorkKind::kFreshPages};
        case CounterRole::kContextSwitches:
            return {WorkKind::kSleep};
        case CounterRole::kOther:
            if (request.source != CounterSource::kHardware) return {WorkKind::kFreshPages};
            return {WorkKind::kLoop, WorkKind::kRandomBranches, WorkKind::kFlushedLines, WorkKind::kScatteredPages,
                    WorkKind::kFreshPages};
    }
    return {};
}

std::optional<Expectation> expectation_of(const CounterRequest& request, std::int64_t wall_ns) {
    const auto wall = static_cast<double>(wall_ns);
    switch (request.role) {
        case CounterRole::kInstructions:
            return of_loop(request, 1'980'000, 2'020'000, "a loop of 2000000 instructions");
        case CounterRole::kBranches:
            // A tenth above: some events count what is no branch of the program, such as interrupts.
            return of_loop(request, 990'000, 1'100'000, "a loop of 1000000 branches");
        case CounterRole::kCycles:
        case CounterRole::kTimedCycles: {
            // No core retires more than 5 iterations in a cycle, or runs at more than 10 GHz.
            constexpr double kIterationsPerCycle = 5;
            constexpr double kCyclesPerNs = 10;
            return Expectation{.least = static_cast<double>(kLoopIterations) / kIterationsPerCycle,
                               .most = kCyclesPerNs * wall,
                               .work = "a loop of 1000000 iterations"};
        }
        case CounterRole::kBranchMisses:
            return Expectation{.least = 1000, .most = kNoLimit, .work = "10000 branches on random data"};
        case CounterRole::kL1dMisses:
        case CounterRole::kL2Misses:
        case CounterRole::kLlcMisses:
            return Expectation{
                .least = kQuarter * kFlushedLines, .most = kNoLimit, .work = "loads of 4096 lines that were flushed"};
        case CounterRole::kDtlbWalks:
            return Expectation{.least = kQuarter * kScatteredPages, .most = kNoLimit, .work = "loads from 16384 pages"};
        case CounterRole::kPageFaults:
        case CounterRole::kMinorFaults:
            return Expectation{.least = kFreshPages, .most = kNoLimit, .work = "the first touch of 100 pages"};
        case CounterRole::kTaskClock: {
            constexpr double kSlackNs = 100'000;  // the clocks differ by at most their rates, but are read in turn
            return Expectation{.least = 1, .most = 1.01 * wall + kSlackNs, .work = "a loop timed by the wall clock"};
        }
        case CounterRole::kContextSwitches:
            return Expectation{.least = 1, .most = kNoLimit, .work = "a sleep"};
        case CounterRole::kMajorFaults:
        case CounterRole::kCpuMigrations:
            return std::nullopt;
        case CounterRole::kOther:
            if (request.source != CounterSource::kHardware) return std::nullopt;
            return Expectation{.least = 1, .most = kNoLimit, .work = {}};
    }
    return std::nullopt;
}

CounterOutcome judge(const CounterRequest& request, const SelfCount& count,
                     const std::optional<Expectation>& expectation) {
    const bool in_group = is_in_group(request.source);
    const std::optional<core::ScaledCount> events =
        in_group ? core::scaled({count.value}, count.enabled_ns, count.running_ns)
                 : core::ScaledCount{static_cast<double>(count.value)};
    if (!count.readable || !events)
        return {.state = CounterState::kUnavailable, .problem = refusal(0, request, {}), .reading_cost = 0};
    if (count.value < 0) return suspect(fmt::format("went backwards in the self-test, by {}", -count.value));
    if (expectation && (events->value < expectation->least || events->value > expectation->most)) {
        if (request.role == CounterRole::kOther)
            return suspect("counted nothing in the self-test, which does not know this event");
        return suspect(fmt::format("read {:.0f} in the self-test, where {} were expected of {}", events->value,
                                   range_text(*expectation), expectation->work));
    }
    if (in_group && count.running_ns < count.enabled_ns) {
        const double share = static_cast<double>(count.running_ns) / static_cast<double>(count.enabled_ns);
        return {.state = CounterState::kPartial,
                .problem = core::CounterProblem{.errno_name = "",
                                                .reason = fmt::format(
                                                    "was counted {:.0f} % of the time in the self-test", 100 * share),
                                                .hint = "another user of perf shares the PMU; end it"},
                .reading_cost = 0};
    }
    return {.state = CounterState::kMeasured, .problem = std::nullopt, .reading_cost = 0};
}

}  // namespace tare::pmu
