// The two ends first: what differs there is what is looked for. Then duets of the good end with candidates.
#include "harness/cli/bisect_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "harness/cli/candidates.h"
#include "harness/cli/duet_run.h"
#include "harness/cli/environment_maker.h"
#include "harness/cli/message.h"
#include "harness/cli/workbench.h"
#include "harness/history/bisect_report.h"

namespace tare::cli {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Status;
using history::ChangeSide;
using record::CaseVerdict;
using stats::Verdict;

namespace {

constexpr int kPairsAgain = 108;      // of a step that could not be told: three times the usual
constexpr double kBoundSpan = 0.015;  // of the second try, above its threshold: that of the default margins

bool is_change(const CaseVerdict& verdict) {
    return verdict.state.finding.verdict == Verdict::kSlower || verdict.state.finding.verdict == Verdict::kFaster;
}

double log_change(const CaseVerdict& verdict) {
    return verdict.state.finding.contrast->log_ratio;  // of a proven change there is one
}

/// Why a duet says nothing of the case; empty: it was measured on both sides.
std::string problem_of(const CaseVerdict& verdict) {
    if (verdict.selected.presence == record::Presence::kOnlyA) return "the newer side lacks the case";
    if (verdict.selected.presence == record::Presence::kOnlyB) return "the older side lacks the case";
    if (!verdict.error) return {};
    const char* side = verdict.error->side == core::Side::kA ? "the older side" : "the newer side";
    return fmt::format("the case failed on {}: {}", verdict.failed_on_both ? "both sides" : side,
                       verdict.error->error.what);
}

/// A case that differs between the ends, and what the duets so far said of it.
struct ChangedCase {
    std::string name;
    history::ChangeRule rule;
    std::vector<std::optional<ChangeSide>> sides;  ///< by candidate
    std::vector<std::optional<stats::Contrast>> contrasts;
};

class BisectRun {
  public:
    BisectRun(const Options& options, const Streams& streams, const EnvironmentMaker& maker,
              std::vector<std::string> candidates)
        : options_(options), streams_(streams), maker_(maker), candidates_(std::move(candidates)) {
        report_.good = candidates_.front();
        report_.bad = candidates_.back();
    }

    /// Errors: nothing could be measured at all; kInterrupted before anything is known.
    [[nodiscard]] Expected<ExitCode> run();
    [[nodiscard]] const history::BisectReport& report() const { return report_; }

  private:
    [[nodiscard]] Expected<std::vector<CaseVerdict>> duet(std::size_t candidate, const Options& options) const;
    /// The target's place in the front of changed_; false where nothing is to be bisected.
    [[nodiscard]] bool take_ends(const std::vector<CaseVerdict>& verdicts);
    [[nodiscard]] Expected<ChangeSide> ask(std::size_t candidate);
    [[nodiscard]] Expected<ChangeSide> ask_again(std::size_t candidate);
    void take_step(std::size_t candidate, const std::vector<CaseVerdict>& verdicts);
    void leave_out(std::size_t candidate, const std::string& problem);
    [[nodiscard]] ExitCode nothing_changed();
    void conclude(const history::Bisection& found);

    const Options& options_;
    const Streams& streams_;
    const EnvironmentMaker& maker_;
    const std::vector<std::string> candidates_;
    std::vector<ChangedCase> changed_;  ///< the target first
    history::BisectReport report_;
};

Expected<std::vector<CaseVerdict>> BisectRun::duet(std::size_t candidate, const Options& options) const {
    const Expected<std::string> good = maker_.python_of(candidates_.front());
    if (!good) return tl::unexpected<Error>(good.error());
    const Expected<std::string> other = maker_.python_of(candidates_[candidate]);
    if (!other) return tl::unexpected<Error>(other.error());
    streams_.err << fmt::format("comparing {} with {}", candidates_.front(), candidates_[candidate]) << std::endl;
    Expected<DuetOutcome> outcome = run_duet(duet_between(options, *good, *other), streams_);
    if (!outcome) return tl::unexpected<Error>(outcome.error());
    if (outcome->code == ExitCode::kInterrupted) return core::fail(ErrorCode::kInterrupted, "interrupted");
    if (outcome->code == ExitCode::kUsage) return core::fail(ErrorCode::kEnvironment, "the duet broke off");
    if (outcome->verdicts.empty())
        return core::fail(ErrorCode::kEnvironment, "none of the selected cases is there on both sides");
    return outcome->verdicts;
}

bool BisectRun::take_ends(const std::vector<CaseVerdict>& verdicts) {
    for (const CaseVerdict& verdict : verdicts) {
        if (const std::string problem = problem_of(verdict); !problem.empty()) {
            report_.notes.push_back(fmt::format("{}: {}", verdict.selected.name, problem));
            continue;
        }
        ++report_.selected;
        if (verdict.state.finding.verdict == Verdict::kInconclusive) ++report_.inconclusive;
        if (!is_change(verdict)) continue;
        ChangedCase changed{.name = verdict.selected.name,
                            .rule = {.total_log_ratio = log_change(verdict), .share = options_.bisect.first ? 0 : 0.5},
                            .sides = {},
                            .contrasts = {}};
        changed.sides.resize(candidates_.size());
        changed.contrasts.resize(candidates_.size());
        changed.sides.front() = ChangeSide::kBefore;
        changed.sides.back() = ChangeSide::kAfter;
        changed.contrasts.back() = verdict.state.finding.contrast;
        changed_.push_back(std::move(changed));
    }
    if (changed_.empty()) return false;
    const double wanted = options_.bisect.faster ? -1 : 1;
    const bool any_wanted =
        std::ranges::any_of(changed_, [&](const ChangedCase& each) { return wanted * each.rule.total_log_ratio > 0; });
    if (!any_wanted)
        report_.notes.push_back(fmt::format("no case is {} in {}: what became {} was bisected",
                                            options_.bisect.faster ? "faster" : "slower", candidates_.back(),
                                            options_.bisect.faster ? "slower" : "faster"));
    const double sign = any_wanted ? wanted : -wanted;
    std::ranges::stable_sort(changed_, [&](const ChangedCase& one, const ChangedCase& two) {
        return sign * one.rule.total_log_ratio > sign * two.rule.total_log_ratio;
    });
    report_.target = changed_.front().name;
    const auto target =
        std::ranges::find(verdicts, report_.target, [](const CaseVerdict& v) { return v.selected.name; });
    report_.steps.push_back({candidates_.back(), target->state.finding, ChangeSide::kAfter, ""});
    return true;
}

void BisectRun::take_step(std::size_t candidate, const std::vector<CaseVerdict>& verdicts) {
    for (ChangedCase& changed : changed_)
        for (const CaseVerdict& verdict : verdicts) {
            if (verdict.selected.name != changed.name) continue;
            const bool is_target = changed.name == report_.target;
            if (const std::string problem = problem_of(verdict); !problem.empty()) {
                if (is_target)
                    leave_out(candidate, problem);
                else
                    report_.notes.push_back(fmt::format("{} in {}: {}", changed.name, candidates_[candidate], problem));
                continue;
            }
            const stats::Finding& finding = verdict.state.finding;
            changed.sides[candidate] = history::side_of(finding, changed.rule);
            changed.contrasts[candidate] = finding.contrast;
            if (is_target) report_.steps.push_back({candidates_[candidate], finding, *changed.sides[candidate], ""});
        }
}

void BisectRun::leave_out(std::size_t candidate, const std::string& problem) {
    print_warning(streams_, fmt::format("{} is left out: {}", candidates_[candidate], problem));
    report_.steps.push_back({candidates_[candidate], {}, ChangeSide::kUnknown, problem});
}

/// Margins around the threshold keep the second duet going until it is told from the interval, where they can.
Expected<ChangeSide> BisectRun::ask_again(std::size_t candidate) {
    const ChangedCase& target = changed_.front();
    Options again = options_;
    again.filter = filter_of({target.name});
    again.duet.pairs = kPairsAgain;
    const double threshold = std::expm1(std::abs(target.rule.share * target.rule.total_log_ratio));
    if (const auto margins = stats::make_margins(threshold, threshold + kBoundSpan); threshold > 0 && margins)
        again.verdict.margins = *margins;
    const auto verdicts = duet(candidate, again);
    if (!verdicts) return tl::unexpected<Error>(verdicts.error());
    take_step(candidate, *verdicts);
    return target.sides[candidate].value_or(ChangeSide::kUnknown);
}

Expected<ChangeSide> BisectRun::ask(std::size_t candidate) {
    Options step = options_;
    std::vector<std::string> names;
    for (const ChangedCase& changed : changed_) names.push_back(changed.name);
    step.filter = filter_of(names);
    const auto verdicts = duet(candidate, step);
    Expected<ChangeSide> side = ChangeSide::kUnknown;
    if (verdicts) {
        take_step(candidate, *verdicts);
        const std::optional<ChangeSide>& told = changed_.front().sides[candidate];
        side = told.value_or(ChangeSide::kUnknown);
        if (told == ChangeSide::kUnknown) side = ask_again(candidate);  // one that failed would fail again
    }
    const Error* error = !verdicts ? &verdicts.error() : !side ? &side.error() : nullptr;
    if (error == nullptr) return side;
    if (error->code == ErrorCode::kInterrupted) return tl::unexpected<Error>(*error);
    leave_out(candidate, error->what);
    return ChangeSide::kUnknown;
}

void BisectRun::conclude(const history::Bisection& found) {
    for (const ChangedCase& changed : changed_) {
        history::ChangeBracket bracket = history::bracket_of(changed.sides);
        if (changed.name == report_.target) {
            bracket.last_before = found.last_before;
            bracket.first_after = found.first_after;
        }
        history::BisectedCase told{.name = changed.name,
                                   .last_before = candidates_[bracket.last_before],
                                   .first_after = candidates_[bracket.first_after],
                                   .between = {},
                                   .total_ratio = std::exp(changed.rule.total_log_ratio),
                                   .step = {},
                                   .returns = bracket.returns};
        for (std::size_t i = bracket.last_before + 1; i < bracket.first_after; ++i)
            told.between.push_back(candidates_[i]);
        const std::optional<stats::Contrast>& earlier = changed.contrasts[bracket.last_before];
        if (const auto& later = changed.contrasts[bracket.first_after]; later)
            told.step = history::step_between(earlier, *later);
        report_.cases.push_back(std::move(told));
    }
}

ExitCode BisectRun::nothing_changed() {
    if (report_.selected == 0) {
        print_error(streams_, {ErrorCode::kEnvironment,
                               fmt::format("{} and {} cannot be compared in any case", report_.good, report_.bad),
                               report_.notes.empty() ? "" : report_.notes.front()});
        return ExitCode::kCasesFailed;
    }
    if (report_.inconclusive == 0) {
        report_.notes.push_back(
            fmt::format("{} and {} are the same in all {} cases that could be compared: there is nothing to bisect",
                        report_.good, report_.bad, report_.selected));
        return ExitCode::kDone;
    }
    report_.notes.push_back(fmt::format("no difference of {} and {} is proven: {} of {} cases are inconclusive",
                                        report_.good, report_.bad, report_.inconclusive, report_.selected));
    return ExitCode::kInconclusive;
}

/// Nothing is measured before both ends are there.
Status make_ends(const EnvironmentMaker& maker, const std::string& good, const std::string& bad,
                 const std::vector<std::string>& releases) {
    for (const std::string& end : {bad, good})
        if (auto made = maker.python_of(end); !made) {
            const bool is_listed = releases.empty() || std::ranges::find(releases, end) != releases.end();
            if (!is_listed && made.error().hint.empty())
                made.error().hint = fmt::format("the package index lists: {}", fmt::join(releases, ", "));
            return tl::unexpected<Error>(made.error());
        }
    return {};
}

Expected<ExitCode> BisectRun::run() {
    const auto ends = duet(candidates_.size() - 1, options_);
    if (!ends) return tl::unexpected<Error>(ends.error());
    if (!take_ends(*ends)) return nothing_changed();
    const history::Bisection found =
        history::bisect(candidates_.size(), [&](std::size_t candidate) { return ask(candidate); });
    conclude(found);
    if (!found.ended) {
        report_.notes.emplace_back("interrupted: this is what is known so far; the duets are in the store");
        return ExitCode::kInterrupted;
    }
    return found.decided() ? ExitCode::kDone : ExitCode::kInconclusive;
}

Expected<ExitCode> bisect_and_print(const Options& options, const Streams& streams) {
    const BisectOptions& own = options.bisect;
    const auto maker = EnvironmentMaker::open(chosen_python(options.subject), {options.subject.package, options.beside},
                                              own.build, own.repository, streams);
    if (!maker) return tl::unexpected<Error>(maker.error());
    Expected<std::vector<std::string>> candidates;
    std::vector<std::string> listed;
    if (maker->builds_commits()) {
        candidates = commits_between(own.repository.empty() ? "." : own.repository, own.good, own.bad);
    } else if (auto releases = maker->releases(); releases) {
        listed = *std::move(releases);
        candidates = between(listed, own.good, own.bad);
    } else {
        candidates = tl::unexpected<Error>(releases.error());
    }
    if (!candidates) return tl::unexpected<Error>(candidates.error());
    if (Status s = make_ends(*maker, candidates->front(), candidates->back(), listed); !s)
        return tl::unexpected<Error>(s.error());
    BisectRun run(options, streams, *maker, *std::move(candidates));
    Expected<ExitCode> code = run.run();
    if (!code) return code;
    if (options.format == Format::kJson)
        streams.out << history::print_bisect_json(run.report());
    else
        streams.out << history::print_bisect_table(run.report(), streams.width, {.color = false, .unicode = true});
    return code;
}

}  // namespace

ExitCode bisect_command(const Options& options, const Streams& streams) {
    const Expected<ExitCode> code = bisect_and_print(options, streams);
    if (code) return *code;
    if (code.error().code != ErrorCode::kInterrupted) print_error(streams, code.error());
    return exit_code_of(code.error());
}

}  // namespace tare::cli
