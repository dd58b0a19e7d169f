// Text as RE2 takes it.
#pragma once

#include <re2/stringpiece.h>

#include <string_view>

namespace tare::attribution {

[[nodiscard]] inline re2::StringPiece piece(std::string_view text) {
    return {text.data(), text.size()};
}

}  // namespace tare::attribution
