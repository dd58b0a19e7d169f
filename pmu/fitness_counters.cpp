// Hardware counters, and what keeps them from those who ask.
#include <fmt/format.h>

#include <algorithm>

#include "harness/core/counter.h"
#include "pmu/fitness_rules.h"
#include "pmu/fitness_words.h"

namespace tare::pmu {

using core::Affects;
using core::CounterState;
using core::Finding;
using core::FitnessState;
using core::Value;

namespace {

/// The counters in one state: "cycles, instructions and branches".
std::string names_in(const Value& counters, CounterState state) {
    std::vector<std::string> names;
    for (const Value& each : counters.as_list())
        if (each["state"].as_text() == core::name_of(state)) names.push_back(each["name"].as_text());
    return joined(names);
}

/// "branches: read 0 where 1,000,000 were executed", each reason once.
std::string reasons_of(const Value& counters, CounterState state) {
    std::vector<std::pair<std::string, std::vector<std::string>>> names_by_reason;
    for (const Value& each : counters.as_list()) {
        if (each["state"].as_text() != core::name_of(state)) continue;
        const std::string reason =
            (each["errno"].as_text().empty() ? "" : each["errno"].as_text() + ": ") + each["reason"].as_text();
        auto known = std::find_if(names_by_reason.begin(), names_by_reason.end(),
                                  [&](const auto& entry) { return entry.first == reason; });
        if (known == names_by_reason.end()) known = names_by_reason.insert(known, {reason, {}});
        known->second.push_back(each["name"].as_text());
    }
    std::string text;
    for (const auto& [reason, names] : names_by_reason)
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", joined(names), reason);
    return text;
}

void add_hints(Finding& finding, const Value& counters) {
    for (const Value& each : counters.as_list()) {
        const core::Remedy remedy = by_others(each["hint"].as_text());
        const bool known =
            std::find(finding.remedies.begin(), finding.remedies.end(), remedy) != finding.remedies.end();
        if (!remedy.action.empty() && !known) finding.remedies.push_back(remedy);
    }
}

}  // namespace

Finding judge_pmu(const Value& facts) {
    Finding finding = start_finding("pmu", Affects::kCounters, facts, {"counters", "core_pmus"});
    const Value& counters = facts["counters"];
    if (counters.as_list().empty()) {
        finding.meaning = "whether cycles, instructions and misses can be counted is not known; times are as good";
        return finding;
    }
    const std::string measured = names_in(counters, CounterState::kMeasured);
    const std::string suspect = reasons_of(counters, CounterState::kSuspect);
    const std::string partial = reasons_of(counters, CounterState::kPartial);
    const std::string refused = reasons_of(counters, CounterState::kUnavailable);
    const std::string counting = measured.empty() ? "" : measured + " pass the self-test; ";
    add_hints(finding, counters);
    if (!suspect.empty()) {
        set(finding, FitnessState::kBad, fmt::format("{}suspect: {}", counting, suspect),
            "they open, and read something else than what happened; bench marks such counts and derives nothing from "
            "them");
        finding.cause = "counters that do not count what happens";
        if (is_guest(facts))
            finding.remedies.push_back(by_others("only the owner of the host can give it a whole PMU"));
    } else if (!refused.empty() || !partial.empty()) {
        set(finding, FitnessState::kCouldBeBetter,
            counting + (partial.empty() ? "" : fmt::format("part of the time: {}; ", partial)) +
                (refused.empty() ? "" : fmt::format("not counted: {}", refused)),
            "times are as good; what is not counted is reported as unavailable with its reason, never as 0");
        if (finding.found.ends_with("; ")) finding.found.resize(finding.found.size() - 2);
        finding.cause = measured.empty() ? "no hardware counters" : "some counters missing";
    } else {
        set(finding, FitnessState::kGood, fmt::format("{} count and pass the self-test", measured),
            "bench run --counters default reports them per operation");
    }
    return finding;
}

Finding judge_perf_event_paranoid(const Value& facts) {
    constexpr std::int64_t kOwnUserSpace =
        2;  // up to here a process may count itself in user space (kernel sysctl doc)
    Finding finding = start_finding("perf_event_paranoid", Affects::kCounters, facts, {"perf_event_paranoid"});
    if (facts["perf_event_paranoid"].is_nil()) {
        finding.meaning = "the kernel offers no counters, or /proc does not show its settings";
        return finding;
    }
    const std::int64_t level = facts["perf_event_paranoid"].as_int();
    const std::string found = fmt::format("{}", level);
    if (level <= kOwnUserSpace)
        set(finding, FitnessState::kGood, found, "a process may count its own work in user space");
    else if (facts["privileged"].as_bool())
        set(finding, FitnessState::kGood, found + ", and this process is privileged",
            "others than root and CAP_PERFMON are refused counters");
    else {
        set(finding, FitnessState::kCouldBeBetter, found, "counters are refused to all but root and CAP_PERFMON");
        finding.cause = "a kernel that refuses counters";
        finding.remedies = {
            by_sysctl("let processes count themselves", "kernel.perf_event_paranoid", kOwnUserSpace, level)};
    }
    return finding;
}

Finding judge_nmi_watchdog(const Value& facts) {
    Finding finding = start_finding("nmi_watchdog", Affects::kCounters, facts, {"nmi_watchdog"});
    const Value& on = facts["nmi_watchdog"];
    if (on.is_nil())
        finding.meaning = "where it is on, it holds one hardware counter for itself";
    else if (on.as_int() == 0)
        set(finding, FitnessState::kGood, "off", "all hardware counters are free");
    else if (facts["core_pmus"].is_list() && facts["core_pmus"].as_list().empty())
        set(finding, FitnessState::kGood, "on, but there is no PMU", "it holds no counter");
    else {
        set(finding, FitnessState::kCouldBeBetter, "on",
            "it holds one hardware counter, so that fewer are counted at the same time: more passes, or a counter that "
            "cannot be scheduled");
        finding.remedies = {by_sysctl("free its counter", "kernel.nmi_watchdog", 0, on.as_int())};
    }
    return finding;
}

}  // namespace tare::pmu
