// Texts from harness/record, files from harness/attribution.
#include "harness/cli/explain_output.h"

#include <fmt/format.h>

#include "harness/attribution/ledger_formats.h"
#include "harness/cli/output_file.h"
#include "harness/record/ledger_difference_table.h"
#include "harness/record/ledger_exports.h"
#include "harness/record/ledger_table.h"
#include "harness/record/ledger_tree.h"
#include "harness/record/text_table.h"
#include "harness/record/time_table.h"

namespace tare::cli {

namespace {

/// Readers get one shape for one request, also where a side could not be stepped.
bool is_difference(const Options& options) {
    return options.explain.diff || !options.explain.against.empty();
}

std::string table_text(const Options& options, const Explanation& explanation, const record::LedgerTableOptions& look) {
    std::string text;
    const auto add = [&](const std::string& part) {
        if (part.empty()) return;
        if (!text.empty()) text += '\n';
        text += part;
    };
    add(explanation.heading + '\n');
    if (!explanation.timing.cases.empty())
        add(record::print_table(explanation.timing, {.width = look.width, .style = look.style, .cpp = false}));
    for (const core::LedgerDifference& difference : explanation.differences)
        add(record::print_ledger_difference(difference, look));
    if (!is_difference(options)) {
        if (explanation.ledgers.size() > 1) add(record::print_ledgers_side_by_side(explanation.ledgers, look));
        for (const core::Ledger& ledger : explanation.ledgers) add(record::print_ledger(ledger, look));
    }
    if (!explanation.profiles.empty()) {
        const std::string times =
            record::print_case_times(explanation.profiles, explanation.timing.times, look.width, look.style);
        text += times;
    }
    text += record::profile_problems_text(explanation.profile_problems);
    if (options.explain.tree)
        for (const core::Ledger& ledger : explanation.ledgers) add(record::print_tree(ledger, look));
    return text + record::ledger_problems_text(explanation.problems);
}

}  // namespace

void print_explanation(const Options& options, const Streams& streams, const Explanation& explanation) {
    record::LedgerTableOptions look;
    look.width = streams.width;
    look.style = {.color = streams.color, .unicode = true};
    look.most_functions = static_cast<std::size_t>(options.explain.top);
    const bool differs = is_difference(options);
    switch (options.format) {
        case Format::kTable:
            streams.out << table_text(options, explanation, look);
            break;
        case Format::kJson:
            streams.out << (differs
                                ? record::ledger_differences_json(explanation.differences, explanation.problems)
                                : record::ledger_json(explanation.ledgers, explanation.problems, explanation.profiles,
                                                      explanation.timing.times, explanation.profile_problems));
            break;
        case Format::kCsv:
            streams.out << (differs ? record::ledger_differences_csv(explanation.differences)
                                    : record::ledger_csv(explanation.ledgers));
            break;
        case Format::kMarkdown:
            look.width = 0;
            if (!differs)
                streams.out << record::ledger_markdown(explanation.ledgers, look)
                            << record::case_times_markdown(explanation.timing.times, look.style);
            for (const core::LedgerDifference& difference : explanation.differences)
                streams.out << record::ledger_difference_markdown(difference, look);
            break;
    }
    streams.out.flush();
    if (options.format != Format::kTable)
        streams.err << record::ledger_problems_text(explanation.problems) << std::flush;
}

core::Status write_profiles(const Options& options, const Explanation& explanation) {
    if (explanation.ledgers.empty()) return {};
    const ExplainOptions& own = options.explain;
    const auto write = [&](const std::string& path, const auto& text) -> core::Status {
        if (path.empty()) return {};
        return write_file(path, text());
    };
    std::string title = explanation.ledgers.front().case_name;
    if (explanation.ledgers.size() > 1) title += fmt::format(" and {} more", explanation.ledgers.size() - 1);
    if (auto s = write(own.flame_graph, [&] { return attribution::flame_graph(explanation.ledgers, title); }); !s)
        return s;
    if (auto s = write(own.speedscope, [&] { return attribution::speedscope(explanation.ledgers); }); !s) return s;
    if (auto s = write(own.callgrind, [&] { return attribution::callgrind(explanation.ledgers); }); !s) return s;
    return write(own.folded, [&] { return attribution::folded(explanation.ledgers); });
}

}  // namespace tare::cli
