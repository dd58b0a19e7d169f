// Word by word.
#include "harness/record/wrapped_text.h"

#include <algorithm>
#include <string_view>

#include "harness/record/number_text.h"

namespace tare::record {

std::string wrapped(const std::string& text, std::size_t width) {
    if (width == 0) return text;
    std::string lines;
    std::size_t column = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
        const std::size_t columns = text_columns(std::string_view(text).substr(begin, end - begin));
        if (column > 0 && column + 1 + columns > width) {
            lines += '\n';
            column = 0;
        } else if (column > 0) {
            lines += ' ';
            ++column;
        }
        lines.append(text, begin, end - begin);
        column += columns;
        if (end < text.size() && text[end] == '\n') {
            lines += '\n';
            column = 0;
        }
        begin = end + 1;
    }
    return lines;
}

}  // namespace tare::record
