// /proc/stat: "cpu3 user nice system idle iowait irq softirq steal guest guest_nice" (proc(5)).
#include "pmu/cpu_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "pmu/machine_text.h"
#include "pmu/text_file.h"

namespace tare::pmu {

std::optional<CpuTimes> parse_cpu_times(std::string_view text, std::optional<int> cpu) {
    const std::string name = cpu ? fmt::format("cpu{}", *cpu) : "cpu";
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::vector<std::string_view> words = words_of(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (words.empty() || words[0] != name) continue;
        std::array<std::int64_t, 8> ticks{};
        if (words.size() < 1 + ticks.size()) return std::nullopt;
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            const std::optional<std::int64_t> value = parse_integer(words[1 + i]);
            if (!value) return std::nullopt;
            ticks[i] = *value;
        }
        return CpuTimes{.busy_ticks = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6],
                        .idle_ticks = ticks[3] + ticks[4],
                        .steal_ticks = ticks[7]};
    }
    return std::nullopt;
}

core::Expected<CpuTimes> cpu_times(std::optional<int> cpu) {
    core::Expected<std::string> text = read_text_file("/proc/stat");
    if (!text) return tl::unexpected<core::Error>(text.error());
    const std::optional<CpuTimes> times = parse_cpu_times(*text, cpu);
    if (!times)
        return core::fail(core::ErrorCode::kEnvironment,
                          cpu ? fmt::format("/proc/stat has no times of CPU {}", *cpu) : "/proc/stat has no CPU times");
    return *times;
}

std::optional<double> steal_share(const CpuTimes& before, const CpuTimes& after) {
    // Counters of a CPU that went offline and came back may go backwards: that interval says nothing.
    const std::int64_t busy = after.busy_ticks - before.busy_ticks;
    const std::int64_t steal = after.steal_ticks - before.steal_ticks;
    if (busy < 0 || steal < 0 || busy + steal == 0) return std::nullopt;
    return static_cast<double>(steal) / static_cast<double>(busy + steal);
}

}  // namespace tare::pmu
