// JSON inside an HTML page: text of a record, which anyone may have written, must not end the element that holds it.
#pragma once

#include <string>

#include "harness/record/json.h"

namespace tare::history {

/// The same value with every '<' as \u003c. In JSON it occurs in strings only, and without it neither `</script` nor
/// `<!--` can (HTML standard, 4.12.1.3: restrictions for contents of script elements).
[[nodiscard]] inline std::string script_json(const record::Json& json) {
    const std::string text = record::compact(json);
    std::string safe;
    safe.reserve(text.size());
    for (const char c : text) {
        if (c == '<')
            safe += "\\u003c";
        else
            safe += c;
    }
    return safe;
}

}  // namespace tare::history
