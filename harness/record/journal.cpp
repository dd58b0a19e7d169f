// Writing, locking and recovering journals.
#include "harness/record/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "harness/record/json.h"
#include "harness/record/visit_json.h"

namespace tare::record {

namespace {

using core::ErrorCode;

constexpr int kJournalVersion = 1;
constexpr std::string_view kSuffix = ".jsonl";

core::Error system_error(std::string_view action, const std::filesystem::path& path, int error_number) {
    return {ErrorCode::kEnvironment,
            fmt::format("cannot {} journal '{}': {}", action, path.string(), std::strerror(error_number)),
            "free some space, or give another folder with --store"};
}

Json first_line(const Record& start) {
    Json problems = Json::array();
    for (const core::Catalogue::Problem& problem : start.problems)
        problems.push_back({{"file", problem.file}, {"error", problem.error}});
    return {{"tare_journal", kJournalVersion},
            {"context", to_json(start.context)},
            {"settings", to_json(start.settings)},
            {"problems", std::move(problems)}};
}

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

/// One line after the first; false if it is none that a journal holds.
bool take_line(const Json& json, Record& record, bool& ended) {
    if (const Json& visit = member(json, "visit"); visit.is_object()) {
        core::Expected<core::Visit> read = visit_from_json(visit);
        if (!read) return false;
        record.visits.push_back(*std::move(read));
        return true;
    }
    if (member(json, "context").is_object()) {
        record.context = to_value(member(json, "context"));
        return true;
    }
    if (member(json, "end").is_object()) {
        record.interrupted = bool_or(member(member(json, "end"), "interrupted"), false);
        return ended = true;
    }
    return false;
}

core::Expected<std::string> read_all(const Descriptor& descriptor, const std::filesystem::path& path) {
    std::string text;
    char block[1 << 16];
    while (true) {
        const ssize_t count = ::read(descriptor.number(), block, sizeof block);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return tl::unexpected(system_error("read", path, errno));
        if (count == 0) return text;
        text.append(block, static_cast<std::size_t>(count));
    }
}

}  // namespace

core::Expected<Journal> Journal::create(const std::filesystem::path& folder, std::string_view name,
                                        const Record& start) {
    const std::filesystem::path path = folder / fmt::format("{}{}", name, kSuffix);
    // It gets its name only when it is locked and begun, so that a bench that recovers never sees a blank one.
    const std::filesystem::path unborn = path.string() + fmt::format(".{}.new", ::getpid());
    Descriptor descriptor(::open(unborn.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666));
    if (!descriptor.is_open()) return tl::unexpected(system_error("create", path, errno));
    if (::flock(descriptor.number(), LOCK_EX | LOCK_NB) != 0) return tl::unexpected(system_error("lock", path, errno));
    Journal journal(path, std::move(descriptor));
    core::Status status = journal.append_line(compact(first_line(start)));
    if (status && std::rename(unborn.c_str(), path.c_str()) != 0)
        status = tl::unexpected(system_error("create", path, errno));
    if (!status) {
        ::unlink(unborn.c_str());
        return tl::unexpected(status.error());
    }
    return journal;
}

core::Status Journal::append_line(std::string line) {
    line += '\n';
    struct stat before {};
    if (::fstat(descriptor_.number(), &before) != 0) return tl::unexpected(system_error("write", path_, errno));
    int error_number = write_all(descriptor_, line);
    if (error_number == 0 && ::fdatasync(descriptor_.number()) != 0) error_number = errno;
    if (error_number == 0) return {};
    core::Error error = system_error("write", path_, error_number);
    if (::ftruncate(descriptor_.number(), before.st_size) != 0) error.what += "; its last line is torn";
    error.hint += "; what it holds so far is recovered by the next command";
    return tl::unexpected(std::move(error));
}

core::Status Journal::append(const core::Visit& visit) {
    return append_line(compact({{"visit", visit_to_json(visit)}}));
}

core::Status Journal::append_context(const core::Value& context) {
    return append_line(compact({{"context", to_json(context)}}));
}

core::Status Journal::end(bool interrupted) {
    return append_line(compact({{"end", {{"interrupted", interrupted}}}}));
}

core::Status Journal::remove() {
    if (::unlink(path_.c_str()) != 0 && errno != ENOENT) return tl::unexpected(system_error("remove", path_, errno));
    descriptor_.close();
    return {};
}

core::Expected<Record> parse_journal(std::string_view text, std::string_view name) {
    Record record;
    record.recovered = true;
    bool begun = false;
    bool ended = false;
    for (int line_number = 1; !text.empty(); ++line_number) {
        const std::size_t end = text.find('\n');
        const bool torn = end == std::string_view::npos;
        const Json json = parse_line(text.substr(0, end));
        text.remove_prefix(torn ? text.size() : end + 1);
        if (line_number == 1) {
            if (integer_or(member(json, "tare_journal"), -1) != kJournalVersion) break;
            begun = true;
            record.context = to_value(member(json, "context"));
            record.settings = to_value(member(json, "settings"));
            if (const Json& problems = member(json, "problems"); problems.is_array())
                for (const Json& problem : problems)
                    record.problems.push_back(
                        {text_or(member(problem, "file"), ""), text_or(member(problem, "error"), "")});
        } else if (!take_line(json, record, ended) && !torn) {
            record.problems.push_back(
                {std::string(name), fmt::format("line {} of the journal is damaged", line_number)});
        }
    }
    if (!begun)
        return core::fail(ErrorCode::kData, fmt::format("'{}' is no journal of version {}", name, kJournalVersion),
                          "move it out of the folder if you do not need it");
    if (!ended) record.interrupted = true;
    return record;
}

AbandonedJournals recover_journals(const std::filesystem::path& folder) {
    AbandonedJournals result;
    std::error_code missing;
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder, missing))
        if (entry.path().extension() == kSuffix) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    for (const std::filesystem::path& path : paths) {
        Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        if (!descriptor.is_open()) {
            if (errno != ENOENT) result.problems.push_back(system_error("open", path, errno));
            continue;
        }
        if (::flock(descriptor.number(), LOCK_EX | LOCK_NB) != 0) {
            if (errno != EWOULDBLOCK) result.problems.push_back(system_error("lock", path, errno));
            continue;  // its run is alive
        }
        struct stat status {};
        if (::fstat(descriptor.number(), &status) != 0 || status.st_nlink == 0) continue;  // recovered by another bench
        const core::Expected<std::string> text = read_all(descriptor, path);
        core::Expected<Record> record =
            text ? parse_journal(*text, path.string()) : core::Expected<Record>(tl::unexpected(text.error()));
        if (record)
            result.journals.push_back({path, *std::move(record), std::move(descriptor)});
        else
            result.problems.push_back(record.error());
    }
    return result;
}

}  // namespace tare::record
