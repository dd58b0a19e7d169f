// The kind stands at the end of the document: one pass finds it, a second reads the rows.
#include "harness/record/any_record.h"

#include "harness/record/record_document.h"

namespace tare::record {

core::Expected<AnyRecord> read_any_record(const std::filesystem::path& path) {
    const core::Expected<std::string> text = read_document(path);
    if (!text) return tl::unexpected(text.error());
    const core::Expected<Document> document =
        parse_document(*text, path.string(), std::nullopt, [](const Json&) { return true; });
    if (!document) return tl::unexpected(document.error());
    if (kind_of(document->ours) == RecordKind::kDuet)
        return parse_duet(*text, path.string()).map([](Duet&& duet) { return AnyRecord(std::move(duet)); });
    return parse_record(*text, path.string()).map([](Record&& record) { return AnyRecord(std::move(record)); });
}

}  // namespace tare::record
