// Cases, timing, ledgers, differences.
#include "harness/cli/explain_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/attribution/ledger_comparison.h"
#include "harness/cli/case_choice.h"
#include "harness/cli/explain_output.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/ledger_maker.h"
#include "harness/cli/message.h"
#include "harness/cli/output_file.h"
#include "harness/cli/workbench.h"
#include "harness/core/clock.h"
#include "pmu/cpu_choice.h"

namespace tare::cli {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Status;

namespace {

constexpr std::size_t kDiffCases = 2;

/// One subject's part of the work.
struct Side {
    Workbench bench;
    std::vector<core::Case> cases;
    std::string heading;
    std::vector<core::Ledger> ledgers;
};

Expected<Side> open_side(const SubjectOptions& subject, const std::vector<std::string>& wanted,
                         const Streams& streams) {
    Expected<Workbench> bench = Workbench::open(subject);
    if (!bench) return tl::unexpected<Error>(bench.error());
    for (const std::string& warning : bench->command().warnings) print_warning(streams, warning);
    Expected<core::Catalogue> catalogue = bench->catalogue();
    if (!catalogue) return tl::unexpected<Error>(catalogue.error());
    print_problems(streams, *catalogue);
    Side side{*std::move(bench), {}, {}, {}};
    if (!subject.expression.empty()) {
        side.cases = catalogue->cases;
        return side;
    }
    for (const std::string& text : wanted) {
        Expected<core::Case> chosen = choose_case(*catalogue, text);
        if (!chosen) return tl::unexpected<Error>(chosen.error());
        const bool again = std::any_of(side.cases.begin(), side.cases.end(),
                                       [&](const core::Case& each) { return each.name() == chosen->name(); });
        if (!again) side.cases.push_back(*std::move(chosen));
    }
    return side;
}

std::string heading_of(const Workbench& bench, const core::Value& facts) {
    std::string text = bench.subject().python + ": ";
    if (const std::string& numpy = facts["numpy"]["version"].as_text(); !numpy.empty())
        text += fmt::format("NumPy {}, ", numpy);
    text += fmt::format("CPython {} ({})", bench.subject().version, measure::name_of(bench.command().host));
    if (const std::string& core = facts["blas"]["core"].as_text(); !core.empty())
        text += fmt::format(", OpenBLAS core {}", core);
    return text;
}

class Explaining {
  public:
    Explaining(const Options& options, const Streams& streams, int cpu)
        : options_(options),
          streams_(streams),
          cpu_(cpu),
          progress_(streams.err, streams.progress, [] { return std::chrono::nanoseconds(core::wall_clock_ns()); }) {}

    [[nodiscard]] Status count(Side& side, const attribution::LayerTable& layers, Explanation& explanation);
    [[nodiscard]] Status time(const Side& side, Explanation& explanation);

  private:
    const Options& options_;
    const Streams& streams_;
    const int cpu_;
    Progress progress_;
};

Status Explaining::count(Side& side, const attribution::LayerTable& layers, Explanation& explanation) {
    LedgerMaker maker(side.bench, layers);
    const measure::LayoutSettings settings{.layouts = options_.ledger.layouts,
                                           .step_limit = options_.ledger.step_limit,
                                           .seed = options_.seed.value_or(0),
                                           .time_limit = options_.time_limit};
    std::int64_t done = 0;
    progress_.start(static_cast<std::int64_t>(side.cases.size()) * settings.layouts);
    const Status counted =
        maker.make(side.cases, settings, cpu_,
                   {.starts = [&](const core::Case& next, int) { progress_.update(done++, next.name()); },
                    .made = [&](const core::Ledger& ledger) -> Status {
                        side.ledgers.push_back(ledger);
                        return {};
                    },
                    .refused = [&](const core::LedgerProblem& problem) -> Status {
                        explanation.problems.push_back(problem);
                        return {};
                    }});
    progress_.clear();
    side.heading = heading_of(side.bench, maker.subject_facts());
    return counted;
}

Status Explaining::time(const Side& side, Explanation& explanation) {
    const measure::RoundSettings settings{.rounds = options_.rounds,
                                          .seed = options_.seed.value_or(1),
                                          .visit = {.plan = {}, .time_limit = options_.time_limit}};
    core::List names;
    for (const core::Case& each : side.cases) names.emplace_back(each.name());
    std::vector<core::Visit> visits;
    progress_.start(static_cast<std::int64_t>(side.cases.size()) * settings.rounds);
    const Status timed = measure::run_rounds(
        side.cases, settings, [&](const measure::WorkerDraw& draw) { return side.bench.spawn(draw, cpu_, names); },
        {.visit_starts = [&](const core::Case& next,
                             int) { progress_.update(static_cast<std::int64_t>(visits.size()), next.name()); },
         .visit_done = [&](const core::Visit& visit) -> Status {
             visits.push_back(visit);
             return {};
         },
         .stop = interrupted});
    progress_.clear();
    explanation.timing = record::summarize(visits);
    return timed;
}

/// Pairs of ledgers that are explained against each other: by case with --against, the two cases with --diff.
std::vector<core::LedgerDifference> differences(const Options& options, const Side& a, const std::optional<Side>& b) {
    std::vector<core::LedgerDifference> all;
    if (b) {
        for (const core::Ledger& before : a.ledgers)
            for (const core::Ledger& after : b->ledgers)
                if (before.case_name == after.case_name)
                    all.push_back(attribution::compare_ledgers(before, after, "a", "b"));
    } else if (options.explain.diff && a.ledgers.size() == kDiffCases) {
        all.push_back(attribution::compare_ledgers(a.ledgers[0], a.ledgers[1], "a", "b"));
    }
    return all;
}

Status check_request(const Options& options) {
    const ExplainOptions& own = options.explain;
    if (own.cases.empty() && options.subject.expression.empty())
        return core::fail(ErrorCode::kUsage, "no case was given",
                          "as in bench explain 'add[kind=0d]'; bench list --all shows the cases");
    if (own.diff && own.cases.size() != kDiffCases)
        return core::fail(ErrorCode::kUsage, fmt::format("--diff compares two cases, not {}", own.cases.size()),
                          "as in bench explain 'add[kind=float]' 'add[kind=0d]' --diff");
    for (const auto& [option, path] : {std::pair{"--flamegraph", &own.flame_graph},
                                       std::pair{"--speedscope", &own.speedscope}, std::pair{"--folded", &own.folded}})
        if (Status s = check_output(option, *path); !s) return s;
    return {};
}

Expected<ExitCode> explain(const Options& options, const Streams& streams) {
    if (Status s = check_request(options); !s) return tl::unexpected<Error>(s.error());
    Expected<Side> a = open_side(options.subject, options.explain.cases, streams);
    if (!a) return tl::unexpected<Error>(a.error());
    if (options.explain.diff && a->cases.size() != kDiffCases)
        return core::fail(ErrorCode::kUsage, fmt::format("both cases are {}", a->cases.front().name()),
                          "--diff needs two different ones");
    std::optional<Side> b;
    if (!options.explain.against.empty()) {
        SubjectOptions other = options.subject;
        other.python = options.explain.against;
        Expected<Side> opened = open_side(other, options.explain.cases, streams);
        if (!opened) return tl::unexpected<Error>(opened.error());
        b = *std::move(opened);
    }
    Expected<attribution::LayerTable> layers = read_layers(options.ledger.layers);
    if (!layers) return tl::unexpected<Error>(layers.error());
    Expected<int> cpu = pmu::pick_cpu(options.cpu);
    if (!cpu) return tl::unexpected<Error>(cpu.error());

    Explaining explaining(options, streams, *cpu);
    Explanation explanation;
    Status done = explaining.count(*a, *layers, explanation);
    if (done && b) done = explaining.count(*b, *layers, explanation);
    if (done && !options.explain.no_timing && !b) done = explaining.time(*a, explanation);
    if (!done && done.error().code != ErrorCode::kInterrupted) return tl::unexpected<Error>(done.error());

    explanation.heading = b ? fmt::format("a  {}\nb  {}", a->heading, b->heading) : a->heading;
    explanation.cases = a->cases;
    explanation.ledgers = a->ledgers;
    explanation.differences = differences(options, *a, b);
    print_explanation(options, streams, explanation);
    ExitCode code = explanation.problems.empty() ? ExitCode::kDone : ExitCode::kCasesFailed;
    if (!done) {
        code = stronger(code, ExitCode::kInterrupted);
        print_warning(streams, "interrupted: what was counted until then is shown");
    }
    if (Status s = write_profiles(options, explanation); !s) {
        print_error(streams, s.error());
        code = stronger(code, ExitCode::kUsage);
    }
    return code;
}

}  // namespace

ExitCode explain_command(const Options& options, const Streams& streams) {
    const Expected<ExitCode> code = explain(options, streams);
    if (code) return *code;
    print_error(streams, code.error());
    return exit_code_of(code.error());
}

}  // namespace tare::cli
