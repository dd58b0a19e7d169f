// A record whose kind is not known beforehand: for commands that take any.
#pragma once

#include <filesystem>
#include <variant>

#include "harness/record/duet.h"
#include "harness/record/record.h"

namespace tare::record {

using AnyRecord = std::variant<Record, Duet>;

/// Errors: as read_record, but for the kind.
[[nodiscard]] core::Expected<AnyRecord> read_any_record(const std::filesystem::path& path);

}  // namespace tare::record
