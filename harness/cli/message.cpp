// Plain text; no colours on stderr.
#include "harness/cli/message.h"

#include <fmt/format.h>

namespace tare::cli {

void print_error(const Streams& streams, const core::Error& error) {
    streams.err << "bench: error: " << error.what << '\n';
    if (!error.hint.empty()) streams.err << "  " << error.hint << '\n';
    streams.err.flush();
}

void print_warning(const Streams& streams, std::string_view text) {
    streams.err << "bench: warning: " << text << '\n';
    streams.err.flush();
}

void print_problems(const Streams& streams, const core::Catalogue& catalogue) {
    for (const core::Catalogue::Problem& problem : catalogue.problems)
        print_warning(streams, fmt::format("{} cannot be read: {}", problem.file, problem.error));
}

}  // namespace tare::cli
