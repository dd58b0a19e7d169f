// Lines beneath a comparison.
#include "harness/record/instruction_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/number_text.h"
#include "harness/record/shared_lines.h"

namespace tare::record {

namespace {

constexpr std::size_t kMostCases = 5;  // the table holds all totals, JSON all layers

bool is_claimed(const ComparedCase& compared) {
    return compared.instructions && (compared.instructions->claim == InstructionClaim::kMore ||
                                     compared.instructions->claim == InstructionClaim::kFewer);
}

/// "add[n=8]: +332 instructions: type_resolution +210, loop_setup +80"
std::string case_line(const ComparedCase& compared) {
    const ComparedInstructions& instructions = *compared.instructions;
    const auto change = static_cast<std::int64_t>(instructions.after.value - instructions.before.value);
    std::string text = fmt::format("{}: {} instructions", compared.name, signed_count_text(change));
    const std::string layers = changed_layers_text(instructions);
    return layers.empty() ? text + ", in no layer beyond its spread" : text + ": " + layers;
}

}  // namespace

InstructionCounts count_instructions(const Comparison& comparison) {
    InstructionCounts counts;
    for (const ComparedCase& compared : comparison.cases) {
        if (compared.instructions) ++counts.of[static_cast<std::size_t>(compared.instructions->claim)];
        counts.one_sided += compared.one_ledger ? 1 : 0;
    }
    return counts;
}

std::string instruction_counts_text(const Comparison& comparison) {
    const InstructionCounts counts = count_instructions(comparison);
    if (counts.all() == 0) return {};
    std::string text = fmt::format("instructions: {} more, {} fewer, {} unchanged", counts[InstructionClaim::kMore],
                                   counts[InstructionClaim::kFewer], counts[InstructionClaim::kNone]);
    if (const std::size_t not_compared = counts[InstructionClaim::kNotCompared]; not_compared > 0)
        text += fmt::format(", {} not compared", not_compared);
    return text;
}

std::vector<std::string> instruction_notes(const Comparison& comparison) {
    std::vector<std::string> notes;
    const InstructionCounts counts = count_instructions(comparison);
    const std::string of = instruction_counts_text(comparison);
    if (!of.empty()) notes.push_back(of + " (changed: beyond the spread over memory layouts)");
    std::size_t left_out = 0;
    Shared reasons;
    for (const ComparedCase* compared : by_outcome(comparison)) {
        if (compared->instructions && !compared->instructions->reason.empty())
            add(reasons, compared->instructions->reason, compared->name);
        if (!is_claimed(*compared)) continue;
        if (notes.size() <= kMostCases)
            notes.push_back(case_line(*compared));
        else
            ++left_out;
    }
    if (left_out > 0) notes.push_back(fmt::format("{} more cases with other counts: see the table", left_out));
    for (const auto& [reason, names] : reasons)
        notes.push_back(fmt::format("instructions not compared ({}): {}", names_text(names), reason));
    if (counts.one_sided > 0)
        notes.push_back(fmt::format("{} case{} a ledger in one record only", counts.one_sided,
                                    counts.one_sided == 1 ? " has" : "s have"));
    return notes;
}

}  // namespace tare::record
