// At stake: who is charged with an instruction. A frame popped too late, and a tenth of a call's 3,770 instructions
// stands under the wrong caller and in the wrong layer.
#include "harness/attribution/call_tree.h"

#include <gmock/gmock.h>

#include <map>
#include <string>

namespace tare::attribution {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A program of functions at 0x1000, 0x2000, ... and what it executes, written as a script.
class Script {
  public:
    Script& function(const std::string& name, std::uint64_t start, bool named = true, bool stub = false) {
        functions_[start] = {static_cast<std::uint32_t>(names_.size()), start, named, stub, name == "eval"};
        names_.push_back(name);
        return *this;
    }
    /// From the next instruction on Python runs this frame, of function 0 ("A"), 1 ("B"), ...
    Script& python(std::uint64_t frame, std::uint32_t function, std::int32_t line = 1) {
        trace_.python.push_back({frame, static_cast<std::uint32_t>(trace_.steps.size()), function, line});
        return *this;
    }
    /// One instruction of one byte at `address`, the stack pointer being `sp` before it.
    Script& at(std::uint64_t address, std::uint64_t sp, Flow flow = Flow::kNext, std::uint64_t argument1 = 0) {
        trace_.steps.push_back({address, sp, argument1, 0});
        instructions_[address] = {.length = 1, .flow = flow, .repeats = false};
        return *this;
    }
    Script& repeated(std::uint32_t times, bool is_rep) {
        trace_.repeats.push_back({static_cast<std::uint32_t>(trace_.steps.size() - 1), times});
        instructions_[trace_.steps.back().address].repeats = is_rep;
        return *this;
    }
    [[nodiscard]] CallTree tree() const {
        return build_call_tree(
            trace_, instructions_,
            [this](std::uint64_t address) { return std::prev(functions_.upper_bound(address))->second; }, {0, 1, 2});
    }
    /// `main>f>g calls self` for each node.
    [[nodiscard]] std::vector<std::string> lines(const CallTree& tree) const {
        std::vector<std::string> paths, lines;
        for (const CallNode& node : tree.nodes) {
            paths.push_back((node.parent < 0 ? "" : paths[static_cast<std::size_t>(node.parent)] + ">") +
                            (node.python < 0 ? "" : std::string(1, static_cast<char>('A' + node.python)) + ":") +
                            names_[node.function]);
            lines.push_back(paths.back() + " " + std::to_string(node.calls) + " " + std::to_string(node.self));
        }
        return lines;
    }
    [[nodiscard]] std::vector<std::string> lines() const { return lines(tree()); }

  private:
    core::Trace trace_;
    Instructions instructions_;
    std::map<std::uint64_t, TreeFunction> functions_;
    std::vector<std::string> names_;
};

Script two_functions() {
    Script script;
    script.function("main", 0x1000).function("f", 0x2000).function("g", 0x3000).function("h", 0x4000);
    return script;
}

TEST(CallTree, ChargesCalleesBelowTheirCallers) {
    Script script = two_functions();
    script.at(0x1000, 100).at(0x1001, 100, Flow::kCall);                  // main calls f
    script.at(0x2000, 92).at(0x2001, 84).at(0x2002, 84, Flow::kCall);     // f pushes, calls g
    script.at(0x3000, 76).at(0x3001, 76, Flow::kReturn);                  // g
    script.at(0x2003, 84).at(0x2004, 92, Flow::kReturn).at(0x1002, 100);  // back in f, back in main
    EXPECT_THAT(script.lines(), ElementsAre("main 0 3", "main>f 1 5", "main>f>g 1 2"));
    EXPECT_EQ(script.tree().total, 10U);
}

TEST(CallTree, MergesCallsOnOnePathAndCountsThem) {
    Script script = two_functions();
    for (int i = 0; i < 3; ++i) script.at(0x1001, 100, Flow::kCall).at(0x2000, 92, Flow::kReturn).at(0x1002, 100);
    EXPECT_THAT(script.lines(), ElementsAre("main 0 6", "main>f 3 3"));
}

TEST(CallTree, AReturnOutOfTheOpenFrameOpensItsCaller) {
    Script script = two_functions();
    script.at(0x2005, 92, Flow::kReturn).at(0x1000, 100).at(0x1001, 100, Flow::kCall).at(0x2000, 92);
    EXPECT_THAT(script.lines(), ElementsAre("f 0 1", "main 0 2", "main>f 1 1"));
}

TEST(CallTree, AReturnIntoTheColdPartOfTheOpenFrameIsItsOwn) {
    Script script;
    script.function("eval", 0x1000, false).function("f", 0x2000).function("eval's cold part", 0x3000, false);
    script.at(0x1000, 100).at(0x1001, 100, Flow::kJump);
    script.at(0x3004, 100, Flow::kCall).at(0x2000, 92, Flow::kReturn).at(0x3005, 100);
    EXPECT_THAT(script.lines(), ElementsAre("eval 0 4", "eval>f 1 1"));
}

TEST(CallTree, ATailCallIsAChildAndReturnsToTheCaller) {
    Script script = two_functions();
    script.at(0x1001, 100, Flow::kCall);
    script.at(0x2000, 92).at(0x2001, 84).at(0x2002, 92, Flow::kJump);  // f restores the stack and jumps to g
    script.at(0x3000, 92).at(0x3001, 92, Flow::kReturn).at(0x1002, 100);
    EXPECT_THAT(script.lines(), ElementsAre("main 0 2", "main>f 1 3", "main>f>g 1 2"));
}

TEST(CallTree, TailCallsOfTailCalledFunctionsStandSideBySide) {
    Script script = two_functions();
    script.at(0x1001, 100, Flow::kCall).at(0x2000, 92, Flow::kJump);
    for (int i = 0; i < 2; ++i) script.at(0x3000, 92, Flow::kJump).at(0x4000, 92, Flow::kJump);
    EXPECT_THAT(script.lines(), ElementsAre("main 0 1", "main>f 1 1", "main>f>g 2 2", "main>f>h 2 2"));
}

TEST(CallTree, AStubIsALeafAndItsTargetACalleeOfItsCaller) {
    Script script;
    script.function("main", 0x1000).function("malloc@plt", 0x2000, true, true).function("malloc", 0x3000);
    script.at(0x1001, 100, Flow::kCall).at(0x2000, 92, Flow::kJump, 24).at(0x3000, 92, Flow::kNext, 24);
    script.at(0x3001, 92, Flow::kReturn).at(0x1002, 100);
    EXPECT_THAT(script.lines(), ElementsAre("main 0 2", "main>malloc@plt 1 1", "main>malloc 1 2"));
    const CallTree tree = script.tree();
    ASSERT_EQ(tree.calls.size(), 2U);
    EXPECT_EQ(tree.calls[1], (CallArguments{.function = 2, .caller = 0, .argument1 = 24, .argument2 = 0}));
}

TEST(CallTree, AJumpWithAFrameOnTheStackIsNoTailCall) {
    Script script;
    script.function("main", 0x1000).function("f", 0x2000, false).function("f's cold part", 0x3000, false);
    script.at(0x1001, 100, Flow::kCall).at(0x2000, 92).at(0x2001, 84, Flow::kJump).at(0x3000, 84, Flow::kJump);
    script.at(0x2002, 84).at(0x2003, 92, Flow::kReturn).at(0x1002, 100);
    EXPECT_THAT(script.lines(), ElementsAre("main 0 2", "main>f 1 5"));
}

TEST(CallTree, ALongJumpPopsEveryFrameItLeaves) {
    Script script = two_functions();
    script.at(0x1001, 100, Flow::kCall).at(0x2001, 92, Flow::kCall).at(0x3001, 84, Flow::kCall);
    script.at(0x4001, 76, Flow::kJump).at(0x1005, 100).at(0x1006, 100);
    EXPECT_THAT(script.lines(), ElementsAre("main 0 3", "main>f 1 1", "main>f>g 1 1", "main>f>g>h 1 1"));
}

TEST(CallTree, ARepInstructionCountsOnceAndAJumpToItselfEachTime) {
    Script script = two_functions();
    script.at(0x1000, 100).repeated(31, true).at(0x1002, 100, Flow::kJump).repeated(4, false);
    EXPECT_THAT(script.lines(), ElementsAre("main 0 6"));
}

TEST(CallTree, ACallOfTheNextInstructionIsNoCall) {
    Script script = two_functions();
    script.at(0x1000, 100, Flow::kCall).at(0x1001, 92).at(0x1002, 100);
    EXPECT_THAT(script.lines(), ElementsAre("main 0 3"));
}

TEST(CallTree, AnInterpreterMadeOfTailCallsOpensEachHandler) {
    Script script = two_functions();
    script.at(0x1005, 100, Flow::kJump).at(0x2000, 100).at(0x2001, 100, Flow::kCall).at(0x4000, 92, Flow::kReturn);
    script.at(0x2002, 100, Flow::kJump).at(0x1000, 100);
    EXPECT_THAT(script.lines(), ElementsAre("main 0 2", "f 0 3", "f>h 1 1"));
}

TEST(CallTree, OfNoStepsIsEmpty) {
    EXPECT_THAT(Script().tree().nodes, IsEmpty());
}

TEST(WithoutFloor, LeavesWhatTheStatementAdds) {
    Script pass = two_functions(), floor = two_functions();
    pass.at(0x1000, 100).at(0x1001, 100, Flow::kCall).at(0x2000, 92, Flow::kReturn).at(0x1002, 100);
    pass.at(0x1003, 100, Flow::kCall).at(0x3000, 92).at(0x3001, 92, Flow::kReturn).at(0x1004, 100);
    floor.at(0x1000, 100).at(0x1001, 100, Flow::kCall).at(0x2000, 92, Flow::kReturn).at(0x1002, 100);
    const Difference difference = without_floor(pass.tree(), floor.tree());
    EXPECT_THAT(pass.lines(difference.tree), ElementsAre("main 0 2", "main>g 1 2"));
    EXPECT_EQ(difference.tree.total, 4U);
    EXPECT_EQ(difference.unmatched, 0U);
}

TEST(WithoutFloor, CountsWhatItCouldNotSubtract) {
    Script pass = two_functions(), floor = two_functions();
    pass.at(0x1000, 100).at(0x1001, 100);
    floor.at(0x1000, 100).at(0x1001, 100).at(0x1002, 100).at(0x1003, 100, Flow::kCall).at(0x4000, 92);
    const Difference difference = without_floor(pass.tree(), floor.tree());
    EXPECT_THAT(pass.lines(difference.tree), IsEmpty());
    EXPECT_EQ(difference.unmatched, 3U);
}

/// The loop's own frame, 7, is in eval at 0x1000; C code at 0x2000 calls eval.
Script interpreter() {
    Script script;
    script.function("eval", 0x1000).function("c", 0x2000).function("malloc", 0x3000);
    script.python(7, 2).at(0x1000, 100);
    return script;
}

TEST(PythonInCallTree, IsANodeOfTheLoopForEachFunctionThatItRuns) {
    Script script = interpreter();
    script.python(8, 0).at(0x1001, 100).python(9, 1).at(0x1002, 100).at(0x1003, 100, Flow::kCall);
    script.at(0x3000, 92, Flow::kReturn).python(8, 0).at(0x1004, 100).python(7, 2).at(0x1005, 100);
    EXPECT_THAT(script.lines(),
                ElementsAre("eval 0 2", "eval>A:eval 1 2", "eval>A:eval>B:eval 1 2", "eval>A:eval>B:eval>malloc 1 1"));
}

TEST(PythonInCallTree, StandsBelowTheCodeThatCalledTheLoopAgain) {
    Script script = interpreter();
    script.at(0x1005, 100, Flow::kCall).at(0x2000, 92, Flow::kCall);  // the loop calls c, c the loop
    script.at(0x1000, 84).python(8, 0).at(0x1001, 84);                // whose beginning is A's, too
    script.python(7, 2).at(0x1002, 84, Flow::kReturn);                // and whose end, though A's frame is gone
    script.at(0x2001, 92, Flow::kReturn).at(0x1006, 100);
    EXPECT_THAT(script.lines(), ElementsAre("eval 0 3", "eval>c 1 2", "eval>c>eval 0 0", "eval>c>A:eval 1 3"));
}

TEST(PythonInCallTree, CountsTheCallOfALoopThatRunsTwoFramesInTurn) {
    Script script = interpreter();
    script.at(0x1005, 100, Flow::kCall).at(0x2000, 92, Flow::kCall).at(0x1000, 84);
    script.python(8, 0).at(0x1001, 84).python(8, 1).at(0x1002, 84, Flow::kReturn).python(7, 2);
    script.at(0x2001, 92, Flow::kReturn).at(0x1006, 100);
    EXPECT_THAT(script.lines(),
                ElementsAre("eval 0 3", "eval>c 1 2", "eval>c>eval 0 0", "eval>c>A:eval 1 2", "eval>c>B:eval 1 1"));
}

TEST(PythonInCallTree, OfARecursionIsAsDeepAsThat) {
    Script script = interpreter();
    script.python(8, 0).at(0x1001, 100).python(9, 0).at(0x1001, 100).python(8, 0).at(0x1002, 100);
    script.python(9, 0).at(0x1001, 100).python(7, 2).at(0x1003, 100);
    EXPECT_THAT(script.lines(), ElementsAre("eval 0 2", "eval>A:eval 1 2", "eval>A:eval>A:eval 2 2"));
}

TEST(PythonInCallTree, TellsAFunctionThatHasTheMemoryOfAnotherOne) {
    Script script = interpreter();
    script.python(8, 0).at(0x1001, 100).python(8, 1).at(0x1002, 100).python(7, 2).at(0x1003, 100);
    EXPECT_THAT(script.lines(), ElementsAre("eval 0 2", "eval>A:eval 1 1", "eval>B:eval 1 1"));
}

TEST(PythonInCallTree, ChargesLinesWithWhatTheyCall) {
    Script script = interpreter();
    script.python(8, 0, 10).at(0x1001, 100).python(8, 0, 11).at(0x1002, 100, Flow::kCall);
    script.at(0x3000, 92).at(0x3001, 92, Flow::kReturn).python(9, 1, 20).at(0x1003, 100);
    script.python(8, 0, 11).at(0x1004, 100).python(7, 2).at(0x1005, 100);
    using Lines = std::map<std::pair<std::int32_t, std::int32_t>, std::uint64_t>;
    EXPECT_EQ(script.tree().lines, (Lines{{{0, 10}, 1}, {{0, 11}, 4}, {{1, 20}, 1}}));
    EXPECT_EQ(without_floor(script.tree(), interpreter().tree()).tree.lines, script.tree().lines);
}

}  // namespace
}  // namespace tare::attribution
