// Table, JSON, CSV and Markdown of a check.
#include "harness/record/counter_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

#include "harness/record/json.h"
#include "harness/record/markup.h"
#include "harness/record/text_grid.h"

namespace tare::record {

namespace {

using core::CounterProblem;
using core::CounterState;

std::string errno_and_reason(const CounterProblem& problem) {
    return problem.errno_name.empty() ? problem.reason : problem.errno_name + ": " + problem.reason;
}

/// The distinct problems, numbered from 1 in the order of the counters.
class Notes {
  public:
    /// "(2)"; empty without a problem.
    std::string mark(const std::optional<CounterProblem>& problem) {
        if (!problem) return {};
        auto found = std::find(problems_.begin(), problems_.end(), *problem);
        if (found == problems_.end()) found = problems_.insert(problems_.end(), *problem);
        return fmt::format(" ({})", found - problems_.begin() + 1);
    }
    [[nodiscard]] const std::vector<CounterProblem>& problems() const { return problems_; }

  private:
    std::vector<CounterProblem> problems_;
};

std::vector<std::size_t> passes_of(const CounterCheck& check, std::size_t counter) {
    std::vector<std::size_t> passes;
    for (std::size_t pass = 0; pass < check.counters.passes.size(); ++pass) {
        const std::vector<std::size_t>& counters = check.counters.passes[pass];
        if (std::find(counters.begin(), counters.end(), counter) != counters.end()) passes.push_back(pass);
    }
    return passes;
}

/// As people count: "1 2".
std::string passes_text(const CounterCheck& check, std::size_t counter) {
    std::vector<std::size_t> passes = passes_of(check, counter);
    for (std::size_t& pass : passes) ++pass;
    return fmt::format("{}", fmt::join(passes, " "));
}

std::string heading_of(const CounterCheck& check) {
    return fmt::format("CPU {}, {}, {}", check.cpu, check.pmu.empty() ? "no PMU" : "PMU " + check.pmu,
                       check.kernel ? "user code and kernel" : "user code only");
}

std::string summary_of(const CounterCheck& check) {
    const auto working = std::count_if(
        check.counters.outcomes.begin(), check.counters.outcomes.end(), [](const core::CounterOutcome& outcome) {
            return outcome.state == CounterState::kMeasured || outcome.state == CounterState::kPartial;
        });
    const std::size_t passes = check.counters.passes.size();
    return fmt::format("{} of {} counters work here{}", working, check.requests.size(),
                       passes > 1 ? fmt::format(", in {} passes: batches take turns", passes) : "");
}

constexpr std::size_t kOtherColumns = 45;  // "context_switches", "unavailable (1)", "passes" and gaps between them
constexpr std::size_t kNarrowestEvent = 20;

/// Events with all their masks are longer than a terminal is wide; print_grid would leave all of them out.
std::string event_cell(const std::string& event, std::size_t width, const TextStyle& style) {
    if (width < kOtherColumns + kNarrowestEvent) return event;
    return shortened(event, width - kOtherColumns, style);
}

}  // namespace

std::string print_counter_check(const CounterCheck& check, std::size_t width, const TextStyle& style) {
    assert(check.requests.size() == check.counters.outcomes.size());
    Notes notes;
    std::vector<GridRow> rows;
    for (std::size_t i = 0; i < check.requests.size(); ++i) {
        const core::CounterOutcome& outcome = check.counters.outcomes[i];
        rows.push_back(
            {{check.requests[i].name, event_cell(check.requests[i].event, width, style),
              std::string(core::name_of(outcome.state)) + notes.mark(outcome.problem), passes_text(check, i)}});
    }
    std::string text = heading_of(check) + "\n\n" +
                       print_grid({{"counter", 0, true}, {"event", 1, true}, {"state", 0, true}, {"passes", 2, true}},
                                  std::move(rows), width, style);
    int number = 0;
    for (const CounterProblem& problem : notes.problems()) {
        text += fmt::format("{}({}) {}\n", number == 0 ? "\n" : "", number + 1, errno_and_reason(problem));
        if (!problem.hint.empty()) text += fmt::format("    {}\n", problem.hint);
        ++number;
    }
    return text + '\n' + summary_of(check) + '\n';
}

std::string print_counter_check_json(const CounterCheck& check) {
    Json list = Json::array();
    for (std::size_t i = 0; i < check.requests.size(); ++i) {
        const core::CounterRequest& request = check.requests[i];
        const core::CounterOutcome& outcome = check.counters.outcomes[i];
        Json problem;
        if (outcome.problem)
            problem =
                object_of({{"errno", outcome.problem->errno_name.empty() ? Json() : Json(outcome.problem->errno_name)},
                           {"reason", outcome.problem->reason},
                           {"hint", outcome.problem->hint}});
        list.push_back(object_of({{"name", request.name},
                                  {"role", core::name_of(request.role)},
                                  {"source", core::name_of(request.source)},
                                  {"event", request.event},
                                  {"pmu", request.pmu},
                                  {"type", request.type},
                                  {"config", request.config},
                                  {"state", core::name_of(outcome.state)},
                                  {"passes", passes_of(check, i)},
                                  {"reading_cost", passes_of(check, i).empty() ? Json() : number(outcome.reading_cost)},
                                  {"problem", std::move(problem)}}));
    }
    return compact(object_of({{"cpu", check.cpu},
                              {"pmu", check.pmu.empty() ? Json() : Json(check.pmu)},
                              {"kernel", check.kernel},
                              {"passes", check.counters.passes.size()},
                              {"counters", std::move(list)}})) +
           '\n';
}

std::string print_counter_check_csv(const CounterCheck& check) {
    std::string text = "counter,event,state,passes,errno,reason,hint\n";
    for (std::size_t i = 0; i < check.requests.size(); ++i) {
        const core::CounterOutcome& outcome = check.counters.outcomes[i];
        const CounterProblem problem = outcome.problem.value_or(CounterProblem{});
        text += fmt::format("{},{},{},{},{},{},{}\n", csv_text(check.requests[i].name),
                            csv_text(check.requests[i].event), core::name_of(outcome.state), passes_text(check, i),
                            problem.errno_name, csv_text(problem.reason), csv_text(problem.hint));
    }
    return text;
}

std::string print_counter_check_markdown(const CounterCheck& check) {
    Notes notes;
    std::string text = heading_of(check) + "\n\n| counter | event | state | passes |\n|---|---|---|---|\n";
    for (std::size_t i = 0; i < check.requests.size(); ++i) {
        const core::CounterOutcome& outcome = check.counters.outcomes[i];
        const std::string& event = check.requests[i].event;
        text += fmt::format("| {} | {} | {}{} | {} |\n", markdown_cell(check.requests[i].name),
                            event.empty() ? "" : '`' + markdown_cell(event) + '`', core::name_of(outcome.state),
                            notes.mark(outcome.problem), passes_text(check, i));
    }
    for (std::size_t i = 0; i < notes.problems().size(); ++i) {
        const CounterProblem& problem = notes.problems()[i];
        text += fmt::format("{}- ({}) {}{}\n", i == 0 ? "\n" : "", i + 1, markdown_cell(errno_and_reason(problem)),
                            problem.hint.empty() ? "" : "; " + markdown_cell(problem.hint));
    }
    return text + '\n' + summary_of(check) + '\n';
}

}  // namespace tare::record
