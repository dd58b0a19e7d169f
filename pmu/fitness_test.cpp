// At stake: a person's trust in 21 topics. What is not known is never good, a bad one names its cause in the verdict,
// and every command that changes something stands beside the one that takes it back.
#include "pmu/fitness.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

namespace tare::pmu {
namespace {

using core::Affects;
using core::Finding;
using core::FitFor;
using core::Fitness;
using core::FitnessState;
using core::List;
using core::Map;
using core::Value;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

Map counter(const char* name, const char* state, const char* reason = "", const char* hint = "",
            const char* errno_name = "") {
    return {{"name", name}, {"state", state}, {"errno", errno_name}, {"reason", reason}, {"hint", hint}};
}

/// A quiet server of bare metal on which everything was set as it should be.
Map good_facts() {
    return {{"cpu", 3},
            {"num_cpus", 4},
            {"hypervisor", false},
            {"virtualization", "none"},
            {"container", "none"},
            {"clocksource", "tsc"},
            {"available_clocksources", List{"tsc", "hpet"}},
            {"clock_cost_ns", 22.0},
            {"clock_step_ns", 20},
            {"governor", "performance"},
            {"scaling_driver", "intel_pstate"},
            {"mhz_per_cpu", 3000.0},
            {"turbo", false},
            {"turbo_control", "intel_pstate"},
            {"thermal_throttles", 0},
            {"thermal_throttles_meanwhile", 0},
            {"others_here_ratio", 0.001},
            {"others_elsewhere_cpus", 0.02},
            {"other_cpus", 3},
            {"involuntary_switches", 0},
            {"load_avg", List{0.01, 0.02, 0.03}},
            {"steal_ratio", 0.0},
            {"steal_ratio_since_boot", 0.0},
            {"lost_ratio", 0.0001},
            {"gaps", 5},
            {"gap_threshold_ns", 10'000},
            {"longest_gap_ns", 20'000},
            {"quiet_ratio", 0.99},
            {"quiet_alu_ratio", 1.0},
            {"quiet_watched_s", 1.0},
            {"quiet_above_best_ratio", 0.0},
            {"quiet_slices", List{1.0, 0.5, 0.0}},
            {"spun_ns", 1'000'000'000},
            {"smt_siblings", List{}},
            {"busiest_sibling_ratio", nullptr},
            {"isolated_cpus", List{2, 3}},
            {"nohz_full_cpus", List{3}},
            {"rcu_nocbs_cpus", List{3}},
            {"affinity", List{0, 1, 2, 3}},
            {"cpu_limited", false},
            {"cpu_quota_cpus", nullptr},
            {"throttled_periods_meanwhile", 0},
            {"aslr", 2},
            {"fixed_addresses", false},
            {"transparent_hugepage", "madvise"},
            {"swap_total_bytes", 0},
            {"swap_free_bytes", 0},
            {"memory_total_bytes", 16LL << 30},
            {"memory_available_bytes", 8LL << 30},
            {"core_pmus", List{"cpu"}},
            {"counters", List{counter("cycles", "measured"), counter("instructions", "measured")}},
            {"perf_event_paranoid", 2},
            {"privileged", false},
            {"nmi_watchdog", 0},
            {"reasons", Map{}}};
}

Map changed(const Map& changes) {
    Map facts = good_facts();
    for (const auto& [key, value] : changes) facts[key] = value;
    return facts;
}

Finding finding_of(const std::string& topic, const Map& changes) {
    for (const Finding& each : fitness(changed(changes)).findings)
        if (each.topic == topic) return each;
    ADD_FAILURE() << "no topic " << topic;
    return {};
}

struct Judged {
    const char* topic;
    FitnessState state;
    Affects affects;
    const char* found;
    Map changes;
};

std::vector<Judged> judgements() {
    constexpr auto kGood = FitnessState::kGood;
    constexpr auto kBetter = FitnessState::kCouldBeBetter;
    constexpr auto kBad = FitnessState::kBad;
    constexpr auto kUnknown = FitnessState::kUnknown;
    constexpr auto kSingle = Affects::kSingleNumbers;
    constexpr auto kPairs = Affects::kPairs;
    constexpr auto kCounters = Affects::kCounters;
    const List siblings{7};
    return {
        {"timer", kGood, kPairs, "tsc; a reading costs 22 ns", {}},
        {"timer", kBetter, kPairs, "hpet", {{"clocksource", "hpet"}}},
        {"timer", kBetter, kPairs, "costs 100 ns", {{"clock_cost_ns", 100.0}}},
        {"timer", kBad, kPairs, "costs 1 us", {{"clock_cost_ns", 1000.0}}},
        {"timer", kBad, kPairs, "step seen is 4 ms", {{"clock_step_ns", 4'000'000}}},
        {"timer", kBad, kPairs, "step seen is 0 ns", {{"clock_step_ns", 0}}},
        {"timer", kUnknown, kPairs, "was not looked at", {{"clock_cost_ns", nullptr}}},
        {"governor", kBetter, kSingle, "powersave (intel_pstate)", {{"governor", "powersave"}}},
        {"governor", kBetter, kSingle, "the host sets the clock", {{"governor", nullptr}, {"hypervisor", true}}},
        {"governor", kUnknown, kSingle, "was not looked at", {{"governor", nullptr}}},
        {"turbo", kBetter, kSingle, "on", {{"turbo", true}}},
        {"turbo", kUnknown, kSingle, "was not looked at", {{"turbo", nullptr}}},
        {"thermal", kBetter, kSingle, "throttled 3 times since boot", {{"thermal_throttles", 3}}},
        {"thermal", kBad, kSingle, "2 times within", {{"thermal_throttles", 3}, {"thermal_throttles_meanwhile", 2}}},
        {"thermal", kUnknown, kSingle, "was not looked at", {{"thermal_throttles", nullptr}}},
        {"load", kBetter, kSingle, "others had 2.0 % of CPU 3", {{"others_here_ratio", 0.02}}},
        {"load", kBetter, kSingle, "0.3 of 3 other CPUs", {{"others_elsewhere_cpus", 0.3}}},
        {"load", kBad, kSingle, "kept 1.0 of 3 other CPUs busy", {{"others_elsewhere_cpus", 1.0}}},
        {"load", kBad, kPairs, "others had 10 % of CPU 3", {{"others_here_ratio", 0.10}}},
        {"load", kGood, kSingle, "others had", {{"others_elsewhere_cpus", nullptr}, {"other_cpus", 0}}},
        {"load", kUnknown, kSingle, "was not looked at", {{"others_here_ratio", nullptr}}},
        {"steal",
         kGood,
         kSingle,
         "0 % just now, 0.20 % since boot",
         {{"hypervisor", true}, {"steal_ratio_since_boot", 0.002}}},
        {"steal", kBetter, kSingle, "1.0 % just now", {{"hypervisor", true}, {"steal_ratio", 0.01}}},
        {"steal", kBetter, kSingle, "1.0 % since boot", {{"hypervisor", true}, {"steal_ratio_since_boot", 0.01}}},
        {"steal", kBad, kPairs, "5.0 % just now", {{"hypervisor", true}, {"steal_ratio", 0.05}}},
        {"steal", kUnknown, kSingle, "was not looked at", {{"hypervisor", true}, {"steal_ratio", nullptr}}},
        {"steal", kUnknown, kSingle, "was not looked at", {{"hypervisor", nullptr}, {"steal_ratio", nullptr}}},
        {"jitter", kBetter, kSingle, "in 5.0 % of batches", {{"gaps", 250}}},
        {"jitter", kBetter, kSingle, "0.50 % of the time", {{"lost_ratio", 0.005}}},
        {"jitter", kBad, kPairs, "in 50 % of batches", {{"gaps", 2500}}},
        {"jitter", kBad, kPairs, "5.0 % of the time", {{"lost_ratio", 0.05}}},
        {"jitter", kUnknown, kSingle, "was not looked at", {{"lost_ratio", nullptr}}},
        {"quiet", kGood, kSingle, "99 % of 1 s (loads; additions 100 %) |█▄ |", {}},
        {"quiet", kBetter, kSingle, "50 % of 1 s", {{"quiet_ratio", 0.5}}},
        {"quiet", kBad, kSingle, "10 % of 1 s", {{"quiet_ratio", 0.1}}},
        {"quiet", kBad, kSingle, "best day, 40 % slower", {{"quiet_above_best_ratio", 0.4}}},
        {"quiet", kUnknown, kSingle, "was not looked at", {{"quiet_ratio", nullptr}}},
        {"smt", kBetter, kSingle, "with CPU 7, idle", {{"smt_siblings", siblings}, {"busiest_sibling_ratio", 0.01}}},
        {"smt", kBetter, kSingle, "busy 10 %", {{"smt_siblings", siblings}, {"busiest_sibling_ratio", 0.1}}},
        {"smt", kBad, kPairs, "busy 25 %", {{"smt_siblings", siblings}, {"busiest_sibling_ratio", 0.25}}},
        {"smt", kUnknown, kSingle, "not known whether", {{"smt_siblings", siblings}}},
        {"smt", kUnknown, kSingle, "says the hypervisor", {{"hypervisor", true}}},
        {"smt", kUnknown, kSingle, "was not looked at", {{"smt_siblings", nullptr}}},
        {"isolation", kGood, kSingle, "isolated, without timer ticks (nohz_full), without RCU", {}},
        {"isolation", kBetter, kSingle, "CPU 3 is not isolated, but CPU 1-2 is", {{"isolated_cpus", List{1, 2}}}},
        {"isolation", kBetter, kSingle, "no CPU is isolated", {{"isolated_cpus", List{}}}},
        {"isolation", kUnknown, kSingle, "was not looked at", {{"isolated_cpus", nullptr}}},
        {"affinity", kBetter, kSingle, "CPU 3 only", {{"affinity", List{3}}}},
        {"affinity", kUnknown, kSingle, "was not looked at", {{"affinity", nullptr}}},
        {"virtualization", kBetter, kSingle, "kvm", {{"virtualization", "kvm"}, {"hypervisor", true}}},
        {"virtualization", kUnknown, kSingle, "was not looked at", {{"virtualization", nullptr}}},
        {"container", kGood, Affects::kNothing, "docker", {{"container", "docker"}}},
        {"container", kBetter, kSingle, "wsl", {{"container", "wsl"}}},
        {"container", kUnknown, Affects::kNothing, "was not looked at", {{"container", nullptr}}},
        {"cpu_quota", kGood, kPairs, "4 CPUs", {{"cpu_limited", true}, {"cpu_quota_cpus", 4.0}}},
        {"cpu_quota", kBetter, kPairs, "1.5 CPUs", {{"cpu_limited", true}, {"cpu_quota_cpus", 1.5}}},
        {"cpu_quota", kBad, kPairs, "0.5 CPUs", {{"cpu_limited", true}, {"cpu_quota_cpus", 0.5}}},
        {"cpu_quota",
         kBad,
         kPairs,
         "4 CPUs; throttled in 2 periods",
         {{"cpu_limited", true}, {"cpu_quota_cpus", 4.0}, {"throttled_periods_meanwhile", 2}}},
        {"cpu_quota", kUnknown, kPairs, "was not looked at", {{"cpu_limited", nullptr}}},
        {"aslr", kBetter, kPairs, "but for the heap", {{"aslr", 1}}},
        {"aslr", kBad, kPairs, "off (0)", {{"aslr", 0}}},
        {"aslr", kBad, kPairs, "off in this process", {{"fixed_addresses", true}}},
        {"aslr", kUnknown, kPairs, "was not looked at", {{"aslr", nullptr}}},
        {"huge_pages", kBetter, kSingle, "always", {{"transparent_hugepage", "always"}}},
        {"huge_pages", kGood, kSingle, "never", {{"transparent_hugepage", "never"}}},
        {"huge_pages", kUnknown, kSingle, "was not looked at", {{"transparent_hugepage", nullptr}}},
        {"swap", kGood, kSingle, "1.0 GiB, unused", {{"swap_total_bytes", 1 << 30}, {"swap_free_bytes", 1 << 30}}},
        {"swap",
         kBetter,
         kSingle,
         "256 MiB of 1.0 GiB in use",
         {{"swap_total_bytes", 1 << 30}, {"swap_free_bytes", 3 << 28}}},
        {"swap", kUnknown, kSingle, "was not looked at", {{"swap_total_bytes", nullptr}}},
        {"memory", kBetter, kSingle, "512 MiB of 16.0 GiB", {{"memory_available_bytes", 512 << 20}}},
        {"memory", kBad, kPairs, "100 MiB of 16.0 GiB", {{"memory_available_bytes", 100 << 20}}},
        {"memory", kUnknown, kSingle, "was not looked at", {{"memory_available_bytes", nullptr}}},
        {"pmu", kGood, kCounters, "cycles and instructions count and pass the self-test", {}},
        {"pmu",
         kBetter,
         kCounters,
         "cycles pass the self-test; not counted: branches: ENOENT: no such event",
         {{"counters",
           List{counter("cycles", "measured"), counter("branches", "unavailable", "no such event", "", "ENOENT")}}}},
        {"pmu",
         kBetter,
         kCounters,
         "not counted: cycles and branches: no PMU",
         {{"counters",
           List{counter("cycles", "unavailable", "no PMU"), counter("branches", "unavailable", "no PMU")}}}},
        {"pmu",
         kBetter,
         kCounters,
         "part of the time: cycles: 50 % of the time",
         {{"counters", List{counter("cycles", "partial", "50 % of the time")}}}},
        {"pmu",
         kBad,
         kCounters,
         "suspect: cycles: read 0",
         {{"counters", List{counter("cycles", "suspect", "read 0"), counter("branches", "unavailable", "x")}}}},
        {"pmu", kUnknown, kCounters, "was not looked at", {{"counters", nullptr}}},
        {"perf_event_paranoid", kGood, kCounters, "-1", {{"perf_event_paranoid", -1}}},
        {"perf_event_paranoid", kGood, kCounters, "privileged", {{"perf_event_paranoid", 4}, {"privileged", true}}},
        {"perf_event_paranoid", kBetter, kCounters, "3", {{"perf_event_paranoid", 3}}},
        {"perf_event_paranoid", kUnknown, kCounters, "was not looked at", {{"perf_event_paranoid", nullptr}}},
        {"nmi_watchdog", kGood, kCounters, "there is no PMU", {{"nmi_watchdog", 1}, {"core_pmus", List{}}}},
        {"nmi_watchdog", kBetter, kCounters, "on", {{"nmi_watchdog", 1}}},
        {"nmi_watchdog", kUnknown, kCounters, "was not looked at", {{"nmi_watchdog", nullptr}}},
    };
}

TEST(Fitness, OfAQuietServerIsGoodInEveryTopic) {
    const Fitness quiet = fitness(good_facts());
    EXPECT_EQ(quiet.cpu, 3);
    EXPECT_EQ(quiet.findings.size(), 21u);
    for (const Finding& each : quiet.findings) {
        EXPECT_EQ(each.state, FitnessState::kGood) << each.topic << ": " << each.found;
        EXPECT_THAT(each.remedies, IsEmpty()) << each.topic;
        EXPECT_EQ(each.cause, "") << each.topic;
    }
    EXPECT_EQ(quiet.fit_for, FitFor::kSingleNumbers);
    EXPECT_THAT(quiet.verdict, AllOf(StartsWith("fit to measure"), HasSubstr("Hardware counters count.")));
}

TEST(Fitness, JudgesEachTopicByItsFacts) {
    for (const Judged& each : judgements()) {
        const Finding finding = finding_of(each.topic, each.changes);
        SCOPED_TRACE(std::string(each.topic) + ": " + finding.found);
        EXPECT_EQ(core::name_of(finding.state), core::name_of(each.state));
        EXPECT_EQ(core::name_of(finding.affects), core::name_of(each.affects));
        EXPECT_THAT(finding.found, HasSubstr(each.found));
        EXPECT_NE(finding.meaning, "");
    }
}

TEST(Fitness, OfAMachineThatSaysNothingIsUnknownEverywhere) {
    const Fitness nothing = fitness(Map{});
    for (const Finding& each : nothing.findings) {
        EXPECT_EQ(core::name_of(each.state), "unknown") << each.topic;
        EXPECT_NE(each.found, "") << each.topic;
        EXPECT_NE(each.meaning, "") << each.topic;
        for (const auto& [key, value] : each.values) EXPECT_TRUE(value.is_nil()) << each.topic << ' ' << key;
    }
    EXPECT_THAT(nothing.verdict, Not(HasSubstr("ounters")));
}

TEST(Fitness, TellsTheReasonWhereAFactIsMissing) {
    EXPECT_EQ(finding_of("turbo", {{"turbo", nullptr}, {"reasons", Map{{"turbo", "no such file"}}}}).found,
              "no such file");
}

TEST(Fitness, ABadTopicNamesACauseForTheVerdictAndAWayOut) {
    for (const Judged& each : judgements()) {
        if (each.state != FitnessState::kBad) continue;
        const Finding finding = finding_of(each.topic, each.changes);
        EXPECT_NE(finding.cause, "") << each.topic << ": " << finding.found;
        EXPECT_NE(finding.remedies.size() + (finding.topic == "pmu" ? 1 : 0), 0u)
            << each.topic << ": " << finding.found;
    }
}

TEST(Fitness, EveryCommandThatChangesSomethingHasOneThatTakesItBack) {
    for (const Judged& each : judgements())
        for (const core::Remedy& remedy : finding_of(each.topic, each.changes).remedies) {
            EXPECT_NE(remedy.action, "") << each.topic;
            const bool changes = remedy.command.find("sudo tee") != std::string::npos ||
                                 remedy.command.find("sysctl") != std::string::npos ||
                                 remedy.command.find("swapoff") != std::string::npos;
            EXPECT_EQ(changes, !remedy.undo.empty()) << each.topic << ": " << remedy.command;
            EXPECT_NE(remedy.undo.empty() ? "other" : remedy.undo, remedy.command) << each.topic;
        }
}

TEST(Fitness, GivesTheCommandForThisMachineAndItsPresentValue) {
    const auto only_remedy = [](const char* topic, const Map& changes) {
        const Finding finding = finding_of(topic, changes);
        EXPECT_EQ(finding.remedies.size(), 1u) << topic;
        return finding.remedies.empty() ? core::Remedy{} : finding.remedies.front();
    };
    const core::Remedy governor = only_remedy("governor", {{"governor", "schedutil"}});
    EXPECT_EQ(governor.command, "echo performance | sudo tee /sys/devices/system/cpu/cpu3/cpufreq/scaling_governor");
    EXPECT_EQ(governor.undo, "echo schedutil | sudo tee /sys/devices/system/cpu/cpu3/cpufreq/scaling_governor");
    const core::Remedy turbo = only_remedy("turbo", {{"turbo", true}});
    EXPECT_EQ(turbo.command, "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo");
    const core::Remedy boost = only_remedy("turbo", {{"turbo", true}, {"turbo_control", "boost"}});
    EXPECT_EQ(boost.command, "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost");
    EXPECT_EQ(boost.undo, "echo 1 | sudo tee /sys/devices/system/cpu/cpufreq/boost");
    EXPECT_EQ(only_remedy("perf_event_paranoid", {{"perf_event_paranoid", 4}}).undo,
              "sudo sysctl kernel.perf_event_paranoid=4");
    EXPECT_EQ(only_remedy("timer", {{"clocksource", "hpet"}}).command,
              "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource");
    EXPECT_THAT(only_remedy("timer", {{"clock_cost_ns", 400.0}}).command, HasSubstr("dmesg"))
        << "it is the TSC already";
    EXPECT_EQ(only_remedy("isolation", {{"isolated_cpus", List{1}}}).command, "taskset -c 1 bench run --cpu 1");
    EXPECT_EQ(only_remedy("aslr", {{"aslr", 0}}).command, "sudo sysctl kernel.randomize_va_space=2");
}

TEST(Fitness, SendsWhoIsInAContainerToTheHostForWhatChangesASetting) {
    const Finding turbo = finding_of("turbo", {{"turbo", true}, {"container", "docker"}});
    EXPECT_THAT(turbo.remedies.front().action, testing::EndsWith(", on the host"));
    EXPECT_THAT(finding_of("turbo", {{"turbo", true}}).remedies.front().action, Not(HasSubstr("host")));
    const Finding load = finding_of("load", {{"others_here_ratio", 0.5}, {"container", "docker"}});
    EXPECT_THAT(load.remedies.front().action, Not(HasSubstr("host"))) << "looking is done here";
}

TEST(Fitness, OfAGuestIsForPairsAndSaysWhatSingleNumbersVaryBy) {
    const Fitness guest = fitness(changed({{"hypervisor", true},
                                           {"virtualization", "kvm"},
                                           {"governor", nullptr},
                                           {"steal_ratio", 0.02},
                                           {"counters", List{counter("cycles", "unavailable", "no PMU")}}}));
    EXPECT_EQ(guest.fit_for, FitFor::kPairs);
    EXPECT_EQ(
        guest.verdict,
        "fit for paired comparisons; single numbers will vary from one session to the next, by a clock that nobody "
        "here controls, steal time and what other guests of the host do: prefer bench duet to comparing runs. "
        "Hardware counters are not available.");
}

TEST(Fitness, BlamesOneForWhatTwoTopicsSee) {
    const Fitness crowded = fitness(changed({{"others_here_ratio", 0.6}, {"lost_ratio", 0.6}}));
    EXPECT_THAT(crowded.verdict, HasSubstr("because of others on the same CPU: change that first"));
    const Fitness taken = fitness(changed({{"lost_ratio", 0.6}}));
    EXPECT_THAT(taken.verdict, HasSubstr("because of interrupts, or a hypervisor, that take the CPU away: change"));
}

TEST(Fitness, OfAThrottledContainerIsForNothing) {
    const Fitness box = fitness(changed({{"cpu_limited", true}, {"cpu_quota_cpus", 0.5}, {"governor", "powersave"}}));
    EXPECT_EQ(box.fit_for, FitFor::kNothing);
    EXPECT_THAT(box.verdict, StartsWith("not fit to measure now, not even in pairs, because of a control group that "
                                        "stops the process: change that first."));
}

TEST(Fitness, OfTimesDoesNotSufferFromCounters) {
    const Fitness lying = fitness(changed(
        {{"counters", List{counter("cycles", "suspect", "read 0")}}, {"perf_event_paranoid", 4}, {"nmi_watchdog", 1}}));
    EXPECT_EQ(lying.fit_for, FitFor::kSingleNumbers);
    EXPECT_THAT(lying.verdict, HasSubstr("Do not rely on hardware counters"));
}

TEST(Fitness, DoesNotDoubtAllNumbersForWhatConcernsAFew) {
    for (const auto& [key, value] : Map{{"transparent_hugepage", "always"}, {"isolated_cpus", List{}}})
        EXPECT_EQ(fitness(changed({{key, value}})).fit_for, FitFor::kSingleNumbers) << key;
    EXPECT_EQ(fitness(changed({{"turbo", true}})).fit_for, FitFor::kPairs);
}

TEST(Fitness, ValuesCarryWhatWasReadUnderTheNamesOfTheFacts) {
    const Finding jitter = finding_of("jitter", {{"gaps", 250}});
    EXPECT_EQ(jitter.values.at("gaps"), Value(250));
    EXPECT_EQ(jitter.values.at("longest_gap_ns"), Value(20'000));
    EXPECT_EQ(jitter.values.at("batches_hit_ratio"), Value(0.05));
}

}  // namespace
}  // namespace tare::pmu
