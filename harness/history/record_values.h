// What one record says of its cases, metric by metric: what the index keeps of it. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/series.h"
#include "harness/history/store_index.h"

namespace tare::history {

struct CaseValue {
    std::string case_name;
    double value = 0;
    std::optional<double> low;
    std::optional<double> high;
    int processes = 0;  ///< see core::SeriesPoint
    /// Of a time: the part of the case's time that follows the core's clock, where the record says at which it is.
    std::optional<double> computed_ratio = {};
    bool operator==(const CaseValue&) const = default;
};

struct MetricValues {
    std::string metric;
    core::SeriesUnit unit = core::SeriesUnit::kNanoseconds;
    std::vector<CaseValue> values;  ///< cases without one are left out; never empty
    bool operator==(const MetricValues&) const = default;
};

struct RecordValues {
    IndexedRecord record;
    std::vector<MetricValues> metrics;
};

/// Of a run gross, net, tare, call and cpp, the ledger's instructions, and each counter; of a duet `anchored`: how many
/// times side a's time side b takes. A case that failed has no value, and one whose batches
/// were `busy` no time (busy_cases counts them); a counter named like one of these metrics is
/// counted_<name>. Errors: as record::parse_document; kData for a case that is listed twice, and for a record that has
/// no date and none in its name: it has no place in a series.
[[nodiscard]] core::Expected<RecordValues> read_values(std::string_view text, std::string_view file);

}  // namespace tare::history
