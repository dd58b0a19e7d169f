// A symbol's name for people: suffixes of compilers cut, C++ demangled by the compiler's own run-time library and then
// reduced to the qualified name. What cannot be taken apart is left as it is.
#include <cxxabi.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <optional>

#include "harness/attribution/naming.h"

namespace tare::attribution {

namespace {

constexpr std::string_view kStubEnding = "@plt";

bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Without one ending such as `.isra.0` or `.cold`; the name itself where it has none.
std::string_view without_clone_ending(std::string_view name) {
    constexpr std::array<std::string_view, 7> kClones = {"constprop", "isra", "part",      "cold",
                                                         "lto_priv",  "llvm", "localalias"};
    std::string_view stem = name;
    const std::size_t number = stem.rfind('.');
    if (number != std::string_view::npos && is_digits(stem.substr(number + 1))) stem = stem.substr(0, number);
    const std::size_t dot = stem.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return name;
    for (const std::string_view clone : kClones)
        if (stem.substr(dot + 1) == clone) return stem.substr(0, dot);
    return name;
}

bool is_identifier(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// Reads a demangled declaration once and keeps the qualified name of what it declares.
class Declaration {
  public:
    explicit Declaration(std::string_view text) : text_(text) {}

    /// nullopt where brackets do not match.
    std::optional<std::string> name() {
        constexpr std::string_view kAnonymous = "(anonymous namespace)";
        while (at_ < text_.size()) {
            if (rest().starts_with(kAnonymous)) {
                at_ += kAnonymous.size();
                if (rest().starts_with("::")) at_ += 2;
            } else if (rest().starts_with("[abi:")) {
                const std::size_t end = text_.find(']', at_);
                if (end == std::string_view::npos) return std::nullopt;
                at_ = end + 1;
            } else if (rest().starts_with("operator") && (at_ == 0 || !is_identifier(text_[at_ - 1])) &&
                       (rest().size() == 8 || !is_identifier(rest()[8]))) {
                take_operator();
            } else if (text_[at_] == '<' || text_[at_] == '(') {
                const bool is_list = text_[at_] == '(';
                if (!skip_brackets()) return std::nullopt;
                if (is_list) skip_qualifiers();
            } else if (text_[at_] == ' ' && braces_ == 0) {
                name_.clear();  // what stood before is the return type
                ++at_;
            } else {
                braces_ += text_[at_] == '{' ? 1 : text_[at_] == '}' ? -1 : 0;
                name_ += text_[at_++];
            }
        }
        return name_.empty() ? std::nullopt : std::optional(name_);
    }

  private:
    [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }

    /// `operator<`, `operator()`, `operator new[]`, `operator unsigned int`: up to its template or argument list.
    void take_operator() {
        constexpr std::size_t kWord = 8;
        std::size_t end = at_ + kWord;
        if (end < text_.size() && text_[end] == ' ') {
            end = text_.find_first_of("<(", end);  // a word or a type
        } else if (text_.substr(end).starts_with("()") || text_.substr(end).starts_with("[]")) {
            end += 2;
        } else {
            end = text_.find_first_not_of("+-*/%^&|~!=<>,\"", end);
        }
        if (end > text_.size()) end = text_.size();
        name_ += text_.substr(at_, end - at_);
        at_ = end;
        // The demangler sets a space between `operator<` and the template arguments; a literal's name follows one, too.
        if (rest().starts_with(" <")) ++at_;
        if (name_.ends_with('"') && rest().starts_with(' ')) {
            name_ += ' ';
            ++at_;
        }
    }

    /// From an opening bracket past the one that closes it.
    bool skip_brackets() {
        std::string open;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            const bool is_arrow = c == '>' && at_ > 0 && text_[at_ - 1] == '-';
            if (c == '(' || c == '<') {
                open += c;
            } else if (c == ')') {
                while (!open.empty() && open.back() == '<') open.pop_back();  // they were `less than`
                if (open.empty()) return false;
                open.pop_back();
            } else if (c == '>' && !is_arrow && open.back() == '<') {
                open.pop_back();
            }
            ++at_;
            if (open.empty()) return true;
        }
        return false;
    }

    /// What may stand between an argument list and the end, or `::` of something local to the function.
    void skip_qualifiers() {
        constexpr std::array<std::string_view, 6> kQualifiers = {" const",    " volatile", " &&",
                                                                 " noexcept", " &",        " restrict"};
        for (bool is_more = true; is_more;) {
            is_more = false;
            for (const std::string_view qualifier : kQualifiers) {
                const std::string_view after = rest().substr(std::min(qualifier.size(), rest().size()));
                if (!rest().starts_with(qualifier) || (!after.empty() && is_identifier(after.front()))) continue;
                at_ += qualifier.size();
                is_more = true;
            }
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int braces_ = 0;
    std::string name_;
};

/// The nested name at the start of a mangled one, for producers whose argument types are no valid C++: `_ZN1a1fE...`.
std::optional<std::string> nested_name(std::string_view mangled) {
    constexpr std::string_view kNested = "_ZN";
    if (!mangled.starts_with(kNested)) return std::nullopt;
    mangled.remove_prefix(kNested.size());
    std::string name;
    while (!mangled.empty() && mangled.front() != 'E') {
        const bool is_tag = mangled.front() == 'B' && !name.empty();
        if (is_tag) mangled.remove_prefix(1);
        std::size_t length = 0;
        std::size_t digits = 0;
        while (digits < mangled.size() && digits < 6 && std::isdigit(static_cast<unsigned char>(mangled[digits])) != 0)
            length = length * 10 + static_cast<std::size_t>(mangled[digits++] - '0');
        if (length == 0 || length > mangled.size() - digits) return std::nullopt;
        if (!is_tag) name.append(name.empty() ? "" : "::").append(mangled.substr(digits, length));
        mangled.remove_prefix(digits + length);
    }
    return mangled.empty() || name.empty() ? std::nullopt : std::optional(name);
}

std::string readable(std::string_view mangled) {
    const std::string text(mangled);
    const std::unique_ptr<char, decltype(&std::free)> demangled(
        abi::__cxa_demangle(text.c_str(), nullptr, nullptr, nullptr), &std::free);
    if (!demangled) return nested_name(mangled).value_or(text);
    // "non-virtual thunk to a::f(int)" is another function than a::f.
    constexpr std::array<std::string_view, 7> kAbout = {
        "non-virtual thunk to ",  "virtual thunk to ",         "covariant return thunk to ", "guard variable for ",
        "TLS init function for ", "TLS wrapper function for ", "transaction clone for "};
    std::string_view declaration = demangled.get();
    std::string about;
    for (const std::string_view prefix : kAbout) {
        if (!declaration.starts_with(prefix)) continue;
        about = prefix;
        declaration.remove_prefix(prefix.size());
        break;
    }
    return about + Declaration(declaration).name().value_or(std::string(declaration));
}

}  // namespace

std::string normalized_name(std::string_view symbol) {
    const bool is_stub = symbol.ends_with(kStubEnding);
    std::string_view name = is_stub ? symbol.substr(0, symbol.size() - kStubEnding.size()) : symbol;
    const std::size_t version = name.find('@');
    if (version != std::string_view::npos && version != 0) name = name.substr(0, version);
    for (std::string_view shorter = without_clone_ending(name); shorter != name; shorter = without_clone_ending(name))
        name = shorter;
    // Numba's wrappers stand before the mangled name: `cfunc._ZN8__main__1f...`.
    const std::size_t inner = name.find("._Z");
    const std::size_t mangled = name.starts_with("_Z") || inner == std::string_view::npos ? 0 : inner + 1;
    std::string text(name.substr(0, mangled));
    name.remove_prefix(mangled);
    text += name.starts_with("_Z") ? readable(name) : std::string(name);
    if (is_stub) text += kStubEnding;
    return text;
}

}  // namespace tare::attribution
