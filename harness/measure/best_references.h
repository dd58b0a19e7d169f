// What the references take on this machine when nobody else uses the core: the best of its last runs, kept in the
// cache. A run alone cannot know: on a machine that is busy throughout, all its readings look alike.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/references.h"

namespace tare::measure {

/// Of each kernel the lowest of the runs (a low quantile of what each read) that another run confirms within 2 %: one
/// run alone may have met a clock that jumped. Without two such runs, the lowest. No clock.
[[nodiscard]] core::References best_of(const std::vector<core::References>& runs);

/// The clock that times are said at: `kept_ghz`, so that rows of different runs are at the same one, unless the median
/// of the runs has gone from it by over 2 %; then that, and where none is kept (0).
[[nodiscard]] double usual_clock_ghz(double kept_ghz, const std::vector<core::References>& runs);

/// What is known of a machine; empty where nothing is, or the file is damaged.
struct KnownRuns {
    std::vector<core::References> runs;  ///< the last ones, oldest first
    double usual_ghz = 0;
};
[[nodiscard]] KnownRuns known_runs(const std::filesystem::path& cache_dir, const std::string& machine);

/// Adds what a run found, and forgets all but the last 20: a machine that has become slower (another host, another
/// clock) is known again after as many. Errors: kEnvironment when the folder cannot be written.
[[nodiscard]] core::Status add_run(const std::filesystem::path& cache_dir, const std::string& machine,
                                   const core::References& found);

}  // namespace tare::measure
