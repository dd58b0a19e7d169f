// Metadata that all runs share stands at the benchmark, what all benchmarks share at the root: looked up outwards.
#include "harness/history/import_pyperf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "harness/core/stable_hash.h"
#include "harness/history/foreign_date.h"
#include "harness/history/foreign_json.h"

namespace tare::history {

namespace {

constexpr std::string_view kPyperf = "pyperf";

/// The metadata of a run, its benchmark and the suite.
class Metadata {
  public:
    Metadata(const ForeignJson& suite, const ForeignJson& benchmark, const ForeignJson& run)
        : places_{&member_of(run, "metadata"), &member_of(benchmark, "metadata"), &member_of(suite, "metadata")} {}

    [[nodiscard]] const ForeignJson& operator[](const char* key) const {
        for (const ForeignJson* place : places_)
            if (const ForeignJson& found = member_of(*place, key); !found.is_null()) return found;
        return member_of(*places_.back(), key);
    }

  private:
    std::array<const ForeignJson*, 3> places_;
};

const ForeignJson& list_of(const ForeignJson& object, const char* key) {
    static const ForeignJson kNone = ForeignJson::array();
    const ForeignJson& list = member_of(object, key);
    return list.is_array() ? list : kNone;
}

/// Where a suite began: its identity, which `pyperf --append` leaves as it is.
struct Beginning {
    double date_s = 0;  ///< 0: no run has a date
    std::string date;   ///< with microseconds, as it was written
    std::string benchmark;
    bool operator<(const Beginning& other) const {
        return std::tie(date_s, date, benchmark) < std::tie(other.date_s, other.date, other.benchmark);
    }
};

Beginning beginning_of(const ForeignJson& suite) {
    Beginning first;
    for (const ForeignJson& benchmark : list_of(suite, "benchmarks"))
        for (const ForeignJson& run : list_of(benchmark, "runs")) {
            const Metadata metadata(suite, benchmark, run);
            const std::string date = text_of(metadata["date"]);
            const auto date_s = parse_date(date);
            if (!date_s) continue;
            Beginning other{*date_s, date, text_of(metadata["name"])};
            if (first.date_s == 0 || other < first) first = std::move(other);
        }
    return first;
}

/// Executions of the statement behind one value.
std::uint64_t executions_of(const Metadata& metadata) {
    const auto loops = static_cast<std::uint64_t>(whole_number_of(metadata["loops"], 1).value_or(1));
    const auto inner = static_cast<std::uint64_t>(whole_number_of(metadata["inner_loops"], 1).value_or(1));
    constexpr std::uint64_t kMost = 1'000'000'000'000'000;
    return loops > kMost / inner ? kMost : loops * inner;
}

void add_benchmark(ForeignVisits& visits, const ForeignJson& suite, const ForeignJson& benchmark) {
    const ForeignJson kNoRun;
    const Metadata common(suite, benchmark, kNoRun);
    const std::string name = text_of(common["name"]);
    if (const std::string unit = text_of(common["unit"]); !unit.empty() && unit != "second") {
        ++visits.counts().not_times;
        return;
    }
    std::vector<ForeignTimes> processes;
    for (const ForeignJson& run : list_of(benchmark, "runs")) {
        const ForeignJson& values = list_of(run, "values");
        if (values.empty()) continue;  // a calibration
        const Metadata metadata(suite, benchmark, run);
        ForeignTimes times;
        times.process = static_cast<int>(processes.size());
        times.n = {executions_of(metadata)};
        times.started_s = parse_date(text_of(metadata["date"])).value_or(0);
        for (const ForeignJson& value : values)
            times.wall_s.push_back(number_of(value).value_or(std::numeric_limits<double>::quiet_NaN()));
        processes.push_back(std::move(times));
    }
    if (processes.empty()) return visits.add_failed(name, "pyperf recorded no value");
    visits.add(name, processes);
}

/// Of `3.11.2 (64-bit)`.
std::string version_alone(const std::string& text) {
    return text.substr(0, text.find(' '));
}

}  // namespace

core::Expected<ImportedRun> parse_pyperf(std::string_view text, std::string_view name, const ImportHints& hints) {
    const auto suite = parse_foreign(text, name);
    if (!suite) return tl::unexpected(suite.error());
    const ForeignJson& version_value = member_of(*suite, "version");
    const std::string version = version_value.is_string() ? text_of(version_value) : version_value.dump();
    if (!version.starts_with("1."))
        return core::fail(core::ErrorCode::kData,
                          fmt::format("'{}' holds pyperf's results in format version {}; version 1.0 is read", name,
                                      one_line_name(version.substr(0, 20))),
                          "rewrite it with `python -m pyperf convert OLD.json -o NEW.json` of a current pyperf");
    const ForeignJson& benchmarks = list_of(*suite, "benchmarks");
    if (benchmarks.empty()) return tl::unexpected(damaged_file(name, "a suite of pyperf without benchmarks"));

    ImportedRun run;
    const Beginning beginning = beginning_of(*suite);
    run.date_s = beginning.date_s;
    if (run.date_s == 0) return tl::unexpected(damaged_file(name, "none of its runs has a date"));
    const ForeignJson& first_benchmark = benchmarks.front();
    const ForeignJson& last_run =
        element_of(list_of(first_benchmark, "runs"), list_of(first_benchmark, "runs").size() - 1);
    const Metadata metadata(*suite, first_benchmark, last_run);
    const std::string machine_name = hints.machine.empty() ? text_of(metadata["hostname"]) : hints.machine;
    if (machine_name.empty()) return tl::unexpected(no_machine(name));
    run.identity = core::stable_hash(
        std::vector<std::string>{std::string(kPyperf), machine_name, beginning.date, beginning.benchmark});
    core::Map context;
    describe_machine(context, kPyperf,
                     {machine_name, text_of(metadata["cpu_model_name"]), text_of(metadata["cpu_machine"]),
                      text_of(metadata["platform"]), whole_number_of(metadata["cpu_count"], 1)});
    describe_origin(context, kPyperf, name, version);
    describe_subject(context, {version_alone(text_of(metadata["python_version"])), text_of(metadata["numpy_version"]),
                               hints.project, text_of(metadata["commit_id"])});
    context.insert_or_assign("date", date_text(run.date_s));
    context.insert_or_assign("executable", known(text_of(metadata["python_executable"])));
    ForeignVisits visits(hints);
    for (const ForeignJson& benchmark : benchmarks) add_benchmark(visits, *suite, benchmark);
    run.record.context = std::move(context);
    run.record.settings = core::Map{};
    run.counts = visits.counts();
    run.record.visits = visits.take();
    return run;
}

}  // namespace tare::history
