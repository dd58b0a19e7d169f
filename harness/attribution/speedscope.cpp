// speedscope's file format: https://www.speedscope.app/file-format-schema.json.
#include <fmt/format.h>

#include <map>

#include "harness/attribution/escaped_text.h"
#include "harness/attribution/ledger_formats.h"
#include "harness/attribution/ledger_frames.h"

namespace tare::attribution {

namespace {

/// All ledgers share one table of frames.
class Frames {
  public:
    std::size_t index_of(const std::string& name, const std::string& module) {
        const auto [known, is_new] = index_.emplace(std::pair(name, module), index_.size());
        if (is_new) {
            text_ += fmt::format("{}{{\"name\":{},\"file\":{}}}", text_.empty() ? "" : ",\n", json_text(name),
                                 json_text(module));
        }
        return known->second;
    }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::map<std::pair<std::string, std::string>, std::size_t> index_;
    std::string text_;
};

std::string profile(const core::Ledger& ledger, Frames& frames) {
    const std::vector<std::string> names = frame_names(ledger);
    std::vector<std::size_t> frame_of;
    for (std::size_t i = 0; i < names.size(); ++i) {
        frame_of.push_back(frames.index_of(names[i], module_name(ledger.modules[ledger.functions[i].module].path)));
    }
    std::string samples, weights;
    std::uint64_t total = 0;
    std::vector<std::string> stacks(ledger.nodes.size());
    for (const std::size_t i : depth_first(ledger.nodes)) {
        const core::LedgerNode& node = ledger.nodes[i];
        if (node.parent >= 0) stacks[i] = stacks[static_cast<std::size_t>(node.parent)] + ',';
        stacks[i] += fmt::to_string(frame_of[node.function]);
        if (node.self == 0) continue;
        samples += fmt::format("{}[{}]", samples.empty() ? "" : ",", stacks[i]);
        weights += fmt::format("{}{}", weights.empty() ? "" : ",", node.self);
        total += node.self;
    }
    return fmt::format(
        "{{\"type\":\"sampled\",\"name\":{},\"unit\":\"none\",\"startValue\":0,\"endValue\":{},\n\"samples\":[{}],\n"
        "\"weights\":[{}]}}",
        json_text(ledger.case_name), total, samples, weights);
}

}  // namespace

std::string speedscope(const std::vector<core::Ledger>& ledgers) {
    Frames frames;
    std::string profiles;
    for (const core::Ledger& ledger : ledgers) {
        if (!profiles.empty()) profiles += ",\n";
        profiles += profile(ledger, frames);
    }
    const std::string name = ledgers.size() == 1 ? ledgers[0].case_name : "instructions";
    return fmt::format(
        "{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"exporter\":\"tare\",\n\"name\":{},\n"
        "\"activeProfileIndex\":0,\n\"shared\":{{\"frames\":[\n{}]}},\n\"profiles\":[\n{}]}}\n",
        json_text(name), frames.text(), profiles);
}

}  // namespace tare::attribution
