// Both profiles' times under common keys. A count of n samples has the variance n; n + 1 is taken, because no sample is
// no proof of no time: 5 samples against none are then not told apart, 6 are, as the exact test of two counts has it.
#include "harness/attribution/profile_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/attribution/names_across_builds.h"
#include "harness/attribution/weighted_tree.h"
#include "harness/core/ledger_difference.h"

namespace tare::attribution {

using core::FrameKind;
using core::SampledTime;
using ProfileChange = core::ProfileDifference::Change;

namespace {

using ProfileKey = std::tuple<FrameKind, std::string, std::string>;  ///< kind, place across builds, name
struct Item {
    SampledTime time;
    std::string place;
};
using Items = std::map<ProfileKey, Item>;

void add(Items& items, ProfileKey key, const SampledTime& time, const std::string& place) {
    Item& item = items[std::move(key)];
    item.time.ns += time.ns;
    item.time.samples += time.samples;
    item.place = place;
}

Items layers_of(const core::Profile& profile) {
    Items items;
    for (const core::ProfileLayer& layer : profile.layers)
        if (layer.self.samples > 0) add(items, {FrameKind::kNative, "", layer.name}, layer.self, "");
    return items;
}

Items functions_of(const core::Profile& profile, const core::Profile& other, const ModuleNames& names) {
    std::vector<std::string> files;
    for (const core::ProfileFunction& function : other.functions)
        if (function.kind == FrameKind::kPython) files.push_back(function.file);
    const std::set<std::string> of_the_other = sources_in_environments(files);
    Items items;
    for (const core::ProfileFunction& function : profile.functions) {
        if (function.self.samples == 0 || function.kind == FrameKind::kGroup) continue;
        if (function.kind == FrameKind::kPython) {
            const std::string source = source_across_environments(function.file, of_the_other);
            add(items, {function.kind, source, function.name}, function.self, module_name(source));
        } else if (function.kind == FrameKind::kNative && function.module < profile.modules.size()) {
            const core::ProfileModule& module = profile.modules[function.module];
            const std::string file = module_name(module.path);
            const bool by_name = core::is_name(function.source) || has_build(other.modules, module.build_id);
            const std::string name = by_name ? function.name : std::string(core::kNameless);
            add(items, {function.kind, names.of(module.path), name}, function.self, file);
        } else {
            add(items, {function.kind, "", function.name}, function.self, "");
        }
    }
    return items;
}

/// Of one side: the whole, and the weight of one sample.
struct Whole {
    explicit Whole(const SampledTime& total)
        : ns(total.ns), samples(static_cast<double>(std::max<std::uint64_t>(total.samples, 1))) {}
    double ns;
    double samples;

    [[nodiscard]] double ratio(const SampledTime& time) const { return ns > 0 ? time.ns / ns : 0; }
    [[nodiscard]] double variance_ns2(const SampledTime& time) const {
        const auto count = static_cast<double>(time.samples);
        const double weight_ns = time.samples == 0 ? ns / samples : time.ns / count;
        return weight_ns * weight_ns * (count + 1);
    }
    /// Of a binomial share.
    [[nodiscard]] double variance_of_ratio(const SampledTime& time) const {
        const double share = std::clamp(ratio(time), 1 / (samples + 1), samples / (samples + 1));
        return share * (1 - share) / samples;
    }
};

ProfileChange change_of(const SampledTime& a, const SampledTime& b, const Whole& all_a, const Whole& all_b) {
    ProfileChange change;
    change.before = a;
    change.after = b;
    change.change_ns = b.ns - a.ns;
    change.error_ns = std::sqrt(all_a.variance_ns2(a) + all_b.variance_ns2(b));
    change.before_ratio = all_a.ratio(a);
    change.after_ratio = all_b.ratio(b);
    change.change_ratio = change.after_ratio - change.before_ratio;
    change.error_ratio = std::sqrt(all_a.variance_of_ratio(a) + all_b.variance_of_ratio(b));
    change.told_apart = std::abs(change.change_ns) > core::ProfileDifference::kErrors * change.error_ns;
    return change;
}

std::vector<ProfileChange> changes(const Items& before, const Items& after, const Whole& all_a, const Whole& all_b) {
    std::map<ProfileKey, std::pair<const Item*, const Item*>> joined;
    for (const auto& [key, item] : before) joined[key].first = &item;
    for (const auto& [key, item] : after) joined[key].second = &item;
    std::vector<ProfileChange> found;
    for (const auto& [key, sides] : joined) {
        static const Item kNothing;
        const Item& a = sides.first != nullptr ? *sides.first : kNothing;
        const Item& b = sides.second != nullptr ? *sides.second : kNothing;
        ProfileChange change = change_of(a.time, b.time, all_a, all_b);
        change.name = std::get<2>(key);
        change.kind = std::get<0>(key);
        change.place = sides.second != nullptr ? b.place : a.place;
        found.push_back(std::move(change));
    }
    std::stable_sort(found.begin(), found.end(), [](const ProfileChange& a, const ProfileChange& b) {
        return std::pair(a.told_apart, std::abs(a.change_ns)) > std::pair(b.told_apart, std::abs(b.change_ns));
    });
    return found;
}

std::vector<std::string> notes_on(const core::Profile& before, const core::Profile& after,
                                  const core::ProfileDifference& difference) {
    std::vector<std::string> notes;
    if (before.sampling.clock != after.sampling.clock || before.sampling.event != after.sampling.event)
        notes.emplace_back("the sides were sampled by different clocks: what one counts the other may not");
    if (before.interrupted || after.interrupted)
        notes.push_back(fmt::format("{} was interrupted: times are not of the whole program",
                                    before.interrupted && after.interrupted ? "each side"
                                    : before.interrupted                    ? difference.sides[0]
                                                                            : difference.sides[1]));
    return notes;
}

}  // namespace

core::ProfileDifference compare_profiles(const core::Profile& before, const core::Profile& after,
                                         const std::string& side_a, const std::string& side_b) {
    const Whole all_a(before.total), all_b(after.total);
    core::ProfileDifference difference;
    difference.sides = {side_a, side_b};
    difference.programs = {before.program, after.program};
    difference.total = change_of(before.total, after.total, all_a, all_b);
    difference.layers = changes(layers_of(before), layers_of(after), all_a, all_b);
    const ModuleNames names(before.modules, after.modules);
    difference.functions =
        changes(functions_of(before, after, names), functions_of(after, before, names), all_a, all_b);
    difference.notes = notes_on(before, after, difference);
    return difference;
}

}  // namespace tare::attribution
