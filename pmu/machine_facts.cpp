// Each fact is one file and one parser; what fails becomes nil and a reason.
#include "pmu/machine_facts.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <string>
#include <utility>

#include "harness/core/error.h"
#include "pmu/cpu_choice.h"
#include "pmu/cpu_times.h"
#include "pmu/fact_reader.h"
#include "pmu/machine_text.h"
#include "pmu/virtualization.h"

namespace tare::pmu {

using core::Expected;
using core::List;
using core::Map;
using core::Value;
namespace fs = std::filesystem;

namespace {

/// The CPU itself. Returns whether it says that a hypervisor runs it.
bool put_cpu(FactReader& facts) {
    const Expected<std::string> text = facts.read("/proc/cpuinfo");
    const CpuInfo info = text ? parse_cpu_info(*text) : CpuInfo();
    const std::string reason = text ? "/proc/cpuinfo does not say" : text.error().what;
    facts.put_or("cpu_model", info.model, reason);
    facts.put_or("cpu_vendor", info.vendor, reason);
    facts.put_or("cpu_family", info.family, reason);
    facts.put_or("cpu_model_number", info.model_number, reason);
    facts.put_or("cpu_stepping", info.stepping, reason);
    facts.put_or("cpu_microcode", info.microcode, reason);
    // The rated maximum where the kernel controls the clock, else what it last saw (in a guest: what the host claims).
    const std::optional<std::int64_t> max_khz =
        parse_integer(facts.hint(kCpus + std::string("cpu0/cpufreq/cpuinfo_max_freq")));
    facts.put_or("mhz_per_cpu", max_khz ? std::optional(static_cast<double>(*max_khz) / 1000) : info.mhz, reason);
    if (info.flags.empty())
        facts.put_missing("cpu_flags", reason);
    else
        facts.put("cpu_flags", List(info.flags.begin(), info.flags.end()));
    return std::find(info.flags.begin(), info.flags.end(), "hypervisor") != info.flags.end();
}

void put_caches(FactReader& facts) {
    List caches;
    for (int index = 0;; ++index) {
        const std::string folder = fmt::format("{}cpu0/cache/index{}/", kCpus, index);
        if (!facts.exists(folder)) break;
        const std::optional<std::int64_t> level = parse_integer(facts.hint(folder + "level"));
        const std::optional<std::int64_t> size_bytes = parse_size_bytes(facts.hint(folder + "size"));
        const std::vector<int> sharing = parse_cpu_list(facts.hint(folder + "shared_cpu_list"));
        caches.emplace_back(Map{{"type", facts.hint(folder + "type")},
                                {"level", level ? Value(*level) : Value()},
                                {"size_bytes", size_bytes ? Value(*size_bytes) : Value()},
                                {"num_sharing", sharing.empty() ? Value() : Value(sharing.size())}});
    }
    caches.empty() ? facts.put_missing("caches", fmt::format("no {}cpu0/cache", kCpus)) : facts.put("caches", caches);
}

void put_clock_control(FactReader& facts, const std::vector<int>& online) {
    List governors;
    bool scaled = false;
    for (const int cpu : online) {
        const std::string governor = facts.hint(fmt::format("{}cpu{}/cpufreq/scaling_governor", kCpus, cpu));
        if (governor.empty()) break;
        scaled = scaled || governor != "performance";  // Google Benchmark's rule
        governors.emplace_back(governor);
    }
    if (online.empty() || governors.size() != online.size()) {
        const std::string reason = "no cpufreq for every CPU: the firmware or the hypervisor sets the clock";
        facts.put_missing("governors", reason);
        facts.put_missing("cpu_scaling_enabled", reason);
    } else {
        facts.put("governors", governors);
        facts.put("cpu_scaling_enabled", scaled);
    }
    const std::optional<std::int64_t> no_turbo =
        parse_integer(facts.hint(kCpus + std::string("intel_pstate/no_turbo")));
    const std::optional<std::int64_t> boost = parse_integer(facts.hint(kCpus + std::string("cpufreq/boost")));
    if (no_turbo)
        facts.put("turbo", *no_turbo == 0);
    else if (boost)
        facts.put("turbo", *boost == 1);
    else
        facts.put_missing("turbo", "neither intel_pstate/no_turbo nor cpufreq/boost exists");
}

void put_virtualization(FactReader& facts, bool hypervisor_flag) {
    const std::string dmi = "/sys/class/dmi/id/";
    const VirtualizationHints hints{
        .hypervisor_flag = hypervisor_flag,
        .dmi_vendor = facts.hint(dmi + "sys_vendor"),
        .dmi_product = facts.hint(dmi + "product_name"),
        .hypervisor_type = facts.hint("/sys/hypervisor/type"),
        .clock_sources = facts.hint("/sys/devices/system/clocksource/clocksource0/available_clocksource"),
        .device_tree = facts.hint("/proc/device-tree/hypervisor/compatible"),
        .has_dockerenv = facts.exists("/.dockerenv"),
        .has_containerenv = facts.exists("/run/.containerenv"),
        .systemd_container = facts.hint("/run/systemd/container"),
        .init_cgroup = facts.hint("/proc/1/cgroup"),
        .kernel_release = facts.hint("/proc/sys/kernel/osrelease"),
    };
    const std::string hypervisor = hypervisor_of(hints);
    facts.put("virtualization", hypervisor);
    facts.put("hypervisor", hypervisor != "none");
    facts.put("container", container_of(hints));
    if (hypervisor == "none")
        facts.put_missing("hypervisor_vendor", "no hypervisor is seen");
    else
        facts.put_or("hypervisor_vendor", hints.dmi_vendor, "the machine has no DMI identity");
}

}  // namespace

Value machine_facts(const fs::path& root) {
    FactReader facts(root);
    const bool hypervisor_flag = put_cpu(facts);
    const std::vector<int> online = parse_cpu_list(facts.hint(kCpus + std::string("online")));
    online.empty() ? facts.put_missing("num_cpus", fmt::format("no {}online", kCpus))
                   : facts.put("num_cpus", online.size());
    put_caches(facts);
    put_clock_control(facts, online);
    put_virtualization(facts, hypervisor_flag);
    facts.read_text("smt", kCpus + std::string("smt/control"));
    facts.read_integer("aslr", "/proc/sys/kernel/randomize_va_space");
    facts.read_integer("perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid");
    facts.read_text("kernel_release", "/proc/sys/kernel/osrelease");
    facts.read_text("host_name", "/proc/sys/kernel/hostname");
    facts.read_text("clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
    facts.read_fact("transparent_hugepage", "/sys/kernel/mm/transparent_hugepage/enabled", parse_choice);
    facts.read_fact("memory_total_bytes", "/proc/meminfo", parse_memory_total_bytes);
    facts.read_fact("load_avg", "/proc/loadavg", [](std::string_view text) {
        const std::vector<double> averages = parse_load_average(text);
        return averages.empty() ? std::nullopt : std::optional(List(averages.begin(), averages.end()));
    });
    facts.read_fact("steal_ticks", "/proc/stat", [](std::string_view text) -> std::optional<std::int64_t> {
        const std::optional<CpuTimes> times = parse_cpu_times(text);
        return times ? std::optional(times->steal_ticks) : std::nullopt;
    });
    facts.read_cpu_list("isolated_cpus", kCpus + std::string("isolated"));
    utsname name{};
    ::uname(&name) == 0 ? facts.put("architecture", name.machine) : facts.put_missing("architecture", "uname failed");
    if (const Expected<std::vector<int>> allowed = allowed_cpus())
        facts.put("affinity", FactReader::list_of(*allowed));
    else
        facts.put_missing("affinity", allowed.error().what);
    facts.put("fingerprint", fingerprint_of({facts.text_of("cpu_model"), facts.text_of("cpu_microcode"),
                                             facts.text_of("kernel_release"), facts.text_of("virtualization"),
                                             facts.text_of("container")}));
    return facts.finish();
}

}  // namespace tare::pmu
