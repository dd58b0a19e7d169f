// Dynamic programming over three rows.
#include "harness/core/edit_distance.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tare::core {

std::size_t edit_distance(std::string_view pattern, std::string_view text, bool anywhere) {
    // Rows over the pattern, columns over the text; three rows suffice, the oldest for swaps.
    std::vector<std::size_t> before_last(text.size() + 1), last(text.size() + 1), row(text.size() + 1);
    for (std::size_t j = 0; j <= text.size(); ++j) row[j] = anywhere ? 0 : j;
    for (std::size_t i = 1; i <= pattern.size(); ++i) {
        std::swap(before_last, last);
        std::swap(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= text.size(); ++j) {
            const std::size_t substituted = last[j - 1] + (pattern[i - 1] == text[j - 1] ? 0 : 1);
            row[j] = std::min({substituted, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && pattern[i - 1] == text[j - 2] && pattern[i - 2] == text[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return anywhere ? *std::min_element(row.begin(), row.end()) : row.back();
}

}  // namespace tare::core
