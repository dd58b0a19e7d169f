// The options of `bench trend`.
#include "harness/cli/option_kit.h"

namespace tare::cli {

namespace {

const Choices<history::Axis> kTrendAxes = {
    {"date", history::Axis::kDate}, {"version", history::Axis::kVersion}, {"commit", history::Axis::kCommit}};

}  // namespace

void add_trend(CLI::App& app, Options& options) {
    CLI::App* trend = app.add_subcommand("trend", "how the cases of the store's records moved, and since when");
    TrendOptions& own = options.trend;
    trend->callback([&options] { options.command = Command::kTrend; });
    trend->footer(
        "A series is one case on one machine, with one interpreter, host and number of threads; nothing else is "
        "mixed.\n"
        "Change points are proposed from the records; a duet of the two versions decides (--confirm).\n"
        "Examples:\n"
        "  bench trend '^add\\['\n"
        "  bench trend --changed --metric net\n"
        "  bench trend --metric anchored --by version --format json\n"
        "Metrics: gross, net, tare, call, cpp (runs, in ns); instructions and counters (runs that counted);\n"
        "anchored (duets: how many times side a's time side b takes).\n"
        "Commits stand in the order of their first measurement, not in that of the repository, which\n"
        "records do not know: measure old ones later, and a change may be named at the wrong commit.\n"
        "Change points that a duet refuted do not count as changes. Series of fewer than 10 points (6\n"
        "where each is of several processes) or with values that are not above zero are not searched.\n"
        "JSON: {kind, store, metric, unit, axis, counts, notes, series: [{case, machine, environment,\n"
        "reference, metric, unit, searched, not_searched, points: [{record, date, version, commit,\n"
        "gross_ns, gross_low_ns, gross_high_ns, processes}], changes: [{at, since, before_ns, after_ns,\n"
        "change_ratio, p_value, standing, confirmation}]}]}, one series a line. CSV: a line a point.\n"
        "Standing: proposed; by a duet confirmed, smaller (real, but below the bound of 2 %), refuted or not tried. A "
        "duet\n"
        "has the series' threads; a series with another interpreter, host or variables is not tried.\n"
        "Exit codes: 0 done; 2 usage or environment, or nothing found; 130 interrupted.");
    trend->add_option("pattern", own.pattern, "regular expression searched in the names of cases (default: all)")
        ->type_name("RE");
    trend
        ->add_option(
            "--metric", own.metric,
            "what of a case (default: of each case anchored where as many duets as runs are stored, else gross)")
        ->type_name("NAME");
    add_choice(*trend, "--by", kTrendAxes, own.axis,
               "date, version or commit (default: version where the longest series holds several, of up to three "
               "records each; "
               "else date)");
    add_package(*trend, options.subject.package);
    trend->add_option("--machine", own.machine, "only the machine whose fingerprint begins so")->type_name("HEX");
    trend->add_flag("--changed", own.changed, "only series with change points that no duet refuted");
    trend->add_flag("--confirm", own.confirm, "measure the two versions around each change point");
    trend->add_option(
        "--python", options.subject.python,
        "interpreter of the environments that --confirm makes (default: $TARE_PYTHON, else python3 of PATH)");
    trend->add_option("--suite", options.subject.suites,
                      "folder of the operations that --confirm measures; may be given again (default: the shipped "
                      "NumPy suite)");
    trend
        ->add_option("--build", own.build,
                     "command that makes an environment of a commit, for --confirm; {commit} and {prefix} are replaced")
        ->type_name("CMD");
    add_beside(*trend, options.beside)->needs("--confirm")->excludes("--build");
    trend->add_option("--repository", own.repository, "where --build runs (default: this folder)")->needs("--build");
    trend->add_option("--store", options.store,
                      "where the records are (default: $TARE_STORE, else the user's data folder)");
    add_format(*trend, options.format);
}

}  // namespace tare::cli
