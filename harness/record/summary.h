// Summary: what a run found, case by case: what the table shows and the record's top-level `tare` object holds.
#pragma once

#include <vector>

#include "harness/core/visit.h"
#include "harness/stats/estimate.h"
#include "harness/stats/size_fit.h"

namespace tare::record {

struct Summary {
    std::vector<stats::CaseEstimate> cases;  ///< in order of first appearance
    std::vector<stats::SizeFit> size_fits;
    bool operator==(const Summary&) const = default;
};

[[nodiscard]] inline Summary summarize(const std::vector<core::Visit>& visits) {
    Summary summary{stats::estimate_cases(visits), {}};
    summary.size_fits = stats::fit_sizes(summary.cases);
    return summary;
}

}  // namespace tare::record
