// The options of `bench export`. Which formats there are, the Python package knows.
#include "harness/cli/option_kit.h"

namespace tare::cli {

void add_export(CLI::App& app, Options& options) {
    CLI::App* command = app.add_subcommand("export", "a record in the format of another tool");
    command->callback([&options] { options.command = Command::kExport; });
    command->footer(
        "Formats: pyperf, asv (a folder), pytest-benchmark, bencher, github-action (customSmallerIsBetter),\n"
        "openmetrics, benchstat, parquet and arrow (which need pyarrow in the interpreter). Of runs; parquet and\n"
        "arrow hold the rows of duets, too. What a format cannot hold is said on stderr.\n"
        "Ledgers go to KCachegrind by bench explain --callgrind, verdicts to a CI by --junit and --summary.\n"
        "Examples:\n"
        "  bench export run.json --to pyperf -o pyperf.json\n"
        "  bench export run.json --to asv -o asv_results --commit 3f1c0a7d\n"
        "  bench export run.json --to openmetrics > metrics.txt\n"
        "Exit codes: 0 done, 2 usage or environment.");
    command->add_option("RECORD", options.exported.record, "the record of a run")->required()->check(not_blank("path"));
    command->add_option("--to", options.exported.format, "the format")->required()->type_name("WORD");
    command->add_option("-o,--out", options.out, "file to write, of asv a folder (default: stdout)")->type_name("PATH");
    command->add_option("--commit", options.exported.commit,
                        "of asv: the commit that was measured (default: that of the package which the record goes by, "
                        "where it knows it)");
    command->add_option("--python", options.subject.python,
                        "interpreter that writes it (default: $TARE_PYTHON, else python3 of PATH)");
}

}  // namespace tare::cli
