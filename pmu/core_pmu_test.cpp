// At stake: every hardware counter. A device taken for a core's PMU hides that the machine has none; one overlooked, or
// the wrong one of a hybrid machine, gives counters that never count.
#include "pmu/core_pmu.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>

namespace tare::pmu {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

/// A machine made of files.
struct CorePmus : testing::Test {
    std::filesystem::path root;

    void SetUp() override {
        std::string name = testing::TempDir() + "tare_pmus_XXXXXX";
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        root = name;
    }
    void TearDown() override { std::filesystem::remove_all(root); }

    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((root / path).parent_path());
        std::ofstream(root / path) << text;
    }
    void write_pmu(const std::string& name, const std::string& type, const std::string& cpus = {}) const {
        write("sys/bus/event_source/devices/" + name + "/type", type + "\n");
        if (!cpus.empty()) write("sys/bus/event_source/devices/" + name + "/cpus", cpus + "\n");
    }
    void write_what_every_kernel_has() const {
        for (const char* name : {"software", "tracepoint", "breakpoint", "kprobe", "uprobe", "msr", "power",
                                 "cstate_core", "uncore_imc_0", "amd_l3", "amd_df", "ibs_op", "intel_pt"})
            write_pmu(name, "7");
    }
};

TEST_F(CorePmus, OfAGuestWithoutOneAreNone) {
    write_what_every_kernel_has();
    EXPECT_THAT(core_pmus(root), IsEmpty());
    EXPECT_EQ(core_cpu(0, root).pmu, std::nullopt);
    EXPECT_FALSE(core_cpu(0, root).hybrid);
}

TEST_F(CorePmus, OfAMachineWithoutSysfsAreNone) {
    EXPECT_THAT(core_pmus(root), IsEmpty());
    EXPECT_EQ(core_cpu(0, root), CoreCpu());
}

TEST_F(CorePmus, OfAServerAreTheOneOfItsCores) {
    write_what_every_kernel_has();
    write_pmu("cpu", "4");
    EXPECT_THAT(core_pmus(root), ElementsAre(CorePmu{.name = "cpu", .type = 4, .cpus = {}}));
}

TEST_F(CorePmus, OfOtherMakersAreKnownByTheirListOfCpus) {
    write_what_every_kernel_has();
    write_pmu("apple_firestorm_pmu", "10", "4-7");
    write_pmu("arm_dsu_0", "11", "0-3");
    write_pmu("uncore_cbox_1", "12", "0");
    EXPECT_THAT(core_pmus(root), ElementsAre(CorePmu{.name = "apple_firestorm_pmu", .type = 10, .cpus = {4, 5, 6, 7}}));
}

TEST_F(CorePmus, WithoutAReadableTypeAreNoneThatCouldBeOpened) {
    write_pmu("cpu", "?");
    EXPECT_THAT(core_pmus(root), IsEmpty());
}

TEST_F(CorePmus, OfAHybridMachineBelongToTheirCpus) {
    write_pmu("cpu_core", "4", "0-1");
    write_pmu("cpu_atom", "10", "2-3");
    write("proc/cpuinfo",
          "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 151\nflags\t\t: fpu\n\n"
          "processor\t: 2\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 152\nflags\t\t: fpu\n\n");
    const CoreCpu big = core_cpu(0, root);
    const CoreCpu small = core_cpu(2, root);
    EXPECT_TRUE(big.hybrid);
    EXPECT_THAT(big.pmu, Optional(CorePmu{.name = "cpu_core", .type = 4, .cpus = {0, 1}}));
    EXPECT_THAT(small.pmu, Optional(CorePmu{.name = "cpu_atom", .type = 10, .cpus = {2, 3}}));
    EXPECT_EQ(big.vendor, "GenuineIntel");
    EXPECT_EQ(big.family, 6);
    EXPECT_EQ(big.model, 151);
    EXPECT_EQ(small.model, 152) << "of that CPU, not of the first";
    EXPECT_EQ(core_cpu(9, root).pmu, std::nullopt) << "no PMU counts there";
}

TEST_F(CorePmus, OfArmCoresComeWithImplementerAndPart) {
    write_pmu("armv8_pmuv3_0", "8", "0");
    write_pmu("armv8_pmuv3_1", "9", "1");
    write("proc/cpuinfo",
          "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
          "CPU part\t: 0xd0c\nCPU revision\t: 1\n\nprocessor\t: 1\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd\n"
          "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd49\nCPU revision\t: 0\n\n");
    const CoreCpu cpu = core_cpu(1, root);
    EXPECT_EQ(cpu.vendor, "0x41");
    EXPECT_EQ(cpu.family, 8);
    EXPECT_EQ(cpu.model, 0xd49);
    EXPECT_THAT(cpu.pmu, Optional(CorePmu{.name = "armv8_pmuv3_1", .type = 9, .cpus = {1}}));
    EXPECT_TRUE(cpu.hybrid);
}

}  // namespace
}  // namespace tare::pmu
