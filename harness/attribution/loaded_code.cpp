// Ranges by start and binary search; they do not overlap.
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
    lowest_ = ranges_.empty() ? 0 : ranges_.front().start;
    highest_ = lowest_;
    for (const Range& range : ranges_) highest_ = std::max(highest_, range.end);
}

CodeAddress LoadedCode::find(std::uint64_t address) const {
    const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                        [](std::uint64_t a, const Range& range) { return a < range.start; });
    if (after == ranges_.begin() || address >= std::prev(after)->end) return {};
    const Range& range = *std::prev(after);
    return {true, range.file, range.bias, address - range.bias};
}

std::optional<std::uint64_t> LoadedCode::constant_at(std::uint64_t address) const {
    for (const Range& range : ranges_) {
        const auto word = range.file == nullptr ? std::nullopt : range.file->word_at(address - range.bias);
        if (word) return word;
    }
    return std::nullopt;
}

}  // namespace tare::attribution
