// What a case costs, from all visits of a run: per rung, the tare, and the ratio to the scalar baseline.
// Nanoseconds and ratios. Pure: same visits, same estimates.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/references.h"
#include "harness/core/visit.h"
#include "harness/stats/estimators.h"
#include "harness/stats/run_counters.h"

namespace tare::stats {

enum class IntervalBasis {
    kNone,              ///< a single value: no interval
    kProcesses,         ///< over the values of several processes
    kWithinOneProcess,  ///< of the median over the batches of the only process: says nothing about the next process
};
/// "processes", "within one process"; empty for kNone.
[[nodiscard]] std::string_view name_of(IntervalBasis basis);

/// A quantity with its 95 % interval. `value` is the median of the process values, which one odd process does not move.
/// With 2 to 8 processes the interval is Student's, around their mean: on logarithms for times and ratios, which are
/// positive and vary by factors; on the plain scale for differences. Up to 6 the median always lies inside it, because
/// mean and median differ by one standard deviation at most; with 7 and 8 it is widened where it would not. With more
/// processes that would be often (where one in five is slower by 8 %, the median of 15 was outside in 26 of 100 runs),
/// and there are enough for an interval of the median itself, by order statistics: of 7 or 8 values it would be nearly
/// all of their range, 1.4 standard deviations to either side where Student's has 0.9 and 0.8. What may be off in all
/// processes alike, the floor that they share, shows in no spread between them: each side is the hypotenuse with that.
struct Estimate {
    double value = 0;
    std::optional<Interval> interval;
    IntervalBasis basis = IntervalBasis::kNone;
    int processes = 0;
    bool operator==(const Estimate&) const = default;
};

/// One rung in one process.
struct ProcessValue {
    int round = 0;
    int process = 0;
    double median_ns = 0;  ///< over batches
    double mad_ns = 0;     ///< median absolute deviation of the batches
    double cpu_ns = 0;     ///< median CPU time over batches
    double clock_ghz = 0;  ///< of the core in this visit; 0: unknown
    bool operator==(const ProcessValue&) const = default;
};

/// What one counter says of one rung, over processes. Events of one execution, net of the floor unless named otherwise.
struct CountEstimate {
    std::size_t counter = 0;  ///< index of its request
    Estimate net;             ///< median of the processes' medians, on the plain scale
    double lowest = 0;        ///< of the batch with the fewest in all processes: interrupts only add
    double gross = 0;         ///< medians over processes: the loop included, and what was subtracted of it
    double floor = 0;
    double counted_ratio = 1;  ///< smallest over processes; below 1 values are scaled
    /// 1000 net / net instructions of the same pass; never of or by a counter that is suspect.
    std::optional<double> per_thousand_instructions;
    bool operator==(const CountEstimate&) const = default;
};

struct RungEstimate {
    core::RungKind kind = core::RungKind::kPython;
    Estimate time_ns;            ///< of one execution, net of the harness; for kFloor of one pass
    double smallest_ns = 0;      ///< the fastest batch of all processes
    double mad_ns = 0;           ///< median over processes of the spread within a process
    double floor_ns = 0;         ///< median over processes of the harness cost subtracted per pass
    double shared_error_ns = 0;  ///< standard error that the floor has in common for all processes, of one execution
    std::vector<ProcessValue> processes;
    core::Value facts;                                  ///< of the native rung; the first that a process reported
    std::vector<CountEstimate> counts = {};             ///< ascending by counter
    std::optional<double> instructions_per_cycle = {};  ///< net / net inside a visit, then the median over processes
    bool operator==(const RungEstimate&) const = default;
};

/// The part of a rung's time that its thread computed, as the kernel's clock of its CPU time has it: what follows the
/// core's clock (one_clock.h). The median over processes, 0 to 1; there must be one.
[[nodiscard]] double computed_ratio(const RungEstimate& rung);

/// How quiet the machine was while a case was measured. Estimates are of its quiet batches.
struct Quietness {
    double kept_ratio = 1;       ///< batches that were quiet, of all
    double confirmed_ratio = 1;  ///< of those, the ones that a reference confirms which selects nothing
    bool busy = false;           ///< too few were: the estimates are of all batches
    std::vector<std::pair<double, double>> gross_ns_at = {};  ///< limit, and the gross with it; where it has one
    bool depends_on_limit = false;                            ///< one of these lies beyond the gross's interval by 1 %
    bool operator==(const Quietness&) const = default;
};

struct CaseEstimate {
    std::string name;
    std::string operation;
    core::Parameters parameters;
    std::vector<RungEstimate> rungs;  ///< those with values, in the order of kAllRungs

    std::optional<Estimate> tare_ns;           ///< gross - net, paired within each process
    std::optional<Estimate> tare_share_ratio;  ///< tare / gross, paired likewise
    std::string tare_reason;                   ///< why there is no tare; empty if there is one
    bool net_exceeds_gross = false;            ///< beyond the interval: the native rung is not the bare kernel
    bool tare_unresolved = false;              ///< net exceeds gross, but by less than the interval: noise

    std::optional<Estimate> scalar_ratio;  ///< gross / gross of the scalar baseline
    std::string scalar_case;               ///< the baseline; empty if there is none
    bool scalar_paired = false;            ///< the ratio was taken round by round
    std::string scalar_reason;             ///< why there is no ratio; empty if there is one

    std::optional<core::Error> error;  ///< the case failed in some round; values are those of its other rounds
    std::vector<int> failed_rounds;
    std::vector<core::RungProblem> problems;  ///< distinct, in order of appearance
    std::vector<std::string> warnings;        ///< distinct, in order of appearance
    bool within_one_process = false;          ///< every interval of the case is
    std::optional<Quietness> quiet = {};      ///< none: no references were taken, or no best is known

    [[nodiscard]] const RungEstimate* rung(core::RungKind kind) const;
    [[nodiscard]] std::optional<Estimate> time_ns(core::RungKind kind) const;
    bool operator==(const CaseEstimate&) const = default;
};

/// Estimates of all cases, in order of first appearance. Visits with an error give no values, only the error.
/// `counters`: those of the run, where it counted; without them counts have no ratios. `best`: what the references take
/// on this machine when it is quiet; 0: unknown, and all batches count. Its clock is the one that times are said at
/// (one_clock.h); 0: each at its own.
[[nodiscard]] std::vector<CaseEstimate> estimate_cases(const std::vector<core::Visit>& visits,
                                                       const std::vector<RunCounter>& counters = {},
                                                       const core::References& best = {});

}  // namespace tare::stats
