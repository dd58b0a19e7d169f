// CoreCpu: which kind of core one CPU is, and which PMU of the kernel counts on it (a hybrid machine has two kinds).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tare::pmu {

/// A PMU of CPU cores under /sys/bus/event_source/devices.
struct CorePmu {
    std::string name;        ///< "cpu", "cpu_core", "cpu_atom", "armv8_pmuv3_0"
    std::uint32_t type = 0;  ///< for perf_event_attr
    std::vector<int> cpus;   ///< empty: all
    bool operator==(const CorePmu&) const = default;
};

/// Those of the machine; empty in a guest without a PMU.
[[nodiscard]] std::vector<CorePmu> core_pmus(const std::filesystem::path& root = "/");

/// What decides the events of one CPU.
struct CoreCpu {
    std::string vendor;  ///< "GenuineIntel", "AuthenticAMD"; on arm64 the implementer's code, "0x41"
    int family = 0;
    int model = 0;               ///< on arm64 the part number
    std::optional<CorePmu> pmu;  ///< that counts on this CPU; none: the machine exposes none
    bool hybrid = false;         ///< the machine has core PMUs of several kinds
    bool operator==(const CoreCpu&) const = default;
};

/// Of CPU number `cpu`.
[[nodiscard]] CoreCpu core_cpu(int cpu, const std::filesystem::path& root = "/");

}  // namespace tare::pmu
