// The decision over a whole suite, round by round: which cases are decided, which need more pairs. Pure: the rounds
// recorded so far go in, states come out, and replaying a record gives what was decided live.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/stats/verdict.h"

namespace tare::stats {

struct RoundValue {
    int round = 0;
    double log_ratio = 0;              ///< PairEstimate::log_ratio
    bool fingerprint_changed = false;  ///< the machine is no longer that of the first round
    bool operator==(const RoundValue&) const = default;
};

struct CaseSeries {
    std::vector<RoundValue> values;  ///< in ascending rounds; a round without a pair is left out
    Margins margins;
    std::optional<int> last_round;  ///< no pair follows this round: the case failed for good, or was given up
};

enum class Correction {
    kBenjaminiHochberg,
    kBenjaminiYekutieli,  ///< for any dependence between cases
};

struct SuiteRules {
    LookPlan plan;
    Looks looks = Looks::kPlanned;
    double false_discovery_rate = 0.05;                      ///< of all cases called slower, and of all called faster
    Correction correction = Correction::kBenjaminiHochberg;  ///< with open looks e-BH, which needs no other
    std::uint64_t seed = 0;
    bool operator==(const SuiteRules&) const = default;
};

struct CaseState {
    Evidence evidence;
    Finding finding;
    bool decided = false;
    bool operator==(const CaseState&) const = default;
};

/// The states after `round`, from those after an earlier one (empty before the first) and all values up to `round`.
/// Later values are not looked at. A decided case keeps its state, and its p values their place in the family. Cases
/// without a look count with p = 1. After its last planned look a case is decided. Call it with `last` = false after
/// each round, and once more with true when no round will follow: then every case is decided.
[[nodiscard]] std::vector<CaseState> advance(std::vector<CaseState> before, std::span<const CaseSeries> suite,
                                             const SuiteRules& rules, int round, bool last);

/// To continue a run that had ended: inconclusive cases are undecided again. The looks they have had stay taken.
[[nodiscard]] std::vector<CaseState> reopened(std::vector<CaseState> states);

/// advance() over all rounds that the series hold, as it went live: the run ended after each of `ended_after_rounds`
/// (ascending), and was continued where rounds follow.
[[nodiscard]] std::vector<CaseState> replay(std::span<const CaseSeries> suite, const SuiteRules& rules,
                                            std::span<const int> ended_after_rounds);

}  // namespace tare::stats
