// The parts of a case's name: records and journals hold names only, so operation and parameters are read back from
// them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/core/case.h"

namespace tare::stats {

struct CaseName {
    std::string operation;
    core::Parameters parameters;

    /// The value of a parameter, if the case has it.
    [[nodiscard]] std::optional<std::string> parameter(std::string_view key) const;
    bool operator==(const CaseName&) const = default;
};

/// `add[kind=array,dtype=f8,n=8]` in parts. Commas inside brackets belong to a value: `shape=(2,3)`. Text that is not
/// of this form (a user's own expression, `x[i]`) is an operation without parameters.
[[nodiscard]] CaseName parse_case_name(std::string_view name);

/// `[key=value,...]` without the operation; empty if there are no parameters.
[[nodiscard]] std::string parameters_text(const core::Parameters& parameters);

}  // namespace tare::stats
