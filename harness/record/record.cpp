// A run's record: the document with one row per case, rung and process.
#include "harness/record/record.h"

#include <algorithm>

#include "harness/record/counting_json.h"
#include "harness/record/duet_json.h"
#include "harness/record/ledger_json.h"
#include "harness/record/record_document.h"
#include "harness/record/rows.h"
#include "harness/record/stored_ledgers.h"
#include "harness/record/stored_profiles.h"
#include "harness/record/summary_json.h"

namespace tare::record {

namespace {

core::Status read_ledgers(Record& record, const Json& ours) {
    auto ledgers = stored_ledgers_from_json(member(ours, "ledger_tables"), member(ours, "ledgers"));
    if (!ledgers) return tl::unexpected(ledgers.error());
    record.ledgers = *std::move(ledgers);
    const Json& problems = member(ours, "ledger_problems");
    if (!problems.is_array()) return {};
    for (const Json& item : problems) {
        auto problem = ledger_problem_from_json(item);
        if (!problem) return tl::unexpected(problem.error());
        record.ledger_problems.push_back(*std::move(problem));
    }
    return {};
}

core::Status read_profiles(Record& record, const Json& ours) {
    auto profiles = stored_profiles_from_json(member(ours, "profile_tables"), member(ours, "profiles"));
    if (!profiles) return tl::unexpected(profiles.error());
    record.profiles = *std::move(profiles);
    const Json& problems = member(ours, "profile_problems");
    if (!problems.is_array()) return {};
    for (const Json& item : problems) {
        auto problem = profile_problem_from_json(item);
        if (!problem) return tl::unexpected(problem.error());
        record.profile_problems.push_back(*std::move(problem));
    }
    return {};
}

core::Status read_counting(core::Counting& counting, const Json& ours) {
    counting.requests = requests_from_json(member(ours, "counters"));
    auto processes = processes_from_json(member(ours, "counting_processes"), counting.requests.size());
    if (!processes) return tl::unexpected(processes.error());
    counting.processes = *std::move(processes);
    return {};
}

/// In cycles, or in nanoseconds in records from before a chain was timed beside them: only their ratios mean something.
double of_reference(const core::Value& context, const std::string& name) {
    const core::Value& known = context["references"];
    const core::Value& cycles = known[name + "_cycles"];
    return (cycles.is_nil() ? known[name + "_ns"] : cycles).as_double();
}

}  // namespace

core::References best_references(const core::Value& context) {
    return {.l1_cycles = of_reference(context, "l1_best"),
            .alu_cycles = of_reference(context, "alu_best"),
            .clock_ghz = context["references"]["at_clock_ghz"].as_double()};
}

Summary summarize(const Record& record) {
    Summary summary = summarize(record.visits, record.counting, best_references(record.context));
    if (const double best = of_reference(record.context, "l1_best"); best > 0)
        summary.never_below_ratio = std::max(0.0, of_reference(record.context, "l1_low") / best - 1);
    summary.clock_ghz = record.context["references"]["clock_ghz"].as_double();
    for (const core::Ledger& ledger : record.ledgers)
        summary.instructions.insert_or_assign(ledger.case_name, CaseInstructions{ledger.total, ledger.layouts, {}});
    for (const core::LedgerProblem& problem : record.ledger_problems)
        summary.instructions.try_emplace(problem.case_name, CaseInstructions{{}, 0, problem.error});
    summary.times = case_times(record.profiles, summary.cases, record.ledgers);
    return summary;
}

core::Status print_record(const Record& record, const Summary& summary, const Sink& sink) {
    return print_document(
        record.context,
        [&](const std::function<void(const Json&)>& take) {
            make_rows(record.visits, summary.counters, best_references(record.context), take);
        },
        summary_to_json(record, summary), sink);
}

core::Status write_record(const std::filesystem::path& path, const Record& record, const Summary& summary,
                          const std::filesystem::path& journal) {
    return write_document(path, journal, [&](const Sink& sink) { return print_record(record, summary, sink); });
}

core::Expected<Record> parse_record(std::string_view text, std::string_view name) {
    RowReader rows;
    const core::Expected<Document> document =
        parse_document(text, name, RecordKind::kRun, [&](const Json& row) { return rows.add(row); });
    if (!document) return tl::unexpected(document.error());
    Record record;
    record.context = document->context;
    record.settings = to_value(member(document->ours, "settings"));
    record.interrupted = bool_or(member(document->ours, "interrupted"), false);
    record.recovered = bool_or(member(document->ours, "recovered"), false);
    read_problems(record.problems, member(document->ours, "problems"));
    if (const core::Status status = read_ledgers(record, document->ours); !status)
        return tl::unexpected(damaged(name, ": " + status.error().what));
    if (const core::Status status = read_profiles(record, document->ours); !status)
        return tl::unexpected(damaged(name, ": " + status.error().what));
    if (const core::Status status = read_counting(record.counting, document->ours); !status)
        return tl::unexpected(damaged(name, ": " + status.error().what));
    record.visits = rows.take_visits(record.counting.requests, best_references(record.context));
    return record;
}

core::Expected<Record> read_record(const std::filesystem::path& path) {
    const core::Expected<std::string> text = read_document(path);
    if (!text) return tl::unexpected(text.error());
    return parse_record(*text, path.string());
}

}  // namespace tare::record
