// SharedText: a text that many values carry, kept once. Half a million points of a store's series name a thousand
// records.
#pragma once

#include <memory>
#include <string>
#include <utility>

namespace tare::core {

class SharedText {
  public:
    SharedText() = default;
    SharedText(std::string text)  // NOLINT(google-explicit-constructor): it is a text like any other
        : text_(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text))) {}
    SharedText(const char* text) : SharedText(std::string(text)) {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] const std::string& text() const {
        static const std::string kNone;
        return text_ ? *text_ : kNone;
    }
    operator const std::string&() const { return text(); }  // NOLINT(google-explicit-constructor)
    [[nodiscard]] bool empty() const { return text_ == nullptr; }

    friend bool operator==(const SharedText& a, const SharedText& b) {
        return a.text_ == b.text_ || a.text() == b.text();
    }

  private:
    std::shared_ptr<const std::string> text_;  ///< null: empty
};

}  // namespace tare::core
