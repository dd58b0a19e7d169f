// Where a command writes, and what kind of place that is. `main` fills it; tests use string streams.
#pragma once

#include <cstddef>
#include <ostream>

namespace tare::cli {

struct Streams {
    std::ostream& out;  ///< results
    std::ostream& err;  ///< progress, warnings, errors
    bool out_is_terminal = false;
    bool err_is_terminal = false;
    bool color = false;     ///< on out: a terminal, and NO_COLOR is not set
    std::size_t width = 0;  ///< columns of out; 0: no limit
};

}  // namespace tare::cli
