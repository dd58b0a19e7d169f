// Reads records; measures nothing.
#include "harness/cli/compare_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/cli/message.h"
#include "harness/cli/output_file.h"
#include "harness/cli/tolerances.h"
#include "harness/cli/verdict_output.h"
#include "harness/history/name_pattern.h"
#include "harness/record/comparison_exports.h"
#include "harness/record/instruction_notes.h"
#include "harness/record/packages.h"
#include "harness/record/stored_comparison.h"
#include "harness/record/stored_differences.h"

namespace tare::cli {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Status;

namespace {

/// What the ratio to a pinned reference wanders by between sessions where no history says it: one process pair of a
/// duet has a standard deviation of 0.7 to 1 %, and a session shares one draw of what is not redrawn between its pairs.
constexpr double kAssumedAnchorSd = 0.008;

Expected<ExitCode> replay(const Options& options, const Streams& streams) {
    Expected<record::Duet> duet = record::read_duet(options.compare.old_record);
    if (!duet) return tl::unexpected<Error>(duet.error());
    return give_verdicts(options, streams, *duet, record::decide(*duet));
}

/// kUsage for records of different setups, unless the user insists.
Status check_differences(const Options& options, const Streams& streams,
                         const std::vector<record::Difference>& differences) {
    if (differences.empty()) return {};
    const Error error = record::incomparable(differences, "--across");
    if (!options.compare.across_setups) return tl::unexpected<Error>(error);
    print_warning(streams, error.what);
    return {};
}

template <class Record>
Expected<std::vector<Record>> read_all(const std::vector<std::string>& paths,
                                       Expected<Record> (*read)(const std::filesystem::path&)) {
    std::vector<Record> records;
    for (const std::string& path : paths) {
        Expected<Record> record = read(path);
        if (!record) return tl::unexpected<Error>(record.error());
        records.push_back(*std::move(record));
    }
    return records;
}

/// What sessions differ by is learnt from different sessions in the same surroundings.
template <class Record>
Status check_history(const std::vector<Record>& history, const Record& compared,
                     const std::vector<std::string>& paths) {
    for (std::size_t i = 0; i < history.size(); ++i) {
        if (const auto found = record::differences(history[i], compared); !found.empty())
            return core::fail(ErrorCode::kUsage,
                              fmt::format("--history {}: {}", paths[i], record::incomparable(found, "--across").what),
                              "give records of the machine and the reference that are compared");
        for (std::size_t k = 0; k < i; ++k)
            if (history[k].visits == history[i].visits)
                return core::fail(ErrorCode::kUsage,
                                  fmt::format("--history: {} and {} hold one session", paths[k], paths[i]),
                                  "give each session once");
    }
    return {};
}

void add_assumed_sessions(const record::Duet& duet, record::SessionVariances& sessions) {
    for (const record::DuetCase& each : duet.cases)
        sessions.try_emplace(each.name, stats::SessionVariance{kAssumedAnchorSd * kAssumedAnchorSd,
                                                               std::numeric_limits<double>::infinity()});
}

Expected<record::StoredOptions> stored_options(const Options& options) {
    Expected<Tolerances> tolerances = read_tolerances(options.verdict.tolerances);
    if (!tolerances) return tl::unexpected<Error>(tolerances.error());
    record::StoredOptions stored;
    stored.margins_of = [lines = *std::move(tolerances), margins = options.verdict.margins](const std::string& name) {
        return lines.of(name, margins);
    };
    if (options.verdict.any_dependence) stored.rules.correction = stats::Correction::kBenjaminiYekutieli;
    if (options.filter.empty()) return stored;
    Expected<history::NamePattern> pattern = history::NamePattern::parse(options.filter);
    if (!pattern) return core::fail(ErrorCode::kUsage, "--filter " + pattern.error().what, pattern.error().hint);
    stored.is_shown = [shown = *std::move(pattern)](const std::string& name) { return shown.is_in(name); };
    return stored;
}

void add_note(std::string note, record::Comparison& comparison) {
    if (!note.empty()) comparison.notes.push_back(std::move(note));
}

Expected<record::Comparison> compared_runs(const Options& options, const Streams& streams,
                                           record::StoredOptions& stored) {
    auto records =
        read_all<record::Record>({options.compare.old_record, options.compare.new_record}, record::read_record);
    if (!records) return tl::unexpected<Error>(records.error());
    auto history = read_all<record::Record>(options.compare.history, record::read_record);
    if (!history) return tl::unexpected<Error>(history.error());
    const record::Record& before = records->front();
    const record::Record& after = records->back();
    if (Status s = check_differences(options, streams, record::differences(before, after)); !s)
        return tl::unexpected<Error>(s.error());
    if (Status s = check_history(*history, before, options.compare.history); !s)
        return tl::unexpected<Error>(s.error());
    stored.sessions = record::session_variances(*history);
    record::Comparison comparison = record::compare_runs(before, after, stored);
    add_note(record::packages_note(before.context, after.context), comparison);
    add_note(record::libraries_note(before.context, after.context), comparison);
    return comparison;
}

Expected<record::Comparison> compared_duets(const Options& options, const Streams& streams,
                                            record::StoredOptions& stored) {
    auto duets = read_all<record::Duet>({options.compare.old_record, options.compare.new_record}, record::read_duet);
    if (!duets) return tl::unexpected<Error>(duets.error());
    auto history = read_all<record::Duet>(options.compare.history, record::read_duet);
    if (!history) return tl::unexpected<Error>(history.error());
    const record::Duet& before = duets->front();
    const record::Duet& after = duets->back();
    if (Status s = check_differences(options, streams, record::differences(before, after)); !s)
        return tl::unexpected<Error>(s.error());
    if (Status s = check_history(*history, before, options.compare.history); !s)
        return tl::unexpected<Error>(s.error());
    stored.sessions = record::session_variances(*history);
    const record::SessionVariances known = stored.sessions;
    add_assumed_sessions(before, stored.sessions);
    record::Comparison comparison = record::compare_anchored(before, after, stored);
    add_note(record::packages_note(before.sides[1], after.sides[1]), comparison);
    add_note(record::libraries_note(before.sides[1], after.sides[1]), comparison);
    const auto assumed = std::ranges::count_if(
        comparison.cases, [&](const record::ComparedCase& compared) { return !known.contains(compared.name); });
    if (assumed > 0)
        comparison.notes.push_back(
            fmt::format("{} of {} cases have no history of 8 sessions: sessions are taken to differ by {:.1f} %",
                        assumed, comparison.cases.size(), 100 * kAssumedAnchorSd));
    return comparison;
}

/// A gate on instructions that holds nothing back because there is nothing to compare would pass unseen.
Status check_gate(const Options& options, const record::Comparison& comparison) {
    if (!options.verdict.gate || options.verdict.gate_on != GateOn::kInstructions) return {};
    const record::InstructionCounts counts = record::count_instructions(comparison);
    if (counts.all() > counts[record::InstructionClaim::kNotCompared]) return {};
    const std::vector<std::string> notes = record::instruction_notes(comparison);
    return core::fail(ErrorCode::kUsage,
                      "--gate-on instructions: the instructions of no case were compared" +
                          (notes.empty() ? ": no case has a ledger in both records" : ": " + notes.back()),
                      "measure both with `bench run --ledger`, on one machine and with one build of CPython");
}

Expected<ExitCode> compare(const Options& options, const Streams& streams) {
    for (const auto& [name, path] :
         {std::pair{"--summary", options.verdict.summary}, std::pair{"--junit", options.verdict.junit}})
        if (Status s = check_output(name, path); !s) return tl::unexpected<Error>(s.error());
    if (options.compare.replay) return replay(options, streams);
    Expected<record::StoredOptions> stored = stored_options(options);
    if (!stored) return tl::unexpected<Error>(stored.error());
    Expected<record::Comparison> comparison =
        options.compare.anchored ? compared_duets(options, streams, *stored) : compared_runs(options, streams, *stored);
    if (!comparison) return tl::unexpected<Error>(comparison.error());
    if (comparison->cases.empty() && !options.filter.empty())
        return core::fail(ErrorCode::kUsage,
                          fmt::format("--filter '{}' matches no case of the records", options.filter));
    if (Status s = check_gate(options, *comparison); !s) return tl::unexpected<Error>(s.error());
    const std::string heading =
        fmt::format("old  {}\nnew  {}\n", options.compare.old_record, options.compare.new_record);
    const record::SummaryTexts summary{.sides = {options.compare.old_record, options.compare.new_record},
                                       .command = "bench " + options.command_line};
    return give_comparison(options, streams, *comparison,
                           {.heading = heading,
                            .json = record::print_comparison_json(*comparison),
                            .summary = record::print_comparison_summary(*comparison, summary, {.color = false})});
}

}  // namespace

ExitCode compare_command(const Options& options, const Streams& streams) {
    const Expected<ExitCode> code = compare(options, streams);
    if (code) return *code;
    print_error(streams, code.error());
    return exit_code_of(code.error());
}

}  // namespace tare::cli
