// Fields of counters; a value that was not counted is empty and its state says so.
#include "harness/record/counter_exports.h"

#include <fmt/format.h>

#include "harness/record/case_counts.h"
#include "harness/record/counter_columns.h"
#include "harness/record/markup.h"

namespace tare::record {

std::string counters_csv_titles(const Summary& summary) {
    std::string text;
    for (const std::string& column : column_names(summary.counters))
        for (const char* suffix : {"", "_low", "_high", "_state"}) text += ',' + csv_text(column + suffix);
    return asks_instructions_per_cycle(summary) ? text + ",instructions_per_cycle" : text;
}

std::string counters_csv_fields(const Summary& summary, const stats::CaseEstimate& estimate) {
    std::string text;
    for (const CaseCount& count : case_counts(summary, estimate)) {
        text += count.estimate != nullptr ? fmt::format(",{:.7g}", count.estimate->net.value) : ",";
        if (count.estimate != nullptr && count.estimate->net.interval)
            text +=
                fmt::format(",{:.7g},{:.7g}", count.estimate->net.interval->low, count.estimate->net.interval->high);
        else
            text += ",,";
        text += fmt::format(",{}", core::name_of(count.state));
    }
    if (!asks_instructions_per_cycle(summary)) return text;
    const core::Expected<double> ratio = instructions_per_cycle(summary, estimate);
    return text + (ratio ? fmt::format(",{:.5g}", *ratio) : ",");
}

}  // namespace tare::record
