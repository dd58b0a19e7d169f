// WarmUp: how many passes a fresh placement is executed for before anything of it is timed. Pure; nanoseconds.
#pragma once

#include <cstdint>
#include <limits>

namespace tare::measure {

/// One loop of one placement. By the fastest of its passes: a preemption must not end a warm-up, for both sides of a
/// duet do the same, and CPython specialises what was executed often enough.
class WarmUp {
  public:
    static constexpr int kMostPasses = 20;  ///< CPython 3.11 specialises a bytecode after 8 to 16 executions
    static constexpr std::int64_t kLimitNs = 2'000'000;      ///< a slow statement needs no more: it has warmed itself
    static constexpr int kFewestPasses = 3;                  ///< of which not each is preempted
    static constexpr std::int64_t kSlowPassNs = 20'000'000;  ///< longer than a scheduler lets others run: one is enough
    /// What is done before each execution of a statement that is timed alone may be slow: then as many as make CPython
    /// 3.12 specialise a bytecode, and nearly as many as 3.11 takes.
    static constexpr int kFewestPassesAlone = 9;
    static constexpr std::int64_t kLongNs = 100'000'000;

    /// `fewest_alone`: passes of a loop whose executions are timed alone, however slow what is done before them is; 0
    /// of another loop.
    explicit WarmUp(int fewest_alone = 0) : fewest_alone_(fewest_alone) {}

    /// A pass took so long, and all of the warm-up until now. True: it was the last one.
    [[nodiscard]] bool passed(std::int64_t took_ns, std::int64_t until_now_ns);

    [[nodiscard]] std::int64_t first_ns() const { return first_ns_; }      ///< 0 before it
    [[nodiscard]] std::int64_t fastest_ns() const { return fastest_ns_; }  ///< the largest number before the first

  private:
    int fewest_alone_;
    int passes_ = 0;
    std::int64_t first_ns_ = 0;
    std::int64_t fastest_ns_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace tare::measure
