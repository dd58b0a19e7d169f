// The files of cgroups(7). A group's own limit and those above it hold together: the narrowest counts.
#include "pmu/cpu_quota.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "pmu/machine_text.h"
#include "pmu/text_file.h"

namespace tare::pmu {

namespace fs = std::filesystem;

namespace {

/// What one folder says; nullopt: it has no file of a CPU controller.
std::optional<CpuQuota> quota_of(const fs::path& folder) {
    CpuQuota quota;
    if (const core::Expected<std::string> text = read_text_file(folder / "cpu.max")) {
        quota.cpus = parse_cpu_max(*text);
    } else {
        const std::string allowed = read_text_file(folder / "cpu.cfs_quota_us").value_or("");
        const std::string period = read_text_file(folder / "cpu.cfs_period_us").value_or("");
        if (!parse_integer(allowed)) return std::nullopt;
        quota.cpus = parse_cpu_max(fmt::format("{} {}", trimmed(allowed), trimmed(period)));
    }
    quota.throttled_periods = parse_throttled_periods(read_text_file(folder / "cpu.stat").value_or(""));
    return quota;
}

}  // namespace

std::optional<double> parse_cpu_max(std::string_view text) {
    const std::vector<std::string_view> words = words_of(text);
    if (words.size() != 2) return std::nullopt;
    const std::optional<std::int64_t> allowed_us = parse_integer(words[0]);  // "max" and -1 are no limit
    const std::optional<std::int64_t> period_us = parse_integer(words[1]);
    if (!allowed_us || !period_us || *allowed_us <= 0 || *period_us <= 0) return std::nullopt;
    return static_cast<double>(*allowed_us) / static_cast<double>(*period_us);
}

std::optional<std::int64_t> parse_throttled_periods(std::string_view text) {
    const std::vector<std::string_view> words = words_of(text);
    const auto name = std::find(words.begin(), words.end(), "nr_throttled");
    return name == words.end() || name + 1 == words.end() ? std::nullopt : parse_integer(*(name + 1));
}

std::optional<std::string_view> parse_cgroup(std::string_view text, std::string_view controller) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));  // "4:cpu,cpuacct:/path"
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string_view::npos || second == std::string_view::npos) continue;
        const std::string named = fmt::format(",{},", line.substr(first + 1, second - first - 1));
        if (named.find(fmt::format(",{},", controller)) != std::string::npos) return line.substr(second + 1);
    }
    return std::nullopt;
}

core::Expected<CpuQuota> cpu_quota(const fs::path& root) {
    const fs::path mount = root / "sys/fs/cgroup";
    const std::string groups = read_text_file(root / "proc/self/cgroup").value_or("");
    std::optional<CpuQuota> narrowest;
    const auto look = [&](const fs::path& base, std::string_view group) {
        // A container may show the path of its group on the host, where its own root is all that is mounted.
        for (fs::path path = fs::path(group).relative_path();; path = path.parent_path()) {
            const std::optional<CpuQuota> quota = quota_of(base / path);
            if (quota && (!narrowest || (quota->cpus && quota->cpus < narrowest->cpus.value_or(1e9))))
                narrowest = quota;
            if (path.empty()) return;
        }
    };
    if (const auto group = parse_cgroup(groups, "")) look(mount, *group);
    if (const auto group = parse_cgroup(groups, "cpu"))
        for (const char* controller : {"cpu", "cpu,cpuacct"}) look(mount / controller, *group);
    if (!narrowest)
        return core::fail(core::ErrorCode::kEnvironment, "no control group with a CPU controller under /sys/fs/cgroup");
    return *narrowest;
}

}  // namespace tare::pmu
