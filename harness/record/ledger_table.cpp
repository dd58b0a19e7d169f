// Sections of one case's ledger.
#include "harness/record/ledger_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/record/shared_lines.h"
#include "harness/record/system_call_names.h"
#include "harness/record/text_grid.h"

namespace tare::record {

namespace {

constexpr std::size_t kMostVaried = 12;  // the largest spreads; JSON and CSV hold all

/// An empty line, and the grid; nothing without rows.
std::string grid(std::vector<Column> columns, std::vector<GridRow> rows, const LedgerTableOptions& options) {
    if (rows.empty()) return {};
    return '\n' + print_grid(std::move(columns), std::move(rows), options.width, options.style);
}

std::string head(const core::Ledger& ledger, const LedgerTableOptions& options) {
    const auto line = [&](const std::string& text, std::size_t indent) {
        return wrapped(text, options.width, indent, options.style);
    };
    std::string text = line(ledger.case_name, 2);
    if (!ledger.statement.empty()) text += line("  " + one_line(ledger.statement), 4);
    return text + line(total_text(ledger) + "; " + stepping_text(ledger, options.style), 2);
}

std::string layers_table(const core::Ledger& ledger, const LedgerTableOptions& options) {
    std::vector<GridRow> rows;
    for (const core::LedgerLayer& layer : ledger.layers)
        rows.push_back(
            {{layer.name, count_text(layer.self.value), percent_text(share_of(layer.self.value, ledger.total.value)),
              spread_text(layer.self), count_text(layer.functions)}});
    return grid({{"layer", 0, true}, {"instructions"}, {"share", 3}, {"over layouts", 2}, {"functions", 1}},
                std::move(rows), options);
}

std::string modules_table(const core::Ledger& ledger, const LedgerTableOptions& options) {
    std::vector<GridRow> rows;
    for (const core::LedgerModule& module : ledger.modules) {
        if (module.self.highest == 0 && module.functions == 0) continue;
        rows.push_back(
            {{file_name_of(module.path), count_text(module.self.value),
              percent_text(share_of(module.self.value, ledger.total.value)), spread_text(module.self),
              percent_text(share_of(module.named, module.self.value)), std::string(core::name_of(module.symbols))}});
    }
    return grid({{"module", 0, true},
                 {"instructions"},
                 {"share", 4},
                 {"over layouts", 1},
                 {"named", 3},
                 {"names from", 2, true}},
                std::move(rows), options);
}

std::string routes_text(const core::Ledger& ledger, const LedgerTableOptions& options) {
    std::string text;
    for (const core::BlasRoute& route : ledger.routes)
        text += wrapped("BLAS: " + route_text(route), options.width, 6, options.style);
    return text.empty() ? text : '\n' + text;
}

std::string functions_table(const core::Ledger& ledger, const LedgerTableOptions& options) {
    const std::vector<FunctionPlace> places = places_of(ledger);
    std::vector<std::size_t> order(ledger.functions.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t first, std::size_t second) {
        return ledger.functions[first].self.value > ledger.functions[second].self.value;
    });
    std::vector<GridRow> rows;
    for (const std::size_t i : order) {
        if (rows.size() == options.most_functions) break;
        const core::LedgerFunction& function = ledger.functions[i];
        rows.push_back({{function.name, count_text(function.self.value),
                         percent_text(share_of(function.self.value, ledger.total.value)),
                         places[i].calls > 0 ? count_text(places[i].calls) : "", layers_text(places[i]),
                         callers_text(places[i], options.style)}});
    }
    std::string text =
        grid({{"function", 0, true}, {"self"}, {"share", 4}, {"calls", 3}, {"layer", 2, true}, {"callers", 1, true}},
             std::move(rows), options);
    if (!text.empty() && ledger.functions.size() > options.most_functions)
        text += fmt::format("{} more functions\n", count_text(ledger.functions.size() - options.most_functions));
    return text;
}

std::string python_table(const core::Ledger& ledger, const LedgerTableOptions& options) {
    std::vector<GridRow> rows;
    for (const core::LedgerPythonFunction& function : ledger.python_functions) {
        if (rows.size() == options.most_functions) break;
        const auto heaviest = std::ranges::max_element(function.lines, {}, &core::LedgerLine::self);
        const bool has_line = heaviest != function.lines.end() && heaviest->line > 0;
        rows.push_back({{core::text_of(function), count_text(function.self.value),
                         percent_text(share_of(function.self.value, ledger.total.value)),
                         count_text(function.inclusive), count_text(function.calls),
                         has_line ? fmt::format("line {}: {}", heaviest->line,
                                                percent_text(share_of(heaviest->self, function.self.value)))
                                  : ""}});
    }
    std::string text = grid(
        {{"Python function", 0, true}, {"self"}, {"share", 4}, {"inclusive", 3}, {"calls", 2}, {"mostly", 1, true}},
        std::move(rows), options);
    if (!text.empty() && ledger.python_functions.size() > options.most_functions)
        text += fmt::format("{} more Python functions\n",
                            count_text(ledger.python_functions.size() - options.most_functions));
    return text;
}

std::string allocations_table(const core::Ledger& ledger, const LedgerTableOptions& options) {
    std::vector<GridRow> rows;
    for (const core::LedgerAllocation& allocation : ledger.allocations)
        rows.push_back({{allocation.function, count_text(allocation.calls), count_text(allocation.bytes)}});
    return grid({{"allocation", 0, true}, {"calls"}, {"bytes", 1}}, std::move(rows), options);
}

std::string system_calls_table(const core::Ledger& ledger, const LedgerTableOptions& options) {
    std::vector<GridRow> rows;
    for (const core::LedgerSystemCall& call : ledger.system_calls)
        rows.push_back({{system_call_name(call.number), count_text(call.calls)}});
    return grid({{"system call", 0, true}, {"calls"}}, std::move(rows), options);
}

std::string varied_table(const core::Ledger& ledger, const LedgerTableOptions& options) {
    std::vector<const core::LedgerFunction*> varied;
    for (const core::LedgerFunction& function : ledger.functions)
        if (function.self.lowest != function.self.highest) varied.push_back(&function);
    std::stable_sort(varied.begin(), varied.end(), [](const auto* first, const auto* second) {
        return first->self.highest - first->self.lowest > second->self.highest - second->self.lowest;
    });
    std::vector<GridRow> rows;
    for (std::size_t i = 0; i < std::min(varied.size(), kMostVaried); ++i)
        rows.push_back({{varied[i]->name, count_text(varied[i]->self.lowest), count_text(varied[i]->self.highest)}});
    std::string text = grid({{"varies with the layout", 0, true}, {"lowest"}, {"highest"}}, std::move(rows), options);
    if (varied.size() > kMostVaried) text += fmt::format("{} more\n", varied.size() - kMostVaried);
    return text;
}

/// Per module, what runs in functions that nothing names.
std::string unresolved_table(const core::Ledger& ledger, const LedgerTableOptions& options) {
    std::vector<GridRow> rows;
    for (const core::LedgerModule& module : ledger.modules) {
        const std::uint64_t unnamed = module.self.value - std::min(module.named, module.self.value);
        if (unnamed == 0) continue;
        rows.push_back(
            {{file_name_of(module.path), count_text(unnamed), percent_text(share_of(unnamed, ledger.total.value)),
              count_text(module.functions - std::min(module.named_functions, module.functions))}});
    }
    return grid({{"without a name", 0, true}, {"instructions"}, {"share", 2}, {"functions", 1}}, std::move(rows),
                options);
}

std::string warnings_text(const core::Ledger& ledger, const LedgerTableOptions& options) {
    std::string text;
    for (const std::string& warning : ledger.warnings)
        text += wrapped("warning: " + one_line(warning), options.width, 2, options.style);
    if (!ledger.python_problem.empty())
        text += wrapped("Python functions are not known: " + one_line(ledger.python_problem), options.width, 2,
                        options.style);
    return text.empty() ? text : '\n' + text;
}

}  // namespace

std::string print_ledger(const core::Ledger& ledger, const LedgerTableOptions& options) {
    return head(ledger, options) + layers_table(ledger, options) + modules_table(ledger, options) +
           routes_text(ledger, options) + functions_table(ledger, options) + python_table(ledger, options) +
           allocations_table(ledger, options) + system_calls_table(ledger, options) + varied_table(ledger, options) +
           unresolved_table(ledger, options) + warnings_text(ledger, options);
}

std::string ledger_problems_text(std::span<const core::LedgerProblem> problems) {
    Shared shared;
    for (const core::LedgerProblem& problem : problems) {
        std::string reason = one_line(problem.error.what);
        if (!problem.error.hint.empty()) reason += "; " + one_line(problem.error.hint);
        add(shared, reason, problem.case_name);
    }
    return section(fmt::format("{} ledger{} could not be made", problems.size(), problems.size() == 1 ? "" : "s"),
                   shared);
}

}  // namespace tare::record
