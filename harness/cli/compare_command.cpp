// Reads records; measures nothing.
#include "harness/cli/compare_command.h"

#include "harness/cli/message.h"
#include "harness/cli/output_file.h"
#include "harness/cli/verdict_output.h"
#include "harness/record/duet.h"

namespace tare::cli {

using core::Error;
using core::Expected;
using core::Status;

namespace {

Expected<ExitCode> replay(const Options& options, const Streams& streams) {
    Expected<record::Duet> duet = record::read_duet(options.compare.old_record);
    if (!duet) return tl::unexpected<Error>(duet.error());
    return give_verdicts(options, streams, *duet, record::decide(*duet));
}

Expected<ExitCode> compare(const Options& options, const Streams& streams) {
    if (Status s = check_output("--summary", options.verdict.summary); !s) return tl::unexpected<Error>(s.error());
    return replay(options, streams);
}

}  // namespace

ExitCode compare_command(const Options& options, const Streams& streams) {
    const Expected<ExitCode> code = compare(options, streams);
    if (code) return *code;
    print_error(streams, code.error());
    return exit_code_of(code.error());
}

}  // namespace tare::cli
