// Differences of ticks, and of two clocks where ticks are too coarse.
#include "pmu/cpu_use.h"

#include <algorithm>
#include <string>

#include "pmu/machine_text.h"

namespace tare::pmu {

namespace {

struct Interval {
    double busy = 0;
    double steal = 0;
    double all = 0;
};

/// nullopt for a CPU that is in one reading only, that went backwards (offline and back), or for which no tick passed.
std::optional<Interval> interval_of(const AllCpuTimes& before, const AllCpuTimes& after, int cpu) {
    const auto first = before.find(cpu);
    const auto last = after.find(cpu);
    if (first == before.end() || last == after.end()) return std::nullopt;
    const std::int64_t busy = last->second.busy_ticks - first->second.busy_ticks;
    const std::int64_t idle = last->second.idle_ticks - first->second.idle_ticks;
    const std::int64_t steal = last->second.steal_ticks - first->second.steal_ticks;
    // Idle time is an estimate that may go back by a tick.
    if (busy < 0 || steal < 0 || busy + steal + std::max<std::int64_t>(idle, 0) == 0) return std::nullopt;
    return Interval{.busy = static_cast<double>(busy),
                    .steal = static_cast<double>(steal),
                    .all = static_cast<double>(busy + steal + std::max<std::int64_t>(idle, 0))};
}

}  // namespace

AllCpuTimes parse_all_cpu_times(std::string_view text) {
    AllCpuTimes all;
    while (text.starts_with("cpu")) {  // the first lines
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t blank = line.find(' ');
        if (blank == std::string_view::npos) continue;
        const std::optional<std::int64_t> cpu = parse_integer(line.substr(3, blank - 3));
        if (!cpu) continue;  // the sum of all
        if (const std::optional<CpuTimes> times = parse_cpu_times(line, static_cast<int>(*cpu)))
            all[static_cast<int>(*cpu)] = *times;
    }
    return all;
}

CpuUse cpu_use(const AllCpuTimes& before, const AllCpuTimes& after, int cpu, const std::vector<int>& siblings,
               const OwnTime& own) {
    CpuUse use;
    if (const std::optional<Interval> here = interval_of(before, after, cpu)) use.steal_ratio = here->steal / here->all;
    // Our own clock is exact where ticks are not. Steal may or may not be in it, by kernel and hypervisor.
    if (own.wall_ns > 0) {
        const double ran = static_cast<double>(own.cpu_ns) / static_cast<double>(own.wall_ns);
        use.others_here_ratio = std::clamp(1 - ran - use.steal_ratio.value_or(0), 0.0, 1.0);
    }
    for (const auto& [other, times] : after) {
        if (other == cpu) continue;
        const std::optional<Interval> there = interval_of(before, after, other);
        if (!there) continue;
        ++use.other_cpus;
        use.others_elsewhere = use.others_elsewhere.value_or(0) + there->busy / there->all;
        if (std::find(siblings.begin(), siblings.end(), other) != siblings.end())
            use.busiest_sibling_ratio = std::max(use.busiest_sibling_ratio.value_or(0), there->busy / there->all);
    }
    return use;
}

std::optional<double> steal_ratio_since_boot(const AllCpuTimes& times) {
    CpuTimes sum;
    for (const auto& [cpu, each] : times) {
        sum.busy_ticks += each.busy_ticks;
        sum.steal_ticks += each.steal_ticks;
    }
    return steal_share(CpuTimes{}, sum);
}

}  // namespace tare::pmu
