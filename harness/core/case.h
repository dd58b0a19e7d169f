// What can be measured: an operation with its parameters fixed is a case, written `add[kind=array,dtype=f8,n=8]`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/core/rung_kind.h"

namespace tare::core {

using Parameters = std::vector<std::pair<std::string, std::string>>;  ///< in the order of declaration

struct Case {
    std::string operation;        ///< `add`
    Parameters parameters;        ///< kind=array, dtype=f8, n=8
    std::string statement;        ///< `x + y`
    std::vector<RungKind> rungs;  ///< those that apply, in the order of kAllRungs

    /// `operation[key=value,...]`, or the bare operation when it has no parameters.
    [[nodiscard]] std::string name() const;
    /// The value of a parameter; empty if the case has none of that name.
    [[nodiscard]] std::string parameter(std::string_view key) const;

    bool operator==(const Case&) const = default;
};

/// Everything that a subject can measure, with what could not be loaded.
struct Catalogue {
    struct Problem {
        std::string file;
        std::string error;
        /// "FILE: ERROR"; the error alone where it says the line, and so the file.
        [[nodiscard]] std::string text() const;
        bool operator==(const Problem&) const = default;
    };
    std::vector<Case> cases;
    std::vector<Problem> problems;

    bool operator==(const Catalogue&) const = default;
};

}  // namespace tare::core
