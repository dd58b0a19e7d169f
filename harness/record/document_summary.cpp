// A line's end stands only between rows (compact JSON has none, and strings write it as \n), so the marks are unique.
#include "harness/record/document_summary.h"

#include <optional>

namespace tare::record {

namespace {

constexpr std::string_view kContext = "{\"context\":";
constexpr std::string_view kRows = ",\n\"benchmarks\":[\n";
constexpr std::string_view kSummary = "\n],\n\"tare\":";
constexpr std::string_view kEnd = "}\n";

struct Parts {
    std::string_view context;
    std::string_view ours;
};

/// Nothing where the text is not laid out as print_document does.
std::optional<Parts> parts_of(std::string_view text) {
    if (!text.starts_with(kContext) || !text.ends_with(kEnd)) return std::nullopt;
    const std::size_t rows = text.find(kRows);
    const std::size_t ours = text.rfind(kSummary);
    if (rows == std::string_view::npos || ours == std::string_view::npos || ours < rows) return std::nullopt;
    return Parts{text.substr(kContext.size(), rows - kContext.size()),
                 text.substr(ours + kSummary.size(), text.size() - ours - kSummary.size() - kEnd.size())};
}

std::optional<Json> parsed(std::string_view text, const std::function<bool(std::string_view)>& wanted) {
    bool too_deep = false;
    const auto on_event = [&](int depth, Json::parse_event_t event, Json& value) {
        too_deep = too_deep || nests_too_deep(depth, event);
        if (too_deep) return false;
        return event != Json::parse_event_t::key || wanted(value.get_ref<const std::string&>());
    };
    Json json = Json::parse(text.begin(), text.end(), on_event, false);
    if (too_deep || json.is_discarded()) return std::nullopt;
    return json;
}

}  // namespace

core::Expected<Document> parse_summary(std::string_view text, std::string_view name,
                                       const std::function<bool(std::string_view key)>& wanted) {
    if (const std::optional<Parts> parts = parts_of(text)) {
        const std::optional<Json> context = parsed(parts->context, wanted);
        std::optional<Json> ours = parsed(parts->ours, wanted);
        if (context && ours && integer_or(member(*ours, "format_version"), -1) == kFormatVersion)
            return Document{to_value(member(*context, "tare")), *std::move(ours)};
    }
    return parse_document(text, name, std::nullopt, [](const Json&) { return true; });
}

}  // namespace tare::record
