// At stake: that the parts of a ledger add up to its total: 3,770 instructions by layer, by module and by function, the
// floor subtracted once, the spread over layouts that of the layouts.
#include "harness/attribution/ledger_builder.h"

#include <gmock/gmock.h>

#include <algorithm>

#include <numeric>

namespace tare::attribution {
namespace {

using core::Count;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kNames =
    "1000 100 eval_loop\n"
    "2000 100 array_add\n"
    "3000 100 DOUBLE_add\n"
    "4000 100 malloc\n"
    "5000 100 next_pass\n";
constexpr const char* kLayers =
    "layer interpreter .* eval_loop\n"
    "layer number_protocol .* array_add\n"
    "layer inner_loop .* DOUBLE_add\n"
    "layer allocation .* malloc\n"
    "layer harness .* next_pass\n";

/// Steps of one-byte instructions, but for calls; the stack as calls and returns leave it.
class TraceScript {
  public:
    TraceScript& run(std::uint64_t address, int instructions, std::uint64_t argument = 0) {
        for (int i = 0; i < instructions; ++i) step(address + static_cast<std::uint64_t>(i), 0x90, argument);
        return *this;
    }
    TraceScript& call(std::uint64_t from) {
        step(from, 0xff, 0);  // ff d0: call rax
        trace_.code.back().length = 2;
        trace_.code.back().bytes[1] = 0xd0;
        stack_pointer_ -= 8;
        return *this;
    }
    TraceScript& ret(std::uint64_t from) {
        step(from, 0xc3, 0);
        stack_pointer_ += 8;
        return *this;
    }
    core::Trace trace() const { return trace_; }

  private:
    void step(std::uint64_t address, std::uint8_t byte, std::uint64_t argument) {
        trace_.steps.push_back({address, stack_pointer_, argument, 0});
        core::CodeBytes code{.address = address, .length = 1, .bytes = {}};
        code.bytes[0] = byte;
        trace_.code.push_back(code);
    }

    core::Trace trace_;
    std::uint64_t stack_pointer_ = 0x7000;
};

/// A pass of the loop around `inner` instructions in DOUBLE_add.
core::Trace statement(int inner) {
    TraceScript script;
    script.run(0x1000, 4).call(0x1010).run(0x2000, 3).call(0x2010).run(0x4000, 2, 64).ret(0x4010).run(0x2012, 1);
    script.call(0x2020).run(0x3000, inner).ret(0x3050).run(0x2022, 1).ret(0x2030).run(0x1012, 2);
    script.call(0x1020).run(0x5000, 2).ret(0x5010).run(0x1022, 1);
    return script.trace();
}

core::Trace floor_pass() {
    return TraceScript().run(0x1000, 3).call(0x1020).run(0x5000, 2).ret(0x5010).run(0x1022, 1).trace();
}

class Builder : public testing::Test {
  protected:
    Builder() : naming_({}, {}), layers_(*LayerTable::parse({{"layers", kLayers}})), builder_("add", "x + x", layers_) {
        EXPECT_EQ(naming_.add_perf_map(kNames), 0U);
    }
    core::Ledger ledger_of(std::vector<int> layouts) {
        for (const int inner : layouts) builder_.add_layout(statement(inner), floor_pass(), naming_);
        return builder_.build({});
    }

    Naming naming_;
    LayerTable layers_;
    LedgerBuilder builder_;
};

template <class Item>
std::vector<std::string> lines(const std::vector<Item>& items) {
    std::vector<std::string> all;
    for (const Item& item : items)
        all.push_back(item.name + " " + std::to_string(item.self.value) + " " + std::to_string(item.self.lowest) +
                      ".." + std::to_string(item.self.highest));
    return all;
}

TEST_F(Builder, SubtractsTheFloorAndAddsUp) {
    const core::Ledger ledger = ledger_of({7});
    EXPECT_EQ(ledger.case_name, "add");
    EXPECT_EQ(ledger.layouts, 1);
    EXPECT_EQ(ledger.floor, (Count{8, 8, 8}));
    EXPECT_EQ(ledger.total.value, 4 + 8 + 3 + 8U);
    EXPECT_THAT(lines(ledger.layers),
                ElementsAre("number_protocol 8 8..8", "inner_loop 8 8..8", "interpreter 4 4..4", "allocation 3 3..3"));
    EXPECT_THAT(lines(ledger.functions),
                ElementsAre("array_add 8 8..8", "DOUBLE_add 8 8..8", "eval_loop 4 4..4", "malloc 3 3..3"));
    ASSERT_EQ(ledger.modules.size(), 1U);
    EXPECT_EQ(ledger.modules[0].self.value, ledger.total.value);
    EXPECT_EQ(ledger.modules[0].named, ledger.total.value);
    EXPECT_EQ(ledger.modules[0].named_functions, 4U);
    EXPECT_THAT(ledger.warnings, IsEmpty());
    EXPECT_EQ(std::accumulate(ledger.nodes.begin(), ledger.nodes.end(), std::uint64_t{0},
                              [](std::uint64_t sum, const core::LedgerNode& node) { return sum + node.self; }),
              ledger.total.value);
}

TEST_F(Builder, DescribesTheLayoutWithTheFewestAndTheSpreadOfAll) {
    const core::Ledger ledger = ledger_of({9, 7, 12});
    EXPECT_EQ(ledger.total, (Count{23, 23, 28}));
    EXPECT_EQ(ledger.layouts, 3);
    EXPECT_EQ(ledger.layers[0].self, (Count{8, 8, 13}));
    EXPECT_EQ(ledger.functions[0].self, (Count{8, 8, 13})) << ledger.functions[0].name;
    EXPECT_EQ(ledger.modules[0].self, (Count{23, 23, 28}));
}

TEST_F(Builder, KeepsTheCallTree) {
    const core::Ledger ledger = ledger_of({7});
    std::vector<std::string> paths, shown;
    for (const core::LedgerNode& node : ledger.nodes) {
        paths.push_back((node.parent < 0 ? "" : paths[static_cast<std::size_t>(node.parent)] + ">") +
                        ledger.functions[node.function].name);
        shown.push_back(paths.back() + " " + std::to_string(node.calls) + " " + std::to_string(node.self) + " " +
                        ledger.layers[node.layer].name);
    }
    EXPECT_THAT(shown, ElementsAre("eval_loop 0 4 interpreter", "eval_loop>array_add 1 8 number_protocol",
                                   "eval_loop>array_add>malloc 1 3 allocation",
                                   "eval_loop>array_add>DOUBLE_add 1 8 inner_loop"));
    EXPECT_THAT(core::inclusive_counts(ledger.nodes), ElementsAre(23U, 19U, 3U, 8U));
}

TEST_F(Builder, CountsPythonFunctionsByLineAndWithWhatTheyCall) {
    for (const int inner : {9, 7}) {
        core::Trace trace = statement(inner);
        trace.python_codes = {{"<tare>", "batch", 1}, {"/a/shapes.py", "area", 3}, {"/a/shapes.py", "side", 8}};
        const auto in_the_loop_again = static_cast<std::uint32_t>(inner + 17);
        trace.python = {{7, 0, 0, 1}, {8, 5, 1, 4}, {9, 9, 2, 9}, {8, 12, 1, 5}, {7, in_the_loop_again, 0, 1}};
        builder_.add_layout(trace, floor_pass(), naming_);
    }
    const core::Ledger ledger = builder_.build({});
    EXPECT_EQ(ledger.total, (Count{23, 23, 25}));
    ASSERT_EQ(ledger.python_functions.size(), 2U);
    const core::LedgerPythonFunction &area = ledger.python_functions[0], &side = ledger.python_functions[1];
    EXPECT_EQ(core::text_of(area), "area (shapes.py:3)");
    EXPECT_EQ(area.self, (Count{16, 16, 18}));
    EXPECT_EQ(side.self, (Count{3, 3, 3}));
    EXPECT_EQ(area.inclusive, 19U) << "all but the loop's four";
    EXPECT_EQ(side.inclusive, 3U);
    EXPECT_EQ(area.calls, 1U);
    EXPECT_THAT(area.lines, ElementsAre(core::LedgerLine{4, 4}, core::LedgerLine{5, 12}));
    EXPECT_THAT(side.lines, ElementsAre(core::LedgerLine{9, 3}));
    EXPECT_EQ(std::ranges::count_if(ledger.nodes, [](const core::LedgerNode& node) { return node.python >= 0; }), 2);
    EXPECT_THAT(ledger.warnings, IsEmpty());
}

TEST_F(Builder, ListsAllocationsWithTheBytesAskedFor) {
    EXPECT_THAT(ledger_of({7}).allocations,
                ElementsAre(core::LedgerAllocation{.function = "malloc", .calls = 1, .bytes = 64}));
}

TEST_F(Builder, WarnsOfAFloorThatIsNotOnTheStatementsPaths) {
    core::Trace other = TraceScript().run(0x1000, 3).call(0x1020).run(0x3000, 5).ret(0x3050).run(0x1022, 1).trace();
    builder_.add_layout(statement(0), other, naming_);
    EXPECT_THAT(builder_.build({}).warnings, ElementsAre(testing::HasSubstr("6 instructions of an empty pass")));
}

TEST_F(Builder, CountsSystemCallsOfTheDescribedLayout) {
    core::Trace calls = statement(7);
    calls.system_calls = {{3, 14}, {5, 14}, {6, 0}};
    builder_.add_layout(calls, floor_pass(), naming_);
    EXPECT_THAT(builder_.build({}).system_calls,
                ElementsAre(core::LedgerSystemCall{0, 1}, core::LedgerSystemCall{14, 2}));
}

}  // namespace
}  // namespace tare::attribution
