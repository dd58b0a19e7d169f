// Lines to rules.
#include "harness/attribution/layer_rules.h"

#include <fmt/format.h>

#include <utility>

namespace tare::attribution {

namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";
constexpr std::size_t kLongestQuote = 60;  // of an offending text in a message

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    while (true) {
        const std::size_t begin = line.find_first_not_of(kBlanks);
        if (begin == std::string_view::npos) return fields;
        line.remove_prefix(begin);
        fields.push_back(line.substr(0, line.find_first_of(kBlanks)));
        line.remove_prefix(fields.back().size());
    }
}

std::string quoted(std::string_view text) {
    return fmt::format("'{}{}'", text.substr(0, kLongestQuote), text.size() > kLongestQuote ? "..." : "");
}

core::Status wrong(std::string what, std::string hint = {}) {
    return core::fail(core::ErrorCode::kUsage, std::move(what), std::move(hint));
}

core::Expected<std::unique_ptr<RE2>> compiled(std::string_view pattern) {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);  // names of foreign binaries are bytes
    options.set_log_errors(false);
    options.set_never_capture(true);
    options.set_dot_nl(true);
    auto expression = std::make_unique<RE2>(re2::StringPiece(pattern.data(), pattern.size()), options);
    if (expression->ok()) return expression;
    return core::fail(core::ErrorCode::kUsage,
                      fmt::format("{} is no regular expression: {}", quoted(pattern), expression->error()),
                      "RE2's syntax, without blanks; it has no lookbehind and no lookahead");
}

}  // namespace

core::Expected<std::size_t> LayerRules::module_index(std::string_view pattern) {
    for (std::size_t i = 0; i < modules.size(); ++i) {
        if (modules[i]->pattern() == pattern) return i;
    }
    auto expression = compiled(pattern);
    if (!expression) return tl::unexpected(expression.error());
    modules.push_back(std::move(*expression));
    return modules.size() - 1;
}

core::Status LayerRules::add_line(const std::vector<std::string_view>& fields) {
    const std::string_view kind = fields[0];
    if (kind == "decides") {
        if (fields.size() < 3) return wrong("'decides' names no layer", "decides MODULE LAYER...");
        const auto module = module_index(fields[1]);
        if (!module) return tl::unexpected(module.error());
        deciding.push_back({*module, {fields.begin() + 2, fields.end()}});
        return {};
    }
    if (kind == "unresolved") {
        if (fields.size() != 3) {
            return wrong(fmt::format("'unresolved' has {} fields after it", fields.size() - 1),
                         "unresolved GROUP MODULE");
        }
        const auto module = module_index(fields[2]);
        if (!module) return tl::unexpected(module.error());
        unresolved.push_back({std::string(fields[1]), *module});
        return {};
    }
    if (kind != "layer") {
        return wrong(fmt::format("{} is no kind of line", quoted(kind)), "layer, decides, unresolved or # a comment");
    }
    if (fields.size() != 4 && fields.size() != 5) {
        return wrong(fmt::format("'layer' has {} fields after it", fields.size() - 1),
                     "layer LAYER MODULE FUNCTION [CALLER]; a regular expression has no blanks");
    }
    if (fields[1].front() == '=' && fields[1] != "=caller") {
        return wrong(fmt::format("{} is no layer", quoted(fields[1])), "a layer's name, or =caller");
    }
    const auto module = module_index(fields[2]);
    if (!module) return tl::unexpected(module.error());
    Layer rule{fields[1] == "=caller" ? std::string() : std::string(fields[1]), *module, nullptr, nullptr};
    auto function = compiled(fields[3]);
    if (!function) return tl::unexpected(function.error());
    rule.function = std::move(*function);
    if (fields.size() == 5) {
        auto caller = compiled(fields[4]);
        if (!caller) return tl::unexpected(caller.error());
        rule.caller = std::move(*caller);
    }
    layers.push_back(std::move(rule));
    return {};
}

core::Status LayerRules::add(const std::string& name, std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const std::vector<std::string_view> fields = fields_of(line);
        if (fields.empty() || fields[0].front() == '#') continue;
        if (core::Status status = add_line(fields); !status) {
            core::Error error = std::move(status.error());
            error.what = fmt::format("{}:{}: {}", name, number, error.what);
            return tl::unexpected(std::move(error));
        }
    }
    return {};
}

}  // namespace tare::attribution
