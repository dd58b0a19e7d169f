// The cache file is that of subject_cache.h: a field `run=L1_CYCLES ALU_CYCLES CLOCK_GHZ` for each run, and
// `usual_ghz`.
#include "harness/measure/best_references.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "harness/core/median.h"
#include "harness/measure/subject_cache.h"

namespace tare::measure {

namespace {

using core::References;

constexpr double kConfirmed = 1.02;  // the clock that times 2 us ticks in 10 ns on some machines
constexpr double kLeft = 0.02;       // from the usual clock
constexpr std::size_t kRunsKept = 20;
constexpr std::array kKernels = {&References::l1_cycles, &References::alu_cycles};

std::string key_of(const std::string& machine) {
    return "cycles in the references of " + machine;
}

/// Ascending; those that are known.
std::vector<double> values_of(const std::vector<References>& runs, double References::*field) {
    std::vector<double> values;
    for (const References& each : runs)
        if (std::isfinite(each.*field) && each.*field > 0) values.push_back(each.*field);
    std::sort(values.begin(), values.end());
    return values;
}

}  // namespace

References best_of(const std::vector<References>& runs) {
    References best;
    for (double References::*const kernel : kKernels) {
        const std::vector<double> cycles = values_of(runs, kernel);
        if (cycles.empty()) continue;
        const auto confirmed = std::adjacent_find(cycles.begin(), cycles.end(),
                                                  [](double one, double next) { return next <= kConfirmed * one; });
        best.*kernel = confirmed == cycles.end() ? cycles.front() : *confirmed;
    }
    return best;
}

double usual_clock_ghz(double kept_ghz, const std::vector<References>& runs) {
    std::vector<double> clocks = values_of(runs, &References::clock_ghz);
    if (clocks.empty()) return kept_ghz;
    const double median_ghz = core::median(std::move(clocks));
    return std::abs(median_ghz - kept_ghz) <= kLeft * kept_ghz ? kept_ghz : median_ghz;
}

KnownRuns known_runs(const std::filesystem::path& cache_dir, const std::string& machine) {
    KnownRuns known;
    const std::optional<Fields> fields = remembered(cache_dir, key_of(machine));
    if (!fields) return known;
    for (const std::string& run : all_fields(*fields, "run")) {
        char* next = nullptr;
        const double l1_cycles = std::strtod(run.c_str(), &next);
        const double alu_cycles = std::strtod(next, &next);
        known.runs.push_back({l1_cycles, alu_cycles, std::strtod(next, nullptr)});
    }
    const double kept_ghz = std::strtod(field(*fields, "usual_ghz").c_str(), nullptr);
    known.usual_ghz = usual_clock_ghz(std::isfinite(kept_ghz) && kept_ghz > 0 ? kept_ghz : 0, known.runs);
    return known;
}

core::Status add_run(const std::filesystem::path& cache_dir, const std::string& machine, const References& found) {
    auto [runs, usual_ghz] = known_runs(cache_dir, machine);
    runs.push_back(found);
    if (runs.size() > kRunsKept) runs.erase(runs.begin(), runs.end() - kRunsKept);
    Fields fields;
    for (const References& run : runs)
        fields.emplace_back("run", fmt::format("{} {} {}", run.l1_cycles, run.alu_cycles, run.clock_ghz));
    fields.emplace_back("usual_ghz", fmt::format("{}", usual_clock_ghz(usual_ghz, runs)));
    fields.emplace_back("end", "1");
    return remember(cache_dir, key_of(machine), fields, {});
}

}  // namespace tare::measure
