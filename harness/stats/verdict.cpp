// From evidence to verdict: a change that the suite's procedure and the guards allow, else equivalence, else nothing.
#include "harness/stats/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/stats/anytime.h"

namespace tare::stats {

namespace {

constexpr double kKeptAlpha = 1 - kConfidence;

/// The relative half-width that an interval, symmetric in logarithms or not, would be proven to lie within.
double reach_relative(const Interval& ratios) {
    return std::max(ratios.high, 1 / ratios.low) - 1;
}

void describe(Finding& finding, const Contrast& contrast, const LookPlan& plan, Looks looks) {
    finding.contrast = contrast;
    finding.ratio_interval = ratio_interval(contrast);
    if (looks == Looks::kPlanned) {
        finding.ratio_interval_kept = ratio_interval(contrast, 1 - kKeptAlpha / plan.looks_for_same());
        finding.certifiable_relative = certifiable_bound_relative(contrast, plan.same_alpha_per_look());
        return;
    }
    finding.ratio_interval_kept = anytime_ratio_interval(contrast, kKeptAlpha, mixture_width(kKeptAlpha));
    const auto proven = anytime_ratio_interval(contrast, plan.same_alpha, mixture_width(plan.same_alpha));
    if (proven) finding.certifiable_relative = reach_relative(*proven);
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::kSlower:
            return "slower";
        case Verdict::kFaster:
            return "faster";
        case Verdict::kSame:
            return "same";
        case Verdict::kInconclusive:
            break;
    }
    return "inconclusive";
}

std::string_view name_of(Reason reason) {
    switch (reason) {
        case Reason::kSmall:
            return "small";
        case Reason::kUnstable:
            return "unstable";
        case Reason::kBudget:
            return "budget";
        case Reason::kTooFewPairs:
            return "too few pairs";
        case Reason::kPlacement:
            return "placement";
        case Reason::kBusy:
            return "busy";
        case Reason::kSpread:
            return "spread";
        case Reason::kClock:
            return "clock";
        case Reason::kNone:
            break;
    }
    return "";
}

Verdict mirrored(Verdict verdict) {
    if (verdict == Verdict::kSlower) return Verdict::kFaster;
    return verdict == Verdict::kFaster ? Verdict::kSlower : verdict;
}

Finding judge(const Claim& claim, std::span<const double> values, const LookPlan& plan, Looks looks,
              const Margins& margins, std::uint64_t seed) {
    Finding finding;
    const Evidence& evidence = claim.evidence;
    if (!evidence.contrast) {
        finding.pairs = static_cast<int>(values.size());
        if (const auto contrast = contrast_of(values)) describe(finding, *contrast, plan, looks);
        return finding;
    }
    finding.pairs = evidence.pairs;
    finding.reason = Reason::kBudget;
    describe(finding, *evidence.contrast, plan, looks);
    const bool not_slower = evidence.p_not_slower <= plan.same_alpha;
    const bool not_faster = evidence.p_not_faster <= plan.same_alpha;
    if (claim.slower || claim.faster) {
        // Both only if looks contradict each other; then the guard of either direction fails.
        const Direction direction = evidence.contrast->log_ratio > 0 ? Direction::kSlower : Direction::kFaster;
        const bool claimed = direction == Direction::kSlower ? claim.slower : claim.faster;
        finding.guards = guards_of(values.first(static_cast<std::size_t>(evidence.pairs)), direction,
                                   margins.log_tolerance(), claim.fingerprint_changed, seed);
        if (claimed && finding.guards->hold()) {
            finding.verdict = direction == Direction::kSlower ? Verdict::kSlower : Verdict::kFaster;
            const bool below_bound = direction == Direction::kSlower ? not_slower : not_faster;
            finding.reason = below_bound ? Reason::kSmall : Reason::kNone;
            return finding;
        }
        finding.reason = Reason::kUnstable;
    }
    if (not_slower && not_faster) {
        finding.verdict = Verdict::kSame;
        finding.reason = Reason::kNone;
    }
    return finding;
}

}  // namespace tare::stats
