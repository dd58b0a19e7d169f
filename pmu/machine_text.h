// What the kernel's text files about the machine say: pure functions from captured text to values. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tare::pmu {

/// /proc/cpuinfo, of its first CPU. An empty text or nullopt: the file does not say (arm64 names no model).
struct CpuInfo {
    std::string model;   ///< "AMD EPYC 9R14"
    std::string vendor;  ///< "GenuineIntel"; on arm64 the implementer's code, "0x41"
    std::optional<int> family;
    std::optional<int> model_number;  ///< on arm64 the part number
    std::optional<int> stepping;      ///< on arm64 the revision
    std::string microcode;            ///< "0xa101148"
    std::vector<std::string> flags;   ///< "flags", on arm64 "Features"
    std::optional<double> mhz;        ///< as the kernel last saw it, not the nominal rate

    bool operator==(const CpuInfo&) const = default;
};
[[nodiscard]] CpuInfo parse_cpu_info(std::string_view text);

/// "0-3,5" as numbers; empty for an empty or damaged list.
[[nodiscard]] std::vector<int> parse_cpu_list(std::string_view text);
/// The inverse: ascending numbers as "0-3,5".
[[nodiscard]] std::string format_cpu_list(const std::vector<int>& cpus);

/// "48K", "300M" or plain bytes, as in cpu*/cache/index*/size. nullopt if it is no size.
[[nodiscard]] std::optional<std::int64_t> parse_size_bytes(std::string_view text);

/// The chosen word of "always [madvise] never"; nullopt if none is in brackets.
[[nodiscard]] std::optional<std::string> parse_choice(std::string_view text);

/// The three averages of /proc/loadavg; empty if it is damaged.
[[nodiscard]] std::vector<double> parse_load_average(std::string_view text);

/// One line of /proc/meminfo, as in "MemAvailable".
[[nodiscard]] std::optional<std::int64_t> parse_memory_bytes(std::string_view text, std::string_view name);
[[nodiscard]] std::optional<std::int64_t> parse_memory_total_bytes(std::string_view text);

/// The value of a parameter of /proc/cmdline; of several the last, which wins in the kernel too. nullopt: not given.
[[nodiscard]] std::optional<std::string> parse_kernel_parameter(std::string_view text, std::string_view name);

[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);  ///< surrounding blanks allowed
[[nodiscard]] std::string_view trimmed(std::string_view text);
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);  ///< split at white space

/// FNV-1a, 64 bits, of the parts, as 16 hexadecimal digits: equal text, equal machine. Not for security.
[[nodiscard]] std::string fingerprint_of(const std::vector<std::string>& parts);

}  // namespace tare::pmu
