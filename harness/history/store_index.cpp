// The file beside the records, or, where that cannot be had, memory.
#include "harness/history/store_index.h"

#include <fmt/format.h>

#include <optional>

#include "harness/history/index_layout.h"
#include "harness/history/index_queries.h"
#include "harness/history/index_update.h"

namespace tare::history {

using core::ErrorCode;
using core::Expected;
using core::Status;

struct StoreIndex::State {
    record::Store store;
    Database database;
    std::vector<Refused> refused;
    std::vector<std::string> notes;
    std::optional<Transaction> snapshot = std::nullopt;  ///< after the database: it ends first

    Status update() {
        snapshot.reset();
        Expected<UpToDate> done = update_index(database, store.records());
        if (!done) return tl::unexpected(done.error());
        refused = std::move(done->refused);
        snapshot.emplace(std::move(done->snapshot));
        return {};
    }

    /// What the system refused the file (a full disk, say) memory gives.
    Status move_to_memory(const std::string& why) {
        snapshot.reset();
        Expected<Database> fresh = open_index_in_memory();
        if (!fresh) return tl::unexpected(fresh.error());
        database = *std::move(fresh);
        notes.push_back(fmt::format("the index of '{}' is kept in memory ({}): each command reads all records anew",
                                    store.root.string(), why));
        return update();
    }

    /// Fills another database and puts it in the index's place at once: who reads meanwhile gets no partial answer.
    Status replace() {
        Expected<Database> fresh = open_temporary_index();
        if (!fresh) return tl::unexpected(fresh.error());
        if (const auto filled = update_index(*fresh, store.records()); !filled) return tl::unexpected(filled.error());
        Status copied = database.become(*fresh);
        if (copied || copied.error().code != ErrorCode::kData) return copied;
        if (Status empty = database.reset(); !empty) return empty;  // not even a database any more
        return database.become(*fresh);
    }

    /// On request, or for damage that shows only now.
    Status make_anew() {
        snapshot.reset();
        Status made = replace();
        if (made) made = update();
        return made ? made : move_to_memory(made.error().what);
    }

    Status update_or_make_good() {
        Status updated = update();
        if (!updated && updated.error().code == ErrorCode::kData) return make_anew();
        if (!updated) return move_to_memory(updated.error().what);
        return updated;
    }

    template <class Ask>
    auto ask_once(const Ask& question) -> decltype(question(database)) {
        if (snapshot) return question(database);
        const Expected<Transaction> own = Transaction::begin(database, Transaction::Kind::kRead);
        if (!own) return tl::unexpected(own.error());
        return question(database);
    }

    /// Asks again where the index proves to be damaged.
    template <class Ask>
    auto ask(const Ask& question) -> decltype(question(database)) {
        auto answer = ask_once(question);
        if (answer || answer.error().code != ErrorCode::kData) return answer;
        if (const Status made = make_anew(); !made) return tl::unexpected(made.error());
        return ask_once(question);
    }
};

StoreIndex::StoreIndex(std::unique_ptr<State> state) : state_(std::move(state)) {}
StoreIndex::StoreIndex(StoreIndex&&) noexcept = default;
StoreIndex& StoreIndex::operator=(StoreIndex&&) noexcept = default;
StoreIndex::~StoreIndex() = default;

Expected<StoreIndex> StoreIndex::open(const record::Store& store) {
    std::error_code ignored;
    const bool has_folder = std::filesystem::is_directory(store.records(), ignored);
    Expected<OpenedIndex> opened = [&]() -> Expected<OpenedIndex> {
        if (has_folder) return open_index(store.root / kIndexFile);
        return open_index_in_memory().map([](Database&& database) { return OpenedIndex{std::move(database), ""}; });
    }();
    if (!opened) return tl::unexpected(opened.error());
    StoreIndex index(std::make_unique<State>(State{store, std::move(opened->database), {}, {}}));
    if (!opened->note.empty()) index.state_->notes.push_back(opened->note);
    if (const Status updated = index.state_->update_or_make_good(); !updated) return tl::unexpected(updated.error());
    return index;
}

Expected<std::vector<IndexedRecord>> StoreIndex::records() {
    return state_->ask(query_records);
}

Expected<std::vector<core::Series>> StoreIndex::series(const SeriesQuery& query) {
    return state_->ask([&](Database& database) { return query_series(database, query); });
}

Expected<std::vector<std::string>> StoreIndex::metrics() {
    return state_->ask(query_metrics);
}

Expected<std::vector<std::string>> StoreIndex::case_names() {
    return state_->ask(query_case_names);
}

Status StoreIndex::rebuild() {
    return state_->make_anew();
}

void StoreIndex::let_go() {
    state_->snapshot.reset();
}

const std::vector<StoreIndex::Refused>& StoreIndex::refused() const {
    return state_->refused;
}

const std::vector<std::string>& StoreIndex::notes() const {
    return state_->notes;
}

}  // namespace tare::history
