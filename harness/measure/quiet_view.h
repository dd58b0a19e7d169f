// QuietView: how much of some time nobody else used the core. Nanoseconds.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/core/references.h"

namespace tare::measure {

struct QuietView {
    std::int64_t watched_ns = 0;
    double l1_ratio = 0;         ///< of the readings those whose loads were quiet
    double alu_ratio = 0;        ///< whose additions were
    std::vector<double> slices;  ///< l1_ratio of equal parts of the time, first to last; a part without readings is 0
    core::References low;        ///< one in a hundred readings was not above it
    core::References best;       ///< of this time and what was known before

    bool operator==(const QuietView&) const = default;
};

struct TimedReferences {
    std::int64_t at_ns = 0;  ///< since the beginning
    core::References taken;
};

/// `known`: the best of earlier runs (best_references.h), or 0. Pure.
[[nodiscard]] QuietView view_of(const std::vector<TimedReferences>& readings, std::int64_t watched_ns,
                                const core::References& known, std::size_t slices);

/// Reads the references 10,000 times a second on the calling thread, which keeps its CPU busy, until `duration_ns` have
/// passed or `stop` says so.
[[nodiscard]] QuietView watch_quiet(const core::References& known, std::int64_t duration_ns, std::size_t slices,
                                    const std::function<bool()>& stop);

}  // namespace tare::measure
