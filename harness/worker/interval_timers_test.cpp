// At stake: a timer of the suite's own that fires inside a stepped statement is 3,000 instructions of another story.
#include "harness/worker/interval_timers.h"

#include <gmock/gmock.h>

namespace tare::worker {
namespace {

TEST(IntervalTimers, AreOffForAWhileAndThenRunOn) {
    const itimerval none{};
    setitimer(ITIMER_REAL, &none, nullptr);  // what started this program may have left one
    itimerval hour{};
    hour.it_value.tv_sec = 3600;
    hour.it_interval.tv_sec = 7;
    setitimer(ITIMER_PROF, &hour, nullptr);
    itimerval seen{};
    {
        const IntervalTimersOff off;
        getitimer(ITIMER_PROF, &seen);
        EXPECT_FALSE(timerisset(&seen.it_value));
    }
    getitimer(ITIMER_PROF, &seen);
    EXPECT_GT(seen.it_value.tv_sec, 3500);
    EXPECT_EQ(seen.it_interval.tv_sec, 7);
    getitimer(ITIMER_REAL, &seen);
    EXPECT_FALSE(timerisset(&seen.it_value)) << "one that was off stays off";
    setitimer(ITIMER_PROF, &none, nullptr);
}

}  // namespace
}  // namespace tare::worker
