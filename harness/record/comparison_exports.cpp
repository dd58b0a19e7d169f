// CSV and Markdown of comparisons.
#include "harness/record/comparison_exports.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/instruction_notes.h"
#include "harness/record/markup.h"
#include "harness/record/shared_lines.h"

namespace tare::record {

namespace {

constexpr std::size_t kMostListed = 20;  // a comment is read at a glance; the folded table holds all

std::string time_cell(const std::optional<double>& time_ns, const TextStyle& style) {
    return time_ns ? duration_text(*time_ns, style) : "";
}

/// Backticks within would end the code span early.
std::string code(const std::string& text) {
    return text.find('`') == std::string::npos ? '`' + text + '`' : "`` " + text + " ``";
}

std::string verdict_cell(const ComparedCase& compared, const Comparison& comparison) {
    const std::string why = why_text(compared, comparison);
    std::string text = outcome_text(compared, comparison) + (why.empty() ? "" : " (" + why + ')');
    if (compared.outcome() == Outcome::kFailed) text += ": " + one_line(compared.error->error.what);
    return markdown_cell(text);
}

std::string instruction_fields(const std::optional<ComparedInstructions>& compared) {
    if (!compared) return ",,,,,,,,";
    const auto& [before, after] = std::tie(compared->before, compared->after);
    if (compared->lost)
        return fmt::format(",{},{},{},{},,,,", name_of(compared->claim), before.value, before.lowest, before.highest);
    return fmt::format(",{},{},{},{},{},{},{},{}", name_of(compared->claim), before.value, before.lowest,
                       before.highest, after.value, after.lowest, after.highest, csv_number(compared->ratio()));
}

/// Longer than any run of backticks in `text`, so that none of them ends the block.
std::string fence_for(const std::string& text) {
    std::size_t longest = 2, run = 0;
    for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
    return std::string(longest + 1, '`');
}

/// "2 cases execute more instructions. "; empty where none does by more than its tolerance.
std::string more_instructions(const Comparison& comparison) {
    const auto count = std::ranges::count_if(comparison.cases, [](const ComparedCase& compared) {
        return compared.instructions && compared.instructions->exceeds(compared.margins);
    });
    if (count == 0) return {};
    return fmt::format("{} case{} more instructions. ", count, count == 1 ? " executes" : "s execute");
}

std::string headline(const Comparison& comparison) {
    const OutcomeCounts counts = count_outcomes(comparison);
    const std::string rest = counts_text(comparison);
    const bool indicative = std::ranges::none_of(comparison.cases, [](const ComparedCase& compared) {
        return compared.presence == Presence::kBoth && compared.standing == stats::Standing::kGating;
    });
    std::string verdict;
    const auto doubtful =
        static_cast<std::size_t>(std::ranges::count_if(comparison.cases, [&](const ComparedCase& compared) {
            return compared.outcome() == Outcome::kSlower && is_indicative_among_gating(compared, comparison);
        }));
    if (const std::size_t slower = counts[Outcome::kSlower] - doubtful; slower > 0)
        verdict = fmt::format("{} case{} slower", slower, slower == 1 ? " is" : "s are");
    else if (counts[Outcome::kInconclusive] + counts[Outcome::kFailed] > 0)
        verdict = "No case is proven slower";
    else
        verdict = "No case is slower";
    if (doubtful > 0) verdict += fmt::format(", {} by indication only", doubtful);
    return fmt::format("**{}{}{}: {}**", more_instructions(comparison), indicative ? "Indicative only: " : "", verdict,
                       rest);
}

std::string list_of(const Comparison& comparison, const TextStyle& style) {
    std::string text;
    std::size_t listed = 0, left_out = 0;
    for (const ComparedCase* compared : by_outcome(comparison)) {
        const Outcome outcome = compared->outcome();
        const bool counted = compared->instructions && (compared->instructions->claim == InstructionClaim::kMore ||
                                                        compared->instructions->claim == InstructionClaim::kFewer);
        if (outcome != Outcome::kSlower && outcome != Outcome::kFaster && outcome != Outcome::kFailed && !counted)
            continue;
        if (listed == kMostListed) {
            ++left_out;
            continue;
        }
        ++listed;
        text += fmt::format("- {} {}", code(one_line(compared->name)), verdict_cell(*compared, comparison));
        if (outcome != Outcome::kFailed && compared->ratio) {
            text += ": " + change_text(*compared->ratio);
            if (compared->ratio_interval) text += ' ' + change_interval_text(*compared->ratio_interval);
            if (compared->times_ns[0] && compared->times_ns[1])
                text += fmt::format(", {} to {}", duration_text(*compared->times_ns[0], style),
                                    duration_text(*compared->times_ns[1], style));
        }
        if (counted) {
            const std::string layers = changed_layers_text(*compared->instructions);
            text += fmt::format("; {} instructions: {}", name_of(compared->instructions->claim),
                                instructions_text(*compared->instructions));
            if (!layers.empty()) text += " (" + markdown_cell(layers) + ')';
        }
        text += '\n';
    }
    if (left_out > 0) text += fmt::format("- and {} more: see the table\n", left_out);
    return text;
}

}  // namespace

std::string print_comparison_csv(const Comparison& comparison) {
    const auto& [first, second] = comparison.sides;
    std::string text = fmt::format(
        "case,verdict,reason,standing,{0}_ns,{1}_ns,ratio,low_ratio,high_ratio,{0}_{2},{1}_{2},certifiable_relative,"
        "tolerance_relative,bound_relative,failed_side,error",
        first, second, comparison.values);
    const bool counted = has_instructions(comparison);
    if (counted)
        text += fmt::format(
            ",instructions,{0}_instructions,{0}_instructions_lowest,{0}_instructions_highest,{1}_instructions,"
            "{1}_instructions_lowest,{1}_instructions_highest,instructions_ratio",
            first, second);
    text += "\r\n";
    for (const ComparedCase& compared : comparison.cases) {
        std::optional<double> low, high;
        if (compared.ratio_interval) {
            low = compared.ratio_interval->low;
            high = compared.ratio_interval->high;
        }
        const bool judged = compared.presence == Presence::kBoth;
        text += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", csv_text(compared.name),
            csv_text(outcome_text(compared, comparison)), judged && !compared.error ? name_of(compared.reason) : "",
            judged ? name_of(compared.standing) : "", csv_number(compared.times_ns[0]),
            csv_number(compared.times_ns[1]), csv_number(compared.ratio), csv_number(low), csv_number(high),
            compared.values[0], compared.values[1], csv_number(compared.certifiable_relative),
            csv_number(compared.margins.tolerance_relative), csv_number(compared.margins.bound_relative),
            failed_side_text(compared, comparison), compared.error ? csv_text(compared.error->error.what) : "");
        if (counted) text += instruction_fields(compared.instructions);
        text += "\r\n";
    }
    return text;
}

std::string print_comparison_markdown(const Comparison& comparison, const TextStyle& style) {
    const bool counted = has_instructions(comparison);
    std::string text = fmt::format(
        "| case | {} | {} | change | 95 % interval | {} |{} verdict |\n|---|---:|---:|---:|---:|---:|{}---|\n",
        comparison.sides[0], comparison.sides[1], comparison.values, counted ? " instructions |" : "",
        counted ? "---:|" : "");
    for (const ComparedCase* compared : by_outcome(comparison)) {
        const std::string instructions = compared->instructions ? instructions_text(*compared->instructions) : "";
        text += fmt::format("| {} | {} | {} | {} | {} | {} |{} {} |\n", code(markdown_cell(compared->name)),
                            time_cell(compared->times_ns[0], style), time_cell(compared->times_ns[1], style),
                            compared->ratio ? change_text(*compared->ratio) : "",
                            compared->ratio_interval ? change_interval_text(*compared->ratio_interval) : "",
                            values_text(*compared), counted ? ' ' + instructions + " |" : "",
                            verdict_cell(*compared, comparison));
    }
    return text;
}

std::string print_comparison_summary(const Comparison& comparison, const SummaryTexts& texts, const TextStyle& style) {
    std::string text = headline(comparison) + '\n';
    if (!comparison.notice.empty()) text += fmt::format("\n> **{}**\n", comparison.notice);
    if (const std::string changed = list_of(comparison, style); !changed.empty()) text += '\n' + changed;
    std::string facts;
    for (std::size_t side = 0; side < 2; ++side)
        if (!texts.sides[side].empty())
            facts += fmt::format("- {}: {}\n", comparison.sides[side], one_line(texts.sides[side]));
    for (const std::string& note : instruction_notes(comparison)) facts += fmt::format("- {}\n", one_line(note));
    for (const std::string& note : comparison.notes) facts += fmt::format("- {}\n", one_line(note));
    if (!facts.empty()) text += '\n' + facts;
    const std::size_t all = comparison.cases.size();
    if (all > 0)
        text += fmt::format("\n<details>\n<summary>{} case{}</summary>\n\n{}\n</details>\n", all, all == 1 ? "" : "s",
                            print_comparison_markdown(comparison, style));
    if (!texts.command.empty()) {
        const std::string fence = fence_for(texts.command);
        text += fmt::format("\n{}sh\n{}\n{}\n", fence, texts.command, fence);
    }
    return text;
}

}  // namespace tare::record
