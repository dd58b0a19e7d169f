// Codes are umask << 8 | event. Where libpfm knows the CPU, the test compares; where its 4.13 does not, the source is
// named at the table. Misses are of data; where a CPU has no such event the nearest, which the name tells.
#include "pmu/default_events.h"

#include <linux/perf_event.h>

#include <cassert>
#include <span>

namespace tare::pmu {

namespace {

using core::CounterProblem;
using core::CounterRole;

struct Row {
    CounterRole role;
    std::string_view event;
    std::uint64_t config;
};

/// The first four, which Intel's architecture promises (SDM volume 3, "Pre-defined Architectural Performance Events").
constexpr Row kIntelCycles{CounterRole::kCycles, "UNHALTED_CORE_CYCLES", 0x3C};
constexpr Row kIntelInstructions{CounterRole::kInstructions, "INSTRUCTION_RETIRED", 0xC0};
constexpr Row kIntelBranches{CounterRole::kBranches, "BR_INST_RETIRED:ALL_BRANCHES", 0xC4};
constexpr Row kIntelBranchMisses{CounterRole::kBranchMisses, "BR_MISP_RETIRED:ALL_BRANCHES", 0xC5};
constexpr Row kIntelL1d{CounterRole::kL1dMisses, "L1D:REPLACEMENT", 0x0151};
constexpr Row kIntelLlc{CounterRole::kLlcMisses, "LONGEST_LAT_CACHE:MISS", 0x412E};

/// L2_RQSTS:MISS counts fetched code and the L1's prefetches, too.
constexpr std::array kHaswell = {
    kIntelCycles,   kIntelInstructions,
    kIntelBranches, kIntelBranchMisses,
    kIntelL1d,      Row{CounterRole::kL2Misses, "L2_RQSTS:MISS", 0x3F24},
    kIntelLlc,      Row{CounterRole::kDtlbWalks, "DTLB_LOAD_MISSES:WALK_COMPLETED", 0x0E08},
};

/// libpfm does not know L2_RQSTS:MISS here: retired loads instead.
constexpr std::array kIceLake = {
    kIntelCycles,   kIntelInstructions,
    kIntelBranches, kIntelBranchMisses,
    kIntelL1d,      Row{CounterRole::kL2Misses, "MEM_LOAD_RETIRED:L2_MISS", 0x10D1},
    kIntelLlc,      Row{CounterRole::kDtlbWalks, "DTLB_LOAD_MISSES:WALK_COMPLETED", 0x0E08},
};

/// emr, gnr and adl_glc: Intel's perfmon repository, EMR, GNR and ADL (alderlake_goldencove_core.json); the kernel's
/// tables are made from it.
constexpr std::array kSapphireRapids = {
    kIntelCycles,   kIntelInstructions,
    kIntelBranches, kIntelBranchMisses,
    kIntelL1d,      Row{CounterRole::kL2Misses, "MEM_LOAD_RETIRED:L2_MISS", 0x10D1},
    kIntelLlc,      Row{CounterRole::kDtlbWalks, "DTLB_LOAD_MISSES:WALK_COMPLETED", 0x0E12},
};

/// alderlake_gracemont_core.json. The L1 has no event for lines brought in: retired loads that missed.
constexpr std::array kGracemont = {
    Row{CounterRole::kCycles, "CPU_CLK_UNHALTED:CORE_P", 0x3C},
    Row{CounterRole::kInstructions, "INST_RETIRED:ANY_P", 0xC0},
    kIntelBranches,
    kIntelBranchMisses,
    Row{CounterRole::kL1dMisses, "MEM_LOAD_UOPS_RETIRED:L1_MISS", 0x08D1},
    Row{CounterRole::kL2Misses, "MEM_LOAD_UOPS_RETIRED:L2_MISS", 0x10D1},
    kIntelLlc,
    Row{CounterRole::kDtlbWalks, "DTLB_LOAD_MISSES:WALK_COMPLETED", 0x0E08},
};

/// Under the names of libpfm's ix86arch.
constexpr std::array kIntel = {
    kIntelCycles,
    kIntelInstructions,
    Row{CounterRole::kBranches, "BRANCH_INSTRUCTIONS_RETIRED", 0xC4},
    Row{CounterRole::kBranchMisses, "MISPREDICTED_BRANCH_RETIRED", 0xC5},
    Row{CounterRole::kLlcMisses, "LLC_MISSES", 0x412E},
};

constexpr Row kZenCycles{CounterRole::kCycles, "CYCLES_NOT_IN_HALT", 0x76};
constexpr Row kZenInstructions{CounterRole::kInstructions, "RETIRED_INSTRUCTIONS", 0xC0};
constexpr Row kZenBranches{CounterRole::kBranches, "RETIRED_BRANCH_INSTRUCTIONS", 0xC2};
constexpr Row kZenBranchMisses{CounterRole::kBranchMisses, "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xC3};
constexpr Row kZenL2{CounterRole::kL2Misses, "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C", 0x0864};
constexpr Row kZenWalks{
    CounterRole::kDtlbWalks,
    "L1_DTLB_MISS:TLB_RELOAD_1G_L2_MISS:TLB_RELOAD_2M_L2_MISS:TLB_RELOAD_COALESCED_PAGE_MISS:TLB_RELOAD_4K_L2_MISS",
    0xF045};

/// What the L1D asks the L2 for, prefetches included.
constexpr std::array kZen = {
    kZenCycles,
    kZenInstructions,
    kZenBranches,
    kZenBranchMisses,
    Row{CounterRole::kL1dMisses, "REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CHANGE_TO_X", 0xE860},
    kZenL2,
    kZenWalks,
};

/// The kernel's amdzen5: ls_not_halted_cyc, ex_ret_instr, ex_ret_brn, ex_ret_brn_misp, l2_request_g1.all_dc (which has
/// lost the change to X), l2_cache_req_stat.ls_rd_blk_c, ls_l1_d_tlb_miss.all_l2_miss.
constexpr std::array kZen5 = {
    kZenCycles,
    kZenInstructions,
    kZenBranches,
    kZenBranchMisses,
    Row{CounterRole::kL1dMisses, "REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S", 0xE060},
    kZenL2,
    kZenWalks,
};

/// Common events of PMUv3 (Arm ARM, "Common event numbers"); those that a core lacks count 0, as the self-test finds.
/// That N1, N2, N3, V1, V2 and V3 have all of them: Arm's own tables, ARM-software/data, pmu/neoverse-*.json.
constexpr std::array kArm = {
    Row{CounterRole::kCycles, "CPU_CYCLES", 0x11},
    Row{CounterRole::kInstructions, "INST_RETIRED", 0x08},
    Row{CounterRole::kBranches, "BR_RETIRED", 0x21},
    Row{CounterRole::kBranchMisses, "BR_MIS_PRED_RETIRED", 0x22},
    Row{CounterRole::kL1dMisses, "L1D_CACHE_REFILL", 0x3},
    Row{CounterRole::kL2Misses, "L2D_CACHE_REFILL", 0x17},
    Row{CounterRole::kLlcMisses, "LL_CACHE_MISS_RD", 0x37},
    Row{CounterRole::kDtlbWalks, "DTLB_WALK", 0x34},
};

constexpr std::array kGeneric = {
    Row{CounterRole::kCycles, "PERF_COUNT_HW_CPU_CYCLES", PERF_COUNT_HW_CPU_CYCLES},
    Row{CounterRole::kInstructions, "PERF_COUNT_HW_INSTRUCTIONS", PERF_COUNT_HW_INSTRUCTIONS},
    Row{CounterRole::kBranches, "PERF_COUNT_HW_BRANCH_INSTRUCTIONS", PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    Row{CounterRole::kBranchMisses, "PERF_COUNT_HW_BRANCH_MISSES", PERF_COUNT_HW_BRANCH_MISSES},
};

std::span<const Row> rows_of(EventTable table) {
    switch (table) {
        case EventTable::kHaswell:
            return kHaswell;
        case EventTable::kIceLake:
            return kIceLake;
        case EventTable::kSapphireRapids:
            return kSapphireRapids;
        case EventTable::kGracemont:
            return kGracemont;
        case EventTable::kIntel:
            return kIntel;
        case EventTable::kZen:
        case EventTable::kZen3:
            return kZen;
        case EventTable::kZen5:
            return kZen5;
        case EventTable::kArm:
            return kArm;
        case EventTable::kUnknown:
            break;
    }
    return kGeneric;
}

CounterProblem why_none(EventTable table) {
    switch (table) {
        case EventTable::kZen:
            return {"", "the L3 counts for all cores together (amd_l3)", ""};
        case EventTable::kZen3:
        case EventTable::kZen5:  // ls_any_fills_from_sys, both masks of DRAM and I/O: amdzen3/memory.json and later
            return {"", "the L3 counts for all cores together (amd_l3)",
                    "r4844 counts what this core's L1D got from memory"};
        case EventTable::kIntel:
            return {"", "which event means it on this CPU is not known to tare",
                    "name one of the CPU's own: bench pmu list"};
        default:
            return {"", "the generic cache events mean another cache on each CPU, and tare does not know this CPU",
                    "name an event of the CPU by its code, as in r412e"};
    }
}

}  // namespace

RoleEvent role_event(CounterRole role, const CpuKind& kind) {
    assert(is_hardware(role));
    for (const Row& row : rows_of(kind.table))
        if (row.role == role)
            return {std::string(kind.events) + "::" + std::string(row.event),
                    kind.table == EventTable::kUnknown ? PERF_TYPE_HARDWARE : PERF_TYPE_RAW, row.config, std::nullopt};
    return {"", PERF_TYPE_RAW, 0, why_none(kind.table)};
}

std::string_view description_of(CounterRole role) {
    switch (role) {
        case CounterRole::kCycles:
            return "core cycles while not halted";
        case CounterRole::kInstructions:
            return "instructions retired";
        case CounterRole::kBranches:
            return "branches retired, taken or not";
        case CounterRole::kBranchMisses:
            return "branches retired that were mispredicted";
        case CounterRole::kL1dMisses:
            return "lines brought into the first-level data cache";
        case CounterRole::kL2Misses:
            return "data that the second-level cache did not hold";
        case CounterRole::kLlcMisses:
            return "what the last-level cache did not hold";
        case CounterRole::kDtlbWalks:
            return "page walks for data";
        case CounterRole::kTaskClock:
            return "nanoseconds that the thread ran";
        case CounterRole::kPageFaults:
            return "page faults, minor and major";
        case CounterRole::kMinorFaults:
            return "page faults served without a device";
        case CounterRole::kMajorFaults:
            return "page faults served by a device";
        case CounterRole::kContextSwitches:
            return "context switches, voluntary and not";
        case CounterRole::kCpuMigrations:
            return "moves of the thread to another CPU";
        case CounterRole::kTimedCycles:
            return "core cycles by the time and the clock rate, without a PMU";
        case CounterRole::kOther:
            break;
    }
    return "";
}

}  // namespace tare::pmu
