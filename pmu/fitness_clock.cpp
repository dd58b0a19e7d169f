// The clock that is read, and the clock that drives the core.
#include <fmt/format.h>

#include <array>

#include "pmu/fitness_rules.h"
#include "pmu/fitness_words.h"

namespace tare::pmu {

using core::Affects;
using core::Finding;
using core::FitnessState;
using core::Value;

namespace {

// A batch is 0.05 ms (0.2 in a duet) and two readings frame it, of which it contains one: 100 ns are 0.2 %, 1 us is 2
// %.
constexpr double kDearReadingNs = 100;
constexpr double kTooDearReadingNs = 1000;
constexpr const char* kClockSource = "/sys/devices/system/clocksource/clocksource0/current_clocksource";

bool is_slow_source(std::string_view name) {
    constexpr std::array<std::string_view, 4> kSlow = {"hpet", "acpi_pm", "jiffies", "pit"};  // no vDSO reads these
    for (const std::string_view slow : kSlow)
        if (name == slow) return true;
    return false;
}

}  // namespace

Finding judge_timer(const Value& facts) {
    Finding finding = start_finding("timer", Affects::kPairs, facts, {"clock_cost_ns", "clock_step_ns", "clocksource"});
    if (facts["clock_cost_ns"].is_nil() || facts["clock_step_ns"].is_nil()) {
        finding.meaning = "whether the clock is quick enough to frame a batch of 0.05 ms is not known";
        return finding;
    }
    const double cost_ns = facts["clock_cost_ns"].as_double();
    const double step_ns = facts["clock_step_ns"].as_double();
    const std::string source = facts["clocksource"].is_nil() ? "clock source unknown" : facts["clocksource"].as_text();
    const std::string found = fmt::format("{}; a reading costs {}, the smallest step seen is {}", source,
                                          time_text(cost_ns), time_text(step_ns));
    const double error_ns = std::max(cost_ns, step_ns);
    const bool slow = is_slow_source(source);
    if (step_ns == 0 || error_ns >= kTooDearReadingNs)
        set(finding, FitnessState::kBad, found, "every batch of 0.05 ms carries that error, 2 % and more");
    else if (slow || error_ns >= kDearReadingNs)
        set(finding, FitnessState::kCouldBeBetter, found, "every batch of 0.05 ms carries that error, 0.2 % and more");
    else
        set(finding, FitnessState::kGood, found, "below 0.2 % of a batch of 0.05 ms");
    if (finding.state == FitnessState::kGood) return finding;
    finding.cause = "a slow clock source";
    for (const char* better : {"tsc", "kvm-clock", "arch_sys_counter"}) {
        bool offered = false;
        for (const Value& each : facts["available_clocksources"].as_list()) offered = offered || each == Value(better);
        if (!offered || source == better) continue;
        finding.remedies = {by_file(fmt::format("read {} instead", better), kClockSource, better, source)};
        return finding;
    }
    finding.remedies = {{.action = "ask the kernel why it does not use a quicker one",
                         .command = "sudo dmesg | grep -i -e tsc -e clocksource",
                         .undo = {}}};
    if (is_guest(facts)) finding.remedies.push_back(by_others("only the owner of the host can offer the guest a TSC"));
    return finding;
}

Finding judge_governor(const Value& facts) {
    Finding finding =
        start_finding("governor", Affects::kSingleNumbers, facts, {"governor", "scaling_driver", "mhz_per_cpu"});
    const std::string& governor = facts["governor"].as_text();
    const std::string driver =
        facts["scaling_driver"].is_nil() ? "" : fmt::format(" ({})", facts["scaling_driver"].as_text());
    if (governor == "performance") {
        set(finding, FitnessState::kGood, governor + driver, "the clock does not follow the load");
    } else if (!governor.empty()) {
        set(finding, FitnessState::kCouldBeBetter, governor + driver,
            "the clock follows the load: the first batches are slow, and a busier machine may look quicker");
        finding.cause = "a clock that follows the load";
        finding.remedies = {
            by_file("keep the clock of this CPU up",
                    fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor", facts["cpu"].as_int()),
                    "performance", governor)};
    } else if (is_guest(facts)) {
        set(finding, FitnessState::kCouldBeBetter, "none here: the host sets the clock",
            "it changes with what the host's other guests do, without a trace in this one");
        finding.cause = "a clock that nobody here controls";
        finding.remedies = {by_others("only the owner of the host can fix its clock")};
    } else {
        finding.meaning = "what the clock does is not known here; the firmware's settings may say";
    }
    return finding;
}

Finding judge_turbo(const Value& facts) {
    Finding finding = start_finding("turbo", Affects::kSingleNumbers, facts, {"turbo"});
    if (facts["turbo"].is_nil()) {
        finding.meaning = is_guest(facts) ? "the host decides, and does not say"
                                          : "whether the clock rises above its rated speed is not known";
        return finding;
    }
    if (!facts["turbo"].as_bool()) {
        set(finding, FitnessState::kGood, "off", "the clock does not rise above its rated speed");
        return finding;
    }
    set(finding, FitnessState::kCouldBeBetter, "on",
        "how far the clock rises depends on temperature and on how many cores are busy");
    finding.cause = "turbo";
    const std::string action = "hold the clock at its rated speed; all gets slower, and steadier";
    if (facts["turbo_control"].as_text() == "intel_pstate")
        finding.remedies = {by_file(action, "/sys/devices/system/cpu/intel_pstate/no_turbo", "1", "0")};
    if (facts["turbo_control"].as_text() == "boost")
        finding.remedies = {by_file(action, "/sys/devices/system/cpu/cpufreq/boost", "0", "1")};
    return finding;
}

Finding judge_thermal(const Value& facts) {
    Finding finding =
        start_finding("thermal", Affects::kSingleNumbers, facts, {"thermal_throttles", "thermal_throttles_meanwhile"});
    if (facts["thermal_throttles"].is_nil()) {
        finding.meaning = "whether heat slows the core down is not known";
        return finding;
    }
    const std::int64_t since_boot = facts["thermal_throttles"].as_int();
    const std::int64_t meanwhile = facts["thermal_throttles_meanwhile"].as_int();
    const core::Remedy cool =
        by_others("let it cool, and clear its air; nothing on this machine switches it off safely");
    if (meanwhile > 0) {
        set(finding, FitnessState::kBad, fmt::format("throttled {} times within this second", meanwhile),
            "the core is too hot to keep its clock: times grow while it is measured");
        finding.cause = "heat";
        finding.remedies = {cool};
    } else if (since_boot > 0) {
        set(finding, FitnessState::kCouldBeBetter,
            fmt::format("throttled {} times since boot, not just now", since_boot),
            "under longer load the core gets too hot to keep its clock");
        finding.remedies = {cool};
    } else {
        set(finding, FitnessState::kGood, "never throttled since boot", "heat has not slowed the core down");
    }
    return finding;
}

}  // namespace tare::pmu
