// A median by number of copies.
#include "harness/stats/pooled_floors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "harness/stats/estimators.h"
#include "harness/stats/quiet.h"
#include "harness/stats/rung_values.h"

namespace tare::stats {

namespace {

constexpr std::size_t kFewestQuietFloors = 3;
constexpr double kDeviationPerMad = 1.4826;                     // of normal values
const double kDeviationOfEvenDraw = std::sqrt(1.0 / 12);        // between 0 and 1
const double kErrorOfMedian = std::sqrt(std::numbers::pi / 2);  // of many normal values, in errors of their mean

struct Floors {
    std::vector<double> passes_ns;  ///< of a pass's own cost
    std::vector<double> empty_ns;   ///< of an empty pass

    void add(const core::RungVisit& python, const core::Visit& visit) {
        passes_ns.push_back(python.floor_ns);
        for (const core::RungVisit& rung : visit.rungs)
            if (rung.kind == core::RungKind::kFloor)
                if (const std::vector<double> values = wall_values_ns(rung); !values.empty())
                    empty_ns.push_back(median(values));
    }
    void give(core::RungVisit& python) const {
        python.floor_ns = std::max(0.0, median(passes_ns));
        python.floor_error_ns = kErrorOfMedian * kDeviationPerMad * median_absolute_deviation(passes_ns) /
                                std::sqrt(static_cast<double>(passes_ns.size()));
        if (empty_ns.empty()) return;
        const double most_ns = kMostEmptyPasses * median(empty_ns);
        python.floor_ns = std::min(python.floor_ns, most_ns);
        python.floor_error_ns = std::min(python.floor_error_ns, most_ns * kDeviationOfEvenDraw);
    }
};

core::RungVisit* unrolled(core::Visit& visit) {
    if (visit.error) return nullptr;
    for (core::RungVisit& rung : visit.rungs)
        if (rung.kind == core::RungKind::kPython && rung.unroll > 1 && std::isfinite(rung.floor_ns))
            return rung.floor_error_ns > 0 ? nullptr : &rung;
    return nullptr;
}

}  // namespace

void pool_floors(std::vector<core::Visit>& visits, const core::References& best) {
    struct Known {
        Floors all, quiet;
    };
    std::map<int, Known> known;  // by copies
    for (core::Visit& visit : visits) {
        const core::RungVisit* python = unrolled(visit);
        if (python == nullptr) continue;
        known[python->unroll].all.add(*python, visit);
        if (is_quiet(visit, best)) known[python->unroll].quiet.add(*python, visit);
    }
    for (core::Visit& visit : visits) {
        core::RungVisit* python = unrolled(visit);
        if (python == nullptr) continue;
        const Known& floors = known.at(python->unroll);
        (floors.quiet.passes_ns.size() < kFewestQuietFloors ? floors.all : floors.quiet).give(*python);
    }
}

}  // namespace tare::stats
