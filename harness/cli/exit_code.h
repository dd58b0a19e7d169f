// Exit codes of `bench`, and which one wins when several hold.
#pragma once

#include <algorithm>
#include <array>

#include "harness/core/error.h"

namespace tare::cli {

enum class ExitCode {
    kDone = 0,
    kRegression = 1,    ///< only with --gate
    kUsage = 2,         ///< usage or environment error
    kInconclusive = 3,  ///< only where the user asked to fail on it
    kCasesFailed = 4,
    kInterrupted = 130,
};

/// If several hold: 2, 130, 1, 4, 3.
[[nodiscard]] constexpr ExitCode stronger(ExitCode a, ExitCode b) {
    constexpr std::array order = {ExitCode::kUsage,       ExitCode::kInterrupted,  ExitCode::kRegression,
                                  ExitCode::kCasesFailed, ExitCode::kInconclusive, ExitCode::kDone};
    return std::find(order.begin(), order.end(), a) < std::find(order.begin(), order.end(), b) ? a : b;
}

[[nodiscard]] constexpr ExitCode exit_code_of(const core::Error& error) {
    return error.code == core::ErrorCode::kInterrupted ? ExitCode::kInterrupted : ExitCode::kUsage;
}

}  // namespace tare::cli
