// Printable text: what a terminal, a CI's log or a table may be given of names and messages that come out of records,
// files and programs. They are untrusted: an escape sequence in a case's name could move the cursor, or hide a line.
#pragma once

#include <string>
#include <string_view>

namespace tare::record {

/// Control characters (C0 but tab and line's end, DEL, C1), those that turn the direction of writing, and each byte
/// that is no UTF-8, a thread's name may be any, stand as U+FFFD.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace tare::record
