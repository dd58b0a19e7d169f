// The record's top-level `tare` object: estimates per case, size fits, failures. Also what `--format json` prints.
#pragma once

#include "harness/record/json.h"
#include "harness/record/record.h"

namespace tare::record {

[[nodiscard]] Json summary_to_json(const Record& record, const Summary& summary);

}  // namespace tare::record
