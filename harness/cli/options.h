// The command line as values. Parsing touches nothing but the arguments; defaults that depend on the environment are
// resolved by whoever uses them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/stack_sample.h"
#include "harness/history/foreign_format.h"
#include "harness/history/trend.h"
#include "harness/measure/layout_rounds.h"
#include "harness/measure/pair_plan.h"
#include "harness/measure/worker_command.h"
#include "harness/record/profile_text.h"
#include "harness/stats/margins.h"

namespace tare::cli {

enum class Command {
    kRun,
    kList,
    kDuet,
    kCompare,
    kExplain,
    kPmu,
    kDoctor,
    kProfile,
    kTrend,
    kStore,
    kReport,
    kBisect,
    kExport,
    kCompletion,
    kWorker,
};
enum class Format { kTable, kJson, kCsv, kMarkdown };

/// What is measured, and in which surroundings. A duet has two.
struct SubjectOptions {
    std::string python;               ///< empty: $TARE_PYTHON, else python3 of PATH
    std::vector<std::string> suites;  ///< empty: the shipped NumPy suite
    std::string expression;           ///< -e; replaces the suites
    std::string setup;
    std::string setup_each;  ///< runs before each execution of the expression
    std::string package;     ///< what the cases are about; empty: of the shipped suite NumPy, of others unknown
    std::optional<measure::Host> host;
    int threads = 1;
    std::vector<std::pair<std::string, std::string>> environment;  ///< set for its workers, last
};

/// Which changes a gate does not let pass: slower by the clock, more instructions by the ledgers.
enum class GateOn { kTime, kInstructions, kBoth };

/// What turns findings into verdicts, and verdicts into an exit code. Of `duet` and `compare`.
struct VerdictOptions {
    stats::Margins margins;
    std::string tolerances;             ///< file of margins of single cases; empty: none
    bool gate = false;                  ///< exit status 1 where a case is slower, or executes more instructions
    GateOn gate_on = GateOn::kBoth;     ///< of compare
    bool fail_on_inconclusive = false;  ///< and 3 where none is, but one is inconclusive
    std::string summary;                ///< Markdown for a pull request goes there
    std::string junit;                  ///< and a report as JUnit's there
    bool any_dependence = false;        ///< Benjamini-Yekutieli instead of Benjamini-Hochberg
};

inline constexpr int kMostPairs = 10'000;  ///< of one case; also where looks are open and no number is given

struct DuetOptions {
    SubjectOptions a;
    SubjectOptions b;
    int pairs = 36;                             ///< no case gets more
    int quads = measure::PairSettings{}.quads;  ///< of one visit
    bool open_ended = false;         ///< no planned looks: until each case is decided, or time or pairs are used up
    std::optional<double> budget_s;  ///< of measuring, checked before each round
    double injected_ratio = 0;       ///< 0.05: side b executes 5 % more
    std::string injected_filter;     ///< only in these cases; empty: all
    std::string continued;           ///< the record of a duet to go on with
};

struct CompareOptions {
    std::string old_record;
    std::string new_record;
    bool replay = false;               ///< old_record is a duet, whose verdicts are computed anew
    bool anchored = false;             ///< both are duets against one reference
    bool across_setups = false;        ///< compare what was measured on different machines or hosts
    std::vector<std::string> history;  ///< records of unchanged code, oldest first: what sessions differ by
};

/// How instructions are counted. Of `explain` and `run`.
struct LedgerOptions {
    bool wanted = false;  ///< run: ledgers beside the times
    int layouts = measure::kDefaultLayouts;
    std::size_t step_limit = 100'000;
    std::vector<std::string> layers;  ///< files of the user's own rules
};

/// Where time goes, by samples. Of `run` and `explain`.
struct SamplingOptions {
    bool wanted = false;  ///< of run; explain samples wherever it times
    double rate_hz = 1000;
};

/// What is counted beside the times. Of `run` and `pmu check`.
struct CounterOptions {
    std::string list;       ///< as pmu::choose_counters takes it; empty: as "none"
    bool cycles = false;    ///< run: timed_cycles stand in the list, too
    bool required = false;  ///< run: a counter that does not count ends it
    bool kernel = false;    ///< counted in the kernel, too
};

struct ExplainOptions {
    std::vector<std::string> cases;
    std::string against;  ///< another subject; empty: none
    bool diff = false;
    bool no_timing = false;
    bool tree = false;
    int top = 15;
    std::string flame_graph;  ///< files; empty: none
    std::string speedscope;
    std::string folded;
    std::string callgrind;
};

struct ExportOptions {
    std::string record;
    std::string format;
    std::string commit;  ///< of asv; empty: as the record says
};

struct PmuOptions {
    bool check = false;   ///< else list
    std::string pattern;  ///< of list; empty: all
};

struct DoctorOptions {
    bool strict = false;  ///< exit status 2 where a topic is bad
    double watch_s = 1;   ///< how long to watch whether others use the core
};

/// Which frames the call tree shows.
enum class FramesShown { kBoth, kNative, kPython };

struct ProfileOptions {
    std::vector<std::string> program;  ///< as behind `python`: a script, -m module or -c code, and its arguments
    double rate_hz = 1000;
    std::size_t python_frames = core::kDefaultPythonFrames;  ///< kept of each sample, the innermost
    std::optional<double> duration_s;                        ///< of sampling; the program runs on
    bool threads = false;
    bool gil_only = false;
    bool waiting = false;
    bool children = false;
    FramesShown frames = FramesShown::kBoth;
    std::optional<int> top;  ///< functions and lines; none: 15 and 10
    record::ProfileOrder order = record::ProfileOrder::kSelf;
    std::string against;      ///< a profile that an earlier run wrote with --out; empty: none
    std::string flame_graph;  ///< files; empty: none
    std::string speedscope;
    std::string folded;
    std::string pprof;
};

struct TrendOptions {
    std::string pattern;                ///< searched in the names of cases; empty: all
    std::string metric;                 ///< empty: gross, or anchored where only that is there
    std::optional<history::Axis> axis;  ///< none: as the records suggest
    std::string machine;                ///< the beginning of a fingerprint; empty: all
    bool changed = false;               ///< only series with change points
    bool confirm = false;               ///< measure the two sides of each change point
    std::string build;                  ///< makes an environment of a commit, for `confirm`; empty: versions only
    std::string repository;             ///< where `build` runs; empty: the current folder
};

enum class StoreAction { kCheck, kImport };

struct StoreOptions {
    StoreAction action = StoreAction::kCheck;
    bool rebuild = false;                          ///< check: the index anew
    bool rows = false;                             ///< check: read every row
    std::vector<std::string> imported;             ///< import: files and folders of other tools' results
    std::optional<history::ForeignFormat> format;  ///< empty: told by the content
    std::string machine;                           ///< its name, where the format does not say it; empty: as it says
    std::string project;                           ///< what asv measured; empty: as its folders say
};

enum class WorkerAction { kBuild, kList };

struct WorkerOptions {
    WorkerAction action = WorkerAction::kList;
    bool anew = false;  ///< build: even where there is one
};

struct ReportOptions {
    std::vector<std::string> metrics;   ///< of histories; empty: see history::ReportRequest
    std::optional<history::Axis> axis;  ///< likewise
    std::string machine;                ///< beginning of a fingerprint; empty: all
};

struct BisectOptions {
    std::string good;        ///< the older end, a release of NumPy or, with `build`, a commit
    std::string bad;         ///< the newer end
    bool faster = false;     ///< what became faster is looked for
    bool first = false;      ///< any proven change, not half of the whole
    std::string build;       ///< shell command with {commit} and {prefix}; empty: releases of NumPy
    std::string repository;  ///< of the commits, where `build` runs; empty: the current folder
};

struct Options {
    Command command = Command::kRun;
    std::string command_line;         ///< as typed, quoted for a shell; without the program's name
    SubjectOptions subject;           ///< of run and list
    std::vector<std::string> beside;  ///< what environments that are made hold beside a release: "numpy<2"
    std::string filter;               ///< empty: all
    // how to measure
    std::optional<int> cpu;
    int rounds = 17;
    bool spare_slow = false;  ///< of run: cases that take more than their budget are visited in every second round
    std::optional<double> within_percent;  ///< of run; empty: kWithinPercent, and 0 where the rounds are the user's own
    int unroll = 0;                        ///< copies of the statement in a pass of the loop; 0: 8, or 1 for slow ones
    std::optional<std::uint64_t> seed;
    std::chrono::milliseconds time_limit{10'000};
    double visit_budget_s = 0.1;
    std::optional<double> wait_s = {};  ///< for quiet moments, in all; none: see ReferenceWatch
    // what to give back
    Format format = Format::kTable;
    std::string out;    ///< the record goes there too
    std::string store;  ///< empty: $TARE_STORE, else the user's data folder
    bool show_cpp = false;
    bool show_all = false;  ///< list: cases, not only operations
    // of single commands
    VerdictOptions verdict;
    DuetOptions duet;
    CompareOptions compare;
    LedgerOptions ledger;
    CounterOptions counters;
    SamplingOptions sampling;
    ExplainOptions explain;
    ExportOptions exported;
    std::string completion;  ///< the script
    PmuOptions pmu;
    DoctorOptions doctor;
    ProfileOptions profile;
    TrendOptions trend;
    StoreOptions store_command;  ///< `store` is where records go
    WorkerOptions worker;
    ReportOptions report;
    BisectOptions bisect;
};

struct Parsed {
    std::optional<Options> options;
    std::optional<core::Error> error;
    std::string text;  ///< where neither is set: the help or version that was asked for
};

/// `arguments` without the program's name.
[[nodiscard]] Parsed parse_options(const std::vector<std::string>& arguments);

}  // namespace tare::cli
