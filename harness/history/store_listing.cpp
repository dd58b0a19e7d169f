// A line a record; machines in full beneath.
#include "harness/history/store_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/history/trend_report.h"
#include "harness/record/json.h"
#include "harness/record/shared_lines.h"
#include "harness/record/text_grid.h"

namespace tare::history {

using record::Json;

namespace {

std::string plural(std::size_t count, const char* singular) {
    return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

}  // namespace

std::string print_listing(const StoreListing& listing, std::size_t width, const record::TextStyle& style) {
    std::string text;
    if (!listing.records.empty()) {
        std::map<std::string, std::string> machines;
        std::vector<record::GridRow> rows;
        for (const IndexedRecord& each : listing.records) {
            machines[each.machine] = each.machine_text;
            const std::string against = each.reference.empty() ? "" : " against " + each.reference;
            rows.push_back({{each.file, each.kind, date_text(each.date_s, true), each.machine, each.version + against,
                             fmt::format("{}", each.cases), each.environment},
                            nullptr});
        }
        text += print_grid({{"record", 0, true},
                            {"kind", 3, true},
                            {"date", 4, true},
                            {"machine", 2, true},
                            {"version", 5, true},
                            {"cases", 6, false},
                            {"environment", 1, true}},
                           rows, width, style);
        text += "\nmachines\n";
        for (const auto& [fingerprint, words] : machines)
            text += fmt::format("  {}  {}\n", record::one_line(fingerprint), record::one_line(words));
        text += '\n';
    }
    text += fmt::format("{} in '{}'\n", plural(listing.records.size(), "record"), listing.store);
    for (const std::string& note : listing.notes) text += record::one_line(note) + '\n';
    if (listing.refused.empty()) return text;
    text += fmt::format("\nleft out: {}\n", plural(listing.refused.size(), "file"));
    for (const StoreIndex::Refused& refused : listing.refused) {
        text += fmt::format("  {}\n    {}\n", record::one_line(refused.file.string()),
                            record::one_line(refused.error.what));
        if (!refused.error.hint.empty()) text += fmt::format("    {}\n", record::one_line(refused.error.hint));
    }
    return text;
}

std::string print_listing_json(const StoreListing& listing) {
    Json json = record::object_of({{"kind", "store"}, {"store", listing.store}, {"notes", listing.notes}});
    json["records"] = Json::array();
    for (const IndexedRecord& each : listing.records)
        json["records"].push_back(record::object_of({{"record", each.file},
                                                     {"kind", each.kind},
                                                     {"date_s", each.date_s},
                                                     {"machine", each.machine},
                                                     {"machine_text", each.machine_text},
                                                     {"environment", each.environment},
                                                     {"version", record::text_or_null(each.version)},
                                                     {"commit", record::text_or_null(each.commit)},
                                                     {"reference", record::text_or_null(each.reference)},
                                                     {"cases", each.cases}}));
    json["left_out"] = Json::array();
    for (const StoreIndex::Refused& refused : listing.refused)
        json["left_out"].push_back(record::object_of(
            {{"file", refused.file.string()}, {"what", refused.error.what}, {"hint", refused.error.hint}}));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tare::history
