// The options of `bench store` and its own commands.
#include "harness/cli/option_kit.h"

namespace tare::cli {

namespace {

const Choices<std::optional<history::ForeignFormat>> kForeignFormats = {
    {"asv", history::ForeignFormat::kAsv},
    {"pyperf", history::ForeignFormat::kPyperf},
    {"gbench", history::ForeignFormat::kGbench},
    {"pytest-benchmark", history::ForeignFormat::kPytestBenchmark}};

void add_check(CLI::App& store, Options& options) {
    CLI::App* check = store.add_subcommand("check", "list the records, and name the files that are none");
    check->callback([&options] {
        options.command = Command::kStore;
        options.store_command.action = StoreAction::kCheck;
    });
    check->footer(
        "Examples:\n"
        "  bench store check\n"
        "  bench store check --rows --rebuild\n"
        "Exit codes: 0 all files are records; 2 usage or environment; 4 some are not; 130 interrupted.");
    check->add_flag("--rebuild", options.store_command.rebuild, "make the index anew from all records");
    check->add_flag("--rows", options.store_command.rows,
                    "read every row of every record, too: damage among them does not show in trends");
    check->add_option("--store", options.store,
                      "where the records are (default: $TARE_STORE, else the user's data folder)");
    static const Choices<Format> kCheckFormats = {{"table", Format::kTable}, {"json", Format::kJson}};
    add_choice(*check, "--format", kCheckFormats, options.format, "what stdout carries: table or json");
}

void add_import(CLI::App& store, Options& options) {
    CLI::App* command = store.add_subcommand("import", "other tools' results become records");
    command->callback([&options] {
        options.command = Command::kStore;
        options.store_command.action = StoreAction::kImport;
    });
    command->footer(
        "PATH is a folder of asv's results (with benchmarks.json), a file of them, a pyperf .json or .json.gz,\n"
        "or the JSON of Google Benchmark or pytest-benchmark; in a folder every such file. One file becomes\n"
        "one record; a time that cannot be true is left out and named, with exit code 0. A file\n"
        "imported again adds nothing, or replaces its record where it says something new (pyperf --append).\n"
        "With another --filter its cases join those that the record has. Times only: memory and tracked\n"
        "values are counted and left out, so are results of another version of a benchmark than\n"
        "benchmarks.json describes.\n"
        "Examples:\n"
        "  bench store import ../numpy/benchmarks/results\n"
        "  bench store import results/i7 --filter 'bench_ufunc.*n=' --project numpy\n"
        "  bench store import pyperf.json.gz gbench.json --machine lab-3\n"
        "Exit codes: 0 done; 2 usage or environment, or nothing could be imported; 4 some files were refused.");
    command->add_option("PATH", options.store_command.imported, "files and folders of results")
        ->required()
        ->check(not_blank("path"));
    command->add_option("--store", options.store,
                        "where records go (default: $TARE_STORE, else the user's data folder)");
    add_choice(*command, "--format-of", kForeignFormats, options.store_command.format,
               "asv, pyperf, gbench or pytest-benchmark: what the files are (default: told by their content)");
    command
        ->add_option("--machine", options.store_command.machine,
                     "name of the machine, in place of the one in the files (a host's name; of asv its own)")
        ->check(not_blank("name"));
    command
        ->add_option(
            "--project", options.store_command.project,
            "what was measured, numpy for instance (default: as asv.conf.json beside the results says); series of "
            "two projects are never mixed")
        ->check(not_blank("name"));
    command->add_option("--filter", options.filter, "regular expression searched in the names of cases");
}

}  // namespace

void add_store(CLI::App& app, Options& options) {
    CLI::App* store = app.add_subcommand("store", "the records that are kept; results of other tools become some");
    store->require_subcommand(1);
    add_check(*store, options);
    add_import(*store, options);
}

}  // namespace tare::cli
