// Filters batches, then counts processes that have enough of them.
#include "harness/stats/quiet.h"

#include <algorithm>

namespace tare::stats {

namespace {

struct Tally {
    std::size_t taken = 0;
    std::size_t quiet = 0;
    std::size_t confirmed = 0;
};

/// Leaves the quiet batches.
void keep_quiet(core::Visit& visit, const core::References& best, double limit, Tally& tally) {
    for (core::RungVisit& rung : visit.rungs) {
        const std::size_t all = rung.samples.size();
        std::erase_if(rung.samples,
                      [&](const core::Sample& sample) { return !is_quiet(sample.references, best, limit); });
        tally.taken += all;
        tally.quiet += rung.samples.size();
        tally.confirmed += static_cast<std::size_t>(std::ranges::count_if(
            rung.samples, [&](const core::Sample& sample) { return is_confirmed(sample.references, best, limit); }));
    }
}

double ratio(std::size_t part, std::size_t whole) {
    return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

bool has_references(const std::vector<const core::Visit*>& visits) {
    for (const core::Visit* visit : visits)
        for (const core::RungVisit& rung : visit->rungs)
            if (!rung.samples.empty()) return rung.samples.front().references.l1_cycles > 0;
    return false;
}

}  // namespace

bool is_quiet(const core::Visit& visit, const core::References& best, double limit) {
    return !visit.rungs.empty() && std::ranges::all_of(visit.rungs, [&](const core::RungVisit& rung) {
        const auto quiet = std::ranges::count_if(
            rung.samples, [&](const core::Sample& sample) { return core::is_quiet(sample.references, best, limit); });
        return static_cast<std::size_t>(quiet) >= std::min(rung.samples.size(), kFewestQuietBatches);
    });
}

std::optional<QuietVisits> select_quiet(const std::vector<const core::Visit*>& visits, const core::References& best,
                                        double limit) {
    if (!(best.l1_cycles > 0) || !has_references(visits)) return std::nullopt;
    QuietVisits result;
    Tally tally;
    for (const core::Visit* visit : visits) {
        core::Visit part = *visit;
        keep_quiet(part, best, limit, tally);
        if (is_quiet(*visit, best, limit)) result.visits.push_back(std::move(part));
    }
    result.kept_ratio = ratio(tally.quiet, tally.taken);
    result.confirmed_ratio = ratio(tally.confirmed, tally.quiet);
    result.busy = result.visits.size() < std::min(visits.size(), kFewestQuietProcesses);
    if (result.busy) {
        result.visits.clear();
        for (const core::Visit* visit : visits) result.visits.push_back(*visit);
    }
    return result;
}

}  // namespace tare::stats
