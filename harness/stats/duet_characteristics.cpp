// What the duet's rule does with known truths: prints the table that documentation quotes. Simulated, seeded; takes
// a minute or two. Not a test: the tests beside it hold the aims.
#include <fmt/format.h>

#include <cmath>

#include "harness/stats/simulate_duet.h"

namespace tare::stats {
namespace {

struct Tally {
    double slower = 0, faster = 0, same = 0, unstable = 0, pairs = 0, error = 0, held = 0, kept = 0, cases = 0;
};

void count(Tally& tally, const CaseState& state, double truth) {
    const Finding& finding = state.finding;
    ++tally.cases;
    tally.slower += finding.verdict == Verdict::kSlower;
    tally.faster += finding.verdict == Verdict::kFaster;
    tally.same += finding.verdict == Verdict::kSame;
    tally.unstable += finding.verdict == Verdict::kInconclusive && finding.reason == Reason::kUnstable;
    tally.pairs += finding.pairs;
    tally.error += 100 * (finding.contrast->ratio() - std::exp(truth));
    const auto holds = [&](const Interval& ratios) {
        return ratios.low <= std::exp(truth) && std::exp(truth) <= ratios.high;
    };
    tally.held += holds(*finding.ratio_interval);
    tally.kept += holds(*finding.ratio_interval_kept);
}

void print_row(std::string_view label, const SuiteTruth& truth, int suites, const SuiteRules& rules) {
    std::mt19937_64 random(20'261'121);
    Tally changed, unchanged;
    int with_alarm = 0;
    for (int i = 0; i < suites; ++i) {
        const std::vector<CaseState> states = decide_at_looks(draw_suite(random, truth), rules);
        const double before = unchanged.slower + unchanged.faster;
        for (int k = 0; k < truth.cases; ++k)
            count(k < truth.changed ? changed : unchanged, states[static_cast<std::size_t>(k)],
                  k < truth.changed ? truth.log_change : 0);
        with_alarm += unchanged.slower + unchanged.faster > before;
    }
    const auto percent = [](double part, double whole) { return 100 * part / whole; };
    const std::string sd = truth.sd > 0 ? fmt::format("{:.1f} %", 100 * truth.sd) : "real";
    if (unchanged.cases > 0 && truth.changed != 1)
        fmt::print(
            "| {} | {} | unchanged | {:.3f} % | {:.1f} % | {:.1f} % | {:.2f} % | {:.1f} | | {:.1f} / {:.1f} % |\n",
            label, sd, percent(unchanged.slower + unchanged.faster, unchanged.cases), percent(with_alarm, suites),
            percent(unchanged.same, unchanged.cases), percent(unchanged.unstable, unchanged.cases),
            unchanged.pairs / unchanged.cases, percent(unchanged.held, unchanged.cases),
            percent(unchanged.kept, unchanged.cases));
    if (changed.cases > 0)
        fmt::print(
            "| {} | {} | {:+.0f} % | {:.1f} % | | {:.1f} % | {:.2f} % | {:.1f} | {:+.3f} | {:.1f} / {:.1f} % |\n",
            label, sd, 100 * std::expm1(truth.log_change), percent(changed.slower, changed.cases),
            percent(changed.same, changed.cases), percent(changed.unstable, changed.cases),
            changed.pairs / changed.cases, changed.error / changed.cases, percent(changed.held, changed.cases),
            percent(changed.kept, changed.cases));
}

void print_all() {
    const SuiteRules rules;
    const double sds[] = {0.005, 0.01, 0.015, 0.02, 0.03, 0};
    fmt::print(
        "| suite of 60 | SD of a pair | case | slower + faster | suites with a false one | same | unstable | "
        "pairs | bias, points | 95 % interval holds: at its stop / at all looks "
        "|\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (const Noise noise : kAllNoises)
        for (const double sd : sds) print_row(name_of(noise), {60, 0, 0, sd, 0, noise}, 500, rules);
    for (const double sd : sds)
        for (const double change : {0.01, 0.02, 0.03, 0.05})
            print_row("one changed", {60, 1, std::log1p(change), sd, 0, Noise::kGauss}, 600, rules);
    for (const double sd : sds)
        for (const double change : {0.01, 0.02, 0.03, 0.05})
            print_row("45 changed", {60, 45, std::log1p(change), sd, 0, Noise::kGauss}, 50, rules);
    for (const double steady : {0.001, 0.002, 0.003, 0.005, 0.01})
        print_row(fmt::format("steady error, SD {:.1f} %", 100 * steady), {60, 0, 0, 0, steady, Noise::kGauss}, 200,
                  rules);
    for (const int rounds : {1, 2, 4, 8})
        for (const double share : {0.25, 0.5})
            print_row(fmt::format("{:.0f} % of the variance redrawn every {} rounds", 100 * share, rounds),
                      {60, 0, 0, 0, 0, Noise::kGauss, rounds, share}, 200, rules);
}

}  // namespace
}  // namespace tare::stats

int main() {
    tare::stats::print_all();
}
