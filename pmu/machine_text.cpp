// Parsers that take what they understand and say nothing about the rest.
#include "pmu/machine_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "harness/core/stable_hash.h"

namespace tare::pmu {

namespace {

constexpr std::string_view kBlanks = " \t\n\r";

/// Cuts the first line off.
std::string_view next_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

template <class T>
std::optional<T> number(std::string_view text, int base = 10) {
    T value{};
    std::from_chars_result result{};
    if constexpr (std::is_floating_point_v<T>)
        result = std::from_chars(text.data(), text.data() + text.size(), value);
    else
        result = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<int> decimal_or_hexadecimal(std::string_view text) {
    return text.starts_with("0x") ? number<int>(text.substr(2), 16) : number<int>(text);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return words;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    return number<std::int64_t>(trimmed(text));
}

CpuInfo parse_cpu_info(std::string_view text) {
    CpuInfo info;
    while (!text.empty()) {
        const std::string_view line = next_line(text);
        const std::size_t colon = line.find(':');
        // A blank line ends the first CPU; arm64 kernels may put lines about the whole machine after it.
        if (colon == std::string_view::npos) {
            if (!info.flags.empty()) break;
            continue;
        }
        const std::string_view key = trimmed(line.substr(0, colon));
        const std::string_view value = trimmed(line.substr(colon + 1));
        if (key == "model name")
            info.model = value;
        else if (key == "vendor_id" || key == "CPU implementer")
            info.vendor = value;
        else if (key == "cpu family" || key == "CPU architecture")
            info.family = decimal_or_hexadecimal(value);
        else if (key == "model" || key == "CPU part")
            info.model_number = decimal_or_hexadecimal(value);
        else if (key == "stepping" || key == "CPU revision")
            info.stepping = decimal_or_hexadecimal(value);
        else if (key == "microcode")
            info.microcode = value;
        else if (key == "cpu MHz")
            info.mhz = number<double>(value);
        else if (key == "flags" || key == "Features")
            for (const std::string_view flag : words_of(value)) info.flags.emplace_back(flag);
    }
    return info;
}

std::vector<int> parse_cpu_list(std::string_view text) {
    constexpr int kMaxCpus = 1 << 16;  // the kernel's NR_CPUS is at most 8192
    std::vector<int> cpus;
    text = trimmed(text);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string_view range = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t dash = range.find('-');
        const std::optional<int> first = number<int>(range.substr(0, dash));
        const std::optional<int> last = dash == std::string_view::npos ? first : number<int>(range.substr(dash + 1));
        if (!first || !last || *first < 0 || *last < *first || *last >= kMaxCpus) return {};
        for (int cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
    }
    return cpus;
}

std::string format_cpu_list(const std::vector<int>& cpus) {
    std::string text;
    for (std::size_t i = 0; i < cpus.size(); ++i) {
        std::size_t last = i;
        while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
        text += text.empty() ? "" : ",";
        text += last == i ? fmt::format("{}", cpus[i]) : fmt::format("{}-{}", cpus[i], cpus[last]);
        i = last;
    }
    return text;
}

std::optional<std::int64_t> parse_size_bytes(std::string_view text) {
    text = trimmed(text);
    if (text.empty()) return std::nullopt;
    std::int64_t unit = 1;
    if (text.back() == 'K') unit = std::int64_t{1} << 10;
    if (text.back() == 'M') unit = std::int64_t{1} << 20;
    if (text.back() == 'G') unit = std::int64_t{1} << 30;
    if (unit != 1) text.remove_suffix(1);
    const std::optional<std::int64_t> value = number<std::int64_t>(text);
    if (!value || *value < 0 || *value > (std::int64_t{1} << 32)) return std::nullopt;
    return *value * unit;
}

std::optional<std::string> parse_choice(std::string_view text) {
    const std::size_t open = text.find('[');
    const std::size_t close = text.find(']', open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
    return std::string(text.substr(open + 1, close - open - 1));
}

std::vector<double> parse_load_average(std::string_view text) {
    const std::vector<std::string_view> words = words_of(text);
    std::vector<double> averages;
    for (std::size_t i = 0; i < 3 && i < words.size(); ++i)
        if (const std::optional<double> value = number<double>(words[i])) averages.push_back(*value);
    return averages.size() == 3 ? averages : std::vector<double>();
}

std::optional<std::int64_t> parse_memory_bytes(std::string_view text, std::string_view name) {
    while (!text.empty()) {
        const std::vector<std::string_view> words = words_of(next_line(text));
        if (words.size() != 3 || words[2] != "kB" || !words[0].ends_with(':')) continue;
        if (words[0].substr(0, words[0].size() - 1) != name) continue;
        if (const std::optional<std::int64_t> kilobytes = parse_integer(words[1])) return *kilobytes * 1024;
    }
    return std::nullopt;
}

std::optional<std::int64_t> parse_memory_total_bytes(std::string_view text) {
    return parse_memory_bytes(text, "MemTotal");
}

std::optional<std::string> parse_kernel_parameter(std::string_view text, std::string_view name) {
    std::optional<std::string> value;
    for (const std::string_view word : words_of(text)) {
        if (word == "--") break;  // what follows is for init
        if (word.starts_with(name) && word.substr(name.size()).starts_with('=')) value = word.substr(name.size() + 1);
    }
    return value;
}

std::string fingerprint_of(const std::vector<std::string>& parts) {
    return fmt::format("{:016x}", core::stable_hash(parts));
}

}  // namespace tare::pmu
