// Reads the store, writes the page; measures nothing.
#include "harness/cli/report_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "harness/cli/build_info.h"
#include "harness/cli/message.h"
#include "harness/cli/output_file.h"
#include "harness/cli/store_access.h"
#include "harness/core/clock.h"
#include "harness/history/report_page.h"
#include "harness/history/report_source.h"

namespace tare::cli {

using core::Error;
using core::Expected;
using core::Status;

namespace {

constexpr const char* kFileName = "tare-report.html";

std::string output_path(const std::string& given) {
    std::error_code ignored;
    if (given.empty()) return kFileName;
    const bool folder = given.ends_with('/') || std::filesystem::is_directory(given, ignored);
    return folder ? (std::filesystem::path(given) / kFileName).string() : given;
}

/// "120 cases of 14 operations from 2 runs, a duet, 40 histories with 3 change points, ledgers of 5 records"
std::string contents(const history::ReportData& data) {
    std::set<std::string> operations, cases;
    for (const history::ReportRun& run : data.runs)
        for (const stats::CaseEstimate& each : run.summary.cases) {
            operations.insert(each.operation);
            cases.insert(each.name);
        }
    std::string text = fmt::format("{} of {} from {}", counted(cases.size(), "case"),
                                   counted(operations.size(), "operation"), counted(data.runs.size(), "run"));
    if (data.duet) text += fmt::format(", a duet of {}", counted(data.duet->verdicts.size(), "case"));
    if (!data.trends.empty()) {
        std::size_t changes = 0;
        for (const history::Trend& trend : data.trends)
            for (const history::TrendChange& change : trend.changes)
                changes += change.standing != history::Standing::kRefuted ? 1 : 0;
        text += fmt::format(", {} histories with {}", data.trends.size(), counted(changes, "change point"));
    }
    if (!data.ledgers.empty()) text += fmt::format(", ledgers of {}", counted(data.ledgers.size(), "record"));
    return text;
}

Status report(const Options& options, const Streams& streams) {
    const std::string path = output_path(options.out);
    if (Status s = check_output("-o", path); !s) return s;
    Expected<record::Store> store = open_existing_store(options);
    if (!store) return tl::unexpected<Error>(store.error());
    Expected<history::StoreIndex> index = history::StoreIndex::open(*store);
    if (!index) return tl::unexpected<Error>(index.error());
    for (const std::string& note : index->notes()) print_warning(streams, note);
    Expected<history::ReportData> data = history::collect_report(
        *index, *store, {options.filter, options.report.metrics, options.report.axis, options.report.machine});
    if (!data) return tl::unexpected<Error>(data.error());
    for (const std::string& note : data->notes) print_warning(streams, note);
    data->made_by = fmt::format("tare {} ({})", kVersion, kCommit);
    data->made_s = core::unix_time_s();
    const std::string page = history::report_page(*data, history::report_assets());
    if (Status s = write_file(path, page); !s) return s;
    streams.out << fmt::format("{}  {:.1f} MB\n{}\n", path, static_cast<double>(page.size()) / 1e6, contents(*data));
    return {};
}

}  // namespace

ExitCode report_command(const Options& options, const Streams& streams) {
    const Status status = report(options, streams);
    if (status) return ExitCode::kDone;
    print_error(streams, status.error());
    return exit_code_of(status.error());
}

}  // namespace tare::cli
