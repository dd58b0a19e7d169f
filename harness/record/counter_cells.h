// Cells of the table of counters, as text and Markdown show them: events of one execution of the python rung, net of
// the loop. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/case_counts.h"
#include "harness/record/number_text.h"

namespace tare::record {

/// "3,940", "312.5", "0.25"; below 0.01 "<0.01", never a bare 0. `rare`: with two decimals below 1000.
[[nodiscard]] std::string events_text(double events, bool rare);

/// "L1D misses"; of an event that the user named, its name.
[[nodiscard]] std::string title_of(const core::CounterRequest& request);

struct CounterColumn {
    std::string title;
    int importance = 0;
    std::optional<std::size_t> counter;  ///< none: a ratio, or the share counted
};

/// Marks that the cells bear.
struct CounterMarks {
    bool partial = false;
    bool suspect = false;
    bool absent = false;  ///< a case has no value in a column where others have one
};

class CounterCells {
  public:
    CounterCells(const Summary& summary, const TextStyle& style);

    /// Those that have a value in some case, and the ratio made of them.
    [[nodiscard]] const std::vector<CounterColumn>& columns() const { return columns_; }
    /// Cases with a gross, in order of appearance.
    [[nodiscard]] const std::vector<const stats::CaseEstimate*>& cases() const { return cases_; }
    /// In the order of columns().
    [[nodiscard]] std::vector<std::string> cells(const stats::CaseEstimate& estimate) const;
    [[nodiscard]] const CounterMarks& marks() const { return marks_; }
    [[nodiscard]] std::string partial_mark() const { return style_.unicode ? "\u2248" : "^"; }
    [[nodiscard]] const Summary& summary() const { return summary_; }

  private:
    [[nodiscard]] std::string cell(const CaseCount& count) const;

    const Summary& summary_;
    const TextStyle& style_;
    std::vector<const stats::CaseEstimate*> cases_;
    std::vector<CounterColumn> columns_;
    CounterMarks marks_;
};

}  // namespace tare::record
