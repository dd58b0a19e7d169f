// The options of `bench pmu list` and `bench pmu check`.
#include "harness/cli/option_kit.h"

namespace tare::cli {

void add_pmu(CLI::App& app, Options& options) {
    CLI::App* pmu = app.add_subcommand("pmu", "events that can be counted, and which of them count here");
    pmu->require_subcommand(1);
    pmu->footer(
        "Examples:\n"
        "  bench pmu check\n"
        "  bench pmu list 'l1|dtlb'\n"
        "Exit codes: 0 done, 2 usage or environment.");

    CLI::App* list = pmu->add_subcommand("list", "counters and events with their descriptions");
    list->callback([&options] {
        options.command = Command::kPmu;
        options.pmu.check = false;
    });
    list->footer(
        "Names for --counters: tare's own first (default asks for the most useful of them), then the events that "
        "libpfm\n"
        "knows for this CPU. A mask goes behind its event, as in perf::PERF_COUNT_HW_CACHE_L1D:READ:MISS.\n"
        "Examples:\n"
        "  bench pmu list\n"
        "  bench pmu list 'branch.*miss'\n"
        "  bench pmu list '^perf::.*fault' --format json");
    list->add_option("RE", options.pmu.pattern,
                     "regular expression searched in names and descriptions (default: all); case does not matter");
    add_cpu(*list, options.cpu, "CPU whose events are meant (default: the last one allowed)");
    add_format(*list, options.format);

    CLI::App* check = pmu->add_subcommand("check", "which counters work here, why others do not, what would change it");
    check->callback([&options] {
        options.command = Command::kPmu;
        options.pmu.check = true;
        if (options.counters.list.empty()) options.counters.list = "default";
    });
    check->footer(
        "Counters are opened in bench itself and count work of known size: one that opens but does not read what\n"
        "happened is suspect. A passing check is no measurement; `bench run --counters` is.\n"
        "Examples:\n"
        "  bench pmu check\n"
        "  bench pmu check --counters default,perf::L1-DCACHE-LOADS\n"
        "  bench pmu check --counters context-switches,cpu-migrations --count-kernel\n"
        "Exit codes: 0 it could look, whatever it found; 2 usage or environment.");
    add_counter_options(*check, options.counters);
    add_cpu(*check, options.cpu, "CPU to count on (default: the last one allowed)");
    add_format(*check, options.format);
}

}  // namespace tare::cli
