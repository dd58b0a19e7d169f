// At stake: a container of 0.5 CPUs stands still for half of each 0.1 s; the limit may be set four groups further up.
#include "pmu/cpu_quota.h"

#include <gmock/gmock.h>

#include "pmu/folder_for_test.h"

namespace tare::pmu {
namespace {

using CpuQuotaOf = MachineOfFiles;

TEST(CpuMax, IsInCpusOrNoLimit) {
    EXPECT_EQ(parse_cpu_max("150000 100000\n"), 1.5);
    EXPECT_EQ(parse_cpu_max("max 100000\n"), std::nullopt);
    EXPECT_EQ(parse_cpu_max("-1 100000"), std::nullopt);
    for (const char* damaged : {"", "100000", "1 2 3", "0 100000", "100000 0", "x y"})
        EXPECT_EQ(parse_cpu_max(damaged), std::nullopt) << damaged;
}

TEST(ThrottledPeriods, AreThoseOfCpuStat) {
    EXPECT_EQ(parse_throttled_periods("nr_periods 10\nnr_throttled 4\nthrottled_time 9\n"), 4);
    EXPECT_EQ(parse_throttled_periods("usage_usec 10\n"), std::nullopt);
    EXPECT_EQ(parse_throttled_periods("nr_throttled"), std::nullopt);
}

TEST(Cgroup, IsFoundByItsController) {
    const char* hybrid = "9:name=systemd:/a\n4:cpu,cpuacct:/user slice/b\n1:cpuset:/c\n0::/d\n";
    EXPECT_EQ(parse_cgroup(hybrid, "cpu"), "/user slice/b");
    EXPECT_EQ(parse_cgroup(hybrid, "cpuacct"), "/user slice/b");
    EXPECT_EQ(parse_cgroup(hybrid, ""), "/d");
    EXPECT_EQ(parse_cgroup("1:cpuset:/c\n", "cpu"), std::nullopt);
    EXPECT_EQ(parse_cgroup("damaged\n", ""), std::nullopt);
}

TEST_F(CpuQuotaOf, Version2IsTheNarrowestOfTheGroupsAbove) {
    write("proc/self/cgroup", "0::/system.slice/job.service/inner\n");
    write("sys/fs/cgroup/cpu.stat", "usage_usec 1\n");
    write("sys/fs/cgroup/system.slice/cpu.max", "400000 100000\n");
    write("sys/fs/cgroup/system.slice/job.service/cpu.max", "50000 100000\n");
    write("sys/fs/cgroup/system.slice/job.service/cpu.stat", "nr_periods 9\nnr_throttled 7\n");
    write("sys/fs/cgroup/system.slice/job.service/inner/cpu.max", "max 100000\n");
    EXPECT_EQ(cpu_quota(root).value(), (CpuQuota{.cpus = 0.5, .throttled_periods = 7}));
}

TEST_F(CpuQuotaOf, AContainerThatSeesTheHostsPathIsItsOwnRoot) {
    write("proc/self/cgroup", "0::/../../docker/4711\n");
    write("sys/fs/cgroup/cpu.max", "200000 100000\n");
    EXPECT_EQ(cpu_quota(root).value(), (CpuQuota{.cpus = 2.0, .throttled_periods = {}}));
}

TEST_F(CpuQuotaOf, Version1IsReadFromItsController) {
    write("proc/self/cgroup", "4:cpu,cpuacct:/box\n0::/\n");
    write("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "150000\n");
    write("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
    write("sys/fs/cgroup/cpu,cpuacct/box/cpu.stat", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
    EXPECT_EQ(cpu_quota(root).value(), (CpuQuota{.cpus = 1.5, .throttled_periods = 0}));
    write("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "-1\n");
    EXPECT_EQ(cpu_quota(root).value(), (CpuQuota{.cpus = {}, .throttled_periods = 0}));
}

TEST_F(CpuQuotaOf, AMachineWithoutTheControllerIsUnknownAndNotUnlimited) {
    write("proc/self/cgroup", "0::/\n");
    EXPECT_THAT(cpu_quota(root).error().what, testing::HasSubstr("no control group with a CPU controller"));
}

}  // namespace
}  // namespace tare::pmu
