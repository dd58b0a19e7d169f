// Topics and verdict.
#include "harness/record/fitness_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/record/ledger_text.h"

namespace tare::record {

using core::Finding;
using core::Fitness;
using core::FitnessState;

namespace {

constexpr std::size_t kMarkColumns = 5;
constexpr std::size_t kDetailIndent = kMarkColumns + 1;

const char* colour_of(FitnessState state) {
    constexpr std::array<const char*, 4> kColours = {"\x1b[32m", "\x1b[33m", "\x1b[31m", "\x1b[2m"};
    return kColours[static_cast<std::size_t>(state)];
}

/// The text after an indentation, later lines under the first.
std::string indented(const std::string& text, std::size_t indent, std::size_t width, const TextStyle& style) {
    return wrapped(std::string(indent, ' ') + text, width, indent, style);
}

std::string details_of(const Finding& finding, std::size_t width, const TextStyle& style) {
    std::string text = indented(finding.meaning, kDetailIndent, width, style);
    const std::string margin(kDetailIndent, ' ');
    for (const core::Remedy& remedy : finding.remedies) {
        text += indented("- " + remedy.action + (remedy.command.empty() ? "" : ":"), kDetailIndent, width, style);
        if (!remedy.command.empty()) text += fmt::format("{}    {}\n", margin, remedy.command);
        if (!remedy.undo.empty()) text += fmt::format("{}    undo: {}\n", margin, remedy.undo);
    }
    return text;
}

}  // namespace

std::string_view mark_of(FitnessState state) {
    constexpr std::array<std::string_view, 4> kMarks = {"ok", "note", "bad", "?"};
    return kMarks[static_cast<std::size_t>(state)];
}

std::string print_fitness(const Fitness& fitness, std::size_t width, const TextStyle& style) {
    std::size_t topic_columns = 0;
    for (const Finding& each : fitness.findings) topic_columns = std::max(topic_columns, each.topic.size());
    std::string text = wrapped(fmt::format("CPU {}, as it is: bench doctor reads and changes nothing.", fitness.cpu),
                               width, 0, style) +
                       '\n';
    for (const Finding& each : fitness.findings) {
        const std::string mark = fmt::format("{:<{}}", mark_of(each.state), kMarkColumns);
        const std::string line = fmt::format("{} {:<{}}  {}", mark, each.topic, topic_columns, each.found);
        std::string lines = wrapped(line, width, kDetailIndent + topic_columns + 2, style);
        if (style.color) lines = colour_of(each.state) + mark + "\x1b[0m" + lines.substr(mark.size());
        text += lines;
        if (each.state != FitnessState::kGood) text += details_of(each, width, style);
    }
    return text + '\n' + wrapped("verdict: " + fitness.verdict, width, 2, style);
}

}  // namespace tare::record
