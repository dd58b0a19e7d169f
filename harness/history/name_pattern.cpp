// Names are UTF-8: the parser of records takes nothing else.
#include "harness/history/name_pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace tare::history {

core::Expected<NamePattern> NamePattern::parse(const std::string& pattern) {
    if (pattern.empty()) return NamePattern(nullptr);
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_never_capture(true);
    auto expression = std::make_shared<const re2::RE2>(pattern, options);
    if (expression->ok()) return NamePattern(std::move(expression));
    const bool is_unknown =
        expression->error_code() == re2::RE2::ErrorBadPerlOp || expression->error_code() == re2::RE2::ErrorBadEscape;
    return core::fail(core::ErrorCode::kUsage,
                      fmt::format("'{}' is no regular expression: {}", pattern, expression->error()),
                      is_unknown ? "there are no lookaheads and no back-references (RE2's syntax)"
                                 : "escape brackets, as in '^add\\['");
}

bool NamePattern::is_in(std::string_view name) const {
    return expression_ == nullptr || re2::RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *expression_);
}

}  // namespace tare::history
