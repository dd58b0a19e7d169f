// SignalForwarding: which signals that a process sent to `bench` the profiled program is to get, and when. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tare::cli {

/// Whether a sender meant `bench` alone (a supervisor's `kill PID`) or its whole process group (`kill -- -PGID`) cannot
/// be seen. So the program is first given so much time to end by its own signal: one who got two SIGINTs may be stopped
/// in the middle of what it does about the first.
inline constexpr std::int64_t kForwardAfterNs = 200'000'000;

class SignalForwarding {
  public:
    /// SIGINT or SIGTERM. The first SIGTERM is forwarded, from the second on SIGKILL: who asks twice means it. Of
    /// SIGINT, which some programs live with, each is forwarded.
    void sent(int number, std::int64_t now_ns);
    /// A signal that the program is to get now. None: not now; more than one: call again.
    [[nodiscard]] std::optional<int> due(std::int64_t now_ns);

  private:
    struct Pending {
        int number;
        std::int64_t at_ns;
    };
    std::vector<Pending> pending_;
    bool asked_to_end_ = false;
};

}  // namespace tare::cli
