// Shares net of the loop, their intervals, and the ledger's shares beside them.
#include "harness/record/case_times.h"

#include <algorithm>
#include <cmath>

#include "harness/stats/proportion.h"

namespace tare::record {

namespace {

constexpr std::string_view kLoopLayer = "interpreter";  // FOR_ITER and its iterator (layers.txt)
constexpr double kLeastExcess = 0.005;  // a single sample of the kernel, which no ledger has, is none of its time
// Below this part of the gross, CPU time says that the case waits: batches of their own are up to a tenth off.
constexpr double kMostCpuOfWaiting = 0.8;
constexpr double kLeastInstructions = 0.005;  // a layer without samples is told from this share on

double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

double interpreter_share(const core::CaseProfile& profile) {
    double ns = 0;
    for (const core::ProfileLayer& layer : profile.layers)
        if (layer.name == kLoopLayer && !layer.unresolved) ns += layer.self.ns;
    return ratio(ns, profile.total.ns);
}

template <class Value>
double median_of(const std::vector<core::SamplingCost>& costs, const Value& value) {
    std::vector<double> values;
    for (const core::SamplingCost& cost : costs)
        if (cost.sampled_ns > 0 && cost.beside_ns > 0) values.push_back(value(cost));
    return values.empty() ? 0 : stats::median(values);
}

std::optional<stats::Estimate> cost_of(const std::vector<core::SamplingCost>& costs) {
    std::vector<double> values;
    for (const core::SamplingCost& cost : costs)
        if (cost.sampled_ns > 0 && cost.beside_ns > 0) values.push_back(cost.sampled_ns / cost.beside_ns - 1);
    if (values.empty()) return std::nullopt;
    stats::Estimate estimate;
    estimate.value = stats::median(values);
    estimate.interval = stats::t_interval(values);
    estimate.basis = estimate.interval ? stats::IntervalBasis::kProcesses : stats::IntervalBasis::kNone;
    estimate.processes = static_cast<int>(values.size());
    return estimate;
}

/// The part of the sampled time that is the loop's is known from timing, so that it has no sampling error of its own.
LayerTime layer_time(const core::ProfileLayer& layer, const core::CaseProfile& profile, double loop_ratio,
                     std::optional<double> execution_ns) {
    const double loop = layer.name == kLoopLayer && !layer.unresolved ? loop_ratio : 0;
    const auto net = [&](double share) { return std::max(0.0, ratio(share - loop, 1 - loop_ratio)); };
    const double share = ratio(layer.self.ns, profile.total.ns);
    const stats::Interval interval = stats::share_interval(share, static_cast<double>(profile.total.samples));
    LayerTime time;
    time.name = layer.name;
    time.unresolved = layer.unresolved;
    time.samples = layer.self.samples;
    time.share_ratio = net(share);
    time.share = {std::min(1.0, net(interval.low)), std::min(1.0, net(interval.high))};
    if (execution_ns) time.time_ns = time.share_ratio * *execution_ns;
    return time;
}

void add_instructions(CaseTime& time, const core::CaseProfile& profile, const core::Ledger& ledger) {
    for (LayerTime& layer : time.layers) layer.instructions_share_ratio = 0;
    for (const core::LedgerLayer& counted : ledger.layers) {
        const double share = ratio(static_cast<double>(counted.self.value), static_cast<double>(ledger.total.value));
        auto same = std::find_if(time.layers.begin(), time.layers.end(), [&](const LayerTime& layer) {
            return layer.name == counted.name && layer.unresolved == counted.unresolved;
        });
        if (same == time.layers.end()) {
            if (share < kLeastInstructions) continue;
            same = time.layers.insert(time.layers.end(),
                                      layer_time({counted.name, {}, counted.unresolved}, profile, 0, std::nullopt));
        }
        same->instructions_share_ratio = share;
    }
    // What runs behind a wait finds its caches cold, and in the kernel, which no ledger has: no layer's own doing.
    if (time.waiting_ratio) return;
    for (LayerTime& layer : time.layers)
        layer.stands_out = layer.share.low > *layer.instructions_share_ratio + kLeastExcess;
}

}  // namespace

CaseTime case_time(const core::CaseProfile& profile, std::optional<double> gross_ns, const core::Ledger* ledger) {
    CaseTime time;
    time.case_name = profile.case_name;
    time.samples = profile.total.samples;
    time.named_ratio = ratio(static_cast<double>(profile.named.samples), static_cast<double>(profile.total.samples));
    const double sampled_ns = median_of(profile.costs, [](const auto& cost) { return cost.sampled_ns; });
    const double beside_ns = median_of(profile.costs, [](const auto& cost) { return cost.beside_ns; });
    const double loop_ns = std::max(0.0, median_of(profile.costs, [](const auto& cost) { return cost.loop_ns; }));
    time.loop_ratio = std::min(ratio(loop_ns, beside_ns), interpreter_share(profile));
    time.sampled_time_ns = std::max(0.0, sampled_ns - loop_ns);
    time.unsampled_time_ns = std::max(0.0, beside_ns - loop_ns);
    time.cost_ratio = cost_of(profile.costs);
    if (profile.total.samples == 0) return time;
    std::optional<double> execution_ns = gross_ns;
    if (gross_ns && time.unsampled_time_ns > 0 && time.unsampled_time_ns < kMostCpuOfWaiting * *gross_ns) {
        time.waiting_ratio = 1 - time.unsampled_time_ns / *gross_ns;
        execution_ns = time.unsampled_time_ns;
    }
    for (const core::ProfileLayer& layer : profile.layers)
        time.layers.push_back(layer_time(layer, profile, time.loop_ratio, execution_ns));
    if (ledger != nullptr) add_instructions(time, profile, *ledger);
    std::stable_sort(time.layers.begin(), time.layers.end(),
                     [](const LayerTime& a, const LayerTime& b) { return a.share_ratio > b.share_ratio; });
    return time;
}

std::vector<CaseTime> case_times(std::span<const core::CaseProfile> profiles,
                                 const std::vector<stats::CaseEstimate>& cases, std::span<const core::Ledger> ledgers) {
    std::vector<CaseTime> times;
    for (const core::CaseProfile& profile : profiles) {
        std::optional<double> gross_ns;
        for (const stats::CaseEstimate& estimate : cases)
            if (estimate.name == profile.case_name)
                if (const auto gross = estimate.time_ns(core::RungKind::kPython)) gross_ns = gross->value;
        const auto ledger = std::find_if(ledgers.begin(), ledgers.end(),
                                         [&](const core::Ledger& each) { return each.case_name == profile.case_name; });
        times.push_back(case_time(profile, gross_ns, ledger == ledgers.end() ? nullptr : &*ledger));
    }
    return times;
}

}  // namespace tare::record
