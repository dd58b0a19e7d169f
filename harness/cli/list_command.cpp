// Operations with their statements, or all cases.
#include "harness/cli/list_command.h"

#include <fmt/format.h>

#include "harness/cli/message.h"
#include "harness/cli/selection.h"
#include "harness/cli/workbench.h"
#include "harness/record/catalogue_export.h"

namespace tare::cli {

ExitCode list_command(const Options& options, const Streams& streams) {
    const auto failed = [&](const core::Error& error) {
        print_error(streams, error);
        return exit_code_of(error);
    };
    core::Expected<Workbench> bench = Workbench::open(options.subject);
    if (!bench) return failed(bench.error());
    core::Expected<core::Catalogue> catalogue = bench->catalogue();
    if (!catalogue) return failed(catalogue.error());
    print_problems(streams, *catalogue);
    core::Expected<std::vector<core::Case>> selected = select_cases(*catalogue, options.filter);
    if (!selected) return failed(selected.error());
    switch (options.format) {
        case Format::kTable:
            streams.out << record::print_case_table(*selected, options.show_all, streams.width);
            break;
        case Format::kJson:
            streams.out << record::print_case_json(*selected);
            break;
        case Format::kCsv:
            streams.out << record::print_case_csv(*selected);
            break;
        case Format::kMarkdown:
            streams.out << record::print_case_markdown(*selected);
            break;
    }
    streams.out.flush();
    return catalogue->problems.empty() ? ExitCode::kDone : ExitCode::kCasesFailed;
}

}  // namespace tare::cli
