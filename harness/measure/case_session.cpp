// Requests and their answers; answers come from a process that runs foreign code.
#include "harness/measure/case_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/counter_message.h"
#include "harness/measure/drift.h"

namespace tare::measure {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::List;
using core::Map;
using core::Status;
using core::Value;

namespace {

constexpr std::size_t kQuotedBytes = 200;
constexpr double kFewPreempted = 0.1;  // of the batches: no median depends on them
constexpr const char* kPreemptedText =
    "other programs, or a CPU quota, took the CPU in the middle of its batches; those count by their CPU time";

std::string first_words(const std::string& text) {
    if (text.size() <= kQuotedBytes) return text;
    return text.substr(0, kQuotedBytes) + fmt::format("... ({} bytes in all)", text.size());
}

core::References references_in(const List& fields) {
    if (fields.size() != 3) return {};
    return {
        .l1_cycles = fields[0].as_double(), .alu_cycles = fields[1].as_double(), .clock_ghz = fields[2].as_double()};
}

Value seed_value(std::uint64_t seed) {
    return static_cast<std::int64_t>(seed >> 1);
}  // fits a signed 64-bit integer

}  // namespace

Status left_unchanged(const Value& finished) {
    std::string text;
    for (const Value& change : finished["changes"].as_list()) text += (text.empty() ? "" : "; ") + change.as_text();
    if (text.empty()) return {};
    return core::fail(
        ErrorCode::kCaseFailed, "the case left the interpreter changed: " + text,
        "a statement must leave the process as it found it: restore it inside (with np.errstate(...): ...)");
}

CaseSession::CaseSession(WorkerLink& worker, std::chrono::milliseconds time_limit)
    : worker_(worker), time_limit_(time_limit) {
    (void)worker_.take_output();
}

Expected<Value> CaseSession::request(Map message) {
    Expected<Value> answer = worker_.request(std::move(message), time_limit_);
    if (!answer && answer.error().code == ErrorCode::kTimeout)
        answer.error().hint = "raise --time-limit if the case is only slow";
    return answer;
}

/// Set-up may print; the statement may not: it would time a pipe.
void CaseSession::note_set_up_output() {
    const CapturedOutput set_up = worker_.take_output();
    if (set_up.err.empty()) return;
    const std::string warning = "set-up or warm-up wrote to stderr: " + first_words(set_up.err);
    if (std::find(warnings_.begin(), warnings_.end(), warning) == warnings_.end()) warnings_.push_back(warning);
}

void CaseSession::note_batch_output() {
    const CapturedOutput more = worker_.take_output();
    written_.out += more.out;
    written_.err += more.err;
}

Expected<PreparedCase> CaseSession::prepare(const std::string& case_name, const std::vector<core::RungKind>& rungs,
                                            std::uint64_t seed, const PrepareOrder& order) {
    List names;
    for (const core::RungKind kind : rungs) names.emplace_back(core::name_of(kind));
    Map message{{"op", "prepare"},           {"case", case_name},          {"seed", seed_value(seed)},
                {"rungs", std::move(names)}, {"estimate", order.estimate}, {"line", order.line}};
    if (order.unroll > 0) message.insert_or_assign("unroll", order.unroll);
    Expected<Value> answer = request(std::move(message));
    if (!answer) return tl::unexpected<Error>(answer.error());
    note_set_up_output();
    PreparedCase prepared;
    counters_of_pass_.clear();
    prepared.unroll = static_cast<int>((*answer)["unroll"].as_int(1));
    prepared.timed_alone = (*answer)["timed_alone"].as_bool();
    for (const Value& problem : (*answer)["problems"].as_list())
        if (const auto kind = core::rung_named(problem["kind"].as_text()))
            prepared.problems.push_back({*kind, problem["reason"].as_text()});
    for (const Value& rung : (*answer)["rungs"].as_list())
        if (const auto kind = step_named(rung["kind"].as_text()))
            prepared.rungs.push_back({{*kind, rung["estimate_ns"].as_double()}, rung["facts"]});
    for (const Value& pass : (*answer)["passes"].as_list()) {
        std::vector<std::size_t> counters;
        for (const Value& counter : pass.as_list()) counters.push_back(static_cast<std::size_t>(counter.as_int()));
        counters_of_pass_.push_back(counters.size());
        prepared.passes.push_back(std::move(counters));
    }
    return prepared;
}

Status CaseSession::place(std::uint64_t seed, int unroll) {
    Map message{{"op", "place"}, {"seed", seed_value(seed)}};
    if (unroll > 0) message.insert_or_assign("unroll", unroll);
    const Expected<Value> placed = request(std::move(message));
    if (!placed) return tl::unexpected<Error>(placed.error());
    note_set_up_output();
    return {};
}

Expected<Batches> CaseSession::measure(const std::vector<Step>& steps, std::optional<std::size_t> pass,
                                       const std::optional<QuietOrder>& quiet) {
    Map message;
    if (pass) message.insert_or_assign("pass", *pass);
    if (quiet) {
        message.insert_or_assign("references", true);
        message.insert_or_assign("quiet_l1_cycles", quiet->l1_limit_cycles);
        message.insert_or_assign("patience_ns", static_cast<std::int64_t>(quiet->patience_ns));
    }
    return run(steps, pass, std::move(message));
}

Expected<core::SamplingWay> CaseSession::begin_sampling(const std::string& ring, double rate_hz) {
    const Expected<Value> begun = request(Map{{"op", "sample"}, {"ring", ring}, {"rate_hz", rate_hz}});
    if (!begun) return tl::unexpected<Error>(begun.error());
    const std::int64_t clock = (*begun)["clock"].as_int(-1);
    if (clock < 0 || clock > static_cast<std::int64_t>(core::SampleClock::kTimer))
        return core::fail(ErrorCode::kData, "the worker does not say by which clock it samples");
    return core::SamplingWay{.clock = static_cast<core::SampleClock>(clock),
                             .sees_kernel = (*begun)["sees_kernel"].as_bool(),
                             .fallback_reason = (*begun)["fallback_reason"].as_text(),
                             .python_problem = (*begun)["python_problem"].as_text()};
}

Expected<core::Sample> CaseSession::measure_sampled(const Step& step) {
    const Expected<Batches> batch = run({step}, std::nullopt, Map{{"sampled", true}});
    if (!batch) return tl::unexpected<Error>(batch.error());
    return batch->samples.front();
}

Status CaseSession::end_sampling() {
    const Expected<Value> ended = request(Map{{"op", "sample"}});
    if (!ended) return tl::unexpected<Error>(ended.error());
    return {};
}

Expected<Batches> CaseSession::run(const std::vector<Step>& steps, std::optional<std::size_t> pass, Map message) {
    List orders;
    for (const Step& step : steps) orders.emplace_back(List{name_of(step.kind), step.n, step.lead_in_n, step.warm_n});
    const bool references = message.contains("references");
    message.insert_or_assign("op", "measure");
    message.insert_or_assign("steps", std::move(orders));
    const Expected<Value> answer = request(std::move(message));
    note_batch_output();
    if (!answer) return tl::unexpected<Error>(answer.error());
    const List& answered = (*answer)["samples"].as_list();
    if (answered.size() != steps.size())
        return core::fail(ErrorCode::kData,
                          fmt::format("the worker returned {} samples for {} batches", answered.size(), steps.size()));
    Batches batches;
    batches.waited_ns = (*answer)["waited_ns"].as_double();
    const std::size_t counts_place = references ? 4 : 3;
    for (const Value& sample : answered) {
        const List& fields = sample.as_list();
        if (fields.size() != counts_place + (pass ? 1 : 0))
            return core::fail(ErrorCode::kData, fmt::format("a sample is not [n, wall_ns, cpu_ns{}{}]",
                                                            references ? ", references" : "", pass ? ", counts" : ""));
        batches.samples.push_back({.n = static_cast<std::uint64_t>(fields[0].as_int()),
                                   .wall_ns = fields[1].as_double(),
                                   .cpu_ns = fields[2].as_double()});
        if (references) batches.samples.back().references = references_in(fields[3].as_list());
        if (pass)
            batches.counts.push_back(core::batch_counts(fields[counts_place], *pass, counters_of_pass_.at(*pass)));
    }
    return batches;
}

Status CaseSession::note_repeats(const std::string& case_name) {
    note_batch_output();
    const Expected<Value> told = request(Map{{"op", "repeats"}, {"case", case_name}});
    if (!told && told.error().code != ErrorCode::kCaseFailed) return tl::unexpected<Error>(told.error());
    note_set_up_output();
    if (told && !told->as_text().empty()) warnings_.push_back(told->as_text());
    return {};
}

Status CaseSession::finish() {
    const Expected<Value> finished = request(Map{{"op", "finish"}});
    if (!finished) return tl::unexpected<Error>(finished.error());
    note_batch_output();
    if (const auto drift = drift_named((*finished)["drift"].as_text())) warnings_.push_back(drift_text(*drift));
    if ((*finished)["preempted_batches"].as_double() > kFewPreempted * (*finished)["batches"].as_double())
        warnings_.push_back(kPreemptedText);
    if (!written_.out.empty())
        return core::fail(ErrorCode::kCaseFailed,
                          "the case wrote to stdout while it was measured: " + first_words(written_.out),
                          "what prints is not timed: silence it, or move it to the set-up");
    return left_unchanged(*finished);
}

std::vector<std::string> CaseSession::take_warnings() {
    note_batch_output();
    if (!written_.err.empty()) warnings_.push_back("wrote to stderr: " + first_words(written_.err));
    return std::exchange(warnings_, {});
}

}  // namespace tare::measure
