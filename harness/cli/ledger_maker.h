// LedgerMaker: a subject's cases stepped in fresh workers, and the ledgers made of what they recorded. The wiring of
// layout rounds, naming and layers; used by `explain` and by `run --ledger`.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/attribution/layer_table.h"
#include "harness/attribution/ledger_builder.h"
#include "harness/attribution/naming.h"
#include "harness/cli/workbench.h"
#include "harness/core/ledger.h"
#include "harness/measure/layout_rounds.h"

namespace tare::cli {

/// Rules of the user's files first, then ours. Errors: kUsage for a file that cannot be read or parsed.
[[nodiscard]] core::Expected<attribution::LayerTable> read_layers(const std::vector<std::string>& user_files);

/// What decides which instructions run: of the machine, of the subject's facts, and of the environment.
[[nodiscard]] core::ProgramKey program_key(const core::Value& subject_facts, const std::string& host);

struct LedgerEvents {
    std::function<void(const core::Case&, int layout)> starts;
    std::function<core::Status(const core::Ledger&)> made;  ///< each as soon as its last layout is in
    std::function<core::Status(const core::LedgerProblem&)> refused;
    /// Once, while the first worker that has stepped a case is there to be asked.
    std::function<core::Status(measure::WorkerLink&)> stepped_first = {};
};

class LedgerMaker {
  public:
    /// Both must outlive it.
    LedgerMaker(const Workbench& bench, const attribution::LayerTable& layers) : bench_(bench), layers_(layers) {}

    /// Errors: those of run_layouts, or of an event. A case that cannot be stepped is `refused`.
    [[nodiscard]] core::Status make(const std::vector<core::Case>& cases, const measure::LayoutSettings& settings,
                                    int cpu, const LedgerEvents& events);

    /// What the first worker said of the subject; nil before there was one.
    [[nodiscard]] const core::Value& subject_facts() const { return facts_; }

  private:
    [[nodiscard]] core::Expected<std::unique_ptr<measure::WorkerLink>> spawn(const measure::WorkerDraw& draw, int cpu,
                                                                             const core::Value& names);
    [[nodiscard]] attribution::Naming& naming_for(const core::Trace& trace, measure::WorkerLink& worker);
    [[nodiscard]] core::Status take(const core::Case& stepped, const measure::LayoutTraces& traces,
                                    measure::WorkerLink& worker);

    const Workbench& bench_;
    const attribution::LayerTable& layers_;
    core::Value facts_;
    core::ProgramKey program_;
    std::map<std::string, attribution::LedgerBuilder> builders_;
    std::optional<attribution::Naming> naming_;
    std::vector<core::CodeModule> named_modules_;  ///< what naming_ knows
    bool naming_is_of_one_process_ = false;        ///< it knows code compiled at run time
    measure::WorkerLink* worker_ = nullptr;        ///< that naming_ was last used for
};

}  // namespace tare::cli
