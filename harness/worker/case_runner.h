// CaseRunner: one prepared case in a worker. Makes its rungs, checks what they compute, estimates their cost, and runs
// the batches that `bench` orders. Main thread, GIL held.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/native_request.h"
#include "harness/core/value.h"
#include "harness/core/visit.h"
#include "harness/measure/drift.h"
#include "harness/measure/preemption.h"
#include "harness/measure/step_kind.h"
#include "harness/worker/counting.h"
#include "harness/worker/sampling.h"
#include "python/session.h"

namespace tare::worker {

using measure::StepKind;

class CaseRunner {
  public:
    CaseRunner(python::Session& session, Counting& counting, Sampling& sampling)
        : session_(session), counting_(counting), sampling_(sampling) {}

    /// {"case","seed","rungs":[names],"unroll","estimate","line"} ->
    /// {"unroll","rungs":[{"kind","estimate_ns","facts"}],"problems":[{"kind","reason"}],"passes":[[counters],...],
    /// "timed_alone"}: the last one true where each execution is timed by itself, and nothing is counted.
    /// `unroll`: copies of the statement in a pass; absent or 0: as many as suit its cost. `estimate` false: nothing is
    /// estimated (estimate_ns is nil), and what is executed does not depend on the clock. What `rungs` does not name
    /// is not made, the floors included; the python rung always is. `line` true: of a statement that is unrolled also
    /// the loops of fewer copies.
    [[nodiscard]] core::Expected<core::Value> prepare(const core::Value& request);

    /// {"seed","unroll"} -> {}. Sets the case up anew: objects, compiled loops, heap and stack get other places.
    /// `unroll` absent or 0: as before.
    [[nodiscard]] core::Expected<core::Value> place_anew(const core::Value& request);

    /// As Sampling::begin. Errors: kUsage too where the batches of the case hold more than the statement.
    [[nodiscard]] core::Expected<core::Value> sample(const core::Value& request);

    /// {"steps":[[kind,n,lead_in_n,warm_n],...],"pass","sampled","references","quiet_l1_cycles","patience_ns"} ->
    /// {"samples":[[n,wall_ns,cpu_ns,[l1_cycles,alu_cycles,clock_ghz],counts],...],"waited_ns"}. Without `pass` nothing
    /// is counted, and `counts` is absent; likewise without `references`. `sampled` true: the thread is sampled in all
    /// these batches, and nothing else is done. Of a batch that others took the CPU of, wall_ns is cpu_ns where that is
    /// less: what it took without them. A batch is put off until the loads of the references take no more than
    /// `quiet_l1_cycles`, for `patience_ns` in all.
    [[nodiscard]] core::Expected<core::Value> measure(const core::Value& request);

    /// Drops the case; {"changes":[texts],"drift","batches","preempted_batches"} says what interpreter state it left
    /// changed, whether its cost changed as it was repeated (measure::name_of, else empty), and of how many batches of
    /// the statement others took the CPU.
    [[nodiscard]] core::Expected<core::Value> finish();

  private:
    struct Rung {
        core::BatchEntry entry;
        std::shared_ptr<void> state;
        double estimate_ns = 0;
        core::Value facts;
    };

    [[nodiscard]] core::Status place(std::uint64_t seed, int unroll);
    [[nodiscard]] core::Status add_native(StepKind kind, const std::optional<core::NativeRequest>& request,
                                          const std::string& problem);
    [[nodiscard]] core::Status warm_up();
    [[nodiscard]] core::Expected<double> estimate_ns(const Rung& rung, std::uint64_t unit);
    [[nodiscard]] core::Status estimate_all();
    [[nodiscard]] core::Status failed_step(StepKind step, const core::Error& error);
    [[nodiscard]] core::Status choose_unroll(std::uint64_t seed, bool line);
    [[nodiscard]] core::Status verify_native(StepKind kind);
    [[nodiscard]] core::Status run_once(const Rung& rung, std::uint64_t n);
    [[nodiscard]] std::optional<Rung>& rung(StepKind kind) { return rungs_[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] std::string reason_gone(StepKind kind) const;
    [[nodiscard]] std::vector<core::RungKind> wanted_rungs() const;
    [[nodiscard]] bool wanted(core::RungKind kind) const;
    void problem(core::RungKind kind, std::string reason);

    /// What is done beside the batches.
    struct Beside {
        const core::CountHook* hook = nullptr;
        bool counts = false;
        bool references = false;
        double quiet_l1_cycles = 0;  ///< 0: no batch is put off
        std::int64_t patience_ns = 0;
        std::int64_t waited_ns = 0;
    };
    struct Timed {
        StepKind kind = StepKind::kPython;
        core::Sample sample;
        bool preempted = false;
        core::Value counts;
    };
    [[nodiscard]] core::Expected<core::List> run_steps(const core::List& steps, Beside& beside);
    [[nodiscard]] core::Expected<std::int64_t> time_pass(const Rung& rung, std::uint64_t n, bool own_only);
    [[nodiscard]] bool is_timed_alone() const;
    void without_others(std::vector<Timed>& batches, const measure::CpuUse& used_before);

    python::Session& session_;
    Counting& counting_;
    Sampling& sampling_;
    std::string case_name_;
    std::vector<core::RungKind> wanted_;
    int unroll_ = 1;
    bool line_ = false;  ///< the loops of fewer copies are made
    std::size_t stack_offset_bytes_ = 0;
    std::array<std::optional<Rung>, measure::kStepKinds> rungs_;
    measure::Drift drift_;  ///< of the statement
    std::int64_t batches_ = 0;
    std::int64_t preempted_batches_ = 0;
    core::List problems_;
    std::vector<core::RungKind> given_up_;  ///< rungs with a problem: not tried again at later placements
};

}  // namespace tare::worker
