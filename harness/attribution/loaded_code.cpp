// Ranges by start and binary search; they do not overlap. A compiler tells its code at once, the list of modules is
// read every tenth of a second: what is compiled is code even where no module is listed yet.
#include "harness/attribution/loaded_code.h"

#include <algorithm>

namespace tare::attribution {

void LoadedCode::set(const std::vector<core::CodeModule>& modules) {
    ranges_.clear();
    for (const core::CodeModule& module : modules) {
        if (module.end <= module.start) continue;
        Range range{module.start, module.end, module.bias, nullptr};
        if (!module.path.empty()) {
            auto& file = files_[{module.path, module.build_id}];
            if (file == nullptr) file = std::make_unique<UnwindFile>(module);
            range.file = file.get();
        }
        ranges_.push_back(range);
    }
    std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.start < b.start; });
    lowest_ = highest_ = 0;
    for (const Range& range : ranges_) widen(range);
    for (const auto& [start, range] : compiled_) widen(range);
}

void LoadedCode::widen(const Range& range) {
    lowest_ = highest_ == 0 ? range.start : std::min(lowest_, range.start);
    highest_ = std::max(highest_, range.end);
}

void LoadedCode::add_compiled(std::string object) {
    auto file = std::make_unique<UnwindFile>(std::move(object));
    for (const ElfSection& section : file->code_sections()) {
        if (section.address == 0 || section.size == 0 || section.address + section.size < section.address) continue;
        const std::uint64_t end = section.address + section.size;
        auto first = compiled_.lower_bound(section.address);
        if (first != compiled_.begin() && std::prev(first)->second.end > section.address) --first;
        compiled_.erase(first, compiled_.lower_bound(end));
        const Range range{section.address, end, 0, file.get()};
        compiled_.emplace(section.address, range);
        widen(range);
    }
    compiled_files_.push_back(std::move(file));
}

CodeAddress LoadedCode::find(std::uint64_t address) const {
    const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                        [](std::uint64_t a, const Range& range) { return a < range.start; });
    const bool is_listed = after != ranges_.begin() && address < std::prev(after)->end;
    if (is_listed && std::prev(after)->file != nullptr) {
        const Range& range = *std::prev(after);
        return {true, range.file, range.bias, address - range.bias};
    }
    const auto behind = compiled_.upper_bound(address);
    if (behind != compiled_.begin() && address < std::prev(behind)->second.end)
        return {true, std::prev(behind)->second.file, 0, address};
    return is_listed ? CodeAddress{true, nullptr, 0, address} : CodeAddress{};
}

std::optional<std::uint64_t> LoadedCode::constant_at(std::uint64_t address) const {
    for (const Range& range : ranges_) {
        const auto word = range.file == nullptr ? std::nullopt : range.file->word_at(address - range.bias);
        if (word) return word;
    }
    return std::nullopt;
}

}  // namespace tare::attribution
