// The options of `bench doctor`.
#include "harness/cli/option_kit.h"

namespace tare::cli {

namespace {

constexpr double kMostWatchS = 3600;

}  // namespace

void add_doctor(CLI::App& app, Options& options) {
    CLI::App* doctor = app.add_subcommand("doctor", "is this machine fit to measure, and what to change");
    doctor->callback([&options] { options.command = Command::kDoctor; });
    doctor->footer(
        "Reads what the machine says of itself and keeps one CPU busy for two seconds; changes nothing. Commands that "
        "would\n"
        "change something are printed, each with the one that takes it back.\n"
        "Marks: ok; note (usable, within a limit); bad (what is measured now would mislead); ? (the machine does not "
        "say).\n"
        "Examples:\n"
        "  bench doctor\n"
        "  bench doctor --watch 10\n"
        "  bench doctor --cpu 3 --format json\n"
        "  bench doctor --strict && bench run --filter '^add'\n"
        "Exit codes: 0 done, whatever was found; 2 usage or environment, or with --strict where a topic is bad; 130 "
        "interrupted.");
    add_cpu(*doctor, options.cpu, "CPU to look at (default: the last one allowed, where the other commands measure)");
    doctor->add_option("--watch", options.doctor.watch_s, "seconds to watch for others that use the core (default: 1)")
        ->check(between(0.1, kMostWatchS));
    doctor->add_flag("--strict", options.doctor.strict, "exit status 2 where a topic is bad");
    add_format(*doctor, options.format);
}

}  // namespace tare::cli
