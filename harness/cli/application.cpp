// Parses, recovers what a killed run left behind, and hands over to the command.
#include "harness/cli/application.h"

#include <fmt/format.h>

#include "harness/cli/bisect_command.h"
#include "harness/cli/compare_command.h"
#include "harness/cli/doctor_command.h"
#include "harness/cli/duet_command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/explain_command.h"
#include "harness/cli/export_command.h"
#include "harness/cli/list_command.h"
#include "harness/cli/message.h"
#include "harness/cli/options.h"
#include "harness/cli/pmu_command.h"
#include "harness/cli/profile_command.h"
#include "harness/cli/report_command.h"
#include "harness/cli/run_command.h"
#include "harness/cli/store_access.h"
#include "harness/cli/store_command.h"
#include "harness/cli/trend_command.h"
#include "harness/cli/worker_command.h"

namespace tare::cli {

namespace {

/// A run that was killed left a journal; the next command on its store makes a record of it.
void recover(const Options& options, const Streams& streams) {
    core::Expected<record::Store> store = open_store(options);
    if (!store) return;  // the command itself will say so if it needs a store
    const record::Recovery recovery = record::recover_store(*store);
    for (const record::Recovery::Item& item : recovery.items)
        print_warning(streams, fmt::format("an earlier run was killed; its {} visits are kept in {}", item.visits,
                                           item.record.string()));
    for (const core::Error& problem : recovery.problems) print_warning(streams, problem.what);
}

}  // namespace

int run_application(const std::vector<std::string>& arguments, const Streams& streams) {
    const Parsed parsed = parse_options(arguments);
    if (parsed.error) {
        print_error(streams, *parsed.error);
        return static_cast<int>(exit_code_of(*parsed.error));
    }
    if (!parsed.options) {
        streams.out << parsed.text << std::flush;
        return static_cast<int>(ExitCode::kDone);
    }
    switch (parsed.options->command) {
        case Command::kDoctor:  // these change nothing
        case Command::kExport:
        case Command::kCompletion:
        case Command::kWorker:
            break;
        default:
            recover(*parsed.options, streams);
    }
    int program_status = 0;  // of the program that bench profile ran
    const auto run = [&] {
        switch (parsed.options->command) {
            case Command::kRun:
                return run_command(*parsed.options, streams);
            case Command::kList:
                return list_command(*parsed.options, streams);
            case Command::kDuet:
                return duet_command(*parsed.options, streams);
            case Command::kCompare:
                return compare_command(*parsed.options, streams);
            case Command::kExplain:
                return explain_command(*parsed.options, streams);
            case Command::kPmu:
                return pmu_command(*parsed.options, streams);
            case Command::kDoctor:
                return doctor_command(*parsed.options, streams);
            case Command::kBisect:
                return bisect_command(*parsed.options, streams);
            case Command::kProfile:
                return profile_command(*parsed.options, streams, program_status);
            case Command::kTrend:
                return trend_command(*parsed.options, streams);
            case Command::kStore:
                return store_command(*parsed.options, streams);
            case Command::kWorker:
                return worker_command(*parsed.options, streams);
            case Command::kReport:
                return report_command(*parsed.options, streams);
            case Command::kExport:
                return export_command(*parsed.options, streams);
            case Command::kCompletion:
                streams.out << parsed.options->completion << std::flush;
                return ExitCode::kDone;
        }
        return ExitCode::kUsage;
    };
    ExitCode code = run();
    streams.out.flush();
    if (!streams.out) {  // a full disk, a closed pipe
        print_error(streams,
                    {core::ErrorCode::kEnvironment, "cannot write to stdout: not all of the output was taken", {}});
        code = stronger(code, ExitCode::kUsage);
    }
    return code == ExitCode::kDone ? program_status : static_cast<int>(code);
}

}  // namespace tare::cli
