// Pieces that the texts of ledgers share: shares, spreads, modules, BLAS routes, and what the call tree says of a
// function. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/core/ledger.h"
#include "harness/record/number_text.h"

namespace tare::record {

struct LedgerTableOptions {
    std::size_t width = 0;  ///< columns of the terminal; 0: no limit
    TextStyle style;
    std::size_t most_functions = 15;  ///< the heaviest
    double smallest_share = 0.005;    ///< the call tree is cut below it
};

/// `part` of the total; 0 of nothing.
[[nodiscard]] double share_of(std::uint64_t part, std::uint64_t total);
/// "125 to 130"; empty where all layouts have one count.
[[nodiscard]] std::string spread_text(const core::Count& count);
/// The file's name without folders; "[jit]" for code compiled at run time.
[[nodiscard]] std::string file_name_of(const std::string& path);
[[nodiscard]] std::string module_of(const core::Ledger& ledger, const core::LedgerFunction& function);

/// "3,770 instructions, 3,770 to 3,822 over 5 layouts"
[[nodiscard]] std::string total_text(const core::Ledger& ledger);
/// "a floor of 41 is subtracted; stepping took 12.6 us an instruction"
[[nodiscard]] std::string stepping_text(const core::Ledger& ledger, const TextStyle& style);
/// "cblas_ssyrk -> ssyrk_LT (ssyrk, LT, SKYLAKEX, 812 instructions)"
[[nodiscard]] std::string route_text(const core::BlasRoute& route);
/// "ssyrk LT SKYLAKEX"
[[nodiscard]] std::string short_route_text(const core::BlasRoute& route);

/// What the call tree says of one function.
struct FunctionPlace {
    std::uint64_t calls = 0;
    std::vector<std::pair<std::string, std::uint64_t>> layers;   ///< with instructions, most first
    std::vector<std::pair<std::string, std::uint64_t>> callers;  ///< likewise
};
/// By index into Ledger::functions; tolerates indices that lead nowhere.
[[nodiscard]] std::vector<FunctionPlace> places_of(const core::Ledger& ledger);
/// "type_resolution", "allocation + 1" where it is in two.
[[nodiscard]] std::string layers_text(const FunctionPlace& place);
/// "from array_add 60 %, f 40 %"; at most two callers, whose names are shortened.
[[nodiscard]] std::string callers_text(const FunctionPlace& place, const TextStyle& style);

/// Lines of at most `width` columns, broken at blanks, all but the first indented; each ends with a line's end. 0: one.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                                  const TextStyle& style);

}  // namespace tare::record
