// The shadow stack. The one rule that pops: a frame is gone once the stack pointer is above where it was at its entry.
#include "harness/attribution/call_tree.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace tare::attribution {

namespace {

constexpr std::uint64_t kOpen = std::numeric_limits<std::uint64_t>::max();  // entered before stepping began

/// Where Python is: a function and a line of it.
struct Place {
    std::int32_t function = -1;
    std::int32_t line = 0;
    auto operator<=>(const Place&) const = default;
};

/// A Python frame that a frame of the interpreter's loop runs.
struct Activation {
    std::uint64_t frame = 0;
    std::int32_t node = -1;
    Place place;
};

struct Frame {
    TreeFunction function;
    std::int32_t node = -1;
    std::uint64_t stack_pointer_at_entry = kOpen;  ///< points at the return address
    bool tail = false;                             ///< jumped to by the frame below it
    Place called_from = {};
    bool has_run_python = false;
    std::uint64_t before_python = 0;  ///< instructions since its entry, while it has run no Python frame
    std::vector<Activation> activations = {};
};

class CallTreeBuilder {
  public:
    CallTreeBuilder(const core::Trace& trace, const Instructions& instructions, const FunctionFinder& function_at,
                    const std::vector<std::int32_t>& python_functions)
        : trace_(trace), instructions_(instructions), function_at_(function_at), python_functions_(python_functions) {}

    [[nodiscard]] CallTree build() {
        auto repeat = trace_.repeats.begin();
        auto python = trace_.python.begin();
        for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
            const core::Step& step = trace_.steps[i];
            const Instruction instruction = instruction_at(step.address);
            if (i == 0)
                enter_open(step);
            else
                follow(trace_.steps[i - 1], step);
            for (; python != trace_.python.end() && python->step == i; ++python) run_python(*python);
            std::uint64_t count = 1;
            if (repeat != trace_.repeats.end() && repeat->step == i) {
                if (!instruction.repeats) count += repeat->times;
                ++repeat;
            }
            add(count);
        }
        return std::move(tree_);
    }

  private:
    [[nodiscard]] Instruction instruction_at(std::uint64_t address) const {
        const auto found = instructions_.find(address);
        return found != instructions_.end() ? found->second : Instruction{};
    }

    [[nodiscard]] TreeFunction function_at(std::uint64_t address) {
        const auto [place, fresh] = functions_.try_emplace(address);
        if (fresh) place->second = function_at_(address);
        return place->second;
    }

    [[nodiscard]] std::int32_t node_of(std::int32_t parent, std::uint32_t function, std::int32_t python = -1) {
        const auto [place, fresh] =
            nodes_.try_emplace({parent, function, python}, static_cast<std::int32_t>(tree_.nodes.size()));
        if (fresh) tree_.nodes.push_back({.parent = parent, .function = function, .python = python});
        return place->second;
    }

    void add(std::uint64_t count) {
        Frame& top = stack_.back();
        node_at(node_in(top)).self += count;
        tree_.total += count;
        if (!top.has_run_python) top.before_python += count;
        count_line(place_in(top), count);
    }

    void count_line(const Place& place, std::uint64_t count) {
        if (place.function >= 0) tree_.lines[{place.function, place.line}] += count;
    }

    [[nodiscard]] CallNode& node_at(std::int32_t index) { return tree_.nodes[static_cast<std::size_t>(index)]; }
    [[nodiscard]] static std::int32_t node_in(const Frame& frame) {
        return frame.activations.empty() ? frame.node : frame.activations.back().node;
    }
    [[nodiscard]] static const Place& place_in(const Frame& frame) {
        return frame.activations.empty() ? frame.called_from : frame.activations.back().place;
    }

    void run_python(const core::PythonStep& now) {
        if (!harness_frame_) harness_frame_ = now.frame;
        if (now.frame == *harness_frame_) {  // the loop around the statement, in the frame that was open
            stack_.front().activations.clear();
            return;
        }
        const Place place{now.code < python_functions_.size() ? python_functions_[now.code] : -1, now.line};
        for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
            std::vector<Activation>& activations = frame->activations;
            const auto known = std::ranges::find(activations, now.frame, &Activation::frame);
            // The same memory may be another call of another function by now.
            if (known == activations.end() || known->place.function != place.function) continue;
            known->place = place;
            activations.erase(known + 1, activations.end());
            return;
        }
        begin_python(now.frame, place);
    }

    void begin_python(std::uint64_t frame, const Place& place) {
        const auto loop =
            std::find_if(stack_.rbegin(), stack_.rend(), [](const Frame& each) { return each.function.runs_python; });
        Frame& host = loop != stack_.rend() ? *loop : stack_.back();
        std::erase_if(host.activations, [&](const Activation& each) { return each.frame == frame; });
        const bool is_open = host.stack_pointer_at_entry == kOpen;
        const bool first = !host.has_run_python && !is_open;
        const bool outermost = host.activations.empty() && !is_open;
        host.has_run_python = true;
        const std::int32_t parent = outermost ? node_at(host.node).parent : node_in(host);
        const std::int32_t own = node_of(parent, host.function.id, place.function);
        ++node_at(own).calls;
        if (first) {  // how it came to run that is its beginning
            CallNode& before = node_at(host.node);
            --before.calls;
            before.self -= host.before_python;
            node_at(own).self += host.before_python;
            if (host.called_from.function >= 0)
                tree_.lines[{host.called_from.function, host.called_from.line}] -= host.before_python;
            count_line(place, host.before_python);
            host.before_python = 0;
        }
        host.activations.push_back({frame, own, place});
    }

    void enter_open(const core::Step& step) {
        const TreeFunction function = function_at(step.address);
        stack_.assign(1, {.function = function, .node = node_of(-1, function.id)});
    }

    void enter(const core::Step& step, const TreeFunction& function, bool tail) {
        const std::int32_t parent = stack_.empty() ? -1 : node_in(stack_.back());
        const Place called_from = stack_.empty() ? Place{} : place_in(stack_.back());
        const std::int32_t node = node_of(parent, function.id);
        ++tree_.nodes[static_cast<std::size_t>(node)].calls;
        const std::uint32_t caller = parent < 0 ? function.id : tree_.nodes[static_cast<std::size_t>(parent)].function;
        tree_.calls.push_back({function.id, caller, step.argument1, step.argument2});
        stack_.push_back({.function = function,
                          .node = node,
                          .stack_pointer_at_entry = step.stack_pointer,
                          .tail = tail,
                          .called_from = called_from});
    }

    void follow(const core::Step& previous, const core::Step& step) {
        const Instruction left = instruction_at(previous.address);
        const std::size_t depth = stack_.size();
        while (step.stack_pointer > stack_.back().stack_pointer_at_entry) stack_.pop_back();  // never the open frame
        if (left.flow == Flow::kReturn) {
            // Out of the open frame: its caller was entered before stepping began, too.
            if (stack_.size() == depth && stack_.back().stack_pointer_at_entry == kOpen) enter_open(step);
            return;
        }
        const std::uint64_t next = previous.address + left.length;
        if (left.flow == Flow::kCall && step.address != next) return enter(step, function_at(step.address), false);
        if (left.flow == Flow::kCall || left.flow == Flow::kSystemCall) return;
        if (step.address == next) return;  // a function has no end that is flowed across, but may have a cold part
        jump(step);
    }

    void jump(const core::Step& step) {
        const TreeFunction target = function_at(step.address);
        const Frame& from = stack_.back();
        if (target.id == from.function.id || step.address != target.start) return;
        if (from.stack_pointer_at_entry == kOpen) {
            // Where its entry left the stack is unknown. Names tell a tail call from a cold part.
            if (target.named && from.function.named) enter_open(step);
            return;
        }
        if (step.stack_pointer != from.stack_pointer_at_entry) return;
        const bool leaves_no_frame = from.tail || from.function.is_stub;
        const bool tail = !from.function.is_stub || from.tail;
        if (leaves_no_frame) stack_.pop_back();
        enter(step, target, tail);
    }

    const core::Trace& trace_;
    const Instructions& instructions_;
    const FunctionFinder& function_at_;
    const std::vector<std::int32_t>& python_functions_;
    std::map<std::uint64_t, TreeFunction> functions_;
    std::map<std::tuple<std::int32_t, std::uint32_t, std::int32_t>, std::int32_t> nodes_;
    std::optional<std::uint64_t> harness_frame_;
    std::vector<Frame> stack_;
    CallTree tree_;
};

}  // namespace

CallTree build_call_tree(const core::Trace& trace, const Instructions& instructions, const FunctionFinder& function_at,
                         const std::vector<std::int32_t>& python_functions) {
    return CallTreeBuilder(trace, instructions, function_at, python_functions).build();
}

Difference without_floor(const CallTree& tree, const CallTree& floor) {
    // Nodes of `tree` by path; a floor node's path is found through that of its parent.
    std::map<std::tuple<std::int32_t, std::uint32_t, std::int32_t>, std::size_t> places;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        places[{tree.nodes[i].parent, tree.nodes[i].function, tree.nodes[i].python}] = i;
    constexpr std::int32_t kNowhere = -2;
    std::vector<std::int32_t> matches;
    Difference difference{tree, 0};
    for (const CallNode& node : floor.nodes) {
        const std::int32_t parent = node.parent < 0 ? -1 : matches[static_cast<std::size_t>(node.parent)];
        const auto found = parent == kNowhere ? places.end() : places.find({parent, node.function, node.python});
        if (found == places.end()) {
            matches.push_back(kNowhere);
            difference.unmatched += node.self;
            continue;
        }
        matches.push_back(static_cast<std::int32_t>(found->second));
        CallNode& left = difference.tree.nodes[found->second];
        const std::uint64_t taken = std::min(left.self, node.self);
        left.self -= taken;
        left.calls -= std::min(left.calls, node.calls);
        difference.tree.total -= taken;
        difference.unmatched += node.self - taken;
    }
    // Drop what nothing is left of, leaves first.
    std::vector<CallNode>& nodes = difference.tree.nodes;
    std::vector<bool> kept(nodes.size());
    for (std::size_t i = nodes.size(); i-- > 0;) {
        if (nodes[i].self > 0 || nodes[i].calls > 0) kept[i] = true;
        if (kept[i] && nodes[i].parent >= 0) kept[static_cast<std::size_t>(nodes[i].parent)] = true;
    }
    std::vector<std::int32_t> moved(nodes.size(), -1);
    std::vector<CallNode> left;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!kept[i]) continue;
        moved[i] = static_cast<std::int32_t>(left.size());
        CallNode node = nodes[i];
        if (node.parent >= 0) node.parent = moved[static_cast<std::size_t>(node.parent)];
        left.push_back(node);
    }
    nodes = std::move(left);
    return difference;
}

}  // namespace tare::attribution
