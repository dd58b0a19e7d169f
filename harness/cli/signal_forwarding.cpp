// In the order of their coming.
#include "harness/cli/signal_forwarding.h"

#include <signal.h>

namespace tare::cli {

void SignalForwarding::sent(int number, std::int64_t now_ns) {
    const bool insists = number == SIGTERM && asked_to_end_;
    asked_to_end_ = asked_to_end_ || number == SIGTERM;
    pending_.push_back({insists ? SIGKILL : number, now_ns + kForwardAfterNs});
}

std::optional<int> SignalForwarding::due(std::int64_t now_ns) {
    if (pending_.empty() || now_ns < pending_.front().at_ns) return std::nullopt;
    const int number = pending_.front().number;
    pending_.erase(pending_.begin());
    return number;
}

}  // namespace tare::cli
