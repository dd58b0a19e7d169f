// CPython's tables of source positions. Of 3.11 on entries follow the bytecode from its start, each for up to eight
// code units, and of the positions only the line is read; before, there are pairs of steps. A table may be damaged.
#include "harness/core/code_area.h"

namespace tare::core {

namespace {

constexpr std::int32_t kCodeUnitBytes = 2;
constexpr unsigned kShortForms = 10;    // forms 0 to 9: one byte of columns, the same line
constexpr unsigned kOneLineForms = 13;  // 10 to 12: two bytes of columns, 0 to 2 lines on
constexpr unsigned kLong = 14;  // 13: a signed number of lines on, no columns; 14: and then end line and both columns
constexpr unsigned kNoLocation = 15;
constexpr unsigned kVarintBits = 6;  // of each byte; bit 6 says that more follow
constexpr unsigned kMostShift = 30;  // lines are ints

class Reader {
  public:
    explicit Reader(std::string_view table) : table_(table) {}

    [[nodiscard]] bool at_end() const { return next_ >= table_.size(); }
    [[nodiscard]] bool damaged() const { return damaged_; }

    unsigned byte() {
        if (at_end()) {
            damaged_ = true;
            return 0;
        }
        return static_cast<unsigned char>(table_[next_++]);
    }
    std::uint32_t varint() {
        std::uint32_t value = 0;
        for (unsigned shift = 0; shift <= kMostShift; shift += kVarintBits) {
            const unsigned part = byte();
            value |= (part & 0x3F) << shift;
            if ((part & 0x40) == 0) return value;
        }
        damaged_ = true;
        return 0;
    }
    std::int64_t signed_varint() {  // the sign is the lowest bit
        const std::uint32_t value = varint();
        return (value & 1) != 0 ? -static_cast<std::int64_t>(value >> 1) : static_cast<std::int64_t>(value >> 1);
    }
    /// The lines that an entry of this form goes on by.
    std::int64_t lines_on(unsigned form) {
        std::int64_t lines = 0;
        if (form < kShortForms) {
            byte();
        } else if (form < kOneLineForms) {
            lines = form - kShortForms;
            byte();
            byte();
        } else if (form != kNoLocation) {
            lines = signed_varint();
            if (form == kLong)
                for (int i = 0; i < 3; ++i) varint();
        }
        return lines;
    }

  private:
    std::string_view table_;
    std::size_t next_ = 0;
    bool damaged_ = false;
};

using Line = std::optional<int>;

Line line_in_locations(std::string_view table, int first_line, std::int32_t offset) {
    const std::int32_t wanted = offset / kCodeUnitBytes;
    Reader reader(table);
    std::int64_t line = first_line;
    std::int64_t unit = 0;
    while (!reader.at_end()) {
        const unsigned head = reader.byte();
        if ((head & 0x80) == 0) return std::nullopt;  // marks an entry's first byte
        const unsigned form = (head >> 3) & 0xF;
        line += reader.lines_on(form);
        if (reader.damaged() || line < 0 || line > INT32_MAX) return std::nullopt;
        unit += (head & 7) + 1;
        if (wanted < unit) return form == kNoLocation ? std::nullopt : std::optional(static_cast<int>(line));
    }
    return std::nullopt;
}

/// Pairs of so many bytes of bytecode and so many lines on. In 3.10 the bytes are of that line, or with -128 of none;
/// in 3.9 the line begins behind them, and the last one goes on to the end.
Line line_in_pairs(std::string_view table, int first_line, std::int32_t offset, bool of_ranges) {
    std::int64_t line = first_line;
    std::int64_t end = 0;
    for (std::size_t i = 0; i + 1 < table.size(); i += 2) {
        end += static_cast<unsigned char>(table[i]);
        const auto lines_on = static_cast<signed char>(table[i + 1]);
        const bool has_line = !of_ranges || lines_on != INT8_MIN;
        if (!of_ranges && offset < end) break;
        if (has_line) line += lines_on;
        if (line < 0 || line > INT32_MAX) return std::nullopt;
        if (of_ranges && offset < end) return has_line ? Line(static_cast<int>(line)) : std::nullopt;
    }
    const bool is_cut = offset >= end && table.size() >= kMostLineTableBytes;
    return of_ranges || is_cut ? std::nullopt : Line(static_cast<int>(line));
}

}  // namespace

std::optional<int> PythonCode::line_at(std::int32_t offset) const {
    if (offset < 0) return first_line;
    if (line_format == LineFormat::kLocations) return line_in_locations(line_table, first_line, offset);
    return line_in_pairs(line_table, first_line, offset, line_format == LineFormat::kRanges);
}

}  // namespace tare::core
