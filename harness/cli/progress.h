// Progress: how far a run is and how long it will still take, on stderr, never among the results. One redrawn line on a
// terminal, else a plain line about every 10 s. One thread; the clock is given, so that tests need no time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace tare::cli {

/// What the stream can show.
struct ProgressStyle {
    bool is_terminal = false;  ///< the cursor may be moved
    bool color = false;
    int columns = 80;

    bool operator==(const ProgressStyle&) const = default;
};

/// Of a descriptor: isatty, its width, TERM=dumb (no terminal) and NO_COLOR (https://no-color.org: any text but none).
[[nodiscard]] ProgressStyle progress_style_of(int descriptor);

class Progress {
  public:
    /// A monotonic time; only differences are used.
    using Clock = std::function<std::chrono::nanoseconds()>;

    Progress(std::ostream& out, ProgressStyle style, Clock now);
    /// Clears the line.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Begins the count at 0; time runs from here.
    void start(std::int64_t total);
    /// What is being done now, and how many were finished before it. The line is redrawn at most 10 times a second.
    void update(std::int64_t done, std::string_view current);
    /// The total turned out to be another (a case that killed its worker leaves the schedule).
    void set_total(std::int64_t total) { total_ = total; }
    /// A line for good, such as a warning, above the progress.
    void message(std::string_view line);
    /// Takes the line away; the next update draws it again. Call it before anything else writes to the terminal.
    void clear();

  private:
    [[nodiscard]] std::string terminal_line(std::chrono::nanoseconds elapsed) const;
    [[nodiscard]] std::string plain_line(std::chrono::nanoseconds elapsed) const;
    void draw(std::chrono::nanoseconds now);

    std::ostream& out_;
    ProgressStyle style_;
    Clock now_;
    std::chrono::nanoseconds started_{0};
    std::chrono::nanoseconds drawn_{0};  ///< when the last line was written
    std::int64_t done_ = 0;
    std::int64_t total_ = 0;
    std::string current_;
    bool is_visible_ = false;
};

/// "0:07", "12:30", "1:02:03": hours only when there are any. Seconds are rounded down.
[[nodiscard]] std::string clock_text(std::chrono::nanoseconds duration);

/// At most `columns` characters of UTF-8 text, the cut marked by "..."; control characters become '?', so that a name
/// from a user's suite cannot steer the terminal. A code point counts as one column.
[[nodiscard]] std::string fitted(std::string_view text, int columns);

}  // namespace tare::cli
