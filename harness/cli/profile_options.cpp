// The options of `bench profile`. What stands behind them is the program's: all of it, unread.
#include <elf.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "harness/cli/option_kit.h"
#include "harness/measure/subject.h"
#include "pmu/sample_ring.h"

namespace tare::cli {

namespace {

constexpr int kMostPythonFrames = static_cast<int>(pmu::kMostPythonFrames);
constexpr double kFastestHz = 50'000;  // perf's own clock ends at 100 kHz; a handler takes microseconds

const Choices<FramesShown> kFrames = {
    {"both", FramesShown::kBoth}, {"native", FramesShown::kNative}, {"python", FramesShown::kPython}};

const Choices<record::ProfileOrder> kOrders = {{"self", record::ProfileOrder::kSelf},
                                               {"cumulative", record::ProfileOrder::kCumulative}};

// CPython's own options (Python/getopt.c, SHORT_OPTS), which may stand together: -uOX dev. Not those after which it
// only says something: -h, -V, -?.
constexpr std::string_view kPythonFlags = "bBdEiIOPqRsStuvx";
constexpr std::string_view kPythonValues = "WX";
constexpr std::string_view kPythonPrograms = "cm";

bool is_one_of(char c, std::string_view letters) {
    return letters.find(c) != std::string_view::npos;
}

[[noreturn]] void refuse(const std::string& what) {
    throw CLI::ValidationError("PROGRAM", what);
}

/// The words after the options of `python` begin at the returned index; none: -c or -m was among them.
std::optional<std::size_t> behind_python_options(const std::vector<std::string>& words) {
    std::size_t i = 0;
    for (; i < words.size() && words[i].starts_with('-') && words[i] != "-"; ++i) {
        const std::string& word = words[i];
        if (word == "--") return i + 1;
        for (std::size_t k = 1; k < word.size(); ++k) {
            if (is_one_of(word[k], kPythonFlags)) continue;
            const bool is_program = is_one_of(word[k], kPythonPrograms);
            if (!is_program && !is_one_of(word[k], kPythonValues))
                refuse(fmt::format("'{}' is no option of bench profile{}", word,
                                   i > 0 ? "; its own stand before those of python" : ", nor of python"));
            if (k + 1 == word.size() && ++i == words.size()) refuse(fmt::format("nothing follows {}", word));
            if (is_program) return std::nullopt;
            break;
        }
    }
    return i;
}

bool is_elf(const std::string& path) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) return false;  // nothing is taken out of a pipe
    std::array<char, SELFMAG> head{};
    std::ifstream file(path, std::ios::binary);
    return file.read(head.data(), head.size()) && std::string_view(head.data(), head.size()) == ELFMAG;
}

void check_program(const std::vector<std::string>& words) {
    const auto script = behind_python_options(words);
    if (!script) return;
    if (*script >= words.size()) refuse("no program was given: bench profile [OPTIONS] SCRIPT, -m MODULE or -c CODE");
    const std::string& word = words[*script];
    std::error_code failure;
    const bool is_command = word.find('/') == std::string::npos && !std::filesystem::exists(word, failure);
    if (is_elf(is_command ? measure::in_search_path(word) : word))
        refuse(
            fmt::format("'{}' is no script of Python; an interpreter is named by --python, and left out here", word));
}

}  // namespace

void add_profile(CLI::App& app, Options& options) {
    CLI::App* profile = app.add_subcommand("profile", "where the time of a Python program goes, by sampled stacks");
    ProfileOptions& own = options.profile;
    profile->callback([&options] {
        options.command = Command::kProfile;
        check_program(options.profile.program);
    });
    profile->footer(
        "bench profile [OPTIONS] [--] [PYTHON'S OPTIONS] PROGRAM [ARGS...]\n"
        "PROGRAM: SCRIPT, -m MODULE or -c CODE\n"
        "Examples:\n"
        "  bench profile -c 'import numpy as np; a = np.ones((128, 128)); [a @ a for _ in range(9999)]'\n"
        "  bench profile --flamegraph out.svg --threads script.py --an-option-of-the-script\n"
        "  bench profile --python venv -m pytest -q tests\n"
        "  bench profile --out before.json script.py; bench profile --against before.json script.py\n"
        "  bench profile --out profile.json -u -X dev -- script.py\n"
        "The program runs as `python` would run it. stdout is its output and then the result, in any --format:\n"
        "for other programs take --out FILE. SIGINT and SIGTERM sent to bench reach the program; a second\n"
        "SIGTERM kills it; what was sampled is kept. Exit code: the program's; 2 usage or environment.");
    profile->add_option("--python", options.subject.python,
                        "interpreter or virtual environment (default: $TARE_PYTHON, else python3 of PATH)");
    profile->add_option("--rate", own.rate_hz, "samples a second (default: 1000)")->check(between(1.0, kFastestHz));
    profile
        ->add_option("--duration", own.duration_s,
                     "end sampling so many seconds after the first sample; the program runs on")
        ->check(between(0.01, 1e6));
    profile
        ->add_option(
            "--python-frames", own.python_frames,
            "of a deeper stack only so many Python frames are known, the innermost (default: 1200, at most 10000; "
            "more leave room for fewer samples at once)")
        ->check(between(1, kMostPythonFrames));
    profile->add_flag("--threads", own.threads, "all threads, not the main one alone; they are told apart");
    profile->add_flag("--gil", own.gil_only, "only samples that held the GIL");
    profile->add_flag("--idle", own.waiting, "time that threads wait, too, by the wall clock");
    profile->add_flag("--subprocesses", own.children, "forked and executed Python children, too");
    add_choice(*profile, "--frames", kFrames, own.frames, "frames of the call tree: both, native or python");
    profile->add_option("--top", own.top, "how many functions and lines to list (default: 15 and 10)")
        ->check(between(1, kMostFunctions));
    add_choice(*profile, "--sort", kOrders, own.order,
               "order of functions and lines in tables: self (default) or cumulative, with what they called");
    profile->add_option("--against", own.against, "show by what it differs from this profile, written by --out")
        ->excludes(profile->get_option("--sort"));
    profile->add_option("--out", options.out, "write the profile as JSON");
    profile->add_option("--flamegraph", own.flame_graph, "write an SVG flame graph");
    profile->add_option("--speedscope", own.speedscope, "write a file for speedscope.app");
    profile->add_option("--folded", own.folded, "write folded stacks for flamegraph.pl");
    profile->add_option("--pprof", own.pprof, "write a file for pprof");
    profile->add_option("--layers", options.ledger.layers,
                        "file of rules from functions to layers, before the shipped ones; may be given again");
    add_format(*profile, options.format);
}

/// The first word that is no option of ours, nor an option's value, or what stands behind `--`.
void take_program_out(const CLI::App& app, std::vector<std::string>& arguments, Options& options) {
    if (arguments.empty() || arguments.front() != "profile") return;
    const CLI::App* profile = app.get_subcommand("profile");
    std::size_t i = 1;
    for (; i < arguments.size() && arguments[i] != "--"; ++i) {
        const CLI::Option* option = profile->get_option_no_throw(arguments[i]);
        if (option == nullptr && !arguments[i].starts_with("--")) break;
        if (option != nullptr && option->get_items_expected_min() > 0) ++i;
    }
    if (i >= arguments.size()) return;
    const auto end_of_ours = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    options.profile.program.assign(end_of_ours + (*end_of_ours == "--" ? 1 : 0), arguments.end());
    arguments.erase(end_of_ours, arguments.end());
}

CLI::Option* add_sampling_rate(CLI::App& command, SamplingOptions& options) {
    return command
        .add_option("--rate", options.rate_hz, "samples a second, within batches that are run for it (default: 1000)")
        ->check(between(1.0, kFastestHz));
}

}  // namespace tare::cli
