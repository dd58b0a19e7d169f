// What `bench duet` and `bench compare` give back: results on stdout, a summary in a file, annotations, the exit code.
#pragma once

#include <string>

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"
#include "harness/record/comparison.h"
#include "harness/record/duet.h"

namespace tare::cli {

/// The same results in the shapes that the options may ask for.
struct VerdictTexts {
    std::string heading;  ///< what was compared, and where; above the table
    std::string json;
    std::string summary;  ///< Markdown
};

[[nodiscard]] ExitCode give_comparison(const Options& options, const Streams& streams,
                                       const record::Comparison& comparison, const VerdictTexts& texts);

[[nodiscard]] ExitCode give_verdicts(const Options& options, const Streams& streams, const record::Duet& duet,
                                     const std::vector<record::CaseVerdict>& verdicts);

}  // namespace tare::cli
