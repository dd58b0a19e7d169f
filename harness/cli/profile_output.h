// What `bench profile` gives back: the table or another format on stdout, and the files asked for.
#pragma once

#include "harness/cli/options.h"
#include "harness/cli/streams.h"
#include "harness/core/error.h"
#include "harness/core/profile.h"

namespace tare::cli {

/// Errors: kUsage where a file named by an option cannot be written, before anything runs.
[[nodiscard]] core::Status check_profile_files(const Options& options);

/// `before`: the profile of --against; null: none.
void print_profile(const Options& options, const Streams& streams, const core::Profile& profile,
                   const core::Profile* before);

/// All of them, also where one fails: the first error.
[[nodiscard]] core::Status write_profile_files(const Options& options, const core::Profile& profile);

}  // namespace tare::cli
