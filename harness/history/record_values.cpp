// The top-level `tare` object of a run or a duet (summary_json.cpp, comparison_json.cpp) as values; rows are not read.
#include "harness/history/record_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "harness/core/counter.h"
#include "harness/history/record_surroundings.h"
#include "harness/record/document_summary.h"

namespace tare::history {

namespace {

using core::SeriesUnit;
using record::Json;
using record::member;

constexpr std::array<const char*, 5> kTimes = {"gross", "net", "tare", "call", "cpp"};

/// A counter of the user's own may be called like a metric of ours; it must not enter that one's series or give it
/// its unit.
std::string metric_of_counter(const std::string& counter) {
    static constexpr std::string_view kPrefix = "counted_";
    const bool taken = std::ranges::find(kTimes, counter) != kTimes.end() || counter == "anchored" ||
                       counter == "instructions" || counter.starts_with(kPrefix);
    return taken ? std::string(kPrefix) + counter : counter;
}

/// The name of a case that the list holds twice; empty: none.
std::string listed_twice(const Json& cases) {
    std::set<std::string> seen;
    for (const Json& each : cases)
        if (const std::string name = record::text_or(member(each, "case"), "");
            !name.empty() && !seen.insert(name).second)
            return name;
    return {};
}

/// What is large and says nothing here.
bool is_wanted(std::string_view key) {
    static constexpr std::array<std::string_view, 9> kUnwanted = {"ledgers",    "ledger_tables",      "ledger_problems",
                                                                  "size_fits",  "counting_processes", "reasons",
                                                                  "parameters", "page_cache",         "cpu_flags"};
    return std::find(kUnwanted.begin(), kUnwanted.end(), key) == kUnwanted.end();
}

std::optional<double> finite(const Json& json) {
    if (!json.is_number()) return std::nullopt;
    const double value = json.get<double>();
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Values by metric, in the order in which metrics first appear.
class Collector {
  public:
    void add(std::string_view metric, SeriesUnit unit, const std::string& case_name, const Json& value, const Json& low,
             const Json& high, int processes, std::optional<double> computed_ratio = {}) {
        const std::optional<double> number = finite(value);
        if (!number) return;
        auto found = std::find_if(metrics_.begin(), metrics_.end(),
                                  [&](const MetricValues& each) { return each.metric == metric; });
        if (found == metrics_.end()) found = metrics_.insert(metrics_.end(), {std::string(metric), unit, {}});
        found->values.push_back(
            {case_name, *number, finite(low), finite(high), std::max(processes, 1), computed_ratio});
    }
    [[nodiscard]] std::vector<MetricValues> take() { return std::move(metrics_); }

  private:
    std::vector<MetricValues> metrics_;
};

int count_or(const Json& json, int otherwise) {
    constexpr std::int64_t kMost = 1'000'000;
    return static_cast<int>(std::clamp<std::int64_t>(record::integer_or(json, otherwise), 0, kMost));
}

void collect_times(const Json& each, const std::string& name, int processes, Collector& values) {
    std::optional<double> computed = finite(member(each, "computed_ratio"));
    if (computed) computed = std::clamp(*computed, 0.0, 1.0);
    for (const char* stem : kTimes) {
        const std::string text = stem;
        values.add(text, SeriesUnit::kNanoseconds, name, member(each, (text + "_ns").c_str()),
                   member(each, (text + "_low_ns").c_str()), member(each, (text + "_high_ns").c_str()), processes,
                   computed);
    }
}

/// Counts the cases whose times say what a busy machine took.
void collect_run(const Json& ours, Collector& values, std::size_t& busy_cases) {
    std::set<std::string> failed;
    for (const Json& each : member(ours, "failed_cases")) failed.insert(record::text_or(member(each, "case"), ""));
    const int layouts = count_or(member(member(member(ours, "settings"), "ledger"), "layouts"), 1);
    for (const Json& each : member(ours, "cases")) {
        const std::string name = record::text_or(member(each, "case"), "");
        if (name.empty() || failed.contains(name)) continue;
        const int processes = count_or(member(each, "processes"), 1);
        const bool busy = record::bool_or(member(member(each, "quiet"), "busy"), false);
        if (busy)
            ++busy_cases;
        else
            collect_times(each, name, processes, values);
        values.add("instructions", SeriesUnit::kCount, name, member(each, "instructions"),
                   member(each, "instructions_lowest"), member(each, "instructions_highest"), layouts);
        if (const Json& counters = member(each, "counters"); counters.is_object())
            for (const auto& [counter, count] : counters.items())
                if (!busy || counter != core::name_of(core::CounterRole::kTimedCycles))
                    values.add(metric_of_counter(counter), SeriesUnit::kCount, name, member(count, "value"),
                               member(count, "low"), member(count, "high"), processes);
    }
}

void collect_duet(const Json& ours, Collector& values) {
    for (const Json& each : member(ours, "verdicts")) {
        const std::string name = record::text_or(member(each, "case"), "");
        if (name.empty() || !member(each, "error").is_null()) continue;
        values.add("anchored", SeriesUnit::kRatio, name, member(each, "ratio"), member(each, "low_ratio"),
                   member(each, "high_ratio"), count_or(member(each, "b_pairs"), 1));
    }
}

}  // namespace

core::Expected<RecordValues> read_values(std::string_view text, std::string_view file) {
    const core::Expected<record::Document> document = record::parse_summary(text, file, is_wanted);
    if (!document) return tl::unexpected(document.error());
    RecordValues values{surroundings_of(*document, file), {}};
    const bool duet = values.record.kind == "duet";
    const Json& cases = member(document->ours, duet ? "verdicts" : "cases");
    values.record.cases = cases.is_array() ? cases.size() : 0;
    if (values.record.date_s == 0)
        return core::fail(core::ErrorCode::kData, fmt::format("'{}' has no date, and none in its name", file),
                          "name it YYYYMMDDTHHMMSSZ-....json, by the time that it was measured");
    if (const std::string name = listed_twice(cases); !name.empty())
        return tl::unexpected(record::damaged(file, fmt::format("case '{}' is listed twice", name)));
    Collector collector;
    duet ? collect_duet(document->ours, collector) : collect_run(document->ours, collector, values.record.busy_cases);
    values.metrics = collector.take();
    return values;
}

}  // namespace tare::history
