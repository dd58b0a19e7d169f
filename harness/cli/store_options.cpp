// The options of `bench store` and its own commands.
#include "harness/cli/option_kit.h"

namespace tare::cli {

namespace {

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
    static const Choices<Format> kFormats = {{"table", Format::kTable}, {"json", Format::kJson}};
    add_choice(*check, "--format", kFormats, options.format, "what stdout carries: table or json");
}

}  // namespace

void add_store(CLI::App& app, Options& options) {
    CLI::App* store = app.add_subcommand("store", "the records that are kept, and what trends make of them");
    store->require_subcommand(1);
    add_check(*store, options);
}

}  // namespace tare::cli
