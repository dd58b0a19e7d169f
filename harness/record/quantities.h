// The quantities of a case under their machine names: the one list behind JSON summaries and CSV. Unit last in a name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/stats/estimate.h"

namespace tare::record {

struct Quantity {
    std::string_view stem;  ///< "gross"
    std::string_view unit;  ///< "ns" or "ratio"
    std::optional<stats::Estimate> estimate;
    std::string reason;  ///< why there is no estimate; empty if there is one

    [[nodiscard]] std::string name() const;       ///< "gross_ns"
    [[nodiscard]] std::string low_name() const;   ///< "gross_low_ns"
    [[nodiscard]] std::string high_name() const;  ///< "gross_high_ns"
};

/// gross_ns, net_ns, tare_ns, tare_share_ratio, call_ns, cpp_ns, scalar_ratio: always all of them, in this order.
[[nodiscard]] std::vector<Quantity> quantities_of(const stats::CaseEstimate& estimate);

}  // namespace tare::record
