// Lines of a run.
#include "harness/record/journal.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "harness/record/counting_json.h"
#include "harness/record/duet_json.h"
#include "harness/record/journal_lines.h"
#include "harness/record/ledger_json.h"
#include "harness/record/stored_ledgers.h"
#include "harness/record/stored_profiles.h"
#include "harness/record/visit_json.h"

namespace tare::record {

core::Expected<Journal> Journal::create(const std::filesystem::path& folder, std::string_view name,
                                        const Record& start) {
    Json first = object_of({{"context", to_json(start.context)},
                            {"settings", to_json(start.settings)},
                            {"problems", problems_to_json(start.problems)}});
    if (!start.counting.requests.empty()) first["counters"] = requests_to_json(start.counting.requests);
    core::Expected<JournalFile> file = JournalFile::create(folder, name, first_journal_line(kRunJournal, first));
    if (!file) return tl::unexpected(file.error());
    return Journal(*std::move(file));
}

core::Status Journal::append(const core::Visit& visit) {
    return file_.append(journal_line(object_of({{"visit", visit_to_json(visit)}})));
}

core::Status Journal::append(const core::CountingProcess& process) {
    return file_.append(journal_line(object_of({{"counting", process_to_json(process)}})));
}

core::Status Journal::append(const core::Ledger& ledger) {
    StoredLedgers stored = stored_ledgers_to_json(std::span(&ledger, 1));
    Json line = object_of({{"ledgers", std::move(stored.ledgers)}});
    line["ledger_tables"] = std::move(stored.tables);
    return file_.append(journal_line(line));
}

core::Status Journal::append(const core::LedgerProblem& problem) {
    return file_.append(journal_line(object_of({{"ledger_problem", ledger_problem_to_json(problem)}})));
}

core::Status Journal::append(const core::CaseProfile& profile) {
    StoredProfiles stored = stored_profiles_to_json(std::span(&profile, 1));
    Json line = object_of({{"profiles", std::move(stored.profiles)}});
    line["profile_tables"] = std::move(stored.tables);
    return file_.append(journal_line(line));
}

core::Status Journal::append(const core::ProfileProblem& problem) {
    return file_.append(journal_line(object_of({{"profile_problem", profile_problem_to_json(problem)}})));
}

core::Status Journal::append_context(const core::Value& context) {
    return file_.append(journal_line(object_of({{"context", to_json(context)}})));
}

core::Status Journal::end(bool interrupted) {
    return file_.append(end_line(object_of({{"interrupted", interrupted}})));
}

namespace {

/// Of counters that were asked for.
bool counts_are_known(const core::Visit& visit, std::size_t requests) {
    for (const core::RungVisit& rung : visit.rungs)
        for (const core::RungCount& count : rung.counts)
            if (count.counter >= requests) return false;
    return true;
}

}  // namespace

core::Expected<Record> parse_journal(std::string_view text, std::string_view name) {
    Record record;
    record.recovered = true;
    bool ended = false;
    const auto begin = [&](const Json& json) -> core::Status {
        record.context = to_value(member(json, "context"));
        record.settings = to_value(member(json, "settings"));
        read_problems(record.problems, member(json, "problems"));
        record.counting.requests = requests_from_json(member(json, "counters"));
        return {};
    };
    const auto take = [&](const Json& json) {
        if (const Json& visit = member(json, "visit"); visit.is_object()) {
            core::Expected<core::Visit> read = visit_from_json(visit);
            if (!read || !counts_are_known(*read, record.counting.requests.size())) return false;
            record.visits.push_back(*std::move(read));
        } else if (const Json& counting = member(json, "counting"); counting.is_object()) {
            auto read = process_from_json(counting, record.counting.requests.size());
            if (!read) return false;
            record.counting.processes.push_back(*std::move(read));
        } else if (const Json& ledgers = member(json, "ledgers"); ledgers.is_array()) {
            auto read = stored_ledgers_from_json(member(json, "ledger_tables"), ledgers);
            if (!read) return false;
            std::move(read->begin(), read->end(), std::back_inserter(record.ledgers));
        } else if (const Json& problem = member(json, "ledger_problem"); problem.is_object()) {
            auto read = ledger_problem_from_json(problem);
            if (!read) return false;
            record.ledger_problems.push_back(*std::move(read));
        } else if (const Json& profiles = member(json, "profiles"); profiles.is_array()) {
            auto read = stored_profiles_from_json(member(json, "profile_tables"), profiles);
            if (!read) return false;
            for (const core::CaseProfile& profile : *read) merge(record.profiles, profile);
        } else if (const Json& unsampled = member(json, "profile_problem"); unsampled.is_object()) {
            auto read = profile_problem_from_json(unsampled);
            if (!read) return false;
            record.profile_problems.push_back(*std::move(read));
        } else if (member(json, "context").is_object()) {
            record.context = to_value(member(json, "context"));
        } else if (const Json& end = member(json, "end"); end.is_object()) {
            record.interrupted = bool_or(member(end, "interrupted"), false);
            ended = true;
        } else {
            return false;
        }
        return true;
    };
    const core::Status status = read_journal_lines(text, name, kRunJournal, begin, take, record.problems);
    if (!status) return tl::unexpected(status.error());
    if (!ended) record.interrupted = true;
    return record;
}

}  // namespace tare::record
