// First match wins; then the caller decides; then it is unresolved.
#include "harness/attribution/layer_table.h"

#include <algorithm>
#include <utility>

#include "harness/attribution/layer_rules.h"
#include "harness/attribution/re2_text.h"

namespace tare::attribution {

namespace {}  // namespace

struct LayerTable::State {
    LayerRules rules;

    /// Which of rules.modules a module matches: asked once a look-up, because 200 rules share a handful.
    [[nodiscard]] std::vector<bool> matching_modules(std::string_view module) const {
        std::vector<bool> matches(rules.modules.size());
        for (std::size_t i = 0; i < matches.size(); ++i) {
            matches[i] = RE2::PartialMatch(piece(module), *rules.modules[i]);
        }
        return matches;
    }
};

LayerTable::LayerTable(std::unique_ptr<State> state) : state_(std::move(state)) {}
LayerTable::~LayerTable() = default;
LayerTable::LayerTable(LayerTable&&) noexcept = default;
LayerTable& LayerTable::operator=(LayerTable&&) noexcept = default;

core::Expected<LayerTable> LayerTable::parse(const std::vector<Text>& texts) {
    auto state = std::make_unique<State>();
    for (const Text& text : texts) {
        if (core::Status status = state->rules.add(text.name, text.text); !status) {
            return tl::unexpected(std::move(status.error()));
        }
    }
    return LayerTable(std::move(state));
}

LayerTable::Layer LayerTable::layer_of(const Place& function, const Place& caller, const Layer& caller_layer) const {
    const LayerRules& rules = state_->rules;
    const bool is_called = !caller_layer.name.empty();
    const std::vector<bool> module_matches = state_->matching_modules(function.module);
    for (const LayerRules::Layer& rule : rules.layers) {
        if (!module_matches[rule.module] || (rule.name.empty() && !is_called)) continue;
        if (!RE2::FullMatch(piece(function.function), *rule.function)) continue;
        if (rule.caller && !(is_called && RE2::FullMatch(piece(caller.function), *rule.caller))) continue;
        return rule.name.empty() ? caller_layer : Layer{rule.name, false};
    }
    const bool has_name = !function.function.empty();
    if (!has_name && is_called && !caller_layer.unresolved && caller.module == function.module) {
        for (const LayerRules::Deciding& rule : rules.deciding) {
            if (module_matches[rule.module] && std::ranges::find(rule.layers, caller_layer.name) != rule.layers.end()) {
                return caller_layer;
            }
        }
    }
    for (const LayerRules::Unresolved& rule : rules.unresolved) {
        if (!module_matches[rule.module]) continue;
        return has_name ? Layer{rule.group + "_other", false} : Layer{rule.group + " (unresolved)", true};
    }
    return has_name ? Layer{"other", false} : Layer{"(unresolved)", true};
}

}  // namespace tare::attribution
