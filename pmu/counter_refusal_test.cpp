// At stake: the one line that tells a person why there are no counters. Each cause gives its own message, with the
// value that decides it and the way out; a wrong one sends people to change what does not matter.
#include "pmu/counter_refusal.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>

namespace tare::pmu {
namespace {

using core::CounterProblem;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;

core::CounterRequest request(core::CounterSource source = core::CounterSource::kHardware, bool kernel = false) {
    core::CounterRequest made;
    made.name = "l1d_misses";
    made.event = "skx::L1D:REPLACEMENT";
    made.pmu = "cpu_core";
    made.source = source;
    made.type = 4;
    made.config = 0x151;
    made.kernel = kernel;
    return made;
}

/// A server on which an unprivileged user counts.
CountingSurroundings server() {
    return {.has_core_pmu = true,
            .hypervisor = false,
            .container = false,
            .paranoid = 2,
            .privileged = false,
            .descriptor_limit = 256};
}

TEST(Refusal, OfAnyEventWithoutAPmuSaysSoAndNamesNoEvent) {
    CountingSurroundings guest = server();
    guest.has_core_pmu = false;
    guest.hypervisor = true;
    const CounterProblem problem = refusal(ENOENT, request(), guest);
    EXPECT_EQ(problem.errno_name, "ENOENT");
    EXPECT_EQ(problem.reason, "this machine exposes no PMU");
    EXPECT_THAT(problem.hint, HasSubstr("bare metal"));
    guest.hypervisor = false;
    EXPECT_THAT(refusal(ENOENT, request(), guest).hint, HasSubstr("driver"));
}

TEST(Refusal, OfOneEventWhereThereIsAPmuNamesIt) {
    const CounterProblem problem = refusal(ENOENT, request(), server());
    EXPECT_THAT(problem.reason, HasSubstr("no event skx::L1D:REPLACEMENT"));
    EXPECT_THAT(problem.hint, HasSubstr("bench pmu list"));
}

TEST(Refusal, OfASoftwareEventIsTheKernels) {
    CountingSurroundings guest = server();
    guest.has_core_pmu = false;
    EXPECT_THAT(refusal(ENOENT, request(core::CounterSource::kSoftware), guest).reason, HasSubstr("this kernel"));
}

TEST(Refusal, ByTheParanoidLevelGivesTheLevelAndTheOneThatWouldDo) {
    CountingSurroundings closed = server();
    closed.paranoid = 3;
    const CounterProblem problem = refusal(EACCES, request(), closed);
    EXPECT_EQ(problem.errno_name, "EACCES");
    EXPECT_EQ(problem.reason, "kernel.perf_event_paranoid is 3, which forbids to count");
    EXPECT_EQ(problem.hint, "as root `sysctl kernel.perf_event_paranoid=2`, or give the process CAP_PERFMON");
}

TEST(Refusal, OfKernelCountsAtLevel2OffersUserSpace) {
    const auto hardware = core::CounterSource::kHardware;
    const CounterProblem problem = refusal(EACCES, request(hardware, true), server());
    EXPECT_EQ(problem.reason, "kernel.perf_event_paranoid is 2, which forbids to count in the kernel");
    EXPECT_THAT(problem.hint, HasSubstr("count user space only"));
    EXPECT_THAT(problem.hint, HasSubstr("perf_event_paranoid=1"));
    CountingSurroundings closed = server();
    closed.paranoid = 4;
    EXPECT_THAT(refusal(EACCES, request(hardware, true), closed).hint, Not(HasSubstr("user space only")));
}

TEST(Refusal, ThatTheParanoidLevelDoesNotExplainBlamesNoLevel) {
    EXPECT_THAT(refusal(EACCES, request(), server()).reason, HasSubstr("security policy"));
    CountingSurroundings root = server();
    root.privileged = true;
    root.paranoid = 3;
    EXPECT_THAT(refusal(EACCES, request(), root).reason, HasSubstr("security policy"));
    CountingSurroundings unknown = server();
    unknown.paranoid = std::nullopt;
    EXPECT_THAT(refusal(EACCES, request(), unknown).reason, HasSubstr("not readable"));
}

TEST(Refusal, InAContainerNamesTheCapability) {
    CountingSurroundings container = server();
    container.container = true;
    const CounterProblem problem = refusal(EPERM, request(), container);
    EXPECT_EQ(problem.errno_name, "EPERM");
    EXPECT_THAT(problem.reason, HasSubstr("container's seccomp profile"));
    EXPECT_THAT(problem.hint, HasSubstr("--cap-add PERFMON"));
    EXPECT_THAT(refusal(EPERM, request(), server()).reason, Not(HasSubstr("container")));
}

TEST(Refusal, ForWantOfDescriptorsGivesTheLimit) {
    const CounterProblem process = refusal(EMFILE, request(), server());
    EXPECT_THAT(process.reason, HasSubstr("(limit 256)"));
    EXPECT_THAT(process.hint, HasSubstr("ulimit -n"));
    EXPECT_THAT(refusal(ENFILE, request(), server()).hint, HasSubstr("fs.file-max"));
}

TEST(Refusal, OfAnEncodingGivesIt) {
    EXPECT_THAT(refusal(EINVAL, request(), server()).reason, HasSubstr("type 4, config 0x151"));
}

TEST(Refusal, WithoutAnErrnoIsAboutScheduling) {
    const CounterProblem problem = refusal(0, request(), server());
    EXPECT_EQ(problem.errno_name, "");
    EXPECT_THAT(problem.reason, HasSubstr("cannot be scheduled"));
    EXPECT_THAT(problem.hint, HasSubstr("nmi_watchdog"));
}

TEST(Refusal, OfEveryCauseIsAMessageOfItsOwnWithAWayOut) {
    std::set<std::string> reasons;
    for (const int value :
         {0, ENOENT, EACCES, EPERM, ENOSYS, EINVAL, EOPNOTSUPP, EMFILE, ENFILE, EBUSY, ENODEV, ENOMEM}) {
        const CounterProblem problem = refusal(value, request(), server());
        EXPECT_FALSE(problem.hint.empty()) << value;
        EXPECT_THAT(problem.errno_name, Not(HasSubstr("errno"))) << value;
        EXPECT_TRUE(reasons.insert(problem.reason).second) << problem.reason;
    }
    EXPECT_EQ(refusal(ENOTTY, request(), server()).errno_name, "errno 25");
    EXPECT_THAT(refusal(ENODEV, request(), server()).reason, HasSubstr("cpu_core"));
}

/// A machine made of files.
struct Surroundings : testing::Test {
    std::filesystem::path root;

    void SetUp() override {
        std::string name = testing::TempDir() + "tare_surroundings_XXXXXX";
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        root = name;
    }
    void TearDown() override { std::filesystem::remove_all(root); }
    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((root / path).parent_path());
        std::ofstream(root / path) << text;
    }
};

TEST_F(Surroundings, AreReadFromTheMachinesFiles) {
    write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor\n\n");
    write("proc/sys/kernel/perf_event_paranoid", "4\n");
    write("proc/self/status", "Name:\tbench\nUid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\n");
    write(".dockerenv", "");
    write("sys/bus/event_source/devices/cpu/type", "4\n");
    const CountingSurroundings found = counting_surroundings(root);
    EXPECT_TRUE(found.has_core_pmu);
    EXPECT_TRUE(found.hypervisor);
    EXPECT_TRUE(found.container);
    EXPECT_THAT(found.paranoid, Optional(4));
    EXPECT_FALSE(found.privileged);
    EXPECT_TRUE(found.descriptor_limit);
}

TEST_F(Surroundings, AreUnprivilegedWithoutRootAndTheCapability) {
    write("proc/self/status", "Uid:\t0\t1000\t0\t0\nCapEff:\t000000bfffffffff\n");
    EXPECT_FALSE(counting_surroundings(root).privileged)
        << "all capabilities but CAP_PERFMON; the effective user counts";
    write("proc/self/status", "Uid:\t1000\t1000\t0\t0\nCapEff:\t0000004000000000\n");
    EXPECT_TRUE(counting_surroundings(root).privileged) << "CAP_PERFMON";
    write("proc/self/status", "Uid:\t1000\t0\t0\t0\nCapEff:\t0000000000000000\n");
    EXPECT_TRUE(counting_surroundings(root).privileged) << "root";
}

TEST_F(Surroundings, OfWhichNothingCanBeReadAreUnknown) {
    const CountingSurroundings found = counting_surroundings(root);
    EXPECT_FALSE(found.has_core_pmu);
    EXPECT_EQ(found.paranoid, std::nullopt);
    EXPECT_FALSE(found.privileged);
}

}  // namespace
}  // namespace tare::pmu
