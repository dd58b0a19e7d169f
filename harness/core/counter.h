// Counters: what a run is asked to count, what the machine made of it, and what was counted over one batch. Values
// only. A count that was not taken is absent with a reason; it is never 0.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tare::core {

/// What a counter means. Which event of this CPU that is, pmu/ decides.
enum class CounterRole {
    kCycles,           ///< core cycles while not halted, at the clock that the core runs at
    kInstructions,     ///< retired
    kBranches,         ///< retired, taken or not
    kBranchMisses,     ///< retired and mispredicted
    kL1dMisses,        ///< lines brought into the first-level data cache
    kL2Misses,         ///< data that the second level did not hold
    kLlcMisses,        ///< what the last level did not hold
    kDtlbWalks,        ///< page walks for data
    kTaskClock,        ///< nanoseconds that the thread ran
    kPageFaults,       ///< minor and major
    kMinorFaults,      ///< served without a device
    kMajorFaults,      ///< served by a device
    kContextSwitches,  ///< voluntary and not
    kCpuMigrations,    ///< moves to another CPU
    kTimedCycles,      ///< core cycles: time, by the clock rate that a chain of instructions beside it tells
    kOther,            ///< an event that the user named, whose meaning is known to the CPU's maker only
};

struct CounterRoleName {
    CounterRole role;
    std::string_view name;  ///< in JSON; on the command line '-' may stand for '_'
};
inline constexpr std::array kCounterRoleNames = {
    CounterRoleName{CounterRole::kCycles, "cycles"},
    CounterRoleName{CounterRole::kInstructions, "instructions"},
    CounterRoleName{CounterRole::kBranches, "branches"},
    CounterRoleName{CounterRole::kBranchMisses, "branch_misses"},
    CounterRoleName{CounterRole::kL1dMisses, "l1d_misses"},
    CounterRoleName{CounterRole::kL2Misses, "l2_misses"},
    CounterRoleName{CounterRole::kLlcMisses, "llc_misses"},
    CounterRoleName{CounterRole::kDtlbWalks, "dtlb_walks"},
    CounterRoleName{CounterRole::kTaskClock, "task_clock"},
    CounterRoleName{CounterRole::kPageFaults, "page_faults"},
    CounterRoleName{CounterRole::kMinorFaults, "minor_faults"},
    CounterRoleName{CounterRole::kMajorFaults, "major_faults"},
    CounterRoleName{CounterRole::kContextSwitches, "context_switches"},
    CounterRoleName{CounterRole::kCpuMigrations, "cpu_migrations"},
    CounterRoleName{CounterRole::kTimedCycles, "timed_cycles"},
    CounterRoleName{CounterRole::kOther, "other"},
};
[[nodiscard]] constexpr std::string_view name_of(CounterRole role) {
    return kCounterRoleNames[static_cast<std::size_t>(role)].name;
}
[[nodiscard]] constexpr std::optional<CounterRole> counter_role_named(std::string_view name) {
    for (const CounterRoleName& each : kCounterRoleNames)
        if (each.name == name) return each.role;
    return std::nullopt;
}

/// Who counts.
enum class CounterSource {
    kHardware,  ///< a PMU, through perf_event_open
    kSoftware,  ///< the kernel, through perf_event_open
    kUsage,     ///< the kernel, through getrusage(RUSAGE_THREAD): what perf_event_open keeps from the unprivileged
    kClock,     ///< nobody: the time, by a clock rate (pmu/core_clock.h)
};
inline constexpr std::array kAllCounterSources = {CounterSource::kHardware, CounterSource::kSoftware,
                                                  CounterSource::kUsage, CounterSource::kClock};
[[nodiscard]] constexpr std::string_view name_of(CounterSource source) {
    switch (source) {
        case CounterSource::kHardware:
            return "hardware";
        case CounterSource::kSoftware:
            return "software";
        case CounterSource::kUsage:
            return "usage";
        case CounterSource::kClock:
            return "clock";
    }
    return "?";
}
/// Whether it counts in a group of perf events, which may have to share its counters; the others count all the time.
[[nodiscard]] constexpr bool is_in_group(CounterSource source) {
    return source == CounterSource::kHardware || source == CounterSource::kSoftware;
}

/// Why a counter has no value, or none to be trusted.
struct CounterProblem {
    std::string errno_name;  ///< "ENOENT"; empty where no system call refused
    std::string reason;      ///< "this machine exposes no PMU"
    std::string hint;        ///< what would change it; may be empty
    bool operator==(const CounterProblem&) const = default;
};

/// One counter that a run is asked for: a name resolved to what perf_event_open takes.
struct CounterRequest {
    std::string name;  ///< unique in a run: the role's name ("branch_misses"), or the event as the user wrote it
    CounterRole role = CounterRole::kOther;
    CounterSource source = CounterSource::kHardware;
    std::string event;       ///< as libpfm names it in full ("skx::BR_MISP_RETIRED:ALL_BRANCHES"); of usage: its fields
    std::string pmu;         ///< the kernel's device: "cpu", "cpu_core", "armv8_pmuv3_0", "software"; empty: not known
    std::uint32_t type = 0;  ///< perf_event_attr's type, config, config1, config2
    std::uint64_t config = 0;
    std::uint64_t config1 = 0;
    std::uint64_t config2 = 0;
    bool kernel = false;                    ///< counts in the kernel, too
    std::optional<CounterProblem> problem;  ///< it is known beforehand that this machine cannot count it
    bool operator==(const CounterRequest&) const = default;
};

enum class CounterState {
    kMeasured,     ///< counted all the time, and the self-test read what it should
    kPartial,      ///< counted part of the time: the value is scaled
    kSuspect,      ///< it opens and counts, but not what is known to have happened
    kUnavailable,  ///< not counted
};
inline constexpr std::array kAllCounterStates = {CounterState::kMeasured, CounterState::kPartial,
                                                 CounterState::kSuspect, CounterState::kUnavailable};
[[nodiscard]] constexpr std::string_view name_of(CounterState state) {
    switch (state) {
        case CounterState::kMeasured:
            return "measured";
        case CounterState::kPartial:
            return "partial";
        case CounterState::kSuspect:
            return "suspect";
        case CounterState::kUnavailable:
            return "unavailable";
    }
    return "?";
}

/// What one worker's start made of one request.
struct CounterOutcome {
    CounterState state = CounterState::kUnavailable;
    std::optional<CounterProblem> problem;  ///< set unless kMeasured
    double reading_cost = 0;  ///< events that an empty batch shows (smallest of many); subtracted from every batch
    bool operator==(const CounterOutcome&) const = default;
};

/// The counters of a worker: outcomes in the order of the requests, and which are counted at the same time.
struct OpenCounters {
    std::vector<CounterOutcome> outcomes;
    /// Of each pass the indices of its counters, as one group counts them. Cycles and instructions are in every pass of
    /// a PMU, where they can be counted. Empty: nothing can be counted.
    std::vector<std::vector<std::size_t>> passes;
    bool operator==(const OpenCounters&) const = default;
};

/// The same with the process that it is about; a run has one a worker.
struct CountingProcess {
    int process = 0;  ///< as core::Visit::process
    OpenCounters counters;
    bool operator==(const CountingProcess&) const = default;
};

/// All that a run knows of its counters but the counts. No requests: nothing was asked for.
struct Counting {
    std::vector<CounterRequest> requests;
    std::vector<CountingProcess> processes;
    bool operator==(const Counting&) const = default;
};

/// Events counted while the group ran, the reading's own cost subtracted; so an empty batch can be below 0.
struct RawCount {
    std::int64_t value = 0;
    auto operator<=>(const RawCount&) const = default;
};

/// Events that there were, estimated from the part of the time that was counted.
struct ScaledCount {
    double value = 0;
    auto operator<=>(const ScaledCount&) const = default;
};

/// What one pass counted over one batch.
struct BatchCounts {
    std::size_t pass = 0;
    std::uint64_t enabled_ns = 0;  ///< time that the group was enabled, and that it was on the PMU
    std::uint64_t running_ns = 0;
    std::vector<RawCount> counts;  ///< in the order of OpenCounters::passes[pass]; empty: the group was not readable
    bool operator==(const BatchCounts&) const = default;
};

/// What one counter says of one rung in one visit. Events of one execution; of the floor rung, of one pass.
struct RungCount {
    std::size_t counter = 0;   ///< index of its request
    double gross = 0;          ///< with the loop around the statement; median over batches
    double floor = 0;          ///< of the empty statement, or the empty call of the same shape; median over batches
    double net = 0;            ///< gross - floor: what the tables show
    double lowest_net = 0;     ///< of the batch with the fewest: interrupts only add
    double counted_ratio = 1;  ///< share of the time counted; below 1 the values are scaled
    std::optional<double> instructions;  ///< net instructions in the batches of this counter's pass, for ratios
    int batches = 0;
    bool operator==(const RungCount&) const = default;
};

}  // namespace tare::core
