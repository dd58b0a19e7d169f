// Looks at the CPU on which the other commands measure.
#include "harness/cli/doctor_command.h"

#include <algorithm>

#include "harness/cli/interrupt.h"
#include "harness/cli/message.h"
#include "harness/cli/run_context.h"
#include "harness/measure/quiet_view.h"
#include "harness/record/fitness_exports.h"
#include "harness/record/fitness_table.h"
#include "pmu/core_pmu.h"
#include "pmu/counter_choice.h"
#include "pmu/counting_facts.h"
#include "pmu/cpu_choice.h"
#include "pmu/cpu_pin.h"
#include "pmu/fitness.h"
#include "pmu/fitness_facts.h"
#include "pmu/machine_facts.h"

namespace tare::cli {

namespace {

/// Of the counters that --counters default stands for, tried on `cpu`. Where they cannot be, the reason is a fact too.
core::Value counters_of(int cpu) {
    const auto missing = [](const core::Error& error) {
        return core::Map{{"counters", nullptr}, {"reasons", core::Map{{"counters", error.what}}}};
    };
    const core::Expected<pmu::CounterChoice> choice = pmu::choose_counters("default", false, pmu::core_cpu(cpu));
    if (!choice) return missing(choice.error());
    const core::Expected<pmu::CpuPin> pin = pmu::CpuPin::pin(cpu);
    if (!pin) return missing(pin.error());
    return pmu::counting_facts(choice->counters, pmu::core_pmus(), pmu::counting_surroundings(), pmu::linux_kernel());
}

constexpr std::size_t kSlices = 40;  // what fits into a line beside the numbers

/// Of the time that is watched now how much was quiet. The best is that of earlier runs; nothing is kept.
core::Expected<core::Value> quiet_of(int cpu, double watch_s) {
    const core::Expected<pmu::CpuPin> pin = pmu::CpuPin::pin(cpu);
    if (!pin)
        return core::Value(
            core::Map{{"quiet_ratio", nullptr}, {"reasons", core::Map{{"quiet_ratio", pin.error().what}}}});
    const measure::QuietView view = measure::watch_quiet(
        known_references(pmu::machine_facts()), static_cast<std::int64_t>(watch_s * 1e9), kSlices, interrupted);
    if (interrupted()) return core::fail(core::ErrorCode::kInterrupted, "interrupted");
    if (!(view.best.l1_cycles > 0))
        return core::Value(core::Map{{"quiet_ratio", nullptr},
                                     {"reasons", core::Map{{"quiet_ratio", "no reference for this architecture"}}}});
    return core::Value(
        core::Map{{"quiet_ratio", view.l1_ratio},
                  {"quiet_alu_ratio", view.alu_ratio},
                  {"quiet_watched_s", static_cast<double>(view.watched_ns) * 1e-9},
                  {"quiet_above_best_ratio", std::max(0.0, view.low.l1_cycles / view.best.l1_cycles - 1)},
                  {"quiet_slices", core::List(view.slices.begin(), view.slices.end())}});
}

}  // namespace

std::string fitness_text(const core::Fitness& fitness, Format format, const Streams& streams) {
    switch (format) {
        case Format::kTable:
            return record::print_fitness(fitness, streams.width, {.color = streams.color, .unicode = true});
        case Format::kJson:
            return record::fitness_json(fitness);
        case Format::kCsv:
            return record::fitness_csv(fitness);
        case Format::kMarkdown:
            return record::fitness_markdown(fitness);
    }
    return {};
}

ExitCode exit_code_of(const core::Fitness& fitness, bool strict) {
    const bool bad = std::any_of(fitness.findings.begin(), fitness.findings.end(),
                                 [](const core::Finding& f) { return f.state == core::FitnessState::kBad; });
    return strict && bad ? ExitCode::kUsage : ExitCode::kDone;
}

ExitCode doctor_command(const Options& options, const Streams& streams) {
    const auto failed = [&](const core::Error& error) {
        print_error(streams, error);
        return exit_code_of(error);
    };
    const core::Expected<int> cpu = pmu::pick_cpu(options.cpu);
    if (!cpu) return failed(cpu.error());
    const core::Expected<core::Value> facts = pmu::fitness_facts({.cpu = *cpu, .stop = interrupted});
    if (!facts) return failed(facts.error());
    const core::Expected<core::Value> quiet = quiet_of(*cpu, options.doctor.watch_s);
    if (!quiet) return failed(quiet.error());
    const core::Value counters = counters_of(*cpu);
    const core::Fitness fitness = pmu::fitness(pmu::merged({&*facts, &*quiet, &counters}));
    streams.out << fitness_text(fitness, options.format, streams);
    streams.out.flush();
    return exit_code_of(fitness, options.doctor.strict);
}

}  // namespace tare::cli
