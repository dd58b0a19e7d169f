// Where a command writes, and what kind of place that is. `main` fills it; tests use string streams.
#pragma once

#include <cstddef>
#include <ostream>

#include "harness/cli/progress.h"

namespace tare::cli {

struct Streams {
    std::ostream& out;       ///< results
    std::ostream& err;       ///< progress, warnings, errors
    bool color = false;      ///< on out: a terminal, and NO_COLOR is not set
    std::size_t width = 0;   ///< columns of out; 0: no limit
    ProgressStyle progress;  ///< what err can show
};

}  // namespace tare::cli
