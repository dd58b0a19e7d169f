// Which columns there are, and their numbers.
#include "harness/record/counter_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tare::record {

namespace {

using core::CounterRole;
using core::CounterState;

constexpr double kLeastShown = 0.01;
constexpr double kLargestInteger = 1e18;

struct RoleStyle {
    CounterRole role;
    const char* title;
    int importance;  ///< see Column: what a maintainer asks for first stays longest
};
constexpr std::array kRoleStyles = {
    RoleStyle{CounterRole::kCycles, "cycles", 20},
    RoleStyle{CounterRole::kInstructions, "instr", 19},
    RoleStyle{CounterRole::kBranches, "branches", 8},
    RoleStyle{CounterRole::kBranchMisses, "branch misses", 15},
    RoleStyle{CounterRole::kL1dMisses, "L1D misses", 14},
    RoleStyle{CounterRole::kL2Misses, "L2 misses", 11},
    RoleStyle{CounterRole::kLlcMisses, "LLC misses", 13},
    RoleStyle{CounterRole::kDtlbWalks, "dTLB walks", 12},
    RoleStyle{CounterRole::kTaskClock, "task clock", 7},
    RoleStyle{CounterRole::kPageFaults, "page faults", 10},
    RoleStyle{CounterRole::kMinorFaults, "minor faults", 6},
    RoleStyle{CounterRole::kMajorFaults, "major faults", 5},
    RoleStyle{CounterRole::kContextSwitches, "ctx switches", 9},
    RoleStyle{CounterRole::kCpuMigrations, "migrations", 4},
    RoleStyle{CounterRole::kTimedCycles, "timed cycles", 21},
    RoleStyle{CounterRole::kOther, "", 16},
};
constexpr int kRatioImportance = 18;
constexpr int kShareImportance = 17;

const RoleStyle& style_of(CounterRole role) {
    return *std::ranges::find(kRoleStyles, role, &RoleStyle::role);
}

/// Of these there are many in every execution.
bool is_frequent(CounterRole role) {
    return role == CounterRole::kCycles || role == CounterRole::kTimedCycles || role == CounterRole::kInstructions ||
           role == CounterRole::kBranches;
}

/// The smallest share of the time that a shown counter of the case was counted.
double counted_ratio(const std::vector<CaseCount>& counts) {
    double smallest = 1;
    for (const CaseCount& count : counts)
        if (count.estimate != nullptr) smallest = std::min(smallest, count.estimate->counted_ratio);
    return smallest;
}

}  // namespace

std::string events_text(double events, bool rare) {
    const double size = std::abs(events);
    if (!std::isfinite(events)) return "?";
    if (size < kLeastShown) return fmt::format("<{}", kLeastShown);
    if (size >= kLargestInteger) return fmt::format("{:.3g}", events);
    const bool two_decimals = rare || size < 0.95;  // so that 0.04 branches are not 0.0
    const double rolls_over = two_decimals ? 999.995 : 999.95;
    if (size < rolls_over) return two_decimals ? fmt::format("{:.2f}", events) : fmt::format("{:.1f}", events);
    return (events < 0 ? "-" : "") + count_text(static_cast<std::uint64_t>(std::llround(size)));
}

std::string title_of(const core::CounterRequest& request) {
    return request.role == CounterRole::kOther ? request.name : style_of(request.role).title;
}

CounterCells::CounterCells(const Summary& summary, const TextStyle& style) : summary_(summary), style_(style) {
    std::vector<bool> present(summary.counters.size());
    bool any_ratio = false, any_share = false;
    for (const stats::CaseEstimate& estimate : summary.cases) {
        if (estimate.rung(core::RungKind::kPython) == nullptr) continue;
        cases_.push_back(&estimate);
        const std::vector<CaseCount> counts = case_counts(summary, estimate);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            present[i] = present[i] || counts[i].estimate != nullptr;
            marks_.partial |= counts[i].state == CounterState::kPartial;
            marks_.suspect |= counts[i].state == CounterState::kSuspect;
        }
        any_ratio |= instructions_per_cycle(summary, estimate).has_value();
        any_share |= counted_ratio(counts) < 1;
    }
    for (std::size_t i = 0; i < present.size(); ++i) {
        if (!present[i]) continue;
        const core::CounterRequest& request = summary.counters[i].request;
        std::string title = title_of(request);
        for (const CounterColumn& other : columns_)
            if (other.title == title) title = request.name;  // of two PMUs, say
        columns_.push_back({title, style_of(request.role).importance, i});
        if (any_ratio && request.role == CounterRole::kInstructions) {
            columns_.push_back({"IPC", kRatioImportance, std::nullopt});
            any_ratio = false;
        }
    }
    if (any_share) columns_.push_back({"counted", kShareImportance, std::nullopt});
    for (const stats::CaseEstimate* estimate : cases_) {
        const std::vector<CaseCount> counts = case_counts(summary, *estimate);
        for (const CounterColumn& column : columns_)
            marks_.absent |= column.counter && counts[*column.counter].estimate == nullptr;
    }
}

std::string CounterCells::cell(const CaseCount& count) const {
    if (count.estimate == nullptr) return "-";
    const core::CounterRequest& request = count.counter->request;
    const double net = count.estimate->net.value;
    const bool is_time = request.role == CounterRole::kTaskClock;
    std::string text = is_time ? duration_text(net, style_) : events_text(net, !is_frequent(request.role));
    if (count.state == CounterState::kPartial) text = partial_mark() + text;
    if (count.counter->state == CounterState::kSuspect) text += '?';  // the whole column
    return text;
}

std::vector<std::string> CounterCells::cells(const stats::CaseEstimate& estimate) const {
    const std::vector<CaseCount> counts = case_counts(summary_, estimate);
    std::vector<std::string> texts;
    for (const CounterColumn& column : columns_) {
        if (column.counter) {
            texts.push_back(cell(counts[*column.counter]));
        } else if (column.title == "IPC") {
            const core::Expected<double> ratio = instructions_per_cycle(summary_, estimate);
            texts.push_back(ratio ? fmt::format("{:.2f}", *ratio) : "-");
        } else {
            texts.push_back(stats::share_text(counted_ratio(counts)));
        }
    }
    return texts;
}

}  // namespace tare::record
