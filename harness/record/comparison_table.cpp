// Cells, counts, notes and failures of a comparison.
#include "harness/record/comparison_table.h"

#include <fmt/format.h>

#include "harness/record/instruction_notes.h"
#include "harness/record/shared_lines.h"
#include "harness/record/text_grid.h"

namespace tare::record {

namespace {

const char* escape_of(const ComparedCase& compared) {
    const Outcome outcome = compared.outcome();
    const bool changed = outcome == Outcome::kSlower || outcome == Outcome::kFaster;
    if (!changed && compared.instructions && compared.instructions->exceeds(compared.margins)) return "\033[31m";
    switch (outcome) {
        case Outcome::kSlower:
            return "\033[31m";
        case Outcome::kFaster:
            return "\033[32m";
        case Outcome::kInconclusive:
        case Outcome::kFailed:
            return "\033[33m";
        case Outcome::kOneSided:
        case Outcome::kSame:
            break;
    }
    return nullptr;
}

GridRow row_of(const ComparedCase& compared, const Comparison& comparison, const TextStyle& style) {
    const auto time = [&](std::size_t side) {
        return compared.times_ns[side] ? duration_text(*compared.times_ns[side], style) : "";
    };
    return {{compared.name, time(0), time(1), compared.ratio ? change_text(*compared.ratio) : "",
             compared.ratio_interval ? change_interval_text(*compared.ratio_interval) : "", values_text(compared),
             compared.instructions ? instructions_text(*compared.instructions) : "", outcome_text(compared, comparison),
             why_text(compared, comparison)},
            escape_of(compared)};
}

std::string failures_text(const Comparison& comparison) {
    Shared failures;
    std::size_t count = 0;
    for (const ComparedCase& compared : comparison.cases) {
        if (compared.outcome() != Outcome::kFailed) continue;
        ++count;
        const core::Error& error = compared.error->error;
        std::string text = fmt::format("{}: {}", why_text(compared, comparison), one_line(error.what));
        if (!error.hint.empty()) text += "; " + one_line(error.hint);
        add(failures, text, compared.name);
    }
    return section(fmt::format("{} of {} cases failed", count, comparison.cases.size()), failures);
}

}  // namespace

std::string print_comparison_table(const Comparison& comparison, const TableOptions& options) {
    const TextStyle& style = options.style;
    std::string text;
    if (!comparison.notice.empty())
        text += (style.color ? "\033[1;31m" + comparison.notice + "\033[0m" : comparison.notice) + "\n\n";
    if (comparison.cases.empty()) return text + "No case was compared.\n";
    std::vector<GridRow> rows;
    for (const ComparedCase* compared : by_outcome(comparison)) rows.push_back(row_of(*compared, comparison, style));
    text += print_grid({{"case", 0, true},
                        {comparison.sides[0], 3},
                        {comparison.sides[1], 4},
                        {"change"},
                        {"95 % interval", 5},
                        {comparison.values, 1},
                        {"instructions", 6},
                        {"verdict", 0, true},
                        {"why", 2, true}},
                       std::move(rows), options.width, style);
    text += '\n' + counts_text(comparison) + '\n';
    for (const std::string& note : instruction_notes(comparison)) text += note + '\n';
    for (const std::string& note : comparison.notes) text += note + '\n';
    return text + failures_text(comparison);
}

}  // namespace tare::record
