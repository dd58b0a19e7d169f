// Ledgers as records and journals hold them: of call trees only which layers a function is in, without light functions,
// and with what many cases share (files, functions, programs) once, in tables. 700 cases stay within 3 MB.
#pragma once

#include <span>
#include <vector>

#include "harness/core/ledger.h"
#include "harness/record/json.h"

namespace tare::record {

/// What is stored of a ledger: only functions of at least half a per cent of the total; and of the call tree one node
/// for each function and layer, without parent and calls.
[[nodiscard]] core::Ledger stored_part(core::Ledger ledger);

struct StoredLedgers {
    Json tables;   ///< {"programs", "files", "functions"}
    Json ledgers;  ///< an array, one a case; refers to the tables by index
};
/// Of their stored parts.
[[nodiscard]] StoredLedgers stored_ledgers_to_json(std::span<const core::Ledger> ledgers);

/// Errors: kData for a ledger that names no case, or an index that leads nowhere. A count's range is widened to hold
/// its value.
[[nodiscard]] core::Expected<std::vector<core::Ledger>> stored_ledgers_from_json(const Json& tables,
                                                                                 const Json& ledgers);

}  // namespace tare::record
