// At stake: the self-test's yardstick. Work that does not do what it is said to do makes honest counters suspect. What
// the kernel counts of it is checked everywhere, its misses and branches where there is a PMU (counter_linux_test).
#include "pmu/known_work.h"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include "pmu/perf_kernel.h"

namespace tare::pmu {
namespace {

ThreadUsage used_by(KnownWork& work) {
    work.reset();
    const ThreadUsage before = linux_kernel().usage();
    work.run();
    const ThreadUsage after = linux_kernel().usage();
    return {.minor_faults = after.minor_faults - before.minor_faults,
            .major_faults = after.major_faults - before.major_faults,
            .voluntary_switches = after.voluntary_switches - before.voluntary_switches,
            .involuntary_switches = after.involuntary_switches - before.involuntary_switches};
}

/// Sandboxes that emulate a kernel report none.
bool counts_page_faults() {
    const ThreadUsage before = linux_kernel().usage();
    void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return false;
    *static_cast<volatile char*>(page) = 1;
    ::munmap(page, 4096);
    return linux_kernel().usage().minor_faults > before.minor_faults;
}

TEST(KnownWork, OfFreshPagesFaultsOnceAPageInEveryRun) {
    if (!counts_page_faults()) GTEST_SKIP() << "this kernel counts no page faults of a thread";
    auto work = KnownWork::prepare(WorkKind::kFreshPages);
    ASSERT_TRUE(work) << work.error().what;
    for (int run = 0; run < 3; ++run) {
        const ThreadUsage used = used_by(*work);
        EXPECT_GE(used.minor_faults, kFreshPages);
        EXPECT_LT(used.minor_faults, kFreshPages + 20);
    }
}

TEST(KnownWork, WithMemoryOfItsOwnFaultsNoMoreWhenItRuns) {
    for (const WorkKind kind : {WorkKind::kFlushedLines, WorkKind::kScatteredPages}) {
        auto work = KnownWork::prepare(kind);
        ASSERT_TRUE(work) << work.error().what;
        EXPECT_LT(used_by(*work).minor_faults, 20U) << static_cast<int>(kind);
    }
}

TEST(KnownWork, OfASleepGivesTheCpuAway) {
    auto work = KnownWork::prepare(WorkKind::kSleep);
    ASSERT_TRUE(work) << work.error().what;
    EXPECT_GE(used_by(*work).voluntary_switches, 1U);
}

TEST(KnownWork, OfEveryKindRunsMoreThanOnceAndAfterItWasMoved) {
    for (const WorkKind kind : {WorkKind::kLoop, WorkKind::kRandomBranches, WorkKind::kFlushedLines,
                                WorkKind::kScatteredPages, WorkKind::kFreshPages, WorkKind::kSleep}) {
        auto prepared = KnownWork::prepare(kind);
        ASSERT_TRUE(prepared) << prepared.error().what;
        KnownWork work = std::move(*prepared);
        for (int run = 0; run < 2; ++run) (void)used_by(work);
    }
}

}  // namespace
}  // namespace tare::pmu
