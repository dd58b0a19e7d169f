// Which counters work on a machine, as text: for `bench pmu check`. Every distinct reason is told once, with what would
// change it. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/core/counter.h"
#include "harness/record/number_text.h"

namespace tare::record {

struct CounterCheck {
    int cpu = 0;
    std::string pmu;      ///< the kernel's, of this CPU; empty: none
    bool kernel = false;  ///< the kernel was counted, too
    std::vector<core::CounterRequest> requests;
    core::OpenCounters counters;
};

/// `width` 0: no limit.
[[nodiscard]] std::string print_counter_check(const CounterCheck& check, std::size_t width, const TextStyle& style);
/// {"cpu", "pmu", "kernel", "passes", "counters": [{"name", "role", "source", "event", "pmu", "type", "config",
/// "state", "passes", "reading_cost", "problem": {"errno", "reason", "hint"} or null}]}; passes count from 0.
[[nodiscard]] std::string print_counter_check_json(const CounterCheck& check);
/// counter,event,state,passes,errno,reason,hint
[[nodiscard]] std::string print_counter_check_csv(const CounterCheck& check);
[[nodiscard]] std::string print_counter_check_markdown(const CounterCheck& check);

}  // namespace tare::record
