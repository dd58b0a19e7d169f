// Collisions of names.
#include "harness/record/counter_columns.h"

#include <array>
#include <set>

#include "harness/record/quantities.h"

namespace tare::record {

namespace {

/// Members of a row in Google Benchmark's schema (its json_reporter), whether we write them or not: its tools read
/// them. Then the columns of CSV that are no quantities.
constexpr std::array kTaken = {"name",
                               "run_name",
                               "run_type",
                               "family_index",
                               "per_family_instance_index",
                               "repetitions",
                               "repetition_index",
                               "threads",
                               "aggregate_name",
                               "aggregate_unit",
                               "iterations",
                               "real_time",
                               "cpu_time",
                               "time_unit",
                               "big_o",
                               "rms",
                               "cpu_coefficient",
                               "real_coefficient",
                               "error_occurred",
                               "error_message",
                               "skipped",
                               "skip_message",
                               "label",
                               "bytes_per_second",
                               "items_per_second",
                               "allocs_per_iter",
                               "max_bytes_used",
                               "net_heap_growth",
                               "total_allocated_bytes",
                               "tare",
                               "case",
                               "operation",
                               "interval_basis",
                               "processes",
                               "net_exceeds_gross",
                               "error",
                               "instructions",
                               "instructions_lowest",
                               "instructions_highest",
                               "instructions_per_cycle"};

std::set<std::string, std::less<>> taken_names() {
    std::set<std::string, std::less<>> taken(kTaken.begin(), kTaken.end());
    for (const Quantity& quantity : quantities_of(stats::CaseEstimate{}))
        taken.insert({quantity.name(), quantity.low_name(), quantity.high_name()});
    return taken;
}

}  // namespace

std::vector<std::string> column_names(const std::vector<std::string>& names) {
    std::set<std::string, std::less<>> taken = taken_names();
    std::vector<std::string> columns;
    for (const std::string& name : names) {
        std::array<std::string, 4> wanted;
        const auto collides = [&](const std::string& column) {
            wanted = {column, column + "_low", column + "_high", column + "_state"};
            for (const std::string& each : wanted)
                if (taken.contains(each)) return true;
            return false;
        };
        std::string column = name;
        while (collides(column)) column = "counted_" + column;
        taken.insert(wanted.begin(), wanted.end());
        columns.push_back(std::move(column));
    }
    return columns;
}

std::vector<std::string> column_names(const std::vector<core::CounterRequest>& requests) {
    std::vector<std::string> names;
    for (const core::CounterRequest& request : requests) names.push_back(request.name);
    return column_names(names);
}

std::vector<std::string> column_names(const std::vector<stats::RunCounter>& counters) {
    std::vector<std::string> names;
    for (const stats::RunCounter& counter : counters) names.push_back(counter.request.name);
    return column_names(names);
}

}  // namespace tare::record
