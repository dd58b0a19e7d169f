// What two ledgers differ by: layer by layer and function by function, beyond what memory layouts explain. Pure.
#pragma once

#include <string>
#include <string_view>

#include "harness/core/ledger.h"
#include "harness/core/ledger_difference.h"

namespace tare::attribution {

/// Functions are matched by file and name. Files are matched across builds: BLAS libraries are one, interpreters are
/// one, versions and the hash that a wheel puts into a library's name are left out, unless one side has two files of
/// such a name. The version that a library appends to its functions' names (ucol_open_73 of libicui18n.so.73) is left
/// out, too. Functions without a name are matched only where
/// both files have the same build-id; else all of a file are taken together.
[[nodiscard]] core::LedgerDifference compare_ledgers(const core::Ledger& before, const core::Ledger& after,
                                                     const std::string& side_a, const std::string& side_b);

/// `libscipy_openblas64_-32a4b2a6.so` -> `BLAS`; `libpython3.11.so.1.0`, `python3.11` -> `python`;
/// `libgfortran-040039e1.so.5.0.0` -> `libgfortran.so`; `libgeos-3.13.1.so` -> `libgeos.so`;
/// `_core.cpython-311-x86_64-linux-gnu.so` -> `_core.so`; others as they are.
[[nodiscard]] std::string module_across_builds(std::string_view file_name);

}  // namespace tare::attribution
