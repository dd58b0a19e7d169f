// Grouping by operation.
#include "harness/record/case_rows.h"

#include <map>

#include "harness/stats/case_name.h"

namespace tare::record {

using stats::CaseEstimate;

std::vector<GridRow> case_rows(const std::vector<const CaseEstimate*>& cases, const CellMaker& cells) {
    std::vector<std::pair<std::string, std::vector<const CaseEstimate*>>> groups;
    std::map<std::string, std::size_t> places;
    for (const CaseEstimate* estimate : cases) {
        const auto [place, fresh] = places.try_emplace(estimate->operation, groups.size());
        if (fresh) groups.push_back({estimate->operation, {}});
        groups[place->second].second.push_back(estimate);
    }
    std::vector<GridRow> rows;
    for (const auto& [operation, group] : groups) {
        if (group.size() > 1) rows.push_back({{operation}});
        for (const CaseEstimate* estimate : group) {
            std::string label = estimate->name;
            if (group.size() > 1) label = "  " + stats::parameters_text(estimate->parameters);
            rows.push_back({cells(*estimate, std::move(label))});
        }
    }
    return rows;
}

}  // namespace tare::record
