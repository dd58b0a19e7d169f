// Layout, writing and reading of the document that all records share.
#include "harness/record/record_document.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <fstream>

#include "harness/record/atomic_file.h"
#include "harness/record/duet_json.h"

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
        list.push_back(object_of({{"type", cache["type"].as_text()},
                                  {"level", cache["level"].as_int()},
                                  {"size", cache["size_bytes"].as_int()},
                                  {"num_sharing", cache["num_sharing"].as_int()}}));
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

core::Error not_a_record(std::string_view name, const Json& document) {
    if (member(document, "benchmarks").is_array() && member(document, "context").is_object())
        return {ErrorCode::kData,
                fmt::format("'{}' was written by Google Benchmark, not by tare: it has no 'tare' object", name),
                "compare such files with Google Benchmark's compare.py, which also reads records of tare"};
    return {ErrorCode::kData, fmt::format("'{}' is JSON, but no record of tare", name),
            "give a file that `bench run` wrote"};
}

core::Error of_another_kind(std::string_view name, RecordKind wanted) {
    if (wanted == RecordKind::kRun)
        return {ErrorCode::kData, fmt::format("'{}' is the record of a duet, not of a run", name),
                "show its verdicts with `bench compare --replay`, or give a record of `bench run`"};
    return {ErrorCode::kData, fmt::format("'{}' is the record of a run, not of a duet", name),
            "compare two of its kind with `bench compare OLD.json NEW.json`, or give a record of `bench duet`"};
}

}  // namespace

RecordKind kind_of(const Json& ours) {
    return text_or(member(ours, "kind"), "") == kDuetKind ? RecordKind::kDuet : RecordKind::kRun;
}

core::Error damaged(std::string_view name, const std::string& how) {
    return {ErrorCode::kData, fmt::format("'{}' is damaged{}", name, how),
            "restore the file from a copy; records are written whole, so it was changed afterwards"};
}

core::Status print_document(const core::Value& context, const RowMaker& make_rows, const Json& ours, const Sink& sink) {
    core::Status status = sink("{\"context\":" + compact(context_to_json(context)) + ",\n\"benchmarks\":[");
    const char* separator = "\n";
    make_rows([&](const Json& row) {
        if (status) status = sink(separator + compact(row));
        separator = ",\n";
    });
    if (status) status = sink("\n],\n\"tare\":" + compact(ours) + "}\n");
    return status;
}

core::Status write_document(const std::filesystem::path& path, const std::filesystem::path& journal,
                            const std::function<core::Status(const Sink&)>& print) {
    const auto with_journal = [&](core::Error error) -> core::Status {
        if (!journal.empty())
            error.hint += fmt::format("{}nothing is lost: the journal '{}' holds all that was measured",
                                      error.hint.empty() ? "" : "; ", journal.string());
        return tl::unexpected(std::move(error));
    };
    core::Expected<AtomicFile> file = AtomicFile::create(path);
    if (!file) return with_journal(file.error());
    core::Status status = print([&](std::string_view text) { return file->write(text); });
    if (status) status = file->commit();
    if (!status) return with_journal(status.error());
    return {};
}

core::Expected<Document> parse_document(std::string_view text, std::string_view name, std::optional<RecordKind> kind,
                                        const std::function<bool(const Json& row)>& take) {
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
        if (!take(parsed)) ++foreign_rows;
        return false;
    };
    try {
        document = Json::parse(text.begin(), text.end(), on_event);
    } catch (const nlohmann::json::parse_error& e) {
        return tl::unexpected(damaged(name, fmt::format(" at byte {} of {}: no valid JSON", e.byte, text.size())));
    } catch (const nlohmann::json::exception& e) {
        return tl::unexpected(damaged(name, fmt::format(": {}", e.what())));
    }
    if (too_deep) return tl::unexpected(damaged(name, fmt::format(": it nests deeper than {}", kMostNesting)));
    const Json& ours = member(document, "tare");
    if (!ours.is_object()) return tl::unexpected(not_a_record(name, document));
    const std::int64_t version = integer_or(member(ours, "format_version"), -1);
    if (version != kFormatVersion)
        return core::fail(
            ErrorCode::kData,
            fmt::format("'{}' has format version {}, this bench reads version {}", name, version, kFormatVersion),
            version > kFormatVersion ? "use the version of tare that wrote it, or a newer one" : "");
    if (kind && kind_of(ours) != *kind) return tl::unexpected(of_another_kind(name, *kind));
    if (!member(document, "benchmarks").is_array() || foreign_rows > 0)
        return core::fail(ErrorCode::kData, fmt::format("'{}' has {} rows that are not of tare", name, foreign_rows),
                          "restore the file from a copy");
    return Document{to_value(member(member(document, "context"), "tare")), ours};
}

core::Expected<std::string> read_document(const std::filesystem::path& path) {
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
            "give the path of a file that `bench run` or `bench duet` wrote");
    return text;
}

}  // namespace tare::record
