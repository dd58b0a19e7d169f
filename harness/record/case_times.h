// CaseTimes: what samples say of the time of a case's execution: how it divides among the layers, with what error, and
// beside that how the instructions do. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/core/case_profile.h"
#include "harness/core/ledger.h"
#include "harness/stats/estimate.h"

namespace tare::record {

/// Shares are of the time of the statement: what the loop around it takes is subtracted from the interpreter's, so that
/// they compare with a ledger's, which is net of the loop too.
struct LayerTime {
    std::string name;
    bool unresolved = false;
    std::uint64_t samples = 0;
    double share_ratio = 0;
    stats::Interval share;                           ///< 95 %, of what sampling leaves open (Wilson)
    std::optional<double> time_ns;                   ///< of one execution: share x gross, of one that waits x CPU time
    std::optional<double> instructions_share_ratio;  ///< of the case's ledger; none without
    bool stands_out =
        false;  ///< more time than instructions: the whole interval, by half a point; none of one that waits
    bool operator==(const LayerTime&) const = default;
};

struct CaseTime {
    std::string case_name;
    std::uint64_t samples = 0;
    std::vector<LayerTime> layers;              ///< most time first; with a ledger also layers without samples
    double loop_ratio = 0;                      ///< of the sampled time, the loop's; subtracted
    double named_ratio = 0;                     ///< samples in functions with a name
    double sampled_time_ns = 0;                 ///< CPU time of one while it was sampled; medians over visits
    double unsampled_time_ns = 0;               ///< of one beside it
    std::optional<double> waiting_ratio;        ///< of gross, without CPU time; none: it hardly waits, or no gross
    std::optional<stats::Estimate> cost_ratio;  ///< sampled / unsampled - 1, by visit
    bool operator==(const CaseTime&) const = default;
};

[[nodiscard]] CaseTime case_time(const core::CaseProfile& profile, std::optional<double> gross_ns,
                                 const core::Ledger* ledger);
/// In the order of the profiles.
[[nodiscard]] std::vector<CaseTime> case_times(std::span<const core::CaseProfile> profiles,
                                               const std::vector<stats::CaseEstimate>& cases,
                                               std::span<const core::Ledger> ledgers);

}  // namespace tare::record
