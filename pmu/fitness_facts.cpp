// The moment is framed by two readings of every counter that the kernel keeps about it.
#include "pmu/fitness_facts.h"

#include <sys/resource.h>

#include <string>

#include "harness/core/clock.h"
#include "pmu/cpu_pin.h"
#include "pmu/cpu_quota.h"
#include "pmu/cpu_use.h"
#include "pmu/fact_reader.h"
#include "pmu/fitness_words.h"
#include "pmu/jitter.h"
#include "pmu/machine_facts.h"
#include "pmu/measuring_conditions.h"
#include "pmu/text_file.h"

namespace tare::pmu {

using core::Expected;
using core::Map;
using core::Value;

namespace {

/// What the kernel has counted so far.
struct Readings {
    AllCpuTimes times;
    std::optional<std::int64_t> thermal_throttles;
    std::optional<std::int64_t> throttled_periods;
    std::int64_t involuntary_switches = 0;
    OwnTime own;
};

Readings readings_of(int cpu) {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    const Expected<CpuQuota> quota = cpu_quota();
    return {.times = parse_all_cpu_times(read_text_file("/proc/stat").value_or("")),
            .thermal_throttles = thermal_throttles(cpu),
            .throttled_periods = quota ? quota->throttled_periods : std::nullopt,
            .involuntary_switches = usage.ru_nivcsw,
            .own = {.wall_ns = core::wall_clock_ns(), .cpu_ns = core::thread_cpu_ns()}};
}

std::optional<std::int64_t> difference(std::optional<std::int64_t> before, std::optional<std::int64_t> after) {
    return before && after ? std::optional(*after - *before) : std::nullopt;
}

void put_moment(FactReader& facts, const Jitter& jitter, const Readings& before, const Readings& after, int cpu,
                const std::vector<int>& siblings) {
    facts.put("spun_ns", jitter.spun_ns);
    facts.put("gaps", jitter.gaps);
    facts.put("gap_threshold_ns", kGapNs);
    facts.put("longest_gap_ns", jitter.longest_ns);
    facts.put("clock_step_ns", jitter.step_ns);
    facts.put_or("lost_ratio", lost_ratio(jitter), "no time passed");
    facts.put("involuntary_switches", after.involuntary_switches - before.involuntary_switches);
    facts.put_or("thermal_throttles_meanwhile", difference(before.thermal_throttles, after.thermal_throttles),
                 "the kernel counts no throttling here");
    facts.put_or("throttled_periods_meanwhile", difference(before.throttled_periods, after.throttled_periods),
                 "no cpu.stat counts throttled periods");
    const CpuUse use =
        cpu_use(before.times, after.times, cpu, siblings,
                {.wall_ns = after.own.wall_ns - before.own.wall_ns, .cpu_ns = after.own.cpu_ns - before.own.cpu_ns});
    const char* reason = "/proc/stat does not say";
    facts.put_or("steal_ratio", use.steal_ratio, reason);
    facts.put_or("steal_ratio_since_boot", steal_ratio_since_boot(after.times), reason);
    facts.put_or("others_here_ratio", use.others_here_ratio, "no time passed");
    facts.put("other_cpus", use.other_cpus);
    facts.put_or("others_elsewhere_cpus", use.others_elsewhere, "there is no other CPU, or /proc/stat does not say");
    facts.put_or("busiest_sibling_ratio", use.busiest_sibling_ratio, "it shares its core with no other CPU");
}

}  // namespace

Value merged(std::initializer_list<const Value*> parts) {
    Map all, reasons;
    for (const Value* part : parts) {
        all.insert(part->as_map().begin(), part->as_map().end());
        const Map& own = (*part)["reasons"].as_map();
        reasons.insert(own.begin(), own.end());
    }
    all["reasons"] = std::move(reasons);
    return all;
}

Expected<Value> fitness_facts(const Look& look) {
    const Value machine = machine_facts();  // before the pin: it tells the affinity
    const Value conditions = measuring_conditions(look.cpu);
    const Expected<CpuPin> pin = CpuPin::pin(look.cpu);
    if (!pin) return tl::unexpected<core::Error>(pin.error());
    const auto stop = [&look] { return look.stop && look.stop(); };
    FactReader moment("/");
    moment.put("cpu", look.cpu);
    moment.put("clock_cost_ns", clock_cost_ns(core::wall_clock_ns));
    const Readings before = readings_of(look.cpu);
    const Jitter jitter = spin(core::wall_clock_ns, look.spin_ns, stop);
    const Readings after = readings_of(look.cpu);
    if (stop()) return core::fail(core::ErrorCode::kInterrupted, "interrupted");
    put_moment(moment, jitter, before, after, look.cpu, numbers_of(conditions["smt_siblings"]));
    const Value measured = moment.finish();
    return merged({&machine, &conditions, &measured});
}

}  // namespace tare::pmu
