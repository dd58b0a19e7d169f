// The options of `bench worker` and its own commands.
#include "harness/cli/option_kit.h"

namespace tare::cli {

namespace {

void add_worker_build(CLI::App& worker, Options& options) {
    CLI::App* build = worker.add_subcommand("build", "build a worker for an interpreter that there is none for");
    build->callback([&options] {
        options.command = Command::kWorker;
        options.worker.action = WorkerAction::kBuild;
    });
    build->footer(
        "Needs CMake, a compiler of C++20 and the headers of the interpreter (Debian: cmake, g++, python3-dev; also\n"
        "python -m pip install cmake ninja), and nothing from a network. It takes a minute or two, once for each\n"
        "version of CPython and of bench; what was built is kept in $XDG_CACHE_HOME/tare/workers and found there.\n"
        "Examples:\n"
        "  bench worker build --python ~/.pyenv/versions/3.13.0/bin/python\n"
        "  CXX=clang++ bench worker build --python venv\n"
        "Exit codes: 0 it is there and works; 2 usage, or it cannot be built; 130 interrupted.");
    build->add_option("--python", options.subject.python,
                      "interpreter or virtual environment (default: $TARE_PYTHON, else python3 of PATH)");
    add_host(*build, options.subject.host);
    build->add_flag("--anew", options.worker.anew, "even where there is one: after a change of its sources");
}

void add_worker_list(CLI::App& worker, Options& options) {
    CLI::App* list = worker.add_subcommand("list", "the workers that there are: ABI, host, file");
    list->callback([&options] {
        options.command = Command::kWorker;
        options.worker.action = WorkerAction::kList;
    });
    list->footer("Exit codes: 0 done; 2 usage or environment.");
}

}  // namespace

void add_worker(CLI::App& app, Options& options) {
    CLI::App* worker = app.add_subcommand("worker", "the programs that measure, one for each version of CPython");
    worker->require_subcommand(1);
    add_worker_build(*worker, options);
    add_worker_list(*worker, options);
}

}  // namespace tare::cli
