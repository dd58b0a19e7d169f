// CaseSession: one worker's conversation about one case, from prepare to finish, with what the case wrote meanwhile.
// The rules of a visit that do not depend on how batches are arranged: who may print when, what must be as it was.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/case_profile.h"
#include "harness/core/visit.h"
#include "harness/measure/visit_plan.h"
#include "harness/measure/worker_link.h"

namespace tare::measure {

struct PreparedRung {
    StepCost cost;
    core::Value facts;
};

struct PreparedCase {
    int unroll = 1;
    std::vector<PreparedRung> rungs;
    std::vector<core::RungProblem> problems;
    std::vector<std::vector<std::size_t>> passes = {};  ///< of the worker's counters; empty: it counts nothing
    bool timed_alone = false;                           ///< each execution by itself, without what is done before it
};

/// What was ordered, in the order of the steps.
struct Batches {
    std::vector<core::Sample> samples;
    std::vector<core::BatchCounts> counts;  ///< one a sample; empty where no pass was ordered
    double waited_ns = 0;                   ///< for quiet moments
};

/// With it the references are taken beside each batch.
struct QuietOrder {
    double l1_limit_cycles = 0;  ///< a batch is put off until the loads take no more; 0: none is
    double patience_ns = 0;      ///< for so long in all batches of the order
};

/// What an answer to `finish` says of the interpreter. Errors: kCaseFailed where the case left it changed.
[[nodiscard]] core::Status left_unchanged(const core::Value& finished);

struct PrepareOrder {
    int unroll = 0;  ///< copies of the statement in a pass; 0: as suits its cost, which takes a set-up more
    /// What an execution of each rung costs is found out; without, that is 0, and both sides of a pair execute the
    /// same.
    bool estimate = true;
    bool line = true;  ///< an unrolled statement has the loops of fewer copies, too
};

/// Of a placement: of a case that takes longer no repeats are asked for. Whoever looks at what a few more executions
/// raise slows them, Python code thirtyfold.
inline constexpr double kMostToRepeatNs = 20e6;

class CaseSession {
  public:
    /// `time_limit`: for one request. What the worker wrote before is dropped.
    CaseSession(WorkerLink& worker, std::chrono::milliseconds time_limit);

    /// Sets the case up for the first time.
    [[nodiscard]] core::Expected<PreparedCase> prepare(const std::string& case_name,
                                                       const std::vector<core::RungKind>& rungs, std::uint64_t seed,
                                                       const PrepareOrder& order);
    /// Sets it up anew; unroll 0: as before.
    [[nodiscard]] core::Status place(std::uint64_t seed, int unroll = 0);
    /// One sample per step, and with a `pass` (an index of PreparedCase::passes) what its counters counted.
    [[nodiscard]] core::Expected<Batches> measure(const std::vector<Step>& steps,
                                                  std::optional<std::size_t> pass = std::nullopt,
                                                  const std::optional<QuietOrder>& quiet = std::nullopt);
    /// Lets the worker sample its thread, but only in batches of measure_sampled; what is in the ring is the caller's.
    /// Errors: kEnvironment where this machine allows no sampling.
    [[nodiscard]] core::Expected<core::SamplingWay> begin_sampling(const std::string& ring, double rate_hz);
    [[nodiscard]] core::Expected<core::Sample> measure_sampled(const Step& step);
    [[nodiscard]] core::Status end_sampling();
    /// Lets the worker execute the case a few times more, on operands of its own: where it does not do again what it
    /// did first, a warning says so. One that raises then is none of ours: what it was measured with did not. Errors:
    /// that the worker is gone, or was interrupted.
    [[nodiscard]] core::Status note_repeats(const std::string& case_name);
    /// Drops the case. Errors: kCaseFailed too where it printed while it was measured, or left the interpreter changed.
    [[nodiscard]] core::Status finish();

    /// What the case wrote to stderr, a line each for its set-up and its batches; call last.
    [[nodiscard]] std::vector<std::string> take_warnings();

  private:
    [[nodiscard]] core::Expected<core::Value> request(core::Map message);
    [[nodiscard]] core::Expected<Batches> run(const std::vector<Step>& steps, std::optional<std::size_t> pass,
                                              core::Map message);
    void note_set_up_output();
    void note_batch_output();

    WorkerLink& worker_;
    std::chrono::milliseconds time_limit_;
    std::vector<std::size_t> counters_of_pass_;  ///< how many
    CapturedOutput written_;                     ///< while batches ran
    std::vector<std::string> warnings_;
};

}  // namespace tare::measure
