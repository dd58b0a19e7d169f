// Notes on counters.
#include "harness/record/counter_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "harness/record/shared_lines.h"

namespace tare::record {

namespace {

using core::CounterState;
using stats::RunCounter;

constexpr std::size_t kIndent = 4;

std::string joined(const std::vector<std::string>& texts) {
    std::string text;
    for (const std::string& each : texts) text += (text.empty() ? "" : ", ") + each;
    return text;
}

/// getrusage and a clock know no scope: the kernel's part is in what they tell.
bool counts_kernel(const core::CounterRequest& request) {
    return request.kernel || !core::is_in_group(request.source);
}

/// "of one execution, net of the loop; user space only: cycles = skx::UNHALTED_CORE_CYCLES, ..."; of columns shown.
void add_events(std::vector<CounterNote>& notes, const CounterCells& cells, const std::string& code) {
    for (const bool kernel : {false, true}) {
        std::vector<std::string> events;
        for (const CounterColumn& column : cells.columns()) {
            if (!column.counter) continue;
            const core::CounterRequest& request = cells.summary().counters[*column.counter].request;
            if (counts_kernel(request) != kernel) continue;
            const bool says_more = !request.event.empty() && request.event != column.title;
            events.push_back(says_more ? fmt::format("{} = {}{}{}", column.title, code, request.event, code)
                                       : column.title);
        }
        if (events.empty()) continue;
        const char* of_what = notes.empty() ? "of one execution, net of the loop; " : "";
        notes.push_back(
            {"", fmt::format("{}{}: {}", of_what, kernel ? "with the kernel" : "user space only", joined(events))});
    }
}

std::string with_hint(const RunCounter& counter) {
    const std::string text = one_line(reason_text(counter));
    return counter.problem && !counter.problem->hint.empty() ? text + "; " + one_line(counter.problem->hint) : text;
}

/// Counters that share a reason, in one line: they are many on a machine without a PMU.
void add_reasons(std::vector<CounterNote>& notes, const std::string& mark, const std::string& what,
                 const std::vector<std::pair<std::string, std::string>>& reasons) {
    Shared shared;
    for (const auto& [name, reason] : reasons) add(shared, reason, name);
    for (const auto& [reason, names] : shared)
        notes.push_back({mark, fmt::format("{}: {}: {}", what, joined(names), reason)});
}

void add_marks(std::vector<CounterNote>& notes, const CounterCells& cells) {
    std::vector<std::string> shares;
    std::vector<std::pair<std::string, std::string>> partial, suspect;
    for (const RunCounter& counter : cells.summary().counters) {
        if (counter.state == CounterState::kSuspect) suspect.push_back({counter.request.name, with_hint(counter)});
        if (counter.state != CounterState::kPartial) continue;
        if (counter.counted_ratio < 1)
            shares.push_back(counter.request.name + ' ' + stats::share_text(counter.counted_ratio));
        else
            partial.push_back({counter.request.name, with_hint(counter)});
    }
    const std::string partly = "counted part of the time and scaled up";
    if (cells.marks().partial && !shares.empty())
        notes.push_back({cells.partial_mark(), fmt::format("{}; smallest share counted: {}", partly, joined(shares))});
    if (cells.marks().partial) add_reasons(notes, cells.partial_mark(), partly, partial);
    if (cells.marks().suspect) add_reasons(notes, "?", "suspect, so that no ratio is made of it", suspect);
    if (cells.marks().absent) notes.push_back({"-", "no batch of this case was counted"});
}

void add_missing(std::vector<CounterNote>& notes, const CounterCells& cells) {
    std::vector<std::pair<std::string, std::string>> missing;
    const std::vector<RunCounter>& counters = cells.summary().counters;
    for (std::size_t i = 0; i < counters.size(); ++i) {
        const bool shown =
            std::ranges::any_of(cells.columns(), [&](const auto& column) { return column.counter == i; });
        if (shown) continue;
        const bool known = counters[i].state == CounterState::kUnavailable;
        missing.push_back({counters[i].request.name, known ? with_hint(counters[i]) : "no batch was counted"});
    }
    add_reasons(notes, "", "not counted", missing);
}

/// Words; "title = event" is one, where it fits into a line.
std::vector<std::string> pieces_of(const std::string& text, std::size_t width) {
    std::vector<std::string> pieces;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        std::string next;
        if (word == "=" && !pieces.empty() && words >> next) {
            const std::string whole = pieces.back() + " = " + next;
            if (width == 0 || kIndent + text_columns(whole) <= width) {
                pieces.back() = whole;
                continue;
            }
            pieces.push_back(word);
            word = next;
        }
        pieces.push_back(word);
    }
    return pieces;
}

}  // namespace

std::vector<CounterNote> counter_notes(const CounterCells& cells, const std::string& code) {
    std::vector<CounterNote> notes;
    add_events(notes, cells, code);
    add_marks(notes, cells);
    add_missing(notes, cells);
    return notes;
}

std::string notes_lines(const std::vector<CounterNote>& notes, std::size_t width) {
    std::string text;
    for (const CounterNote& note : notes) {
        std::string line = note.mark;
        if (!line.empty()) line.append(kIndent - text_columns(note.mark), ' ');
        bool begins = true;
        for (const std::string& piece : pieces_of(note.text, width)) {
            if (!begins && width > 0 && text_columns(line) + 1 + text_columns(piece) > width) {
                text += line + '\n';
                line.assign(kIndent, ' ');
                begins = true;
            }
            line += (begins ? "" : " ") + piece;
            begins = false;
        }
        text += line + '\n';
    }
    return text;
}

}  // namespace tare::record
