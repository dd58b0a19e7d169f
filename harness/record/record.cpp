// Layout of the record: {"context": ..., "benchmarks": [a row a line], "tare": ...}. Written row by row and read row by
// row, so that memory does not grow with a document tree.
#include "harness/record/record.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <fstream>

#include "harness/record/atomic_file.h"
#include "harness/record/json.h"
#include "harness/record/rows.h"
#include "harness/record/summary_json.h"

namespace tare::record {

namespace {

using core::ErrorCode;

constexpr std::array kGoogleMembers = {"date",        "host_name",           "executable",   "num_cpus",
                                       "mhz_per_cpu", "cpu_scaling_enabled", "aslr_enabled", "caches",
                                       "load_avg",    "library_version"};

/// Google Benchmark calls a cache's size in bytes `size`.
Json caches_to_json(const core::Value& caches) {
    Json list = Json::array();
    for (const core::Value& cache : caches.as_list())
        list.push_back({{"type", cache["type"].as_text()},
                        {"level", cache["level"].as_int()},
                        {"size", cache["size_bytes"].as_int()},
                        {"num_sharing", cache["num_sharing"].as_int()}});
    return list;
}

Json context_to_json(const core::Value& context) {
    Json json = Json::object();
    for (const char* key : kGoogleMembers)
        if (const core::Value& value = context[key]; !value.is_nil()) json[key] = to_json(value);
    if (json.contains("caches")) json["caches"] = caches_to_json(context["caches"]);
    // Debian's Google Benchmark calls itself a debug build (of the library, not of what is measured); ours is none.
    json["library_build_type"] = "release";
    json["json_schema_version"] = 1;
    json["tare"] = context.is_map() ? to_json(context) : Json::object();
    return json;
}

core::Expected<Record> not_a_record(std::string_view name, const Json& document) {
    if (member(document, "benchmarks").is_array() && member(document, "context").is_object())
        return core::fail(
            ErrorCode::kData,
            fmt::format("'{}' was written by Google Benchmark, not by tare: it has no 'tare' object", name),
            "compare such files with Google Benchmark's compare.py, which also reads records of tare");
    return core::fail(ErrorCode::kData, fmt::format("'{}' is JSON, but no record of tare", name),
                      "give a file that `bench run` wrote");
}

}  // namespace

core::Status print_record(const Record& record, const Summary& summary, const Sink& sink) {
    core::Status status = sink("{\"context\":" + compact(context_to_json(record.context)) + ",\n\"benchmarks\":[");
    const char* separator = "\n";
    make_rows(record.visits, [&](const Json& row) {
        if (status) status = sink(separator + compact(row));
        separator = ",\n";
    });
    if (status) status = sink("\n],\n\"tare\":" + compact(summary_to_json(record, summary)) + "}\n");
    return status;
}

core::Status write_record(const std::filesystem::path& path, const Record& record, const Summary& summary,
                          const std::filesystem::path& journal) {
    const auto with_journal = [&](core::Error error) -> core::Status {
        if (!journal.empty())
            error.hint += fmt::format("{}nothing is lost: the journal '{}' holds all that was measured",
                                      error.hint.empty() ? "" : "; ", journal.string());
        return tl::unexpected(std::move(error));
    };
    core::Expected<AtomicFile> file = AtomicFile::create(path);
    if (!file) return with_journal(file.error());
    core::Status status = print_record(record, summary, [&](std::string_view text) { return file->write(text); });
    if (status) status = file->commit();
    if (!status) return with_journal(status.error());
    return {};
}

core::Expected<Record> parse_record(std::string_view text, std::string_view name) {
    RowReader rows;
    std::size_t foreign_rows = 0;
    std::string section;
    Json document;
    // A row is put to use as soon as its object ends (depth 2: document, array) and then dropped from the tree.
    bool too_deep = false;
    const auto on_event = [&](int depth, Json::parse_event_t event, Json& parsed) {
        if (nests_too_deep(depth, event)) {
            too_deep = true;
            return false;
        }
        if (event == Json::parse_event_t::key && depth == 1) section = parsed.get<std::string>();
        if (event != Json::parse_event_t::object_end || depth != 2 || section != "benchmarks") return true;
        if (!rows.add(parsed)) ++foreign_rows;
        return false;
    };
    try {
        document = Json::parse(text.begin(), text.end(), on_event);
    } catch (const nlohmann::json::parse_error& e) {
        return core::fail(ErrorCode::kData,
                          fmt::format("'{}' is damaged at byte {} of {}: no valid JSON", name, e.byte, text.size()),
                          "restore the file from a copy; records are written whole, so it was changed afterwards");
    } catch (const nlohmann::json::exception& e) {
        return core::fail(ErrorCode::kData, fmt::format("'{}' is damaged: {}", name, e.what()),
                          "restore the file from a copy; records are written whole, so it was changed afterwards");
    }
    if (too_deep)
        return core::fail(ErrorCode::kData, fmt::format("'{}' is damaged: it nests deeper than {}", name, kMostNesting),
                          "restore the file from a copy; records are written whole, so it was changed afterwards");
    const Json& ours = member(document, "tare");
    if (!ours.is_object()) return not_a_record(name, document);
    const std::int64_t version = integer_or(member(ours, "format_version"), -1);
    if (version != kFormatVersion)
        return core::fail(
            ErrorCode::kData,
            fmt::format("'{}' has format version {}, this bench reads version {}", name, version, kFormatVersion),
            version > kFormatVersion ? "use the version of tare that wrote it, or a newer one" : "");
    if (!member(document, "benchmarks").is_array() || foreign_rows > 0)
        return core::fail(ErrorCode::kData, fmt::format("'{}' has {} rows that are not of tare", name, foreign_rows),
                          "restore the file from a copy");
    Record record;
    record.context = to_value(member(member(document, "context"), "tare"));
    record.settings = to_value(member(ours, "settings"));
    record.interrupted = bool_or(member(ours, "interrupted"), false);
    record.recovered = bool_or(member(ours, "recovered"), false);
    if (const Json& problems = member(ours, "problems"); problems.is_array())
        for (const Json& problem : problems)
            record.problems.push_back({text_or(member(problem, "file"), ""), text_or(member(problem, "error"), "")});
    record.visits = rows.take_visits();
    return record;
}

core::Expected<Record> read_record(const std::filesystem::path& path) {
    std::error_code error;
    const std::uintmax_t size_bytes = std::filesystem::file_size(path, error);  // fails for a folder, too
    std::string text;
    if (!error) {
        errno = 0;
        text.resize(size_bytes);
        if (!std::ifstream(path, std::ios::binary).read(text.data(), static_cast<std::streamsize>(size_bytes)))
            error = std::error_code(errno != 0 ? errno : EIO, std::generic_category());
    }
    if (error || text.empty())
        return core::fail(
            ErrorCode::kEnvironment,
            fmt::format("cannot read record '{}': {}", path.string(), error ? error.message() : "the file is empty"),
            "give the path of a file that `bench run` wrote");
    return parse_record(text, path.string());
}

}  // namespace tare::record
