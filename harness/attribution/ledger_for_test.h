// Ledgers made up in a few lines, for the tests of this folder.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "harness/core/ledger.h"

namespace tare::attribution {

class LedgerForTest {
  public:
    /// A node below another (-1: a root); its function and module are added when first named. Returns its index.
    std::int32_t node(std::int32_t parent, const std::string& function, const std::string& module, std::uint64_t self,
                      const std::string& layer = "interpreter", core::NameSource source = core::NameSource::kSymbols) {
        core::LedgerNode node;
        node.parent = parent;
        node.function = function_index(function, module, source);
        node.layer = layer_index(layer);
        node.calls = 1;
        node.self = self;
        ledger.nodes.push_back(node);
        ledger.total.value += self;
        ledger.layers[node.layer].self.value += self;
        return static_cast<std::int32_t>(ledger.nodes.size() - 1);
    }

    core::Ledger ledger;

  private:
    std::uint32_t function_index(const std::string& name, const std::string& path, core::NameSource source) {
        const auto module = std::ranges::find(ledger.modules, path, &core::LedgerModule::path);
        const auto module_index = static_cast<std::uint32_t>(module - ledger.modules.begin());
        if (module == ledger.modules.end()) {
            ledger.modules.emplace_back();
            ledger.modules.back().path = path;
        }
        for (std::size_t i = 0; i < ledger.functions.size(); ++i) {
            if (ledger.functions[i].name == name && ledger.functions[i].module == module_index) {
                return static_cast<std::uint32_t>(i);
            }
        }
        ledger.functions.push_back({module_index, name, source, {}});
        return static_cast<std::uint32_t>(ledger.functions.size() - 1);
    }

    std::uint32_t layer_index(const std::string& name) {
        const auto layer = std::ranges::find(ledger.layers, name, &core::LedgerLayer::name);
        const auto index = static_cast<std::uint32_t>(layer - ledger.layers.begin());
        if (layer == ledger.layers.end()) {
            ledger.layers.emplace_back();
            ledger.layers.back().name = name;
            ledger.layers.back().unresolved = name.ends_with("(unresolved)");
        }
        return index;
    }
};

}  // namespace tare::attribution
