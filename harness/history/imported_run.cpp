// Members of the context as tare's own records have them; visits of one python rung without a floor.
#include "harness/history/imported_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "harness/core/stable_hash.h"

namespace tare::history {

namespace {

constexpr double kLongest_s = 1e9;  // 30 years: no benchmark's time

bool is_true_time(double s) {
    return std::isfinite(s) && s > 0 && s < kLongest_s;
}

/// What is wrong with it.
std::string untruth_of(double s) {
    return std::isnan(s) ? "a time that is no number" : fmt::format("a time of {:.6g} s", s);
}

core::RungVisit python_rung(const ForeignTimes& times) {
    core::RungVisit rung;
    rung.facts = times.facts;
    for (std::size_t i = 0; i < times.wall_s.size(); ++i) {
        if (!is_true_time(times.wall_s[i])) continue;
        const std::uint64_t n =
            times.n.empty() ? 1 : std::max<std::uint64_t>(times.n[std::min(i, times.n.size() - 1)], 1);
        const auto executions = static_cast<double>(n);
        // A record's row needs a number: 0 is what Google Benchmark's readers take for no CPU time.
        const double cpu_s = i < times.cpu_s.size() && std::isfinite(times.cpu_s[i]) ? times.cpu_s[i] : 0;
        rung.samples.push_back(
            {n, executions * times.wall_s[i] * kNanosecondsOfSecond, executions * cpu_s * kNanosecondsOfSecond});
    }
    return rung;
}

std::string in_lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

}  // namespace

ImportCounts& ImportCounts::operator+=(const ImportCounts& other) {
    cases += other.cases;
    not_times += other.not_times;
    failed += other.failed;
    skipped += other.skipped;
    outdated += other.outdated;
    not_wanted += other.not_wanted;
    untrue.insert(untrue.end(), other.untrue.begin(), other.untrue.end());
    return *this;
}

core::Value known(const std::string& text) {
    return text.empty() ? core::Value() : core::Value(text);
}

core::Error no_machine(std::string_view file) {
    return {core::ErrorCode::kData, fmt::format("'{}' names no machine", file), "name it with --machine"};
}

void describe_machine(core::Map& context, std::string_view tool, const ForeignMachine& machine) {
    const std::vector<std::string> parts = {std::string(tool), machine.name, machine.cpu_model, machine.architecture};
    context.insert_or_assign("fingerprint", fmt::format("{:016x}", core::stable_hash(parts)));
    context.insert_or_assign("host_name", machine.name);
    context.insert_or_assign("cpu_model", known(machine.cpu_model));
    context.insert_or_assign("architecture", known(machine.architecture));
    context.insert_or_assign("system", known(machine.system));
    context.insert_or_assign("num_cpus", machine.num_cpus ? core::Value(*machine.num_cpus) : core::Value());
}

void describe_origin(core::Map& context, std::string_view tool, std::string_view file, core::Value format_version,
                     const std::string& environment) {
    context.insert_or_assign("host", tool);
    context.insert_or_assign("imported_from", core::Map{{"tool", tool},
                                                        {"file", file},
                                                        {"format_version", std::move(format_version)},
                                                        {"environment", known(environment)}});
}

void describe_subject(core::Map& context, const ForeignSubject& subject) {
    context.insert_or_assign("python", core::Map{{"version", known(subject.python_version)}});
    core::Map numpy{{"version", known(subject.numpy_version)}};
    if (in_lower_case(subject.project) == "numpy") numpy.insert_or_assign("git_revision", known(subject.commit));
    context.insert_or_assign("numpy", std::move(numpy));
    context.insert_or_assign("project", known(subject.project));
    context.insert_or_assign("subject_commit", known(subject.commit));
}

std::optional<std::string> ForeignVisits::admitted(const std::string& name) {
    // Before the choice, so that names do not depend on it. A row without a name could not be read back.
    std::string distinct = names_.distinct(name.empty() ? "unnamed" : name);
    if (!hints_.wanted || hints_.wanted(distinct)) return distinct;
    ++counts_.not_wanted;
    return std::nullopt;
}

void ForeignVisits::add(const std::string& name, const std::vector<ForeignTimes>& processes) {
    std::size_t untrue = 0, times_in_all = 0;
    std::string first = "no time";
    for (const ForeignTimes& times : processes)
        for (const double s : times.wall_s) {
            ++times_in_all;
            if (!is_true_time(s) && untrue++ == 0) first = untruth_of(s);
        }
    const std::string more = untrue > 1 ? fmt::format(" and {} more", untrue - 1) : "";
    if (untrue > 0 || times_in_all == 0) counts_.untrue.push_back(one_line_name(name) + ": " + first + more);
    if (untrue == times_in_all) return add_failed(name, "its file holds " + first + more);
    const std::optional<std::string> case_name = admitted(name);
    if (!case_name) return;
    ++counts_.cases;
    for (const ForeignTimes& times : processes) {
        if (std::ranges::none_of(times.wall_s, is_true_time)) continue;
        core::Visit visit;
        visit.case_name = *case_name;
        visit.round = visit.process = times.process;
        visit.order = order_;
        visit.started_s = times.started_s;
        visit.rungs.push_back(python_rung(times));
        visits_.push_back(std::move(visit));
    }
    ++order_;
}

void ForeignVisits::add_failed(const std::string& name, std::string_view reason, double started_s) {
    const std::optional<std::string> case_name = admitted(name);
    if (!case_name) return;
    ++counts_.failed;
    core::Visit visit;
    visit.case_name = *case_name;
    visit.order = order_++;
    visit.started_s = started_s;
    visit.error = core::Error{core::ErrorCode::kCaseFailed, std::string(reason), ""};
    visits_.push_back(std::move(visit));
}

}  // namespace tare::history
