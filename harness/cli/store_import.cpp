// Says what became of every file: one line of counts on stdout, a warning for each refused file on stderr.
#include "harness/cli/store_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/cli/message.h"
#include "harness/cli/store_access.h"
#include "harness/core/clock.h"
#include "harness/history/import.h"
#include "harness/history/name_pattern.h"

namespace tare::cli {

namespace {

using history::ImportedFile;
using history::ImportStanding;

constexpr std::size_t kMostNamed = 20;  // refused files: a folder of something else would scroll the result away

core::Expected<history::ImportOptions> import_options(const Options& options) {
    history::ImportOptions how{options.store_command.format,
                               {options.store_command.machine, options.store_command.project, {}}};
    if (options.filter.empty()) return how;
    core::Expected<history::NamePattern> pattern = history::NamePattern::parse(options.filter);
    if (!pattern) return core::fail(core::ErrorCode::kUsage, "--filter " + pattern.error().what, pattern.error().hint);
    how.hints.wanted = [pattern = *std::move(pattern)](const std::string& name) { return pattern.is_in(name); };
    return how;
}

/// "imported 212 cases; 3 are no times, 2 failed, 5 skipped"
std::string cases_text(const history::ImportCounts& counts) {
    std::string text = counted(counts.cases, "case") + " with times";
    const char* separator = "; ";
    const auto add = [&](std::size_t count, std::string_view singular, std::string_view plural) {
        if (count == 0) return;
        text += fmt::format("{}{} {}", separator, count, count == 1 ? singular : plural);
        separator = ", ";
    };
    add(counts.not_times, "is no time", "are no times");
    add(counts.failed, "failed", "failed");
    add(counts.skipped, "skipped", "skipped");
    add(counts.outdated, "of another version of its benchmark", "of other versions of their benchmarks");
    add(counts.not_wanted, "left out by --filter", "left out by --filter");
    return text;
}

void warn_of_refused(const Streams& streams, const std::vector<ImportedFile>& files) {
    std::size_t refused = 0;
    for (const ImportedFile& file : files) {
        if (!file.error || ++refused > kMostNamed) continue;
        const std::string folder = file.file.parent_path().string();
        print_warning(streams, fmt::format("not imported: {}{}{}", file.error->what,
                                           folder.empty() || file.error->what.find(folder) != std::string::npos
                                               ? ""
                                               : fmt::format(" (in {})", folder),
                                           file.error->hint.empty() ? "" : "; " + file.error->hint));
    }
    if (refused > kMostNamed)
        print_warning(streams, fmt::format("{} more files were not imported", refused - kMostNamed));
}

/// Each by its file: what is left out silently would be missed by nobody.
void warn_of_untrue(const Streams& streams, const std::vector<ImportedFile>& files) {
    std::size_t untrue = 0;
    for (const ImportedFile& file : files)
        for (const std::string& each : file.counts.untrue)
            if (++untrue <= kMostNamed)
                print_warning(streams, fmt::format("left out, for it cannot be true: {} (in {})", each,
                                                   file.file.filename().string()));
    if (untrue > kMostNamed) print_warning(streams, fmt::format("{} more cases with such values", untrue - kMostNamed));
}

void print_result(const Streams& streams, const record::Store& store, const std::vector<ImportedFile>& files) {
    std::map<ImportStanding, std::size_t> standings;
    history::ImportCounts counts;
    for (const ImportedFile& file : files) {
        ++standings[file.standing];
        counts += file.counts;
    }
    std::string text = fmt::format("imported {} into {}", counted(standings[ImportStanding::kAdded], "record"),
                                   store.records().string());
    const auto add = [&](ImportStanding standing, std::string_view what) {
        if (standings[standing] > 0) text += fmt::format(", {} {}", standings[standing], what);
    };
    add(ImportStanding::kUpdated, "replaced by what their files say now");
    add(ImportStanding::kAlreadyThere, "already there");
    add(ImportStanding::kNothing, "without a time");
    add(ImportStanding::kRefused, "refused");
    streams.out << text << '\n' << cases_text(counts) << '\n';
}

history::ImportResult imported(const Options& options, const Streams& streams, const record::Store& store,
                               const history::ImportOptions& how) {
    Progress progress(streams.err, streams.progress, [] { return std::chrono::nanoseconds(core::wall_clock_ns()); });
    bool is_started = false;
    return history::import_files(store, options.store_command.imported, how,
                                 [&](std::size_t done, std::size_t total, const std::filesystem::path& next) {
                                     if (!is_started) progress.start(static_cast<std::int64_t>(total));
                                     is_started = true;
                                     progress.update(static_cast<std::int64_t>(done), next.filename().string());
                                 });
}

core::Expected<ExitCode> import_all(const Options& options, const Streams& streams) {
    const core::Expected<history::ImportOptions> how = import_options(options);
    if (!how) return tl::unexpected<core::Error>(how.error());
    const core::Expected<record::Store> store = open_store(options);
    if (!store) return tl::unexpected<core::Error>(store.error());
    if (core::Status status = record::create_folders(*store); !status)
        return tl::unexpected<core::Error>(status.error());
    const history::ImportResult result = imported(options, streams, *store, *how);
    const std::vector<ImportedFile>& files = result.files;
    const auto refused =
        static_cast<std::size_t>(std::ranges::count(files, ImportStanding::kRefused, &ImportedFile::standing));
    if (files.size() == 1 && refused == 1) return tl::unexpected<core::Error>(*files.front().error);
    if (!result.stopped) {
        warn_of_refused(streams, files);
        warn_of_untrue(streams, files);
    }
    print_result(streams, *store, files);
    if (result.stopped) return tl::unexpected<core::Error>(*result.stopped);
    if (refused == 0) return ExitCode::kDone;
    return refused == files.size() ? ExitCode::kUsage : ExitCode::kCasesFailed;
}

}  // namespace

ExitCode store_import(const Options& options, const Streams& streams) {
    const core::Expected<ExitCode> code = import_all(options, streams);
    if (code) return *code;
    print_error(streams, code.error());
    return exit_code_of(code.error());
}

}  // namespace tare::cli
