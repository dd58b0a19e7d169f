// CSV, Markdown and JSON.
#include "harness/record/exports.h"

#include <fmt/format.h>

#include "harness/record/counter_exports.h"
#include "harness/record/counter_table.h"
#include "harness/record/markup.h"
#include "harness/record/quantities.h"
#include "harness/record/summary_json.h"
#include "harness/record/table_notes.h"
#include "harness/record/time_table.h"

namespace tare::record {

namespace {

std::string duration_cell(const std::optional<stats::Estimate>& estimate, const TextStyle& style) {
    return estimate ? duration_text(estimate->value, style) : "";
}

std::string markdown_row(const stats::CaseEstimate& estimate, const Summary& summary, const TableMarks& marks,
                         const TableOptions& options) {
    const auto gross = estimate.time_ns(core::RungKind::kPython);
    std::string tare = duration_cell(estimate.tare_ns, options.style);
    if (!estimate.tare_ns && (estimate.net_exceeds_gross || estimate.tare_unresolved)) tare = estimate.tare_reason;
    std::string row = fmt::format(
        "| `{}` | {} | {} | {} | {} | {} | {} | {} |", markdown_cell(estimate.name),
        estimate.error && !gross ? "failed: " + markdown_cell(estimate.error->what)
                                 : duration_cell(gross, options.style) + gross_mark(estimate),
        gross ? interval_text(*gross, options.style) + interval_mark(estimate, marks) : "",
        duration_cell(estimate.time_ns(core::RungKind::kNative), options.style), markdown_cell(tare),
        estimate.tare_share_ratio ? percent_text(estimate.tare_share_ratio->value) : "",
        duration_cell(estimate.time_ns(core::RungKind::kCall), options.style),
        estimate.scalar_ratio ? three_digits(estimate.scalar_ratio->value) + (estimate.scalar_paired ? "" : "u") : "");
    if (options.cpp) row += fmt::format(" {} |", duration_cell(estimate.time_ns(core::RungKind::kCpp), options.style));
    if (!summary.instructions.empty()) {
        const core::Count* count = summary.instructions_of(estimate.name);
        row += fmt::format(" {} |", count != nullptr ? count_text(count->value) : "");
    }
    return row + '\n';
}

}  // namespace

std::string print_csv(const Summary& summary) {
    std::string text = "case,operation";
    for (const Quantity& quantity : quantities_of(stats::CaseEstimate{}))
        text += fmt::format(",{},{},{}", quantity.name(), quantity.low_name(), quantity.high_name());
    text += ",interval_basis,processes,net_exceeds_gross,error";
    const bool counted = !summary.instructions.empty();
    if (counted) text += ",instructions,instructions_lowest,instructions_highest";
    text += counters_csv_titles(summary) + case_times_csv_titles(summary.times) + "\r\n";
    for (const stats::CaseEstimate& estimate : summary.cases) {
        text += csv_text(estimate.name) + ',' + csv_text(estimate.operation);
        for (const Quantity& quantity : quantities_of(estimate)) {
            std::optional<double> value, low, high;
            if (quantity.estimate) value = quantity.estimate->value;
            if (quantity.estimate && quantity.estimate->interval) {
                low = quantity.estimate->interval->low;
                high = quantity.estimate->interval->high;
            }
            text += fmt::format(",{},{},{}", csv_number(value), csv_number(low), csv_number(high));
        }
        const auto gross = estimate.time_ns(core::RungKind::kPython);
        text += fmt::format(",{},{},{},{}", gross ? name_of(gross->basis) : "", gross ? gross->processes : 0,
                            estimate.net_exceeds_gross, csv_text(estimate.error ? estimate.error->what : ""));
        if (const core::Count* count = summary.instructions_of(estimate.name))
            text += fmt::format(",{},{},{}", count->value, count->lowest, count->highest);
        else if (counted)
            text += ",,,";
        text += counters_csv_fields(summary, estimate) + case_times_csv_fields(summary.times, estimate.name) + "\r\n";
    }
    return text;
}

std::string print_markdown(const Summary& summary, const TableOptions& options) {
    const bool unicode = options.style.unicode;
    std::string text = fmt::format("| case | gross | {} | net | tare | share | call | {} float |",
                                   unicode ? "\u00b1" : "+-", unicode ? "\u00d7" : "x");
    std::string rule = "|---|---:|---:|---:|---:|---:|---:|---:|";
    if (options.cpp) {
        text += " cpp |";
        rule += "---:|";
    }
    if (!summary.instructions.empty()) {
        text += " instructions |";
        rule += "---:|";
    }
    text += '\n' + rule + '\n';
    const TableMarks marks = marks_of(summary);
    for (const stats::CaseEstimate& estimate : summary.cases) text += markdown_row(estimate, summary, marks, options);
    text += counters_markdown(summary, options.style);
    if (summary.size_fits.empty()) return text;
    text += "\n| cost = overhead + slope n | overhead | slope | beats a scalar loop from |\n|---|---:|---:|---:|\n";
    for (const stats::SizeFit& fit : summary.size_fits)
        text += fmt::format(
            "| `{}` | {} | {} | {} |\n", markdown_cell(fit.name),
            fit.fit ? duration_text(fit.fit->overhead_ns, options.style) : markdown_cell(fit.fit_reason),
            fit.fit ? duration_text(fit.fit->slope_ns, options.style) : "",
            fit.break_even_n ? fmt::format("n = {}", *fit.break_even_n) : markdown_cell(fit.break_even_reason));
    return text;
}

std::string print_json(const Record& record, const Summary& summary) {
    return summary_to_json(record, summary).dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tare::record
