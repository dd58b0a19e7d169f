// Lines of the call tree. Without recursion: a statement may nest as deep as its stack.
#include "harness/record/ledger_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "harness/record/text_grid.h"

namespace tare::record {

namespace {

constexpr std::size_t kNarrowestBranch = 12;  // deeper branches are told by their depth
constexpr std::size_t kMostLevels = 100;      // likewise: Python's recursion limit is ten times that
constexpr std::array<std::string_view, 3> kCounts = {"inclusive", "self", "calls"};

struct Children {
    std::vector<std::size_t> shown;  ///< indices of nodes, heaviest first
    std::size_t cut = 0;
    std::uint64_t cut_instructions = 0;
};

/// By node, the roots last.
std::vector<Children> children_of(const core::Ledger& ledger, const std::vector<std::uint64_t>& inclusive,
                                  double smallest_share) {
    const std::size_t count = ledger.nodes.size();
    std::vector<Children> children(count + 1);
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t parent = ledger.nodes[i].parent;
        Children& siblings = children[parent < 0 ? count : static_cast<std::size_t>(parent)];
        if (share_of(inclusive[i], ledger.total.value) >= smallest_share) {
            siblings.shown.push_back(i);
        } else {
            ++siblings.cut;
            siblings.cut_instructions += inclusive[i];
        }
    }
    for (Children& siblings : children)
        std::stable_sort(siblings.shown.begin(), siblings.shown.end(),
                         [&](std::size_t first, std::size_t second) { return inclusive[first] > inclusive[second]; });
    return children;
}

struct Branch {
    std::size_t node;      ///< whose children are being printed
    std::size_t next = 0;  ///< of its children; shown.size(): what was cut
    std::string margin;    ///< before the children's own branches
};

class TreeLines {
  public:
    TreeLines(const core::Ledger& ledger, const LedgerTableOptions& options)
        : ledger_(ledger),
          options_(options),
          inclusive_(core::inclusive_counts(ledger.nodes)),
          children_(children_of(ledger, inclusive_, options.smallest_share)) {}

    [[nodiscard]] std::vector<GridRow> rows() {
        std::vector<GridRow> rows;
        std::vector<Branch> open{{ledger_.nodes.size(), 0, ""}};
        while (!open.empty()) {
            Branch& branch = open.back();
            const Children& siblings = children_[branch.node];
            const bool cut = branch.next == siblings.shown.size();
            if (branch.next > siblings.shown.size() || (cut && siblings.cut == 0)) {
                open.pop_back();
                continue;
            }
            const std::size_t place = branch.next++;
            const bool last = cut || (place + 1 == siblings.shown.size() && siblings.cut == 0);
            const bool root = open.size() == 1;
            const std::string front = branch.margin + (root ? "" : last ? last_ : fork_);
            if (cut) {
                rows.push_back(
                    {{count_text(siblings.cut_instructions), "", "",
                      front + fmt::format("({} more, {})", siblings.cut, share(siblings.cut_instructions))}});
                continue;
            }
            const std::size_t node = siblings.shown[place];
            rows.push_back(row_of(node, front, open.size() - 1));
            std::string margin = branch.margin;
            if (!root && open.size() <= kMostLevels) margin += last ? "   " : bar_;
            open.push_back({node, 0, std::move(margin)});  // ends the life of `branch`
        }
        return rows;
    }

  private:
    [[nodiscard]] std::string share(std::uint64_t instructions) const {
        return percent_text(share_of(instructions, ledger_.total.value));
    }
    [[nodiscard]] GridRow row_of(std::size_t index, std::string front, std::size_t depth) const {
        const core::LedgerNode& node = ledger_.nodes[index];
        std::string name = node.function < ledger_.functions.size() ? ledger_.functions[node.function].name : "?";
        const auto python = static_cast<std::size_t>(node.python);
        if (node.python >= 0 && python < ledger_.python_functions.size())
            name = fmt::format("{} in {}", core::text_of(ledger_.python_functions[python]), name);
        const bool narrow =
            options_.width > 0 && text_columns(front) + kCountsWidth + kNarrowestBranch > options_.width;
        if (narrow || depth > kMostLevels) front = fmt::format("({}) ", depth);
        return {{count_text(inclusive_[index]), count_text(node.self), node.calls > 0 ? count_text(node.calls) : "",
                 front + std::move(name)}};
    }

    static constexpr std::size_t kCountsWidth = 32;  // of the three columns before the name, at most

    const core::Ledger& ledger_;
    const LedgerTableOptions& options_;
    const std::vector<std::uint64_t> inclusive_;
    const std::vector<Children> children_;
    const std::string fork_ = options_.style.unicode ? "\u251c\u2500 " : "|- ";
    const std::string last_ = options_.style.unicode ? "\u2514\u2500 " : "`- ";
    const std::string bar_ = options_.style.unicode ? "\u2502  " : "|  ";
};

}  // namespace

std::string print_tree(const core::Ledger& ledger, const LedgerTableOptions& options) {
    if (ledger.nodes.empty()) return "The ledger holds no call tree.\n";
    std::vector<GridRow> rows = TreeLines(ledger, options).rows();
    std::size_t counts = 0;  // columns that the numbers take
    for (std::size_t column = 0; column < kCounts.size(); ++column) {
        std::size_t width = kCounts[column].size();
        for (const GridRow& row : rows) width = std::max(width, text_columns(row.cells[column]));
        counts += width + 2;
    }
    if (options.width > 0)
        for (GridRow& row : rows)
            row.cells[3] = shortened(row.cells[3], options.width - std::min(options.width, counts), options.style);
    std::vector<Column> columns;
    for (const std::string_view title : kCounts) columns.push_back({std::string(title)});
    columns.push_back({"call path", 0, true});
    return print_grid(std::move(columns), std::move(rows), 0, options.style);
}

}  // namespace tare::record
