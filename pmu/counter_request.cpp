// perf_event_attr's types and the kernel's rules for them.
#include "pmu/counter_request.h"

#include <linux/perf_event.h>

#include <array>
#include <cassert>
#include <utility>

#include "pmu/default_events.h"

namespace tare::pmu {

using core::CounterProblem;
using core::CounterRequest;
using core::CounterRole;
using core::CounterSource;

namespace {

struct KernelEvent {
    CounterRole role;
    std::uint64_t config;
    const char* event;  ///< libpfm's name
};
constexpr std::array kSoftware = {
    KernelEvent{CounterRole::kTaskClock, PERF_COUNT_SW_TASK_CLOCK, "perf::PERF_COUNT_SW_TASK_CLOCK"},
    KernelEvent{CounterRole::kPageFaults, PERF_COUNT_SW_PAGE_FAULTS, "perf::PERF_COUNT_SW_PAGE_FAULTS"},
    KernelEvent{CounterRole::kMinorFaults, PERF_COUNT_SW_PAGE_FAULTS_MIN, "perf::PERF_COUNT_SW_PAGE_FAULTS_MIN"},
    KernelEvent{CounterRole::kMajorFaults, PERF_COUNT_SW_PAGE_FAULTS_MAJ, "perf::PERF_COUNT_SW_PAGE_FAULTS_MAJ"},
    KernelEvent{CounterRole::kContextSwitches, PERF_COUNT_SW_CONTEXT_SWITCHES, "perf::PERF_COUNT_SW_CONTEXT_SWITCHES"},
    KernelEvent{CounterRole::kCpuMigrations, PERF_COUNT_SW_CPU_MIGRATIONS, "perf::PERF_COUNT_SW_CPU_MIGRATIONS"},
};

constexpr std::uint64_t kCgroupSwitches = 11;  // PERF_COUNT_SW_CGROUP_SWITCHES, since Linux 5.13

/// Generic events of type PERF_TYPE_HARDWARE that mean a role on every CPU.
constexpr std::array kGenericRoles = {
    std::pair{std::uint64_t{PERF_COUNT_HW_CPU_CYCLES}, CounterRole::kCycles},
    std::pair{std::uint64_t{PERF_COUNT_HW_INSTRUCTIONS}, CounterRole::kInstructions},
    std::pair{std::uint64_t{PERF_COUNT_HW_BRANCH_INSTRUCTIONS}, CounterRole::kBranches},
    std::pair{std::uint64_t{PERF_COUNT_HW_BRANCH_MISSES}, CounterRole::kBranchMisses},
};

/// On a hybrid machine a generic event carries its PMU's type in the high half of config (PERF_PMU_TYPE_SHIFT), and a
/// raw one takes it as its own: PERF_TYPE_RAW would count on the first kind of core only. Elsewhere generic events stay
/// as they are: arm64 knows the high half since Linux 6.6 only.
void place_on_pmu(CounterRequest& request, const CoreCpu& cpu) {
    request.source = CounterSource::kHardware;
    if (!cpu.pmu) return;
    const bool generic = request.type == PERF_TYPE_HARDWARE || request.type == PERF_TYPE_HW_CACHE;
    if (generic || request.type == PERF_TYPE_RAW) request.pmu = cpu.pmu->name;
    if (request.type == PERF_TYPE_RAW) request.type = cpu.pmu->type;
    if (generic && cpu.hybrid) request.config |= std::uint64_t{cpu.pmu->type} << 32;
}

/// Events whose place in the kernel is not the user's code: without the kernel they count nothing, ever.
void keep_from_false_zero(CounterRequest& request) {
    if (request.kernel) return;
    if (request.type == PERF_TYPE_SOFTWARE && request.config == PERF_COUNT_SW_CONTEXT_SWITCHES) {
        request.source = CounterSource::kUsage;
        request.event = "ru_nvcsw + ru_nivcsw";
        request.pmu = "";
        request.type = 0;
        request.config = 0;
    } else if (request.type == PERF_TYPE_TRACEPOINT || request.config == PERF_COUNT_SW_CPU_MIGRATIONS ||
               request.config == kCgroupSwitches) {
        request.problem = CounterProblem{"", "the kernel counts it as its own work, and only user code is counted",
                                         "--count-kernel counts the kernel, too"};
    }
}

/// The kernel's PMU that libpfm's names of a hybrid CPU belong to; empty: any.
std::string_view hybrid_pmu_of(std::string_view event) {
    if (event.starts_with("adl_glc::")) return "cpu_core";
    return event.starts_with("adl_grt::") ? "cpu_atom" : "";
}

CounterRole generic_role_of(const EventEncoding& encoding) {
    if (encoding.type == PERF_TYPE_HARDWARE)
        for (const auto& [config, role] : kGenericRoles)
            if (config == encoding.config) return role;
    if (encoding.type == PERF_TYPE_SOFTWARE)
        for (const KernelEvent& each : kSoftware)
            if (each.config == encoding.config) return each.role;
    return CounterRole::kOther;
}

}  // namespace

CounterRequest request_of(CounterRole role, bool kernel, const CoreCpu& cpu) {
    assert(role != CounterRole::kOther);
    CounterRequest request;
    request.name = core::name_of(role);
    request.role = role;
    request.kernel = kernel;
    if (is_hardware(role)) {
        RoleEvent event = role_event(role, cpu_kind(cpu));
        request.event = std::move(event.event);
        request.type = event.type;
        request.config = event.config;
        request.problem = std::move(event.problem);
        place_on_pmu(request, cpu);
        return request;
    }
    if (role == CounterRole::kTimedCycles) {
        request.source = CounterSource::kClock;
        request.event = "wall time by the clock rate";
        return request;
    }
    for (const KernelEvent& each : kSoftware) {
        if (each.role != role) continue;
        request.source = CounterSource::kSoftware;
        request.event = each.event;
        request.pmu = "software";
        request.type = PERF_TYPE_SOFTWARE;
        request.config = each.config;
        keep_from_false_zero(request);
    }
    return request;
}

CounterRequest request_of(std::string name, const EventEncoding& encoding, bool kernel, const CoreCpu& cpu) {
    CounterRequest request;
    request.name = std::move(name);
    request.role = generic_role_of(encoding);
    request.event = encoding.event;
    request.type = encoding.type;
    request.config = encoding.config;
    request.config1 = encoding.config1;
    request.config2 = encoding.config2;
    request.kernel = kernel;
    if (encoding.type == PERF_TYPE_SOFTWARE || encoding.type == PERF_TYPE_TRACEPOINT) {
        request.source = CounterSource::kSoftware;
        request.pmu = encoding.type == PERF_TYPE_SOFTWARE ? "software" : "tracepoint";
        keep_from_false_zero(request);
        return request;
    }
    if (!encoding.per_thread) {
        request.problem = CounterProblem{"", "it counts for all cores together, not for one thread", ""};
        return request;
    }
    const std::string_view wanted = hybrid_pmu_of(encoding.event);
    if (cpu.hybrid && cpu.pmu && !wanted.empty() && wanted != cpu.pmu->name) {
        request.pmu = wanted;
        request.problem = CounterProblem{"", "it counts on cores of the other kind (" + std::string(wanted) + ")",
                                         "choose a CPU of that kind with --cpu"};
        return request;
    }
    place_on_pmu(request, cpu);
    return request;
}

}  // namespace tare::pmu
