// ProfileLayers: the layers of a profile, numbered as they are met, with the rules' answers remembered.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/attribution/layer_table.h"
#include "harness/core/profile.h"

namespace tare::attribution {

/// A native function and its layer, as the caller of another: what decides the layer of helpers. -1: none.
struct NativeCaller {
    std::int64_t function = -1;
    std::int64_t layer = -1;
};

class ProfileLayers {
  public:
    /// All must outlive it.
    ProfileLayers(const LayerTable& table, const std::vector<core::ProfileFunction>& functions,
                  const std::vector<core::ProfileModule>& modules);

    [[nodiscard]] std::uint32_t of_native(std::uint32_t function, NativeCaller caller);
    /// By name.
    [[nodiscard]] std::uint32_t number_of(const LayerTable::Layer& layer);
    /// Without time.
    [[nodiscard]] std::vector<core::ProfileLayer> all() const;

  private:
    [[nodiscard]] LayerTable::Place place_of(std::int64_t function) const;

    const LayerTable& table_;
    const std::vector<core::ProfileFunction>& functions_;
    std::vector<std::string> files_;  ///< of modules, without folders
    std::vector<LayerTable::Layer> layers_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    /// By function, then by caller and its layer.
    std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> answers_;
};

}  // namespace tare::attribution
