// Reads from left to right; the local part is cut off first, so that no letter of it is taken for a stage.
#include "harness/history/version_order.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>

namespace tare::history {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

class Reader {
  public:
    explicit Reader(std::string_view text) : rest_(text) {}

    [[nodiscard]] bool at_digit() const { return !rest_.empty() && is_digit(rest_.front()); }
    bool take(char c) {
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    /// Digits; 0 without any.
    long number() {
        long value = 0;
        const char* const end = rest_.data() + rest_.size();
        const auto [at, failure] = std::from_chars(rest_.data(), end, value);
        if (failure == std::errc::result_out_of_range) value = std::numeric_limits<long>::max();
        rest_.remove_prefix(static_cast<std::size_t>(at - rest_.data()));
        return value;
    }
    /// `word`, with or without a separator before it and before its number.
    bool take_part(std::string_view word) {
        std::string_view after = without_separator(rest_);
        if (!after.starts_with(word)) return false;
        after.remove_prefix(word.size());
        const std::string_view number = without_separator(after);
        rest_ = !number.empty() && is_digit(number.front()) ? number : after;
        return true;
    }
    /// "-1", the short form of ".post1".
    bool take_short_post() {
        if (rest_.size() < 2 || rest_.front() != '-' || !is_digit(rest_[1])) return false;
        rest_.remove_prefix(1);
        return true;
    }

  private:
    static std::string_view without_separator(std::string_view text) {
        if (!text.empty() && std::string_view(".-_").find(text.front()) != std::string_view::npos)
            text.remove_prefix(1);
        return text;
    }

    std::string_view rest_;
};

void read_numbers(Reader& reader, VersionOrder& order) {
    reader.take('v');
    while (reader.at_digit()) {
        order.numbers.push_back(reader.number());
        if (order.numbers.size() == 1 && reader.take('!')) {
            order.epoch = order.numbers.front();
            order.numbers.clear();
            continue;
        }
        Reader after = reader;
        if (!after.take('.') || !after.at_digit()) break;  // ".dev1" is no number
        reader = after;
    }
    while (!order.numbers.empty() && order.numbers.back() == 0) order.numbers.pop_back();
}

void read_stage(Reader& reader, VersionOrder& order) {
    // Longer words first: "a" begins "alpha".
    static constexpr std::array<std::pair<std::string_view, int>, 8> kStages = {
        {{"alpha", -3}, {"a", -3}, {"beta", -2}, {"b", -2}, {"rc", -1}, {"c", -1}, {"preview", -1}, {"pre", -1}}};
    for (const auto& [word, stage] : kStages)
        if (reader.take_part(word)) {
            order.stage = stage;
            order.stage_number = reader.number();
            return;
        }
}

std::vector<std::pair<long, std::string>> local_segments(std::string_view local) {
    std::vector<std::pair<long, std::string>> segments;
    while (!local.empty()) {
        const std::size_t end = std::min(local.find_first_of(".-_"), local.size());
        const std::string_view segment = local.substr(0, end);
        if (!segment.empty() && std::ranges::all_of(segment, is_digit))
            segments.emplace_back(Reader(segment).number(), "");
        else
            segments.emplace_back(-1, std::string(segment));
        local.remove_prefix(std::min(end + 1, local.size()));
    }
    return segments;
}

}  // namespace

VersionOrder version_order(std::string_view version) {
    VersionOrder order;
    order.text = version;
    std::string lower(version);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::string_view all = lower;
    const std::size_t plus = std::min(all.find('+'), all.size());
    if (plus < all.size()) order.local = local_segments(all.substr(plus + 1));
    Reader reader(all.substr(0, plus));
    read_numbers(reader, order);
    read_stage(reader, order);
    if (reader.take_short_post() || reader.take_part("post") || reader.take_part("rev") || reader.take_part("r"))
        order.post = reader.number();
    if (reader.take_part("dev")) {
        order.final = false;
        order.dev = reader.number();
        if (order.stage == 0 && order.post < 0) order.stage = -4;
    }
    return order;
}

}  // namespace tare::history
