// What the user may have meant by a filter that matches nothing. Pure functions. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/edit_distance.h"

namespace tare::cli {

/// Up to `count` names nearest to a regular expression that matched none of `names` (names of cases, such as
/// `add[kind=array,n=8]`), nearest first. A filter that speaks of parameters (it holds '[', '=' or ','), or names an
/// operation exactly, is answered with cases; any other with operations. Upper and lower case are alike. Names of more
/// than 200 characters are left out: nobody types them.
[[nodiscard]] std::vector<std::string> nearest_names(std::string_view filter, const std::vector<std::string>& names,
                                                     std::size_t count);

/// The alternatives of a regular expression as plain text: anchors, quantifiers, classes like \d and groups dropped. An
/// unescaped '[' stays, since it is more often a case's name typed as it stands than a set of characters.
[[nodiscard]] std::vector<std::string> literals_of(std::string_view filter);

using core::edit_distance;

}  // namespace tare::cli
