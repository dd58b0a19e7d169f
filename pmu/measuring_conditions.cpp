// One file of /proc or /sys each.
#include "pmu/measuring_conditions.h"

#include <fmt/format.h>
#include <sys/personality.h>

#include <algorithm>
#include <string>

#include "pmu/cpu_quota.h"
#include "pmu/fact_reader.h"
#include "pmu/machine_text.h"

namespace tare::pmu {

namespace fs = std::filesystem;
using core::Expected;
using core::List;
using core::Value;

namespace {

void put_clock(FactReader& facts, const std::string& folder) {
    const char* reason = "no cpufreq: the firmware or the hypervisor sets the clock";
    facts.put_or("governor", facts.hint(folder + "cpufreq/scaling_governor"), reason);
    facts.put_or("scaling_driver", facts.hint(folder + "cpufreq/scaling_driver"), reason);
    const char* control = facts.exists(kCpus + std::string("intel_pstate/no_turbo")) ? "intel_pstate"
                          : facts.exists(kCpus + std::string("cpufreq/boost"))       ? "boost"
                                                                                     : "";
    facts.put_or("turbo_control", control, "neither intel_pstate/no_turbo nor cpufreq/boost exists");
    facts.read_fact("available_clocksources", "/sys/devices/system/clocksource/clocksource0/available_clocksource",
                    [](std::string_view text) {
                        const std::vector<std::string_view> words = words_of(text);
                        return std::optional(List(words.begin(), words.end()));
                    });
}

void put_company(FactReader& facts, const std::string& folder, int cpu) {
    facts.read_fact("smt_siblings", folder + "topology/thread_siblings_list",
                    [cpu](std::string_view text) -> std::optional<List> {
                        std::vector<int> threads = parse_cpu_list(text);
                        if (std::erase(threads, cpu) == 0) return std::nullopt;
                        return FactReader::list_of(threads);
                    });
    facts.read_cpu_list("nohz_full_cpus", kCpus + std::string("nohz_full"));  // "(null)" where none was given
    facts.read_fact("rcu_nocbs_cpus", "/proc/cmdline", [](std::string_view text) {
        return std::optional(
            FactReader::list_of(parse_cpu_list(parse_kernel_parameter(text, "rcu_nocbs").value_or(""))));
    });
}

void put_quota(FactReader& facts, const fs::path& root) {
    const Expected<CpuQuota> quota = cpu_quota(root);
    if (!quota) {
        for (const char* key : {"cpu_limited", "cpu_quota_cpus", "throttled_periods"})
            facts.put_missing(key, quota.error().what);
        return;
    }
    facts.put("cpu_limited", quota->cpus.has_value());
    facts.put_or("cpu_quota_cpus", quota->cpus, "no limit is set");
    facts.put_or("throttled_periods", quota->throttled_periods, "cpu.stat does not say");
}

void put_memory(FactReader& facts) {
    const auto read = [&](const char* key, const char* name) {
        facts.read_fact(key, "/proc/meminfo", [name](std::string_view text) { return parse_memory_bytes(text, name); });
    };
    read("memory_available_bytes", "MemAvailable");
    read("swap_total_bytes", "SwapTotal");
    read("swap_free_bytes", "SwapFree");
}

}  // namespace

std::optional<std::int64_t> thermal_throttles(int cpu, const fs::path& root) {
    const FactReader files(root);
    const std::string folder = fmt::format("{}cpu{}/thermal_throttle/", kCpus, cpu);
    const std::optional<std::int64_t> core = parse_integer(files.hint(folder + "core_throttle_count"));
    const std::optional<std::int64_t> package = parse_integer(files.hint(folder + "package_throttle_count"));
    if (!core && !package) return std::nullopt;
    return core.value_or(0) + package.value_or(0);
}

Value measuring_conditions(int cpu, const fs::path& root) {
    FactReader facts(root);
    const std::string folder = fmt::format("{}cpu{}/", kCpus, cpu);
    put_clock(facts, folder);
    put_company(facts, folder, cpu);
    put_quota(facts, root);
    put_memory(facts);
    facts.read_integer("nmi_watchdog", "/proc/sys/kernel/nmi_watchdog");
    facts.put_or("thermal_throttles", thermal_throttles(cpu, root),
                 "the kernel counts no throttling here (thermal_throttle: Intel's own machines only)");
    constexpr unsigned long kAsk = 0xffffffff;  // personality(2): changes nothing, returns what is
    const int own = ::personality(kAsk);
    if (own == -1)
        facts.put_missing("fixed_addresses", "personality(2) is forbidden here");
    else
        facts.put("fixed_addresses", (own & ADDR_NO_RANDOMIZE) != 0);
    return facts.finish();
}

}  // namespace tare::pmu
