// Who else uses the CPU, its core and the machine.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "harness/core/references.h"
#include "pmu/fitness_rules.h"
#include "pmu/fitness_words.h"
#include "pmu/machine_text.h"

namespace tare::pmu {

using core::Affects;
using core::Finding;
using core::FitnessState;
using core::Remedy;
using core::Value;

namespace {

constexpr double kBatchNs = 200'000;
// A visit's estimate is a median over batches: one in twenty that was hit does not move it, half of them do.
constexpr double kSomeBatchesHit = 0.05;
constexpr double kTooManyBatchesHit = 0.5;
constexpr double kSomeTimeLost = 0.005;
constexpr double kTooMuchTimeLost = 0.05;
// /proc/stat counts in ticks of 10 ms: up to two in a second are housekeeping.
constexpr double kIdleRatio = 0.025;
constexpr double kBusyRatio = 0.25;  // a neighbour that is busy a quarter of the time is no chance visitor
constexpr double kOthersHere = 0.02;
constexpr double kTooManyOthersHere = 0.10;
constexpr const char* kOthersOnTheCpu = "others on the same CPU";

// A row needs two processes with 3 quiet batches of 12: with a fifth of the time quiet four in ten of them have these.
constexpr double kMostlyQuiet = 0.9;
constexpr double kSeldomQuiet = 0.2;
constexpr double kNeverQuiet = core::kQuietLimit;  // above the best, even at its best

/// A character for each slice: the fuller, the more of it was quiet.
std::string picture(const Value& slices) {
    constexpr std::array<const char*, 9> kLevels = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    std::string text;
    for (const Value& slice : slices.as_list()) {
        const double level = std::clamp(slice.as_double(), 0.0, 1.0) * (kLevels.size() - 1);
        text += kLevels[static_cast<std::size_t>(std::lround(level))];
    }
    return text;
}

Remedy who_runs() {
    return {.action = "see who it is, and wait or stop them",
            .command = "ps -eo psr,pcpu,pid,user,comm --sort=-pcpu | head",
            .undo = {}};
}

}  // namespace

Finding judge_smt(const Value& facts) {
    Finding finding = start_finding("smt", Affects::kSingleNumbers, facts, {"smt_siblings", "busiest_sibling_ratio"});
    if (facts["smt_siblings"].is_nil()) {
        finding.meaning = "whether another CPU shares this one's core is not known";
        return finding;
    }
    const std::vector<int> siblings = numbers_of(facts["smt_siblings"]);
    const std::string cpu = fmt::format("CPU {}", facts["cpu"].as_int());
    if (siblings.empty()) {
        if (is_guest(facts))
            set(finding, FitnessState::kUnknown, fmt::format("{} has a core of its own, says the hypervisor", cpu),
                "whether another guest runs on the other half of the real core, a guest cannot see");
        else
            set(finding, FitnessState::kGood, fmt::format("{} has a core of its own", cpu),
                "no other CPU takes caches and execution units from it");
        return finding;
    }
    const double busy = facts["busiest_sibling_ratio"].as_double();
    const std::string shared = fmt::format("{} shares its core with CPU {}", cpu, format_cpu_list(siblings));
    if (facts["busiest_sibling_ratio"].is_nil()) {
        set(finding, FitnessState::kUnknown, shared + ", of which it is not known whether it is idle",
            "a busy sibling takes caches and execution units");
    } else if (busy >= kBusyRatio) {
        set(finding, FitnessState::kBad, fmt::format("{}, busy {} of the time", shared, percent_text(busy)),
            "it takes caches and execution units: everything is slower while it runs");
        finding.cause = "a busy sibling on the same core";
        finding.affects = Affects::kPairs;
        finding.remedies = {who_runs()};
    } else {
        set(finding, FitnessState::kCouldBeBetter, fmt::format("{}, idle just now", shared),
            "whatever is scheduled there while bench measures slows it down");
        if (busy >= kIdleRatio) finding.found = fmt::format("{}, busy {} of the time", shared, percent_text(busy));
    }
    for (const int sibling : siblings)
        finding.remedies.push_back(by_file(fmt::format("take CPU {} offline", sibling),
                                           fmt::format("/sys/devices/system/cpu/cpu{}/online", sibling), "0", "1"));
    return finding;
}

Finding judge_isolation(const Value& facts) {
    Finding finding = start_finding("isolation", Affects::kSingleNumbers, facts,
                                    {"isolated_cpus", "nohz_full_cpus", "rcu_nocbs_cpus"});
    if (facts["isolated_cpus"].is_nil()) {
        finding.meaning = "whether the scheduler keeps others off this CPU is not known";
        return finding;
    }
    const std::int64_t cpu = facts["cpu"].as_int();
    const std::vector<int> isolated = numbers_of(facts["isolated_cpus"]);
    const char* shared = "the scheduler may put others on it, and timer interrupts and RCU callbacks run there";
    if (holds(facts["isolated_cpus"], cpu)) {
        std::string found = fmt::format("CPU {} is isolated", cpu);
        if (holds(facts["nohz_full_cpus"], cpu)) found += ", without timer ticks (nohz_full)";
        if (holds(facts["rcu_nocbs_cpus"], cpu)) found += ", without RCU callbacks (rcu_nocbs)";
        set(finding, FitnessState::kGood, found, "the scheduler keeps others off it");
    } else if (!isolated.empty()) {
        set(finding, FitnessState::kCouldBeBetter,
            fmt::format("CPU {} is not isolated, but CPU {} is", cpu, format_cpu_list(isolated)), shared);
        finding.remedies = {{.action = "measure there (an isolated CPU must be asked for by affinity)",
                             .command = fmt::format("taskset -c {0} bench run --cpu {0}", isolated.back()),
                             .undo = {}}};
    } else if (facts["num_cpus"].as_int() == 1) {
        set(finding, FitnessState::kCouldBeBetter, "there is one CPU only", shared);
    } else {
        set(finding, FitnessState::kCouldBeBetter, "no CPU is isolated", shared);
        constexpr const char* kFile = "/etc/default/grub.d/tare.cfg";  // read after /etc/default/grub by Debian's GRUB
        finding.remedies = {
            {.action = "isolate it from the next boot on (with GRUB; other boot loaders take the same parameters)",
             .command =
                 fmt::format("echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX isolcpus=nohz,domain,managed_irq,{0} "
                             "nohz_full={0} rcu_nocbs={0}\"' | sudo tee {1} && sudo update-grub",
                             cpu, kFile),
             .undo = fmt::format("sudo rm {} && sudo update-grub", kFile)}};
    }
    return finding;
}

Finding judge_affinity(const Value& facts) {
    Finding finding = start_finding("affinity", Affects::kSingleNumbers, facts, {"affinity", "num_cpus"});
    if (facts["affinity"].is_nil()) {
        finding.meaning = "on which CPUs this process may run is not known";
        return finding;
    }
    const std::vector<int> allowed = numbers_of(facts["affinity"]);
    if (allowed.size() > 1)
        set(finding, FitnessState::kGood, fmt::format("CPU {}", format_cpu_list(allowed)),
            "bench itself can stay off the CPU that it measures on");
    else {
        set(finding, FitnessState::kCouldBeBetter, fmt::format("CPU {} only", format_cpu_list(allowed)),
            "bench and all others share the CPU that it measures on");
        if (facts["num_cpus"].as_int() > 1)
            finding.remedies = {{.action = "start bench on more CPUs, where the control group allows it",
                                 .command = fmt::format("taskset -c 0-{} bench run", facts["num_cpus"].as_int() - 1),
                                 .undo = {}}};
    }
    return finding;
}

Finding judge_load(const Value& facts) {
    Finding finding =
        start_finding("load", Affects::kSingleNumbers, facts,
                      {"others_here_ratio", "others_elsewhere_cpus", "other_cpus", "involuntary_switches", "load_avg"});
    if (facts["others_here_ratio"].is_nil()) {
        finding.meaning = "whether others use this CPU is not known";
        return finding;
    }
    const double here = facts["others_here_ratio"].as_double();
    const double elsewhere = facts["others_elsewhere_cpus"].as_double();  // unknown: no other CPU
    const std::int64_t others = facts["other_cpus"].as_int();
    const double share = others > 0 ? elsewhere / static_cast<double>(others) : 0;
    std::string found = fmt::format("others had {} of CPU {}", percent_text(here), facts["cpu"].as_int());
    if (others > 0)
        found += fmt::format(" and kept {:.1f} of {} other CPU{} busy", elsewhere, others, others == 1 ? "" : "s");
    if (const core::List& averages = facts["load_avg"].as_list(); !averages.empty())
        found += fmt::format("; load average {:.2f}", averages.front().as_double());
    if (here >= kTooManyOthersHere) {
        set(finding, FitnessState::kBad, found, "they interrupt the batches and empty the caches");
        finding.affects = Affects::kPairs;
        finding.cause = kOthersOnTheCpu;
    } else if (share >= kBusyRatio) {
        set(finding, FitnessState::kBad, found, "they take shared cache, memory bandwidth and the clock's headroom");
        finding.cause = "load by others";
    } else if (here >= kOthersHere || share >= kIdleRatio) {
        set(finding, FitnessState::kCouldBeBetter, found,
            "what they take of caches, memory bandwidth and clock changes from minute to minute");
        finding.cause = "some load by others";
    } else {
        set(finding, FitnessState::kGood, found, "the machine is quiet");
    }
    if (finding.state != FitnessState::kGood) finding.remedies = {who_runs()};
    return finding;
}

Finding judge_jitter(const Value& facts) {
    Finding finding = start_finding("jitter", Affects::kSingleNumbers, facts,
                                    {"lost_ratio", "gaps", "longest_gap_ns", "gap_threshold_ns", "spun_ns"});
    const double spun_ns = facts["spun_ns"].as_double();
    if (facts["lost_ratio"].is_nil() || spun_ns <= 0) {
        finding.meaning = "how often the CPU is taken away is not known";
        return finding;
    }
    const double lost = facts["lost_ratio"].as_double();
    const auto gaps = static_cast<double>(facts["gaps"].as_int());
    const double hit = std::min(1.0, gaps * kBatchNs / spun_ns);
    finding.values["batches_hit_ratio"] = hit;
    const std::string found =
        fmt::format("{} gaps of {} and more in {}, {} of the time, the longest {}: in {} of batches of 0.2 ms",
                    facts["gaps"].as_int(), time_text(facts["gap_threshold_ns"].as_double()), time_text(spun_ns),
                    percent_text(lost), time_text(facts["longest_gap_ns"].as_double()), percent_text(hit));
    if (hit >= kTooManyBatchesHit || lost >= kTooMuchTimeLost) {
        set(finding, FitnessState::kBad, found,
            "interrupts, others or the hypervisor are in too many batches to median away");
        finding.affects = Affects::kPairs;
        if (facts["others_here_ratio"].as_double() >= kOthersHere) {
            finding.cause = kOthersOnTheCpu;
            finding.remedies = {by_others("see load: others have the CPU")};
        } else {
            finding.cause = "interrupts, or a hypervisor, that take the CPU away";
            finding.remedies = {{.action = "see which interrupts arrive on the CPU (two readings apart)",
                                 .command = "cat /proc/interrupts /proc/softirqs",
                                 .undo = {}}};
        }
    } else if (hit >= kSomeBatchesHit || lost >= kSomeTimeLost) {
        set(finding, FitnessState::kCouldBeBetter, found, "medians over batches withstand it; intervals get wider");
        finding.cause = "jitter";
    } else {
        set(finding, FitnessState::kGood, found, "medians over batches do not see it");
    }
    return finding;
}

Finding judge_quiet(const Value& facts) {
    Finding finding = start_finding("quiet", Affects::kSingleNumbers, facts,
                                    {"quiet_ratio", "quiet_alu_ratio", "quiet_watched_s", "quiet_above_best_ratio"});
    if (facts["quiet_ratio"].is_nil()) {
        finding.meaning = "how much of the time nobody else uses the core is not known";
        return finding;
    }
    const double ratio = facts["quiet_ratio"].as_double();
    const double above = facts["quiet_above_best_ratio"].as_double();
    const std::string found =
        fmt::format("{} of {} (loads; additions {}) |{}|", percent_text(ratio),
                    time_text(facts["quiet_watched_s"].as_double() * 1e9),
                    percent_text(facts["quiet_alu_ratio"].as_double()), picture(facts["quiet_slices"]));
    if (above > kNeverQuiet || ratio < kSeldomQuiet) {
        set(finding, FitnessState::kBad,
            above > kNeverQuiet
                ? fmt::format("never as on this machine's best day, {} slower; {}", percent_text(above), found)
                : found,
            "somebody else uses the core nearly all of the time: bench run finds few moments, and marks rows busy");
        finding.cause = "neighbours on the core";
        finding.remedies = {by_others("measure at another time or on another host, or let the run wait: --wait 60")};
    } else if (ratio < kMostlyQuiet) {
        set(finding, FitnessState::kCouldBeBetter, found,
            "bench run shows what the quiet batches say, and waits for them: up to a third longer");
    } else {
        set(finding, FitnessState::kGood, found, "nobody else used the core");
    }
    return finding;
}

}  // namespace tare::pmu
