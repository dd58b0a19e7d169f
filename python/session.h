// Session: the Python side of a worker. Owns the suites, the prepared case and its operands, through the package
// `tare`. Main thread, GIL held. No Python exception leaves it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/batch_entry.h"
#include "harness/core/error.h"
#include "harness/core/native_request.h"
#include "harness/core/rung_kind.h"
#include "harness/core/shorter_copies.h"
#include "harness/core/step_hooks.h"
#include "harness/core/trace.h"
#include "harness/core/value.h"

namespace tare::python {

/// One placement of a case: fresh operands, freshly compiled loops. Entries stay valid until the next prepare().
struct Prepared {
    int unroll = 1;
    core::BatchEntry python;
    std::array<std::optional<core::BatchEntry>, core::kShorterCopies.size()> shorter;  ///< of fewer copies, if wanted
    std::optional<core::BatchEntry> floor;
    std::optional<core::BatchEntry> call;
    std::optional<core::BatchEntry> call_floor;
    std::optional<core::NativeRequest> native;
    std::optional<core::NativeRequest> cpp;
    std::string call_problem;  ///< why there is no such rung although it is wanted
    std::string native_problem;
    std::string cpp_problem;
};

class Session {
  public:
    /// Imports the package `tare` from `package_dir` without leaving that folder on sys.path.
    [[nodiscard]] static core::Expected<Session> open(const std::string& package_dir);
    ~Session();
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;

    /// Reads the suites (folders) or one expression; the answer describes the catalogue.
    /// `cases`: a list of the names of those to load; nil: all.
    [[nodiscard]] core::Expected<core::Value> load(const core::Value& suites, const core::Value& expression,
                                                   const core::Value& cases);
    /// Makes the python rung, and those of `rungs` that the case has; with `line` also the loops of 2 and 4 copies.
    [[nodiscard]] core::Expected<Prepared> prepare(const std::string& case_name, std::uint64_t seed, int unroll,
                                                   const std::vector<core::RungKind>& rungs, bool line = false);
    /// A fresh placement of a case, for run_step: `loop` is "statement", once a pass, or "floor". What prepare() made
    /// stays as it is.
    [[nodiscard]] core::Status prepare_step(const std::string& case_name, std::uint64_t seed, const std::string& loop);
    /// Executes that loop: passes to warm it up, then one between hooks.begin and hooks.end, once; another call needs
    /// another prepare_step. Error: what the statement raised.
    [[nodiscard]] core::Status run_step(const core::StepHooks& hooks);
    /// What Python's tables call those of `addresses` (sorted, distinct) where a function begins.
    [[nodiscard]] core::Expected<std::vector<core::PythonName>> names_of(const std::vector<std::uint64_t>& addresses);
    /// Compares what a native or cpp rung has just written with NumPy's own answer.
    [[nodiscard]] core::Expected<core::Value> verify(core::RungKind kind);
    [[nodiscard]] core::Expected<core::Value> facts();
    /// Which distributions the modules are from that were imported so far.
    [[nodiscard]] core::Expected<core::Value> loaded_packages();
    /// Paths of the files that modules and suites were made from.
    [[nodiscard]] core::Expected<core::Value> read_files();
    /// Remembers the interpreter's state (np.errstate, cwd, ...); changes() says what differs since, and restores
    /// nothing.
    [[nodiscard]] core::Status remember_state();
    [[nodiscard]] bool remembers_state() const;
    /// Forgets it: a second call, or one without remember_state(), finds none.
    [[nodiscard]] core::Expected<core::Value> state_changes();
    /// Executes the case on operands of its own; what a user is told where it does not do again what it did first, or
    /// "" (python/tare/repeats.py). Errors: what it raises.
    [[nodiscard]] core::Expected<core::Value> told_of_repeats(const std::string& case_name);
    [[nodiscard]] core::Status release();
    /// The exception of the batch that has just failed.
    [[nodiscard]] core::Error batch_error();

  private:
    struct State;
    explicit Session(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tare::python
