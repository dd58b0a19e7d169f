// A profile as a tree: a frame for each function, and for each line of a Python function that stands on a stack.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "harness/attribution/weighted_tree.h"

namespace tare::attribution {

namespace {

TreeFrame native_frame(const core::ProfileFunction& function, const std::string& path) {
    const bool has_name = core::is_name(function.source) && !function.name.empty();
    TreeFrame frame;
    frame.file = module_name(path);
    frame.symbol = has_name ? on_one_line(function.name) : '[' + frame.file + ']';
    frame.name = frame.symbol;
    frame.place = has_name ? frame.file : on_one_line(function.name);
    return frame;
}

TreeFrame python_frame(const core::ProfileFunction& function, int line) {
    TreeFrame frame;
    frame.file = function.file;
    frame.line = line > 0 ? line : function.first_line;
    frame.symbol = on_one_line(function.name);
    const std::string file = on_one_line(module_name(function.file.empty() ? "?" : function.file));
    frame.name = frame.line > 0 ? fmt::format("{} ({}:{})", frame.symbol, file, frame.line)
                                : fmt::format("{} ({})", frame.symbol, file);
    frame.place = "Python";
    frame.is_python = true;
    return frame;
}

TreeFrame frame_of(const core::Profile& profile, const core::ProfileFunction& function, int line) {
    if (function.kind == core::FrameKind::kPython) return python_frame(function, line);
    if (function.kind == core::FrameKind::kNative && function.module < profile.modules.size())
        return native_frame(function, profile.modules[function.module].path);
    TreeFrame frame;
    frame.name = frame.symbol = on_one_line(function.name);
    if (function.kind == core::FrameKind::kKernel) frame.place = frame.file = "kernel";
    return frame;
}

std::uint64_t weight_of(const core::SampledTime& time) {
    return static_cast<std::uint64_t>(std::llround(std::max(time.ns, 0.0)));
}

}  // namespace

WeightedTree tree_of(const core::Profile& profile) {
    WeightedTree tree;
    tree.title = profile.program;
    tree.unit = TreeUnit::kSampledTime;
    for (const core::ProfileLayer& layer : profile.layers) tree.layers.push_back({layer.name, weight_of(layer.self)});
    std::map<std::pair<std::uint32_t, int>, std::uint32_t> frames;
    for (const core::ProfileNode& node : profile.nodes) {
        const core::ProfileFunction& function = profile.functions[node.function];
        const int line = function.kind == core::FrameKind::kPython ? node.line : 0;
        const auto [frame, is_new] =
            frames.try_emplace({node.function, line}, static_cast<std::uint32_t>(tree.frames.size()));
        if (is_new) tree.frames.push_back(frame_of(profile, function, line));
        tree.nodes.push_back({.parent = node.parent,
                              .frame = frame->second,
                              .layer = node.layer,
                              .self = weight_of(node.self),
                              .samples = node.self.samples});
    }
    return tree;
}

}  // namespace tare::attribution
