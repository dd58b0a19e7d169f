// Outcomes, their order and their words.
#include "harness/record/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tare::record {

namespace {

using stats::Verdict;

/// "+5.1", "-12", "0.0": no sign where it rounds to nothing.
std::string signed_percent(double ratio) {
    const double percent = 100 * (ratio - 1);
    if (!std::isfinite(percent)) return "?";
    if (std::abs(percent) < 0.05) return "0.0";
    return std::abs(percent) < 99.95 ? fmt::format("{:+.1f}", percent) : fmt::format("{:+.0f}", percent);
}

std::size_t side_index(const ComparedCase& compared) {
    return compared.presence == Presence::kOnlyB ? 1 : 0;
}

double size_of_change(const std::optional<double>& ratio) {
    return ratio && *ratio > 0 ? std::abs(std::log(*ratio)) : 0;
}

/// Where a case stands in a table, and by which change among its like.
struct Place {
    int group = 0;
    double change = 0;
};

Place place_of(const ComparedCase& compared) {
    const Outcome outcome = compared.outcome();
    const int group = static_cast<int>(outcome);
    if (outcome == Outcome::kSlower || outcome == Outcome::kFaster) return {group, size_of_change(compared.ratio)};
    constexpr int kClaimed = static_cast<int>(Outcome::kFaster) + 1;
    if (compared.instructions && compared.instructions->claim == InstructionClaim::kMore)
        return {kClaimed, size_of_change(compared.instructions->ratio())};
    if (compared.instructions && compared.instructions->claim == InstructionClaim::kFewer)
        return {kClaimed + 1, size_of_change(compared.instructions->ratio())};
    return {kClaimed + 2 + group, 0};
}

}  // namespace

Outcome ComparedCase::outcome() const {
    if (presence != Presence::kBoth) return Outcome::kOneSided;
    if (error) return Outcome::kFailed;
    switch (verdict) {
        case Verdict::kSlower:
            return Outcome::kSlower;
        case Verdict::kFaster:
            return Outcome::kFaster;
        case Verdict::kSame:
            return Outcome::kSame;
        case Verdict::kInconclusive:
            break;
    }
    return Outcome::kInconclusive;
}

OutcomeCounts count_outcomes(const Comparison& comparison) {
    OutcomeCounts counts;
    for (const ComparedCase& compared : comparison.cases) {
        ++counts.of[static_cast<std::size_t>(compared.outcome())];
        if (compared.presence != Presence::kBoth) ++counts.only[side_index(compared)];
    }
    return counts;
}

bool has_instructions(const Comparison& comparison) {
    return std::any_of(comparison.cases.begin(), comparison.cases.end(),
                       [](const ComparedCase& compared) { return compared.instructions.has_value(); });
}

std::string counts_text(const Comparison& comparison) {
    const OutcomeCounts counts = count_outcomes(comparison);
    const std::size_t all = comparison.cases.size();
    std::string text = fmt::format("{} slower, {} faster, {} same, {} inconclusive of {} case{}",
                                   counts[Outcome::kSlower], counts[Outcome::kFaster], counts[Outcome::kSame],
                                   counts[Outcome::kInconclusive], all, all == 1 ? "" : "s");
    if (counts[Outcome::kFailed] > 0) text += fmt::format("; {} failed", counts[Outcome::kFailed]);
    for (std::size_t side = 0; side < 2; ++side)
        if (counts.only[side] > 0) text += fmt::format("; {} only in {}", counts.only[side], comparison.sides[side]);
    return text;
}

std::vector<const ComparedCase*> by_outcome(const Comparison& comparison) {
    std::vector<const ComparedCase*> ordered;
    for (const ComparedCase& compared : comparison.cases) ordered.push_back(&compared);
    std::stable_sort(ordered.begin(), ordered.end(), [](const ComparedCase* first, const ComparedCase* second) {
        const Place own = place_of(*first), other = place_of(*second);
        return own.group != other.group ? own.group < other.group : own.change > other.change;
    });
    return ordered;
}

bool is_indicative_among_gating(const ComparedCase& compared, const Comparison& comparison) {
    return compared.standing == stats::Standing::kIndicative &&
           std::ranges::any_of(comparison.cases, [](const ComparedCase& each) {
               return each.presence == Presence::kBoth && each.standing == stats::Standing::kGating;
           });
}

std::string failed_side_text(const ComparedCase& compared, const Comparison& comparison) {
    if (!compared.error) return {};
    return compared.failed_on_both ? "both" : comparison.sides[compared.error->side == core::Side::kB ? 1 : 0];
}

std::string outcome_text(const ComparedCase& compared, const Comparison& comparison) {
    switch (compared.outcome()) {
        case Outcome::kFailed:
            return "failed";
        case Outcome::kOneSided:
            return "only " + comparison.sides[side_index(compared)];
        default:
            return std::string(stats::name_of(compared.verdict));
    }
}

std::string why_text(const ComparedCase& compared, const Comparison& comparison) {
    const Outcome outcome = compared.outcome();
    if (outcome == Outcome::kOneSided) return {};
    if (outcome == Outcome::kFailed) return "on " + failed_side_text(compared, comparison);
    const bool is_claimed = outcome == Outcome::kSlower || outcome == Outcome::kFaster;
    const std::string standing = is_claimed && is_indicative_among_gating(compared, comparison) ? "indicative" : "";
    if (compared.reason == stats::Reason::kSmall)
        return fmt::format("{}{}small: less than {:g} %", standing, standing.empty() ? "" : "; ",
                           100 * compared.margins.bound_relative);
    std::string text = standing + std::string(stats::name_of(compared.reason));
    if (compared.reason == stats::Reason::kTooFewPairs && comparison.values != "pairs")
        text = "too few " + comparison.values;
    // A placement and a neighbour add what no interval holds.
    const bool bounded = outcome == Outcome::kInconclusive && compared.reason != stats::Reason::kPlacement &&
                         compared.reason != stats::Reason::kBusy;
    if (bounded && compared.certifiable_relative && std::isfinite(*compared.certifiable_relative)) {
        const double percent = 100 * *compared.certifiable_relative;
        text += percent < 99.95 ? fmt::format("; same within {:.1f} %", percent) : "; same within > 100 %";
    }
    return text;
}

std::string values_text(const ComparedCase& compared) {
    if (compared.presence != Presence::kBoth) return {};
    const auto [first, second] = compared.values;
    return first == second ? fmt::format("{}", first) : fmt::format("{}, {}", first, second);
}

std::string change_text(double ratio) {
    return signed_percent(ratio) + " %";
}

std::string change_interval_text(const stats::Interval& ratios) {
    return fmt::format("[{}, {}]", signed_percent(ratios.low), signed_percent(ratios.high));
}

std::string margins_text(const Comparison& comparison) {
    std::vector<std::pair<stats::Margins, std::size_t>> found;
    for (const ComparedCase& compared : comparison.cases) {
        const auto same =
            std::find_if(found.begin(), found.end(), [&](const auto& item) { return item.first == compared.margins; });
        if (same == found.end())
            found.emplace_back(compared.margins, 1);
        else
            ++same->second;
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& first, const auto& second) { return first.second > second.second; });
    std::string text;
    for (const auto& [margins, count] : found) {
        text += text.empty() ? "margins: " : "; ";
        text += fmt::format("tolerance {:g} %, bound {:g} %", 100 * margins.tolerance_relative,
                            100 * margins.bound_relative);
        if (found.size() > 1) text += fmt::format(" ({} case{})", count, count == 1 ? "" : "s");
    }
    return text;
}

}  // namespace tare::record
