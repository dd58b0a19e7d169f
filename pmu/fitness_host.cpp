// What lies between this process and the machine: hypervisor, container, control groups.
#include <fmt/format.h>

#include "pmu/fitness_rules.h"
#include "pmu/fitness_words.h"

namespace tare::pmu {

using core::Affects;
using core::Finding;
using core::FitnessState;
using core::Value;

namespace {

// One tick of /proc/stat in a second is 1 %: less cannot be told from none.
constexpr double kTooMuchSteal = 0.05;
constexpr double kStealSinceBoot = 0.01;
constexpr double kEnoughCpus = 2;  // bench, and the worker that it waits for

}  // namespace

Finding judge_virtualization(const Value& facts) {
    Finding finding = start_finding("virtualization", Affects::kSingleNumbers, facts, {"virtualization"});
    if (facts["virtualization"].is_nil()) {
        finding.meaning = "whether a hypervisor runs this machine is not known";
    } else if (!is_guest(facts)) {
        set(finding, FitnessState::kGood, "none is seen", "the machine is its own");
    } else {
        set(finding, FitnessState::kCouldBeBetter, facts["virtualization"].as_text(),
            "other guests of the host share its caches, memory and clock, unseen from here");
        finding.cause = "what other guests of the host do";
        finding.remedies = {by_others("measure on bare metal, or on a host with no other guests")};
    }
    return finding;
}

Finding judge_container(const Value& facts) {
    Finding finding = start_finding("container", Affects::kNothing, facts, {"container"});
    const std::string& name = facts["container"].as_text();
    if (name.empty())
        finding.meaning = "whether this is a container is not known";
    else if (name == "none")
        set(finding, FitnessState::kGood, "none is seen", "the kernel's settings can be changed here");
    else if (name == "wsl") {
        set(finding, FitnessState::kCouldBeBetter, name, "Windows shares the machine, and its load is not seen here");
        finding.affects = Affects::kSingleNumbers;
        finding.cause = "Windows beside it";
        finding.remedies = {by_others("measure on Linux itself")};
    } else
        set(finding, FitnessState::kGood, name,
            "no slower for it; kernel settings are the host's, and commands that change them work there only");
    return finding;
}

Finding judge_cpu_quota(const Value& facts) {
    Finding finding = start_finding("cpu_quota", Affects::kPairs, facts,
                                    {"cpu_limited", "cpu_quota_cpus", "throttled_periods_meanwhile"});
    if (facts["cpu_limited"].is_nil()) {
        finding.meaning = "whether a control group limits CPU time is not known";
        return finding;
    }
    const std::int64_t meanwhile = facts["throttled_periods_meanwhile"].as_int();
    if (!facts["cpu_limited"].as_bool() && meanwhile == 0) {
        set(finding, FitnessState::kGood, "none", "no control group limits CPU time");
        return finding;
    }
    const double cpus = facts["cpu_quota_cpus"].as_double();
    const std::string quota = cpus > 0 ? fmt::format("{:.3g} CPU{}", cpus, cpus == 1 ? "" : "s") : "no limit is seen";
    if (meanwhile > 0 || cpus < 1) {
        set(finding, FitnessState::kBad,
            meanwhile > 0 ? fmt::format("{}; throttled in {} periods just now", quota, meanwhile) : quota,
            "once it is used up, everything stands still until the next period of 0.1 s or so");
        finding.cause = "a control group that stops the process";
    } else if (cpus < kEnoughCpus) {
        set(finding, FitnessState::kCouldBeBetter, quota,
            "bench and its worker together may use it up; everything then stands still for a while");
        finding.cause = "a tight CPU quota";
    } else {
        set(finding, FitnessState::kGood, quota, "more than bench and one worker use");
        return finding;
    }
    finding.remedies = {
        by_others("start the container without a limit (docker: no --cpus; systemd: CPUQuota=; "
                  "Kubernetes: no CPU limit, or whole CPUs under the static policy)")};
    return finding;
}

Finding judge_steal(const Value& facts) {
    Finding finding = start_finding("steal", Affects::kSingleNumbers, facts, {"steal_ratio", "steal_ratio_since_boot"});
    if (facts["hypervisor"] == Value(false) && facts["steal_ratio"].as_double() == 0) {
        set(finding, FitnessState::kGood, "none: no hypervisor is seen", "no other guest takes the CPU");
        return finding;
    }
    if (facts["steal_ratio"].is_nil()) {
        finding.meaning = "how much of the time the hypervisor takes is not known";
        return finding;
    }
    const double now = facts["steal_ratio"].as_double();
    const double since_boot = facts["steal_ratio_since_boot"].as_double();
    std::string found = fmt::format("{} just now", percent_text(now));
    if (!facts["steal_ratio_since_boot"].is_nil()) found += fmt::format(", {} since boot", percent_text(since_boot));
    if (now >= kTooMuchSteal) {
        set(finding, FitnessState::kBad, found, "the hypervisor runs others where this guest wants to run");
        finding.affects = Affects::kPairs;
    } else if (now > 0 || since_boot >= kStealSinceBoot) {
        set(finding, FitnessState::kCouldBeBetter, found,
            "the hypervisor runs others now and then; wall time holds what it took");
    } else {
        set(finding, FitnessState::kGood, found, "the hypervisor takes no time worth a word");
        return finding;
    }
    finding.cause = "steal time";
    finding.remedies = {by_others("only the owner of the host can: dedicated CPUs, or a quieter host or hour")};
    return finding;
}

}  // namespace tare::pmu
