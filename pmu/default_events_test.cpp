// At stake: one wrong code makes a column of plausible numbers that mean something else. Every code of the default sets
// stands here as a number, and libpfm has to agree wherever it knows the CPU: hsw to spr, Zen 1 to 4 with Debian 12's.
#include "pmu/default_events.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <linux/perf_event.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "pmu/event_encoding.h"

namespace tare::pmu {
namespace {

using core::CounterRole;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kNone = ~std::uint64_t{0};

CoreCpu cpu_of(std::string vendor, int family, int model, std::string pmu = "cpu") {
    return {std::move(vendor), family, model, CorePmu{std::move(pmu), 4, {}}, false};
}

/// The codes of the eight roles, in the order of default.
std::vector<std::uint64_t> codes_of(const CoreCpu& cpu) {
    std::vector<std::uint64_t> codes;
    for (const CounterRole role : kDefaultRoles) {
        if (!is_hardware(role)) continue;
        const RoleEvent event = role_event(role, cpu_kind(cpu));
        codes.push_back(event.problem ? kNone : event.config);
    }
    return codes;
}

struct KnownCpu {
    const char* events;
    CoreCpu cpu;
};

std::vector<KnownCpu> known_cpus() {
    std::vector<KnownCpu> cpus;
    for (const auto& [events, model] : std::vector<std::pair<const char*, int>>{{"hsw", 0x3C},
                                                                                {"hsw_ep", 0x3F},
                                                                                {"bdw", 0x3D},
                                                                                {"bdw_ep", 0x4F},
                                                                                {"skl", 0x5E},
                                                                                {"skx", 0x55},
                                                                                {"icl", 0x7E},
                                                                                {"icx", 0x6A},
                                                                                {"spr", 0x8F},
                                                                                {"emr", 0xCF},
                                                                                {"gnr", 0xAD},
                                                                                {"ix86arch", 0x2A}})
        cpus.push_back({events, cpu_of("GenuineIntel", 6, model)});
    cpus.push_back({"adl_glc", cpu_of("GenuineIntel", 6, 0x97, "cpu_core")});
    cpus.push_back({"adl_grt", cpu_of("GenuineIntel", 6, 0x97, "cpu_atom")});
    cpus.push_back({"amd64_fam17h_zen1", cpu_of("AuthenticAMD", 0x17, 0x01)});
    cpus.push_back({"amd64_fam17h_zen2", cpu_of("AuthenticAMD", 0x17, 0x31)});
    cpus.push_back({"amd64_fam19h_zen3", cpu_of("AuthenticAMD", 0x19, 0x01)});
    cpus.push_back({"amd64_fam19h_zen4", cpu_of("AuthenticAMD", 0x19, 0x11)});
    cpus.push_back({"amd64_fam1ah_zen5", cpu_of("AuthenticAMD", 0x1A, 0x02)});
    for (const auto& [events, part] : std::vector<std::pair<const char*, int>>{{"arm_n1", 0xD0C},
                                                                               {"arm_n2", 0xD49},
                                                                               {"arm_n3", 0xD8E},
                                                                               {"arm_v1", 0xD40},
                                                                               {"arm_v2", 0xD4F},
                                                                               {"arm_v3", 0xD84},
                                                                               {"armv8_pmuv3", 0xD05}})
        cpus.push_back({events, cpu_of("0x41", 8, part, "armv8_pmuv3_0")});
    cpus.push_back({"perf", cpu_of("RISC-V", 0, 0)});
    return cpus;
}

/// libpfm of this process, made to encode for CPUs that are not here. Before its first call, so before any test.
const bool kEncodesForEveryCpu = ::setenv("LIBPFM_ENCODE_INACTIVE", "1", 1) == 0;

// cycles, instructions, branches, branch misses, L1D, L2, LLC, page walks
TEST(DefaultEvents, OfIntelServersHaveTheseCodes) {
    for (const int model : {0x3C, 0x3F, 0x3D, 0x4F, 0x56, 0x4E, 0x5E, 0x8E, 0x9E, 0xA5, 0xA6, 0x55})
        EXPECT_THAT(codes_of(cpu_of("GenuineIntel", 6, model)),
                    ElementsAre(0x3C, 0xC0, 0xC4, 0xC5, 0x151, 0x3F24, 0x412E, 0xE08))
            << model;
    for (const int model : {0x7D, 0x7E, 0x8C, 0x8D, 0xA7, 0x6A, 0x6C})
        EXPECT_THAT(codes_of(cpu_of("GenuineIntel", 6, model)),
                    ElementsAre(0x3C, 0xC0, 0xC4, 0xC5, 0x151, 0x10D1, 0x412E, 0xE08))
            << model;
    for (const int model : {0x8F, 0xCF, 0xAD, 0xAE})
        EXPECT_THAT(codes_of(cpu_of("GenuineIntel", 6, model)),
                    ElementsAre(0x3C, 0xC0, 0xC4, 0xC5, 0x151, 0x10D1, 0x412E, 0xE12))
            << model;
}

TEST(DefaultEvents, OfAHybridIntelGoByTheCore) {
    for (const int model : {0x97, 0x9A, 0xB7, 0xBA, 0xBF}) {
        EXPECT_THAT(codes_of(cpu_of("GenuineIntel", 6, model, "cpu_core")),
                    ElementsAre(0x3C, 0xC0, 0xC4, 0xC5, 0x151, 0x10D1, 0x412E, 0xE12));
        EXPECT_THAT(codes_of(cpu_of("GenuineIntel", 6, model, "cpu_atom")),
                    ElementsAre(0x3C, 0xC0, 0xC4, 0xC5, 0x8D1, 0x10D1, 0x412E, 0xE08));
    }
    EXPECT_THAT(codes_of(cpu_of("GenuineIntel", 6, 0xBE)),
                ElementsAre(0x3C, 0xC0, 0xC4, 0xC5, 0x8D1, 0x10D1, 0x412E, 0xE08));
}

TEST(DefaultEvents, OfAnyOtherIntelAreTheArchitecturalOnes) {
    for (const int family : {6, 18, 19})
        EXPECT_THAT(codes_of(cpu_of("GenuineIntel", family, 0x01)),
                    ElementsAre(0x3C, 0xC0, 0xC4, 0xC5, kNone, kNone, 0x412E, kNone));
}

TEST(DefaultEvents, OfZenHaveTheseCodesAndNoLastLevel) {
    for (const auto& [family, model] : std::vector<std::pair<int, int>>{{0x17, 0x01},
                                                                        {0x17, 0x18},
                                                                        {0x17, 0x31},
                                                                        {0x17, 0x71},
                                                                        {0x19, 0x01},
                                                                        {0x19, 0x21},
                                                                        {0x19, 0x50},
                                                                        {0x19, 0x11},
                                                                        {0x19, 0x61},
                                                                        {0x19, 0xA0}})
        EXPECT_THAT(codes_of(cpu_of("AuthenticAMD", family, model)),
                    ElementsAre(0x76, 0xC0, 0xC2, 0xC3, 0xE860, 0x864, kNone, 0xF045));
    EXPECT_THAT(codes_of(cpu_of("HygonGenuine", 0x18, 0x01)),
                ElementsAre(0x76, 0xC0, 0xC2, 0xC3, 0xE860, 0x864, kNone, 0xF045));
    for (const int model : {0x02, 0x11, 0x24, 0x44, 0x60, 0x70})
        EXPECT_THAT(codes_of(cpu_of("AuthenticAMD", 0x1A, model)),
                    ElementsAre(0x76, 0xC0, 0xC2, 0xC3, 0xE060, 0x864, kNone, 0xF045));
    const RoleEvent llc = role_event(CounterRole::kLlcMisses, {EventTable::kZen3, "amd64_fam19h_zen4"});
    EXPECT_EQ(llc.problem->reason, "the L3 counts for all cores together (amd_l3)");
    EXPECT_THAT(llc.problem->hint, HasSubstr("r4844"));
}

TEST(DefaultEvents, OfZen6AreTheGenericOnesForItsMachineIsNotKnown) {
    for (const int model : {0x50, 0x80, 0x90, 0xA8, 0xC0})
        EXPECT_THAT(codes_of(cpu_of("AuthenticAMD", 0x1A, model)),
                    ElementsAre(PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
                                PERF_COUNT_HW_BRANCH_MISSES, kNone, kNone, kNone, kNone))
            << model;
}

TEST(DefaultEvents, OfArmHaveTheCommonCodesOfPmuV3) {
    for (const int part : {0xD0C, 0xD49, 0xD8E, 0xD40, 0xD4F, 0xD84, 0xD05})
        EXPECT_THAT(codes_of(cpu_of("0x41", 8, part, "armv8_pmuv3_0")),
                    ElementsAre(0x11, 0x08, 0x21, 0x22, 0x03, 0x17, 0x37, 0x34));
    EXPECT_EQ(cpu_kind(cpu_of("0x61", 8, 0x22, "apple_icestorm_pmu")).table, EventTable::kUnknown);
}

TEST(DefaultEvents, AreForEveryCpuEitherAnEventOrAReason) {
    for (const KnownCpu& each : known_cpus()) {
        const CpuKind kind = cpu_kind(each.cpu);
        EXPECT_EQ(kind.events, each.events);
        for (const CounterRole role : kDefaultRoles) {
            if (!is_hardware(role)) continue;
            const RoleEvent event = role_event(role, kind);
            EXPECT_EQ(event.event.empty(), event.problem.has_value()) << each.events << core::name_of(role);
            if (event.problem)
                EXPECT_THAT(event.problem->reason, Not("")) << each.events << core::name_of(role);
            else
                EXPECT_THAT(event.event, testing::StartsWith(std::string(each.events) + "::"));
        }
        EXPECT_FALSE(role_event(CounterRole::kCycles, kind).problem) << each.events;
    }
}

/// How many of a CPU's events libpfm knows by their names; each of those must have the code of the table.
int agreed_events(const CpuKind& kind) {
    int agreed = 0;
    for (const CounterRole role : kDefaultRoles) {
        if (!is_hardware(role)) continue;
        const RoleEvent event = role_event(role, kind);
        if (event.problem) continue;
        const core::Expected<EventEncoding> encoded = encode(event.event, false);
        if (!encoded) continue;
        ++agreed;
        EXPECT_EQ(encoded->type, event.type) << event.event;
        EXPECT_EQ(encoded->config, event.config) << fmt::format("{}: {:#x}", event.event, encoded->config);
        EXPECT_EQ(encoded->config1, 0u) << event.event;
        EXPECT_EQ(encoded->event, event.event);
    }
    return agreed;
}

/// By version 4.13 as Debian 12 builds it: for the CPUs of its own architecture, and not for the newest.
std::optional<int> events_that_libpfm_knows(const CpuKind& kind) {
    if (kind.table == EventTable::kUnknown) return 4;
#ifdef __x86_64__
    if (kind.table == EventTable::kHaswell || kind.table == EventTable::kIceLake || kind.events == "spr") return 8;
    if (kind.table == EventTable::kZen || kind.table == EventTable::kZen3) return 7;
#elif defined(__aarch64__)
    if (kind.events == "arm_n1") return 8;
#endif
    return std::nullopt;
}

TEST(DefaultEvents, HaveTheCodesThatLibpfmGivesTheirNames) {
    ASSERT_TRUE(kEncodesForEveryCpu);
    for (const KnownCpu& each : known_cpus()) {
        const CpuKind kind = cpu_kind(each.cpu);
        const int agreed = agreed_events(kind);
        RecordProperty(each.events, agreed);
        if (const std::optional<int> expected = events_that_libpfm_knows(kind)) {
            EXPECT_EQ(agreed, *expected) << kind.events;
        }
    }
}

TEST(DefaultEvents, AreTheSameAsRawCodes) {
    for (const KnownCpu& each : known_cpus()) {
        if (cpu_kind(each.cpu).table == EventTable::kUnknown) continue;
        for (const std::uint64_t code : codes_of(each.cpu)) {
            if (code == kNone) continue;
            const core::Expected<EventEncoding> raw = encode(fmt::format("r{:x}", code), false);
            ASSERT_TRUE(raw);
            EXPECT_EQ(raw->type, std::uint32_t{PERF_TYPE_RAW});
            EXPECT_EQ(raw->config, code);
        }
    }
}

TEST(DefaultEvents, OfEveryRoleAreDescribed) {
    for (const core::CounterRoleName& each : core::kCounterRoleNames)
        EXPECT_EQ(description_of(each.role).empty(), each.role == CounterRole::kOther) << each.name;
}

}  // namespace
}  // namespace tare::pmu
