// As ledgers have it: a function without a name has the empty one, its file's name decides the rest.
#include "harness/attribution/profile_layers.h"

#include <filesystem>

namespace tare::attribution {

ProfileLayers::ProfileLayers(const LayerTable& table, const std::vector<core::ProfileFunction>& functions,
                             const std::vector<core::ProfileModule>& modules)
    : table_(table), functions_(functions), answers_(functions.size()) {
    for (const core::ProfileModule& module : modules) files_.push_back(std::filesystem::path(module.path).filename());
}

LayerTable::Place ProfileLayers::place_of(std::int64_t index) const {
    if (index < 0) return {};
    const core::ProfileFunction& function = functions_[static_cast<std::size_t>(index)];
    return {.module = files_[function.module],
            .function = core::is_name(function.source) ? std::string_view(function.name) : std::string_view()};
}

std::uint32_t ProfileLayers::of_native(std::uint32_t function, NativeCaller caller) {
    const std::uint64_t key =
        static_cast<std::uint64_t>(caller.function + 1) << 32 | static_cast<std::uint64_t>(caller.layer + 1);
    const auto [answer, is_new] = answers_[function].try_emplace(key);
    if (!is_new) return answer->second;
    static const LayerTable::Layer kNone;
    const LayerTable::Layer& caller_layer = caller.layer < 0 ? kNone : layers_[static_cast<std::size_t>(caller.layer)];
    answer->second = number_of(table_.layer_of(place_of(function), place_of(caller.function), caller_layer));
    return answer->second;
}

std::uint32_t ProfileLayers::number_of(const LayerTable::Layer& layer) {
    const auto [place, is_new] = numbers_.try_emplace(layer.name, static_cast<std::uint32_t>(layers_.size()));
    if (is_new) layers_.push_back(layer);
    return place->second;
}

std::vector<core::ProfileLayer> ProfileLayers::all() const {
    std::vector<core::ProfileLayer> all;
    for (const LayerTable::Layer& layer : layers_)
        all.push_back({.name = layer.name, .self = {}, .unresolved = layer.unresolved});
    return all;
}

}  // namespace tare::attribution
