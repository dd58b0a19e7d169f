// What changed between two profiles, in four formats. ± is two standard errors.
#include "harness/record/profile_difference_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "harness/record/ledger_text.h"
#include "harness/record/markup.h"
#include "harness/record/profile_json.h"
#include "harness/record/shared_lines.h"
#include "harness/record/text_grid.h"

namespace tare::record {

namespace {

using core::ProfileDifference;
using Change = ProfileDifference::Change;

constexpr double kErrors = ProfileDifference::kErrors;

std::string plus_minus(const TextStyle& style) {
    return style.unicode ? "\u00b1" : "+-";
}

/// "+12.3 ms"
std::string change_text(const Change& change, const TextStyle& style) {
    return (change.change_ns < 0 ? "-" : "+") + duration_text(std::abs(change.change_ns), style);
}

std::string error_text(const Change& change, const TextStyle& style) {
    return plus_minus(style) + duration_text(kErrors * change.error_ns, style);
}

/// "+1.2": percentage points.
std::string points_text(const Change& change) {
    return fmt::format("{:+.1f}", 100 * change.change_ratio);
}

std::string side_text(const core::SampledTime& time, double ratio, const TextStyle& style) {
    if (time.samples == 0) return style.unicode ? "\u2013" : "-";
    return fmt::format("{} {:>6}", duration_text(time.ns, style), percent_text(ratio));
}

std::string mark_of(const Change& change) {
    return change.told_apart ? "" : "not told apart";
}

const char* escape_of(const Change& change) {
    if (!change.told_apart) return nullptr;
    return change.change_ns > 0 ? "\033[31m" : "\033[32m";
}

/// "script.py: 1.20 s -> 0.900 s (-300 ms ±12.0 ms)"
std::string totals_text(const ProfileDifference& difference, const TextStyle& style) {
    const auto& [first, second] = difference.programs;
    const std::string name = first == second ? first : first + " -> " + second;
    const Change& total = difference.total;
    return fmt::format("{}: {} -> {} sampled ({} {}{}); {} and {} samples", one_line(name),
                       plain_duration(total.before.ns, style), plain_duration(total.after.ns, style),
                       change_text(total, style), error_text(total, style), total.told_apart ? "" : ", not told apart",
                       count_text(total.before.samples), count_text(total.after.samples));
}

std::vector<std::string> remarks(const ProfileDifference& difference) {
    std::vector<std::string> lines{
        "errors are those of sampling alone (two standard errors): each side is one process, and processes differ"};
    for (const std::string& note : difference.notes) lines.push_back(one_line(note));
    return lines;
}

std::string table(const char* title, const ProfileDifference& difference, std::span<const Change> changes,
                  std::size_t most, const ProfileTableOptions& options) {
    std::vector<GridRow> rows;
    for (const Change& each : changes.first(std::min(changes.size(), most)))
        rows.push_back({{one_line(each.name), each.place, side_text(each.before, each.before_ratio, options.style),
                         side_text(each.after, each.after_ratio, options.style), change_text(each, options.style),
                         error_text(each, options.style), points_text(each), mark_of(each)},
                        escape_of(each)});
    if (rows.empty()) return {};
    std::string text = '\n' + print_grid({{title, 0, true},
                                          {"where", 1, true},
                                          {difference.sides[0], 3},
                                          {difference.sides[1], 4},
                                          {"change"},
                                          {plus_minus(options.style), 6},
                                          {"points", 2},
                                          {"", 5, true}},
                                         std::move(rows), options.width, options.style);
    return text + more_text(changes.size(), most, title);
}

/// Times of Python functions are of the native code that they run too: another list.
std::vector<Change> functions_of(const ProfileDifference& difference, bool python) {
    std::vector<Change> functions;
    for (const Change& each : difference.functions)
        if ((each.kind == core::FrameKind::kPython) == python) functions.push_back(each);
    return functions;
}

std::string markdown_table(const char* title, const ProfileDifference& difference, std::span<const Change> changes,
                           std::size_t most, const ProfileTableOptions& options) {
    if (changes.empty()) return {};
    std::string text = fmt::format("\n| {} | where | {} | {} | change | ± | points | |\n", title,
                                   markdown_cell(difference.sides[0]), markdown_cell(difference.sides[1]));
    text += "|---|---|---:|---:|---:|---:|---:|---|\n";
    for (const Change& each : changes.first(std::min(changes.size(), most)))
        text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |\n", markdown_cell(each.name),
                            markdown_cell(each.place), side_text(each.before, each.before_ratio, options.style),
                            side_text(each.after, each.after_ratio, options.style), change_text(each, options.style),
                            error_text(each, options.style), points_text(each), mark_of(each));
    return text;
}

std::string csv_line(std::string_view kind, const Change& each) {
    return fmt::format("{},{},{},{:.0f},{},{:.7g},{:.0f},{},{:.7g},{:.0f},{:.0f},{:.7g},{:.5g},{}\r\n", kind,
                       csv_text(each.name), csv_text(each.place), each.before.ns, each.before.samples,
                       each.before_ratio, each.after.ns, each.after.samples, each.after_ratio, each.change_ns,
                       each.error_ns, each.change_ratio, each.error_ratio, each.told_apart);
}

Json change_to_json(const Change& each) {
    return object_of({{"name", each.name},
                      {"place", each.place},
                      {"kind", core::name_of(each.kind)},
                      {"before", sampled_time_to_json(each.before)},
                      {"after", sampled_time_to_json(each.after)},
                      {"change_ns", number(each.change_ns)},
                      {"error_ns", rounded(each.error_ns, 5)},
                      {"before_ratio", rounded(each.before_ratio, 5)},
                      {"after_ratio", rounded(each.after_ratio, 5)},
                      {"change_ratio", rounded(each.change_ratio, 5)},
                      {"error_ratio", rounded(each.error_ratio, 5)},
                      {"told_apart", each.told_apart}});
}

Json changes_to_json(const std::vector<Change>& changes) {
    Json list = Json::array();
    for (const Change& each : changes) list.push_back(change_to_json(each));
    return list;
}

}  // namespace

std::string print_profile_difference(const ProfileDifference& difference, const ProfileTableOptions& options) {
    std::string text =
        wrapped(totals_text(difference, options.style), options.width, 2, options.style) +
        table("layer", difference, difference.layers, difference.layers.size(), options) +
        table("function", difference, functions_of(difference, false), options.most_functions, options) +
        table("Python function", difference, functions_of(difference, true), options.most_functions, options) + '\n';
    for (const std::string& line : remarks(difference)) text += wrapped(line, options.width, 2, options.style);
    return text;
}

std::string profile_difference_markdown(const ProfileDifference& difference, const ProfileTableOptions& options) {
    std::string text =
        fmt::format("**{}**\n", totals_text(difference, options.style)) +
        markdown_table("layer", difference, difference.layers, difference.layers.size(), options) +
        markdown_table("function", difference, functions_of(difference, false), options.most_functions, options) +
        markdown_table("Python function", difference, functions_of(difference, true), options.most_functions, options) +
        '\n';
    for (const std::string& line : remarks(difference)) text += fmt::format("- {}\n", line);
    return text;
}

std::string profile_difference_csv(const ProfileDifference& difference) {
    const auto& [first, second] = difference.sides;
    std::string text = fmt::format(
        "kind,name,place,{0}_ns,{0}_samples,{0}_ratio,{1}_ns,{1}_samples,{1}_ratio,change_ns,error_ns,change_ratio,"
        "error_ratio,told_apart\r\n",
        first, second);
    text += csv_line("total", difference.total);
    for (const Change& each : difference.layers) text += csv_line("layer", each);
    for (const Change& each : difference.functions) text += csv_line(core::name_of(each.kind), each);
    return text;
}

std::string profile_difference_json(const ProfileDifference& difference) {
    return json_in_lines(object_of({{"kind", "profile difference"},
                                    {"sides", difference.sides},
                                    {"programs", difference.programs},
                                    {"total", change_to_json(difference.total)},
                                    {"layers", changes_to_json(difference.layers)},
                                    {"functions", changes_to_json(difference.functions)},
                                    {"notes", difference.notes}}));
}

}  // namespace tare::record
