// CpuKind: which of the event tables describes a CPU. Pure.
#pragma once

#include <string_view>

#include "pmu/core_pmu.h"

namespace tare::pmu {

/// CPUs whose events for the roles have the same codes.
enum class EventTable {
    kHaswell,         ///< Intel Haswell, Broadwell, Skylake and its servers
    kIceLake,         ///< Intel Ice Lake to Rocket Lake, Ice Lake servers
    kSapphireRapids,  ///< Intel Golden Cove: servers since Sapphire Rapids, P-cores of Alder and Raptor Lake
    kGracemont,       ///< Intel's E-cores of Alder and Raptor Lake
    kIntel,           ///< any other Intel: the events that its architecture promises
    kZen,             ///< AMD Zen 1 and 2
    kZen3,            ///< AMD Zen 3 and 4
    kZen5,
    kArm,      ///< PMUv3: Neoverse, and whatever else has it
    kUnknown,  ///< the kernel's generic events
};

struct CpuKind {
    EventTable table = EventTable::kUnknown;
    std::string_view events = "perf";  ///< libpfm's name of the PMU: "skx" of "skx::L1D:REPLACEMENT"
    bool operator==(const CpuKind&) const = default;
};

/// By vendor, family and model; on a hybrid CPU by the kernel's PMU of the core, too.
[[nodiscard]] CpuKind cpu_kind(const CoreCpu& cpu);

}  // namespace tare::pmu
