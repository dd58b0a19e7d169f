// At stake: that results on stdout and logs stay readable: one line on a terminal, one per 10 s in a log, exact times.
#include "harness/cli/progress.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <sstream>

namespace tare::cli {
namespace {

using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kErase = "\r\x1b[K";

struct ProgressTest : testing::Test {
    std::ostringstream out;
    std::chrono::nanoseconds time{100h};

    Progress make(ProgressStyle style) {
        return Progress(out, style, [this] { return time; });
    }
    /// What was written since the last call.
    std::string written() {
        std::string text = out.str();
        out.str("");
        return text;
    }
};

TEST_F(ProgressTest, OnATerminalIsOneLineWithBarCountTimesAndName) {
    Progress progress = make({.is_terminal = true, .color = false, .columns = 80});
    progress.start(8);
    EXPECT_EQ(written(), kErase + std::string("[                        ] 0/8  0:00"));
    time += 2s;
    progress.update(0, "");
    EXPECT_EQ(written(), kErase + std::string("[                        ] 0/8  0:02")) << "no guess from nothing";
    time += 58s;
    progress.update(2, "add[kind=array,n=8]");
    EXPECT_EQ(written(), kErase + std::string("[======                  ] 2/8  1:00, 3:00 left  add[kind=array,n=8]"));
    time += 3600s;
    progress.update(8, "");
    EXPECT_EQ(written(), kErase + std::string("[========================] 8/8  1:01:00, 0:00 left"));
    progress.clear();
    EXPECT_EQ(written(), kErase);
    progress.clear();
    EXPECT_EQ(written(), "") << "nothing to clear twice";
}

TEST_F(ProgressTest, OnATerminalIsDrawnTenTimesASecondAtMostAndAlwaysAtTheEnd) {
    Progress progress = make({.is_terminal = true, .color = false, .columns = 80});
    progress.start(1000);
    (void)written();
    int drawn = 0;
    for (int i = 1; i < 1000; ++i) {
        time += 1ms;
        progress.update(i, "x");
        drawn += !written().empty();
    }
    EXPECT_EQ(drawn, 9);
    progress.update(1000, "x");
    EXPECT_THAT(written(), HasSubstr("1000/1000"));
}

TEST_F(ProgressTest, ElsewhereIsAPlainLineEveryTenSeconds) {
    Progress progress = make({.is_terminal = false, .color = false, .columns = 80});
    progress.start(40);
    std::string lines;
    for (int i = 1; i <= 40; ++i) {
        time += 999ms;
        progress.update(i, "dot[n=4]");
        lines += written();
    }
    EXPECT_EQ(lines,
              "11 of 40 done, 0:10 elapsed, about 0:28 left: dot[n=4]\n"
              "22 of 40 done, 0:21 elapsed, about 0:17 left: dot[n=4]\n"
              "33 of 40 done, 0:32 elapsed, about 0:06 left: dot[n=4]\n");
    progress.clear();
    EXPECT_EQ(written(), "") << "a log has no line to clear";
}

TEST_F(ProgressTest, NeverExceedsTheTerminal) {
    const std::string name = "operation[kind=array,dtype=complex128,n=1024,layout=strided]";
    for (const int columns : {1, 5, 20, 40, 48, 49, 60, 79, 200}) {
        Progress progress = make({.is_terminal = true, .color = false, .columns = columns});
        progress.start(123456);
        (void)written();
        time += 1000s;
        progress.update(12345, name);
        const std::string line = written();
        EXPECT_LT(line.size() - std::string(kErase).size(), static_cast<std::size_t>(columns)) << line;
    }
}

TEST_F(ProgressTest, ColorsTheBarOnlyWhenAllowed) {
    {
        Progress progress = make({.is_terminal = true, .color = true, .columns = 80});
        progress.start(2);
        time += 1s;
        progress.update(1, "");
    }
    EXPECT_THAT(written(), HasSubstr("[\x1b[32m============\x1b[0m            ]"));
    {
        Progress progress = make({.is_terminal = true, .color = false, .columns = 80});
        progress.start(2);
        time += 1s;
        progress.update(1, "");
    }
    EXPECT_THAT(written(), Not(HasSubstr("\x1b[3")));
}

TEST_F(ProgressTest, ClearsItselfAtItsEndAndForAMessage) {
    {
        Progress progress = make({.is_terminal = true, .color = false, .columns = 80});
        progress.start(2);
        (void)written();
        progress.message("warning: steal time 4 %");
        EXPECT_EQ(written(), kErase + std::string("warning: steal time 4 %\n"));
        progress.update(1, "x");
        EXPECT_THAT(written(), HasSubstr("1/2")) << "drawn again though no 100 ms passed";
    }
    EXPECT_EQ(written(), kErase);
}

TEST_F(ProgressTest, WithNothingToDoDividesByNothing) {
    Progress progress = make({.is_terminal = true, .color = false, .columns = 80});
    progress.start(0);
    progress.update(0, "");
    EXPECT_THAT(written(), EndsWith("[                        ] 0/0  0:00"));
}

TEST(ClockText, RoundsSecondsDown) {
    EXPECT_EQ(clock_text(0ns), "0:00");
    EXPECT_EQ(clock_text(59'999ms), "0:59");
    EXPECT_EQ(clock_text(60s), "1:00");
    EXPECT_EQ(clock_text(59min + 59s), "59:59");
    EXPECT_EQ(clock_text(25h + 1s), "25:00:01");
    EXPECT_EQ(clock_text(-1s), "0:00");
}

TEST(Fitted, CutsByCodePointAndMarksTheCut) {
    EXPECT_EQ(fitted("abcdef", 6), "abcdef");
    EXPECT_EQ(fitted("abcdefg", 6), "abc...");
    EXPECT_EQ(fitted("\u00b5\u00b5\u00b5\u00b5\u00b5", 4), "\u00b5...");
    EXPECT_EQ(fitted("\u00b5\u00b5\u00b5\u00b5", 4), "\u00b5\u00b5\u00b5\u00b5");
    EXPECT_EQ(fitted("abc", 2), "..");
    EXPECT_EQ(fitted("abc", 0), "");
}

TEST(Fitted, LetsNoControlCharacterReachTheTerminal) {
    EXPECT_EQ(fitted("a\x1b[2Jb\n\x7f", 80), "a?[2Jb??");
}

struct StyleTest : testing::Test {
    int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    void SetUp() override {
        // Skipped because a chroot without /dev/pts has no terminals, and what is told here is of terminals.
        if (terminal < 0) GTEST_SKIP() << "no terminal can be opened here, as in a chroot without /dev/pts";
        ::setenv("TERM", "xterm", 1);
        ::unsetenv("NO_COLOR");
    }
    void TearDown() override { ::close(terminal); }
};

TEST_F(StyleTest, OfATerminalFollowsTermAndNoColor) {
    EXPECT_EQ(progress_style_of(terminal), (ProgressStyle{.is_terminal = true, .color = true, .columns = 80}));
    ::setenv("NO_COLOR", "", 1);
    EXPECT_TRUE(progress_style_of(terminal).color) << "an empty NO_COLOR does not count";
    ::setenv("NO_COLOR", "1", 1);
    EXPECT_EQ(progress_style_of(terminal), (ProgressStyle{.is_terminal = true, .color = false, .columns = 80}));
    ::setenv("TERM", "dumb", 1);
    EXPECT_FALSE(progress_style_of(terminal).is_terminal);
}

TEST_F(StyleTest, OfAFileIsPlain) {
    const int file = ::open("/dev/null", O_WRONLY);
    EXPECT_EQ(progress_style_of(file), ProgressStyle());
    ::close(file);
}

}  // namespace
}  // namespace tare::cli
