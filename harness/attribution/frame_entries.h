// Frame entries: where functions start and end by .eh_frame, which stripped files keep. Pure: bytes in, ranges out.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tare::attribution {

struct FrameEntry {
    std::uint64_t start = 0;  ///< address in the ELF file
    std::uint64_t end = 0;    ///< past it
    bool operator==(const FrameEntry&) const = default;
};

/// Those of every FDE that can be read, by start; `section_address` is that of .eh_frame. Entries in encodings that
/// linked x86-64 files do not use, and damaged ones, are left out.
[[nodiscard]] std::vector<FrameEntry> frame_entries(std::string_view eh_frame, std::uint64_t section_address);

}  // namespace tare::attribution
