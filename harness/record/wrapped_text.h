// Text in lines of a width: sentences beneath tables, descriptions in help. Pure.
#pragma once

#include <string>

namespace tare::record {

/// Broken at blanks into lines of at most `width` columns (0: unbroken); longer words stand alone. Line's ends stay.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width);

}  // namespace tare::record
