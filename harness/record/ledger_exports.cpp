// Markdown, CSV and JSON of ledgers.
#include "harness/record/ledger_exports.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/ledger_json.h"
#include "harness/record/markup.h"
#include "harness/record/shared_lines.h"
#include "harness/record/stored_profiles.h"
#include "harness/record/system_call_names.h"

namespace tare::record {

namespace {

std::string share_cell(std::uint64_t part, const core::Ledger& ledger) {
    return percent_text(share_of(part, ledger.total.value));
}

std::string functions_markdown(const core::Ledger& ledger, const LedgerTableOptions& options) {
    const std::vector<FunctionPlace> places = places_of(ledger);
    std::string text = "\n| function | self | share | calls | layer | module |\n|---|---:|---:|---:|---|---|\n";
    for (std::size_t i = 0; i < std::min(ledger.functions.size(), options.most_functions); ++i) {
        const core::LedgerFunction& function = ledger.functions[i];
        text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", markdown_cell(function.name),
                            count_text(function.self.value), share_cell(function.self.value, ledger),
                            count_text(places[i].calls), markdown_cell(layers_text(places[i])),
                            markdown_cell(module_of(ledger, function)));
    }
    return text;
}

std::string python_markdown(const core::Ledger& ledger, const LedgerTableOptions& options) {
    if (ledger.python_functions.empty()) return {};
    std::string text = "\n| Python function | self | share | inclusive | calls |\n|---|---:|---:|---:|---:|\n";
    for (std::size_t i = 0; i < std::min(ledger.python_functions.size(), options.most_functions); ++i) {
        const core::LedgerPythonFunction& function = ledger.python_functions[i];
        text += fmt::format("| `{}` | {} | {} | {} | {} |\n", markdown_cell(core::text_of(function)),
                            count_text(function.self.value), share_cell(function.self.value, ledger),
                            count_text(function.inclusive), count_text(function.calls));
    }
    if (ledger.python_functions.size() > options.most_functions)
        text += fmt::format("\n{} more Python functions\n", ledger.python_functions.size() - options.most_functions);
    return text;
}

std::string markdown_of(const core::Ledger& ledger, const LedgerTableOptions& options) {
    std::string text = fmt::format("### `{}`\n\n{}; {}\n", one_line(ledger.case_name), total_text(ledger),
                                   stepping_text(ledger, options.style));
    text += "\n| layer | instructions | share | over layouts | functions |\n|---|---:|---:|---:|---:|\n";
    for (const core::LedgerLayer& layer : ledger.layers)
        text += fmt::format("| {} | {} | {} | {} | {} |\n", markdown_cell(layer.name), count_text(layer.self.value),
                            share_cell(layer.self.value, ledger), spread_text(layer.self), layer.functions);
    text += "\n| module | instructions | share | named | names from |\n|---|---:|---:|---:|---|\n";
    for (const core::LedgerModule& module : ledger.modules)
        text += fmt::format("| {} | {} | {} | {} | {} |\n", markdown_cell(file_name_of(module.path)),
                            count_text(module.self.value), share_cell(module.self.value, ledger),
                            percent_text(share_of(module.named, module.self.value)), core::name_of(module.symbols));
    for (std::size_t i = 0; i < ledger.routes.size(); ++i)
        text += fmt::format("{}- BLAS: {}\n", i == 0 ? "\n" : "", route_text(ledger.routes[i]));
    text += functions_markdown(ledger, options) + python_markdown(ledger, options);
    for (std::size_t i = 0; i < ledger.warnings.size(); ++i)
        text += fmt::format("{}- {}\n", i == 0 ? "\n" : "", one_line(ledger.warnings[i]));
    return text;
}

/// The lines of one case.
class CsvLines {
  public:
    explicit CsvLines(const core::Ledger& ledger) : ledger_(ledger) {}

    void count(const char* kind, const std::string& name, const std::string& module, const core::Count& count,
               const std::string& calls = {}) {
        line(kind, name, module,
             fmt::format("{},{},{},{:.7g}", count.value, count.lowest, count.highest,
                         share_of(count.value, ledger_.total.value)),
             calls, "");
    }
    void line(const char* kind, const std::string& name, const std::string& module, const std::string& counts,
              const std::string& calls, const std::string& bytes) {
        text_ += fmt::format("{},{},{},{},{},{},{}\r\n", csv_text(ledger_.case_name), kind, csv_text(name),
                             csv_text(module), counts, calls, bytes);
    }
    [[nodiscard]] std::string take() { return std::move(text_); }

  private:
    const core::Ledger& ledger_;
    std::string text_;
};

std::string csv_of(const core::Ledger& ledger) {
    constexpr const char* kNoCounts = ",,,";
    CsvLines lines(ledger);
    lines.count("total", "", "", ledger.total);
    lines.line("floor", "", "", fmt::format("{},{},{},", ledger.floor.value, ledger.floor.lowest, ledger.floor.highest),
               "", "");
    for (const core::LedgerLayer& layer : ledger.layers) lines.count("layer", layer.name, "", layer.self);
    for (const core::LedgerModule& module : ledger.modules)
        lines.count("module", file_name_of(module.path), module.path, module.self);
    const std::vector<FunctionPlace> places = places_of(ledger);
    for (std::size_t i = 0; i < ledger.functions.size(); ++i)
        lines.count("function", ledger.functions[i].name, module_of(ledger, ledger.functions[i]),
                    ledger.functions[i].self, fmt::format("{}", places[i].calls));
    for (const core::LedgerPythonFunction& function : ledger.python_functions)
        lines.count("python_function", core::text_of(function), function.file, function.self,
                    fmt::format("{}", function.calls));
    for (const core::BlasRoute& route : ledger.routes)
        lines.line("route", short_route_text(route), "",
                   fmt::format("{},,,{:.7g}", route.instructions, share_of(route.instructions, ledger.total.value)), "",
                   "");
    for (const core::LedgerAllocation& allocation : ledger.allocations)
        lines.line("allocation", allocation.function, "", kNoCounts, fmt::format("{}", allocation.calls),
                   fmt::format("{}", allocation.bytes));
    for (const core::LedgerSystemCall& call : ledger.system_calls)
        lines.line("system_call", system_call_name(call.number), "", kNoCounts, fmt::format("{}", call.calls), "");
    return lines.take();
}

}  // namespace

std::string ledger_markdown(std::span<const core::Ledger> ledgers, const LedgerTableOptions& options) {
    std::string text;
    for (const core::Ledger& ledger : ledgers) text += (text.empty() ? "" : "\n") + markdown_of(ledger, options);
    return text;
}

std::string ledger_csv(std::span<const core::Ledger> ledgers) {
    std::string text = "case,kind,name,module,instructions,lowest,highest,share_ratio,calls,bytes\r\n";
    for (const core::Ledger& ledger : ledgers) text += csv_of(ledger);
    return text;
}

std::string ledger_json(std::span<const core::Ledger> ledgers, std::span<const core::LedgerProblem> problems,
                        std::span<const core::CaseProfile> profiles, std::span<const CaseTime> times,
                        std::span<const core::ProfileProblem> profile_problems) {
    Json json = object_of({{"kind", "ledgers"}, {"ledgers", Json::array()}, {"problems", Json::array()}});
    for (const core::Ledger& ledger : ledgers) json["ledgers"].push_back(whole_ledger_to_json(ledger));
    for (const core::LedgerProblem& problem : problems) json["problems"].push_back(ledger_problem_to_json(problem));
    if (!profiles.empty() || !profile_problems.empty()) {
        StoredProfiles stored = stored_profiles_to_json(profiles, times);
        json["profile_tables"] = std::move(stored.tables);
        json["profiles"] = std::move(stored.profiles);
        json["profile_problems"] = Json::array();
        for (const core::ProfileProblem& problem : profile_problems)
            json["profile_problems"].push_back(profile_problem_to_json(problem));
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tare::record
