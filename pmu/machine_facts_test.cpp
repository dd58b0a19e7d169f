// At stake: a record's context. What this machine does not say must be null with a reason, never 0 and never absent.
#include "pmu/machine_facts.h"

#include <gmock/gmock.h>

#include <string>

#include "pmu/folder_for_test.h"

namespace tare::pmu {
namespace {

using core::List;
using core::Map;
using core::Value;
using testing::HasSubstr;

struct MachineFacts : MachineOfFiles {
    void write_server() const {
        write("proc/cpuinfo",
              "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC 9R14\nstepping\t: 1\n"
              "microcode\t: 0xa101148\ncpu MHz\t\t: 3700.1\nflags\t\t: fpu avx512f\n\n");
        write("proc/sys/kernel/osrelease", "6.1.0-21-amd64\n");
        write("proc/sys/kernel/hostname", "bench1\n");
        write("proc/sys/kernel/randomize_va_space", "2\n");
        write("proc/sys/kernel/perf_event_paranoid", "-1\n");
        write("proc/loadavg", "0.50 0.25 0.125 1/90 6467\n");
        write("proc/meminfo", "MemTotal: 1024 kB\n");
        write("proc/stat", "cpu  1 2 3 4 5 6 7 8 9 0\n");
        const std::string cpus = "sys/devices/system/cpu/";
        write(cpus + "online", "0-1\n");
        write(cpus + "isolated", "1\n");
        write(cpus + "smt/control", "off\n");
        write(cpus + "cpufreq/boost", "1\n");
        write(cpus + "cpu0/cpufreq/cpuinfo_max_freq", "3709000\n");
        write(cpus + "cpu0/cpufreq/scaling_governor", "performance\n");
        write(cpus + "cpu1/cpufreq/scaling_governor", "schedutil\n");
        write(cpus + "cpu0/cache/index0/type", "Data\n");
        write(cpus + "cpu0/cache/index0/level", "1\n");
        write(cpus + "cpu0/cache/index0/size", "32K\n");
        write(cpus + "cpu0/cache/index0/shared_cpu_list", "0,96\n");
        write("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
        write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
        write("sys/class/dmi/id/sys_vendor", "Dell Inc.\n");
    }
};

TEST_F(MachineFacts, OfAServerAreWhatItsFilesSay) {
    write_server();
    const Value facts = machine_facts(root);
    EXPECT_EQ(facts["cpu_model"], Value("AMD EPYC 9R14"));
    EXPECT_EQ(facts["cpu_vendor"], Value("AuthenticAMD"));
    EXPECT_EQ(facts["cpu_family"], Value(25));
    EXPECT_EQ(facts["cpu_model_number"], Value(17));
    EXPECT_EQ(facts["cpu_stepping"], Value(1));
    EXPECT_EQ(facts["cpu_microcode"], Value("0xa101148"));
    EXPECT_EQ(facts["cpu_flags"], Value(List{"fpu", "avx512f"}));
    EXPECT_EQ(facts["mhz_per_cpu"], Value(3709.0));
    EXPECT_EQ(facts["num_cpus"], Value(2));
    EXPECT_EQ(facts["caches"],
              Value(List{Map{{"type", "Data"}, {"level", 1}, {"size_bytes", 32768}, {"num_sharing", 2}}}));
    EXPECT_EQ(facts["governors"], Value(List{"performance", "schedutil"}));
    EXPECT_EQ(facts["cpu_scaling_enabled"], Value(true));
    EXPECT_EQ(facts["turbo"], Value(true));
    EXPECT_EQ(facts["smt"], Value("off"));
    EXPECT_EQ(facts["aslr"], Value(2));
    EXPECT_EQ(facts["perf_event_paranoid"], Value(-1));
    EXPECT_EQ(facts["kernel_release"], Value("6.1.0-21-amd64"));
    EXPECT_EQ(facts["host_name"], Value("bench1"));
    EXPECT_EQ(facts["memory_total_bytes"], Value(1048576));
    EXPECT_EQ(facts["load_avg"], Value(List{0.5, 0.25, 0.125}));
    EXPECT_EQ(facts["steal_ticks"], Value(8));
    EXPECT_EQ(facts["isolated_cpus"], Value(List{1}));
    EXPECT_EQ(facts["transparent_hugepage"], Value("always"));
    EXPECT_EQ(facts["clocksource"], Value("tsc"));
    EXPECT_EQ(facts["virtualization"], Value("none"));
    EXPECT_EQ(facts["hypervisor"], Value(false));
    EXPECT_EQ(facts["container"], Value("none"));
    EXPECT_EQ(facts["reasons"], Value(Map{{"hypervisor_vendor", "no hypervisor is seen"}}));
}

TEST_F(MachineFacts, ThatCannotBeReadAreNilAndEachHasItsReason) {
    const Value facts = machine_facts(root);
    const Map& all = facts.as_map();
    int missing = 0;
    for (const auto& [key, value] : all) {
        EXPECT_EQ(value.is_nil(), !facts["reasons"][key].as_text().empty()) << key;
        missing += value.is_nil();
    }
    EXPECT_EQ(missing,
              25);  // all but affinity, architecture, container, fingerprint, hypervisor, virtualization, reasons
    EXPECT_EQ(facts["reasons"]["aslr"], Value("cannot read '/proc/sys/kernel/randomize_va_space'"));
    EXPECT_THAT(facts["reasons"]["turbo"].as_text(), HasSubstr("no_turbo"));
}

TEST_F(MachineFacts, OfAGuestWithoutFrequencyControlSayWhoSetsTheClock) {
    write_server();
    std::filesystem::remove_all(root / "sys/devices/system/cpu/cpu1/cpufreq");
    const Value facts = machine_facts(root);
    EXPECT_TRUE(facts["governors"].is_nil()) << "of one CPU of two is not an answer";
    EXPECT_TRUE(facts["cpu_scaling_enabled"].is_nil());
    EXPECT_THAT(facts["reasons"]["cpu_scaling_enabled"].as_text(), HasSubstr("hypervisor"));
}

TEST_F(MachineFacts, SayWhatADamagedFileHeld) {
    write("proc/sys/kernel/randomize_va_space", "maybe\n");
    EXPECT_EQ(machine_facts(root)["reasons"]["aslr"],
              Value("'/proc/sys/kernel/randomize_va_space' does not say: 'maybe'"));
}

TEST_F(MachineFacts, FingerprintChangesWithTheMicrocodeAndNotWithTheLoad) {
    write_server();
    const std::string before = machine_facts(root)["fingerprint"].as_text();
    EXPECT_EQ(before.size(), 16u);
    write("proc/loadavg", "9 9 9 1/90 6467\n");
    EXPECT_EQ(machine_facts(root)["fingerprint"].as_text(), before);
    write("proc/cpuinfo", "model name\t: AMD EPYC 9R14\nmicrocode\t: 0xa101149\n");
    EXPECT_NE(machine_facts(root)["fingerprint"].as_text(), before);
}

TEST(RealMachine, HasAFactOrAReasonForEverything) {
    const Value facts = machine_facts();
    EXPECT_GT(facts["num_cpus"].as_int(), 0);
    EXPECT_FALSE(facts["affinity"].as_list().empty());
    EXPECT_GT(facts["memory_total_bytes"].as_int(), 1 << 20);
    for (const auto& [key, value] : facts.as_map())
        EXPECT_EQ(value.is_nil(), !facts["reasons"][key].as_text().empty()) << key;
}

}  // namespace
}  // namespace tare::pmu
