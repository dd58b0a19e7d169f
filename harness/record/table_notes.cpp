// Sections beneath the table.
#include "harness/record/table_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include "harness/record/markup.h"
#include "harness/record/shared_lines.h"

namespace tare::record {

namespace {

using core::RungKind;
using stats::CaseEstimate;

constexpr std::size_t kMostKernels = 12;  // more than a screen's third is not read; the record holds them all
/// What kernels of one library have in common: its path, how the address was confirmed, how results compare.
std::string library_line(const core::Value& facts) {
    std::string text = facts["library"].as_text();
    for (const char* key : {"check", "equality"})
        if (const std::string& fact = facts[key].as_text(); !fact.empty())
            text += (key[0] == 'c' ? ": " : "; results ") + fact;
    return text;
}

/// "cblas_dgemm = scipy_cblas_dgemm64_ +0x2a27a0": the offset alone, because the library stands above.
std::string kernel_line(const core::Value& facts) {
    const std::string& address = facts["address"].as_text();
    const std::size_t offset = address.rfind('+');
    return fmt::format("{} = {} {}", facts["routine"].as_text(), facts["symbol"].as_text(),
                       offset == std::string::npos ? address : address.substr(offset));
}

/// "instructions of one execution, net of the loop: the fewest over 5 memory layouts"; empty without ledgers.
std::string instructions_note(const Summary& summary) {
    int fewest = 0, most = 0;
    for (const auto& [name, instructions] : summary.instructions) {
        if (instructions.error) continue;
        fewest = most == 0 ? instructions.layouts : std::min(fewest, instructions.layouts);
        most = std::max(most, instructions.layouts);
    }
    if (most == 0) return {};
    const std::string layouts = fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
    return fmt::format("instructions of one execution, net of the loop: the fewest over {} memory layout{}\n", layouts,
                       most == 1 ? "" : "s");
}

constexpr double kClockShown = 0.01;  // as a ratio

bool moves(const CaseEstimate& estimate) {
    return estimate.quiet && !estimate.quiet->busy && estimate.quiet->depends_on_limit;
}

/// "83 % of the batches were quiet: ..."; empty where no references were taken.
std::string quiet_note(const Summary& summary) {
    double kept = 0;
    std::size_t cases = 0, busy = 0;
    for (const CaseEstimate& estimate : summary.cases) {
        if (!estimate.quiet) continue;
        kept += estimate.quiet->kept_ratio;
        ++cases;
        busy += estimate.quiet->busy ? 1 : 0;
    }
    if (cases == 0) return {};
    if (summary.never_below_ratio > core::kQuietLimit)
        return fmt::format(
            "never quiet: loads took {:.0f} % more than this machine's best even at their best; measure again when\n"
            "less runs beside it\n",
            100 * summary.never_below_ratio);
    const std::string quiet =
        fmt::format("{:.0f} % of the batches were quiet", 100 * kept / static_cast<double>(cases));
    if (busy == cases)
        return fmt::format("{}, too few to say what a case costs while nobody else uses the core\n", quiet);
    return fmt::format("{}, and only they are shown{}: what a case costs while nobody else uses the core\n", quiet,
                       busy > 0 ? ", but for busy rows" : "");
}

/// "times at 3.05 GHz, the core's usual clock; it was 2.98 in this run"; empty where no clock is known.
std::string clock_note(const Summary& summary) {
    if (!(summary.at_clock_ghz > 0)) return {};
    if (summary.at_clock_ghz == summary.clock_ghz)
        return fmt::format("times at {:.2f} GHz, the core's clock in this run\n", summary.at_clock_ghz);
    const bool differs = summary.clock_ghz > 0 && std::abs(summary.clock_ghz / summary.at_clock_ghz - 1) > kClockShown;
    return fmt::format("times at {:.2f} GHz, the core's usual clock{}\n", summary.at_clock_ghz,
                       differs ? fmt::format("; it was {:.2f} in this run", summary.clock_ghz) : "");
}

}  // namespace

TableMarks marks_of(const Summary& summary) {
    TableMarks marks;
    std::size_t measured = 0;
    std::size_t one_process = 0;
    for (const CaseEstimate& estimate : summary.cases) {
        const bool has_gross = estimate.rung(RungKind::kPython) != nullptr;
        measured += has_gross ? 1 : 0;
        one_process += estimate.within_one_process ? 1 : 0;
        marks.net_exceeds_gross |= estimate.net_exceeds_gross;
        marks.tare_unresolved |= estimate.tare_unresolved;
        marks.unpaired |= estimate.scalar_ratio && !estimate.scalar_paired;
        marks.failed |= estimate.error && has_gross;
        marks.gross_at_0 |= is_gross_at_0(estimate);
        const auto gross = estimate.time_ns(RungKind::kPython);
        marks.single_value |= gross && !gross->interval;
        marks.busy |= estimate.quiet && estimate.quiet->busy;
        marks.moves |= moves(estimate);
    }
    marks.all_one_process = measured > 0 && one_process == measured;
    marks.some_one_process = one_process > 0 && !marks.all_one_process;
    return marks;
}

bool is_gross_at_0(const CaseEstimate& estimate) {
    const auto gross = estimate.time_ns(RungKind::kPython);
    return gross && gross->interval && gross->interval->low <= 0;
}

std::string gross_mark(const CaseEstimate& estimate) {
    if (estimate.error && estimate.rung(RungKind::kPython) != nullptr) return "!";
    return is_gross_at_0(estimate) ? "~" : "";
}

std::string interval_mark(const CaseEstimate& estimate, const TableMarks& marks) {
    if (estimate.quiet && estimate.quiet->busy) return " busy";
    if (moves(estimate)) return " moves";
    return marks.some_one_process && estimate.within_one_process ? " 1p" : "";
}

std::string kernels_text(const Summary& summary) {
    std::vector<std::pair<std::string, Shared>> libraries;
    std::size_t count = 0;
    for (const CaseEstimate& estimate : summary.cases) {
        const stats::RungEstimate* native = estimate.rung(RungKind::kNative);
        if (native == nullptr || native->facts["routine"].as_text().rfind("cblas_", 0) != 0) continue;
        const std::string line = library_line(native->facts);
        auto library = std::find_if(libraries.begin(), libraries.end(), [&](const auto& l) { return l.first == line; });
        if (library == libraries.end()) library = libraries.insert(libraries.end(), {line, {}});
        const std::size_t before = library->second.size();
        add(library->second, kernel_line(native->facts), estimate.name);
        count += library->second.size() - before;
    }
    if (libraries.empty()) return {};
    if (count > kMostKernels)
        return fmt::format("\nKernels: {} BLAS routines were called; the record names each.\n", count);
    std::string text = "\nKernels\n";
    for (const auto& [line, kernels] : libraries) {
        text += "  " + line + '\n';
        for (const auto& [kernel, names] : kernels) text += fmt::format("    {}: {}\n", kernel, names_text(names));
    }
    return text;
}

std::string notes_text(const Summary& summary, const TableMarks& marks, const TextStyle& style) {
    const char* plus_minus = style.unicode ? "\u00b1" : "+-";
    std::string text;
    const auto note = [&](const std::string& mark, const std::string& meaning) {
        text += mark + std::string(std::max<std::size_t>(4, text_columns(mark) + 2) - text_columns(mark), ' ') +
                meaning + '\n';
    };
    int most = 0;
    for (const CaseEstimate& estimate : summary.cases)
        if (const auto gross = estimate.time_ns(RungKind::kPython)) most = std::max(most, gross->processes);
    const char* single = marks.single_value ? "; a single value has none" : "";
    if (marks.all_one_process)
        note(plus_minus, fmt::format("95 % interval within one process: another process may differ by more{}", single));
    else if (most > 0)
        note(plus_minus, fmt::format("95 % interval of the gross over up to {} processes{}", most, single));
    if (marks.some_one_process) note("1p", "interval within one process: another process may differ by more");
    if (marks.busy) note("busy", "too few quiet batches: all are shown, slowed by what else used the core");
    if (marks.moves) note("moves", "the gross depends on how quiet a batch has to be; see gross_ns_at in the record");
    if (marks.net_exceeds_gross) note("*", "net exceeds gross: the native rung is not the bare kernel");
    if (marks.tare_unresolved) note("~", "gross and net were not told apart");
    if (marks.unpaired) note("u", "not paired: baseline and case were measured in different rounds");
    if (marks.failed) note("!", "the case failed in another round, see below");
    if (marks.gross_at_0)
        note("~", "the interval of the gross reaches 0: not told apart from the loop around the statement");
    text += quiet_note(summary) + clock_note(summary) + instructions_note(summary);
    return text.empty() ? "" : '\n' + text;
}

std::string failures_text(const Summary& summary) {
    Shared failures;
    std::size_t count = 0;
    for (const CaseEstimate& estimate : summary.cases) {
        if (!estimate.error) continue;
        ++count;
        std::string reason = one_line(estimate.error->what);
        if (!estimate.error->hint.empty()) reason += "; " + one_line(estimate.error->hint);
        add(failures, reason, estimate.name);
    }
    return section(fmt::format("{} of {} cases failed", count, summary.cases.size()), failures);
}

std::string no_ledger_text(const Summary& summary) {
    Shared missing;
    for (const auto& [name, instructions] : summary.instructions) {
        if (!instructions.error) continue;
        std::string reason = one_line(instructions.error->what);
        if (!instructions.error->hint.empty()) reason += "; " + one_line(instructions.error->hint);
        add(missing, reason, name);
    }
    return section("No ledger", missing);
}

std::string warnings_text(const Summary& summary) {
    Shared missing;
    Shared warnings;
    for (const CaseEstimate& estimate : summary.cases) {
        for (const core::RungProblem& problem : estimate.problems)
            add(missing, fmt::format("no {} rung: {}", core::name_of(problem.kind), one_line(problem.reason)),
                estimate.name);
        for (const std::string& warning : estimate.warnings) add(warnings, one_line(warning), estimate.name);
    }
    return section("Not measured", missing) + section("Warnings", warnings);
}

std::string notes_markdown(const Summary& summary, const TextStyle& style) {
    std::istringstream lines(notes_text(summary, marks_of(summary), style) + failures_text(summary) +
                             no_ledger_text(summary) + warnings_text(summary));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin == std::string::npos) continue;
        line.erase(0, begin);
        // a mark and its meaning: "*" alone would begin a list
        const std::size_t gap = line.find("  ");
        if (begin == 0 && gap != std::string::npos)
            line = fmt::format("`{}`: {}", line.substr(0, gap), line.substr(line.find_first_not_of(' ', gap)));
        text += (begin == 0 ? "- " : "  - ") + markdown_cell(line) + '\n';
    }
    return text.empty() ? "" : '\n' + text;
}

}  // namespace tare::record
