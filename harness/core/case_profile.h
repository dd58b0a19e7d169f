// CaseProfile: where the time of one case's executions goes, from samples of batches that are run for this alone; and
// what these batches themselves took. Values only. Times in nanoseconds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/profile.h"
#include "harness/core/visit.h"

namespace tare::core {

/// How a worker samples itself, as it says when it begins.
struct SamplingWay {
    SampleClock clock = SampleClock::kCpuClock;
    bool sees_kernel = true;      ///< false: periods that end in the kernel give no sample
    std::string fallback_reason;  ///< why it is not perf's clock; may be empty
    std::string python_problem;   ///< why there are no Python frames; may be empty
    bool operator==(const SamplingWay&) const = default;
};

/// The batches that a visit adds where time is sampled: of the python rung, by turns sampled and not.
struct SampledVisit {
    std::string case_name;
    int round = 0;
    int process = 0;
    SamplingWay way;
    double rate_hz = 0;  ///< what the worker was asked for: less than the run's where a batch is long
    std::vector<Sample> sampled;
    std::vector<Sample> beside;  ///< not sampled
    double loop_ns = 0;          ///< of an execution, what the loop around it takes (floor_ns / unroll)
    std::optional<Error> error;  ///< why there are no samples
    bool operator==(const SampledVisit&) const = default;
};

/// What sampling cost in one visit. CPU time of an execution, the loop included; medians over batches.
struct SamplingCost {
    int round = 0;
    int process = 0;
    double sampled_ns = 0;
    double beside_ns = 0;
    double loop_ns = 0;
    bool operator==(const SamplingCost&) const = default;
};

/// A function with samples of its own. Those of Python functions (of which it was the innermost) are the same samples
/// as those of the native ones, told in another way.
struct CaseProfileFunction {
    FrameKind kind = FrameKind::kNative;
    std::string name;
    std::string file;   ///< native: the module's path; Python: the source file; empty for the kernel
    std::string layer;  ///< with most of its time; empty for Python's
    SampledTime self;
    bool operator==(const CaseProfileFunction&) const = default;
};

struct CaseProfile {
    std::string case_name;
    SamplingWay way;
    double asked_hz = 0;
    SampledTime total;                 ///< within the batches
    SampledTime named;                 ///< of that, in functions with a name, or in the kernel
    std::vector<ProfileLayer> layers;  ///< most time first, as functions; they sum to the total
    std::vector<CaseProfileFunction> functions;
    std::uint64_t complete = 0;  ///< stacks, as ProfileQuality's
    std::uint64_t scanned = 0;
    std::uint64_t truncated = 0;
    std::uint64_t outside = 0;          ///< samples of the harness itself, left out
    std::uint64_t dropped = 0;          ///< no free slot
    double batches_ns = 0;              ///< CPU time of all sampled batches
    std::vector<SamplingCost> costs;    ///< one a visit
    std::vector<std::string> warnings;  ///< distinct
    bool operator==(const CaseProfile&) const = default;
};

/// Adds what another visit found; of the same case.
void merge(CaseProfile& into, const CaseProfile& more);
/// To that of its case, or as a new one at the end.
void merge(std::vector<CaseProfile>& into, const CaseProfile& more);

/// A case of which no samples could be taken.
struct ProfileProblem {
    std::string case_name;
    Error error;
    bool operator==(const ProfileProblem&) const = default;
};

}  // namespace tare::core
