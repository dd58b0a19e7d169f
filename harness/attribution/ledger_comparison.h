// What two ledgers differ by: layer by layer and function by function, beyond what memory layouts explain. Pure.
#pragma once

#include <string>

#include "harness/core/ledger.h"
#include "harness/core/ledger_difference.h"

namespace tare::attribution {

/// Functions are matched by file and name. Files are matched across builds: BLAS libraries are one, interpreters are
/// one, versions and the hash that a wheel puts into a library's name are left out; where one side has two files of
/// such a name, the package that owns them is part of it, and where a package has two, the version. What only moved or
/// was renamed (moved_functions.h) is a note. The version that a library appends to its functions' names (ucol_open_73
/// of libicui18n.so.73) is left out, too. Functions without a name are matched only where both files have the same
/// build-id; else all of a file are taken together.
[[nodiscard]] core::LedgerDifference compare_ledgers(const core::Ledger& before, const core::Ledger& after,
                                                     const std::string& side_a, const std::string& side_b);

}  // namespace tare::attribution
