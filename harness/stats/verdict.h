// The verdict on one case and all that a report shows beside it. Pure: the same evidence, the same verdict; a and b
// swapped, the mirrored one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "harness/stats/guards.h"
#include "harness/stats/sequential.h"

namespace tare::stats {

enum class Verdict {
    kSlower,        ///< by more than the tolerance
    kFaster,        ///< by more than the tolerance
    kSame,          ///< proven: neither slower nor faster by the bound
    kInconclusive,  ///< see the reason
};
[[nodiscard]] std::string_view name_of(Verdict verdict);  ///< "slower", "faster", "same", "inconclusive"
[[nodiscard]] Verdict mirrored(Verdict verdict);

enum class Reason {
    kNone,
    kSmall,        ///< slower or faster, and proven so by less than the bound
    kUnstable,     ///< would be slower or faster, but a guard failed
    kBudget,       ///< time or pairs ran out first
    kTooFewPairs,  ///< not even the first look was reached
    kPlacement,    ///< the page cache was not redrawn: a steady offset of its placement may be the change, or hide one
    kBusy,         ///< of stored runs: too few batches of a record were quiet
    kSpread,       ///< of stored runs: their values differ by too much to tell
    kClock,        ///< of stored runs: a change of the core's clock may be the change, or hide one
};
/// "small", "unstable", "budget", "too few pairs", "placement", "busy", "spread", "clock"; "" for none
[[nodiscard]] std::string_view name_of(Reason reason);

struct Finding {
    Verdict verdict = Verdict::kInconclusive;
    Reason reason = Reason::kTooFewPairs;
    int pairs = 0;  ///< that the figures below rest on: those of the latest look; all of them before the first
    std::optional<Contrast> contrast;
    std::optional<Interval> ratio_interval;       ///< b / a, 95 %; for the reader: stopping makes it 91 to 97 %
    std::optional<Interval> ratio_interval_kept;  ///< b / a, 95 % at all looks together: holds wherever one stopped
    std::optional<double> certifiable_relative;   ///< the smallest bound that these pairs would prove `same` within
    std::optional<Guards> guards;                 ///< of the direction that the test would claim
    bool operator==(const Finding&) const = default;
};

enum class Looks { kPlanned, kOpen };

/// What is known of a case when it is judged.
struct Claim {
    Evidence evidence;
    bool slower = false;  ///< the suite's procedure rejects "not slower"
    bool faster = false;
    bool fingerprint_changed = false;  ///< among the pairs of the evidence
};

/// `values`: all of the case; those beyond evidence.pairs enter nothing but a case without a look. A verdict other than
/// inconclusive is final; inconclusive, with its reason, is what the case would be if its pairs ended here.
[[nodiscard]] Finding judge(const Claim& claim, std::span<const double> values, const LookPlan& plan, Looks looks,
                            const Margins& margins, std::uint64_t seed);

}  // namespace tare::stats
