// Counters are opened in bench itself, on the CPU that workers would be pinned to.
#include "harness/cli/pmu_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

#include "harness/cli/event_filter.h"
#include "harness/cli/message.h"
#include "harness/cli/nearest_names.h"
#include "harness/record/counter_check.h"
#include "harness/record/event_list.h"
#include "pmu/core_pmu.h"
#include "pmu/counter_choice.h"
#include "pmu/counter_request.h"
#include "pmu/counter_set.h"
#include "pmu/cpu_choice.h"
#include "pmu/cpu_pin.h"
#include "pmu/default_events.h"
#include "pmu/event_catalogue.h"
#include "pmu/self_test.h"

namespace tare::cli {

using core::Error;
using core::ErrorCode;
using core::EventDescription;
using core::Expected;

namespace {

constexpr std::size_t kProposals = 5;

/// tare's own names for what counters mean, with the event that each is on this CPU.
std::vector<EventDescription> roles_of(const pmu::CoreCpu& cpu) {
    std::vector<EventDescription> roles;
    for (const core::CounterRoleName& role : core::kCounterRoleNames) {
        if (role.role == core::CounterRole::kOther) continue;
        const core::CounterRequest request = pmu::request_of(role.role, false, cpu);
        std::string description(pmu::description_of(role.role));
        if (request.problem) description += "; here not: " + request.problem->reason;
        roles.push_back({std::string(role.name), std::move(description), request.problem ? "" : request.event, {}});
    }
    return roles;
}

Expected<ExitCode> list(const Options& options, const Streams& streams) {
    const Expected<int> cpu = pmu::pick_cpu(options.cpu);
    if (!cpu) return tl::unexpected<Error>(cpu.error());
    std::vector<EventDescription> events = roles_of(pmu::core_cpu(*cpu));
    Expected<std::vector<EventDescription>> known = pmu::known_events();
    if (!known) return tl::unexpected<Error>(known.error());
    events.insert(events.end(), known->begin(), known->end());
    const Expected<std::vector<EventDescription>> shown = matching_events(events, options.pmu.pattern);
    if (!shown) return tl::unexpected<Error>(shown.error());
    if (shown->empty()) {
        std::vector<std::string> nearest;
        for (const std::string& literal : literals_of(options.pmu.pattern))
            for (std::string& name : pmu::nearest_events(literal, kProposals))
                if (nearest.size() < kProposals) nearest.push_back(std::move(name));
        return core::fail(
            ErrorCode::kUsage, fmt::format("'{}' matches none of {} events", options.pmu.pattern, events.size()),
            nearest.empty() ? std::string("`bench pmu list` shows them all")
                            : fmt::format("nearest: {}; `bench pmu list` shows them all", fmt::join(nearest, ", ")));
    }
    switch (options.format) {
        case Format::kTable:
            streams.out << record::print_event_table(*shown, streams.width);
            break;
        case Format::kJson:
            streams.out << record::print_event_json(*shown);
            break;
        case Format::kCsv:
            streams.out << record::print_event_csv(*shown);
            break;
        case Format::kMarkdown:
            streams.out << record::print_event_markdown(*shown);
            break;
    }
    return ExitCode::kDone;
}

Expected<ExitCode> check_counters(const Options& options, const Streams& streams) {
    const Expected<int> cpu = pmu::pick_cpu(options.cpu);
    if (!cpu) return tl::unexpected<Error>(cpu.error());
    const pmu::CoreCpu core_cpu = pmu::core_cpu(*cpu);
    Expected<pmu::CounterChoice> choice =
        pmu::choose_counters(options.counters.list, options.counters.kernel, core_cpu);
    if (!choice) return tl::unexpected<Error>(choice.error());
    if (choice->counters.empty())
        return core::fail(ErrorCode::kUsage, "--counters none leaves nothing to check",
                          "leave it out to check the default counters");
    for (const std::string& warning : choice->warnings) print_warning(streams, warning);
    const Expected<pmu::CpuPin> pin = pmu::CpuPin::pin(*cpu);
    if (!pin) return tl::unexpected<Error>(pin.error());
    pmu::CounterSet counters = pmu::CounterSet::open(std::move(choice->counters), pmu::linux_kernel());
    pmu::self_test(counters);
    const record::CounterCheck result{.cpu = *cpu,
                                      .pmu = core_cpu.pmu ? core_cpu.pmu->name : "",
                                      .kernel = options.counters.kernel,
                                      .requests = counters.requests(),
                                      .counters = counters.counters()};
    switch (options.format) {
        case Format::kTable:
            streams.out << record::print_counter_check(result, streams.width, {.color = streams.color});
            break;
        case Format::kJson:
            streams.out << record::print_counter_check_json(result);
            break;
        case Format::kCsv:
            streams.out << record::print_counter_check_csv(result);
            break;
        case Format::kMarkdown:
            streams.out << record::print_counter_check_markdown(result);
            break;
    }
    return ExitCode::kDone;
}

}  // namespace

ExitCode pmu_command(const Options& options, const Streams& streams) {
    const Expected<ExitCode> code = options.pmu.check ? check_counters(options, streams) : list(options, streams);
    streams.out.flush();
    if (code) return *code;
    print_error(streams, code.error());
    return exit_code_of(code.error());
}

}  // namespace tare::cli
