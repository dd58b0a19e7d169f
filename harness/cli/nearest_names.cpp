// Literals from a regular expression, distances to them, and the order that follows.
#include "harness/cli/nearest_names.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace tare::cli {

namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::string operation_of(const std::string& name) {
    return name.substr(0, name.find('['));
}

/// The distance of the whole, and twice that of one as a part of the other, so that `sums` is nearer to `einsum` than
/// to any other word of its own length, and `sum_of_rows` to `sum`.
std::size_t operation_score(const std::string& literal, const std::string& operation) {
    std::size_t as_part = edit_distance(literal, operation, true);
    constexpr std::size_t kShortestPart = 3;  // every text nearly holds a word of one or two letters
    if (operation.size() >= kShortestPart) as_part = std::min(as_part, edit_distance(operation, literal, true));
    return edit_distance(literal, operation) + 2 * as_part;
}

/// The candidates of the lowest scores, in their own order where scores are equal.
template <class Score>
std::vector<std::string> lowest(const std::vector<std::string>& candidates, std::size_t count, Score score) {
    std::vector<std::pair<std::size_t, std::size_t>> order;  // score, index
    for (std::size_t i = 0; i < candidates.size(); ++i) order.emplace_back(score(lower(candidates[i])), i);
    std::sort(order.begin(), order.end());
    std::vector<std::string> nearest;
    for (std::size_t i = 0; i < order.size() && i < count; ++i) nearest.push_back(candidates[order[i].second]);
    return nearest;
}

}  // namespace

std::vector<std::string> literals_of(std::string_view filter) {
    std::vector<std::string> literals(1);
    for (std::size_t i = 0; i < filter.size(); ++i) {
        const char c = filter[i];
        if (c == '\\' && i + 1 < filter.size()) {
            const char escaped = filter[++i];
            if (std::isalnum(static_cast<unsigned char>(escaped)) == 0) literals.back() += escaped;  // not \d, \w, \1
        } else if (c == '|') {
            literals.emplace_back();
        } else if (c == '{') {
            i = std::min(filter.find('}', i), filter.size());
        } else if (std::string_view("^$.*+?()").find(c) == std::string_view::npos) {
            literals.back() += c;
        }
    }
    std::erase(literals, "");
    return literals;
}

std::vector<std::string> nearest_names(std::string_view filter, const std::vector<std::string>& candidates,
                                       std::size_t count) {
    std::vector<std::string> literals = literals_of(filter);
    for (std::string& literal : literals) literal = lower(literal);
    if (literals.empty()) return {};

    // Names out of records may be of any length: a distance takes its square, and a hint nobody reads.
    constexpr std::size_t kLongestName = 200;
    std::vector<std::string> names = candidates;
    std::erase_if(names, [](const std::string& name) { return name.size() > kLongestName; });

    std::vector<std::string> operations;
    for (const std::string& name : names)
        if (const std::string operation = operation_of(name);
            std::find(operations.begin(), operations.end(), operation) == operations.end())
            operations.push_back(operation);
    const bool speaks_of_cases = std::any_of(literals.begin(), literals.end(), [&](const std::string& literal) {
        return literal.find_first_of("[=,") != std::string::npos ||
               std::any_of(operations.begin(), operations.end(),
                           [&](const std::string& operation) { return lower(operation) == literal; });
    });
    const auto least = [&literals](auto score) {
        return [&literals, score](const std::string& candidate) {
            std::size_t best = score(literals[0], candidate);
            for (const std::string& literal : literals) best = std::min(best, score(literal, candidate));
            return best;
        };
    };
    if (!speaks_of_cases) return lowest(operations, count, least(operation_score));
    return lowest(names, count, least([](const std::string& literal, const std::string& name) {
                      // The part of the name that is nearest decides; that the operation begins like the filter breaks
                      // ties.
                      const std::string wanted = operation_of(literal);
                      return 4 * edit_distance(literal, name, true) + (name.starts_with(wanted) ? 0 : 1);
                  }));
}

}  // namespace tare::cli
