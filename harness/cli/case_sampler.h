// CaseSampler: what `bench` does while its workers sample their cases: the memory for samples, a worker at a time;
// unwinding and naming between batches; a profile of each visit. Used by `run --profile` and `explain`.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "harness/attribution/layer_table.h"
#include "harness/attribution/process_maps.h"
#include "harness/attribution/profile_builder.h"
#include "harness/cli/jit_watch.h"
#include "harness/core/case_profile.h"
#include "harness/measure/sampled_batches.h"
#include "harness/measure/worker_link.h"
#include "pmu/sample_ring.h"

namespace tare::cli {

struct CaseSamplerEvents {
    std::function<core::Status(const core::CaseProfile&)> made;  ///< of one visit, with samples
    std::function<core::Status(const core::ProfileProblem&)> refused;
};

class CaseSampler {
  public:
    /// `layers` must outlive it.
    CaseSampler(const attribution::LayerTable& layers, double rate_hz, CaseSamplerEvents events)
        : layers_(layers), rate_hz_(rate_hz), events_(std::move(events)) {}

    /// The visits that follow are this worker's. Errors: kEnvironment where there is no memory for samples.
    [[nodiscard]] core::Status begin_worker(measure::WorkerLink& worker);
    /// For the visits of a run; it points here.
    [[nodiscard]] measure::SamplingSettings settings();

  private:
    void take();
    void read_maps(std::int32_t process);
    void read_compiled_code();
    void add_perf_map();
    void ask_names();
    [[nodiscard]] core::Status finish(const core::SampledVisit& visit);
    [[nodiscard]] core::CaseProfile profile_of(const core::SampledVisit& visit);

    const attribution::LayerTable& layers_;
    double rate_hz_;
    CaseSamplerEvents events_;
    attribution::ProcessMaps files_;
    JitWatch compilers_;  ///< of this worker's
    measure::WorkerLink* worker_ = nullptr;
    std::optional<pmu::SampleRing> ring_;
    std::optional<attribution::ProfileBuilder> builder_;
    std::int32_t process_ = 0;  ///< the worker's, once a sample has told it
    bool maps_are_fresh_ = false;
    std::string maps_;
    std::size_t perf_map_bytes_ = 0;  ///< of what was read of it
    std::set<std::uint64_t> asked_;   ///< functions of which the worker was asked what Python calls them
    pmu::SampleCounts counts_;        ///< up to the visit before
};

/// What a profile tells of a case; of functions those with samples. Without what only the visit knows.
[[nodiscard]] core::CaseProfile case_profile(const core::Profile& profile);

}  // namespace tare::cli
