// A duet's top-level `tare` object: its frame, and its verdicts for readers who do not compute them again. Also what
// `--format json` prints.
#pragma once

#include "harness/record/duet.h"
#include "harness/record/json.h"

namespace tare::record {

[[nodiscard]] Json duet_summary_to_json(const Duet& duet, const std::vector<CaseVerdict>& verdicts);

}  // namespace tare::record
