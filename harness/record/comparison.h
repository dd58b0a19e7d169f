// Comparison: what is said of each case after two things were compared, live or from stored values, and in which words.
// Tables, exports and summaries are made from it. Ratios are those of the second side to the first. Pure.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/pair_visit.h"
#include "harness/record/compared_instructions.h"
#include "harness/record/duet.h"
#include "harness/stats/stored_decision.h"

namespace tare::record {

/// What a reader is told of a case, in the order of a table.
enum class Outcome { kSlower, kFaster, kInconclusive, kFailed, kOneSided, kSame };

struct ComparedCase {
    std::string name;
    Presence presence = Presence::kBoth;
    std::optional<core::SideError> error;
    bool failed_on_both = false;  ///< `error` is that of one of them
    stats::Verdict verdict = stats::Verdict::kInconclusive;
    stats::Reason reason = stats::Reason::kTooFewPairs;
    stats::Standing standing = stats::Standing::kGating;
    stats::Margins margins;
    std::array<std::optional<double>, 2> times_ns;
    std::optional<double> ratio;
    std::optional<stats::Interval> ratio_interval;
    std::optional<double> certifiable_relative;
    std::array<int, 2> values{};                       ///< pairs, the same on both sides, or the processes of each
    std::optional<ComparedInstructions> instructions;  ///< where both sides have a ledger; apart from the verdict
    bool one_ledger = false;                           ///< only one side has one

    [[nodiscard]] Outcome outcome() const;
    bool operator==(const ComparedCase&) const = default;
};

struct Comparison {
    std::array<std::string, 2> sides{"a", "b"};
    std::string values = "pairs";  ///< what `values` counts
    std::vector<ComparedCase> cases;
    std::string notice;              ///< in capitals; empty if there is none
    std::vector<std::string> notes;  ///< beneath the counts, a line each
    bool operator==(const Comparison&) const = default;
};

struct OutcomeCounts {
    std::array<std::size_t, 6> of{};  ///< by Outcome
    std::array<std::size_t, 2> only{};
    [[nodiscard]] std::size_t operator[](Outcome outcome) const { return of[static_cast<std::size_t>(outcome)]; }
};
[[nodiscard]] OutcomeCounts count_outcomes(const Comparison& comparison);
/// Whether any case has two ledgers: what decides on a column of instructions.
[[nodiscard]] bool has_instructions(const Comparison& comparison);

/// "2 slower, 0 faster, 55 same, 2 inconclusive of 60 cases; 1 failed"
[[nodiscard]] std::string counts_text(const Comparison& comparison);

/// Slower and faster with the largest change first, then those with more or fewer instructions likewise, then the
/// others in the order of `cases`.
[[nodiscard]] std::vector<const ComparedCase*> by_outcome(const Comparison& comparison);

/// Its verdict never gates, while those of others do: that has to be said of it.
[[nodiscard]] bool is_indicative_among_gating(const ComparedCase& compared, const Comparison& comparison);

/// "a", "b" or "both"; empty where it did not fail.
[[nodiscard]] std::string failed_side_text(const ComparedCase& compared, const Comparison& comparison);
/// "slower", ..., "failed", "only b"
[[nodiscard]] std::string outcome_text(const ComparedCase& compared, const Comparison& comparison);
/// What qualifies the outcome: "small: less than 2 %", "budget; same within 3.1 %", "on b"; empty if nothing does.
[[nodiscard]] std::string why_text(const ComparedCase& compared, const Comparison& comparison);
/// "10", or "5, 8" where the sides differ; empty for a case of one side.
[[nodiscard]] std::string values_text(const ComparedCase& compared);
/// "+5.1 %"
[[nodiscard]] std::string change_text(double ratio);
/// "[+4.6, +5.6]", in per cent
[[nodiscard]] std::string change_interval_text(const stats::Interval& ratios);
/// "margins: tolerance 0.5 %, bound 2 %", and how many cases have others; empty without cases.
[[nodiscard]] std::string margins_text(const Comparison& comparison);

}  // namespace tare::record
