// Moved functions: of what is gone on one side and new on the other, that which executes as many instructions under
// another name or in another file, and so has not changed. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/core/ledger_difference.h"

namespace tare::attribution {

/// Whether functions may have been renamed, too.
enum class Renaming { kNone, kPossible };

/// Takes out the pairs of a gone and a new function whose counts are the same over all layouts: with one name in two
/// modules, or else with two names in one module where no third has that count, which is not small. In the order of the
/// list, each as `f: a.py -> b.py` or `f -> g (a.py)`.
[[nodiscard]] std::vector<std::string> take_moved(std::vector<core::LedgerDifference::Change>& changes,
                                                  Renaming renaming);

/// Of native functions and of Python's, into what the difference calls `moved`. Native ones are not renamed: of the
/// hundreds of a shared object that are gone or new by another path, in one and the same build, two have one count by
/// chance. After a second set of layouts has confirmed what is gone and what is new.
void take_moved(core::LedgerDifference& difference);

}  // namespace tare::attribution
