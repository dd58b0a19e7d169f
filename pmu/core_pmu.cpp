// Which devices of the kernel are PMUs of cores: by name on x86 and arm64, else by the `cpus` file that drivers of
// per-core PMUs make (a PMU that counts for many cores at once has `cpumask` instead).
#include "pmu/core_pmu.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include "pmu/machine_text.h"
#include "pmu/text_file.h"

namespace tare::pmu {

namespace fs = std::filesystem;

namespace {

bool starts_with_any(std::string_view name, const auto& prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [name](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_named_as_core(std::string_view name) {
    constexpr std::array<std::string_view, 2> kArm = {"armv7_", "armv8_"};  // drivers/perf/arm_pmuv3.c, arm_v7_pmu.c
    return name == "cpu" || name == "cpu_core" || name == "cpu_atom" || name == "cpu_lowpower" ||
           (starts_with_any(name, kArm));
}

/// What has nothing to do with the events of a core, though a driver may list CPUs for it.
bool is_named_otherwise(std::string_view name) {
    constexpr std::array<std::string_view, 19> kPrefixes = {
        "uncore",  "breakpoint", "msr",     "software", "tracepoint", "uprobe",    "kprobe",
        "power",   "cstate_",    "amd_",    "ibs_",     "intel_pt",   "intel_bts", "intel_cqm",
        "arm_spe", "arm_dsu",    "arm_cmn", "cs_etm",   "hv_"};
    return starts_with_any(name, kPrefixes);
}

/// The part of /proc/cpuinfo about one CPU; all of it where it has no such part.
std::string_view cpu_paragraph(std::string_view text, int cpu) {
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = std::min(rest.find("\n\n"), rest.size());
        const std::string_view paragraph = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 2, rest.size()));
        const std::string_view first_line = paragraph.substr(0, paragraph.find('\n'));
        const std::size_t colon = first_line.find(':');
        if (colon == std::string_view::npos || trimmed(first_line.substr(0, colon)) != "processor") continue;
        if (parse_integer(first_line.substr(colon + 1)) == cpu) return paragraph;
    }
    return text;
}

}  // namespace

std::vector<CorePmu> core_pmus(const fs::path& root) {
    std::vector<CorePmu> pmus;
    std::error_code ignored;
    for (const fs::directory_entry& device : fs::directory_iterator(root / "sys/bus/event_source/devices", ignored)) {
        const std::string name = device.path().filename().native();
        const core::Expected<std::string> cpus = read_text_file(device.path() / "cpus");
        if (!is_named_as_core(name) && (!cpus || is_named_otherwise(name))) continue;
        const std::optional<std::int64_t> type = parse_integer(read_text_file(device.path() / "type").value_or(""));
        if (!type) continue;
        pmus.push_back(
            {.name = name, .type = static_cast<std::uint32_t>(*type), .cpus = parse_cpu_list(cpus.value_or(""))});
    }
    std::sort(pmus.begin(), pmus.end(), [](const CorePmu& a, const CorePmu& b) { return a.name < b.name; });
    return pmus;
}

CoreCpu core_cpu(int cpu, const fs::path& root) {
    const std::string text = read_text_file(root / "proc/cpuinfo").value_or("");
    const CpuInfo info = parse_cpu_info(cpu_paragraph(text, cpu));
    CoreCpu found{.vendor = info.vendor,
                  .family = info.family.value_or(0),
                  .model = info.model_number.value_or(0),
                  .pmu = std::nullopt,
                  .hybrid = false};
    const std::vector<CorePmu> pmus = core_pmus(root);
    found.hybrid = pmus.size() > 1;
    const auto counts_here = [cpu](const CorePmu& pmu) {
        return pmu.cpus.empty() || std::find(pmu.cpus.begin(), pmu.cpus.end(), cpu) != pmu.cpus.end();
    };
    const auto pmu = std::find_if(pmus.begin(), pmus.end(), counts_here);
    if (pmu != pmus.end()) found.pmu = *pmu;
    return found;
}

}  // namespace tare::pmu
