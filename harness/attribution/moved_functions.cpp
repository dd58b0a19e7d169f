// Each gone function asks for its one counterpart, by name first.
#include "harness/attribution/moved_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace tare::attribution {

using LedgerChange = core::LedgerDifference::Change;

namespace {

/// Below, many functions have the same count by chance.
constexpr std::uint64_t kTellingCount = 500;

using Likes = std::function<bool(const LedgerChange& gone, const LedgerChange& fresh)>;

bool is_moved(const LedgerChange& gone, const LedgerChange& fresh) {
    return gone.before == fresh.after && gone.name == fresh.name && gone.module != fresh.module &&
           gone.name != core::kNameless;
}

bool is_renamed(const LedgerChange& gone, const LedgerChange& fresh) {
    return gone.before == fresh.after && gone.module == fresh.module && gone.before.value >= kTellingCount;
}

/// The only one that `gone` likes and that likes no other; null: none or several.
const LedgerChange* counterpart(const LedgerChange& gone, const std::vector<LedgerChange>& changes,
                                const std::vector<bool>& is_taken, const Likes& likes) {
    const LedgerChange* found = nullptr;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const LedgerChange& fresh = changes[i];
        if (is_taken[i] || fresh.kind != core::LedgerDifference::Kind::kNew || !likes(gone, fresh)) continue;
        if (found != nullptr) return nullptr;
        found = &fresh;
    }
    if (found == nullptr) return nullptr;
    std::size_t rivals = 0;
    for (std::size_t i = 0; i < changes.size(); ++i)
        rivals += !is_taken[i] && changes[i].kind == core::LedgerDifference::Kind::kGone && likes(changes[i], *found);
    return rivals == 1 ? found : nullptr;
}

}  // namespace

std::vector<std::string> take_moved(std::vector<LedgerChange>& changes, Renaming renaming) {
    std::vector<std::string> texts(changes.size());
    std::vector<bool> is_taken(changes.size());
    const auto take = [&](const Likes& likes, const auto& text) {
        for (std::size_t i = 0; i < changes.size(); ++i) {
            if (is_taken[i] || changes[i].kind != core::LedgerDifference::Kind::kGone) continue;
            const LedgerChange* fresh = counterpart(changes[i], changes, is_taken, likes);
            if (fresh == nullptr) continue;
            is_taken[i] = is_taken[static_cast<std::size_t>(fresh - changes.data())] = true;
            texts[i] = text(changes[i], *fresh);
        }
    };
    take(is_moved, [](const LedgerChange& gone, const LedgerChange& fresh) {
        return fmt::format("{}: {} -> {}", gone.name, gone.module, fresh.module);
    });
    if (renaming == Renaming::kPossible)
        take(is_renamed, [](const LedgerChange& gone, const LedgerChange& fresh) {
            return fmt::format("{} -> {} ({})", gone.name, fresh.name, gone.module);
        });
    std::size_t next = 0;
    std::erase_if(changes, [&](const LedgerChange&) { return is_taken[next++]; });
    std::erase(texts, "");
    return texts;
}

void take_moved(core::LedgerDifference& difference) {
    difference.moved = take_moved(difference.functions, Renaming::kNone);
    for (std::string& moved : take_moved(difference.python_functions, Renaming::kPossible))
        difference.moved.push_back(std::move(moved));
}

}  // namespace tare::attribution
