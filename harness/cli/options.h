// The command line as values. Parsing touches nothing but the arguments; defaults that depend on the environment are
// resolved by whoever uses them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"
#include "harness/measure/worker_command.h"

namespace tare::cli {

enum class Command { kRun, kList };
enum class Format { kTable, kJson, kCsv, kMarkdown };

struct Options {
    Command command = Command::kRun;
    // the subject and what of it
    std::string python;               ///< empty: $TARE_PYTHON, else python3 of PATH
    std::vector<std::string> suites;  ///< empty: the shipped NumPy suite
    std::string filter;               ///< empty: all
    std::string expression;           ///< -e; replaces the suites
    std::string setup;
    std::optional<measure::Host> host;
    // how to measure
    std::optional<int> cpu;
    int threads = 1;
    int rounds = 5;
    std::optional<std::uint64_t> seed;
    std::chrono::milliseconds time_limit{10'000};
    double visit_budget_s = 0.2;
    // what to give back
    Format format = Format::kTable;
    std::string out;    ///< the record goes there too
    std::string store;  ///< empty: $TARE_STORE, else the user's data folder
    bool show_cpp = false;
    bool show_all = false;  ///< list: cases, not only operations
};

struct Parsed {
    std::optional<Options> options;
    std::optional<core::Error> error;
    std::string text;  ///< where neither is set: the help or version that was asked for
};

/// `arguments` without the program's name.
[[nodiscard]] Parsed parse_options(const std::vector<std::string>& arguments);

}  // namespace tare::cli
