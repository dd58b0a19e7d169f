// The columns of a row are named by result_columns; a column is an array over the combinations of parameters, the last
// parameter fastest, or null.
#include "harness/history/import_asv.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "harness/core/stable_hash.h"
#include "harness/history/foreign_date.h"
#include "harness/history/foreign_json.h"

namespace tare::history {

namespace {

constexpr std::string_view kAsv = "asv";
constexpr std::int64_t kVersion = 2;
constexpr std::size_t kMostCombinations = 100'000;  // of one benchmark; asv's own pages end far below
constexpr std::size_t kVersionDigits = 16;          // of 64: enough to tell versions of one benchmark apart
constexpr double kMilliseconds = 1000;              // in a second: asv's dates are JavaScript's

/// The cells of a benchmark's row, by column.
class Row {
  public:
    Row(const ForeignJson& columns, const ForeignJson& cells) : columns_(columns), cells_(cells) {}

    [[nodiscard]] const ForeignJson& operator[](std::string_view column) const {
        for (std::size_t i = 0; columns_.is_array() && i < columns_.size(); ++i)
            if (columns_[i].is_string() && columns_[i].get_ref<const std::string&>() == column)
                return element_of(cells_, i);
        return member_of(columns_, "");  // null
    }
    /// Of one combination of parameters; a cell that is no array is that of a benchmark without parameters.
    [[nodiscard]] const ForeignJson& at(std::string_view column, std::size_t combination) const {
        const ForeignJson& cell = (*this)[column];
        return cell.is_array() || combination > 0 ? element_of(cell, combination) : cell;
    }

  private:
    const ForeignJson& columns_;
    const ForeignJson& cells_;
};

/// As asv tells kinds by names: the regular expressions of asv_runner's benchmark types, on the last part.
bool is_named_as_time(std::string_view benchmark) {
    const std::string_view last = benchmark.substr(benchmark.rfind('.') + 1);
    const auto class_of = [&](std::string_view word) {
        return last.starts_with(word) && last.size() > word.size() + 1 &&
               (last[word.size()] == '_' || (last[word.size()] >= 'A' && last[word.size()] <= 'Z'));
    };
    return last.starts_with("time_") || last.starts_with("timeraw_") || class_of("Time") || class_of("Timeraw");
}

/// Only times have statistics.
bool is_time(const std::string& name, const Row& row, const AsvBenchmark* benchmark) {
    if (benchmark != nullptr) return benchmark->is_time;
    return !row["stats_number"].is_null() || !row["samples"].is_null() || is_named_as_time(name);
}

/// The lists of values: `[["1", "2"], ["'a'"]]`; a list of texts is that of a single parameter.
std::vector<const ForeignJson*> parameter_lists(const ForeignJson& params) {
    std::vector<const ForeignJson*> lists;
    if (!params.is_array() || params.empty()) return lists;
    if (!params.front().is_array()) return {&params};
    for (const ForeignJson& list : params)
        if (list.is_array()) lists.push_back(&list);
    return lists;
}

/// 0 where there are more than anyone could have measured.
std::size_t combinations_of(const std::vector<const ForeignJson*>& lists) {
    std::size_t count = 1;
    for (const ForeignJson* list : lists) {
        if (list->empty() || count > kMostCombinations / list->size()) return 0;
        count *= list->size();
    }
    return count;
}

std::string value_text(const ForeignJson& value) {
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', false, ForeignJson::error_handler_t::replace);
}

core::Parameters parameters_of(const std::vector<const ForeignJson*>& lists, std::size_t combination,
                               const AsvBenchmark* benchmark) {
    core::Parameters parameters(lists.size());
    for (std::size_t i = lists.size(); i-- > 0;) {
        const ForeignJson& list = *lists[i];
        const std::string name = benchmark != nullptr && i < benchmark->parameter_names.size()
                                     ? benchmark->parameter_names[i]
                                     : std::string();
        parameters[i] = {parameter_key(name, i), parameter_value(value_text(list[combination % list.size()]))};
        combination /= list.size();
    }
    return parameters;
}

/// asv keeps 5 significant digits; the product with 10^9 has more of no meaning.
double without_residue(double value) {
    return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

/// asv's own statistics of a case, times in ns, and what tells versions of the benchmark apart.
core::Value facts_of(const Row& row, std::size_t combination) {
    struct Statistic {
        const char* column;
        const char* fact;
    };
    constexpr std::array<Statistic, 4> kStatistics = {{{"stats_ci_99_a", "ci_99_low_ns"},
                                                       {"stats_ci_99_b", "ci_99_high_ns"},
                                                       {"stats_q_25", "q_25_ns"},
                                                       {"stats_q_75", "q_75_ns"}}};
    core::Map facts;
    for (const Statistic& statistic : kStatistics)
        if (const auto value = number_of(row.at(statistic.column, combination)))
            facts.emplace(statistic.fact, without_residue(*value * kNanosecondsOfSecond));
    if (const auto repeat = whole_number_of(row.at("stats_repeat", combination), 1)) facts.emplace("repeat", *repeat);
    if (const std::string version = text_of(row["version"]); !version.empty())
        facts.emplace("benchmark_version", version.substr(0, kVersionDigits));
    return facts.empty() ? core::Value() : core::Value(std::move(facts));
}

std::vector<double> samples_of(const Row& row, std::size_t combination) {
    std::vector<double> values;
    const ForeignJson& column = row["samples"];
    const bool is_nested = column.is_array() && !column.empty() && !column.front().is_number();
    const ForeignJson& cell = is_nested ? element_of(column, combination) : column;
    if (!cell.is_array() || (!is_nested && combination > 0)) return values;
    for (const ForeignJson& item : cell) {
        const auto value = number_of(item);
        if (!value) return {};
        values.push_back(*value);
    }
    return values;
}

void add_case(ForeignVisits& visits, const std::string& name, const Row& row, std::size_t combination) {
    const ForeignJson& result = row.at("result", combination);
    const double started_s = number_of(row["started_at"]).value_or(0) / kMilliseconds;
    if (result.is_string() && result.get_ref<const std::string&>() == kNan) {
        ++visits.counts().skipped;
        return;
    }
    const auto median_s = number_of(result);
    if (!median_s)
        return visits.add_failed(name, result.is_null() ? "asv recorded that it failed" : "asv recorded no number",
                                 started_s);
    ForeignTimes times;
    times.wall_s = samples_of(row, combination);
    if (times.wall_s.empty()) times.wall_s = {*median_s};
    times.n = {static_cast<std::uint64_t>(whole_number_of(row.at("stats_number", combination), 1).value_or(1))};
    times.started_s = started_s;
    times.facts = facts_of(row, combination);
    visits.add(name, {times});
}

void add_benchmark(ForeignVisits& visits, const std::string& name, const Row& row, const AsvBenchmarks& benchmarks) {
    const auto found = benchmarks.find(name);
    const AsvBenchmark* benchmark = found == benchmarks.end() ? nullptr : &found->second;
    const std::vector<const ForeignJson*> lists = parameter_lists(row["params"]);
    const std::size_t combinations = combinations_of(lists);
    const std::string operation = operation_name(name);
    const ForeignJson& results = row["result"];
    const std::size_t cases = std::max<std::size_t>(combinations, 1);
    if (operation.empty() || !is_time(name, row, benchmark)) {
        visits.counts().not_times += cases;
        return;
    }
    const std::string version = text_of(row["version"]);
    if (benchmark != nullptr && !benchmark->version.empty() && !version.empty() && benchmark->version != version) {
        visits.counts().outdated += cases;
        return;
    }
    if (combinations == 0 || (results.is_array() && results.size() != combinations))
        return visits.add_failed(operation, fmt::format("its file holds {} values for {} combinations of parameters",
                                                        results.is_array() ? results.size() : 1, combinations));
    for (std::size_t i = 0; i < combinations; ++i)
        add_case(visits, joined_name(operation, parameters_of(lists, i, benchmark)), row, i);
}

core::Map texts_of(const ForeignJson& object) {
    core::Map texts;
    if (!object.is_object()) return texts;
    for (const auto& [key, value] : object.items()) texts.insert_or_assign(one_line_name(key), text_of(value));
    return texts;
}

ForeignMachine machine_of(const ForeignJson& params, const AsvSurroundings& surroundings, const ImportHints& hints) {
    const auto fact = [&](const char* key) {
        std::string text = text_of(member_of(params, key));
        if (const auto found = surroundings.machine.find(key); text.empty() && found != surroundings.machine.end())
            text = found->second;
        return text;
    };
    ForeignMachine machine{fact("machine"), fact("cpu"), fact("arch"), fact("os"), std::nullopt};
    if (!hints.machine.empty()) machine.name = hints.machine;
    const std::string count = fact("num_cpu");
    if (!count.empty() && count.size() < 7 && count.find_first_not_of("0123456789") == std::string::npos)
        if (const std::int64_t cpus = std::stol(count); cpus > 0) machine.num_cpus = cpus;
    return machine;
}

/// asv names what pip installs `pip+numpy`.
std::string numpy_version_of(const ForeignJson& document) {
    for (const char* group : {"requirements", "params"})
        for (const char* key : {"numpy", "pip+numpy"})
            if (std::string version = text_of(member_of(member_of(document, group), key)); !version.empty())
                return version;
    return {};
}

core::Expected<ForeignJson> parse_version(std::string_view text, std::string_view name, std::string_view what) {
    core::Expected<ForeignJson> document = parse_foreign(text, name);
    if (!document) return document;
    const auto version = whole_number_of(member_of(*document, "version"), 0).value_or(1);
    if (version == kVersion) return document;
    return core::fail(
        core::ErrorCode::kData,
        fmt::format("'{}' holds asv's {} in format version {}; version {} is read", name, what, version, kVersion),
        version < kVersion ? "run `asv update` in the project, which rewrites its results"
                           : "import it with a newer version of tare");
}

}  // namespace

core::Expected<AsvBenchmarks> parse_asv_benchmarks(std::string_view text, std::string_view name) {
    const auto document = parse_version(text, name, "benchmarks");
    if (!document) return tl::unexpected(document.error());
    AsvBenchmarks benchmarks;
    for (const auto& [key, entry] : document->items()) {
        if (!entry.is_object()) continue;  // the version
        AsvBenchmark benchmark{text_of(member_of(entry, "type")) == "time", text_of(member_of(entry, "version")), {}};
        if (const ForeignJson& names = member_of(entry, "param_names"); names.is_array())
            for (const ForeignJson& item : names) benchmark.parameter_names.push_back(text_of(item));
        benchmarks.emplace(key, std::move(benchmark));
    }
    return benchmarks;
}

std::map<std::string, std::string> parse_asv_machine(std::string_view text) {
    std::map<std::string, std::string> facts;
    const auto document = parse_foreign(text, "machine.json");
    if (!document || !document->is_object()) return facts;
    for (const auto& [key, value] : document->items())
        if (value.is_string()) facts.emplace(key, text_of(value));
    return facts;
}

std::string parse_asv_project(std::string_view text) {
    constexpr std::string_view kKey = "\"project\"";
    for (std::size_t at = text.find(kKey); at != std::string_view::npos; at = text.find(kKey, at + 1)) {
        const std::size_t line = text.rfind('\n', at) + 1;  // 0 where there is none
        if (text.substr(line, at - line).find("//") != std::string_view::npos) continue;
        const std::size_t open = text.find_first_not_of(" \t\r\n:", at + kKey.size());
        if (open == std::string_view::npos || text[open] != '"') continue;
        const std::size_t close = text.find('"', open + 1);
        if (close != std::string_view::npos) return one_line_name(text.substr(open + 1, close - open - 1));
    }
    return {};
}

core::Expected<ImportedRun> parse_asv(std::string_view text, std::string_view name, const AsvSurroundings& surroundings,
                                      const ImportHints& hints) {
    const auto document = parse_version(text, name, "results");
    if (!document) return tl::unexpected(document.error());
    const ForeignJson& columns = member_of(*document, "result_columns");
    const ForeignJson& results = member_of(*document, "results");
    const auto date_ms = number_of(member_of(*document, "date"));
    if (!columns.is_array() || !results.is_object())
        return tl::unexpected(damaged_file(name, "asv's results have no columns or no rows"));
    if (!date_ms || !is_date(*date_ms / kMilliseconds))
        return tl::unexpected(damaged_file(name, "it names no date of its commit"));

    const ForeignJson& params = member_of(*document, "params");
    const ForeignMachine machine = machine_of(params, surroundings, hints);
    if (machine.name.empty()) return tl::unexpected(no_machine(name));
    const std::string commit = text_of(member_of(*document, "commit_hash"));
    const std::string environment = text_of(member_of(*document, "env_name"));

    ImportedRun run;
    run.date_s = *date_ms / kMilliseconds;
    // By the file's own name of the machine, too: --machine may give several one name.
    const ForeignMachine own = machine_of(params, surroundings, {});
    std::vector<std::string> parts = {std::string(kAsv), own.name, commit, environment};
    if (!hints.machine.empty() && hints.machine != own.name) parts.push_back(hints.machine);
    run.identity = core::stable_hash(parts);
    core::Map context;
    describe_machine(context, kAsv, machine);
    describe_origin(context, kAsv, name, kVersion, environment);
    describe_subject(context,
                     {text_of(member_of(*document, "python")), numpy_version_of(*document), hints.project, commit});
    context.insert_or_assign("date", date_text(run.date_s));
    context.insert_or_assign("packages", texts_of(member_of(*document, "requirements")));
    context.insert_or_assign("environment_variables", texts_of(member_of(*document, "env_vars")));
    ForeignVisits visits(hints);
    for (const auto& [key, cells] : results.items()) {
        const Row row(columns, cells);
        if (!cells.is_array())
            visits.add_failed(operation_name(key), "its file holds no row of values");
        else
            add_benchmark(visits, key, row, surroundings.benchmarks);
    }
    run.record.context = std::move(context);
    run.record.settings = core::Map{};
    run.counts = visits.counts();
    run.record.visits = visits.take();
    return run;
}

}  // namespace tare::history
