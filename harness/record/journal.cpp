// Lines of a run.
#include "harness/record/journal.h"

#include "harness/record/duet_json.h"
#include "harness/record/journal_lines.h"
#include "harness/record/visit_json.h"

namespace tare::record {

core::Expected<Journal> Journal::create(const std::filesystem::path& folder, std::string_view name,
                                        const Record& start) {
    const Json first = {{"context", to_json(start.context)},
                        {"settings", to_json(start.settings)},
                        {"problems", problems_to_json(start.problems)}};
    core::Expected<JournalFile> file = JournalFile::create(folder, name, first_journal_line(kRunJournal, first));
    if (!file) return tl::unexpected(file.error());
    return Journal(*std::move(file));
}

core::Status Journal::append(const core::Visit& visit) {
    return file_.append(journal_line({{"visit", visit_to_json(visit)}}));
}

core::Status Journal::append_context(const core::Value& context) {
    return file_.append(journal_line({{"context", to_json(context)}}));
}

core::Status Journal::end(bool interrupted) {
    return file_.append(end_line({{"interrupted", interrupted}}));
}

core::Expected<Record> parse_journal(std::string_view text, std::string_view name) {
    Record record;
    record.recovered = true;
    bool ended = false;
    const auto begin = [&](const Json& json) -> core::Status {
        record.context = to_value(member(json, "context"));
        record.settings = to_value(member(json, "settings"));
        read_problems(record.problems, member(json, "problems"));
        return {};
    };
    const auto take = [&](const Json& json) {
        if (const Json& visit = member(json, "visit"); visit.is_object()) {
            core::Expected<core::Visit> read = visit_from_json(visit);
            if (!read) return false;
            record.visits.push_back(*std::move(read));
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
