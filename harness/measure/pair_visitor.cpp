// prepare both -> quads, each with both sides placed anew -> finish both. The two sides never run at once: they share
// a CPU, and each waits for its request while the other measures.
#include "harness/measure/pair_visitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "harness/core/clock.h"
#include "harness/core/median.h"
#include "harness/measure/case_session.h"

namespace tare::measure {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Side;
using core::Status;

namespace {

constexpr std::array kSides = {Side::kA, Side::kB};
constexpr double kClockMattersNs = 2'000;  // of which the clock is some 3 %

class Pair {
  public:
    Pair(WorkerLink& a, WorkerLink& b, const PairSettings& settings, core::PairVisit& visit)
        : sessions_{CaseSession(a, settings.time_limit), CaseSession(b, settings.time_limit)},
          settings_(settings),
          visit_(visit),
          random_(visit.seed) {}

    /// True: both sides are set up, with the loop of their final unroll. `size` is then known.
    [[nodiscard]] bool prepare(std::optional<PairSize>& size);
    [[nodiscard]] bool place(const PairSize& size);
    [[nodiscard]] bool measure_quad(const PairSize& size);
    [[nodiscard]] bool note_repeats();
    [[nodiscard]] bool finish();
    void take_warnings();
    void warn_of_clock();

  private:
    CaseSession& session(Side side) { return sessions_[static_cast<std::size_t>(side)]; }
    [[nodiscard]] Side random_side() { return (random_() & 1) == 0 ? Side::kA : Side::kB; }
    void note(Side side, const Error& error) { visit_.errors.push_back({side, error}); }
    /// Both sides, a random one first. A failure of one does not spare the other: both reasons are of interest.
    template <class Do>
    [[nodiscard]] bool on_both(const Do& what);

    bool timed_alone_ = false;
    std::array<CaseSession, 2> sessions_;
    const PairSettings& settings_;
    core::PairVisit& visit_;
    std::mt19937_64 random_;
};

template <class Do>
bool Pair::on_both(const Do& what) {
    const Side first = random_side();
    for (const Side side : {first, core::other(first)})
        if (const Status done = what(side); !done) {
            note(side, done.error());
            if (done.error().code == ErrorCode::kInterrupted) break;
        }
    return visit_.errors.empty();
}

double python_estimate_ns(const PreparedCase& prepared) {
    for (const PreparedRung& rung : prepared.rungs)
        if (rung.cost.kind == StepKind::kPython) return rung.cost.estimate_ns;
    return 0;
}

bool Pair::prepare(std::optional<PairSize>& size) {
    double slower_ns = 0;
    int unroll = 0;
    const bool prepared = on_both([&](Side side) -> Status {
        const PrepareOrder order{.unroll = size ? size->unroll : 0, .estimate = !size, .line = !size};
        const Expected<PreparedCase> answer =
            session(side).prepare(visit_.case_name, {core::RungKind::kPython}, random_(), order);
        if (!answer) return tl::unexpected<Error>(answer.error());
        timed_alone_ = answer->timed_alone;
        slower_ns = std::max(slower_ns, python_estimate_ns(*answer));
        unroll = unroll == 0 ? answer->unroll : std::min(unroll, answer->unroll);  // the slower side has fewer
        return {};
    });
    if (!prepared) return false;
    if (!size) size = size_pair(slower_ns, unroll, settings_);
    return true;
}

bool Pair::place(const PairSize& size) {
    return on_both([&](Side side) { return session(side).place(random_(), size.unroll); });
}

bool Pair::measure_quad(const PairSize& size) {
    core::PairQuad quad;
    quad.begins_with_a = random_side() == Side::kA;
    const Side outer = quad.begins_with_a ? Side::kA : Side::kB;
    const std::uint64_t lead_in_n = lead_in_of(size, settings_);
    std::array<std::size_t, 2> measured{};
    for (const Side side : {outer, core::other(outer), core::other(outer), outer}) {
        const std::uint64_t n = side == Side::kA ? size.n : n_of_side_b(size, settings_.injected_ratio);
        const Expected<Batches> batches = session(side).measure({{StepKind::kPython, n, lead_in_n}});
        if (!batches) {
            note(side, batches.error());
            return false;
        }
        (side == Side::kA ? quad.a : quad.b)[measured[static_cast<std::size_t>(side)]++] = batches->samples.front();
    }
    visit_.quads.push_back(quad);
    return true;
}

bool Pair::note_repeats() {
    return on_both([&](Side side) { return session(side).note_repeats(visit_.case_name); });
}

bool Pair::finish() {
    return on_both([&](Side side) { return session(side).finish(); });
}

void Pair::take_warnings() {
    for (const Side side : kSides)
        for (const std::string& warning : session(side).take_warnings())
            visit_.warnings.push_back(fmt::format("side {}: {}", core::name_of(side), warning));
}

/// A duet subtracts no floor: where each execution is timed by itself, two readings of a clock are in each.
void Pair::warn_of_clock() {
    if (!timed_alone_ || visit_.n == 0 || visit_.quads.empty()) return;
    std::vector<double> executions_ns;
    for (const core::PairQuad& quad : visit_.quads)
        for (const core::Sample& sample : quad.a)
            executions_ns.push_back(sample.wall_ns / static_cast<double>(visit_.n));
    if (core::median(std::move(executions_ns)) < kClockMattersNs)
        visit_.warnings.emplace_back(
            "too short for a set-up before each execution: the clock around each takes a part of "
            "its time on both sides, so that a change looks smaller than it is");
}

void measure_all(Pair& pair, const PairSettings& settings, std::optional<PairSize> size, core::PairVisit& visit) {
    const bool is_sized = size.has_value();
    if (!pair.prepare(size)) return;
    visit.n = size->n;
    visit.unroll = size->unroll;
    const std::int64_t started_ns = core::wall_clock_ns();
    for (int quad = 0; quad < settings.quads; ++quad) {
        const auto spent_ns = static_cast<double>(core::wall_clock_ns() - started_ns);
        if (quad >= settings.min_quads && spent_ns > settings.visit_budget_ns) break;
        // prepare() has placed the first quad's, unless it had to find out how many copies suit both sides.
        if ((quad > 0 || !is_sized) && !pair.place(*size)) return;
        if (!pair.measure_quad(*size)) return;
    }
    const auto spent_ns = static_cast<double>(core::wall_clock_ns() - started_ns);
    const bool is_quick = spent_ns < 2 * kMostToRepeatNs * static_cast<double>(visit.quads.size());  // both sides'
    if (!is_sized && is_quick && !pair.note_repeats()) return;
    (void)pair.finish();  // what it finds is in the visit's errors
}

}  // namespace

core::PairVisit visit_pair(WorkerLink& a, WorkerLink& b, const core::Case& selected, const PairSettings& settings,
                           const PairPlace& place, std::optional<PairSize> size) {
    core::PairVisit visit;
    visit.case_name = selected.name();
    visit.round = place.round;
    visit.pair = place.pair;
    visit.order = place.order;
    visit.seed = place.seed;
    visit.started_s = core::unix_time_s();
    const std::int64_t started_ns = core::wall_clock_ns();
    Pair pair(a, b, settings, visit);
    measure_all(pair, settings, size, visit);
    pair.take_warnings();
    pair.warn_of_clock();
    visit.wall_s = static_cast<double>(core::wall_clock_ns() - started_ns) * 1e-9;
    return visit;
}

}  // namespace tare::measure
