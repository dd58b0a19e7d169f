// Addresses become functions, functions get layers along their paths, layouts are put side by side.
#include "harness/attribution/ledger_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <tuple>

#include "harness/attribution/allocation_calls.h"
#include "harness/attribution/blas_name.h"
#include "harness/attribution/call_tree.h"
#include "harness/attribution/instruction.h"
#include "harness/attribution/python_in_ledger.h"

namespace tare::attribution {

using core::Count;

namespace {

using Counts = std::map<std::uint32_t, std::uint64_t>;  ///< instructions by an index

/// What one layout showed.
struct Layout {
    CallTree tree;                           ///< net of the floor
    std::vector<std::uint32_t> node_layers;  ///< by node of the tree
    std::uint64_t floor = 0;
    Counts functions;
    Counts layers;
    Counts modules;
    Counts python;  ///< by the innermost Python function
};

struct FunctionFacts {
    std::uint32_t module = 0;
    std::string name;
    core::NameSource source = core::NameSource::kNone;
};

struct ModuleFacts {
    std::string path;
    std::string file;  ///< without folders
    std::string build_id;
    core::NameSource symbols = core::NameSource::kNone;
    std::string problem;
};

std::uint64_t traps(const core::Trace& trace) {
    return std::accumulate(trace.repeats.begin(), trace.repeats.end(), std::uint64_t{trace.steps.size()},
                           [](std::uint64_t sum, const core::Repeat& repeat) { return sum + repeat.times; });
}

/// A count of each index over the layouts, `value` from layout `best`; indices that no layout has are absent.
std::map<std::uint32_t, Count> over_layouts(const std::vector<Layout>& layouts, std::size_t best,
                                            Counts Layout::*member) {
    std::map<std::uint32_t, Count> counts;
    for (const Layout& layout : layouts)
        for (const auto& [index, ignored] : layout.*member) counts[index] = {};
    for (auto& [index, count] : counts) {
        count.lowest = std::numeric_limits<std::uint64_t>::max();
        for (std::size_t i = 0; i < layouts.size(); ++i) {
            const Counts& layout = layouts[i].*member;
            const auto found = layout.find(index);
            const std::uint64_t value = found != layout.end() ? found->second : 0;
            count.lowest = std::min(count.lowest, value);
            count.highest = std::max(count.highest, value);
            if (i == best) count.value = value;
        }
    }
    return counts;
}

template <class Value>
Count spread(const std::vector<Layout>& layouts, std::size_t best, Value value) {
    Count count{value(layouts[best]), std::numeric_limits<std::uint64_t>::max(), 0};
    for (const Layout& layout : layouts) {
        count.lowest = std::min(count.lowest, value(layout));
        count.highest = std::max(count.highest, value(layout));
    }
    return count;
}

/// Most instructions first; equal ones by index, which is that of first appearance.
template <class Item>
std::vector<std::uint32_t> by_value(const std::vector<Item>& items) {
    std::vector<std::uint32_t> order(items.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(items[a].self.value, items[a].self.highest) >
               std::pair(items[b].self.value, items[b].self.highest);
    });
    return order;
}

template <class Item>
std::vector<std::uint32_t> sort_by_value(std::vector<Item>& items) {
    const std::vector<std::uint32_t> order = by_value(items);
    std::vector<std::uint32_t> places(items.size());
    std::vector<Item> sorted;
    for (const std::uint32_t index : order) {
        places[index] = static_cast<std::uint32_t>(sorted.size());
        sorted.push_back(std::move(items[index]));
    }
    items = std::move(sorted);
    return places;
}

}  // namespace

struct LedgerBuilder::State {
    State(std::string name, std::string text, const LayerTable& layer_table)
        : case_name(std::move(name)), statement(std::move(text)), table(layer_table) {}

    std::string case_name;
    std::string statement;
    const LayerTable& table;
    std::vector<FunctionFacts> functions;
    std::vector<ModuleFacts> modules;
    std::vector<LayerTable::Layer> layers;
    std::vector<core::PythonFunction> pythons;
    std::map<core::PythonFunction, std::int32_t> python_places;
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> function_places;
    std::map<std::string, std::uint32_t> module_places;
    std::map<std::string, std::uint32_t> layer_places;
    std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, std::uint32_t> layer_cache;
    std::vector<Layout> layouts;
    std::vector<core::LedgerSystemCall> system_calls;  ///< of the best layout
    std::size_t best = 0;
    bool randomized = false;
    std::string python_problem;
    double stepping_ns = 0;
    std::uint64_t trap_count = 0;
    std::uint64_t unmatched_floor = 0;

    [[nodiscard]] std::uint32_t module_of(const NamedModule& named) {
        const auto [place, fresh] =
            module_places.try_emplace(named.module.path, static_cast<std::uint32_t>(modules.size()));
        if (fresh)
            modules.push_back({.path = named.module.path,
                               .file = std::filesystem::path(named.module.path).filename(),
                               .build_id = named.module.build_id,
                               .symbols = named.symbols,
                               .problem = named.problem});
        return place->second;
    }

    [[nodiscard]] std::uint32_t function_of(const Function& function, const NamedModule& named) {
        const std::uint32_t module = module_of(named);
        const auto [place, fresh] =
            function_places.try_emplace({module, function.name}, static_cast<std::uint32_t>(functions.size()));
        if (fresh) functions.push_back({.module = module, .name = function.name, .source = function.source});
        return place->second;
    }

    [[nodiscard]] std::vector<std::int32_t> places_of(const std::vector<core::PythonFunction>& functions_run) {
        std::vector<std::int32_t> places;
        for (const core::PythonFunction& function : functions_run) {
            const auto [place, fresh] = python_places.try_emplace(function, static_cast<std::int32_t>(pythons.size()));
            if (fresh) pythons.push_back(function);
            places.push_back(place->second);
        }
        return places;
    }

    [[nodiscard]] CallTree tree_of(const core::Trace& trace, Naming& naming) {
        const auto find = [&](std::uint64_t address) {
            const Function& function = naming.function_at(address);
            return TreeFunction{.id = function_of(function, naming.modules()[function.module]),
                                .start = function.is_part ? 0 : function.start,
                                .named = core::is_name(function.source),
                                .is_stub = function.source == core::NameSource::kStub,
                                .runs_python = function.name == "_PyEval_EvalFrameDefault"};
        };
        return build_call_tree(trace, decode(trace.code), find, places_of(trace.python_codes));
    }

    [[nodiscard]] LayerTable::Place place_of(std::uint32_t function) const {
        const FunctionFacts& facts = functions[function];
        return {.module = modules[facts.module].file,
                .function = core::is_name(facts.source) ? std::string_view(facts.name) : std::string_view()};
    }

    [[nodiscard]] std::uint32_t layer_of(std::uint32_t function, std::int64_t caller, std::int64_t caller_layer) {
        const auto [cached, fresh] = layer_cache.try_emplace({function, caller, caller_layer});
        if (!fresh) return cached->second;
        static const LayerTable::Layer kNone;
        LayerTable::Layer layer = table.layer_of(
            place_of(function), caller < 0 ? LayerTable::Place{} : place_of(static_cast<std::uint32_t>(caller)),
            caller_layer < 0 ? kNone : layers[static_cast<std::size_t>(caller_layer)]);
        const auto [place, unknown] = layer_places.try_emplace(layer.name, static_cast<std::uint32_t>(layers.size()));
        if (unknown) layers.push_back(std::move(layer));
        cached->second = place->second;
        return cached->second;
    }

    void tally(Layout& layout) {
        std::vector<std::int32_t> python;  // by node, the innermost
        for (const CallNode& node : layout.tree.nodes) {
            const auto parent = static_cast<std::size_t>(node.parent);
            python.push_back(node.python >= 0 || node.parent < 0 ? node.python : python[parent]);
            const std::uint32_t layer = node.parent < 0 ? layer_of(node.function, -1, -1)
                                                        : layer_of(node.function, layout.tree.nodes[parent].function,
                                                                   layout.node_layers[parent]);
            layout.node_layers.push_back(layer);
            if (node.self == 0) continue;
            if (python.back() >= 0) layout.python[static_cast<std::uint32_t>(python.back())] += node.self;
            layout.functions[node.function] += node.self;
            layout.layers[layer] += node.self;
            layout.modules[functions[node.function].module] += node.self;
        }
    }

    [[nodiscard]] std::vector<core::LedgerAllocation> allocations() const {
        std::map<std::string, core::LedgerAllocation, std::less<>> by_function;
        for (const CallArguments& call : layouts[best].tree.calls) {
            const std::string& name = functions[call.function].name;
            if (!core::is_name(functions[call.function].source) || !is_allocation(name)) continue;
            const std::string_view front = front_of_allocation(name);
            const bool passed_on = call.caller != call.function && is_allocation(functions[call.caller].name);
            if (!front.empty() && passed_on) continue;  // the request is counted under the function that was called
            core::LedgerAllocation& allocation = by_function[name];
            allocation.function = name;
            ++allocation.calls;
            allocation.bytes += allocated_bytes(name, call.argument1, call.argument2);
        }
        std::vector<core::LedgerAllocation> all;
        for (auto& [name, allocation] : by_function) all.push_back(std::move(allocation));
        std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.calls > b.calls; });
        return all;
    }

    void add_modules(core::Ledger& ledger, const std::map<std::uint32_t, Count>& counts) const {
        for (std::uint32_t i = 0; i < modules.size(); ++i) {
            const auto found = counts.find(i);
            ledger.modules.push_back({.path = modules[i].path,
                                      .build_id = modules[i].build_id,
                                      .symbols = modules[i].symbols,
                                      .self = found != counts.end() ? found->second : Count{}});
            if (found != counts.end() && !modules[i].problem.empty())
                ledger.warnings.push_back(fmt::format("no names of {}: {}", modules[i].path, modules[i].problem));
        }
    }

    [[nodiscard]] std::optional<core::BlasFamily> family_of(const FunctionFacts& function) const {
        if (!core::is_name(function.source) || !is_blas_module(modules[function.module].file)) return std::nullopt;
        const std::optional<BlasName> name = parse_blas_name(function.name);
        if (!name) return std::nullopt;
        return core::BlasFamily{.role = std::string(name_of(name->role)),
                                .precision = name->precision,
                                .routine = name->routine,
                                .transposition = name->transposition,
                                .core = name->core,
                                .small_matrix = name->small_matrix};
    }

    void add_functions(core::Ledger& ledger, const std::map<std::uint32_t, Count>& counts) const {
        for (std::uint32_t i = 0; i < functions.size(); ++i) {
            const auto found = counts.find(i);
            const Count self = found != counts.end() ? found->second : Count{};
            ledger.functions.push_back({.module = functions[i].module,
                                        .name = functions[i].name,
                                        .source = functions[i].source,
                                        .self = self,
                                        .blas = family_of(functions[i])});
            if (self.value == 0) continue;
            core::LedgerModule& module = ledger.modules[functions[i].module];
            ++module.functions;
            if (!core::is_name(functions[i].source)) continue;
            ++module.named_functions;
            module.named += self.value;
        }
    }

    void add_layers(core::Ledger& ledger, const std::map<std::uint32_t, Count>& counts) const {
        std::map<std::uint32_t, std::map<std::uint32_t, bool>> members;
        const Layout& layout = layouts[best];
        for (std::size_t i = 0; i < layout.tree.nodes.size(); ++i)
            if (layout.tree.nodes[i].self > 0) members[layout.node_layers[i]][layout.tree.nodes[i].function] = true;
        for (std::uint32_t i = 0; i < layers.size(); ++i) {
            const auto found = counts.find(i);
            ledger.layers.push_back({.name = layers[i].name,
                                     .self = found != counts.end() ? found->second : Count{},
                                     .functions = static_cast<std::uint32_t>(members[i].size()),
                                     .unresolved = layers[i].unresolved});
        }
    }

    /// Puts everything in the order that readers want, and drops what no node, module or function refers to.
    void put_in_order(core::Ledger& ledger) const {
        const std::vector<std::uint32_t> module_order = sort_by_value(ledger.modules);
        const std::vector<std::uint32_t> layer_order = sort_by_value(ledger.layers);
        for (core::LedgerFunction& function : ledger.functions) function.module = module_order[function.module];
        const std::vector<std::uint32_t> function_order = sort_by_value(ledger.functions);
        const Layout& layout = layouts[best];
        std::vector<bool> functions_used(ledger.functions.size());
        std::vector<bool> layers_used(ledger.layers.size());
        for (std::size_t i = 0; i < layout.tree.nodes.size(); ++i) {
            const CallNode& node = layout.tree.nodes[i];
            ledger.nodes.push_back({.parent = node.parent,
                                    .function = function_order[node.function],
                                    .layer = layer_order[layout.node_layers[i]],
                                    .calls = node.calls,
                                    .self = node.self,
                                    .python = node.python});
            functions_used[ledger.nodes.back().function] = true;
            layers_used[ledger.nodes.back().layer] = true;
        }
        const auto trim = [](auto& items, const std::vector<bool>& used) {  // unused ones without counts stand last
            while (!items.empty() && !used[items.size() - 1] && items.back().self.highest == 0) items.pop_back();
        };
        trim(ledger.functions, functions_used);
        trim(ledger.layers, layers_used);
        std::vector<bool> modules_used(ledger.modules.size());
        for (const core::LedgerFunction& function : ledger.functions) modules_used[function.module] = true;
        trim(ledger.modules, modules_used);
    }
};

LedgerBuilder::LedgerBuilder(std::string case_name, std::string statement, const LayerTable& layers)
    : state_(std::make_unique<State>(std::move(case_name), std::move(statement), layers)) {}
LedgerBuilder::~LedgerBuilder() = default;
LedgerBuilder::LedgerBuilder(LedgerBuilder&&) noexcept = default;
LedgerBuilder& LedgerBuilder::operator=(LedgerBuilder&&) noexcept = default;

void LedgerBuilder::add_layout(const core::Trace& statement, const core::Trace& floor, Naming& naming) {
    Layout layout;
    const CallTree empty_pass = state_->tree_of(floor, naming);
    Difference net = without_floor(state_->tree_of(statement, naming), empty_pass);
    layout.tree = std::move(net.tree);
    layout.floor = empty_pass.total;
    state_->unmatched_floor = std::max(state_->unmatched_floor, net.unmatched);
    state_->tally(layout);
    state_->randomized |= statement.randomized_addresses;
    if (state_->python_problem.empty()) state_->python_problem = statement.python_problem;
    state_->stepping_ns += statement.wall_ns + floor.wall_ns;
    state_->trap_count += traps(statement) + traps(floor);
    if (state_->layouts.empty() || layout.tree.total < state_->layouts[state_->best].tree.total) {
        state_->best = state_->layouts.size();
        std::map<std::int64_t, std::uint64_t> calls;
        for (const core::SystemCall& call : statement.system_calls) ++calls[call.number];
        state_->system_calls.clear();
        for (const auto& [number, count] : calls) state_->system_calls.push_back({number, count});
    } else {
        layout.tree.calls.clear();
    }
    state_->layouts.push_back(std::move(layout));
}

int LedgerBuilder::layouts() const {
    return static_cast<int>(state_->layouts.size());
}

core::Ledger LedgerBuilder::build(const core::ProgramKey& program) const {
    const State& state = *state_;
    core::Ledger ledger;
    ledger.case_name = state.case_name;
    ledger.statement = state.statement;
    ledger.program = program;
    ledger.layouts = layouts();
    ledger.randomized_addresses = state.randomized;
    ledger.python_problem = state.python_problem;
    ledger.total = spread(state.layouts, state.best, [](const Layout& layout) { return layout.tree.total; });
    ledger.floor = spread(state.layouts, state.best, [](const Layout& layout) { return layout.floor; });
    ledger.step_ns = state.trap_count == 0 ? 0 : state.stepping_ns / static_cast<double>(state.trap_count);
    state.add_modules(ledger, over_layouts(state.layouts, state.best, &Layout::modules));
    state.add_functions(ledger, over_layouts(state.layouts, state.best, &Layout::functions));
    state.add_layers(ledger, over_layouts(state.layouts, state.best, &Layout::layers));
    state.put_in_order(ledger);
    add_python_functions(ledger, state.pythons, over_layouts(state.layouts, state.best, &Layout::python),
                         state.layouts[state.best].tree.lines);
    ledger.allocations = state.allocations();
    ledger.system_calls = state.system_calls;
    ledger.routes = blas_routes(ledger);
    constexpr std::int64_t kFutex = 202;  // x86-64
    for (const core::LedgerSystemCall& call : ledger.system_calls)
        if (call.number == kFutex)
            ledger.warnings.push_back("it calls futex: what other threads do meanwhile is not counted");
    if (state.unmatched_floor > 0)
        ledger.warnings.push_back(fmt::format(
            "{} instructions of an empty pass of the loop are not on the statement's paths; they were not subtracted",
            state.unmatched_floor));
    return ledger;
}

}  // namespace tare::attribution
