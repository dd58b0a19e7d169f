// From raw batches to times per execution: the only place where the floor is subtracted. Nanoseconds.
#pragma once

#include <vector>

#include "harness/core/visit.h"

namespace tare::stats {

/// Wall time of one execution in each batch, net of the harness: (wall - passes * floor) / n with n = passes * unroll.
/// A floor rung's floor is 0, so its value is the time of a pass. Batches with n = 0 have no value.
[[nodiscard]] std::vector<double> wall_values_ns(const core::RungVisit& rung);

/// The same from thread CPU time; the floor is busy code, so that its wall time is taken for its CPU time.
[[nodiscard]] std::vector<double> cpu_values_ns(const core::RungVisit& rung);

}  // namespace tare::stats
