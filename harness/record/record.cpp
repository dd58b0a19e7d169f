// A run's record: the document with one row per case, rung and process.
#include "harness/record/record.h"

#include "harness/record/duet_json.h"
#include "harness/record/record_document.h"
#include "harness/record/rows.h"
#include "harness/record/summary_json.h"

namespace tare::record {

core::Status print_record(const Record& record, const Summary& summary, const Sink& sink) {
    return print_document(
        record.context, [&](const std::function<void(const Json&)>& take) { make_rows(record.visits, take); },
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
    record.visits = rows.take_visits();
    return record;
}

core::Expected<Record> read_record(const std::filesystem::path& path) {
    const core::Expected<std::string> text = read_document(path);
    if (!text) return tl::unexpected(text.error());
    return parse_record(*text, path.string());
}

}  // namespace tare::record
