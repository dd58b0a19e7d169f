// A median by number of copies.
#include "harness/stats/pooled_floors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "harness/stats/estimators.h"
#include "harness/stats/quiet.h"
#include "harness/stats/rung_values.h"

namespace tare::stats {

namespace {

constexpr std::size_t kFewestQuietFloors = 3;

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
    [[nodiscard]] double pooled_ns() const {
        const double floor_ns = std::max(0.0, median(passes_ns));
        return empty_ns.empty() ? floor_ns : std::min(floor_ns, kMostEmptyPasses * median(empty_ns));
    }
};

core::RungVisit* unrolled(core::Visit& visit) {
    if (visit.error) return nullptr;
    for (core::RungVisit& rung : visit.rungs)
        if (rung.kind == core::RungKind::kPython && rung.unroll > 1 && std::isfinite(rung.floor_ns)) return &rung;
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
        python->floor_ns =
            floors.quiet.passes_ns.size() < kFewestQuietFloors ? floors.all.pooled_ns() : floors.quiet.pooled_ns();
    }
}

}  // namespace tare::stats
