// A duet's record: the document with one row per case, side and pair; verdicts beside it for readers.
#include "harness/record/duet.h"
#include "harness/record/duet_json.h"
#include "harness/record/duet_rows.h"
#include "harness/record/duet_verdict_json.h"
#include "harness/record/record_document.h"

namespace tare::record {

core::Status print_duet(const Duet& duet, const std::vector<CaseVerdict>& verdicts, const Sink& sink) {
    return print_document(
        duet.context, [&](const std::function<void(const Json&)>& take) { make_duet_rows(duet.visits, take); },
        duet_summary_to_json(duet, verdicts), sink);
}

core::Status write_duet(const std::filesystem::path& path, const Duet& duet, const std::vector<CaseVerdict>& verdicts,
                        const std::filesystem::path& journal) {
    return write_document(path, journal, [&](const Sink& sink) { return print_duet(duet, verdicts, sink); });
}

core::Expected<Duet> parse_duet(std::string_view text, std::string_view name) {
    DuetRowReader rows;
    const core::Expected<Document> document =
        parse_document(text, name, RecordKind::kDuet, [&](const Json& row) { return rows.add(row); });
    if (!document) return tl::unexpected(document.error());
    Duet duet;
    duet.context = document->context;
    duet.interrupted = bool_or(member(document->ours, "interrupted"), false);
    duet.recovered = bool_or(member(document->ours, "recovered"), false);
    if (const core::Status status = read_duet_frame(duet, document->ours); !status)
        return tl::unexpected(damaged(name, ": " + status.error().what));
    core::Expected<std::vector<core::PairVisit>> visits = rows.take_visits();
    if (!visits) return tl::unexpected(damaged(name, ": " + visits.error().what));
    duet.visits = *std::move(visits);
    return duet;
}

core::Expected<Duet> read_duet(const std::filesystem::path& path) {
    const core::Expected<std::string> text = read_document(path);
    if (!text) return tl::unexpected(text.error());
    return parse_duet(*text, path.string());
}

}  // namespace tare::record
