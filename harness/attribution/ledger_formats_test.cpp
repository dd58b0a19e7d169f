// At stake: 100 instructions go in; each format has to hold 100, on the paths where they were run. What other readers
// make of the files is tested by ledger_formats_test.py.
#include "harness/attribution/ledger_formats.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/attribution/flame_tree.h"
#include "harness/attribution/layer_colour.h"
#include "harness/attribution/ledger_for_test.h"

namespace tare::attribution {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Compares with testdata/<name>; on mismatch writes <name>.got beside it.
void expect_golden(const std::string& name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(TARE_TESTDATA) / name;
    std::ostringstream expected;
    expected << std::ifstream(path, std::ios::binary).rdbuf();
    if (expected.str() == text) return;
    std::ofstream(path.string() + ".got", std::ios::binary) << text;
    ADD_FAILURE() << "differs from " << path << "; see " << path << ".got";
}

TEST(Folded, EachPathHasItsOwnInstructionsAndNamelessFunctionsShareTheirModulesFrame) {
    EXPECT_EQ(folded({small_ledger()}),
              "_PyEval_EvalFrameDefault 20\n"
              "_PyEval_EvalFrameDefault;PyNumber_Add 10\n"
              "_PyEval_EvalFrameDefault;PyNumber_Add;ufunc_generic_fastcall;[_multiarray_umath.so] 20\n"
              "_PyEval_EvalFrameDefault;PyNumber_Add;ufunc_generic_fastcall;DOUBLE_add_AVX2 30\n"
              "_PyEval_EvalFrameDefault;__main__::f 20\n");
}

TEST(Folded, SeveralLedgersStandEachBelowItsCase) {
    core::Ledger other = small_ledger();
    other.case_name = "a;b\nc";
    const std::string text = folded({small_ledger(), other});
    EXPECT_THAT(text, HasSubstr("add[kind=0d];_PyEval_EvalFrameDefault 20\n"));
    EXPECT_THAT(text, HasSubstr("\na:b c;_PyEval_EvalFrameDefault 20\n"));
}

TEST(Folded, NamesCannotBreakALineOrAFrame) {
    const std::string text = folded({hostile_ledger()});
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 8);
    EXPECT_THAT(text, HasSubstr(";a \"quoted\" & 'other' name:with:semicolons 300\n"));
    EXPECT_THAT(text, HasSubstr(";[g.so] 100\n"));
    EXPECT_EQ(folded({}), "");
}

TEST(Speedscope, ASmallLedgerIsWrittenAsItAlwaysWas) {
    expect_golden("small.speedscope.json", speedscope({small_ledger()}));
}

TEST(FlameGraph, ASmallLedgerIsWrittenAsItAlwaysWas) {
    const std::string svg = flame_graph({small_ledger()}, "instructions of x + y");
    expect_golden("small.svg", svg.substr(0, svg.find("<script>")) + "</svg>\n");
}

TEST(FlameTree, FramesLieSideBySideAboveTheirParent) {
    const std::vector<FlameFrame> frames = flame_frames(trees_of({small_ledger()}));
    ASSERT_EQ(frames.size(), 8U);
    EXPECT_EQ(frames[0].name, "add[kind=0d]");
    EXPECT_EQ(frames[0].size, 100U);
    EXPECT_EQ(frames[3].name, "ufunc_generic_fastcall");
    EXPECT_EQ(frames[3].self, 0U);
    EXPECT_EQ(frames[3].size, 50U);
    EXPECT_EQ(frames[3].depth, 3);
    EXPECT_EQ(frames[6].name, "DOUBLE_add_AVX2");
    EXPECT_EQ(frames[6].from, 20U);
    EXPECT_EQ(frames[7].name, "__main__::f");
    EXPECT_EQ(frames[7].place, "jit");
    EXPECT_EQ(frames[7].from, 60U);
    EXPECT_EQ(frames[7].depth, 2);
}

TEST(FlameTree, SeveralLedgersStandSideBySideAboveOneRoot) {
    const std::vector<FlameFrame> frames = flame_frames(trees_of({small_ledger(), small_ledger()}));
    ASSERT_EQ(frames.size(), 17U);
    EXPECT_EQ(frames[0].name, "all");
    EXPECT_EQ(frames[0].size, 200U);
    EXPECT_EQ(frames[9].name, "add[kind=0d]");
    EXPECT_EQ(frames[9].from, 100U);
    EXPECT_EQ(frames[9].depth, 1);
    EXPECT_EQ(frames[10].from, 100U);
    EXPECT_EQ(frames[10].depth, 2);
}

TEST(FlameTree, FramesTooSmallToEverBeSeenAreLeftOut) {
    LedgerForTest made;
    const auto root = made.node(-1, "f", "m", 10'000'000);
    made.node(made.node(root, "g", "m", 0), "h", "m", 99);
    made.node(root, "i", "m", 200);
    const std::vector<FlameFrame> frames = flame_frames(trees_of({made.ledger}));
    ASSERT_EQ(frames.size(), 3U);
    EXPECT_EQ(frames[2].name, "i");
    EXPECT_EQ(frames[2].from, 99U);
}

TEST(FlameGraph, ForeignNamesAreNeverMarkup) {
    const std::string svg = flame_graph({hostile_ledger()}, "<script>");
    EXPECT_THAT(svg,
                AllOf(Not(HasSubstr("<script>alert")), HasSubstr("&lt;script&gt;alert(2)"), HasSubstr("]]&gt;&lt;!")));
    EXPECT_EQ(svg.find("<script>"), svg.rfind("<script>"));
}

TEST(FlameGraph, TheScriptIsSmallAndWritesNoMarkup) {
    const std::string svg = flame_graph({small_ledger()}, "t");
    const std::string script = svg.substr(svg.find("<script>"));
    EXPECT_LT(script.size(), 6000U);
    EXPECT_THAT(script, AllOf(Not(HasSubstr("innerHTML")), Not(HasSubstr("eval(")), Not(HasSubstr("http"))));
}

TEST(FlameGraph, WithoutInstructionsItSaysSo) {
    EXPECT_THAT(flame_graph({}, "t"), AllOf(HasSubstr("no instructions"), Not(HasSubstr("<script>"))));
    EXPECT_THAT(flame_graph({core::Ledger{}}, "t"), HasSubstr("no instructions"));
}

TEST(LayerColour, UnresolvedIsGreyAndAUsersLayerKeepsItsColour) {
    EXPECT_EQ(layer_colour("numpy (unresolved)"), "#cccccc");
    EXPECT_NE(layer_colour("interpreter"), layer_colour("inner_loop"));
    EXPECT_EQ(layer_colour("mine"), layer_colour("mine"));
    EXPECT_NE(layer_colour("mine"), layer_colour("thine"));
}

}  // namespace
}  // namespace tare::attribution
