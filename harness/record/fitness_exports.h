// A machine's fitness for programs and for pull requests: JSON, CSV, Markdown. Pure.
#pragma once

#include <string>

#include "harness/core/fitness.h"

namespace tare::record {

/// {"cpu", "fit_for", "verdict", "findings": [{"topic", "state", "affects", "found", "meaning", "values": {name with
/// unit: number, text or null}, "remedies": [{"action", "command", "undo"}]}]}; a command or undo that there is not is
/// null.
[[nodiscard]] std::string fitness_json(const core::Fitness& fitness);
/// topic,state,affects,found,meaning,action,command,undo: a line for each remedy, and one for a topic without.
[[nodiscard]] std::string fitness_csv(const core::Fitness& fitness);
[[nodiscard]] std::string fitness_markdown(const core::Fitness& fitness);

}  // namespace tare::record
