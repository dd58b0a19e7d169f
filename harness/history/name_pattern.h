// A regular expression that is searched in names from records. RE2: names in a store may be of any length, and
// std::regex recurses once a character, until the stack ends.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "harness/core/error.h"

namespace re2 {
class RE2;
}

namespace tare::history {

class NamePattern {
  public:
    /// Empty: found in every name. ECMAScript's syntax without lookahead and back-references. Errors: kUsage.
    [[nodiscard]] static core::Expected<NamePattern> parse(const std::string& pattern);

    /// In time that is linear in the name's length, and without recursion.
    [[nodiscard]] bool is_in(std::string_view name) const;

  private:
    explicit NamePattern(std::shared_ptr<const re2::RE2> expression) : expression_(std::move(expression)) {}
    std::shared_ptr<const re2::RE2> expression_;  ///< null: of an empty pattern
};

}  // namespace tare::history
