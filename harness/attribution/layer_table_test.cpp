// At stake: 20 to 80 % of the instructions of a stripped build have no name. None of them may be put into a layer by a
// guess, and no rule that a user adds may be misread in silence or bring the program down.
#include "harness/attribution/layer_table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>
#include <set>
#include <sstream>

#include "harness/attribution/built_in_layers.h"

namespace tare::attribution {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

using Layer = LayerTable::Layer;

LayerTable table_of(std::string text) {
    auto table = LayerTable::parse({{"mine.txt", std::move(text)}});
    EXPECT_TRUE(table.has_value()) << table.error().what;
    return std::move(*table);
}

core::Error error_of(std::string text) {
    const auto table = LayerTable::parse({{"mine.txt", std::move(text)}});
    return table ? core::Error{core::ErrorCode::kData, "none", ""} : table.error();
}

TEST(LayerTable, TheFirstRuleThatMatchesWins) {
    const LayerTable table = table_of("layer one mod f\nlayer two mod f|g\n");
    EXPECT_EQ(table.layer_of({"mod.so", "f"}, {}, {}), (Layer{"one", false}));
    EXPECT_EQ(table.layer_of({"mod.so", "g"}, {}, {}), (Layer{"two", false}));
}

TEST(LayerTable, RulesOfEarlierTextsComeFirst) {
    const auto table = LayerTable::parse({{"user", "layer mine multiarray_umath array_add"}, built_in_layers()});
    ASSERT_TRUE(table.has_value());
    EXPECT_EQ(table->layer_of({"_multiarray_umath.so", "array_add"}, {}, {}).name, "mine");
    EXPECT_EQ(table->layer_of({"_multiarray_umath.so", "array_multiply"}, {}, {}).name, "number_protocol");
}

TEST(LayerTable, TheModuleIsSearchedAndTheFunctionMustMatchAsAWhole) {
    const LayerTable table = table_of("layer one umath add\n");
    EXPECT_EQ(table.layer_of({"_multiarray_umath.so", "add"}, {}, {}).name, "one");
    EXPECT_EQ(table.layer_of({"_multiarray_umath.so", "array_add"}, {}, {}).name, "other");
    EXPECT_EQ(table.layer_of({"libm.so", "add"}, {}, {}).name, "other");
}

TEST(LayerTable, ARuleWithACallerNeedsThatCaller) {
    const LayerTable table = table_of("layer one mod f main|start\nlayer two mod f\n");
    EXPECT_EQ(table.layer_of({"mod", "f"}, {"mod", "start"}, {"x", false}).name, "one");
    EXPECT_EQ(table.layer_of({"mod", "f"}, {"mod", "starts"}, {"x", false}).name, "two");
    EXPECT_EQ(table.layer_of({"mod", "f"}, {}, {}).name, "two");
}

TEST(LayerTable, AHelperBelongsToItsCallerAndToNobodyWithoutOne) {
    const LayerTable table = table_of("layer =caller libc mem.*\nlayer c_library libc .+\n");
    EXPECT_EQ(table.layer_of({"libc", "memcpy"}, {"numpy", "g"}, {"inner_loop", false}), (Layer{"inner_loop", false}));
    EXPECT_EQ(table.layer_of({"libc", "memcpy"}, {"numpy", ""}, {"numpy (unresolved)", true}),
              (Layer{"numpy (unresolved)", true}));
    EXPECT_EQ(table.layer_of({"libc", "memcpy"}, {}, {}), (Layer{"c_library", false}));
}

TEST(LayerTable, ANamelessFunctionBelongsToADecidingLayerThatCalledItWithinTheModule) {
    const LayerTable table = table_of("decides blas kernel\nunresolved blas blas\nunresolved numpy numpy\n");
    const Layer kernel{"kernel", false};
    EXPECT_EQ(table.layer_of({"libblas", ""}, {"libblas", "k"}, kernel), kernel);
    EXPECT_EQ(table.layer_of({"libblas", ""}, {"numpy", "k"}, kernel), (Layer{"blas (unresolved)", true}));
    EXPECT_EQ(table.layer_of({"libblas", ""}, {"libblas", "k"}, {"driver", false}), (Layer{"blas (unresolved)", true}));
    EXPECT_EQ(table.layer_of({"numpy", ""}, {"numpy", "k"}, kernel), (Layer{"numpy (unresolved)", true}));
    EXPECT_EQ(table.layer_of({"libblas", "named"}, {"libblas", "k"}, kernel), (Layer{"blas_other", false}));
}

TEST(LayerTable, WhatNoRuleKnowsIsUnresolvedWithoutANameAndOtherWithOne) {
    const LayerTable table = table_of("unresolved numpy umath\n");
    EXPECT_EQ(table.layer_of({"_umath.so", ""}, {}, {}), (Layer{"numpy (unresolved)", true}));
    EXPECT_EQ(table.layer_of({"_umath.so", "f"}, {}, {}), (Layer{"numpy_other", false}));
    EXPECT_EQ(table.layer_of({"x.so", ""}, {}, {}), (Layer{"(unresolved)", true}));
    EXPECT_EQ(table.layer_of({"x.so", "f"}, {}, {}), (Layer{"other", false}));
}

TEST(LayerTable, StrippedNumpyIsNotSplitBelowItsEntryPoints) {
    const auto table = LayerTable::parse({built_in_layers()});
    ASSERT_TRUE(table.has_value());
    const std::string_view numpy = "_multiarray_umath.cpython-311-x86_64-linux-gnu.so";
    const Layer call = table->layer_of({numpy, "ufunc.tp_call"}, {}, {});
    EXPECT_EQ(table->layer_of({numpy, ""}, {numpy, "ufunc.tp_call"}, call), (Layer{"numpy (unresolved)", true}));
    const Layer loop = table->layer_of({numpy, "add[dd->d]"}, {}, {});
    EXPECT_EQ(table->layer_of({numpy, ""}, {numpy, "add[dd->d]"}, loop), (Layer{"inner_loop", false}));
}

TEST(LayerTable, MessagesGiveFileLineAndTheOffendingText) {
    EXPECT_EQ(error_of("layer a b c").what, "none");
    EXPECT_THAT(error_of("# x\n\nlair a b c\n").what, AllOf(StartsWith("mine.txt:3: "), HasSubstr("'lair'")));
    EXPECT_THAT(error_of("layer a b\n").what, AllOf(StartsWith("mine.txt:1: "), HasSubstr("2 fields")));
    EXPECT_THAT(error_of("layer a b c d e\n").what, HasSubstr("5 fields"));
    EXPECT_THAT(error_of("layer =callee b c\n").what, HasSubstr("'=callee'"));
    EXPECT_THAT(error_of("layer a b (c\n").what, AllOf(HasSubstr("'(c'"), HasSubstr("missing )")));
    EXPECT_THAT(error_of("layer a b c(?!d)\n").hint, HasSubstr("lookahead"));
    EXPECT_THAT(error_of("layer a b c [d\n").what, HasSubstr("'[d'"));
    EXPECT_THAT(error_of("decides b\n").what, HasSubstr("names no layer"));
    EXPECT_THAT(error_of("unresolved b\n").what, HasSubstr("1 fields"));
    EXPECT_EQ(error_of("nonsense").code, core::ErrorCode::kUsage);
}

TEST(LayerTable, ALastLineWithoutItsEndAndLinesOfWindowsAreRead) {
    EXPECT_EQ(table_of("layer one m f\r\nlayer two m g").layer_of({"m", "g"}, {}, {}).name, "two");
    EXPECT_EQ(table_of("layer one m f\r\n").layer_of({"m", "f"}, {}, {}).name, "one");
    EXPECT_EQ(table_of("").layer_of({"m", "f"}, {}, {}).name, "other");
}

TEST(LayerTable, NamesAreBytesThatNeedNotBeUtf8) {
    EXPECT_EQ(table_of("layer one m .*\n").layer_of({"m", "\xff\xfe\n\x01"}, {}, {}).name, "one");
}

TEST(BuiltInLayers, EveryLayerOfTheFileIsReached) {
    // One name for each; the caller has no say.
    const auto table = LayerTable::parse({built_in_layers()});
    ASSERT_TRUE(table.has_value());
    const std::string numpy = "_multiarray_umath.cpython-311-x86_64-linux-gnu.so";
    const std::string python = "libpython3.12.so.1.0", blas = "libopenblas.so.0";
    const std::vector<std::pair<std::string, std::string>> functions = {
        {"bench-worker-cp311", "main"},
        {"[kernel.kallsyms]", "do_syscall_64"},
        {"[vdso]", ""},
        {blas, "exec_blas"},
        {blas, "blas_memory_alloc"},
        {blas, "gotoblas_init"},
        {blas, "sgemm_oncopy"},
        {blas, "sgemm_nn"},
        {blas, "sgemm_kernel"},
        {blas, "cblas_sgemm"},
        {numpy, "array_add"},
        {numpy, "double_add"},
        {numpy, "_npy_parse_arguments"},
        {numpy, "PyUFunc_CheckOverride"},
        {numpy, "array_subscript"},
        {numpy, "PyArray_Newshape"},
        {numpy, "array_dealloc"},
        {numpy, "_check_ufunc_fperr"},
        {numpy, "PyArray_Pack"},
        {numpy, "resolve_descriptors"},
        {numpy, "cblas_matrixproduct"},
        {numpy, "IsAligned"},
        {numpy, "default_malloc"},
        {numpy, "PyArray_Return"},
        {numpy, "DOUBLE_add"},
        {python, "object_vacall"},
        {"", "f"},
        {"_dispatcher.cpython-311.so", "Dispatcher_call"},
        {python, "take_gil"},
        {python, "PyErr_Occurred"},
        {python, "_PyEval_EvalFrameDefault"},
        {"libm.so.6", "sin"},
        {"libc.so.6", "getenv"}};
    std::set<std::string> reached;
    for (const auto& [module, function] : functions) reached.insert(table->layer_of({module, function}, {}, {}).name);

    std::set<std::string> stated;
    std::istringstream lines(built_in_layers().text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string kind, layer;
        fields >> kind >> layer;
        if (kind == "layer" && layer != "=caller") stated.insert(layer);
    }
    EXPECT_THAT(reached, testing::ContainerEq(stated));
}

TEST(BuiltInLayers, ADecidingLayerIsOneThatARuleGives) {
    const std::string text = built_in_layers().text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("decides ")) continue;
        std::istringstream fields(line);
        std::string layer;
        fields >> layer >> layer;
        while (fields >> layer) EXPECT_THAT(text, HasSubstr("\nlayer " + layer + " "));
    }
}

TEST(BuiltInLayers, DamagedTextsAreRefusedOrReadButNeverCrash) {
    const std::string whole = built_in_layers().text;
    std::mt19937 random(20240817);
    std::size_t refused = 0;
    constexpr int kTexts = 300;
    for (int i = 0; i < kTexts; ++i) {
        const std::size_t begin = whole.find('\n', random() % (whole.size() - 1));
        std::string text = whole.substr(std::min(begin, whole.size()), 4000);  // parts: 300 whole files take 3 s
        for (std::size_t changes = random() % 6; !text.empty() && changes > 0; --changes) {
            const std::size_t at = random() % text.size();
            switch (random() % 3) {
                case 0:
                    text[at] = static_cast<char>(random());
                    break;
                case 1:
                    text.erase(at, random() % 30);
                    break;
                default:
                    text.insert(at, 1, "()[]{}|\\*?+\n \0"[random() % 14]);
            }
        }
        const auto table = LayerTable::parse({{"damaged", text}});
        if (table) {
            (void)table->layer_of({"libpython3.11.so", "f"}, {"libc.so.6", ""}, {"interpreter", false});
        } else {
            EXPECT_THAT(table.error().what, StartsWith("damaged:"));
            ++refused;
        }
    }
    EXPECT_GT(refused, kTexts / 4);
    EXPECT_LT(refused, kTexts * 9 / 10);
}

}  // namespace
}  // namespace tare::attribution
