// The table that a person reads after a run: cases by operation, counters, size fits, kernels, notes, failures,
// warnings. Pure.
#pragma once

#include <string>

#include "harness/record/number_text.h"
#include "harness/record/summary.h"

namespace tare::record {

struct TableOptions {
    std::size_t width = 0;  ///< columns of the terminal; 0: no limit
    TextStyle style;
    bool cpp = false;  ///< also the column of the plain C++ loop
};

[[nodiscard]] std::string print_table(const Summary& summary, const TableOptions& options);

}  // namespace tare::record
