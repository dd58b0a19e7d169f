// The options of `bench bisect`.
#include "harness/cli/option_kit.h"

namespace tare::cli {

namespace {

const Choices<Format> kBisectFormats = {{"table", Format::kTable}, {"json", Format::kJson}};

}  // namespace

void add_bisect(CLI::App& app, Options& options, double& time_limit_s) {
    CLI::App* bisect = app.add_subcommand("bisect", "which release, or commit, made it slower or faster");
    BisectOptions& own = options.bisect;
    bisect->callback([&options] { options.command = Command::kBisect; });
    bisect->footer(
        "Examples:\n"
        "  bench bisect --good 1.24.4 --bad 2.0.2 --filter '^add_at\\['\n"
        "  bench bisect --good 1.24.4 --bad 2.0.2 -e 'np.sin(1.5)' --setup 'pass'\n"
        "  bench bisect --package shapely --with 'numpy<2' --good 2.0.1 --bad 2.1.0 -e 'g == h' --setup '...'\n"
        "  bench bisect --good v2.0.0 --bad main --repository numpy --filter dot \\\n"
        "    --build 'python3 -m venv {prefix} && git worktree add --force --detach {prefix}/src {commit} &&\n"
        "             git -C {prefix}/src submodule update --init && {prefix}/bin/pip install {prefix}/src'\n"
        "Each step is a duet of the good end with a candidate. Environments are made in the cache folder and kept.\n"
        "A candidate without a wheel, whose build fails or in which the case fails is gone around.\n"
        "Exit codes: 0 found, or nothing to find; 2 usage or environment; 3 a range is left, or nothing is proven;\n"
        "4 no case could be compared; 130 interrupted.");
    bisect
        ->add_option("--good", own.good, "the older end: a release of NumPy or of --package, or with --build a commit")
        ->required();
    bisect->add_option("--bad", own.bad, "the newer end")->required();
    bisect->add_flag("--faster", own.faster, "look for what became faster");
    bisect->add_flag("--first", own.first,
                     "the first proven change of any size (default: where most of the change happened)");
    bisect->add_option(
        "--build", own.build,
        "shell command, run in --repository, that leaves an environment of commit {commit} in the folder "
        "{prefix}");
    bisect->add_option("--repository", own.repository, "git repository of the commits (default: this folder)")
        ->needs("--build");
    bisect->add_option("--python", options.subject.python,
                       "interpreter to install it for (default: $TARE_PYTHON, else python3 of PATH)");
    bisect->add_option("--suite", options.subject.suites,
                       "folder of operations; may be given again (default: the shipped NumPy suite)");
    add_filter(*bisect, options);
    add_expression(*bisect, options.subject.expression, options.subject.setup, options.subject.setup_each);
    add_package(*bisect, options.subject.package);
    add_beside(*bisect, options.beside)->excludes("--build");  // which makes its environments itself
    add_host(*bisect, options.subject.host);
    add_threads(*bisect, options.subject.threads);
    add_measuring_options(*bisect, options, time_limit_s);
    bisect->add_option("--store", options.store,
                       "where the duets' records go (default: $TARE_STORE, else the user's data folder)");
    add_choice(*bisect, "--format", kBisectFormats, options.format, "what stdout carries: table or json");
}

}  // namespace tare::cli
