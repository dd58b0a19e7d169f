// Number at stake: none. What the kernel refuses has no number: an event that the core lacks, kernel counting that the
// paranoid level forbids, descriptors that are used up, a machine without PMU. Here it is the real kernel that refuses.
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "pmu/emulated/counting_machine.h"
#include "pmu/emulated/known_loop.h"
#include "pmu/plain_counter_for_test.h"

namespace tare::pmu::emulated {
namespace {

using core::CounterState;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST_F(EmulatedMachine, EventThatTheCoreLacksIsUnavailableAndCostsOnlyItself) {
    CounterSet set = CounterSet::open({generic_cache_misses(), cycles(), instructions()}, linux_kernel());
    const core::CounterOutcome& absent = set.counters().outcomes[0];
    ASSERT_EQ(absent.state, CounterState::kUnavailable);
    ASSERT_TRUE(absent.problem);
    EXPECT_EQ(absent.problem->errno_name, "ENOENT");
    EXPECT_THAT(absent.problem->reason, Not(HasSubstr("no PMU"))) << "the machine has one";
    ASSERT_THAT(set.counters().passes, SizeIs(1)) << described(set);
    EXPECT_THAT(names_of(set, 0), ElementsAre("cycles", "instructions"));
    EXPECT_THAT(counted(set, 0, tare_known_loop, 10), SizeIs(2));
}

/// The limit of descriptors at what the process has open, for one scope.
class NoDescriptors {
  public:
    NoDescriptors() {
        getrlimit(RLIMIT_NOFILE, &old_);
        rlimit none = old_;
        none.rlim_cur = 0;
        setrlimit(RLIMIT_NOFILE, &none);
    }
    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;
    ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &old_); }

  private:
    rlimit old_{};
};

TEST_F(EmulatedMachine, ExhaustedDescriptorsAreNamed) {
    std::vector<CounterSet> sets;
    {
        const NoDescriptors limit;
        sets.push_back(CounterSet::open({instructions()}, linux_kernel()));
    }
    const core::CounterOutcome& outcome = sets.front().counters().outcomes[0];
    ASSERT_EQ(outcome.state, CounterState::kUnavailable);
    ASSERT_TRUE(outcome.problem);
    EXPECT_EQ(outcome.problem->errno_name, "EMFILE");
    EXPECT_THAT(outcome.problem->reason + outcome.problem->hint, HasSubstr("ulimit -n"));
}

/// Another effective user, for one scope.
class AsUser {
  public:
    explicit AsUser(uid_t user) : failed_(seteuid(user) != 0) {}
    AsUser(const AsUser&) = delete;
    AsUser& operator=(const AsUser&) = delete;
    ~AsUser() {
        if (seteuid(0) != 0) ADD_FAILURE() << "cannot become root again";
    }
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    bool failed_;
};

constexpr uid_t kNobody = 65534;
constexpr const char* kParanoidLevel = "/proc/sys/kernel/perf_event_paranoid";

TEST_F(EmulatedMachine, ParanoidLevelThreeIsNamedToTheUnprivileged) {
    std::ofstream(kParanoidLevel) << 3;
    std::vector<CounterSet> sets;
    {
        const AsUser nobody(kNobody);
        ASSERT_FALSE(nobody.failed());
        sets.push_back(CounterSet::open({instructions()}, linux_kernel()));
    }
    const core::CounterOutcome& outcome = sets.front().counters().outcomes[0];
    ASSERT_EQ(outcome.state, CounterState::kUnavailable);
    ASSERT_TRUE(outcome.problem);
    EXPECT_EQ(outcome.problem->errno_name, "EACCES");
    EXPECT_THAT(outcome.problem->reason, HasSubstr("perf_event_paranoid is 3"));
}

TEST_F(EmulatedMachine, ParanoidLevelTwoLetsTheUnprivilegedCountUserSpaceButNotTheKernel) {
    std::ofstream(kParanoidLevel) << 2;
    core::CounterRequest in_kernel = instructions();
    in_kernel.name = "instructions in the kernel";
    in_kernel.kernel = true;
    std::vector<CounterSet> sets;
    {
        const AsUser nobody(kNobody);
        ASSERT_FALSE(nobody.failed());
        sets.push_back(CounterSet::open({instructions(), in_kernel}, linux_kernel()));
        (void)counted(sets.front(), 0, tare_known_loop, 10);
        const auto empty = counted(sets.front(), 0, tare_empty_call, 1'000);
        const auto gross = counted(sets.front(), 0, tare_known_loop, 1'000);
        ASSERT_THAT(gross, SizeIs(1)) << described(sets.front());
        EXPECT_EQ(gross[0] - empty[0], 2'000);
    }
    const core::CounterOutcome& outcome = sets.front().counters().outcomes[1];
    ASSERT_EQ(outcome.state, CounterState::kUnavailable);
    EXPECT_EQ(outcome.problem->errno_name, "EACCES");
}

/// As the profile of a container does: this call is answered with EPERM from now on, in this process.
bool forbid_perf_event_open() {
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{.len = std::size(filter), .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(Sandbox, ThatForbidsTheCallIsNamed) {
    EXPECT_EXIT(
        {
            if (!forbid_perf_event_open()) std::exit(2);
            const CounterSet set = CounterSet::open({instructions(), task_clock()}, linux_kernel());
            for (const core::CounterOutcome& outcome : set.counters().outcomes)
                if (!outcome.problem || outcome.problem->errno_name != "EPERM" ||
                    outcome.problem->reason.find("seccomp") == std::string::npos)
                    std::exit(1);
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
}

TEST_F(NoPmu, HardwareCountersAreUnavailableWithTheReason) {
    const CounterSet set = CounterSet::open({cycles(), instructions(), raw("r8", kInstRetired)}, linux_kernel());
    ASSERT_EQ(open_plain_counter(PERF_COUNT_HW_INSTRUCTIONS), -1);
    const std::string refusal = strerrorname_np(errno);  // EPERM or EACCES where the call itself is forbidden
    EXPECT_THAT(set.counters().passes, IsEmpty());
    for (const core::CounterOutcome& outcome : set.counters().outcomes) {
        EXPECT_EQ(outcome.state, CounterState::kUnavailable);
        ASSERT_TRUE(outcome.problem);
        EXPECT_EQ(outcome.problem->errno_name, refusal);
        if (outcome.problem->errno_name == "ENOENT") {
            EXPECT_THAT(outcome.problem->reason, HasSubstr("no PMU"));
        }
    }
}

TEST_F(NoPmu, SoftwareCountersCountAllTheSame) {
    CounterSet set = CounterSet::open({cycles(), task_clock()}, linux_kernel());
    if (set.counters().outcomes[1].state == CounterState::kUnavailable)
        GTEST_SKIP() << "the kernel refuses software counters, too: " << described(set);
    ASSERT_THAT(set.counters().passes, SizeIs(1)) << described(set);
    EXPECT_THAT(names_of(set, 0), ElementsAre("task_clock"));
    const auto gross = counted(set, 0, tare_known_loop, 1'000'000);
    ASSERT_THAT(gross, SizeIs(1));
    EXPECT_GT(gross[0], 100'000) << "ns of a million iterations";
}

}  // namespace
}  // namespace tare::pmu::emulated
