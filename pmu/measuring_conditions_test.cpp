// At stake: a counter taken by the NMI watchdog, a core shared by two hardware threads, a clock whose governor was not
// read: what is not known must be nil with its reason, so that nobody calls it good.
#include "pmu/measuring_conditions.h"

#include <gmock/gmock.h>
#include <sys/personality.h>

#include "pmu/folder_for_test.h"

namespace tare::pmu {
namespace {

using core::List;
using core::Value;
using testing::HasSubstr;
using testing::SizeIs;

/// A sandbox refuses even to be asked: then that one thing, which is of the process and no file's, is not known.
bool is_told_of_addresses() {
    return ::personality(0xffffffff) != -1;
}

struct MeasuringConditions : MachineOfFiles {
    void write_server() const {
        const std::string cpus = "sys/devices/system/cpu/";
        write(cpus + "cpu3/cpufreq/scaling_governor", "powersave\n");
        write(cpus + "cpu3/cpufreq/scaling_driver", "intel_pstate\n");
        write(cpus + "intel_pstate/no_turbo", "0\n");
        write(cpus + "cpu3/topology/thread_siblings_list", "3,7\n");
        write(cpus + "cpu3/thermal_throttle/core_throttle_count", "4\n");
        write(cpus + "cpu3/thermal_throttle/package_throttle_count", "9\n");
        write(cpus + "nohz_full", "2-3\n");
        write("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet acpi_pm \n");
        write("proc/cmdline", "root=/dev/sda1 rcu_nocbs=3 quiet\n");
        write("proc/sys/kernel/nmi_watchdog", "1\n");
        write("proc/meminfo", "MemTotal: 8 kB\nMemAvailable: 4 kB\nSwapTotal: 2 kB\nSwapFree: 1 kB\n");
        write("proc/self/cgroup", "0::/box\n");
        write("sys/fs/cgroup/box/cpu.max", "150000 100000\n");
        write("sys/fs/cgroup/box/cpu.stat", "nr_throttled 5\n");
    }
};

TEST_F(MeasuringConditions, OfAServerAreWhatItsFilesSay) {
    write_server();
    const Value facts = measuring_conditions(3, root);
    EXPECT_EQ(facts["governor"], Value("powersave"));
    EXPECT_EQ(facts["scaling_driver"], Value("intel_pstate"));
    EXPECT_EQ(facts["turbo_control"], Value("intel_pstate"));
    EXPECT_EQ(facts["smt_siblings"], Value(List{7}));
    EXPECT_EQ(facts["thermal_throttles"], Value(13));
    EXPECT_EQ(facts["nohz_full_cpus"], Value(List{2, 3}));
    EXPECT_EQ(facts["rcu_nocbs_cpus"], Value(List{3}));
    EXPECT_EQ(facts["available_clocksources"], Value(List{"tsc", "hpet", "acpi_pm"}));
    EXPECT_EQ(facts["nmi_watchdog"], Value(1));
    EXPECT_EQ(facts["memory_available_bytes"], Value(4096));
    EXPECT_EQ(facts["swap_total_bytes"], Value(2048));
    EXPECT_EQ(facts["swap_free_bytes"], Value(1024));
    EXPECT_EQ(facts["cpu_limited"], Value(true));
    EXPECT_EQ(facts["cpu_quota_cpus"], Value(1.5));
    EXPECT_EQ(facts["throttled_periods"], Value(5));
    EXPECT_EQ(facts["fixed_addresses"].is_bool(), is_told_of_addresses());
    EXPECT_THAT(facts["reasons"].as_map(), SizeIs(is_told_of_addresses() ? 0 : 1));
}

TEST_F(MeasuringConditions, ThatCannotBeReadAreNilAndEachHasItsReason) {
    const Value facts = measuring_conditions(3, root);
    for (const auto& [key, value] : facts.as_map()) {
        const bool is_known = key == "reasons" || (key == "fixed_addresses" && is_told_of_addresses());
        EXPECT_EQ(value.is_nil(), !is_known) << key;
        EXPECT_EQ(value.is_nil(), !facts["reasons"][key].as_text().empty()) << key;
    }
    EXPECT_THAT(facts["reasons"]["governor"].as_text(), HasSubstr("hypervisor"));
}

TEST_F(MeasuringConditions, OfAnUnlimitedGroupSayThatThereIsNoLimit) {
    write_server();
    write("sys/fs/cgroup/box/cpu.max", "max 100000\n");
    const Value facts = measuring_conditions(3, root);
    EXPECT_EQ(facts["cpu_limited"], Value(false));
    EXPECT_TRUE(facts["cpu_quota_cpus"].is_nil());
    EXPECT_EQ(facts["reasons"]["cpu_quota_cpus"], Value("no limit is set"));
}

TEST_F(MeasuringConditions, KnowNothingOfTheSiblingsOfACpuThatIsNotThere) {
    write("sys/devices/system/cpu/cpu3/topology/thread_siblings_list", "0-1\n");
    EXPECT_TRUE(measuring_conditions(3, root)["smt_siblings"].is_nil());
    write("sys/devices/system/cpu/cpu3/topology/thread_siblings_list", "3\n");
    EXPECT_EQ(measuring_conditions(3, root)["smt_siblings"], Value(List{})) << "a core of its own is a fact";
}

TEST_F(MeasuringConditions, TakeAKernelWithoutNohzFullForOneWithNoSuchCpu) {
    write("sys/devices/system/cpu/nohz_full", "(null)\n");
    EXPECT_EQ(measuring_conditions(3, root)["nohz_full_cpus"], Value(List{}));
}

}  // namespace
}  // namespace tare::pmu
