// speedscope's file format: https://www.speedscope.app/file-format-schema.json.
#include <fmt/format.h>

#include <map>
#include <tuple>

#include "harness/attribution/escaped_text.h"
#include "harness/attribution/tree_formats.h"

namespace tare::attribution {

namespace {

/// All trees share one table of frames.
class Frames {
  public:
    std::size_t index_of(const TreeFrame& frame) {
        const auto [known, is_new] = index_.emplace(std::tuple(frame.symbol, frame.file, frame.line), index_.size());
        if (is_new) {
            text_ += text_.empty() ? "" : ",\n";
            text_ += fmt::format("{{\"name\":{},\"file\":{}", json_text(frame.symbol), json_text(frame.file));
            text_ += frame.line > 0 ? fmt::format(",\"line\":{}}}", frame.line) : "}";
        }
        return known->second;
    }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::map<std::tuple<std::string, std::string, int>, std::size_t> index_;
    std::string text_;
};

std::string profile(const WeightedTree& tree, Frames& frames) {
    std::vector<std::size_t> frame_of;
    for (const TreeFrame& frame : tree.frames) frame_of.push_back(frames.index_of(frame));
    std::string samples, weights;
    std::uint64_t total = 0;
    std::vector<std::string> stacks(tree.nodes.size());
    for (const std::size_t i : depth_first(tree.nodes)) {
        const TreeNode& node = tree.nodes[i];
        if (node.parent >= 0) stacks[i] = stacks[static_cast<std::size_t>(node.parent)] + ',';
        stacks[i] += fmt::to_string(frame_of[node.frame]);
        if (node.self == 0) continue;
        samples += fmt::format("{}[{}]", samples.empty() ? "" : ",", stacks[i]);
        weights += fmt::format("{}{}", weights.empty() ? "" : ",", node.self);
        total += node.self;
    }
    return fmt::format(
        "{{\"type\":\"sampled\",\"name\":{},\"unit\":\"{}\",\"startValue\":0,\"endValue\":{},\n\"samples\":[{}],\n"
        "\"weights\":[{}]}}",
        json_text(tree.title), tree.unit == TreeUnit::kInstructions ? "none" : "nanoseconds", total, samples, weights);
}

}  // namespace

std::string speedscope_of_trees(const std::vector<WeightedTree>& trees) {
    Frames frames;
    std::string profiles;
    for (const WeightedTree& tree : trees) {
        if (!profiles.empty()) profiles += ",\n";
        profiles += profile(tree, frames);
    }
    const bool is_time = !trees.empty() && trees[0].unit == TreeUnit::kSampledTime;
    const std::string name = trees.size() == 1 ? trees[0].title : is_time ? "time" : "instructions";
    return fmt::format(
        "{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"exporter\":\"tare\",\n\"name\":{},\n"
        "\"activeProfileIndex\":0,\n\"shared\":{{\"frames\":[\n{}]}},\n\"profiles\":[\n{}]}}\n",
        json_text(name), frames.text(), profiles);
}

}  // namespace tare::attribution
