// `check`: what the index says of each file, and on request what reading every row says.
#include "harness/cli/store_command.h"

#include <algorithm>

#include "harness/cli/interrupt.h"
#include "harness/cli/message.h"
#include "harness/cli/store_access.h"
#include "harness/cli/store_import.h"
#include "harness/history/store_listing.h"
#include "harness/record/any_record.h"

namespace tare::cli {

using core::Error;
using core::Expected;
using core::Status;

namespace {

/// Files that the index takes for records, but whose rows cannot be read, become refused ones.
Status check_rows(const record::Store& store, history::StoreListing& listing) {
    for (const history::IndexedRecord& each : listing.records) {
        if (interrupted()) return core::fail(core::ErrorCode::kInterrupted, "interrupted: not all records were read");
        const std::filesystem::path path = store.records() / each.file;
        if (const auto read = record::read_any_record(path); !read) listing.refused.push_back({path, read.error()});
    }
    std::erase_if(listing.records, [&](const history::IndexedRecord& each) {
        return std::any_of(listing.refused.begin(), listing.refused.end(),
                           [&](const auto& refused) { return refused.file.filename() == each.file; });
    });
    return {};
}

Expected<ExitCode> check_store(const Options& options, const Streams& streams) {
    const Expected<record::Store> store = open_existing_store(options);
    if (!store) return tl::unexpected<Error>(store.error());
    Expected<history::StoreIndex> index = history::StoreIndex::open(*store);
    if (!index) return tl::unexpected<Error>(index.error());
    if (options.store_command.rebuild)
        if (Status made = index->rebuild(); !made) return tl::unexpected<Error>(made.error());
    auto records = index->records();
    if (!records) return tl::unexpected<Error>(records.error());
    index->let_go();
    history::StoreListing listing{store->root.string(), *std::move(records), index->refused(), index->notes()};
    if (options.store_command.rows)
        if (Status read = check_rows(*store, listing); !read) return tl::unexpected<Error>(read.error());
    streams.out << (options.format == Format::kJson
                        ? print_listing_json(listing)
                        : print_listing(listing, streams.width, {.color = streams.color, .unicode = true}));
    streams.out.flush();
    return listing.refused.empty() ? ExitCode::kDone : ExitCode::kCasesFailed;
}

}  // namespace

ExitCode store_command(const Options& options, const Streams& streams) {
    const Expected<ExitCode> code = [&]() -> Expected<ExitCode> {
        switch (options.store_command.action) {
            case StoreAction::kCheck:
                return check_store(options, streams);
            case StoreAction::kImport:
                return store_import(options, streams);
        }
        return ExitCode::kUsage;
    }();
    if (code) return *code;
    print_error(streams, code.error());
    return exit_code_of(code.error());
}

}  // namespace tare::cli
