// A duet, and what is printed of it.
#include "harness/cli/duet_command.h"

#include "harness/cli/duet_run.h"
#include "harness/cli/message.h"
#include "harness/cli/verdict_output.h"

namespace tare::cli {

ExitCode duet_command(const Options& options, const Streams& streams) {
    const core::Expected<DuetOutcome> outcome = run_duet(options, streams);
    if (!outcome) {
        const ExitCode code = exit_code_of(outcome.error());
        if (code != ExitCode::kInterrupted) print_error(streams, outcome.error());
        return code;
    }
    ExitCode code = outcome->code;
    if (outcome->verdicts.empty()) {
        if (code == ExitCode::kInterrupted) print_warning(streams, "interrupted before anything was measured");
        return code;
    }
    code = stronger(code, give_verdicts(options, streams, outcome->duet, outcome->verdicts));
    if (outcome->code == ExitCode::kInterrupted)
        print_warning(streams, "interrupted: bench duet --continue goes on with what the record holds");
    return code;
}

}  // namespace tare::cli
