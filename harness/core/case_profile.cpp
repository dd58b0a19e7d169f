// Layers and functions of several visits are one where their names are.
#include "harness/core/case_profile.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tare::core {

namespace {

void add(SampledTime& sum, const SampledTime& more) {
    sum.ns += more.ns;
    sum.samples += more.samples;
}

template <class Item, class Key>
void add_items(std::vector<Item>& items, const std::vector<Item>& more, const Key& key) {
    std::map<decltype(key(items.front())), std::size_t> places;
    for (std::size_t i = 0; i < items.size(); ++i) places.emplace(key(items[i]), i);
    for (const Item& item : more) {
        const auto [place, fresh] = places.try_emplace(key(item), items.size());
        if (fresh)
            items.push_back(item);
        else
            add(items[place->second].self, item.self);
    }
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.self.ns > b.self.ns; });
}

}  // namespace

void merge(CaseProfile& into, const CaseProfile& more) {
    if (into.total.samples == 0) into.way = more.way;
    into.asked_hz = std::max(into.asked_hz, more.asked_hz);
    add(into.total, more.total);
    add(into.named, more.named);
    add_items(into.layers, more.layers,
              [](const ProfileLayer& layer) { return std::pair(layer.name, layer.unresolved); });
    add_items(into.functions, more.functions, [](const CaseProfileFunction& function) {
        return std::tuple(function.kind, function.name, function.file);
    });
    into.complete += more.complete;
    into.scanned += more.scanned;
    into.truncated += more.truncated;
    into.outside += more.outside;
    into.dropped += more.dropped;
    into.batches_ns += more.batches_ns;
    into.costs.insert(into.costs.end(), more.costs.begin(), more.costs.end());
    for (const std::string& warning : more.warnings)
        if (std::find(into.warnings.begin(), into.warnings.end(), warning) == into.warnings.end())
            into.warnings.push_back(warning);
}

void merge(std::vector<CaseProfile>& into, const CaseProfile& more) {
    for (CaseProfile& profile : into)
        if (profile.case_name == more.case_name) return merge(profile, more);
    into.push_back(more);
}

}  // namespace tare::core
