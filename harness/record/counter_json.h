// Counters in the record's top-level `tare` object: what was asked for and what became of it, and counts case by case.
#pragma once

#include "harness/record/case_counts.h"
#include "harness/record/json.h"
#include "harness/record/record.h"

namespace tare::record {

/// Adds `counters` and `counting_processes`; nothing where none was asked for.
void add_counters(Json& json, const Record& record, const Summary& summary);

/// Adds a case's `counters`, by column, and `instructions_per_cycle` with its reason; nothing where none was asked for.
void add_case_counters(Json& json, Json& reasons, const Summary& summary, const stats::CaseEstimate& estimate);

}  // namespace tare::record
