// std::regex over a thousand names: about a millisecond.
#include "harness/cli/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <regex>

#include "harness/cli/nearest_names.h"

namespace tare::cli {

using core::ErrorCode;

core::Expected<std::vector<core::Case>> select_cases(const core::Catalogue& catalogue, const std::string& filter) {
    if (catalogue.cases.empty())
        return core::fail(ErrorCode::kUsage, "the suite declares no case",
                          "benchmarks/README.md shows how to declare one");
    if (filter.empty()) return catalogue.cases;
    std::vector<core::Case> selected;
    try {
        const std::regex pattern(filter);
        for (const core::Case& candidate : catalogue.cases)
            if (std::regex_search(candidate.name(), pattern)) selected.push_back(candidate);
    } catch (const std::regex_error& e) {
        return core::fail(ErrorCode::kUsage,
                          fmt::format("--filter '{}' is no regular expression: {}", filter, e.what()),
                          "escape brackets, as in --filter '^add\\['");
    }
    if (!selected.empty()) return selected;
    std::vector<std::string> names;
    for (const core::Case& candidate : catalogue.cases) names.push_back(candidate.name());
    const std::vector<std::string> nearest = nearest_names(filter, names, 5);
    return core::fail(
        ErrorCode::kUsage, fmt::format("--filter '{}' matches none of {} cases", filter, catalogue.cases.size()),
        nearest.empty() ? std::string("bench list shows them all")
                        : fmt::format("nearest: {}; bench list shows them all", fmt::join(nearest, ", ")));
}

core::List names_of(const std::vector<core::Case>& cases) {
    core::List names;
    for (const core::Case& each : cases) names.emplace_back(each.name());
    return names;
}

}  // namespace tare::cli
