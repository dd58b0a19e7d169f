// Workbench: one subject, ready to have workers spawned for it. The wiring of probe, host, process and catalogue.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "harness/cli/installation.h"
#include "harness/cli/options.h"
#include "harness/core/case.h"
#include "harness/core/error.h"
#include "harness/core/value.h"
#include "harness/measure/rounds.h"
#include "harness/measure/subject.h"
#include "harness/measure/worker_command.h"
#include "harness/measure/worker_process.h"

namespace tare::cli {

/// --python, else $TARE_PYTHON, else python3.
[[nodiscard]] std::string chosen_python(const SubjectOptions& options);

class Workbench {
  public:
    [[nodiscard]] static core::Expected<Workbench> open(const SubjectOptions& options);

    [[nodiscard]] const measure::Subject& subject() const { return subject_; }
    [[nodiscard]] const SubjectOptions& options() const { return options_; }
    [[nodiscard]] const measure::WorkerCommand& command() const { return command_; }
    [[nodiscard]] const Installation& installation() const { return installation_; }

    /// Whether the kernel places a worker's code, heap and stack at random. Fixed where instructions are counted, if
    /// the kernel lets us.
    enum class Addresses { kRandom, kFixed };

    /// A worker that has said hello and loaded the suites, or of them these `cases` (names), pinned to `cpu`.
    [[nodiscard]] core::Expected<std::unique_ptr<measure::WorkerLink>> spawn(
        const measure::WorkerDraw& draw, std::optional<int> cpu, const core::Value& cases = {},
        Addresses addresses = Addresses::kRandom) const;

    /// The same with time to build an editable install, which happens when it is first imported.
    [[nodiscard]] core::Expected<std::unique_ptr<measure::WorkerLink>> first_worker(std::optional<int> cpu) const;

    /// What the subject can measure, from a cache that holds until a file of the suites or the subject changes.
    [[nodiscard]] core::Expected<core::Catalogue> catalogue() const;

    /// Answers to hello and facts of a fresh worker: what a record says of the subject.
    [[nodiscard]] core::Expected<core::Value> subject_facts(measure::WorkerLink& worker) const;

  private:
    [[nodiscard]] core::Expected<std::unique_ptr<measure::WorkerLink>> start(const measure::WorkerDraw& draw,
                                                                             std::optional<int> cpu,
                                                                             const core::Value& cases,
                                                                             std::chrono::milliseconds limit,
                                                                             Addresses addresses) const;
    [[nodiscard]] core::Expected<core::Value> load(measure::WorkerLink& worker, const core::Value& cases,
                                                   std::chrono::milliseconds limit) const;
    [[nodiscard]] core::List suite_list() const;

    SubjectOptions options_;
    Installation installation_;
    measure::Subject subject_;
    measure::WorkerCommand command_;
};

}  // namespace tare::cli
