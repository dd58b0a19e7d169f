// The two looks of progress, and when each is due.
#include "harness/cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tare::cli {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

namespace {

constexpr nanoseconds kRedrawInterval = 100ms;  // faster is not seen, and costs wake-ups beside a measurement
constexpr nanoseconds kPlainInterval = 10s;
constexpr int kBarColumns = 24;
constexpr int kSmallestNameColumns = 8;
constexpr const char* kEraseLine = "\r\x1b[K";  // ECMA-48 EL: from the cursor to the end of the line
constexpr const char* kGreen = "\x1b[32m";
constexpr const char* kPlain = "\x1b[0m";

/// Elapsed time scaled by the work that remains; negative: nothing is known yet.
nanoseconds time_left(nanoseconds elapsed, std::int64_t done, std::int64_t total) {
    if (done <= 0 || total < done) return nanoseconds(-1);
    const double ratio = static_cast<double>(total - done) / static_cast<double>(done);
    return nanoseconds(static_cast<std::int64_t>(static_cast<double>(elapsed.count()) * ratio));
}

bool is_continuation_byte(char c) {
    return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
}

}  // namespace

ProgressStyle progress_style_of(int descriptor) {
    const char* term = std::getenv("TERM");
    const char* no_color = std::getenv("NO_COLOR");
    ProgressStyle style;
    style.is_terminal = ::isatty(descriptor) == 1 && term != nullptr && std::string_view(term) != "dumb";
    style.color = style.is_terminal && (no_color == nullptr || *no_color == '\0');
    winsize size{};
    if (style.is_terminal && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        style.columns = size.ws_col;
    return style;
}

std::string clock_text(nanoseconds duration) {
    const std::int64_t seconds = std::max<std::int64_t>(0, duration.count() / 1'000'000'000);
    if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
    return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string fitted(std::string_view text, int columns) {
    std::string line;
    int used = 0;
    std::size_t end_before_dots = 0;  // where the text is cut if it turns out too long
    for (const char c : text) {
        if (!is_continuation_byte(c)) {
            if (used == std::max(0, columns - 3)) end_before_dots = line.size();
            if (++used > columns)
                return line.substr(0, end_before_dots) +
                       std::string("...").substr(0, std::size_t(std::clamp(columns, 0, 3)));
        }
        line += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    }
    return line;
}

Progress::Progress(std::ostream& out, ProgressStyle style, Clock now)
    : out_(out), style_(style), now_(std::move(now)) {}

Progress::~Progress() {
    clear();
}

void Progress::start(std::int64_t total) {
    total_ = total;
    done_ = 0;
    current_.clear();
    started_ = now_();
    drawn_ = started_;
    if (style_.is_terminal) draw(started_);
}

void Progress::update(std::int64_t done, std::string_view current) {
    done_ = done;
    current_ = current;
    const nanoseconds now = now_();
    const bool due = style_.is_terminal ? !is_visible_ || done_ >= total_ || now - drawn_ >= kRedrawInterval
                                        : now - drawn_ >= kPlainInterval;
    if (due) draw(now);
}

void Progress::message(std::string_view line) {
    clear();
    out_ << line << '\n' << std::flush;
}

void Progress::clear() {
    if (!is_visible_) return;
    out_ << kEraseLine << std::flush;
    is_visible_ = false;
}

void Progress::draw(nanoseconds now) {
    drawn_ = now;
    if (style_.is_terminal)
        out_ << kEraseLine << terminal_line(now - started_) << std::flush;
    else
        out_ << plain_line(now - started_) << '\n' << std::flush;
    is_visible_ = style_.is_terminal;
}

std::string Progress::terminal_line(nanoseconds elapsed) const {
    const nanoseconds left = time_left(elapsed, done_, total_);
    const std::string counts = fmt::format("{}/{}  {}{}", done_, total_, clock_text(elapsed),
                                           left < 0ns ? "" : fmt::format(", {} left", clock_text(left)));
    const int counts_columns = static_cast<int>(counts.size());
    const int room = style_.columns - 1;  // the last column is left free: writing it may wrap the line
    if (counts_columns + kBarColumns + 3 > room) return fitted(counts, room);  // a narrow terminal: no bar, no name

    const double ratio = total_ > 0 ? static_cast<double>(done_) / static_cast<double>(total_) : 0.0;
    const int filled = static_cast<int>(std::clamp(ratio, 0.0, 1.0) * kBarColumns);
    std::string line = fmt::format("[{}{:=<{}}{}{: <{}}] {}", style_.color ? kGreen : "", "", filled,
                                   style_.color ? kPlain : "", "", kBarColumns - filled, counts);
    const int name_columns = room - (kBarColumns + 3 + counts_columns) - 2;
    if (!current_.empty() && name_columns >= kSmallestNameColumns) line += "  " + fitted(current_, name_columns);
    return line;
}

std::string Progress::plain_line(nanoseconds elapsed) const {
    const nanoseconds left = time_left(elapsed, done_, total_);
    return fmt::format("{} of {} done, {} elapsed{}{}", done_, total_, clock_text(elapsed),
                       left < 0ns ? "" : fmt::format(", about {} left", clock_text(left)),
                       current_.empty() ? "" : ": " + fitted(current_, 200));
}

}  // namespace tare::cli
