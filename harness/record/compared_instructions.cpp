// Claims and their words.
#include "harness/record/compared_instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "harness/record/comparison.h"
#include "harness/record/number_text.h"

namespace tare::record {

namespace {

constexpr int kFewestLayouts = 4;  // of two workers; fewer have too narrow a range, or none
constexpr std::size_t kMostLayers = 3;

std::vector<LayerChange> changed_layers(const core::Ledger& before, const core::Ledger& after) {
    std::vector<LayerChange> layers;
    std::map<std::string_view, std::size_t> places;
    for (const core::LedgerLayer& layer : before.layers) {
        places.emplace(layer.name, layers.size());
        layers.push_back({layer.name, layer.self, {}});
    }
    for (const core::LedgerLayer& layer : after.layers) {
        const auto [place, fresh] = places.try_emplace(layer.name, layers.size());
        if (fresh) layers.push_back({layer.name, {}, {}});
        layers[place->second].after = layer.self;
    }
    std::erase_if(layers, [](const LayerChange& each) { return !core::beyond_spread(each.before, each.after); });
    std::stable_sort(layers.begin(), layers.end(), [](const LayerChange& first, const LayerChange& second) {
        return std::llabs(first.change()) > std::llabs(second.change());
    });
    return layers;
}

}  // namespace

std::string_view name_of(InstructionClaim claim) {
    switch (claim) {
        case InstructionClaim::kMore:
            return "more";
        case InstructionClaim::kFewer:
            return "fewer";
        case InstructionClaim::kNone:
            return "none";
        case InstructionClaim::kNotCompared:
            break;
    }
    return "not compared";
}

std::optional<double> ComparedInstructions::ratio() const {
    if (before.value == 0 || lost) return std::nullopt;
    return static_cast<double>(after.value) / static_cast<double>(before.value);
}

bool ComparedInstructions::exceeds(const stats::Margins& margins) const {
    if (claim != InstructionClaim::kMore) return false;
    const std::optional<double> change = ratio();
    return !change || *change > 1 + margins.tolerance_relative;
}

ComparedInstructions compare_ledgers(const core::Ledger& before, const core::Ledger& after) {
    ComparedInstructions compared;
    compared.before = before.total;
    compared.after = after.total;
    compared.programs = core::differences(before.program, after.program);
    if (!compared.programs.empty()) {
        compared.reason = "different programs: " + core::difference_text(compared.programs);
        return compared;
    }
    if (before.statement != after.statement) {
        compared.reason = "not the same work: the statements differ";
        return compared;
    }
    if (std::min(before.layouts, after.layouts) < kFewestLayouts) {
        compared.reason =
            fmt::format("fewer than {} memory layouts were stepped: the spread is not known", kFewestLayouts);
        return compared;
    }
    compared.layers = changed_layers(before, after);
    const bool differ = core::beyond_spread(before.total, after.total);
    compared.claim = !differ                                     ? InstructionClaim::kNone
                     : after.total.lowest > before.total.highest ? InstructionClaim::kMore
                                                                 : InstructionClaim::kFewer;
    return compared;
}

std::string instructions_text(const ComparedInstructions& compared) {
    if (compared.claim == InstructionClaim::kNotCompared) return "not compared";
    if (compared.before.value == compared.after.value) return count_text(compared.before.value);
    std::string text = count_text(compared.before.value) + " -> " + count_text(compared.after.value);
    if (compared.claim == InstructionClaim::kNone) return text;
    return compared.ratio() ? text + ' ' + change_text(*compared.ratio()) : text;
}

std::string changed_layers_text(const ComparedInstructions& compared) {
    std::string text;
    for (std::size_t i = 0; i < std::min(compared.layers.size(), kMostLayers); ++i)
        text += fmt::format("{}{} {}", i > 0 ? ", " : "", compared.layers[i].layer,
                            signed_count_text(compared.layers[i].change()));
    if (compared.layers.size() > kMostLayers) text += fmt::format(", {} more", compared.layers.size() - kMostLayers);
    return text;
}

}  // namespace tare::record
