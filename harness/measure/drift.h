// Drift: whether a statement's cost changes as it is repeated, because it changes what it works on: a list that is
// sorted after the first time, a queue that grows. Pure; nanoseconds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tare::measure {

enum class DriftKind {
    kFalls,  ///< the first executions after a set-up cost more than later ones
    kRises,  ///< those of a batch more than the first ones
};
/// "falls", "rises"
[[nodiscard]] std::string_view name_of(DriftKind kind);
[[nodiscard]] std::optional<DriftKind> drift_named(std::string_view name);
/// What a user is told of it.
[[nodiscard]] std::string drift_text(DriftKind kind);

/// Collects over the placements of one case. Caches that fill once a process do not count, nor does what the first
/// executions of fresh bytecode and memory cost, which is a small factor or little time.
class Drift {
  public:
    static constexpr double kFewestTimes = 3;
    static constexpr double kLeastFallNs =
        30'000;  ///< of a pass: less is what CPython takes to specialise its bytecode
    static constexpr std::size_t kFewestPlacements = 3;

    /// The passes of `copies` executions that warm a fresh placement: the first of them, and the fastest.
    void warmed(double first_ns, double fastest_ns, int copies);
    /// One execution in a batch of the placement warmed last; its last batch tells whether the cost rises, and that or
    /// the fastest pass whether it falls.
    void measured(double execution_ns);
    /// What holds at most placements, of fewer than six at all; nothing of fewer than kFewestPlacements.
    [[nodiscard]] std::optional<DriftKind> kind() const;

  private:
    struct Placement {
        double first_ns = 0;
        double fastest_ns = 0;
        int copies = 1;
        double execution_ns = 0;  ///< in its last batch; 0: it has none
    };
    std::vector<Placement> placements_;
};

}  // namespace tare::measure
