// Sides, cases, rounds of pairs, journal, verdicts, record.
#include "harness/cli/duet_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <regex>
#include <utility>

#include "harness/cli/duet_plan.h"
#include "harness/cli/duet_settings.h"
#include "harness/cli/duet_sides.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/message.h"
#include "harness/cli/output_file.h"
#include "harness/cli/progress.h"
#include "harness/cli/run_context.h"
#include "harness/cli/selection.h"
#include "harness/cli/store_access.h"
#include "harness/core/clock.h"
#include "harness/record/duet_journal.h"
#include "pmu/cpu_choice.h"
#include "pmu/machine_facts.h"

namespace tare::cli {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Side;
using core::Status;

namespace {

/// A duet under way: what is measured so far, which cases are decided, and where it is kept.
class DuetRun {
  public:
    DuetRun(const Options& options, const Streams& streams, DuetSides& sides, record::Duet duet, int cpu)
        : options_(options),
          streams_(streams),
          sides_(sides),
          duet_(std::move(duet)),
          measured_(measured_cases(duet_.cases, sides.catalogue(Side::kA))),
          cpu_(cpu),
          first_round_(duet_.ended_after_rounds.empty() ? 0 : duet_.ended_after_rounds.back() + 1),
          progress_(streams.err, streams.progress, [] { return std::chrono::nanoseconds(core::wall_clock_ns()); }) {}

    [[nodiscard]] Status open(const record::Store& store);
    [[nodiscard]] Status measure();
    [[nodiscard]] DuetOutcome finish(const record::Store& store, const Status& measured);

  private:
    [[nodiscard]] measure::DuetSettings settings() const;
    [[nodiscard]] Status take(core::PairVisit visit);
    [[nodiscard]] std::vector<std::size_t> decide(int round);
    [[nodiscard]] std::int64_t visits_expected() const;
    [[nodiscard]] std::string fingerprint() const { return pmu::machine_facts()["fingerprint"].as_text(); }
    [[nodiscard]] ExitCode write(const record::Store& store, const std::vector<record::CaseVerdict>& verdicts);

    const Options& options_;
    const Streams& streams_;
    DuetSides& sides_;
    record::Duet duet_;
    const std::vector<core::Case> measured_;
    const int cpu_;
    const int first_round_;
    Progress progress_;
    const double started_s_ = core::unix_time_s();
    Expected<pmu::CpuTimes> cpu_before_ = pmu::cpu_times(cpu_);
    std::vector<stats::CaseState> states_;
    std::optional<record::DuetJournal> journal_;
    std::string name_;
    Status journalled_;  ///< of the latest round's end
    bool fingerprint_changed_ = false;
    bool packages_known_ = false;
    int round_ = -1;  ///< the latest that has begun
    std::int64_t visits_before_ = static_cast<std::int64_t>(duet_.visits.size());
};

Status DuetRun::open(const record::Store& store) {
    name_ = record::run_name(started_s_, std::random_device{}());
    Expected<record::DuetJournal> journal = record::DuetJournal::create(store.journals(), name_, duet_);
    if (!journal) return tl::unexpected<Error>(journal.error());
    journal_ = *std::move(journal);
    return {};
}

measure::DuetSettings DuetRun::settings() const {
    measure::DuetSettings settings;
    settings.first_round = first_round_;
    // A case has one pair less for each round that was cut short.
    settings.max_rounds = options_.duet.pairs + static_cast<int>(duet_.ended_after_rounds.size());
    settings.first_pair = duet_.visits.empty() ? 0 : duet_.visits.back().pair + 1;
    // A round that was broken off is measured again, and must not draw again what its visits drew.
    const auto broken_off = std::ranges::count_if(
        duet_.visits, [this](const core::PairVisit& visit) { return visit.round >= first_round_; });
    settings.seed = duet_.rules.seed + static_cast<std::uint64_t>(broken_off);
    settings.pair.quads = options_.duet.quads;
    settings.pair.time_limit = options_.time_limit;
    const std::regex injected(options_.duet.injected_filter);
    for (const core::Case& each : measured_)
        settings.injected_ratios.push_back(std::regex_search(each.name(), injected) ? options_.duet.injected_ratio : 0);
    for (const core::PairVisit& visit : duet_.visits)
        if (visit.n > 0) settings.sizes.insert_or_assign(visit.case_name, measure::PairSize{visit.n, visit.unroll});
    return settings;
}

Status DuetRun::take(core::PairVisit visit) {
    visit.fingerprint_changed = fingerprint_changed_;
    duet_.visits.push_back(std::move(visit));
    return journal_->append(duet_.visits.back());
}

/// Visits until each undecided case has its next look.
std::int64_t DuetRun::visits_expected() const {
    std::int64_t more = 0;
    for (const stats::CaseState& state : states_) {
        if (state.decided) continue;
        const std::vector<int>& looks = duet_.rules.plan.pairs;
        const auto next = std::upper_bound(looks.begin(), looks.end(), state.evidence.pairs);
        if (next != looks.end()) more += *next - state.evidence.pairs;
    }
    return more;
}

std::vector<std::size_t> DuetRun::decide(int round) {
    const std::vector<stats::CaseSeries> series = record::series_of(duet_);
    if (round >= first_round_)
        states_ = stats::advance(std::move(states_), series, duet_.rules, round, false);
    else if (first_round_ > 0)
        states_ = stats::reopened(stats::replay(series, duet_.rules, duet_.ended_after_rounds));
    else
        states_.resize(series.size());
    if (round >= first_round_) journalled_ = journal_->append_round_ended(round);
    if (!journalled_) return {};
    std::vector<std::size_t> undecided;
    for (std::size_t i = 0; i < states_.size(); ++i)
        if (!states_[i].decided && !series[i].last_round) undecided.push_back(i);  // one that failed is not tried again
    progress_.set_total(static_cast<std::int64_t>(duet_.visits.size()) - visits_before_ + visits_expected());
    return undecided;
}

Status DuetRun::measure() {
    const std::string first_fingerprint = duet_.context["fingerprint"].as_text();
    progress_.start(static_cast<std::int64_t>(measured_.size()) * duet_.rules.plan.pairs.front());
    const std::int64_t started_ns = core::wall_clock_ns();
    const core::List names = names_of(measured_);
    const measure::DuetEvents events{
        .round_starts = [&](int round) -> Status {
            round_ = round;
            fingerprint_changed_ = fingerprint() != first_fingerprint;
            const record::PageCacheRedraw before = duet_.page_cache;
            if (Status s = sides_.prepare_round(round, duet_.page_cache); !s) return s;
            return duet_.page_cache == before ? Status() : journal_->append_page_cache(duet_.page_cache);
        },
        .round_measured = [&](measure::WorkerPair& workers, int) -> Status {
            const bool known = std::exchange(packages_known_, true);
            for (const auto& [side, worker] : {std::pair{Side::kA, workers.a.get()}, {Side::kB, workers.b.get()}}) {
                if (Status s = sides_.learn_files(side, *worker); !s) return s;
                if (known) continue;
                core::Map facts = duet_.sides[side == Side::kA ? 0 : 1].as_map();
                progress_.clear();
                const std::string name = fmt::format("side {}: ", core::name_of(side));
                if (Status s = learn_packages(streams_, *worker, facts, name); !s) return s;
                duet_.sides[side == Side::kA ? 0 : 1] = std::move(facts);
            }
            return known ? Status() : journal_->append_sides(duet_.sides);
        },
        .visit_starts =
            [&](const core::Case& next, int) {
                progress_.update(static_cast<std::int64_t>(duet_.visits.size()) - visits_before_, next.name());
            },
        .visit_done = [&](const core::PairVisit& visit) { return take(visit); },
        .round_ends = [&](int round) { return decide(round); },
        .stop = interrupted,
        .out_of_time =
            [&] {
                const double spent_s = static_cast<double>(core::wall_clock_ns() - started_ns) * 1e-9;
                return options_.duet.budget_s && spent_s > *options_.duet.budget_s;
            },
    };
    const Status measured = measure::run_duet_rounds(
        measured_, settings(),
        [&](Side first, const measure::WorkerDraw& a, const measure::WorkerDraw& b) {
            return sides_.spawn(first, a, b, cpu_, names);
        },
        events);
    progress_.clear();
    if (round_ >= first_round_) duet_.ended_after_rounds.push_back(round_);
    return measured ? journalled_ : measured;
}

ExitCode DuetRun::write(const record::Store& store, const std::vector<record::CaseVerdict>& verdicts) {
    const std::filesystem::path path = record::record_path(store, name_);
    const Status written = record::write_duet(path, duet_, verdicts, journal_->path());
    if (written) {
        if (Status s = journal_->remove(); !s) print_warning(streams_, s.error().what);
    } else {
        print_error(streams_, written.error());
    }
    Status copied;
    if (!options_.out.empty())
        copied = record::write_duet(options_.out, duet_, verdicts, written ? path : journal_->path());
    if (!copied) print_error(streams_, copied.error());
    if (written || (copied && !options_.out.empty()))
        streams_.err << "record: " << (!options_.out.empty() && copied ? options_.out : path.string()) << std::endl;
    return written && copied ? ExitCode::kDone : ExitCode::kUsage;
}

DuetOutcome DuetRun::finish(const record::Store& store, const Status& measured) {
    DuetOutcome outcome;
    duet_.interrupted = !measured;
    duet_.recovered = duet_.recovered && !measured;  // what was killed has been continued to its end
    if (!measured) {
        outcome.code = exit_code_of(measured.error());
        if (outcome.code != ExitCode::kInterrupted) print_error(streams_, measured.error());
    }
    core::Map context = duet_.context.as_map();
    add_end(context, started_s_, cpu_before_, cpu_);
    duet_.context = std::move(context);
    if (static_cast<std::int64_t>(duet_.visits.size()) == visits_before_) {
        if (Status s = journal_->remove(); !s) print_error(streams_, s.error());
        return outcome;
    }
    if (Status s = journal_->append_context(duet_.context); !s) print_error(streams_, s.error());
    if (Status s = journal_->end(duet_.interrupted, round_); !s) print_error(streams_, s.error());
    outcome.verdicts = record::decide(duet_);
    outcome.code = stronger(outcome.code, write(store, outcome.verdicts));
    outcome.duet = std::move(duet_);
    return outcome;
}

Expected<record::Duet> read_continued(const Options& options) {
    if (options.duet.continued.empty()) return record::Duet{};
    return record::read_duet(options.duet.continued);
}

/// Work that is to be injected must be injected somewhere.
Status check_injection(const Options& options, const std::vector<record::DuetCase>& cases) {
    if (options.duet.injected_ratio == 0) return {};
    try {
        const std::regex pattern(options.duet.injected_filter);
        const bool any = std::ranges::any_of(
            cases, [&](const record::DuetCase& each) { return std::regex_search(each.name, pattern); });
        if (any) return {};
    } catch (const std::regex_error& e) {
        return core::fail(ErrorCode::kUsage, fmt::format("--inject-case '{}' is no regular expression: {}",
                                                         options.duet.injected_filter, e.what()));
    }
    return core::fail(ErrorCode::kUsage, fmt::format("--inject-case '{}' matches none of {} cases",
                                                     options.duet.injected_filter, cases.size()));
}

/// The plan of a new duet.
Status plan_duet(const Options& options, const Streams& streams, const DuetSides& sides, record::Duet& duet) {
    Expected<Tolerances> tolerances = read_tolerances(options.verdict.tolerances);
    if (!tolerances) return tl::unexpected<Error>(tolerances.error());
    auto cases = pair_cases(sides.catalogue(Side::kA), sides.catalogue(Side::kB), options.filter,
                            options.verdict.margins, *tolerances);
    if (!cases) return tl::unexpected<Error>(cases.error());
    std::vector<std::string> names;
    for (const record::DuetCase& each : *cases) names.push_back(each.name);
    for (const std::string& line : tolerances->unused(names))
        print_warning(streams,
                      fmt::format("--tolerances {}: no selected case is that of {}", options.verdict.tolerances, line));
    std::random_device device;
    const std::uint64_t drawn = (static_cast<std::uint64_t>(device()) << 32) | device();
    auto rules = duet_rules(options, options.seed.value_or(drawn));
    if (!rules) return tl::unexpected<Error>(rules.error());
    if (Status s = check_injection(options, *cases); !s) return s;
    const auto differing = std::ranges::count_if(*cases, [](const record::DuetCase& each) {
        return each.presence == record::Presence::kBoth && each.statement_a != each.statement_b;
    });
    if (differing > 0)
        print_warning(streams,
                      fmt::format("{} cases of one name have different statements on the two sides", differing));
    duet.cases = *std::move(cases);
    duet.rules = *std::move(rules);
    duet.settings = duet_settings(options);
    for (const Side side : {Side::kA, Side::kB})
        for (const core::Catalogue::Problem& problem : sides.catalogue(side).problems) duet.problems.push_back(problem);
    return {};
}

/// Every case that is to go on must still be there, as it was.
Status check_same_cases(const DuetSides& sides, const record::Duet& duet) {
    std::array<std::map<std::string, std::string>, 2> statements;
    for (const Side side : {Side::kA, Side::kB})
        for (const core::Case& each : sides.catalogue(side).cases)
            statements[side == Side::kA ? 0 : 1].emplace(each.name(), each.statement);
    for (const record::DuetCase& each : duet.cases) {
        if (each.presence != record::Presence::kBoth) continue;
        const auto a = statements[0].find(each.name), b = statements[1].find(each.name);
        const bool same = a != statements[0].end() && b != statements[1].end() && a->second == each.statement_a &&
                          b->second == each.statement_b;
        if (!same)
            return core::fail(ErrorCode::kEnvironment,
                              fmt::format("--continue: case {} is no longer what it was", each.name),
                              "the suite was changed since: start a new duet");
    }
    return {};
}

/// The sides of a duet that is continued must be those that it began with.
Status check_same_sides(const DuetSides& sides, const record::Duet& duet) {
    if (pmu::machine_facts()["fingerprint"].as_text() != duet.context["fingerprint"].as_text())
        return core::fail(ErrorCode::kEnvironment, "--continue: this is not the machine that the duet began on",
                          "start a new duet here");
    for (const Side side : {Side::kA, Side::kB}) {
        const core::Value now = sides.facts(side);
        const core::Value& before = duet.sides[side == Side::kA ? 0 : 1];
        for (const auto& [part, key] :
             {std::pair{"subject", "version_text"}, std::pair{"subject", "executable_build_id"},
              std::pair{"subject", "libpython_build_id"}, std::pair{"numpy", "version"},
              std::pair{"numpy", "git_revision"}, std::pair{"blas", "core"}})
            if (now[part][key].as_text() != before[part][key].as_text())
                return core::fail(
                    ErrorCode::kEnvironment,
                    fmt::format("--continue: side {} is no longer what it was: {} was {}, is {}", core::name_of(side),
                                key, before[part][key].as_text(), now[part][key].as_text()),
                    "start a new duet");
        if (now["environment"].as_map() != before["environment"].as_map())
            return core::fail(ErrorCode::kEnvironment,
                              fmt::format("--continue: variables that decide what side {} runs were set or unset since",
                                          core::name_of(side)),
                              "continue under those of the record, context and sides name them; or start a new duet");
        if (now["files_digest"].as_text() != before["files_digest"].as_text())
            return core::fail(ErrorCode::kEnvironment,
                              fmt::format("--continue: files of side {} have changed since", core::name_of(side)),
                              "pairs of two builds make no verdict: start a new duet");
    }
    return check_same_cases(sides, duet);
}

/// What a regular expression would not take as it stands.
std::string escaped(const std::string& name) {
    std::string text;
    for (const char c : name) {
        if (std::string_view("^$\\.*+?()[]{}|").find(c) != std::string_view::npos) text += '\\';
        text += c;
    }
    return text;
}

}  // namespace

Expected<DuetOutcome> run_duet(const Options& given, const Streams& streams) {
    Options options = given;
    Expected<record::Store> store = open_store(options);
    if (!store) return tl::unexpected<Error>(store.error());
    if (Status s = record::create_folders(*store); !s) return tl::unexpected<Error>(s.error());
    for (const auto& [name, path] : {std::pair{"--out", options.out}, std::pair{"--summary", options.verdict.summary},
                                     std::pair{"--junit", options.verdict.junit}})
        if (Status s = check_output(name, path); !s) return tl::unexpected<Error>(s.error());
    Expected<record::Duet> duet = read_continued(options);
    if (!duet) return tl::unexpected<Error>(duet.error());
    const bool continued = !options.duet.continued.empty();
    if (continued) {
        Expected<Options> same = options_of(*duet, options);
        if (!same) return tl::unexpected<Error>(same.error());
        options = *std::move(same);
    }
    Expected<int> cpu = pmu::pick_cpu(options.cpu);
    if (!cpu) return tl::unexpected<Error>(cpu.error());
    Expected<DuetSides> sides = DuetSides::open(options.duet.a, options.duet.b, streams, *cpu);
    if (!sides) return tl::unexpected<Error>(sides.error());
    if (continued) {
        if (Status s = check_same_sides(*sides, *duet); !s) return tl::unexpected<Error>(s.error());
    } else {
        duet->context = machine_context(sides->bench(Side::kA).installation(), *cpu, core::unix_time_s());
        duet->sides = {sides->facts(Side::kA), sides->facts(Side::kB)};
        if (Status s = plan_duet(options, streams, *sides, *duet); !s) return tl::unexpected<Error>(s.error());
    }
    DuetRun run(options, streams, *sides, *std::move(duet), *cpu);
    if (Status s = run.open(*store); !s) return tl::unexpected<Error>(s.error());
    const Status measured = run.measure();
    return run.finish(*store, measured);
}

std::string filter_of(const std::vector<std::string>& names) {
    std::string pattern;
    for (const std::string& name : names) pattern += (pattern.empty() ? "^(" : "|") + escaped(name);
    return pattern + ")$";
}

Options duet_between(const Options& options, const std::string& python_a, const std::string& python_b) {
    Options duet = options;
    duet.duet.a = duet.duet.b = options.subject;
    duet.duet.a.python = python_a;
    duet.duet.b.python = python_b;
    duet.out.clear();
    return duet;
}

}  // namespace tare::cli
