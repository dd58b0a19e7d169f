// Lines of a duet.
#include "harness/record/duet_journal.h"

#include "harness/record/duet_json.h"
#include "harness/record/journal_lines.h"
#include "harness/record/pair_visit_json.h"
#include "harness/record/visit_json.h"

namespace tare::record {

namespace {

/// An object of one member. (Lists of pairs in braces would make one of a pair of texts, too.)
std::string line_of(const char* key, Json value) {
    Json json = Json::object();
    json[key] = std::move(value);
    return journal_line(json);
}

class DuetJournalReader {
  public:
    explicit DuetJournalReader(Duet& duet) : duet_(duet) {}

    bool take(const Json& json) {
        if (const Json& visit = member(json, "visit"); visit.is_object()) {
            core::Expected<core::PairVisit> read = pair_visit_from_json(visit);
            if (!read) return false;
            duet_.visits.push_back(*std::move(read));
        } else if (const Json& round = member(json, "round_ended"); round.is_number_integer()) {
            last_whole_round_ = int_or(round, -1);
        } else if (const Json& page_cache = member(json, "page_cache"); page_cache.is_object()) {
            duet_.page_cache = page_cache_from_json(page_cache);
        } else if (member(json, "context").is_object()) {
            duet_.context = to_value(member(json, "context"));
        } else if (const Json& sides = member(json, "sides"); sides.is_object()) {
            read_sides(duet_.sides, sides);
        } else if (const Json& end = member(json, "end"); end.is_object()) {
            duet_.interrupted = bool_or(member(end, "interrupted"), false);
            last_whole_round_ = int_or(member(end, "after_round"), last_whole_round_);
            ended_ = true;
        } else {
            return false;
        }
        return true;
    }

    void close() {
        if (!ended_) duet_.interrupted = true;
        std::vector<int>& ends = duet_.ended_after_rounds;
        if (last_whole_round_ >= 0 && (ends.empty() || ends.back() < last_whole_round_))
            ends.push_back(last_whole_round_);
    }

  private:
    Duet& duet_;
    int last_whole_round_ = -1;
    bool ended_ = false;
};

}  // namespace

core::Expected<DuetJournal> DuetJournal::create(const std::filesystem::path& folder, std::string_view name,
                                                const Duet& start) {
    Json first = object_of({{"context", to_json(start.context)}});
    first.update(duet_frame_to_json(start));
    std::string beginning = first_journal_line(kDuetJournal, first);
    for (const core::PairVisit& visit : start.visits) beginning += line_of("visit", pair_visit_to_json(visit));
    core::Expected<JournalFile> file = JournalFile::create(folder, name, beginning);
    if (!file) return tl::unexpected(file.error());
    return DuetJournal(*std::move(file));
}

core::Status DuetJournal::append(const core::PairVisit& visit) {
    return file_.append(line_of("visit", pair_visit_to_json(visit)));
}

core::Status DuetJournal::append_round_ended(int round) {
    return file_.append(line_of("round_ended", round));
}

core::Status DuetJournal::append_page_cache(const PageCacheRedraw& page_cache) {
    return file_.append(line_of("page_cache", page_cache_to_json(page_cache)));
}

core::Status DuetJournal::append_context(const core::Value& context) {
    return file_.append(line_of("context", to_json(context)));
}

core::Status DuetJournal::append_sides(const std::array<core::Value, 2>& sides) {
    return file_.append(line_of("sides", sides_to_json(sides)));
}

core::Status DuetJournal::end(bool interrupted, int after_round) {
    return file_.append(end_line(object_of({{"interrupted", interrupted}, {"after_round", after_round}})));
}

core::Expected<Duet> parse_duet_journal(std::string_view text, std::string_view name) {
    Duet duet;
    duet.recovered = true;
    DuetJournalReader reader(duet);
    const auto begin = [&](const Json& json) -> core::Status {
        duet.context = to_value(member(json, "context"));
        return read_duet_frame(duet, json);
    };
    const core::Status status = read_journal_lines(
        text, name, kDuetJournal, begin, [&](const Json& json) { return reader.take(json); }, duet.problems);
    if (!status) return tl::unexpected(status.error());
    reader.close();
    return duet;
}

}  // namespace tare::record
