// The options of `bench report`.
#include "harness/cli/option_kit.h"

namespace tare::cli {

namespace {

const Choices<history::Axis> kReportAxes = {
    {"version", history::Axis::kVersion}, {"commit", history::Axis::kCommit}, {"date", history::Axis::kDate}};

}  // namespace

void add_report(CLI::App& app, Options& options) {
    CLI::App* report = app.add_subcommand("report", "the store's records as one HTML page that works offline");
    report->callback([&options] { options.command = Command::kReport; });
    report->footer(
        "Examples:\n"
        "  bench report\n"
        "  bench report -o pages/ --filter '^(add|dot)\\['\n"
        "  bench report --by commit --metric gross --metric instructions\n"
        "Exit codes: 0 done, 2 usage or environment.");
    report
        ->add_option("-o,--out", options.out,
                     "file to write, or a folder, ending in /, for tare-report.html (default: the current folder)")
        ->type_name("PATH");
    add_filter(*report, options);
    report
        ->add_option("--metric", options.report.metrics,
                     "histories of this metric: gross, tare, net, instructions, ...; may be given again "
                     "(default: anchored, or gross and tare; and instructions)")
        ->expected(1);
    add_choice(*report, "--by", kReportAxes, options.report.axis,
               "histories by version, commit or date (default: versions where the records have several)");
    report->add_option("--machine", options.report.machine, "only the machine whose fingerprint begins so");
    report->add_option("--store", options.store,
                       "where records are (default: $TARE_STORE, else the user's data folder)");
}

}  // namespace tare::cli
