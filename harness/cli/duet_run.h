// A duet from options to verdicts: measured, journalled, kept as a record, and not printed. `bench duet` prints one;
// `bench bisect` and `bench trend --confirm` go by many.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"
#include "harness/record/duet.h"

namespace tare::cli {

struct DuetOutcome {
    record::Duet duet;
    std::vector<record::CaseVerdict> verdicts;  ///< empty: nothing was measured
    ExitCode code = ExitCode::kDone;            ///< kInterrupted; kUsage where it broke off, which was printed
};

/// What options.duet asks for. stderr takes progress, warnings and the record's place. Errors: before the first batch.
[[nodiscard]] core::Expected<DuetOutcome> run_duet(const Options& options, const Streams& streams);

/// A --filter that selects just these cases.
[[nodiscard]] std::string filter_of(const std::vector<std::string>& names);

/// `options` with a duet of options.subject as it is run by two interpreters.
[[nodiscard]] Options duet_between(const Options& options, const std::string& python_a, const std::string& python_b);

}  // namespace tare::cli
