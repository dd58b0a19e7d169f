// Words and widths.
#include "harness/record/ledger_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace tare::record {

namespace {

constexpr std::size_t kMostCallers = 2;  // what remains is in the call tree
constexpr std::size_t kCallerColumns = 28;

using Weights = std::map<std::uint32_t, std::uint64_t>;

template <class NameOf>
std::vector<std::pair<std::string, std::uint64_t>> by_weight(const Weights& weights, const NameOf& name_of) {
    std::vector<std::pair<std::string, std::uint64_t>> sorted;
    for (const auto& [index, weight] : weights) sorted.emplace_back(name_of(index), weight);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& first, const auto& second) { return first.second > second.second; });
    return sorted;
}

void join(std::string& text, const std::string& separator, const std::string& piece) {
    if (piece.empty()) return;
    text += (text.empty() ? "" : separator) + piece;
}

}  // namespace

double share_of(std::uint64_t part, std::uint64_t total) {
    return total == 0 ? 0 : static_cast<double>(part) / static_cast<double>(total);
}

std::string spread_text(const core::Count& count) {
    if (count.lowest == count.highest) return {};
    return count_text(count.lowest) + " to " + count_text(count.highest);
}

std::string file_name_of(const std::string& path) {
    if (path.empty()) return "[jit]";
    return path.substr(path.rfind('/') + 1);
}

std::string module_of(const core::Ledger& ledger, const core::LedgerFunction& function) {
    return function.module < ledger.modules.size() ? file_name_of(ledger.modules[function.module].path) : "?";
}

std::string total_text(const core::Ledger& ledger) {
    std::string text = count_text(ledger.total.value) + " instructions";
    const std::string layouts = fmt::format("{} layout{}", ledger.layouts, ledger.layouts == 1 ? "" : "s");
    if (const std::string spread = spread_text(ledger.total); !spread.empty())
        text += fmt::format(", {} over {}", spread, layouts);
    else
        text += ledger.layouts == 1 ? ", 1 layout: the spread is not known" : ", the same in " + layouts;
    return ledger.randomized_addresses ? text + " at random addresses" : text;
}

std::string stepping_text(const core::Ledger& ledger, const TextStyle& style) {
    std::string text = fmt::format("a floor of {} is subtracted", count_text(ledger.floor.value));
    if (const std::string spread = spread_text(ledger.floor); !spread.empty()) text += " (" + spread + ')';
    if (ledger.step_ns > 0)
        text += fmt::format("; stepping took {} an instruction", duration_text(ledger.step_ns, style));
    return text;
}

std::string route_text(const core::BlasRoute& route) {
    std::string text, facts;
    for (const std::string& function : route.functions) join(text, " -> ", function);
    join(facts, ", ", route.precision + route.routine);
    join(facts, ", ", route.transposition);
    join(facts, ", ", route.core);
    if (route.small_matrix) join(facts, ", ", "small-matrix kernel");
    join(facts, ", ", count_text(route.instructions) + " instructions");
    return fmt::format("{} ({})", text, facts);
}

std::string short_route_text(const core::BlasRoute& route) {
    std::string text;
    join(text, " ", route.precision + route.routine);
    join(text, " ", route.transposition);
    join(text, " ", route.core);
    if (route.small_matrix) join(text, " ", "small");
    return text;
}

/// In the place of a caller's index: a frame that was open when stepping began.
constexpr std::uint32_t kStatement = std::numeric_limits<std::uint32_t>::max();

std::vector<FunctionPlace> places_of(const core::Ledger& ledger) {
    std::vector<FunctionPlace> places(ledger.functions.size());
    std::vector<Weights> layers(places.size()), callers(places.size());
    for (const core::LedgerNode& each : ledger.nodes) {
        if (each.function >= places.size()) continue;
        core::LedgerNode node = each;
        // A Python function that another one calls within one frame of the loop: no call of the loop.
        for (std::size_t above = static_cast<std::size_t>(node.parent);
             node.python >= 0 && node.parent >= 0 && above < ledger.nodes.size() &&
             ledger.nodes[above].function == node.function;
             above = static_cast<std::size_t>(node.parent)) {
            node.calls = 0;
            node.parent = ledger.nodes[above].parent;
            node.python = ledger.nodes[above].python;
        }
        places[node.function].calls += node.calls;
        if (node.layer < ledger.layers.size()) layers[node.function][node.layer] += node.self;
        const auto parent = static_cast<std::size_t>(node.parent);
        if (node.parent < 0)
            callers[node.function][kStatement] += node.self;
        else if (parent < ledger.nodes.size() && ledger.nodes[parent].function < places.size())
            callers[node.function][ledger.nodes[parent].function] += node.self;
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        places[i].layers = by_weight(layers[i], [&](std::uint32_t layer) { return ledger.layers[layer].name; });
        places[i].callers = by_weight(callers[i], [&](std::uint32_t caller) {
            return caller == kStatement ? std::string("the statement") : ledger.functions[caller].name;
        });
    }
    return places;
}

std::string layers_text(const FunctionPlace& place) {
    if (place.layers.empty()) return {};
    const std::size_t others = place.layers.size() - 1;
    return others == 0 ? place.layers[0].first : fmt::format("{} + {}", place.layers[0].first, others);
}

std::string callers_text(const FunctionPlace& place, const TextStyle& style) {
    std::uint64_t all = 0;
    for (const auto& [name, weight] : place.callers) all += weight;
    std::string text;
    for (std::size_t i = 0; i < std::min(place.callers.size(), kMostCallers); ++i)
        join(text, ", ",
             fmt::format("{} {:.0f} %", shortened(place.callers[i].first, kCallerColumns, style),
                         100 * share_of(place.callers[i].second, all)));
    if (place.callers.size() > kMostCallers) text += fmt::format(", {} more", place.callers.size() - kMostCallers);
    return text.empty() ? text : "from " + text;
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent, const TextStyle& style) {
    if (width == 0 || text_columns(text) <= width) return text + '\n';
    const std::string margin(std::min(indent, width / 2), ' ');
    std::string lines, line;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        begin = end + 1;
        if (line.find_first_not_of(' ') != std::string::npos && text_columns(line) + 1 + text_columns(word) > width) {
            lines += line + '\n';
            line = margin;
        } else if (word.empty() || line.find_first_not_of(' ') != std::string::npos) {
            line += ' ';  // between words, or the text's own indentation
        }
        line += shortened(word, width - std::min(width, text_columns(line)), style);
    }
    return lines + line + '\n';
}

}  // namespace tare::record
