// At stake: 100 samples, 100 ms go in; each format has to hold them on the paths where they were taken, Python's frames
// with file and line. What other readers make of the files is tested by profile_formats_test.py.
#include "harness/attribution/profile_formats.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/attribution/gzip.h"
#include "harness/attribution/samples_for_test.h"

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

TEST(ProfileFolded, WeightsAreSamplesAndPythonFramesHaveTheirPlace) {
    EXPECT_EQ(folded(small_profile()),
              "main;<module> (script.py:20);work (script.py:12);_PyEval_EvalFrameDefault;array_matmul;cblas_dgemm;"
              "dgemm_kernel_HASWELL 40\n"
              "main;<module> (script.py:20);work (script.py:12);_PyEval_EvalFrameDefault;array_matmul;cblas_dgemm;"
              "memcpy 10\n"
              "main;<module> (script.py:20);work (script.py:13);_PyEval_EvalFrameDefault;DOUBLE_add 20\n"
              "main;<module> (script.py:20);work (script.py:14);helper (script.py:30);_PyEval_EvalFrameDefault 12\n"
              "main;<module> (script.py:20);work (script.py:14);_PyEval_EvalFrameDefault;[_multiarray_umath.so] 5\n"
              "main;<module> (script.py:21);_PyEval_EvalFrameDefault;write;[kernel] 8\n"
              "[jit] 5\n");
}

TEST(ProfileSpeedscope, IsWrittenAsItAlwaysWas) {
    expect_golden("profile.speedscope.json", speedscope(small_profile()));
}

TEST(ProfileFlameGraph, IsWrittenAsItAlwaysWas) {
    const std::string svg = flame_graph(small_profile(), "time of script.py");
    expect_golden("profile.svg", svg.substr(0, svg.find("<script>")) + "</svg>\n");
    EXPECT_THAT(svg, AllOf(HasSubstr("% of the time"), Not(HasSubstr("of the instructions"))));
}

TEST(ProfileFlameGraph, LegendIsOfTheTimeAlsoWhereOnlyPythonIsShown) {
    const std::string svg = flame_graph(small_profile({.view = FrameView::kPython}), "t");
    EXPECT_THAT(svg, AllOf(HasSubstr(">blas_kernel 40.0 %<"), HasSubstr("class=\"frame python\"")));
}

TEST(ProfileFlameGraph, WithoutSamplesItSaysSo) {
    EXPECT_THAT(flame_graph(core::Profile{}, "t"), AllOf(HasSubstr("no samples"), Not(HasSubstr("<script>"))));
}

TEST(ProfileFlameGraph, ForeignNamesAreNeverMarkup) {
    const std::string svg = flame_graph(hostile_profile(), "<script>");
    EXPECT_THAT(svg, AllOf(Not(HasSubstr("<script>alert")), HasSubstr("&lt;script&gt;alert(1)")));
}

TEST(Pprof, IsTheSameBytesForTheSameProfile) {
    EXPECT_EQ(pprof(small_profile()), pprof(small_profile()));
    EXPECT_EQ(pprof(small_profile()).substr(0, 2), "\x1f\x8b");
    EXPECT_LT(pprof(small_profile()).size(), pprof_message(small_profile()).size());
}

TEST(Pprof, TheProgramsOwnFileIsTheFirstMapping) {
    const std::string message = pprof_message(small_profile());
    EXPECT_LT(message.find("/nowhere/python3.11"), message.find("/nowhere/libopenblas.so.0"));
}

TEST(Gzip, HoldsNothingAndMuch) {
    EXPECT_EQ(gzipped("").size(), 20U);  // 10 bytes of header, 2 of an empty block, 8 of the trailer
    EXPECT_LT(gzipped(std::string(10'000'000, 'a')).size(), 11'000U);
}

}  // namespace
}  // namespace tare::attribution
