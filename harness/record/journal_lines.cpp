// Splitting, checking and damage.
#include "harness/record/journal_lines.h"

#include <fmt/format.h>

namespace tare::record {

namespace {

using core::ErrorCode;

constexpr int kJournalVersion = 1;

/// Null where the text is no JSON, or nests too deep.
Json parse_line(std::string_view line) {
    bool too_deep = false;
    const auto on_event = [&](int depth, Json::parse_event_t event, Json&) {
        const bool refused = nests_too_deep(depth, event);
        too_deep = too_deep || refused;
        return !refused;
    };
    Json json = Json::parse(line.begin(), line.end(), on_event, /*allow_exceptions=*/false);
    return json.is_discarded() || too_deep ? Json() : json;
}

/// That of a run had none before there were duets.
std::string kind_of_line(const Json& first) {
    if (integer_or(member(first, "tare_journal"), -1) != kJournalVersion) return {};
    return text_or(member(first, "kind"), kRunJournal);
}

}  // namespace

std::string journal_line(const Json& json) {
    return compact(json) + '\n';
}

std::string first_journal_line(const char* kind, const Json& more) {
    Json json = object_of({{"tare_journal", kJournalVersion}, {"kind", kind}});
    json.update(more);
    return journal_line(json);
}

std::string end_line(const Json& facts) {
    Json json = Json::object();
    json["end"] = facts;
    return journal_line(json);
}

std::string journal_kind(std::string_view text) {
    return kind_of_line(parse_line(text.substr(0, text.find('\n'))));
}

core::Status read_journal_lines(std::string_view text, std::string_view name, std::string_view kind,
                                const std::function<core::Status(const Json&)>& begin,
                                const std::function<bool(const Json&)>& take,
                                std::vector<core::Catalogue::Problem>& problems) {
    bool begun = false;
    for (int line_number = 1; !text.empty(); ++line_number) {
        const std::size_t end = text.find('\n');
        const bool torn = end == std::string_view::npos;
        const Json json = parse_line(text.substr(0, end));
        text.remove_prefix(torn ? text.size() : end + 1);
        if (line_number == 1) {
            if (kind_of_line(json) != kind) break;
            begun = true;
            if (const core::Status status = begin(json); !status)
                return core::fail(ErrorCode::kData,
                                  fmt::format("the journal '{}' is damaged: {}", name, status.error().what),
                                  "move it out of the folder if you do not need it");
        } else if (!take(json) && !torn) {
            problems.push_back({std::string(name), fmt::format("line {} of the journal is damaged", line_number)});
        }
    }
    if (begun) return {};
    return core::fail(ErrorCode::kData,
                      fmt::format("'{}' is no journal{} of version {}", name, kind == kRunJournal ? "" : " of a duet",
                                  kJournalVersion),
                      "move it out of the folder if you do not need it");
}

}  // namespace tare::record
