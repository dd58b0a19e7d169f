// Forwards over the stacks (parents stand before children): layers, the innermost Python frame, the view's nodes.
// Backwards: inclusive times. Then depth first, because a function that recurs counts once a sample.
#include "harness/attribution/profile_tally.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/attribution/profile_layers.h"

namespace tare::attribution {

namespace {

using core::FrameKind;
using core::SampledTime;

constexpr std::string_view kNoPython = "[no Python]";

void add(SampledTime& sum, const SampledTime& more) {
    sum.ns += more.ns;
    sum.samples += more.samples;
}

/// Most time first; equal ones in order of appearance. Returns the new place of each.
template <class Item, class Weight>
std::vector<std::uint32_t> sort_by(std::vector<Item>& items, const Weight& weight) {
    std::vector<std::uint32_t> order(items.size()), places(items.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return weight(items[a]) > weight(items[b]); });
    std::vector<Item> sorted;
    sorted.reserve(items.size());
    for (const std::uint32_t index : order) {
        places[index] = static_cast<std::uint32_t>(sorted.size());
        sorted.push_back(std::move(items[index]));
    }
    items = std::move(sorted);
    return places;
}

class Tally {
  public:
    Tally(const StackTrie& stacks, FrameFacts facts, const LayerTable& table, FrameView view)
        : nodes_(stacks.nodes()),
          frames_(std::move(facts.frames)),
          functions_(std::move(facts.functions)),
          modules_(std::move(facts.modules)),
          layers_(table, functions_, modules_),
          view_(view) {}

    core::Profile run() {
        count_own_times();
        count_inclusive_times();
        make_view();
        return in_order();
    }

  private:
    [[nodiscard]] const FrameFacts::Frame& frame(std::size_t node) const { return frames_[nodes_[node].frame]; }
    [[nodiscard]] FrameKind kind(std::size_t node) const { return functions_[frame(node).function].kind; }

    void count_own_times() {
        const std::uint32_t kernel = layers_.number_of({"kernel", false});
        const std::uint32_t interpreter = layers_.number_of({"interpreter", false});
        waiting_ = layers_.number_of({"waiting", false});
        std::vector<NativeCaller> callers(nodes_.size());
        std::vector<std::int64_t> python(nodes_.size(), -1);  // the innermost Python frame's node
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const auto parent = static_cast<std::size_t>(nodes_[i].parent);
            if (nodes_[i].parent >= 0) {
                callers[i] = callers[parent];
                python[i] = python[parent];
            }
            const std::uint32_t function = frame(i).function;
            std::uint32_t layer = kind(i) == FrameKind::kKernel ? kernel : interpreter;
            if (kind(i) == FrameKind::kNative) {
                layer = layers_.of_native(function, callers[i]);
                callers[i] = {function, layer};
            } else if (kind(i) == FrameKind::kPython) {
                python[i] = static_cast<std::int64_t>(i);
            }
            node_layers_.push_back(layer);
            count_own_time(i, python[i]);
        }
    }

    void count_own_time(std::size_t node, std::int64_t python) {
        SampledTime own = nodes_[node].running;
        add(own, nodes_[node].waiting);
        if (own.samples == 0) return;
        add(total_, own);
        add(layer_time(node_layers_[node]), nodes_[node].running);
        add(layer_time(waiting_), nodes_[node].waiting);
        core::ProfileFunction& function = functions_[frame(node).function];
        if (function.kind != FrameKind::kPython) add(function.self, own);
        if (function.kind == FrameKind::kNative) {
            add(modules_[function.module].self, own);
            if (core::is_name(function.source)) add(modules_[function.module].named, own);
        }
        if (python < 0) return;
        const FrameFacts::Frame& innermost = frame(static_cast<std::size_t>(python));
        add(functions_[innermost.function].self, own);
        if (innermost.line > 0) add(line(innermost).self, own);
    }

    SampledTime& layer_time(std::uint32_t layer) {
        if (layer >= layer_times_.size()) layer_times_.resize(layer + 1);
        return layer_times_[layer];
    }

    core::ProfileLine& line(const FrameFacts::Frame& frame) {
        const auto [place, is_new] =
            line_places_.try_emplace({frame.function, frame.line}, static_cast<std::uint32_t>(lines_.size()));
        if (is_new) lines_.push_back({.function = frame.function, .line = frame.line, .self = {}, .inclusive = {}});
        return lines_[place->second];
    }

    void count_inclusive_times() {
        std::vector<SampledTime> below(nodes_.size());
        std::vector<std::int32_t> child(nodes_.size(), -1), sibling(nodes_.size(), -1);
        std::int32_t root = -1;
        for (std::size_t i = nodes_.size(); i-- > 0;) {
            add(below[i], nodes_[i].running);
            add(below[i], nodes_[i].waiting);
            const std::int32_t parent = nodes_[i].parent;
            if (parent >= 0) add(below[static_cast<std::size_t>(parent)], below[i]);
            std::int32_t& first = parent < 0 ? root : child[static_cast<std::size_t>(parent)];
            sibling[i] = first;
            first = static_cast<std::int32_t>(i);
        }
        std::vector<std::uint32_t> functions_open(functions_.size());
        std::map<std::pair<std::uint32_t, int>, std::uint32_t> lines_open;
        const auto enter = [&](std::size_t node) {
            const FrameFacts::Frame& its = frame(node);
            if (functions_open[its.function]++ == 0) add(functions_[its.function].inclusive, below[node]);
            if (its.line > 0 && lines_open[{its.function, its.line}]++ == 0) add(line(its).inclusive, below[node]);
        };
        const auto leave = [&](std::size_t node) {
            const FrameFacts::Frame& its = frame(node);
            --functions_open[its.function];
            if (its.line > 0) --lines_open[{its.function, its.line}];
        };
        for (std::int32_t at = root; at >= 0;) {  // not recursive: stacks are deeper than ours may be
            auto node = static_cast<std::size_t>(at);
            enter(node);
            if (child[node] >= 0) {
                at = child[node];
                continue;
            }
            leave(node);
            while (sibling[node] < 0 && nodes_[node].parent >= 0) {
                node = static_cast<std::size_t>(nodes_[node].parent);
                leave(node);
            }
            at = sibling[node];
        }
    }

    [[nodiscard]] bool shows(FrameKind kind) const {
        if (view_ == FrameView::kBoth || kind == FrameKind::kGroup) return true;
        return (kind == FrameKind::kPython) == (view_ == FrameView::kPython);
    }

    std::int32_t view_node(std::int32_t parent, std::uint32_t function, std::uint32_t layer, int line) {
        const auto [place, is_new] =
            view_places_.try_emplace({parent, function, layer, line}, static_cast<std::int32_t>(view_nodes_.size()));
        if (is_new)
            view_nodes_.push_back({.parent = parent, .function = function, .layer = layer, .line = line, .self = {}});
        return place->second;
    }

    std::uint32_t no_python() {
        if (no_python_ < 0) {
            no_python_ = static_cast<std::int64_t>(functions_.size());
            functions_.emplace_back();
            functions_.back().kind = FrameKind::kGroup;
            functions_.back().name = kNoPython;
        }
        return static_cast<std::uint32_t>(no_python_);
    }

    void make_view() {
        std::vector<std::int32_t> shown(nodes_.size(), -1);  // the view's node that stands for each of ours
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const std::int32_t above = nodes_[i].parent < 0 ? -1 : shown[static_cast<std::size_t>(nodes_[i].parent)];
            const FrameFacts::Frame& its = frame(i);
            shown[i] = shows(kind(i)) ? view_node(above, its.function, node_layers_[i], its.line) : above;
            add_own_time(nodes_[i], shown[i]);
        }
    }

    void add_own_time(const TrieNode& node, std::int32_t shown) {
        if (node.running.samples + node.waiting.samples == 0) return;
        if (shown < 0) {
            const std::uint32_t function = no_python();
            shown = view_node(-1, function, layers_.number_of({"interpreter", false}), 0);
            add(functions_[function].inclusive, node.running);
            add(functions_[function].inclusive, node.waiting);
        }
        add(view_nodes_[static_cast<std::size_t>(shown)].self, node.running);
        if (node.waiting.samples == 0) return;
        const core::ProfileNode leaf = view_nodes_[static_cast<std::size_t>(shown)];
        const std::int32_t waits = view_node(leaf.parent, leaf.function, waiting_, leaf.line);
        add(view_nodes_[static_cast<std::size_t>(waits)].self, node.waiting);
    }

    core::Profile in_order() {
        core::Profile profile;
        profile.total = total_;
        profile.layers = layers_.all();
        layer_times_.resize(profile.layers.size());
        for (std::size_t i = 0; i < profile.layers.size(); ++i) profile.layers[i].self = layer_times_[i];
        profile.modules = std::move(modules_);
        profile.functions = std::move(functions_);
        profile.lines = std::move(lines_);
        profile.nodes = std::move(view_nodes_);
        const auto self = [](const auto& item) { return item.self.ns; };
        const auto self_then_all = [](const auto& item) { return std::pair(item.self.ns, item.inclusive.ns); };
        const std::vector<std::uint32_t> modules = sort_by(profile.modules, self);
        const std::vector<std::uint32_t> layers = sort_by(profile.layers, self);
        for (core::ProfileFunction& function : profile.functions)
            if (function.kind == FrameKind::kNative) function.module = modules[function.module];
        const std::vector<std::uint32_t> functions = sort_by(profile.functions, self_then_all);
        for (core::ProfileLine& each : profile.lines) each.function = functions[each.function];
        sort_by(profile.lines, self_then_all);
        std::vector<bool> used(profile.layers.size());
        for (core::ProfileNode& node : profile.nodes) {
            node.function = functions[node.function];
            node.layer = layers[node.layer];
            used[node.layer] = true;
        }
        while (!profile.layers.empty() && !used[profile.layers.size() - 1] && profile.layers.back().self.samples == 0)
            profile.layers.pop_back();
        return profile;
    }

    const std::vector<TrieNode>& nodes_;
    std::vector<FrameFacts::Frame> frames_;
    std::vector<core::ProfileFunction> functions_;
    std::vector<core::ProfileModule> modules_;
    ProfileLayers layers_;
    FrameView view_;

    SampledTime total_;
    std::uint32_t waiting_ = 0;
    std::int64_t no_python_ = -1;
    std::vector<std::uint32_t> node_layers_;
    std::vector<SampledTime> layer_times_;
    std::vector<core::ProfileLine> lines_;
    std::map<std::pair<std::uint32_t, int>, std::uint32_t> line_places_;
    std::vector<core::ProfileNode> view_nodes_;
    std::map<std::tuple<std::int32_t, std::uint32_t, std::uint32_t, int>, std::int32_t> view_places_;
};

}  // namespace

core::Profile tally(const StackTrie& stacks, FrameFacts facts, const LayerTable& layers, FrameView view) {
    return Tally(stacks, std::move(facts), layers, view).run();
}

}  // namespace tare::attribution
