// At stake: `kill` of a profiler that leaves the program running for hours, or kills one that was just saving its work.
#include "harness/cli/signal_forwarding.h"

#include <gmock/gmock.h>
#include <signal.h>

namespace tare::cli {
namespace {

using testing::Eq;
using testing::Optional;

TEST(SignalForwarding, GivesTheProgramTimeToEndByItsOwn) {
    SignalForwarding forwarding;
    EXPECT_THAT(forwarding.due(0), Eq(std::nullopt));
    forwarding.sent(SIGTERM, 1000);
    EXPECT_THAT(forwarding.due(1000 + kForwardAfterNs - 1), Eq(std::nullopt));
    EXPECT_THAT(forwarding.due(1000 + kForwardAfterNs), Optional(SIGTERM));
    EXPECT_THAT(forwarding.due(1000 + kForwardAfterNs), Eq(std::nullopt)) << "once";
}

TEST(SignalForwarding, KillsAProgramThatIsAskedTwiceToEnd) {
    SignalForwarding forwarding;
    forwarding.sent(SIGTERM, 0);
    forwarding.sent(SIGTERM, 1);
    EXPECT_THAT(forwarding.due(kForwardAfterNs + 1), Optional(SIGTERM));
    EXPECT_THAT(forwarding.due(kForwardAfterNs + 1), Optional(SIGKILL));
}

TEST(SignalForwarding, KillsNoneThatIsInterruptedTwice) {
    SignalForwarding forwarding;
    forwarding.sent(SIGINT, 0);
    forwarding.sent(SIGINT, 1);
    forwarding.sent(SIGTERM, 2);
    EXPECT_THAT(forwarding.due(2 * kForwardAfterNs), Optional(SIGINT));
    EXPECT_THAT(forwarding.due(2 * kForwardAfterNs), Optional(SIGINT));
    EXPECT_THAT(forwarding.due(2 * kForwardAfterNs), Optional(SIGTERM));
}

}  // namespace
}  // namespace tare::cli
