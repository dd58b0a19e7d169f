// At stake: a function that is named as the cause of a regression. Two byte-identical environments must name none, and
// functions of differently built files must not count as gone and new.
#include "harness/attribution/ledger_comparison.h"

#include <gmock/gmock.h>

namespace tare::attribution {
namespace {

using core::Count;
using core::LedgerDifference;
using testing::ElementsAre;
using testing::IsEmpty;

core::Ledger ledger(const char* blas, const std::string& build, std::vector<core::LedgerFunction> functions) {
    core::Ledger made;
    made.case_name = "add";
    made.modules = {{.path = "/venv/numpy/_multiarray_umath.so", .build_id = build, .self = {}},
                    {.path = std::string("/venv/numpy.libs/") + blas, .build_id = build, .self = {}}};
    made.layers = {{.name = "inner_loop", .self = {}}};
    made.functions = std::move(functions);
    for (std::uint32_t i = 0; i < made.functions.size(); ++i) {
        made.nodes.push_back(
            {.parent = -1, .function = i, .layer = 0, .calls = 1, .self = made.functions[i].self.value});
        made.total.value += made.functions[i].self.value;
        made.total.lowest += made.functions[i].self.lowest;
        made.total.highest += made.functions[i].self.highest;
    }
    made.layers[0].self = made.total;
    return made;
}

core::LedgerFunction function(const char* name, Count self, std::uint32_t module = 0,
                              core::NameSource source = core::NameSource::kSymbols) {
    return {.module = module, .name = name, .source = source, .self = self, .blas = {}};
}

std::vector<std::string> lines(const std::vector<LedgerDifference::Change>& changes) {
    std::vector<std::string> all;
    for (const auto& change : changes)
        all.push_back(change.name + " " + std::string(core::name_of(change.kind)) + " " +
                      std::to_string(change.change));
    return all;
}

TEST(LedgerComparison, NamesNothingThatTheSpreadExplains) {
    const core::Ledger a = ledger("libopenblas.so", "a", {function("f", {100, 100, 110}), function("g", {50, 50, 50})});
    const core::Ledger b = ledger("libopenblas.so", "a", {function("f", {105, 105, 120}), function("g", {50, 50, 50})});
    const LedgerDifference difference = compare_ledgers(a, b, "a", "b");
    EXPECT_THAT(difference.functions, IsEmpty());
    EXPECT_THAT(difference.layers, IsEmpty());
    EXPECT_EQ(difference.unclaimed, 1U);
    EXPECT_THAT(difference.notes, IsEmpty());
}

TEST(LedgerComparison, ListsTheLargestChangeFirstWithNewAndGone) {
    const core::Ledger a =
        ledger("libopenblas.so", "a",
               {function("same", {7, 7, 7}), function("grew", {100, 100, 110}), function("gone", {30, 30, 30})});
    const core::Ledger b =
        ledger("libopenblas.so", "b",
               {function("same", {7, 7, 7}), function("grew", {300, 290, 310}), function("fresh", {5, 5, 5})});
    const LedgerDifference difference = compare_ledgers(a, b, "a", "b");
    EXPECT_THAT(lines(difference.functions), ElementsAre("grew grew 200", "gone gone -30", "fresh new 5"));
    EXPECT_THAT(lines(difference.layers), ElementsAre("inner_loop grew 175"));
    EXPECT_EQ(difference.functions[0].layer, "inner_loop");
    EXPECT_EQ(difference.functions[0].module, "_multiarray_umath.so");
}

TEST(LedgerComparison, MatchesBlasLibrariesOfDifferentWheels) {
    const core::Ledger a = ledger("libopenblas64_p-r0-15028c96.3.21.so", "a", {function("sgemm_nn", {90, 90, 90}, 1)});
    const core::Ledger b = ledger("libscipy_openblas64_-32a4b2a6.so", "b", {function("sgemm_nn", {90, 90, 90}, 1)});
    EXPECT_THAT(compare_ledgers(a, b, "a", "b").functions, IsEmpty());
}

core::LedgerFunction in_library(const char* name, std::uint64_t n) {
    return function(name, {n, n, n}, 1);
}

TEST(LedgerComparison, MatchesReleasesOfALibraryWhoseNamesCarryTheirVersions) {
    const core::Ledger a =
        ledger("libgeos-e4f0e0c1.so.3.11.4", "a", {in_library("geos::area", 90), in_library("geos::x", 5)});
    const core::Ledger b =
        ledger("libgeos-3ef06f11.so.3.13.1", "b", {in_library("geos::area", 97), in_library("geos::x", 5)});
    const LedgerDifference difference = compare_ledgers(a, b, "a", "b");
    EXPECT_THAT(lines(difference.functions), ElementsAre("geos::area grew 7"));
    EXPECT_EQ(difference.functions[0].module, "libgeos.so") << "neither side's file alone";
}

TEST(LedgerComparison, LeavesOutTheVersionThatALibraryAppendsToItsFunctions) {
    const core::Ledger a = ledger("libicui18n.so.73", "a", {in_library("ucol_open_73", 90), in_library("step_2", 4)});
    const core::Ledger b = ledger("libicui18n.so.74", "b", {in_library("ucol_open_74", 90), in_library("step_3", 4)});
    EXPECT_THAT(lines(compare_ledgers(a, b, "a", "b").functions), ElementsAre("step_2 gone -4", "step_3 new 4"));
}

TEST(LedgerComparison, LeavesFunctionsAloneWhoseEndingOnlyLooksLikeTheVersion) {
    const core::Ledger a = ledger("libx.so.3", "a", {in_library("f_3", 90), in_library("f", 4)});
    const core::Ledger b = ledger("libx.so.3", "b", {in_library("f_3", 95), in_library("f", 4)});
    EXPECT_THAT(lines(compare_ledgers(a, b, "a", "b").functions), ElementsAre("f_3 grew 5"));
}

TEST(LedgerComparison, TellsTwoVersionsApartThatOneSideHas) {
    core::Ledger a = ledger("libz.so.1", "a", {in_library("crc", 90)}),
                 b = ledger("libz.so.1", "b", {in_library("crc", 90)});
    b.modules.push_back({.path = "/other/libz.so.2", .build_id = "c", .self = {}});
    b.functions.push_back(function("crc", {7, 7, 7}, 2));
    b.nodes.push_back({.parent = -1, .function = 1, .layer = 0, .calls = 1, .self = 7});
    EXPECT_THAT(lines(compare_ledgers(a, b, "a", "b").functions), ElementsAre("crc new 7"));
}

TEST(LedgerComparison, MatchesPythonFunctionsWhoseFileAndLinesMoved) {
    core::Ledger a = ledger("python3.11", "a", {}), b = ledger("python3.13", "b", {});
    a.python_functions = {{.name = "eq", .file = "/old/base.py", .first_line = 3, .self = {90, 90, 90}},
                          {.name = "key", .file = "/old/base.py", .first_line = 9, .self = {5, 5, 5}},
                          {.name = "f", .file = "/v/lib/python3.11/site-packages/x/base.py", .self = {6, 6, 6}},
                          {.name = "f", .file = "/usr/lib/python3.11/json/base.py", .self = {8, 8, 8}}};
    b.python_functions = {{.name = "eq", .file = "/new/base.py", .first_line = 4, .self = {97, 97, 97}},
                          {.name = "key", .file = "/new/base.py", .first_line = 10, .self = {5, 5, 5}},
                          {.name = "made", .file = "/new/base.py", .first_line = 20, .self = {1, 1, 1}},
                          {.name = "f", .file = "/w/lib/python3.13/site-packages/x/base.py", .self = {6, 6, 6}},
                          {.name = "f", .file = "/usr/lib/python3.13/json/base.py", .self = {10, 10, 10}}};
    EXPECT_THAT(lines(compare_ledgers(a, b, "a", "b").python_functions),
                ElementsAre("eq grew 7", "f grew 2", "made new 1"));
}

TEST(LedgerComparison, MatchesPythonFunctionsOfACheckoutWithThoseOfAnEnvironment) {
    core::Ledger a = ledger("python3.11", "a", {}), b = a;
    a.python_functions = {
        {.name = "f", .file = "/v/lib64/python3.11/site-packages/networkx/utils/base.py", .self = {6, 6, 6}},
        {.name = "f", .file = "/usr/lib64/python3.11/json/base.py", .self = {3, 3, 3}},
        {.name = "f", .file = "/usr/lib64/python3.11/base.py", .self = {7, 7, 7}}};  // its path ends the others'
    b.python_functions = {{.name = "f", .file = "/src/networkx/networkx/utils/base.py", .self = {8, 8, 8}},
                          {.name = "f", .file = "/usr/lib/python3.11/json/base.py", .self = {3, 3, 3}},
                          {.name = "f", .file = "/usr/lib/python3.11/base.py", .self = {7, 7, 7}}};
    EXPECT_THAT(lines(compare_ledgers(a, b, "a", "b").python_functions), ElementsAre("f grew 2"));
    EXPECT_THAT(lines(compare_ledgers(b, a, "b", "a").python_functions), ElementsAre("f shrank -2"));
}

TEST(LedgerComparison, TakesNamelessFunctionsOfDifferentBuildsTogether) {
    using enum core::NameSource;
    const auto nameless = [](const char* name, std::uint64_t n) { return function(name, {n, n, n}, 0, kFrameEntry); };
    const core::Ledger a = ledger("b.so", "a", {nameless("m.so+0x10", 40), nameless("m.so+0x20", 60)});
    const core::Ledger other = ledger("b.so", "b", {nameless("m.so+0x18", 40), nameless("m.so+0x28", 60)});
    EXPECT_THAT(compare_ledgers(a, other, "a", "b").functions, IsEmpty());
    const core::Ledger same = ledger("b.so", "a", {nameless("m.so+0x10", 40), nameless("m.so+0x20", 70)});
    EXPECT_THAT(lines(compare_ledgers(a, same, "a", "b").functions), ElementsAre("m.so+0x20 grew 10"));
}

TEST(LedgerComparison, SaysWhereTheSidesRunDifferentPrograms) {
    core::Ledger a = ledger("b.so", "a", {}), b = a;
    a.program.blas_core = "HASWELL";
    b.program.blas_core = "SKYLAKEX";
    EXPECT_THAT(compare_ledgers(a, b, "a", "b").notes, ElementsAre(testing::HasSubstr("blas_core")));
}

}  // namespace
}  // namespace tare::attribution
