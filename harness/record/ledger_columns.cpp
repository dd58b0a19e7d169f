// Several ledgers side by side: a column each, as many as fit, the others below.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/record/ledger_table.h"
#include "harness/record/shared_lines.h"
#include "harness/record/text_grid.h"

namespace tare::record {

namespace {

/// Names of all layers, the heaviest of any case first.
std::vector<std::string> layers_of(std::span<const core::Ledger> ledgers) {
    std::vector<std::pair<std::string, double>> heaviest;
    for (const core::Ledger& ledger : ledgers)
        for (const core::LedgerLayer& layer : ledger.layers) {
            const double share = share_of(layer.self.value, ledger.total.value);
            const auto same = std::find_if(heaviest.begin(), heaviest.end(),
                                           [&](const auto& item) { return item.first == layer.name; });
            if (same == heaviest.end())
                heaviest.emplace_back(layer.name, share);
            else
                same->second = std::max(same->second, share);
        }
    std::stable_sort(heaviest.begin(), heaviest.end(),
                     [](const auto& first, const auto& second) { return first.second > second.second; });
    std::vector<std::string> names;
    for (auto& [name, share] : heaviest) names.push_back(std::move(name));
    return names;
}

/// Cells of one case, beneath its title: the total, each layer, the route.
std::vector<std::string> cells_of(const core::Ledger& ledger, const std::vector<std::string>& layers) {
    std::vector<std::string> cells{count_text(ledger.total.value), spread_text(ledger.total)};
    for (const std::string& name : layers) {
        const auto layer = std::find_if(ledger.layers.begin(), ledger.layers.end(),
                                        [&](const core::LedgerLayer& each) { return each.name == name; });
        cells.push_back(layer == ledger.layers.end() ? "" : count_text(layer->self.value));
    }
    std::string route = ledger.routes.empty() ? "" : short_route_text(ledger.routes[0]);
    if (ledger.routes.size() > 1) route += fmt::format(" + {}", ledger.routes.size() - 1);
    cells.push_back(std::move(route));
    return cells;
}

std::string block_of(const std::vector<std::string>& labels, std::span<const std::vector<std::string>> columns,
                     std::size_t first, const LedgerTableOptions& options) {
    std::vector<Column> titles{{"", 0, true}};
    std::vector<GridRow> rows;
    for (const std::string& label : labels) rows.push_back({{label}});
    for (std::size_t i = 0; i < columns.size(); ++i) {
        titles.push_back({fmt::format("[{}]", first + i + 1)});
        for (std::size_t k = 0; k < labels.size(); ++k) rows[k].cells.push_back(columns[i][k]);
    }
    std::erase_if(rows, [](const GridRow& row) {
        return std::all_of(row.cells.begin() + 1, row.cells.end(),
                           [](const std::string& cell) { return cell.empty(); });
    });
    return '\n' + print_grid(std::move(titles), std::move(rows), options.width, options.style);
}

std::size_t widest(const std::vector<std::string>& cells) {
    std::size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, text_columns(cell));
    return width;
}

}  // namespace

std::string print_ledgers_side_by_side(std::span<const core::Ledger> ledgers, const LedgerTableOptions& options) {
    if (ledgers.empty()) return "No ledger was made.\n";
    const std::vector<std::string> layers = layers_of(ledgers);
    std::vector<std::string> labels{"instructions", "over layouts"};
    labels.insert(labels.end(), layers.begin(), layers.end());
    labels.emplace_back("route");
    std::string text;
    std::vector<std::vector<std::string>> columns;
    for (std::size_t i = 0; i < ledgers.size(); ++i) {
        text += wrapped(fmt::format("[{}] {}: {}", i + 1, ledgers[i].case_name, one_line(ledgers[i].statement)),
                        options.width, 4, options.style);
        columns.push_back(cells_of(ledgers[i], layers));
    }
    for (std::size_t first = 0; first < columns.size();) {
        std::size_t end = first, width = widest(labels);
        do {
            width += kColumnGap + std::max(widest(columns[end]), fmt::format("[{}]", end + 1).size());
            if (options.width > 0 && width > options.width && end > first) break;
        } while (++end < columns.size());
        text += block_of(labels, std::span(columns).subspan(first, end - first), first, options);
        first = end;
    }
    return text;
}

}  // namespace tare::record
