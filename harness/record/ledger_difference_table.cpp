// What changed between two ledgers, in four formats.
#include "harness/record/ledger_difference_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/record/comparison.h"
#include "harness/record/ledger_json.h"
#include "harness/record/markup.h"
#include "harness/record/shared_lines.h"
#include "harness/record/text_grid.h"

namespace tare::record {

namespace {

using core::LedgerDifference;
using Changes = std::vector<LedgerDifference::Change>;

constexpr const char* kNothing = "no layer or function changed beyond the spread over layouts";

std::string case_text(const LedgerDifference& difference) {
    if (difference.case_a == difference.case_b) return difference.case_a;
    return difference.case_a + " -> " + difference.case_b;
}

/// "41,230 -> 9,120 instructions (-77.9 %)"; within the spread it says so.
std::string totals_text(const LedgerDifference& difference) {
    const auto& [before, after] = difference.total;
    std::string text = fmt::format("{} -> {} instructions", count_text(before.value), count_text(after.value));
    if (!difference.comparable) return text;
    if (!core::beyond_spread(before, after)) return text + " (within the spread over layouts)";
    if (before.value == 0) return text;
    return text +
           fmt::format(" ({})", change_text(static_cast<double>(after.value) / static_cast<double>(before.value)));
}

std::string mark_of(const LedgerDifference::Change& change) {
    const bool plain = change.kind == LedgerDifference::Kind::kGrew || change.kind == LedgerDifference::Kind::kShrank;
    return plain ? "" : std::string(core::name_of(change.kind));
}

const char* escape_of(const LedgerDifference::Change& change) {
    return change.change > 0 ? "\033[31m" : change.change < 0 ? "\033[32m" : nullptr;
}

std::string layers_table(const LedgerDifference& difference, const LedgerTableOptions& options) {
    std::vector<GridRow> rows;
    for (const LedgerDifference::Change& each : difference.layers)
        rows.push_back({{each.name, count_text(each.before.value), count_text(each.after.value),
                         signed_count_text(each.change), mark_of(each)},
                        escape_of(each)});
    if (rows.empty()) return {};
    return '\n' +
           print_grid(
               {{"layer", 0, true}, {difference.sides[0], 2}, {difference.sides[1], 3}, {"change"}, {"", 1, true}},
               std::move(rows), options.width, options.style);
}

std::string functions_table(const LedgerDifference& difference, const LedgerTableOptions& options) {
    std::vector<GridRow> rows;
    for (const LedgerDifference::Change& each : difference.functions) {
        if (rows.size() == options.most_functions) break;
        rows.push_back({{each.name, each.module, each.layer, count_text(each.before.value),
                         count_text(each.after.value), signed_count_text(each.change), mark_of(each)},
                        escape_of(each)});
    }
    if (rows.empty()) return {};
    std::string text = '\n' + print_grid({{"function", 0, true},
                                          {"module", 1, true},
                                          {"layer", 2, true},
                                          {difference.sides[0], 3},
                                          {difference.sides[1], 4},
                                          {"change"},
                                          {"", 5, true}},
                                         std::move(rows), options.width, options.style);
    if (difference.functions.size() > options.most_functions)
        text += fmt::format("{} more functions\n", difference.functions.size() - options.most_functions);
    return text;
}

std::string python_functions_table(const LedgerDifference& difference, const LedgerTableOptions& options) {
    std::vector<GridRow> rows;
    for (const LedgerDifference::Change& each : difference.python_functions) {
        if (rows.size() == options.most_functions) break;
        rows.push_back({{each.name, each.module, count_text(each.before.value), count_text(each.after.value),
                         signed_count_text(each.change), mark_of(each)},
                        escape_of(each)});
    }
    if (rows.empty()) return {};
    std::string text = '\n' + print_grid({{"Python function", 0, true},
                                          {"file", 1, true},
                                          {difference.sides[0], 2},
                                          {difference.sides[1], 3},
                                          {"change"},
                                          {"", 4, true}},
                                         std::move(rows), options.width, options.style);
    if (difference.python_functions.size() > options.most_functions)
        text += fmt::format("{} more Python functions\n", difference.python_functions.size() - options.most_functions);
    return text;
}

constexpr std::size_t kMovedNamed = 5;

/// Sentences beneath the tables.
std::vector<std::string> remarks(const LedgerDifference& difference) {
    std::vector<std::string> lines;
    if (!difference.comparable)
        lines.push_back("not compared: " + one_line(difference.why_not));
    else if (difference.layers.empty() && difference.functions.empty())
        lines.emplace_back(kNothing);
    if (difference.comparable && difference.unclaimed > 0)
        lines.push_back(fmt::format("{} function{} changed within the spread over layouts", difference.unclaimed,
                                    difference.unclaimed == 1 ? "" : "s"));
    if (!difference.moved.empty()) {
        const std::size_t named = std::min(difference.moved.size(), kMovedNamed);
        const std::size_t others = difference.moved.size() - named;
        lines.push_back(one_line(fmt::format(
            "moved or renamed, with as many instructions as before: {}{}",
            fmt::join(difference.moved.begin(), difference.moved.begin() + static_cast<std::ptrdiff_t>(named), "; "),
            others > 0 ? fmt::format("; and {} more, which --format json names", others) : "")));
    }
    for (const std::string& note : difference.notes) lines.push_back(one_line(note));
    return lines;
}

Json changes_to_json(const Changes& changes) {
    Json list = Json::array();
    for (const LedgerDifference::Change& each : changes)
        list.push_back(object_of({{"name", each.name},
                                  {"module", each.module},
                                  {"layer", each.layer},
                                  {"kind", core::name_of(each.kind)},
                                  {"before", count_to_json(each.before)},
                                  {"after", count_to_json(each.after)},
                                  {"change", each.change}}));
    return list;
}

std::string csv_counts(const core::Count& before, const core::Count& after, std::int64_t change) {
    return fmt::format(",{},{},{},{},{},{},{}\r\n", before.value, before.lowest, before.highest, after.value,
                       after.lowest, after.highest, change);
}

std::string csv_lines(const std::string& name, const char* kind, const Changes& changes) {
    std::string text;
    for (const LedgerDifference::Change& each : changes)
        text += fmt::format("{},{},{},{},{},{}", csv_text(name), kind, csv_text(each.name), csv_text(each.module),
                            csv_text(each.layer), core::name_of(each.kind)) +
                csv_counts(each.before, each.after, each.change);
    return text;
}

}  // namespace

std::string print_ledger_difference(const LedgerDifference& difference, const LedgerTableOptions& options) {
    std::string text = wrapped(case_text(difference) + ": " + totals_text(difference), options.width, 2, options.style);
    if (difference.comparable)
        text += layers_table(difference, options) + functions_table(difference, options) +
                python_functions_table(difference, options);
    std::string lines;
    for (const std::string& line : remarks(difference)) lines += wrapped(line, options.width, 2, options.style);
    return lines.empty() ? text : text + '\n' + lines;
}

std::string ledger_difference_markdown(const LedgerDifference& difference, const LedgerTableOptions& options) {
    const auto& [first, second] = difference.sides;
    std::string text = fmt::format("**`{}`: {}**\n", one_line(case_text(difference)), totals_text(difference));
    if (difference.comparable && !difference.layers.empty()) {
        text += fmt::format("\n| layer | {} | {} | change | |\n|---|---:|---:|---:|---|\n", first, second);
        for (const LedgerDifference::Change& each : difference.layers)
            text += fmt::format("| {} | {} | {} | {} | {} |\n", markdown_cell(each.name), count_text(each.before.value),
                                count_text(each.after.value), signed_count_text(each.change), mark_of(each));
    }
    if (difference.comparable && !difference.functions.empty()) {
        text += fmt::format("\n| function | module | layer | {} | {} | change | |\n|---|---|---|---:|---:|---:|---|\n",
                            first, second);
        for (std::size_t i = 0; i < std::min(difference.functions.size(), options.most_functions); ++i) {
            const LedgerDifference::Change& each = difference.functions[i];
            text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", markdown_cell(each.name),
                                markdown_cell(each.module), markdown_cell(each.layer), count_text(each.before.value),
                                count_text(each.after.value), signed_count_text(each.change), mark_of(each));
        }
        if (difference.functions.size() > options.most_functions)
            text += fmt::format("\n{} more functions\n", difference.functions.size() - options.most_functions);
    }
    if (difference.comparable && !difference.python_functions.empty()) {
        text += fmt::format("\n| Python function | file | {} | {} | change | |\n|---|---|---:|---:|---:|---|\n", first,
                            second);
        for (std::size_t i = 0; i < std::min(difference.python_functions.size(), options.most_functions); ++i) {
            const LedgerDifference::Change& each = difference.python_functions[i];
            text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", markdown_cell(each.name),
                                markdown_cell(each.module), count_text(each.before.value), count_text(each.after.value),
                                signed_count_text(each.change), mark_of(each));
        }
        if (difference.python_functions.size() > options.most_functions)
            text += fmt::format("\n{} more Python functions\n",
                                difference.python_functions.size() - options.most_functions);
    }
    const std::vector<std::string> lines = remarks(difference);
    for (std::size_t i = 0; i < lines.size(); ++i) text += fmt::format("{}- {}\n", i == 0 ? "\n" : "", lines[i]);
    return text;
}

std::string ledger_differences_csv(std::span<const LedgerDifference> differences) {
    if (differences.empty()) return {};
    const auto& [first, second] = differences.front().sides;
    std::string text = fmt::format(
        "case,kind,name,module,layer,change_kind,{0}_instructions,{0}_instructions_lowest,{0}_instructions_highest,"
        "{1}_instructions,{1}_instructions_lowest,{1}_instructions_highest,change\r\n",
        first, second);
    for (const LedgerDifference& difference : differences) {
        const auto& [before, after] = difference.total;
        const std::string name = case_text(difference);
        text += fmt::format("{},total,,,,", csv_text(name)) +
                csv_counts(before, after, static_cast<std::int64_t>(after.value - before.value)) +
                csv_lines(name, "layer", difference.layers) + csv_lines(name, "function", difference.functions) +
                csv_lines(name, "python_function", difference.python_functions);
    }
    return text;
}

std::string ledger_differences_json(std::span<const LedgerDifference> differences,
                                    std::span<const core::LedgerProblem> problems) {
    Json json =
        object_of({{"kind", "ledger differences"}, {"differences", Json::array()}, {"problems", Json::array()}});
    for (const LedgerDifference& difference : differences)
        json["differences"].push_back(
            object_of({{"sides", difference.sides},
                       {"case_a", difference.case_a},
                       {"case_b", difference.case_b},
                       {"total", Json::array({count_to_json(difference.total[0]), count_to_json(difference.total[1])})},
                       {"comparable", difference.comparable},
                       {"why_not", difference.why_not},
                       {"layers", changes_to_json(difference.layers)},
                       {"functions", changes_to_json(difference.functions)},
                       {"python_functions", changes_to_json(difference.python_functions)},
                       {"moved", difference.moved},
                       {"unclaimed", difference.unclaimed},
                       {"notes", difference.notes}}));
    for (const core::LedgerProblem& problem : problems) json["problems"].push_back(ledger_problem_to_json(problem));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tare::record
