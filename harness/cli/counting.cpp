// Counters are chosen here and opened in the workers.
#include "harness/cli/counting.h"

#include <fmt/format.h>

#include <map>

#include "harness/cli/message.h"
#include "harness/core/counter_message.h"
#include "pmu/core_pmu.h"
#include "pmu/counter_choice.h"

namespace tare::cli {

using core::CounterOutcome;
using core::CounterRequest;
using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Map;
using core::Status;
using core::Value;

namespace {

constexpr std::chrono::milliseconds kOpenLimit{30'000};  // milliseconds of work; a machine that swaps takes longer

std::string text_of(const std::optional<core::CounterProblem>& problem) {
    if (!problem) return "it counts, but only part of the time";
    return problem->errno_name.empty() ? problem->reason : problem->errno_name + ": " + problem->reason;
}

}  // namespace

Expected<std::vector<CounterRequest>> chosen_counters(const Options& options, int cpu, const Streams& streams) {
    if (options.counters.list.empty()) return std::vector<CounterRequest>();
    Expected<pmu::CounterChoice> choice =
        pmu::choose_counters(options.counters.list, options.counters.kernel, pmu::core_cpu(cpu));
    if (!choice) return tl::unexpected<Error>(choice.error());
    for (const std::string& warning : choice->warnings) print_warning(streams, warning);
    if (!choice->counters.empty() && options.subject.threads > 1)
        print_warning(streams, "counters count the thread that runs the statement, not the other threads of BLAS");
    return std::move(choice->counters);
}

Expected<core::OpenCounters> open_counters(measure::WorkerLink& worker, const std::vector<CounterRequest>& counters) {
    const Expected<Value> answer =
        worker.request(Map{{"op", "count"}, {"counters", core::message_of(counters)}}, kOpenLimit);
    if (!answer) return tl::unexpected<Error>(answer.error());
    return core::open_counters(*answer, counters.size());
}

Status check_required(const std::vector<CounterRequest>& counters, const core::OpenCounters& opened) {
    std::string what, hint;
    std::map<std::string, std::string> names_of_reason;
    for (std::size_t i = 0; i < counters.size(); ++i) {
        const CounterOutcome& outcome = opened.outcomes[i];
        if (outcome.state == core::CounterState::kMeasured) continue;
        std::string& names = names_of_reason[text_of(outcome.problem)];
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", counters[i].name);
        if (hint.empty() && outcome.problem) hint = outcome.problem->hint;
    }
    for (const auto& [reason, names] : names_of_reason)
        what += fmt::format("{}{}: {}", what.empty() ? "" : "; ", names, reason);
    if (what.empty()) return {};
    return core::fail(ErrorCode::kEnvironment, "--require-counters: cannot count " + what,
                      fmt::format("{}{}`bench pmu check` says what counts here", hint, hint.empty() ? "" : "; "));
}

}  // namespace tare::cli
