// The build-id of an ELF file: the linker's hash of its contents, the identity of a build. Lower-case hexadecimal.
// Reads files, no other state; any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "harness/core/error.h"

namespace tare::measure {

/// The build-id of an executable or shared object; empty if the file was linked without one.
/// Errors: kEnvironment if it cannot be read, kData if it is no 64-bit ELF file of this machine or is damaged.
[[nodiscard]] core::Expected<std::string> file_build_id(const std::filesystem::path& path);

/// The build-id among the notes of one PT_NOTE segment (bytes of a file, or of a module in memory), whose entries are
/// padded to `alignment` (the segment's p_align). Empty if there is none. Errors: kData when an entry is cut off.
[[nodiscard]] core::Expected<std::string> build_id_in_notes(std::string_view notes, std::size_t alignment);

}  // namespace tare::measure
