// Reads first, judges afterwards: what is best is known at the end.
#include "harness/measure/quiet_view.h"

#include <algorithm>

#include "harness/core/clock.h"
#include "harness/measure/reference_kernels.h"
#include "harness/measure/reference_watch.h"

namespace tare::measure {

namespace {

constexpr std::int64_t kEveryNs = 100'000;

double ratio(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

QuietView view_of(const std::vector<TimedReferences>& readings, std::int64_t watched_ns, const core::References& known,
                  std::size_t slices) {
    ReferenceWatch watch(known);
    for (const TimedReferences& each : readings) watch.take(each.taken);
    QuietView view{.watched_ns = watched_ns, .slices = {}, .low = watch.low(), .best = watch.best()};
    std::vector<std::size_t> quiet(slices), all(slices);
    std::size_t confirmed = 0;
    for (const auto& [at_ns, taken] : readings) {
        const auto slice = static_cast<std::size_t>(static_cast<double>(at_ns) / static_cast<double>(watched_ns) *
                                                    static_cast<double>(slices));
        const std::size_t place = std::min(slice, slices - 1);
        ++all[place];
        quiet[place] += is_quiet(taken, view.best) ? 1 : 0;
        confirmed += is_confirmed(taken, view.best) ? 1 : 0;
    }
    std::size_t quiet_in_all = 0;
    for (std::size_t i = 0; i < slices; ++i) {
        view.slices.push_back(ratio(quiet[i], all[i]));
        quiet_in_all += quiet[i];
    }
    view.l1_ratio = ratio(quiet_in_all, readings.size());
    view.alu_ratio = ratio(confirmed, readings.size());
    return view;
}

QuietView watch_quiet(const core::References& known, std::int64_t duration_ns, std::size_t slices,
                      const std::function<bool()>& stop) {
    std::vector<TimedReferences> readings;
    const std::int64_t started_ns = core::wall_clock_ns();
    std::int64_t passed_ns = 0;
    while (passed_ns < duration_ns && !stop()) {
        const core::References taken = time_references();
        readings.push_back({passed_ns, taken});
        // The time between is filled with the same work: after 0.1 ms of reading a clock, which leaves the core to its
        // sibling, the loads took up to 16 % more where they take nothing more beside batches.
        const std::int64_t next_ns = passed_ns + kEveryNs;
        for (; passed_ns < next_ns; passed_ns = core::wall_clock_ns() - started_ns) (void)time_references();
    }
    return view_of(readings, std::max<std::int64_t>(passed_ns, 1), known, slices);
}

}  // namespace tare::measure
