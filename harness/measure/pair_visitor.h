// One visit of a pair: two workers, one case, quads of batches that alternate between them. Never fails as a whole:
// what went wrong, and on which side, is in the PairVisit.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/core/case.h"
#include "harness/core/pair_visit.h"
#include "harness/measure/pair_plan.h"
#include "harness/measure/worker_link.h"

namespace tare::measure {

struct PairPlace {
    int round = 0;
    int pair = 0;
    int order = 0;
    std::uint64_t seed = 0;
};

/// No `size`: it is fixed here, from the slower side, and is then in the PairVisit (n is 0 if it came to none).
[[nodiscard]] core::PairVisit visit_pair(WorkerLink& a, WorkerLink& b, const core::Case& selected,
                                         const PairSettings& settings, const PairPlace& place,
                                         std::optional<PairSize> size);

}  // namespace tare::measure
