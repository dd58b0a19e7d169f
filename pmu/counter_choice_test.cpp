// At stake: a counter that reads 0 because it cannot count. Without --count-kernel, perf_event_open's context switches
// were 0 of 60, its migrations 0 of 10: these must never be asked of it. And 20,000 random lists cost no crash.
#include "pmu/counter_choice.h"

#include <gmock/gmock.h>
#include <linux/perf_event.h>

#include <random>

#include "pmu/counter_request.h"

namespace tare::pmu {
namespace {

using core::CounterRequest;
using core::CounterRole;
using core::CounterSource;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const CoreCpu kSkylake{"GenuineIntel", 6, 0x55, CorePmu{"cpu", 4, {}}, false};
const CoreCpu kZen4{"AuthenticAMD", 0x19, 0x11, CorePmu{"cpu", 4, {}}, false};
const CoreCpu kNeoverse{"0x41", 8, 0xD0C, CorePmu{"armv8_pmuv3_0", 8, {}}, false};
const CoreCpu kGuest{"GenuineIntel", 6, 0xCF, std::nullopt, false};
const CoreCpu kSmallCore{"GenuineIntel", 6, 0x97, CorePmu{"cpu_atom", 10, {16}}, true};

CounterChoice choose(std::string_view list, const CoreCpu& cpu = kSkylake, bool kernel = false) {
    core::Expected<CounterChoice> choice = choose_counters(list, kernel, cpu);
    EXPECT_TRUE(choice) << list << ": " << choice.error().what;
    return choice.value_or(CounterChoice{});
}

std::vector<std::string> names_of(const CounterChoice& choice) {
    std::vector<std::string> names;
    for (const CounterRequest& each : choice.counters) names.push_back(each.name);
    return names;
}

CounterRequest only(std::string_view list, const CoreCpu& cpu = kSkylake, bool kernel = false) {
    const CounterChoice choice = choose(list, cpu, kernel);
    EXPECT_EQ(choice.counters.size(), 1u);
    return choice.counters.empty() ? CounterRequest{} : choice.counters.front();
}

std::string choice_error(std::string_view list) {
    const core::Expected<CounterChoice> choice = choose_counters(list, false, kSkylake);
    if (choice) return "no error";
    EXPECT_EQ(choice.error().code, core::ErrorCode::kUsage);
    return choice.error().what + " | " + choice.error().hint;
}

TEST(CounterChoice, OfDefaultIsElevenCountersInTheirOrder) {
    EXPECT_THAT(names_of(choose("default")),
                ElementsAre("cycles", "instructions", "branches", "branch_misses", "l1d_misses", "l2_misses",
                            "llc_misses", "dtlb_walks", "task_clock", "page_faults", "context_switches"));
    const CounterRequest llc = only("llc_misses");
    EXPECT_EQ(llc.role, CounterRole::kLlcMisses);
    EXPECT_EQ(llc.source, CounterSource::kHardware);
    EXPECT_EQ(llc.event, "skx::LONGEST_LAT_CACHE:MISS");
    EXPECT_EQ(llc.pmu, "cpu");
    EXPECT_EQ(llc.type, std::uint32_t{PERF_TYPE_RAW});
    EXPECT_EQ(llc.config, 0x412Eu);
    EXPECT_FALSE(llc.kernel);
}

TEST(CounterChoice, OfRepeatedNamesAsksOnce) {
    EXPECT_EQ(choose("default,default"), choose("default"));
    EXPECT_THAT(names_of(choose("branch-misses, BRANCH_MISSES,branch_misses")), ElementsAre("branch_misses"));
    EXPECT_THAT(names_of(choose("cycles,default")).front(), "cycles");
    EXPECT_EQ(choose("cycles,default").counters.size(), 11u);
    EXPECT_THAT(names_of(choose("perf::CYCLES,perf::CPU-CYCLES,perf::CYCLES")), ElementsAre("perf::CYCLES"));
}

TEST(CounterChoice, OfNoneIsEmptyAndAnEmptyListIsAnError) {
    EXPECT_THAT(choose("none").counters, IsEmpty());
    EXPECT_THAT(choice_error(""), HasSubstr("no counters are named"));
    EXPECT_THAT(choice_error("  "), HasSubstr("no counters are named"));
    EXPECT_THAT(choice_error("cycles,"), HasSubstr("an empty name"));
    EXPECT_THAT(choice_error(",cycles"), HasSubstr("an empty name"));
    EXPECT_THAT(choice_error("none,cycles"), HasSubstr("'none' stands beside"));
    EXPECT_THAT(choice_error("other"), HasSubstr("no counter or event is called 'other'"));
    EXPECT_THAT(choice_error("cycles,brnches"), AllOf(HasSubstr("'brnches'"), HasSubstr("nearest: branches")));
}

TEST(CounterChoice, WithoutTheKernelTakesSwitchesFromUsageAndNoMigrations) {
    for (const char* name : {"context_switches", "perf::CONTEXT-SWITCHES", "perf::CS"}) {
        const CounterRequest request = only(name);
        EXPECT_EQ(request.source, CounterSource::kUsage) << name;
        EXPECT_EQ(request.role, CounterRole::kContextSwitches) << name;
        EXPECT_EQ(request.event, "ru_nvcsw + ru_nivcsw") << name;
        EXPECT_FALSE(request.problem) << name;
    }
    for (const char* name : {"cpu-migrations", "perf::MIGRATIONS", "perf::CGROUP-SWITCHES"}) {
        const CounterRequest request = only(name);
        ASSERT_TRUE(request.problem) << name;
        EXPECT_THAT(request.problem->hint, HasSubstr("--count-kernel")) << name;
    }
    const CounterRequest both = choose("perf::CS,context_switches").counters.front();
    EXPECT_EQ(both.role, CounterRole::kContextSwitches) << "what is read of usage goes by the role";
}

TEST(CounterChoice, WithTheKernelAsksItForSwitchesAndMigrations) {
    for (const auto& [name, config] :
         std::vector<std::pair<const char*, std::uint64_t>>{{"context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES},
                                                            {"perf::CONTEXT-SWITCHES", PERF_COUNT_SW_CONTEXT_SWITCHES},
                                                            {"cpu_migrations", PERF_COUNT_SW_CPU_MIGRATIONS},
                                                            {"perf::CPU-MIGRATIONS", PERF_COUNT_SW_CPU_MIGRATIONS}}) {
        const CounterRequest request = only(name, kSkylake, true);
        EXPECT_EQ(request.source, CounterSource::kSoftware) << name;
        EXPECT_EQ(request.type, std::uint32_t{PERF_TYPE_SOFTWARE}) << name;
        EXPECT_EQ(request.config, config) << name;
        EXPECT_TRUE(request.kernel) << name;
        EXPECT_FALSE(request.problem) << name;
    }
}

TEST(CounterChoice, TakesFaultsAndTheClockFromThePerfCounters) {
    for (const char* name : {"task_clock", "page_faults", "minor_faults", "major_faults"}) {
        const CounterRequest request = only(name);
        EXPECT_EQ(request.source, CounterSource::kSoftware) << name;
        EXPECT_EQ(request.pmu, "software") << name;
        EXPECT_FALSE(request.problem) << name;
    }
    EXPECT_EQ(only("page-faults").config, std::uint64_t{PERF_COUNT_SW_PAGE_FAULTS});
    EXPECT_EQ(only("minor-faults").config, std::uint64_t{PERF_COUNT_SW_PAGE_FAULTS_MIN});
    EXPECT_EQ(only("major-faults").config, std::uint64_t{PERF_COUNT_SW_PAGE_FAULTS_MAJ});
    EXPECT_EQ(only("task-clock").config, std::uint64_t{PERF_COUNT_SW_TASK_CLOCK});
}

TEST(CounterChoice, NamesTheReasonWhereTheCpuCannot) {
    const CounterRequest request = only("llc_misses", kZen4);
    ASSERT_TRUE(request.problem);
    EXPECT_EQ(request.problem->reason, "the L3 counts for all cores together (amd_l3)");
    EXPECT_EQ(request.problem->errno_name, "");
    EXPECT_EQ(request.event, "");
}

TEST(CounterChoice, OfAGuestWithoutPmuStillAsksForTheEvents) {
    const CounterRequest request = only("cycles", kGuest);
    EXPECT_FALSE(request.problem) << "the kernel is to refuse, with its errno";
    EXPECT_EQ(request.event, "emr::UNHALTED_CORE_CYCLES");
    EXPECT_EQ(request.type, std::uint32_t{PERF_TYPE_RAW});
    EXPECT_EQ(request.pmu, "");
}

TEST(CounterChoice, OnAHybridCpuNamesThePmuOfTheCore) {
    const CounterRequest role = only("cycles", kSmallCore);
    EXPECT_EQ(role.pmu, "cpu_atom");
    EXPECT_EQ(role.type, 10u);
    EXPECT_EQ(role.config, 0x3Cu);
    const CounterRequest generic = only("perf::CYCLES", kSmallCore);
    EXPECT_EQ(generic.type, std::uint32_t{PERF_TYPE_HARDWARE});
    EXPECT_EQ(generic.config, std::uint64_t{10} << 32);
    EXPECT_EQ(only("L1-DCACHE-LOAD-MISSES", kSmallCore).config, (std::uint64_t{10} << 32) + 0x10000);
    EXPECT_EQ(only("r412e", kSmallCore).type, 10u);
    const EventEncoding of_big_core{.event = "adl_glc::TOPDOWN:SLOTS", .type = 4, .config = 0x400};
    const CounterRequest other = request_of("slots", of_big_core, false, kSmallCore);
    ASSERT_TRUE(other.problem);
    EXPECT_THAT(other.problem->reason, HasSubstr("cpu_core"));
    EXPECT_THAT(other.problem->hint, HasSubstr("--cpu"));
}

TEST(CounterChoice, OnArmTakesThePmusTypeAndLeavesGenericEventsAlone) {
    EXPECT_EQ(only("instructions", kNeoverse).type, 8u);
    EXPECT_EQ(only("instructions", kNeoverse).config, 0x08u);
    EXPECT_EQ(only("perf::INSTRUCTIONS", kNeoverse).config, std::uint64_t{PERF_COUNT_HW_INSTRUCTIONS});
}

TEST(CounterChoice, GivesARoleToOneCounterOnly) {
    const auto roles = [](std::string_view list) {
        std::vector<CounterRole> found;
        for (const CounterRequest& each : choose(list).counters) found.push_back(each.role);
        return found;
    };
    EXPECT_THAT(roles("perf::CYCLES,perf::CPU-CYCLES:u"), ElementsAre(CounterRole::kCycles));
    EXPECT_THAT(roles("perf::INSTRUCTIONS,cycles,instructions"),
                ElementsAre(CounterRole::kOther, CounterRole::kCycles, CounterRole::kInstructions));
    EXPECT_THAT(roles("r412e,perf::CYCLES"), ElementsAre(CounterRole::kOther, CounterRole::kCycles));
}

TEST(CounterChoice, SaysWhichCacheTheGenericMissesMean) {
    EXPECT_THAT(choose("cache-misses", kSkylake).warnings, ElementsAre(HasSubstr("of the last level")));
    EXPECT_THAT(choose("cache-misses,cache-misses", kZen4).warnings, ElementsAre(HasSubstr("of the L2")));
    EXPECT_THAT(choose("perf::CACHE-MISSES", kNeoverse).warnings, ElementsAre(HasSubstr("of the L1 data cache")));
    EXPECT_THAT(choose("default", kSkylake).warnings, IsEmpty());
    EXPECT_EQ(only("cache-misses", kZen4).role, CounterRole::kOther);
}

TEST(CounterChoice, TakesTheNamesOfItsOwnTableWhereLibpfmIsTooOld) {
    const CoreCpu zen5{"AuthenticAMD", 0x1A, 0x02, CorePmu{"cpu", 4, {}}, false};
    const CounterRequest request =
        only("amd64_fam1ah_zen5::REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S", zen5);
    EXPECT_EQ(request.config, 0xE060u);
    EXPECT_EQ(request.role, CounterRole::kOther);
}

TEST(CounterChoice, OfASocketsEventIsKnownNotToCountAThread) {
    const EventEncoding energy{.event = "rapl::RAPL_ENERGY_PKG", .type = 9, .config = 2, .per_thread = false};
    const CounterRequest request = request_of("rapl::RAPL_ENERGY_PKG", energy, false, kSkylake);
    ASSERT_TRUE(request.problem);
    EXPECT_THAT(request.problem->reason, HasSubstr("for all cores together"));
}

TEST(CounterChoice, OfRandomBytesIsAnErrorOrAChoiceButNeverACrash) {
    constexpr std::string_view kAlphabet = "perf::cyclsINSTRUCTO-_,.:=:rx0123456789\n\t \xff";
    std::mt19937_64 random(20261121);
    int understood = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string list(random() % 24, ' ');
        const bool any_byte = i % 4 == 0;
        for (char& c : list) c = any_byte ? static_cast<char>(random() % 256) : kAlphabet[random() % kAlphabet.size()];
        const core::Expected<CounterChoice> choice = choose_counters(list, i % 2 == 0, kSkylake);
        understood += choice ? 1 : 0;
        if (choice) continue;
        ASSERT_EQ(choice.error().code, core::ErrorCode::kUsage);
        ASSERT_LT(choice.error().what.size(), 250u) << list;
    }
    EXPECT_LT(understood, 10'000) << "most of them are no names";
}

}  // namespace
}  // namespace tare::pmu
