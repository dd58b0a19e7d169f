// The file beside the records, or, where that cannot be had, memory.
#include "harness/history/store_index.h"

#include <fmt/format.h>

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

    Status update() {
        Expected<std::vector<Refused>> found = update_index(database, store.records());
        if (!found) return tl::unexpected(found.error());
        refused = *std::move(found);
        return {};
    }

    /// What the system refused the file (a full disk, say) memory gives.
    Status move_to_memory(const std::string& why) {
        Expected<Database> fresh = open_index_in_memory();
        if (!fresh) return tl::unexpected(fresh.error());
        database = *std::move(fresh);
        notes.push_back(fmt::format("the index of '{}' is kept in memory ({}): each command reads all records anew",
                                    store.root.string(), why));
        return update();
    }

    /// Damage that shows only now: the index is made anew.
    Status make_anew() {
        Status made = empty_index(database);
        if (made) made = update();
        return made ? made : move_to_memory(made.error().what);
    }

    Status update_or_make_good() {
        Status updated = update();
        if (!updated && updated.error().code == ErrorCode::kData) return make_anew();
        if (!updated) return move_to_memory(updated.error().what);
        return updated;
    }

    /// Asks again where the index proves to be damaged.
    template <class Ask>
    auto ask(const Ask& question) -> decltype(question(database)) {
        auto answer = question(database);
        if (answer || answer.error().code != ErrorCode::kData) return answer;
        if (const Status made = make_anew(); !made) return tl::unexpected(made.error());
        return question(database);
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

const std::vector<StoreIndex::Refused>& StoreIndex::refused() const {
    return state_->refused;
}

const std::vector<std::string>& StoreIndex::notes() const {
    return state_->notes;
}

}  // namespace tare::history
