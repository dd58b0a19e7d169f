// Fixtures and helpers of ci/pmu-vm's tests.
#include "pmu/emulated/counting_machine.h"

#include <linux/perf_event.h>

#include <cstdlib>
#include <utility>

#include "pmu/core_pmu.h"

namespace tare::pmu::emulated {

bool is_emulated() {
    return std::getenv("TARE_EMULATED_PMU") != nullptr;
}

void CountedMachine::SetUp() {
    if (core_pmus().empty()) GTEST_SKIP() << "this machine exposes no PMU; ci/pmu-vm boots one that does";
}

void EmulatedMachine::SetUp() {
    CountedMachine::SetUp();
    if (!IsSkipped() && !is_emulated()) GTEST_SKIP() << "counts are exact in the machine of ci/pmu-vm only";
}

void NoPmu::SetUp() {
    if (!core_pmus().empty()) GTEST_SKIP() << "this machine has a PMU; ci/pmu-vm boots one without";
}

namespace {

core::CounterRequest request(std::string name, core::CounterRole role, std::uint32_t type, std::uint64_t config) {
    core::CounterRequest made;
    made.name = std::move(name);
    made.role = role;
    made.source = type == PERF_TYPE_SOFTWARE ? core::CounterSource::kSoftware : core::CounterSource::kHardware;
    made.event = made.name;
    made.type = type;
    made.config = config;
    return made;
}

}  // namespace

core::CounterRequest cycles() {
    return request("cycles", core::CounterRole::kCycles, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
}

core::CounterRequest instructions() {
    return request("instructions", core::CounterRole::kInstructions, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
}

core::CounterRequest generic_cache_misses() {
    return request("cache-misses", core::CounterRole::kOther, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES);
}

core::CounterRequest task_clock() {
    return request("task_clock", core::CounterRole::kTaskClock, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
}

core::CounterRequest raw(std::string name, std::uint64_t code, core::CounterRole role) {
    return request(std::move(name), role, PERF_TYPE_RAW, code);
}

std::vector<std::int64_t> counted(CounterSet& set, std::size_t pass, Work work, std::uint64_t n) {
    if (pass >= set.counters().passes.size()) {
        ADD_FAILURE() << "there is no pass " << pass << ":\n" << described(set);
        return {};
    }
    const core::Status active = set.activate(pass);
    if (!active) {
        ADD_FAILURE() << active.error().what;
        return {};
    }
    set.read_before();
    work(n);
    set.read_after();
    std::vector<std::int64_t> values;
    for (const core::RawCount& count : set.difference().counts) values.push_back(count.value);
    set.deactivate();
    return values;
}

std::vector<std::string> names_of(const CounterSet& set, std::size_t pass) {
    std::vector<std::string> names;
    for (const std::size_t counter : set.counters().passes.at(pass)) names.push_back(set.requests()[counter].name);
    return names;
}

std::string described(const CounterSet& set) {
    std::string text;
    for (std::size_t i = 0; i < set.requests().size(); ++i) {
        const core::CounterOutcome& outcome = set.counters().outcomes[i];
        text += set.requests()[i].name + ": " + std::string(core::name_of(outcome.state));
        if (outcome.problem) text += " " + outcome.problem->errno_name + " " + outcome.problem->reason;
        text += "\n";
    }
    return text;
}

}  // namespace tare::pmu::emulated
