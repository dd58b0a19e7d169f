// Detect, parse, see which record is there and which cases it has, summarize, compare, write.
#include "harness/history/import.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <set>

#include "harness/history/foreign_files.h"
#include "harness/history/foreign_json.h"
#include "harness/history/import_asv.h"
#include "harness/history/import_gbench.h"
#include "harness/history/import_pyperf.h"
#include "harness/history/import_pytest_benchmark.h"
#include "harness/record/atomic_file.h"

namespace tare::history {

namespace {

namespace fs = std::filesystem;

core::Error unknown_content(std::string_view name, std::string_view what, std::string hint) {
    return {core::ErrorCode::kData, fmt::format("'{}' is {}", name, what), std::move(hint)};
}

bool has_runs(const ForeignJson& benchmarks) {
    return benchmarks.is_array() && !benchmarks.empty() && member_of(benchmarks.front(), "runs").is_array();
}

/// What the file looks like to who wonders why it is refused.
std::string look_of(const ForeignJson& document) {
    if (!document.is_object()) return fmt::format("JSON of type {}", document.type_name());
    constexpr std::size_t kMostKeys = 5;
    std::string keys;
    std::size_t count = 0;
    for (const auto& [key, value] : document.items())
        if (count++ < kMostKeys) keys += fmt::format("{}'{}'", keys.empty() ? "" : ", ", one_line_name(key));
    if (count > kMostKeys) keys += ", ...";
    return keys.empty() ? "an empty JSON object" : "JSON with " + keys;
}

/// By what only one of the tools writes.
core::Expected<ForeignFormat> format_of(const ForeignJson& document, std::string_view name) {
    const ForeignJson& benchmarks = member_of(document, "benchmarks");
    const ForeignJson& context = member_of(document, "context");
    if (!member_of(document, "commit_hash").is_null() && !member_of(document, "results").is_null())
        return ForeignFormat::kAsv;
    if (has_runs(benchmarks)) return ForeignFormat::kPyperf;
    if (!member_of(context, "tare").is_null())
        return tl::unexpected(
            unknown_content(name, "a record of tare already", "copy it into the store's folder `records`"));
    if (benchmarks.is_array() && context.is_object()) return ForeignFormat::kGbench;
    if (benchmarks.is_array() && member_of(document, "machine_info").is_object())
        return ForeignFormat::kPytestBenchmark;
    if (document.is_object() && !document.empty() && !member_of(document.front(), "param_names").is_null())
        return tl::unexpected(unknown_content(name, "asv's list of benchmarks, which holds no results",
                                              "name the folder that it lies in"));
    return tl::unexpected(unknown_content(
        name, fmt::format("{}, but no result of asv, pyperf, Google Benchmark or pytest-benchmark", look_of(document)),
        "where it is one all the same, name it with --format-of"));
}

core::Expected<ImportedRun> parse(const std::string& text, const fs::path& file, const ImportOptions& options,
                                  AsvFolders& folders) {
    const std::string name = file.filename().string();
    const core::Expected<ForeignFormat> format =
        options.format ? core::Expected<ForeignFormat>(*options.format) : detect_format(text, name);
    if (!format) return tl::unexpected(format.error());
    if (*format == ForeignFormat::kPyperf) return parse_pyperf(text, name, options.hints);
    if (*format == ForeignFormat::kGbench) return parse_gbench(text, name, options.hints);
    if (*format == ForeignFormat::kPytestBenchmark) return parse_pytest_benchmark(text, name, options.hints);
    const core::Expected<AsvSurroundings>& surroundings = folders.around(file);
    if (!surroundings) return tl::unexpected(surroundings.error());
    ImportHints hints = options.hints;
    if (hints.project.empty()) hints.project = folders.project_of(file);
    return parse_asv(text, name, *surroundings, hints);
}

std::string content_of(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

core::Status write(const fs::path& path, const std::string& text) {
    auto file = record::AtomicFile::create(path);
    if (!file) return tl::unexpected(file.error());
    if (core::Status status = file->write(text); !status) return status;
    return file->commit();
}

fs::path place_of(const record::Store& store, const ImportedRun& run) {
    const auto short_identity = static_cast<std::uint32_t>(run.identity ^ (run.identity >> 32));
    return record::record_path(store, record::run_name(run.date_s, short_identity));
}

/// Of a record that is there; none where it cannot be read: it is written anew.
std::set<std::string> cases_of(const fs::path& path) {
    std::set<std::string> names;
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return names;
    if (const auto there = record::read_record(path))
        for (const core::Visit& visit : there->visits) names.insert(visit.case_name);
    return names;
}

/// With a filter, the cases that an earlier import chose are taken again, too: else they would be lost.
core::Expected<ImportedRun> parse_beside(const record::Store& store, const std::string& text, const fs::path& file,
                                         const ImportOptions& options, AsvFolders& folders) {
    core::Expected<ImportedRun> run = parse(text, file, options, folders);
    if (!run || !options.hints.wanted) return run;
    const std::set<std::string> there = cases_of(place_of(store, *run));
    if (there.empty()) return run;
    ImportOptions wider = options;
    wider.hints.wanted = [&](const std::string& name) { return there.contains(name) || options.hints.wanted(name); };
    return parse(text, file, wider, folders);
}

/// The record's text is compared, not the foreign file: a newer list of benchmarks changes the record, too.
core::Status store_run(const record::Store& store, const ImportedRun& run, ImportedFile& imported) {
    imported.counts = run.counts;
    if (run.record.visits.empty()) {
        imported.standing = ImportStanding::kNothing;
        return {};
    }
    std::string text;
    const core::Status printed =
        record::print_record(run.record, record::summarize(run.record), [&](std::string_view part) {
            text += part;
            return core::Status();
        });
    if (!printed) return printed;
    imported.record = place_of(store, run);
    std::error_code ignored;
    const bool is_there = fs::exists(imported.record, ignored);
    if (is_there && content_of(imported.record) == text) {
        imported.standing = ImportStanding::kAlreadyThere;
        return {};
    }
    if (core::Status status = write(imported.record, text); !status) return status;
    imported.standing = is_there ? ImportStanding::kUpdated : ImportStanding::kAdded;
    return {};
}

ImportedFile refused(const fs::path& file, core::Error error) {
    ImportedFile imported{file, ImportStanding::kRefused, {}, {}, {}};
    imported.error = std::move(error);
    return imported;
}

}  // namespace

core::Expected<ForeignFormat> detect_format(std::string_view text, std::string_view name) {
    const auto document = parse_foreign(text, name);
    if (!document) return tl::unexpected(document.error());
    return format_of(*document, name);
}

ImportResult import_files(const record::Store& store, const std::vector<std::string>& paths,
                          const ImportOptions& options, const ImportProgress& progress) {
    ImportResult result;
    std::vector<fs::path> files;
    for (const std::string& path : paths) {
        const auto found = files_of(path);
        if (found)
            files.insert(files.end(), found->begin(), found->end());
        else
            result.files.push_back(refused(path, found.error()));
    }
    AsvFolders folders;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (progress) progress(i, files.size(), files[i]);
        const auto text = read_foreign_file(files[i]);
        const core::Expected<ImportedRun> run = text ? parse_beside(store, *text, files[i], options, folders)
                                                     : core::Expected<ImportedRun>(tl::unexpected(text.error()));
        if (!run) {
            result.files.push_back(refused(files[i], run.error()));
            continue;
        }
        ImportedFile& imported =
            result.files.emplace_back(ImportedFile{files[i], ImportStanding::kRefused, {}, {}, {}});
        if (const core::Status status = store_run(store, *run, imported); !status) {
            imported = refused(files[i], status.error());
            result.stopped = status.error();
            break;
        }
    }
    return result;
}

}  // namespace tare::history
