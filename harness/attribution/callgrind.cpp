// Valgrind's profile format: https://valgrind.org/docs/manual/cl-format.html. Read by callgrind_annotate and
// KCachegrind.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/attribution/escaped_text.h"
#include "harness/attribution/tree_formats.h"

namespace tare::attribution {

namespace {

struct CallgrindCall {
    std::uint64_t calls = 0;
    std::uint64_t inclusive = 0;
};

/// By name and file, which is what the format knows of a function; ids are given by place.
using CallgrindName = std::pair<std::string, std::string>;

struct CallgrindFunction {
    std::uint64_t self = 0;
    std::map<std::size_t, CallgrindCall> calls;  ///< by place of the function that is called
};

class CallgrindProfile {
  public:
    void add(const WeightedTree& tree, bool below_title) {
        std::vector<std::size_t> places;
        for (const TreeFrame& frame : tree.frames) places.push_back(place_of(named(frame.name, frame.file)));
        const std::size_t root = below_title ? place_of(named(tree.title, "")) : 0;
        const std::vector<std::uint64_t> inclusive = inclusive_weights(tree);
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            const TreeNode& node = tree.nodes[i];
            const std::size_t own = places[node.frame];
            functions_[own].self += node.self;
            total_ += node.self;
            if (node.parent < 0 && !below_title) continue;
            const std::size_t caller =
                node.parent < 0 ? root : places[tree.nodes[static_cast<std::size_t>(node.parent)].frame];
            CallgrindCall& call = functions_[caller].calls[own];
            call.calls += std::max<std::uint64_t>(node.calls, 1);  // a frame that was open was called before
            if (!is_within(tree, i, places)) call.inclusive += inclusive[i];
        }
    }

    [[nodiscard]] std::string text() const {
        std::string text = "# callgrind format\nversion: 1\ncreator: bench explain\npositions: line\nevents: Ir\n";
        text += fmt::format("summary: {}\n\n", total_);
        for (std::size_t place = 0; place < names_.size(); ++place) {
            const auto found = functions_.find(place);
            if (found == functions_.end()) continue;
            text += fmt::format("ob={}\nfl=???\nfn={}\n0 {}\n", object_of(place), name_of(place), found->second.self);
            for (const auto& [callee, call] : found->second.calls)
                text += fmt::format("cob={}\ncfi=???\ncfn={}\ncalls={} 0\n0 {}\n", object_of(callee), name_of(callee),
                                    call.calls, call.inclusive);
            text += '\n';
        }
        return text + fmt::format("totals: {}\n", total_);
    }

  private:
    /// Names come from foreign binaries: a line each, of UTF-8.
    static CallgrindName named(const std::string& name, const std::string& file) {
        return {utf8_text(on_one_line(name)), utf8_text(on_one_line(file))};
    }

    std::size_t place_of(const CallgrindName& name) {
        const auto [found, fresh] = places_.try_emplace(name, names_.size());
        if (fresh) names_.push_back(name);
        return found->second;
    }

    /// A recursive call below one of the same edge: what it cost is in that one's cost already.
    static bool is_within(const WeightedTree& tree, std::size_t node, const std::vector<std::size_t>& places) {
        const auto at = [&](std::int32_t i) { return places[tree.nodes[static_cast<std::size_t>(i)].frame]; };
        const std::int32_t parent = tree.nodes[node].parent;
        if (parent < 0) return false;
        const std::size_t own = places[tree.nodes[node].frame];
        for (std::int32_t i = parent; i >= 0; i = tree.nodes[static_cast<std::size_t>(i)].parent) {
            const std::int32_t above = tree.nodes[static_cast<std::size_t>(i)].parent;
            if (above >= 0 && at(i) == own && at(above) == at(parent)) return true;
        }
        return false;
    }

    /// With its number: a name that stands alone could look like one, and two of one name are told apart.
    [[nodiscard]] std::string name_of(std::size_t place) const {
        return fmt::format("({}) {}", place + 1, names_[place].first);
    }
    [[nodiscard]] std::string object_of(std::size_t place) const {
        return names_[place].second.empty() ? "???" : names_[place].second;
    }

    std::map<CallgrindName, std::size_t> places_;
    std::vector<CallgrindName> names_;
    std::map<std::size_t, CallgrindFunction> functions_;
    std::uint64_t total_ = 0;
};

}  // namespace

std::string callgrind_of_trees(const std::vector<WeightedTree>& trees) {
    CallgrindProfile profile;
    for (const WeightedTree& tree : trees) profile.add(tree, trees.size() > 1);
    return profile.text();
}

}  // namespace tare::attribution
