// Matching by parts of names.
#include "harness/cli/case_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/cli/nearest_names.h"
#include "harness/stats/case_name.h"

namespace tare::cli {

namespace {

constexpr std::size_t kListed = 6;

bool picks(const stats::CaseName& wanted, const core::Case& candidate) {
    return candidate.operation == wanted.operation &&
           std::all_of(wanted.parameters.begin(), wanted.parameters.end(), [&](const auto& parameter) {
               return std::find(candidate.parameters.begin(), candidate.parameters.end(), parameter) !=
                      candidate.parameters.end();
           });
}

}  // namespace

core::Expected<core::Case> choose_case(const core::Catalogue& catalogue, const std::string& text) {
    const stats::CaseName wanted = stats::parse_case_name(text);
    std::vector<const core::Case*> found;
    std::vector<std::string> names;
    for (const core::Case& candidate : catalogue.cases) {
        if (candidate.name() == text) return candidate;
        if (picks(wanted, candidate)) found.push_back(&candidate);
        names.push_back(candidate.name());
    }
    if (found.size() == 1) return *found.front();
    if (found.empty()) {
        const std::vector<std::string> nearest = nearest_names(text, names, 5);
        return core::fail(core::ErrorCode::kUsage, fmt::format("'{}' is none of {} cases", text, names.size()),
                          nearest.empty()
                              ? std::string("bench list --all shows them")
                              : fmt::format("nearest: {}; bench list --all shows them", fmt::join(nearest, ", ")));
    }
    std::vector<std::string> listed;
    for (const core::Case* each : found)
        if (listed.size() < kListed) listed.push_back(each->name());
    return core::fail(core::ErrorCode::kUsage,
                      fmt::format("'{}' picks {} cases: {}{}", text, found.size(), fmt::join(listed, ", "),
                                  found.size() > kListed ? ", ..." : ""),
                      fmt::format("add parameters until one is left, as in '{}'", listed.front()));
}

}  // namespace tare::cli
