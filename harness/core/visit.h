// What one visit of one worker to one case yields: raw batches by rung, or the reason why there are none.
// Values as measured; the floor is subtracted later (harness/stats). Times in nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/case.h"
#include "harness/core/counter.h"
#include "harness/core/error.h"
#include "harness/core/references.h"
#include "harness/core/value.h"

namespace tare::core {

/// One batch: n back-to-back executions timed as one.
struct Sample {
    std::uint64_t n = 0;  ///< executions; for the floor rung, passes of the loop
    double wall_ns = 0;   ///< CLOCK_MONOTONIC around the n executions; where others took the CPU in between, cpu_ns
    double cpu_ns = 0;    ///< CLOCK_THREAD_CPUTIME_ID around them
    References references = {};  ///< taken just before its lead-in and just after it

    bool operator==(const Sample&) const = default;
};

/// All batches of one rung in one visit.
struct RungVisit {
    RungKind kind = RungKind::kPython;
    int unroll = 1;       ///< copies of the statement in one pass of the loop (python rung), else 1
    double floor_ns = 0;  ///< harness cost of one pass of this rung's loop, measured in this visit; 0 for kFloor
    std::vector<Sample> samples;  ///< in the order measured
    /// Of a native rung: routine, symbol, library, address, equality. Of an imported python rung: what the other tool
    /// stored beside its values, such as an interval of its own. Else nil.
    Value facts;
    std::vector<RungCount> counts = {};  ///< ascending by counter; empty: nothing was counted
    double floor_error_ns = 0;  ///< standard error of a floor that all processes share (stats/pooled_floors.h), else 0

    bool operator==(const RungVisit&) const = default;
};

/// A rung that applies to the case but could not be measured.
struct RungProblem {
    RungKind kind = RungKind::kNative;
    std::string reason;
    bool operator==(const RungProblem&) const = default;
};

struct Visit {
    std::string case_name;
    int round = 0;  ///< 0-based; a fresh worker each round
    int process =
        0;          ///< 0-based index of the worker process in the run (a case that killed its worker makes a new one)
    int order = 0;  ///< place of the case in its round
    std::uint64_t seed = 0;
    double started_s = 0;  ///< Unix time
    double wall_s = 0;     ///< how long the visit took
    double clock_ghz = 0;  ///< of the core, core cycles a nanosecond: the median of its batches' references; 0: unknown
    std::vector<RungVisit> rungs;
    std::vector<RungProblem> problems;
    std::vector<std::string> warnings;  ///< e.g. text the case wrote to stderr
    std::optional<Error> error;         ///< set: the case failed and `rungs` holds what was measured before

    bool operator==(const Visit&) const = default;
};

}  // namespace tare::core
