// Each gone function asks for its one counterpart, by name first.
#include "harness/attribution/moved_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace tare::attribution {

using LedgerChange = core::LedgerDifference::Change;

namespace {

/// Below, many functions have the same count by chance.
constexpr std::uint64_t kTellingCount = 50;

using Likes = std::function<bool(const LedgerChange& gone, const LedgerChange& fresh)>;

bool is_moved(const LedgerChange& gone, const LedgerChange& fresh) {
    return gone.before == fresh.after && gone.name == fresh.name && gone.module != fresh.module;
}

bool is_renamed(const LedgerChange& gone, const LedgerChange& fresh) {
    return gone.before == fresh.after && gone.module == fresh.module && gone.before.value >= kTellingCount;
}

/// The only one that `gone` likes and that likes no other; null: none or several.
const LedgerChange* counterpart(const LedgerChange& gone, const std::vector<LedgerChange>& changes,
                                const Likes& likes) {
    const LedgerChange* found = nullptr;
    for (const LedgerChange& fresh : changes) {
        if (fresh.kind != core::LedgerDifference::Kind::kNew || !likes(gone, fresh)) continue;
        if (found != nullptr) return nullptr;
        found = &fresh;
    }
    if (found == nullptr) return nullptr;
    const auto rivals = std::ranges::count_if(changes, [&](const LedgerChange& other) {
        return other.kind == core::LedgerDifference::Kind::kGone && likes(other, *found);
    });
    return rivals == 1 ? found : nullptr;
}

}  // namespace

std::vector<std::string> take_moved(std::vector<LedgerChange>& changes) {
    std::vector<std::string> texts;
    std::vector<bool> is_taken(changes.size());
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const LedgerChange& gone = changes[i];
        if (gone.kind != core::LedgerDifference::Kind::kGone) continue;
        const LedgerChange* moved = counterpart(gone, changes, is_moved);
        const LedgerChange* fresh = moved != nullptr ? moved : counterpart(gone, changes, is_renamed);
        if (fresh == nullptr || is_taken[static_cast<std::size_t>(fresh - changes.data())]) continue;
        is_taken[i] = is_taken[static_cast<std::size_t>(fresh - changes.data())] = true;
        texts.push_back(moved != nullptr ? fmt::format("{}: {} -> {}", gone.name, gone.module, fresh->module)
                                         : fmt::format("{} -> {} ({})", gone.name, fresh->name, gone.module));
    }
    std::size_t next = 0;
    std::erase_if(changes, [&](const LedgerChange&) { return is_taken[next++]; });
    return texts;
}

}  // namespace tare::attribution
