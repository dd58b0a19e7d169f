// Looks at the CPU on which the other commands measure.
#include "harness/cli/doctor_command.h"

#include <algorithm>

#include "harness/cli/interrupt.h"
#include "harness/cli/message.h"
#include "harness/record/fitness_exports.h"
#include "harness/record/fitness_table.h"
#include "pmu/cpu_choice.h"
#include "pmu/fitness.h"
#include "pmu/fitness_facts.h"

namespace tare::cli {

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
    const core::Fitness fitness = pmu::fitness(*facts);
    streams.out << fitness_text(fitness, options.format, streams);
    streams.out.flush();
    return exit_code_of(fitness, options.doctor.strict);
}

}  // namespace tare::cli
