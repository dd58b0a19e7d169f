// Plain text; no colours on stderr.
#include "harness/cli/message.h"

#include <fmt/format.h>

#include "harness/record/printable.h"

namespace tare::cli {

void print_error(const Streams& streams, const core::Error& error) {
    streams.err << "bench: error: " << record::printable(error.what) << '\n';
    if (!error.hint.empty()) streams.err << "  " << record::printable(error.hint) << '\n';
    streams.err.flush();
}

void print_warning(const Streams& streams, std::string_view text) {
    streams.err << "bench: warning: " << record::printable(text) << '\n';
    streams.err.flush();
}

void print_problems(const Streams& streams, const core::Catalogue& catalogue) {
    for (const core::Catalogue::Problem& problem : catalogue.problems) print_warning(streams, problem.text());
}

std::string counted(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace tare::cli
