// FactReader: a map of facts, each one file and one parser; what fails becomes nil with its reason under the same key
// of `reasons`. Any thread.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/value.h"
#include "pmu/machine_text.h"
#include "pmu/text_file.h"

namespace tare::pmu {

inline constexpr const char* kCpus = "/sys/devices/system/cpu/";

class FactReader {
  public:
    /// `root` is "/" but in tests.
    explicit FactReader(std::filesystem::path root) : root_(std::move(root)) {}

    void put(const std::string& key, core::Value value) { facts_[key] = std::move(value); }
    void put_missing(const std::string& key, std::string reason) {
        facts_[key] = nullptr;
        reasons_[key] = std::move(reason);
    }
    void put_or(const std::string& key, const std::string& text, const std::string& reason) {
        text.empty() ? put_missing(key, reason) : put(key, text);
    }
    template <class T>
    void put_or(const std::string& key, const std::optional<T>& value, const std::string& reason) {
        value ? put(key, *value) : put_missing(key, reason);
    }

    [[nodiscard]] core::Expected<std::string> read(const std::string& path) const {
        core::Expected<std::string> text = read_text_file(root_ / path.substr(1));
        if (!text && root_ != "/") text.error().what = fmt::format("cannot read '{}'", path);
        return text;
    }
    /// The trimmed text of a file that may be absent; empty then.
    [[nodiscard]] std::string hint(const std::string& path) const {
        return std::string(trimmed(read(path).value_or("")));
    }
    [[nodiscard]] bool exists(const std::string& path) const {
        std::error_code ignored;
        return std::filesystem::exists(root_ / path.substr(1), ignored);
    }

    /// A fact that is a whole file: parse(text) gives an optional or an empty text when it cannot.
    template <class Parse>
    void read_fact(const std::string& key, const std::string& path, Parse parse) {
        const core::Expected<std::string> text = read(path);
        if (!text) return put_missing(key, text.error().what);
        put_or(key, parse(*text), fmt::format("'{}' does not say: '{}'", path, trimmed(*text).substr(0, 60)));
    }
    void read_text(const std::string& key, const std::string& path) {
        read_fact(key, path, [](std::string_view text) { return std::string(trimmed(text)); });
    }
    void read_integer(const std::string& key, const std::string& path) { read_fact(key, path, parse_integer); }
    /// An empty list is a fact.
    void read_cpu_list(const std::string& key, const std::string& path) {
        read_fact(key, path, [](std::string_view text) { return std::optional(list_of(parse_cpu_list(text))); });
    }

    [[nodiscard]] static core::List list_of(const std::vector<int>& numbers) {
        return core::List(numbers.begin(), numbers.end());
    }
    [[nodiscard]] std::string text_of(const std::string& key) const {
        const auto it = facts_.find(key);
        return it == facts_.end() || it->second.is_nil() ? "?" : it->second.as_text();
    }
    [[nodiscard]] core::Value finish() {
        facts_["reasons"] = std::move(reasons_);
        return std::move(facts_);
    }

  private:
    std::filesystem::path root_;
    core::Map facts_;
    core::Map reasons_;
};

}  // namespace tare::pmu
