// The options of `bench profile`. What stands behind them is the program's: all of it, unread.
#include "harness/cli/option_kit.h"

namespace tare::cli {

namespace {

constexpr double kFastestHz = 50'000;  // perf's own clock ends at 100 kHz; a handler takes microseconds
constexpr int kMostFunctions = 10'000;

const Choices<FramesShown> kFrames = {
    {"both", FramesShown::kBoth}, {"native", FramesShown::kNative}, {"python", FramesShown::kPython}};

void take_program(const std::vector<std::string>& rest, ProfileOptions& own) {
    if (rest.empty())
        throw CLI::ValidationError("PROGRAM",
                                   "no program was given: bench profile [OPTIONS] SCRIPT, -m MODULE or -c CODE");
    const std::string& first = rest.front();
    const bool takes_next = first == "-m" || first == "-c";
    if (first.starts_with('-') && first != "-" && !takes_next)
        throw CLI::ValidationError("PROGRAM", fmt::format("'{}' is no option of bench profile", first));
    if (takes_next && rest.size() == 1) throw CLI::ValidationError("PROGRAM", fmt::format("nothing follows {}", first));
    own.program = rest;
}

}  // namespace

void add_profile(CLI::App& app, Options& options) {
    CLI::App* profile = app.add_subcommand("profile", "where the time of a Python program goes, by sampled stacks");
    ProfileOptions& own = options.profile;
    profile->prefix_command();
    profile->callback([profile, &options] {
        options.command = Command::kProfile;
        take_program(profile->remaining(), options.profile);
    });
    profile->footer(
        "bench profile [OPTIONS] SCRIPT [ARGS...] | -m MODULE [ARGS...] | -c CODE [ARGS...]\n"
        "Examples:\n"
        "  bench profile -c 'import numpy as np; a = np.ones((128, 128)); [a @ a for _ in range(9999)]'\n"
        "  bench profile --flamegraph out.svg --threads script.py --an-option-of-the-script\n"
        "  bench profile --python venv -m pytest -q tests\n"
        "  bench profile --out before.json script.py; bench profile --against before.json script.py\n"
        "The program runs as `python` would run it. Exit code: the program's; 2 usage or environment.");
    profile->add_option("--python", options.subject.python,
                        "interpreter or virtual environment (default: $TARE_PYTHON, else python3 of PATH)");
    profile->add_option("--rate", own.rate_hz, "samples a second (default: 1000)")->check(between(1.0, kFastestHz));
    profile->add_option("--duration", own.duration_s, "end sampling after so many seconds; the program runs on")
        ->check(between(0.01, 1e6));
    profile->add_flag("--threads", own.threads, "all threads, not the main one alone; they are told apart");
    profile->add_flag("--gil", own.gil_only, "only samples that held the GIL");
    profile->add_flag("--idle", own.waiting, "time that threads wait, too, by the wall clock");
    profile->add_flag("--subprocesses", own.children, "forked and executed Python children, too");
    add_choice(*profile, "--frames", kFrames, own.frames, "frames of the call tree: both, native or python");
    profile->add_option("--top", own.top, "how many functions to list (default: 15)")
        ->check(between(1, kMostFunctions));
    profile->add_option("--against", own.against, "show by what it differs from this profile, written by --out");
    profile->add_option("--out", options.out, "write the profile as JSON");
    profile->add_option("--flamegraph", own.flame_graph, "write an SVG flame graph");
    profile->add_option("--speedscope", own.speedscope, "write a file for speedscope.app");
    profile->add_option("--folded", own.folded, "write folded stacks for flamegraph.pl");
    profile->add_option("--pprof", own.pprof, "write a file for pprof");
    profile->add_option("--layers", options.ledger.layers,
                        "file of rules from functions to layers, before the shipped ones; may be given again");
    add_format(*profile, options.format);
}

CLI::Option* add_sampling_rate(CLI::App& command, SamplingOptions& options) {
    return command
        .add_option("--rate", options.rate_hz, "samples a second, within batches that are run for it (default: 1000)")
        ->check(between(1.0, kFastestHz));
}

}  // namespace tare::cli
