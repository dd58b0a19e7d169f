// Weighted least squares of the gross over n, by operation and other parameters.
#include "harness/stats/size_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "harness/stats/case_name.h"

namespace tare::stats {

namespace {

struct Group {
    SizeFit result;
    std::vector<double> n;
    std::vector<double> gross_ns;
    std::vector<bool> busy;
    const CaseEstimate* scalar = nullptr;
};

bool is_busy(const CaseEstimate& estimate) {
    return estimate.quiet && estimate.quiet->busy;
}

/// Busy sizes out, unless all are: a line between slowed times and others says nothing of a size.
void leave_out_busy(Group& group) {
    if (std::ranges::all_of(group.busy, [](bool busy) { return busy; })) return;
    if (group.scalar != nullptr && is_busy(*group.scalar)) {
        group.result.break_even_reason = fmt::format("'{}' was busy", group.scalar->name);
        group.scalar = nullptr;
    }
    std::vector<double> n, gross_ns;
    for (std::size_t i = 0; i < group.n.size(); ++i) {
        if (group.busy[i]) continue;
        n.push_back(group.n[i]);
        gross_ns.push_back(group.gross_ns[i]);
    }
    group.n = std::move(n);
    group.gross_ns = std::move(gross_ns);
}

constexpr std::size_t kFewestSizes = 3;

std::optional<std::int64_t> positive_integer(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
    return value;
}

const CaseEstimate* with_gross(const std::vector<CaseEstimate>& cases, const std::string& name) {
    for (const CaseEstimate& candidate : cases)
        if (candidate.name == name && candidate.time_ns(core::RungKind::kPython)) return &candidate;
    return nullptr;
}

void find_break_even(SizeFit& result, const CaseEstimate* scalar, std::int64_t largest_n) {
    if (scalar == nullptr) {
        result.break_even = BreakEven::kNoBaseline;
        if (result.break_even_reason.empty())
            result.break_even_reason = fmt::format("no case of '{}' with kind=float was measured", result.operation);
        return;
    }
    const double scalar_ns = scalar->time_ns(core::RungKind::kPython)->value;
    if (!result.fit) {
        result.break_even = BreakEven::kNoLine;
        result.break_even_reason = "the cost does not follow a line in n";
        return;
    }
    // overhead + slope n < scalar n
    const double gain_ns = scalar_ns - result.fit->slope_ns;
    if (gain_ns <= 0) {
        result.break_even = BreakEven::kNever;
        result.break_even_reason = fmt::format("one more element costs {:.3g} ns, no less than a scalar's {:.3g} ns",
                                               result.fit->slope_ns, scalar_ns);
        return;
    }
    const double n = std::max(1.0, std::floor(result.fit->overhead_ns / gain_ns) + 1);
    if (n > static_cast<double>(largest_n)) {
        result.break_even = BreakEven::kBeyondSizes;
        result.break_even_reason = fmt::format("beyond the largest size measured, {}", largest_n);
        return;
    }
    result.break_even = BreakEven::kFound;
    result.break_even_n = static_cast<std::int64_t>(n);
}

}  // namespace

std::optional<LineFit> fit_line(const std::vector<double>& n, const std::vector<double>& t_ns) {
    double weights = 0, sum_n = 0, sum_t = 0;
    for (std::size_t i = 0; i < n.size(); ++i) {
        if (!(t_ns[i] > 0)) return std::nullopt;
        const double weight = 1 / (t_ns[i] * t_ns[i]);
        weights += weight;
        sum_n += weight * n[i];
        sum_t += weight * t_ns[i];
    }
    if (n.empty()) return std::nullopt;
    const double mean_n = sum_n / weights;
    const double mean_t = sum_t / weights;
    double nn = 0, nt = 0;
    for (std::size_t i = 0; i < n.size(); ++i) {
        const double weight = 1 / (t_ns[i] * t_ns[i]);
        nn += weight * (n[i] - mean_n) * (n[i] - mean_n);
        nt += weight * (n[i] - mean_n) * (t_ns[i] - mean_t);
    }
    if (!(nn > 0)) return std::nullopt;
    LineFit fit;
    fit.slope_ns = nt / nn;
    fit.overhead_ns = mean_t - fit.slope_ns * mean_n;
    for (std::size_t i = 0; i < n.size(); ++i)
        fit.largest_residual_ratio =
            std::max(fit.largest_residual_ratio, std::abs(fit.overhead_ns + fit.slope_ns * n[i] - t_ns[i]) / t_ns[i]);
    return fit;
}

std::vector<SizeFit> fit_sizes(const std::vector<CaseEstimate>& cases) {
    std::vector<Group> groups;
    for (const CaseEstimate& estimate : cases) {
        const auto gross = estimate.time_ns(core::RungKind::kPython);
        const auto text = CaseName{estimate.operation, estimate.parameters}.parameter("n");
        const auto n = text ? positive_integer(*text) : std::nullopt;
        if (!gross || !n) continue;
        core::Parameters others;
        for (const auto& parameter : estimate.parameters)
            if (parameter.first != "n") others.push_back(parameter);
        const auto same = [&](const Group& group) {
            return group.result.operation == estimate.operation && group.result.parameters == others;
        };
        auto group = std::find_if(groups.begin(), groups.end(), same);
        if (group == groups.end()) {
            group = groups.insert(groups.end(), Group{});
            group->result.name = estimate.operation + parameters_text(others);
            group->result.operation = estimate.operation;
            group->result.parameters = others;
        }
        group->result.sizes.push_back(*n);
        group->n.push_back(static_cast<double>(*n));
        group->gross_ns.push_back(gross->value);
        group->busy.push_back(is_busy(estimate));
        if (group->scalar == nullptr && !estimate.scalar_case.empty())
            group->scalar = with_gross(cases, estimate.scalar_case);
    }
    std::vector<SizeFit> fits;
    for (Group& group : groups) {
        SizeFit& result = group.result;
        if (result.sizes.size() < kFewestSizes) continue;
        std::sort(result.sizes.begin(), result.sizes.end());
        leave_out_busy(group);
        const double largest_ratio =
            group.n.size() == kFewestSizes ? kLargestResidualOfThreeRatio : kLargestResidualRatio;
        if (group.n.size() >= kFewestSizes) result.fit = fit_line(group.n, group.gross_ns);
        if (group.n.size() < kFewestSizes) {
            result.fit_reason = fmt::format("{} of {} sizes were quiet", group.n.size(), result.sizes.size());
        } else if (!result.fit) {
            result.fit_reason = "a time is not positive";
        } else if (result.fit->largest_residual_ratio > largest_ratio) {
            result.fit_reason =
                fmt::format("the best line misses a size by {:.0f} %", 100 * result.fit->largest_residual_ratio);
            result.fit.reset();
        }
        find_break_even(result, group.scalar, result.sizes.back());
        fits.push_back(std::move(result));
    }
    return fits;
}

}  // namespace tare::stats
