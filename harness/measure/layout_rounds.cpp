// The loop over layouts and cases, and its requests to a worker.
#include "harness/measure/layout_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "harness/measure/case_session.h"

namespace tare::measure {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Map;
using core::Refusal;
using core::Status;
using core::Value;

namespace {

// 4 to 16 us an instruction were measured in VMs; nested ones take several times that.
constexpr std::chrono::microseconds kSlowStep{50};

struct Request {
    const core::Case& stepped;
    std::uint64_t seed = 0;
    const LayoutSettings& settings;
};

Expected<core::Trace> step(WorkerLink& worker, const Request& request, const char* loop) {
    const auto stepping = kSlowStep * static_cast<std::int64_t>(request.settings.step_limit);
    const auto limit = request.settings.time_limit + std::chrono::duration_cast<std::chrono::milliseconds>(stepping);
    Expected<Value> answer = worker.request(Map{{"op", "step"},
                                                {"case", request.stepped.name()},
                                                {"seed", static_cast<std::int64_t>(request.seed >> 1)},
                                                {"limit", request.settings.step_limit},
                                                {"loop", loop}},
                                            limit);
    if (!answer) {
        Error error = answer.error();
        if (error.code == ErrorCode::kWorkerDied) error.what = "not steppable: " + error.what;
        return tl::unexpected<Error>(std::move(error));
    }
    Expected<core::Trace> trace = core::trace_from(*answer);
    if (trace && trace->refusal != Refusal::kNone)
        return tl::unexpected<Error>(refusal_error(trace->refusal, trace->refusal_detail, request.settings.step_limit));
    return trace;
}

Expected<LayoutTraces> step_both(WorkerLink& worker, const Request& request) {
    Expected<core::Trace> statement = step(worker, request, "statement");
    if (!statement) return tl::unexpected<Error>(statement.error());
    Expected<core::Trace> floor = step(worker, request, "floor");
    if (!floor) return tl::unexpected<Error>(floor.error());
    return LayoutTraces{*std::move(statement), *std::move(floor)};
}

/// Drops the case; what it left changed would be counted in the cases after it.
Status finish(WorkerLink& worker, const LayoutSettings& settings) {
    const Expected<Value> finished = worker.request(Map{{"op", "finish"}}, settings.time_limit);
    if (!finished) return tl::unexpected<Error>(finished.error());
    return left_unchanged(*finished);
}

}  // namespace

Error refusal_error(Refusal refusal, const std::string& detail, std::size_t limit) {
    const auto not_steppable = [](std::string why, std::string hint = {}) {
        return Error{ErrorCode::kCaseFailed, "not steppable: " + std::move(why), std::move(hint)};
    };
    const std::string one_thread = "a ledger follows one thread of one process; `bench run` measures its time";
    switch (refusal) {
        case Refusal::kTooLong:
            return {ErrorCode::kCaseFailed,
                    fmt::format("too long to step: more than {} instructions{}", limit,
                                detail.empty() ? "" : ", " + detail),
                    limit < kMostSteps ? fmt::format("--limit {} allows more", std::min(10 * limit, kMostSteps))
                                       : "no limit allows more; `bench run` measures its time"};
        case Refusal::kThread:
            return not_steppable("the statement starts a thread", one_thread);
        case Refusal::kProcess:
            return not_steppable("the statement starts a process", one_thread);
        case Refusal::kProgram:
            return not_steppable("the statement replaces the program (execve)", one_thread);
        case Refusal::kBlocksTrap:
            return not_steppable("the statement blocks SIGTRAP, by which stepping works");
        case Refusal::kReplacesTrap:
            return not_steppable("the statement sets its own handler of SIGTRAP, by which stepping works");
        case Refusal::kRaised:
            return {ErrorCode::kCaseFailed, "the statement raised while it was stepped: " + detail, {}};
        case Refusal::kNone:
            break;
    }
    return not_steppable("no reason was given");
}

Status run_layouts(const std::vector<core::Case>& cases, const LayoutSettings& settings, const SpawnWorker& spawn,
                   const LayoutEvents& events) {
    std::mt19937_64 random(settings.seed);
    std::vector<bool> failed(cases.size(), false);
    int process = 0;
    std::unique_ptr<WorkerLink> worker;
    for (int layout = 0; layout < settings.layouts; ++layout) {
        if (layout % kPlacementsOfAWorker == 0) worker.reset();
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const std::uint64_t seed = random();  // drawn for failed cases too: the others' draws stay the same
            if (failed[i]) continue;
            if (events.stop()) return core::fail(ErrorCode::kInterrupted, "interrupted");
            if (!worker) {
                std::mt19937_64 draws(seed);
                const WorkerDraw draw{.round = layout / kPlacementsOfAWorker,
                                      .process = process++,
                                      .hash_seed = static_cast<std::uint32_t>(draws() >> 32),
                                      .padding_bytes = draws() % kPaddingSpanBytes};
                auto spawned = spawn(draw);
                if (!spawned) return tl::unexpected<Error>(spawned.error());
                worker = *std::move(spawned);
            }
            events.starts(cases[i], layout);
            const Expected<LayoutTraces> traces = step_both(*worker, {cases[i], seed, settings});
            Status done;
            if (!traces)
                done = tl::unexpected<Error>(traces.error());
            else
                done = events.traced(cases[i], *traces, *worker);
            if (done) done = finish(*worker, settings);  // after `traced`, which may ask what the case has compiled
            if (done) continue;
            if (done.error().code == ErrorCode::kInterrupted) return done;
            failed[i] = true;
            worker.reset();
            if (Status s = events.refused(cases[i], done.error()); !s) return s;
        }
    }
    return {};
}

}  // namespace tare::measure
