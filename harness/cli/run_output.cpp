// A heading that says what was measured, then the table.
#include "harness/cli/run_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "harness/record/exports.h"
#include "harness/record/packages.h"
#include "harness/record/table_notes.h"
#include "harness/record/text_table.h"
#include "harness/record/time_table.h"

namespace tare::cli {

namespace {

/// "5 processes", "5 to 8 processes": of a case. Those that failed are not visited again and do not count, unless all
/// did.
std::string processes_text(const record::Record& record) {
    std::map<std::string_view, int> visits;
    std::set<std::string_view> failed;
    for (const core::Visit& visit : record.visits) {
        ++visits[visit.case_name];
        if (visit.error) failed.insert(visit.case_name);
    }
    int fewest = std::numeric_limits<int>::max(), most = 0;
    for (const auto& [name, count] : visits) {
        most = std::max(most, count);
        if (!failed.contains(name)) fewest = std::min(fewest, count);
    }
    if (fewest < most) return fmt::format("{} to {} processes", fewest, most);
    return fmt::format("{} process{}", most, most == 1 ? "" : "es");
}

/// "NumPy 2.4.6, CPython 3.11.2 (executable), OpenBLAS 0.3.31 SkylakeX, 1 thread, CPU 1 of Intel(R) Xeon(R): 5
/// processes".
std::string heading(const record::Record& record) {
    const core::Value& context = record.context;
    const core::Value& subject = context["subject"];
    std::string text;
    const record::Packages packages = record::packages_of(context);
    const std::string& about = context["package"].as_text();
    if (const auto package = packages.find(about); package != packages.end() && about != "numpy")
        text += fmt::format("{} {}, ", about, record::package_text(package->second));
    if (const std::string& numpy = context["numpy"]["version"].as_text(); !numpy.empty())
        text += fmt::format("NumPy {}, ", numpy);
    text += fmt::format("CPython {} ({})", subject["version"].as_text(), context["host"].as_text());
    if (const std::string& core = context["blas"]["core"].as_text(); !core.empty())
        text += fmt::format(", OpenBLAS core {}", core);
    const std::int64_t asked = record.settings["threads"].as_int(1);
    const std::int64_t threads = context["blas"]["threads"].as_int(asked);
    text += fmt::format(", {} thread{}; CPU {}", threads, threads == 1 ? "" : "s", context["measured_cpu"].as_int());
    if (asked > 1) text += fmt::format(" and {} more", asked - 1);
    return text + fmt::format(" of {}; {}", context["cpu_model"].as_text(), processes_text(record));
}

}  // namespace

void print_results(const Options& options, const Streams& streams, const record::Record& record,
                   const record::Summary& summary) {
    record::TableOptions table{
        .width = streams.width, .style = {.color = streams.color, .unicode = true}, .cpp = options.show_cpp};
    switch (options.format) {
        case Format::kTable:
            streams.out << heading(record) << "\n\n"
                        << record::print_table(summary, table)
                        << record::print_case_times(record.profiles, summary.times, table.width, table.style)
                        << record::profile_problems_text(record.profile_problems);
            break;
        case Format::kJson:
            streams.out << record::print_json(record, summary);
            break;
        case Format::kCsv:
            streams.out << record::print_csv(summary);
            break;
        case Format::kMarkdown:
            table.width = 0;
            streams.out << heading(record) << "\n\n"
                        << record::print_markdown(summary, table)
                        << record::case_times_markdown(summary.times, table.style)
                        << record::notes_markdown(summary, table.style);
            break;
    }
    streams.out.flush();
}

}  // namespace tare::cli
