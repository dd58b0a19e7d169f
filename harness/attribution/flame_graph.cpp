// SVG 1.1 with a script inside, which only adds zoom, search and the keyboard: without it every frame is drawn, its
// text cut to its width.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/attribution/escaped_text.h"
#include "harness/attribution/flame_graph_script.h"
#include "harness/attribution/flame_tree.h"
#include "harness/attribution/layer_colour.h"
#include "harness/attribution/tree_formats.h"

namespace tare::attribution {

namespace {

// Pixels.
constexpr double kWidth = 1200;
constexpr double kMargin = 10;
constexpr double kInner = kWidth - 2 * kMargin;
constexpr double kRow = 17;
constexpr double kLetter = 6.7;  // of 11 px monospace type: 0.6 em, and a little for fonts that are wider
constexpr double kLegendColumn = 236;
constexpr double kHeader = 34;
constexpr std::size_t kFewestLetters = 3;

struct Share {
    std::string layer;
    std::uint64_t weight = 0;
};

/// Of all trees together, most first.
std::vector<Share> shares_of(const std::vector<WeightedTree>& trees) {
    std::map<std::string, std::uint64_t> by_layer;
    for (const WeightedTree& tree : trees) {
        for (const TreeLayer& layer : tree.layers) by_layer[layer.name] += layer.weight;
    }
    std::vector<Share> shares;
    for (const auto& [layer, weight] : by_layer) {
        if (weight > 0) shares.push_back({layer, weight});
    }
    std::ranges::stable_sort(shares, std::greater<>(), &Share::weight);
    return shares;
}

double percent(std::uint64_t part, std::uint64_t whole) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string fitting(const std::string& name, double pixels) {
    const auto most = static_cast<std::size_t>(std::max(0.0, (pixels - 6) / kLetter));
    std::string text = shortened(name, most);
    return most < kFewestLetters && text != name ? std::string() : text;
}

/// "100 instructions", "12.3 ms"
std::string weight_text(std::uint64_t weight, TreeUnit unit) {
    return unit == TreeUnit::kInstructions ? fmt::format("{} instructions", weight)
                                           : fmt::format("{:.1f} ms", static_cast<double>(weight) / 1e6);
}

std::string tooltip(const FlameFrame& frame, std::uint64_t total, TreeUnit unit) {
    std::string text = frame.name;
    if (!frame.place.empty()) text += '\n' + frame.place + ", " + frame.layer;
    text += fmt::format("\n{} ({:.1f} %)", weight_text(frame.size, unit), percent(frame.size, total));
    if (!frame.place.empty())
        text += unit == TreeUnit::kInstructions ? fmt::format(", {} its own", frame.self)
                                                : fmt::format(", {} its own", weight_text(frame.self, unit));
    if (frame.calls > 0) text += fmt::format(", {} {}", frame.calls, frame.calls == 1 ? "call" : "calls");
    return text;
}

std::string frame_element(const FlameFrame& frame, std::uint64_t total, TreeUnit unit, double bottom) {
    const double scale = kInner / static_cast<double>(total);
    const double x = kMargin + static_cast<double>(frame.from) * scale;
    const double width = static_cast<double>(frame.size) * scale;
    const double y = bottom - (frame.depth + 1) * kRow;
    const std::string fill = frame.place.empty() ? "#e4e4e4" : layer_colour(frame.layer);
    return fmt::format(
        "<g class=\"frame{}\" data-from=\"{}\" data-size=\"{}\" data-depth=\"{}\" tabindex=\"-1\" role=\"button\">"
        "<title>{}</title><rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" fill=\"{}\"/>"
        "<text x=\"{:.2f}\" y=\"{:.0f}\">{}</text></g>\n",
        frame.is_python ? " python" : "", frame.from, frame.size, frame.depth, xml_text(tooltip(frame, total, unit)), x,
        y, width, kRow - 1, fill, x + 3, y + 12, xml_text(fitting(frame.name, width)));
}

std::string legend(const std::vector<Share>& shares, std::uint64_t total) {
    constexpr auto kColumns = static_cast<std::size_t>(kInner / kLegendColumn);
    std::string text;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const double x = kMargin + static_cast<double>(i % kColumns) * kLegendColumn;
        const std::size_t row = i / kColumns;
        const double y = kHeader + static_cast<double>(row) * kRow;
        text += fmt::format(
            "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"12\" height=\"12\" fill=\"{}\"/>"
            "<text x=\"{:.0f}\" y=\"{:.0f}\">{} {:.1f} %</text>\n",
            x, y, layer_colour(shares[i].layer), x + 17, y + 10, xml_text(shortened(shares[i].layer, 22)),
            percent(shares[i].weight, total));
    }
    return text;
}

double legend_height(std::size_t entries) {
    constexpr auto kColumns = static_cast<std::size_t>(kInner / kLegendColumn);
    const std::size_t rows = (entries + kColumns - 1) / kColumns;
    return static_cast<double>(rows) * kRow;
}

// What only the script can serve is not displayed without it.
std::string controls(double below) {
    return fmt::format(
        "<text class=\"find\" x=\"{0:.0f}\" y=\"20\" style=\"display:none\" tabindex=\"0\" role=\"button\">search "
        "(/)</text>\n"
        "<text class=\"reset\" x=\"{1:.0f}\" y=\"20\" style=\"display:none\" tabindex=\"0\" role=\"button\">reset "
        "zoom</text>\n"
        "<foreignObject class=\"search\" x=\"{2:.0f}\" y=\"4\" width=\"220\" height=\"26\" style=\"display:none\">"
        "<input xmlns=\"http://www.w3.org/1999/xhtml\" type=\"search\" aria-label=\"search functions\" "
        "placeholder=\"function\" style=\"width:200px\"/></foreignObject>\n"
        "<text class=\"details\" x=\"{3:.0f}\" y=\"{4:.0f}\" aria-live=\"polite\"></text>\n"
        "<text class=\"found\" x=\"{3:.0f}\" y=\"{5:.0f}\" aria-live=\"polite\"></text>\n",
        kWidth - 90, kWidth - 190, kWidth - 430, kMargin, below + 14, below + 31);
}

constexpr std::string_view kStyle =
    "<style>text{font:11px monospace;fill:#1b1b1b;white-space:pre}.title{font-size:14px;font-weight:bold}"
    ".frame{cursor:pointer}.frame rect{stroke:#fff;stroke-width:.5}.frame text{pointer-events:none}.frame:hover "
    "rect,.frame:focus "
    "rect{stroke:#000;stroke-width:1.5}"
    ".frame:focus{outline:none}.above{opacity:.6}.match rect{fill:#d64ce0}"
    ".find,.reset{cursor:pointer;text-decoration:underline}</style>\n";

// Behind the other rules, to which it adds; those of a frame under the pointer are more specific and win.
constexpr std::string_view kPythonStyle =
    "<style>.python text{font-weight:bold}.python rect{stroke:#306998;stroke-dasharray:3 2;stroke-width:1}</style>\n";

/// The script says what a search found a share of.
std::string script_for(TreeUnit unit) {
    constexpr std::string_view kOfInstructions = "% of the instructions";
    std::string script(flame_graph_script());
    const std::size_t at = script.find(kOfInstructions);
    if (unit == TreeUnit::kSampledTime && at != std::string::npos)
        script.replace(at, kOfInstructions.size(), "% of the time");
    return script;
}

}  // namespace

std::string flame_graph_of_trees(const std::vector<WeightedTree>& trees, const std::string& title) {
    const TreeUnit unit = trees.empty() ? TreeUnit::kInstructions : trees[0].unit;
    const std::vector<FlameFrame> frames = flame_frames(trees);
    const std::vector<Share> shares = shares_of(trees);
    int deepest = 0;
    for (const FlameFrame& frame : frames) deepest = std::max(deepest, frame.depth);
    const double bottom = kHeader + legend_height(shares.size()) + 10 + (deepest + 1) * kRow;
    const double height = bottom + 40;

    std::string svg = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" "
        "role=\"group\" aria-label=\"{2}\" data-left=\"{3:.0f}\" data-width=\"{4:.0f}\" data-letter=\"{5}\">\n",
        kWidth, height, xml_text(title), kMargin, kInner, kLetter);
    svg += kStyle;
    if (unit == TreeUnit::kSampledTime) svg += kPythonStyle;
    svg += fmt::format("<rect width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#ffffff\"/>\n", kWidth, height);
    svg +=
        fmt::format("<text class=\"title\" x=\"{:.0f}\" y=\"20\">{}</text>\n", kMargin, xml_text(shortened(title, 80)));
    if (frames.empty()) {
        return svg + fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">no {}</text>\n</svg>\n", kMargin, kHeader + 10,
                                 unit == TreeUnit::kInstructions ? "instructions" : "samples");
    }
    svg += legend(shares, frames[0].size);
    for (const FlameFrame& frame : frames) svg += frame_element(frame, frames[0].size, unit, bottom);
    svg += controls(bottom);
    svg += "<script><![CDATA[\n";
    svg += script_for(unit);
    return svg + "]]></script>\n</svg>\n";
}

}  // namespace tare::attribution
