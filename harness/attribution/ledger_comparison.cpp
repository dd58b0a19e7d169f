// Both ledgers' functions under common keys, then differences of counts.
#include "harness/attribution/ledger_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "harness/attribution/names_across_builds.h"

namespace tare::attribution {

using core::Count;
using core::LedgerDifference;
using LedgerChange = core::LedgerDifference::Change;

namespace {

struct Side {
    Count count;
    std::string module;
    std::string layer;
};

using LedgerKey = std::pair<std::string, std::string>;  ///< module across builds, name
using Sides = std::map<LedgerKey, Side>;

void add(Count& sum, const Count& more) {
    sum.value += more.value;
    sum.lowest += more.lowest;
    sum.highest += more.highest;
}

std::string file_of(const core::LedgerModule& module) {
    return std::filesystem::path(module.path).filename();
}

/// The layer with most of each function's instructions.
std::vector<std::string> main_layers(const core::Ledger& ledger) {
    std::vector<std::map<std::uint32_t, std::uint64_t>> shares(ledger.functions.size());
    for (const core::LedgerNode& node : ledger.nodes) shares[node.function][node.layer] += node.self;
    std::vector<std::string> layers;
    for (const auto& share : shares) {
        const auto most = std::max_element(share.begin(), share.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        layers.push_back(most == share.end() ? std::string() : ledger.layers[most->first].name);
    }
    return layers;
}

/// The number behind ".so."; empty: there is none.
std::string major_of(const std::string& file) {
    const std::size_t version = file.find(".so.");
    if (version == std::string::npos) return {};
    return file.substr(version + 4, file.find('.', version + 4) - version - 4);
}

/// `ucol_open_73` of libicui18n.so.73 without the version, where the other side has another.
std::string function_across_builds(const std::string& name, const std::string& major, bool is_same_major) {
    const std::string suffix = "_" + major;
    return !major.empty() && !is_same_major && name.ends_with(suffix) && name.size() > suffix.size()
               ? name.substr(0, name.size() - suffix.size())
               : name;
}

Sides functions_of(const core::Ledger& ledger, const core::Ledger& other, const ModuleNames& names) {
    const std::vector<std::string> layers = main_layers(ledger);
    Sides sides;
    for (std::size_t i = 0; i < ledger.functions.size(); ++i) {
        const core::LedgerFunction& function = ledger.functions[i];
        if (function.self.highest == 0) continue;
        const core::LedgerModule& module = ledger.modules[function.module];
        const bool by_name = core::is_name(function.source) || has_build(other.modules, module.build_id);
        const std::string file = file_of(module);
        const std::string major = major_of(file);
        const bool is_same_major = std::ranges::any_of(other.modules, [&](const core::LedgerModule& its) {
            return module_across_builds(file_of(its)) == module_across_builds(file) && major_of(file_of(its)) == major;
        });
        Side& side = sides[{names.of(module.path), by_name ? function_across_builds(function.name, major, is_same_major)
                                                           : std::string(core::kNameless)}];
        add(side.count, function.self);
        side.module = file;
        if (side.layer.empty()) side.layer = layers[i];
    }
    return sides;
}

Sides layers_of(const core::Ledger& ledger) {
    Sides sides;
    for (const core::LedgerLayer& layer : ledger.layers)
        if (layer.self.highest > 0) sides[{"", layer.name}].count = layer.self;
    return sides;
}

/// By file and name; lines move.
Sides python_functions_of(const core::Ledger& ledger, const core::Ledger& other) {
    std::vector<std::string> files;
    for (const core::LedgerPythonFunction& function : other.python_functions) files.push_back(function.file);
    const std::set<std::string> of_the_other = sources_in_environments(files);
    Sides sides;
    for (const core::LedgerPythonFunction& function : ledger.python_functions) {
        const std::string file = source_across_environments(function.file, of_the_other);
        Side& side = sides[{file, function.name}];
        add(side.count, function.self);
        side.module = file;
    }
    return sides;
}

LedgerDifference::Kind kind_of(const Count& before, const Count& after) {
    if (before.highest == 0) return LedgerDifference::Kind::kNew;
    if (after.highest == 0) return LedgerDifference::Kind::kGone;
    return after.value > before.value ? LedgerDifference::Kind::kGrew : LedgerDifference::Kind::kShrank;
}

struct Changes {
    std::vector<LedgerChange> claimed;
    std::size_t unclaimed = 0;
};

Changes changes(const Sides& before, const Sides& after) {
    std::map<LedgerKey, std::pair<const Side*, const Side*>> joined;
    for (const auto& [key, side] : before) joined[key].first = &side;
    for (const auto& [key, side] : after) joined[key].second = &side;
    Changes found;
    for (const auto& [key, sides] : joined) {
        static const Side kNothing;
        const Side& a = sides.first != nullptr ? *sides.first : kNothing;
        const Side& b = sides.second != nullptr ? *sides.second : kNothing;
        if (!core::beyond_spread(a.count, b.count)) {
            if (a.count.value != b.count.value) ++found.unclaimed;
            continue;
        }
        const Side& named = sides.second != nullptr ? b : a;
        const bool two_files = sides.first != nullptr && sides.second != nullptr && a.module != b.module;
        found.claimed.push_back({.name = key.second,
                                 .module = two_files ? key.first : named.module,
                                 .layer = named.layer,
                                 .before = a.count,
                                 .after = b.count,
                                 .kind = kind_of(a.count, b.count),
                                 .change = static_cast<std::int64_t>(b.count.value - a.count.value)});
    }
    std::stable_sort(found.claimed.begin(), found.claimed.end(), [](const LedgerChange& a, const LedgerChange& b) {
        return std::abs(a.change) > std::abs(b.change);
    });
    return found;
}

}  // namespace

core::LedgerDifference compare_ledgers(const core::Ledger& before, const core::Ledger& after, const std::string& side_a,
                                       const std::string& side_b) {
    LedgerDifference difference;
    difference.sides = {side_a, side_b};
    difference.case_a = before.case_name;
    difference.case_b = after.case_name;
    difference.total = {before.total, after.total};
    difference.layers = changes(layers_of(before), layers_of(after)).claimed;
    const ModuleNames names(before.modules, after.modules);
    Changes functions = changes(functions_of(before, after, names), functions_of(after, before, names));
    difference.functions = std::move(functions.claimed);
    difference.unclaimed = functions.unclaimed;
    if (before.python_problem.empty() && after.python_problem.empty()) {
        difference.python_functions =
            changes(python_functions_of(before, after), python_functions_of(after, before)).claimed;
    } else {
        difference.notes.push_back(fmt::format("Python functions are not compared: {}", before.python_problem.empty()
                                                                                            ? after.python_problem
                                                                                            : before.python_problem));
    }
    if (const auto programs = core::differences(before.program, after.program); !programs.empty())
        difference.notes.push_back(fmt::format("the sides run different programs, which alone moves counts: {}",
                                               core::difference_text(programs)));
    return difference;
}

}  // namespace tare::attribution
