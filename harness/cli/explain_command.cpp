// Cases, timing, ledgers, differences.
#include "harness/cli/explain_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "harness/attribution/ledger_comparison.h"
#include "harness/attribution/moved_functions.h"
#include "harness/cli/case_choice.h"
#include "harness/cli/case_sampler.h"
#include "harness/cli/explain_output.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/ledger_maker.h"
#include "harness/cli/message.h"
#include "harness/cli/output_file.h"
#include "harness/cli/run_context.h"
#include "harness/cli/selection.h"
#include "harness/cli/workbench.h"
#include "harness/core/clock.h"
#include "harness/record/packages.h"
#include "pmu/cpu_choice.h"
#include "pmu/machine_facts.h"

namespace tare::cli {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Status;

namespace {

constexpr std::size_t kDiffCases = 2;

/// One subject's part of the work.
struct ExplainedSide {
    Workbench bench;
    std::vector<core::Case> cases;
    std::string heading;
    std::vector<core::Ledger> ledgers;
    core::Map packages = {};  ///< as record::packages_of reads them; of two sides, for the heading
    std::string name = {};    ///< "a", "b"; empty: the only one
};

Expected<ExplainedSide> open_side(const SubjectOptions& subject, const std::vector<std::string>& wanted,
                                  const Streams& streams) {
    Expected<Workbench> bench = Workbench::open(subject);
    if (!bench) return tl::unexpected<Error>(bench.error());
    for (const std::string& warning : bench->command().warnings) print_warning(streams, warning);
    Expected<core::Catalogue> catalogue = bench->catalogue();
    if (!catalogue) return tl::unexpected<Error>(catalogue.error());
    print_problems(streams, *catalogue);
    ExplainedSide side{*std::move(bench), {}, {}, {}};
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

    /// Ledgers of the side's cases in its order; `seed` draws the layouts.
    [[nodiscard]] Status count(ExplainedSide& side, const attribution::LayerTable& layers, std::uint64_t seed,
                               std::vector<core::LedgerProblem>& problems);
    /// Times the rungs, and samples beside.
    [[nodiscard]] Status time(const ExplainedSide& side, const attribution::LayerTable& layers,
                              Explanation& explanation);

  private:
    const Options& options_;
    const Streams& streams_;
    const int cpu_;
    Progress progress_;
};

Status Explaining::count(ExplainedSide& side, const attribution::LayerTable& layers, std::uint64_t seed,
                         std::vector<core::LedgerProblem>& problems) {
    LedgerMaker maker(side.bench, layers);
    const measure::LayoutSettings settings{.layouts = options_.ledger.layouts,
                                           .step_limit = options_.ledger.step_limit,
                                           .seed = seed,
                                           .time_limit = options_.time_limit};
    std::int64_t done = 0;
    progress_.start(static_cast<std::int64_t>(side.cases.size()) * settings.layouts);
    LedgerEvents events{.starts = [&](const core::Case& next, int) { progress_.update(done++, next.name()); },
                        .made = [&](const core::Ledger& ledger) -> Status {
                            side.ledgers.push_back(ledger);
                            return {};
                        },
                        .refused = [&](const core::LedgerProblem& problem) -> Status {
                            problems.push_back(problem);
                            if (!side.name.empty())
                                problems.back().error.what = fmt::format("{}: {}", side.name, problem.error.what);
                            return {};
                        }};
    if (!side.name.empty() && side.packages.empty())
        events.stepped_first = [&](measure::WorkerLink& worker) -> Status {
            progress_.clear();
            return learn_packages(streams_, worker, side.packages, fmt::format("side {}: ", side.name));
        };
    const Status counted = maker.make(side.cases, settings, cpu_, events);
    progress_.clear();
    side.heading = heading_of(side.bench, maker.subject_facts());
    return counted;
}

Status Explaining::time(const ExplainedSide& side, const attribution::LayerTable& layers, Explanation& explanation) {
    CaseSampler sampler(
        layers, options_.sampling.rate_hz,
        {.made = [&](const core::CaseProfile& profile) -> Status {
             core::merge(explanation.profiles, profile);
             return {};
         },
         .refused = [&](const core::ProfileProblem& problem) -> Status {
             if (std::ranges::find(explanation.profile_problems, problem) == explanation.profile_problems.end())
                 explanation.profile_problems.push_back(problem);
             return {};
         }});
    measure::RoundSettings settings{.rounds = options_.rounds,
                                    .seed = options_.seed.value_or(1),
                                    .visit = {.plan = {}, .time_limit = options_.time_limit}};
    settings.visit.sampling = sampler.settings();
    measure::ReferenceWatch references(known_references(pmu::machine_facts()));
    settings.visit.references = &references;
    const core::List names = names_of(side.cases);
    std::vector<core::Visit> visits;
    progress_.start(static_cast<std::int64_t>(side.cases.size()) * settings.rounds);
    const Status timed = measure::run_rounds(
        side.cases, settings,
        [&](const measure::WorkerDraw& draw) -> Expected<std::unique_ptr<measure::WorkerLink>> {
            auto worker = side.bench.spawn(draw, cpu_, names);
            if (!worker) return worker;
            if (Status s = sampler.begin_worker(**worker); !s) return tl::unexpected<Error>(s.error());
            return worker;
        },
        {.visit_starts = [&](const core::Case& next,
                             int) { progress_.update(static_cast<std::int64_t>(visits.size()), next.name()); },
         .visit_done = [&](const core::Visit& visit) -> Status {
             visits.push_back(visit);
             return {};
         },
         .stop = interrupted});
    progress_.clear();
    explanation.timing = record::summarize(visits, {}, references.best_at_clock());
    std::ranges::stable_sort(explanation.profiles, {}, [&](const core::CaseProfile& profile) {
        return std::ranges::find(side.cases, profile.case_name, [](const core::Case& each) { return each.name(); }) -
               side.cases.begin();
    });
    explanation.timing.times = record::case_times(explanation.profiles, explanation.timing.cases, side.ledgers);
    return timed;
}

/// Pairs of ledgers that are explained against each other: by case with --against, the two cases with --diff.
std::vector<std::pair<core::Ledger, core::Ledger>> pairs_of(const Options& options, const ExplainedSide& a,
                                                            const std::optional<ExplainedSide>& b) {
    std::vector<std::pair<core::Ledger, core::Ledger>> pairs;
    if (b) {
        for (const core::Ledger& before : a.ledgers)
            for (const core::Ledger& after : b->ledgers)
                if (before.case_name == after.case_name) pairs.emplace_back(before, after);
    } else if (options.explain.diff && a.ledgers.size() == kDiffCases) {
        pairs.emplace_back(a.ledgers[0], a.ledgers[1]);
    }
    return pairs;
}

std::vector<core::LedgerDifference> differences(const std::vector<std::pair<core::Ledger, core::Ledger>>& pairs) {
    std::vector<core::LedgerDifference> all;
    for (const auto& [before, after] : pairs) all.push_back(attribution::compare_ledgers(before, after, "a", "b"));
    return all;
}

bool claims_something(const core::LedgerDifference& difference) {
    return !difference.layers.empty() || !difference.functions.empty() || !difference.python_functions.empty();
}

/// What two sets of layouts agree on. Of 80 cases in two byte-identical environments one set claimed a function in one:
/// the environments' paths differ in length, which placements do not redraw.
void keep_confirmed(std::vector<core::LedgerDifference::Change>& changes,
                    const std::vector<core::LedgerDifference::Change>& again) {
    std::erase_if(changes, [&](const core::LedgerDifference::Change& change) {
        return std::none_of(again.begin(), again.end(), [&](const core::LedgerDifference::Change& other) {
            return other.name == change.name && other.module == change.module && other.kind == change.kind;
        });
    });
}

using Count = std::function<Status(ExplainedSide& side, std::uint64_t seed)>;

/// Counts both sides once more in layouts drawn by another seed, and keeps the changes that both sets show.
Status confirm(const Options& options, const ExplainedSide& a, const std::optional<ExplainedSide>& b,
               const Count& count, std::uint64_t seed, std::vector<core::LedgerDifference>& claimed) {
    ExplainedSide again_a{a.bench, a.cases, {}, {}, a.packages, a.name};
    std::optional<ExplainedSide> again_b;
    if (b) again_b = ExplainedSide{b->bench, b->cases, {}, {}, b->packages, b->name};
    if (Status s = count(again_a, seed); !s) return s;
    if (again_b)
        if (Status s = count(*again_b, seed); !s) return s;
    const std::vector<core::LedgerDifference> again = differences(pairs_of(options, again_a, again_b));
    for (core::LedgerDifference& difference : claimed)
        for (const core::LedgerDifference& other : again) {
            if (other.case_a != difference.case_a) continue;
            const std::size_t before = difference.functions.size();
            keep_confirmed(difference.layers, other.layers);
            keep_confirmed(difference.functions, other.functions);
            keep_confirmed(difference.python_functions, other.python_functions);
            difference.unclaimed += before - difference.functions.size();
        }
    return {};
}

Status check_request(const Options& options) {
    const ExplainOptions& own = options.explain;
    if (own.cases.empty() && options.subject.expression.empty())
        return core::fail(ErrorCode::kUsage, "no case was given",
                          "as in bench explain 'add[kind=0d]'; bench list --all shows the cases");
    if (own.diff && own.cases.size() != kDiffCases)
        return core::fail(ErrorCode::kUsage, fmt::format("--diff compares two cases, not {}", own.cases.size()),
                          "as in bench explain 'add[kind=float]' 'add[kind=0d]' --diff");
    if ((own.diff || !own.against.empty()) && options.ledger.layouts < measure::kFewestLayoutsToCompare)
        return core::fail(ErrorCode::kUsage,
                          fmt::format("--layouts {}: a difference needs {} or more", options.ledger.layouts,
                                      measure::kFewestLayoutsToCompare),
                          "the spread over fewer explains too little");
    std::map<std::string, std::string> files;
    for (const auto& [option, path] :
         {std::pair{"--flamegraph", &own.flame_graph}, std::pair{"--speedscope", &own.speedscope},
          std::pair{"--folded", &own.folded}, std::pair{"--callgrind", &own.callgrind}})
        if (!path->empty()) {
            if (Status s = check_output(option, *path); !s) return s;
            if (const auto [other, fresh] = files.try_emplace(*path, option); !fresh)
                return core::fail(ErrorCode::kUsage,
                                  fmt::format("{} and {} name one file: {}", other->second, option, *path),
                                  "give each its own");
        }
    return {};
}

Expected<ExitCode> explain(const Options& options, const Streams& streams) {
    if (Status s = check_request(options); !s) return tl::unexpected<Error>(s.error());
    Expected<ExplainedSide> a = open_side(options.subject, options.explain.cases, streams);
    if (!a) return tl::unexpected<Error>(a.error());
    if (options.explain.diff && a->cases.size() != kDiffCases)
        return core::fail(ErrorCode::kUsage, fmt::format("both cases are {}", a->cases.front().name()),
                          "--diff needs two different ones");
    std::optional<ExplainedSide> b;
    if (!options.explain.against.empty()) {
        SubjectOptions other = options.subject;
        other.python = options.explain.against;
        Expected<ExplainedSide> opened = open_side(other, options.explain.cases, streams);
        if (!opened) return tl::unexpected<Error>(opened.error());
        b = *std::move(opened);
        a->name = "a";
        b->name = "b";
    }
    Expected<attribution::LayerTable> layers = read_layers(options.ledger.layers);
    if (!layers) return tl::unexpected<Error>(layers.error());
    Expected<int> cpu = pmu::pick_cpu(options.cpu);
    if (!cpu) return tl::unexpected<Error>(cpu.error());

    Explaining explaining(options, streams, *cpu);
    Explanation explanation;
    const std::uint64_t seed = options.seed.value_or(0);
    const auto count = [&](ExplainedSide& side, std::uint64_t drawn_by) {
        return explaining.count(side, *layers, drawn_by, explanation.problems);
    };
    Status done = count(*a, seed);
    if (done && b) done = count(*b, seed);
    explanation.differences = differences(pairs_of(options, *a, b));
    if (done && std::ranges::any_of(explanation.differences, claims_something))
        done = confirm(options, *a, b, count, seed + 1, explanation.differences);
    for (core::LedgerDifference& difference : explanation.differences) attribution::take_moved(difference);
    if (done && !options.explain.no_timing && !b) done = explaining.time(*a, *layers, explanation);
    if (!done && done.error().code != ErrorCode::kInterrupted) return tl::unexpected<Error>(done.error());

    explanation.heading = a->heading;
    if (b && !b->heading.empty()) {
        const record::Packages loaded_a = record::packages_of(a->packages), loaded_b = record::packages_of(b->packages);
        std::vector<std::string> differ = record::differing_packages(loaded_a, loaded_b);
        std::erase(differ, "numpy");  // which stands there already
        explanation.heading = fmt::format("a  {}{}\nb  {}{}", a->heading, record::packages_text(loaded_a, differ),
                                          b->heading, record::packages_text(loaded_b, differ));
    }
    explanation.ledgers = a->ledgers;
    if (b) {  // trees and flame graphs show both sides
        for (core::Ledger& ledger : explanation.ledgers) ledger.case_name += " (a)";
        for (core::Ledger ledger : b->ledgers) {
            ledger.case_name += " (b)";
            explanation.ledgers.push_back(std::move(ledger));
        }
    }
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
