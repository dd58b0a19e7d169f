// One number's way: catalogue, rounds of workers, journal, summary, table, record.
#include "harness/cli/run_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>

#include "harness/cli/case_sampler.h"
#include "harness/cli/counting.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/ledger_maker.h"
#include "harness/cli/message.h"
#include "harness/cli/output_file.h"
#include "harness/cli/placed_files.h"
#include "harness/cli/progress.h"
#include "harness/cli/run_context.h"
#include "harness/cli/run_output.h"
#include "harness/cli/selection.h"
#include "harness/cli/store_access.h"
#include "harness/cli/workbench.h"
#include "harness/core/clock.h"
#include "harness/measure/further_rounds.h"
#include "harness/measure/rounds.h"
#include "harness/record/journal.h"
#include "harness/record/record.h"
#include "harness/stats/least_known.h"
#include "pmu/cpu_choice.h"

namespace tare::cli {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Status;

namespace {

struct Plan {
    std::vector<core::Case> cases;
    core::Value made;  ///< the names of what workers make of the suites; nil: all, which these are
    std::vector<core::Catalogue::Problem> problems;
    int cpu = 0;
    std::uint64_t seed = 0;
    std::vector<core::CounterRequest> counters;
};

std::uint64_t random_seed() {
    std::random_device device;
    return (static_cast<std::uint64_t>(device()) << 32) | device();
}

Expected<Plan> plan_run(const Options& options, const Streams& streams, const Workbench& bench) {
    if (Status s = check_output("--out", options.out); !s) return tl::unexpected<Error>(s.error());
    Expected<core::Catalogue> catalogue = bench.catalogue();
    if (!catalogue) return tl::unexpected<Error>(catalogue.error());
    print_problems(streams, *catalogue);
    Expected<std::vector<core::Case>> selected = select_cases(*catalogue, options.filter);
    if (!selected) return tl::unexpected<Error>(selected.error());
    Expected<int> cpu = pmu::pick_cpu(options.cpu);
    if (!cpu) return tl::unexpected<Error>(cpu.error());
    Expected<std::vector<core::CounterRequest>> counters = chosen_counters(options, *cpu, streams);
    if (!counters) return tl::unexpected<Error>(counters.error());
    core::Value made;
    if (selected->size() < catalogue->cases.size()) made = names_of(*selected);
    return Plan{.cases = *std::move(selected),
                .made = std::move(made),
                .problems = catalogue->problems,
                .cpu = *cpu,
                .seed = options.seed.value_or(random_seed()),
                .counters = *std::move(counters)};
}

/// Rounds visit cases in random order; readers of a record or a table want the catalogue's. `order` keeps the other.
template <class Measured>
void put_in_catalogue_order(std::vector<Measured>& measured, const std::vector<core::Case>& cases) {
    std::map<std::string, std::size_t> place;
    for (const core::Case& each : cases) place.emplace(each.name(), place.size());
    std::ranges::stable_sort(measured, {}, [&](const Measured& each) {
        if constexpr (requires { each.round; })
            return std::pair(each.round, place[each.case_name]);
        else
            return place[each.case_name];
    });
}

constexpr double kMostlyQuiet = 0.95;

/// The run's own state: what is measured so far, and where it is kept.
class Run {
  public:
    Run(const Options& options, const Streams& streams, const Workbench& bench, Plan plan)
        : options_(options),
          streams_(streams),
          bench_(bench),
          plan_(std::move(plan)),
          progress_(streams.err, streams.progress, [] { return std::chrono::nanoseconds(core::wall_clock_ns()); }) {}

    [[nodiscard]] Status open(const record::Store& store);
    /// `layers`: with --profile; must outlive the run.
    [[nodiscard]] Status measure(const attribution::LayerTable* layers);
    /// With --ledger: steps every case too, after all were timed.
    [[nodiscard]] Status count(const attribution::LayerTable* layers);
    /// Writes record and table; the exit code says what became of the run.
    [[nodiscard]] ExitCode finish(const record::Store& store, const Status& measured);

  private:
    [[nodiscard]] Expected<std::unique_ptr<measure::WorkerLink>> spawn(const measure::WorkerDraw& draw);
    [[nodiscard]] CaseSamplerEvents sampler_events();
    [[nodiscard]] Status start_counting(measure::WorkerLink& worker, int process);
    /// How quiet the machine was so far, where that is worth a word.
    [[nodiscard]] std::string quiet_text() const {
        const double ratio = references_.quiet_ratio();
        return ratio > kMostlyQuiet ? "" : fmt::format(" (quiet: {:.0f} %)", 100 * ratio);
    }
    /// Visits the cases that are known least again.
    [[nodiscard]] Status measure_further(const measure::RoundSettings& settings, const measure::RoundEvents& events);
    [[nodiscard]] std::vector<core::Case> least_known(std::size_t most) const;

    const Options& options_;
    const Streams& streams_;
    const Workbench& bench_;
    const Plan plan_;
    Progress progress_;
    const double started_s_ = core::unix_time_s();
    Expected<pmu::CpuTimes> cpu_before_ = pmu::cpu_times(plan_.cpu);
    std::string name_;
    core::Map context_;
    record::Record record_;
    std::optional<record::Journal> journal_;
    std::optional<CaseSampler> sampler_;
    std::string machine_;  ///< whose references are known
    measure::ReferenceWatch references_;
    bool subject_known_ = false;
    bool packages_known_ = false;
    PlacedFiles placed_files_;
    std::size_t workers_ = 0;
    std::int64_t visits_planned_ = static_cast<std::int64_t>(plan_.cases.size()) * options_.rounds;
    double rounds_s_ = 0;
};

Status Run::open(const record::Store& store) {
    context_ = context_at_start(bench_, plan_.cpu, started_s_);
    machine_ = reference_machine(context_);
    references_ = measure::ReferenceWatch(known_references(context_), options_.wait_s, options_.rounds);
    add_references(context_, references_);
    record_.context = context_;
    record_.settings = run_settings(options_, plan_.seed, plan_.cases.size());
    record_.problems = plan_.problems;
    record_.counting.requests = plan_.counters;
    name_ = record::run_name(started_s_, std::random_device{}());
    Expected<record::Journal> journal = record::Journal::create(store.journals(), name_, record_);
    if (!journal) return tl::unexpected<Error>(journal.error());
    journal_ = *std::move(journal);
    return {};
}

Expected<std::unique_ptr<measure::WorkerLink>> Run::spawn(const measure::WorkerDraw& draw) {
    if (placed_files_.round_starts(draw.round)) {
        add_page_cache(context_, placed_files_.redraw());
        if (Status s = journal_->append_context(context_); !s) return tl::unexpected<Error>(s.error());
    }
    auto worker = bench_.spawn(draw, plan_.cpu, plan_.made);
    if (!worker) return worker;
    ++workers_;
    if (Status s = start_counting(**worker, draw.process); !s) return tl::unexpected<Error>(s.error());
    if (sampler_)
        if (Status s = sampler_->begin_worker(**worker); !s) return tl::unexpected<Error>(s.error());
    if (subject_known_) return worker;
    Expected<core::Value> facts = bench_.subject_facts(**worker);
    if (!facts) return tl::unexpected<Error>(facts.error());
    add_subject(context_, *facts);
    if (const std::int64_t threads = (*facts)["blas"]["threads"].as_int(options_.subject.threads);
        threads != options_.subject.threads)
        print_warning(
            streams_,
            fmt::format("BLAS runs {} thread{}, not the {} of --threads: the environment or its build decides", threads,
                        threads == 1 ? "" : "s", options_.subject.threads));
    subject_known_ = true;
    if (Status s = journal_->append_context(context_); !s) return tl::unexpected<Error>(s.error());
    return worker;
}

Status Run::start_counting(measure::WorkerLink& worker, int process) {
    if (plan_.counters.empty()) return {};
    Expected<core::OpenCounters> counters = open_counters(worker, plan_.counters);
    if (!counters) return tl::unexpected<Error>(counters.error());
    if (options_.counters.required)
        if (Status s = check_required(plan_.counters, *counters); !s) return s;
    record_.counting.processes.push_back({.process = process, .counters = *std::move(counters)});
    return journal_->append(record_.counting.processes.back());
}

/// Every case is sampled in every round; that it cannot be is said once.
CaseSamplerEvents Run::sampler_events() {
    return {.made = [this](const core::CaseProfile& profile) -> Status {
                core::merge(record_.profiles, profile);
                return journal_->append(profile);
            },
            .refused = [this](const core::ProfileProblem& problem) -> Status {
                const bool known = std::any_of(record_.profile_problems.begin(), record_.profile_problems.end(),
                                               [&](const auto& other) { return other.case_name == problem.case_name; });
                if (known) return {};
                record_.profile_problems.push_back(problem);
                return journal_->append(problem);
            }};
}

Status Run::measure(const attribution::LayerTable* layers) {
    if (layers != nullptr && options_.sampling.wanted)
        sampler_.emplace(*layers, options_.sampling.rate_hz, sampler_events());
    progress_.start(visits_planned_);
    measure::RoundSettings settings{.rounds = options_.rounds, .seed = plan_.seed, .visit = {}};
    settings.spare_slow = options_.spare_slow;
    settings.visit.plan.visit_budget_ns = options_.visit_budget_s * 1e9;
    settings.visit.unroll = options_.unroll;
    settings.visit.counters = plan_.counters;
    settings.visit.counters_required = options_.counters.required;
    settings.visit.time_limit = options_.time_limit;
    settings.visit.references = &references_;
    if (sampler_) settings.visit.sampling = sampler_->settings();
    const measure::RoundEvents events{.visit_starts =
                                          [this](const core::Case& next, int) {
                                              progress_.update(static_cast<std::int64_t>(record_.visits.size()),
                                                               next.name() + quiet_text());
                                          },
                                      .visit_done = [this](const core::Visit& visit) -> Status {
                                          record_.visits.push_back(visit);
                                          return journal_->append(visit);
                                      },
                                      .round_measured = [this](measure::WorkerLink& worker, int) -> Status {
                                          if (Status s = placed_files_.learn(worker); !s) return s;
                                          if (std::exchange(packages_known_, true)) return {};
                                          progress_.clear();
                                          if (Status s = learn_packages(streams_, worker, context_); !s) return s;
                                          return journal_->append_context(context_);
                                      },
                                      .spared = [this](int visits) { progress_.set_total(visits_planned_ -= visits); },
                                      .stop = interrupted};
    const std::int64_t started_ns = core::wall_clock_ns();
    Status measured = measure::run_rounds(
        plan_.cases, settings, [this](const measure::WorkerDraw& draw) { return spawn(draw); }, events);
    rounds_s_ = 1e-9 * static_cast<double>(core::wall_clock_ns() - started_ns);
    if (measured && options_.within_percent.value_or(0) > 0) measured = measure_further(settings, events);
    progress_.clear();
    return measured;
}

std::vector<core::Case> Run::least_known(std::size_t most) const {
    const std::vector<std::string> names = stats::least_known(
        stats::estimate_cases(record_.visits, {}, references_.best_at_clock()), 0.01 * *options_.within_percent);
    std::vector<core::Case> cases;
    for (const std::string& name : names)
        for (const core::Case& each : plan_.cases)
            if (cases.size() < most && each.name() == name) cases.push_back(each);
    return cases;
}

Status Run::measure_further(const measure::RoundSettings& settings, const measure::RoundEvents& events) {
    measure::RoundCosts costs{.all_s = rounds_s_,
                              .waited_s = 1e-9 * references_.waited_ns(),
                              .visits = record_.visits.size(),
                              .workers = workers_};
    for (const core::Visit& visit : record_.visits) costs.visits_s += visit.wall_s;
    // What fails here was asked for by nobody: what the rounds before measured stands.
    measure::RoundEvents forgiving = events;
    forgiving.visit_done = [&](const core::Visit& visit) -> Status {
        if (!visit.error) return events.visit_done(visit);
        progress_.message(
            fmt::format("a further visit of {} failed and is left out: {}", visit.case_name, visit.error->what));
        return {};
    };
    bool no_worker = false;
    const Status done = measure::run_further_rounds(
        plan_.cases.size(), settings, costs,
        [this](std::size_t most) {
            std::vector<core::Case> cases = least_known(most);
            if (most < plan_.cases.size()) visits_planned_ += static_cast<std::int64_t>(cases.size());
            progress_.set_total(static_cast<std::int64_t>(record_.visits.size() + cases.size()));
            return cases;
        },
        [&](const measure::WorkerDraw& draw) {
            auto worker = spawn(draw);
            no_worker = !worker && worker.error().code != ErrorCode::kInterrupted;
            return worker;
        },
        forgiving);
    if (done || !no_worker) return done;
    progress_.message(fmt::format("no further rounds: {}", done.error().what));
    return {};
}

Status Run::count(const attribution::LayerTable* layers) {
    if (layers == nullptr || !options_.ledger.wanted) return {};
    const measure::LayoutSettings settings{.layouts = options_.ledger.layouts,
                                           .step_limit = options_.ledger.step_limit,
                                           .seed = options_.seed.value_or(0),  // not plan_.seed: counts repeat
                                           .time_limit = options_.time_limit};
    std::int64_t done = 0;
    progress_.start(static_cast<std::int64_t>(plan_.cases.size()) * settings.layouts);
    const Status counted = LedgerMaker(bench_, *layers)
                               .make(plan_.cases, settings, plan_.cpu,
                                     {.starts = [&](const core::Case& next,
                                                    int) { progress_.update(done++, next.name() + " (instructions)"); },
                                      .made = [&](const core::Ledger& ledger) -> Status {
                                          record_.ledgers.push_back(ledger);
                                          return journal_->append(ledger);
                                      },
                                      .refused = [&](const core::LedgerProblem& problem) -> Status {
                                          record_.ledger_problems.push_back(problem);
                                          return journal_->append(problem);
                                      }});
    progress_.clear();
    return counted;
}

ExitCode Run::finish(const record::Store& store, const Status& measured) {
    ExitCode code = ExitCode::kDone;
    if (!measured) {
        code = exit_code_of(measured.error());
        if (code != ExitCode::kInterrupted) print_error(streams_, measured.error());
        record_.interrupted = true;
    }
    add_end(context_, started_s_, cpu_before_, plan_.cpu);
    add_references(context_, references_);
    add_page_cache(context_, placed_files_.redraw());
    remember_references(machine_, references_);
    record_.context = context_;
    put_in_catalogue_order(record_.visits, plan_.cases);
    put_in_catalogue_order(record_.profiles, plan_.cases);
    const record::Summary summary = record::summarize(record_);
    for (const stats::CaseEstimate& estimate : summary.cases)
        if (estimate.error) code = stronger(code, ExitCode::kCasesFailed);
    if (!plan_.problems.empty() || !record_.ledger_problems.empty()) code = stronger(code, ExitCode::kCasesFailed);
    if (record_.visits.empty()) {
        if (code == ExitCode::kInterrupted) print_warning(streams_, "interrupted before anything was measured");
        if (Status s = journal_->remove(); !s) print_error(streams_, s.error());
        return code;
    }
    const std::filesystem::path path = record::record_path(store, name_);
    Status written = record::write_record(path, record_, summary, journal_->path());
    if (written) {
        if (Status s = journal_->remove(); !s) print_warning(streams_, s.error().what);
    } else {
        print_error(streams_, written.error());
        code = stronger(code, ExitCode::kUsage);
    }
    Status copied;
    if (!options_.out.empty())
        copied = record::write_record(options_.out, record_, summary, written ? path : journal_->path());
    if (!copied) {
        print_error(streams_, copied.error());
        code = stronger(code, ExitCode::kUsage);
    }
    print_results(options_, streams_, record_, summary);
    if (!measured && code == ExitCode::kInterrupted)
        print_warning(
            streams_,
            fmt::format("interrupted: {} of {} visits were measured{}", record_.visits.size(), visits_planned_,
                        options_.ledger.wanted
                            ? fmt::format(", {} of {} ledgers were counted", record_.ledgers.size(), plan_.cases.size())
                            : ""));
    if (!options_.out.empty() && copied)
        streams_.err << "record: " << options_.out << std::endl;
    else if (written)
        streams_.err << "record: " << path.string() << std::endl;
    return code;
}

}  // namespace

ExitCode run_command(const Options& options, const Streams& streams) {
    const auto failed = [&](const Error& error) {
        print_error(streams, error);
        return exit_code_of(error);
    };
    Expected<record::Store> store = open_store(options);
    if (!store) return failed(store.error());
    if (Status s = record::create_folders(*store); !s) return failed(s.error());
    Expected<Workbench> bench = Workbench::open(options.subject);
    if (!bench) return failed(bench.error());
    Expected<Plan> plan = plan_run(options, streams, *bench);
    if (!plan) return failed(plan.error());
    for (const std::string& warning : bench->command().warnings) print_warning(streams, warning);
    std::optional<attribution::LayerTable> layers;
    if (options.ledger.wanted || options.sampling.wanted) {
        Expected<attribution::LayerTable> read = read_layers(options.ledger.layers);
        if (!read) return failed(read.error());
        layers = *std::move(read);
    }
    const attribution::LayerTable* table = layers ? &*layers : nullptr;
    Run run(options, streams, *bench, *std::move(plan));
    if (Status s = run.open(*store); !s) return failed(s.error());
    Status measured = run.measure(table);
    if (measured) measured = run.count(table);
    return run.finish(*store, measured);
}

}  // namespace tare::cli
