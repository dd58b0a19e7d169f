// The topics in the order in which they are read, and the verdict: the worst that any of them does to a number decides.
#include "pmu/fitness.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pmu/fitness_rules.h"
#include "pmu/fitness_words.h"

namespace tare::pmu {

using core::Affects;
using core::Finding;
using core::FitFor;
using core::Fitness;
using core::FitnessState;
using core::Value;

namespace {

using Rule = Finding (*)(const Value&);
constexpr std::array<Rule, 21> kRules = {
    // the clock, who else is there, what lies in between, memory, counters
    judge_timer,       judge_governor,       judge_turbo,     judge_thermal,   judge_load,
    judge_steal,       judge_jitter,         judge_quiet,     judge_smt,       judge_isolation,
    judge_affinity,    judge_virtualization, judge_container, judge_cpu_quota, judge_aslr,
    judge_huge_pages,  judge_swap,           judge_memory,    judge_pmu,       judge_perf_event_paranoid,
    judge_nmi_watchdog};

/// What is to blame among those that `counts` holds for: bad findings first, each cause once.
template <class Counts>
std::string causes_of(const std::vector<Finding>& findings, const Counts& counts) {
    std::vector<std::string> causes;
    for (const FitnessState state : {FitnessState::kBad, FitnessState::kCouldBeBetter})
        for (const Finding& each : findings)
            if (each.state == state && counts(each) && !each.cause.empty() &&
                std::find(causes.begin(), causes.end(), each.cause) == causes.end())
                causes.push_back(each.cause);
    return joined(causes);
}

bool spoils_pairs(const Finding& finding) {
    return finding.state == FitnessState::kBad && finding.affects == Affects::kPairs;
}

/// Without a cause a finding is a limit of some numbers, not a doubt about all.
bool spoils_single_numbers(const Finding& finding) {
    return finding.affects >= Affects::kSingleNumbers &&
           (finding.state == FitnessState::kBad ||
            (finding.state == FitnessState::kCouldBeBetter && !finding.cause.empty()));
}

FitFor fit_for(const std::vector<Finding>& findings) {
    if (std::any_of(findings.begin(), findings.end(), spoils_pairs)) return FitFor::kNothing;
    if (std::any_of(findings.begin(), findings.end(), spoils_single_numbers)) return FitFor::kPairs;
    return FitFor::kSingleNumbers;
}

/// A container shares the host's kernel: what changes a setting works there only.
void send_to_host(Finding& finding) {
    for (core::Remedy& remedy : finding.remedies)
        if (!remedy.undo.empty()) remedy.action += ", on the host";
}

std::string counters_sentence(const std::vector<Finding>& findings) {
    for (const Finding& each : findings) {
        if (each.topic != "pmu") continue;
        if (each.state == FitnessState::kGood) return " Hardware counters count.";
        if (each.state == FitnessState::kBad)
            return " Do not rely on hardware counters: some read what did not happen.";
        if (each.state == FitnessState::kCouldBeBetter)
            return each.cause == "no hardware counters" ? " Hardware counters are not available."
                                                        : " Some hardware counters are not available.";
    }
    return {};
}

std::string verdict_of(FitFor fit, const std::vector<Finding>& findings) {
    switch (fit) {
        case FitFor::kSingleNumbers:
            return "fit to measure: numbers of one session can be compared with those of another, within their "
                   "intervals.";
        case FitFor::kPairs:
            return fmt::format(
                "fit for paired comparisons; single numbers will vary from one session to the next, by {}: prefer "
                "bench "
                "duet to comparing runs.",
                causes_of(findings, spoils_single_numbers));
        case FitFor::kNothing:
            return fmt::format("not fit to measure now, not even in pairs, because of {}: change that first.",
                               causes_of(findings, spoils_pairs));
    }
    return {};
}

}  // namespace

Fitness fitness(const Value& facts) {
    Fitness fitness;
    fitness.cpu = static_cast<int>(facts["cpu"].as_int());
    const std::string& container = facts["container"].as_text();
    for (const Rule rule : kRules) {
        fitness.findings.push_back(rule(facts));
        if (!container.empty() && container != "none") send_to_host(fitness.findings.back());
    }
    fitness.fit_for = fit_for(fitness.findings);
    fitness.verdict = verdict_of(fitness.fit_for, fitness.findings) + counters_sentence(fitness.findings);
    return fitness;
}

}  // namespace tare::pmu
