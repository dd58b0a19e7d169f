// Model numbers: Intel's from its perfmon repository (mapfile.csv), AMD's and Arm's from the kernel's tables of
// tools/perf/pmu-events (mapfile.csv of each). CPUs that libpfm 4.13 does not know bear the name that later ones give.
#include "pmu/cpu_kind.h"

#include <algorithm>
#include <array>

namespace tare::pmu {

namespace {

struct Model {
    int number;
    EventTable table;
    std::string_view events;
};

/// Of family 6. Cascade Lake differs from Skylake-X in the stepping only, and in no event used here.
constexpr std::array kIntelModels = {
    Model{0x3C, EventTable::kHaswell, "hsw"},        Model{0x45, EventTable::kHaswell, "hsw"},
    Model{0x46, EventTable::kHaswell, "hsw"},        Model{0x3F, EventTable::kHaswell, "hsw_ep"},
    Model{0x3D, EventTable::kHaswell, "bdw"},        Model{0x47, EventTable::kHaswell, "bdw"},
    Model{0x4F, EventTable::kHaswell, "bdw_ep"},     Model{0x56, EventTable::kHaswell, "bdw_ep"},
    Model{0x4E, EventTable::kHaswell, "skl"},        Model{0x5E, EventTable::kHaswell, "skl"},
    Model{0x8E, EventTable::kHaswell, "skl"},        Model{0x9E, EventTable::kHaswell, "skl"},
    Model{0xA5, EventTable::kHaswell, "skl"},        Model{0xA6, EventTable::kHaswell, "skl"},
    Model{0x55, EventTable::kHaswell, "skx"},        Model{0x7D, EventTable::kIceLake, "icl"},
    Model{0x7E, EventTable::kIceLake, "icl"},        Model{0x8C, EventTable::kIceLake, "icl"},
    Model{0x8D, EventTable::kIceLake, "icl"},        Model{0xA7, EventTable::kIceLake, "icl"},
    Model{0x6A, EventTable::kIceLake, "icx"},        Model{0x6C, EventTable::kIceLake, "icx"},
    Model{0x8F, EventTable::kSapphireRapids, "spr"}, Model{0xCF, EventTable::kSapphireRapids, "emr"},
    Model{0xAD, EventTable::kSapphireRapids, "gnr"}, Model{0xAE, EventTable::kSapphireRapids, "gnr"},
};
constexpr std::array kAlderLakes = {0x97, 0x9A, 0xB7, 0xBA, 0xBF};  // two kinds of cores
constexpr int kAlderLakeN = 0xBE;                                   // E-cores only

CpuKind intel(const CoreCpu& cpu) {
    constexpr int kPentium4 = 15;  // without architectural events
    if (cpu.family == kPentium4) return {};
    if (cpu.family == 6) {
        const bool small_core = cpu.pmu && cpu.pmu->name == "cpu_atom";
        if (std::find(kAlderLakes.begin(), kAlderLakes.end(), cpu.model) != kAlderLakes.end())
            return small_core ? CpuKind{EventTable::kGracemont, "adl_grt"}
                              : CpuKind{EventTable::kSapphireRapids, "adl_glc"};
        if (cpu.model == kAlderLakeN) return {EventTable::kGracemont, "adl_grt"};
        for (const Model& model : kIntelModels)
            if (model.number == cpu.model) return {model.table, model.events};
    }
    return {EventTable::kIntel, "ix86arch"};
}

CpuKind amd(const CoreCpu& cpu) {
    switch (cpu.family) {
        case 0x17:
            return {EventTable::kZen, cpu.model >= 0x30 ? "amd64_fam17h_zen2" : "amd64_fam17h_zen1"};
        case 0x18:  // Hygon's Zen 1
            return {EventTable::kZen, "amd64_fam17h_zen1"};
        case 0x19: {
            const bool zen4 = cpu.model >= 0x60 || (cpu.model >= 0x10 && cpu.model <= 0x1F);
            return {EventTable::kZen3, zen4 ? "amd64_fam19h_zen4" : "amd64_fam19h_zen3"};
        }
        case 0x1A: {  // shared with Zen 6, whose events are not known here
            constexpr std::string_view kZen5Models = "012467";
            const char range = cpu.model >= 0 && cpu.model < 0xA0 ? static_cast<char>('0' + cpu.model / 16) : '?';
            if (kZen5Models.find(range) == std::string_view::npos) return {};
            return {EventTable::kZen5, "amd64_fam1ah_zen5"};
        }
        default:
            return {};
    }
}

/// Part numbers of Arm's own cores: their technical reference manuals, MIDR_EL1.
CpuKind arm(const CoreCpu& cpu) {
    const bool pmu_v3 = !cpu.pmu || cpu.pmu->name.starts_with("armv");  // Apple's cores have events of their own
    if (cpu.vendor == "0x61" || !pmu_v3) return {};
    if (cpu.vendor == "0x41") switch (cpu.model) {
            case 0xD0C:
                return {EventTable::kArm, "arm_n1"};
            case 0xD49:
                return {EventTable::kArm, "arm_n2"};
            case 0xD8E:
                return {EventTable::kArm, "arm_n3"};
            case 0xD40:
                return {EventTable::kArm, "arm_v1"};
            case 0xD4F:
                return {EventTable::kArm, "arm_v2"};
            case 0xD84:
                return {EventTable::kArm, "arm_v3"};
            default:
                break;
        }
    return {EventTable::kArm, "armv8_pmuv3"};
}

}  // namespace

CpuKind cpu_kind(const CoreCpu& cpu) {
    if (cpu.vendor == "GenuineIntel") return intel(cpu);
    if (cpu.vendor == "AuthenticAMD" || cpu.vendor == "HygonGenuine") return amd(cpu);
    if (cpu.vendor.starts_with("0x")) return arm(cpu);
    return {};
}

}  // namespace tare::pmu
