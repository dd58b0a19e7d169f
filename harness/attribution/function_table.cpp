// Sorted tables and binary search; nested symbols are found by walking back as long as an earlier one reaches so far.
#include "harness/attribution/function_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tare::attribution {

namespace {

std::uint64_t end_of(const FunctionSymbol& symbol) {
    return symbol.start + symbol.size;
}

bool is_preferred(const FunctionSymbol& a, const FunctionSymbol& b) {
    if (a.start != b.start) return a.start < b.start;
    const auto key = [](const FunctionSymbol& s) {
        const std::string_view name =
            s.name.substr(0, s.name.find('@'));  // debug files write versions, .dynsym does not
        const std::size_t underscores = std::min(name.find_first_not_of('_'), name.size());
        return std::tuple(s.source, !s.is_typed, ~s.size, s.is_local, underscores, name.size(), s.name);
    };
    return key(a) < key(b);
}

/// The last element that starts at or before an address; null where there is none.
template <class T>
const T* last_before(const std::vector<T>& sorted, std::uint64_t address) {
    const auto after = std::upper_bound(sorted.begin(), sorted.end(), address,
                                        [](std::uint64_t a, const T& element) { return a < element.start; });
    return after == sorted.begin() ? nullptr : &*std::prev(after);
}

}  // namespace

FunctionTable::FunctionTable(std::vector<FunctionSymbol> symbols, std::vector<FrameEntry> frames)
    : symbols_(std::move(symbols)), frames_(std::move(frames)) {
    for (FunctionSymbol& symbol : symbols_) {
        if (symbol.size != 0) continue;
        // Hand-written assembly: only a frame entry that starts just there knows how far it goes.
        const FrameEntry* frame = frame_around(symbol.start);
        if (frame != nullptr && frame->start == symbol.start) symbol.size = frame->end - frame->start;
    }
    std::erase_if(symbols_, [](const FunctionSymbol& s) { return s.size == 0 || end_of(s) < s.start; });
    std::sort(symbols_.begin(), symbols_.end(), is_preferred);
    symbols_.erase(std::unique(symbols_.begin(), symbols_.end(),
                               [](const FunctionSymbol& a, const FunctionSymbol& b) { return a.start == b.start; }),
                   symbols_.end());
    std::uint64_t latest = 0;
    for (const FunctionSymbol& symbol : symbols_) latest_ends_.push_back(latest = std::max(latest, end_of(symbol)));
}

std::optional<FunctionRange> FunctionTable::find(std::uint64_t address) const {
    const FrameEntry* frame = frame_around(address);
    const FunctionSymbol* symbol = symbol_around(address);
    if (frame == nullptr && symbol == nullptr) return std::nullopt;
    if (frame == nullptr) return FunctionRange{symbol->start, end_of(*symbol), symbol};

    // A symbol that starts with the frame entry and is alone in it is the whole of it, however its size was written.
    const FunctionSymbol* first = symbol_at(frame->start);
    if (first != nullptr && (symbol == nullptr || symbol == first)) {
        if (is_only_symbol_in(*frame)) return FunctionRange{first->start, std::max(end_of(*first), frame->end), first};
        if (symbol == nullptr) return std::nullopt;  // between the functions of one frame entry
        return FunctionRange{first->start, end_of(*first), first};
    }
    if (symbol != nullptr && symbol->source != core::NameSource::kDynamicSymbols) {
        // Assembly writes several functions under one frame entry (entry points), and several entries for one function
        // (glibc's clone); __restore_rt's begins one byte before it. Exported symbols alone prove neither.
        const bool is_in_frame = symbol->start > frame->start && end_of(*symbol) <= frame->end;
        const bool holds_frame = symbol->start < frame->start && end_of(*symbol) >= frame->end;
        if (is_in_frame || holds_frame) return FunctionRange{symbol->start, end_of(*symbol), symbol};
    }
    if (first == nullptr) return FunctionRange{frame->start, frame->end, nullptr};
    if (address < end_of(*first)) return FunctionRange{first->start, end_of(*first), first};
    return std::nullopt;
}

const FunctionSymbol* FunctionTable::symbol_at(std::uint64_t start) const {
    const FunctionSymbol* symbol = last_before(symbols_, start);
    return symbol != nullptr && symbol->start == start ? symbol : nullptr;
}

const FrameEntry* FunctionTable::frame_around(std::uint64_t address) const {
    const FrameEntry* frame = last_before(frames_, address);
    return frame != nullptr && address < frame->end ? frame : nullptr;
}

const FunctionSymbol* FunctionTable::symbol_around(std::uint64_t address) const {
    const FunctionSymbol* last = last_before(symbols_, address);
    if (last == nullptr) return nullptr;
    for (auto i = static_cast<std::size_t>(last - symbols_.data()) + 1; i-- > 0;) {
        if (latest_ends_[i] <= address) return nullptr;
        if (address < end_of(symbols_[i])) return &symbols_[i];
    }
    return nullptr;
}

bool FunctionTable::is_only_symbol_in(const FrameEntry& frame) const {
    const FunctionSymbol* last = last_before(symbols_, frame.end - 1);
    return last != nullptr && last->start == frame.start;
}

}  // namespace tare::attribution
