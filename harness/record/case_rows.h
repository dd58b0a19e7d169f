// Rows of a table of cases: those of one operation under its name, where they differ in parameters alone. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/record/text_grid.h"
#include "harness/stats/estimate.h"

namespace tare::record {

/// The cells of one case; the first is `label`.
using CellMaker = std::function<std::vector<std::string>(const stats::CaseEstimate&, std::string label)>;

[[nodiscard]] std::vector<GridRow> case_rows(const std::vector<const stats::CaseEstimate*>& cases,
                                             const CellMaker& cells);

}  // namespace tare::record
