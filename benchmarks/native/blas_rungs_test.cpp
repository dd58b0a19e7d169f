// At stake: which of two loaded `cblas_sgemm` is timed. On Debian two can be loaded, and at n = 64 one takes 108 us and
// the other 18 us (reference BLAS and OpenBLAS 0.3.21, measured); the rung must call the one in NumPy's GOT, under any
// decoration, and say so only when it has looked.
#include "benchmarks/native/blas_rungs.h"

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <complex>
#include <memory>

#include "benchmarks/native/blas_facts.h"
#include "benchmarks/native/loaded_module.h"
#include "benchmarks/native/testing/buffers.h"

namespace tare::benchmarks {
namespace {

using testing::buffer;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::execute;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::strided;

struct Library {
    explicit Library(const std::string& path_) : path(path_), handle(dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL)) {}
    ~Library() {
        if (handle != nullptr) dlclose(handle);
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    template <class Function>
    Function* symbol(const char* name) const {
        return reinterpret_cast<Function*>(dlsym(handle, name));
    }

    std::string path;
    void* handle;
};

core::NativeRequest blas(std::string routine, std::vector<core::Buffer> buffers, const std::string& module) {
    return {.family = "blas",
            .routine = std::move(routine),
            .buffers = std::move(buffers),
            .loop = {},
            .options = {{"numpy_module", module}}};
}

std::vector<double> counted(std::size_t n) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i % 7) - 2.5;
    return values;
}

struct Decorated {
    const char* module;
    const char* symbol;
    const char* calls;
};

struct EveryDecoration : ::testing::TestWithParam<Decorated> {};

TEST_P(EveryDecoration, IsFoundThroughTheRelocationsAndCalled) {
    const Library module(GetParam().module);
    ASSERT_NE(module.handle, nullptr) << dlerror();
    auto* calls = module.symbol<int()>(GetParam().calls);
    ASSERT_NE(calls, nullptr);
    auto a = counted(12), b = counted(15);
    std::vector<double> out(20);
    const auto rung = make_native(
        blas("gemm", {buffer(a.data(), {4, 3}), buffer(b.data(), {3, 5}), buffer(out.data(), {4, 5})}, module.path));
    ASSERT_TRUE(rung) << rung.error().what;
    EXPECT_EQ(rung->routine, "cblas_dgemm");
    EXPECT_EQ(rung->symbol, GetParam().symbol);
    EXPECT_THAT(rung->library, HasSubstr("fake_blas"));
    EXPECT_THAT(rung->address, StartsWith("libfake_blas"));
    EXPECT_THAT(rung->check, StartsWith("equals the GOT entry of "));
    const int before = calls();
    ASSERT_TRUE(execute(*rung, 3));
    EXPECT_EQ(calls(), before + 3);
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 5; ++j)
            EXPECT_EQ(out[i * 5 + j], a[i * 3] * b[j] + a[i * 3 + 1] * b[5 + j] + a[i * 3 + 2] * b[10 + j]);
}

INSTANTIATE_TEST_SUITE_P(, EveryDecoration,
                         ::testing::Values(Decorated{FAKE_MODULE_PLAIN, "cblas_dgemm", "cblas_fake_calls"},
                                           Decorated{FAKE_MODULE_SCIPY64, "scipy_cblas_dgemm64_",
                                                     "scipy_cblas_fake_calls64_"},
                                           Decorated{FAKE_MODULE_MKL64, "cblas_dgemm_64", "cblas_fake_calls_64"}));

struct PlainBlas : ::testing::Test {
    const Library module{FAKE_MODULE_PLAIN};
    core::Expected<core::NativeRung> make(std::string routine, std::vector<core::Buffer> buffers,
                                          std::map<std::string, std::string> options = {}) {
        auto request = blas(std::move(routine), std::move(buffers), module.path);
        request.options.merge(options);
        return make_native(request);
    }
};

TEST_F(PlainBlas, SyrkMirrorsItsTriangleAndEqualsThePlainProduct) {
    auto a = counted(12);
    for (const bool flipped : {false, true}) {
        const std::ptrdiff_t n = flipped ? 3 : 4;
        std::vector<double> out(static_cast<std::size_t>(n * n), -99), expected(out.size());
        const auto rung =
            make("syrk", {buffer(a.data(), {4, 3}), buffer(out.data(), {n, n})}, {{"trans", flipped ? "1" : "0"}});
        ASSERT_TRUE(rung && execute(*rung)) << rung.error().what;
        EXPECT_EQ(rung->routine, "cblas_dsyrk");
        const auto naive = make_native({.family = "plain",
                                        .routine = flipped ? "t_matmul" : "matmul_t",
                                        .buffers = {buffer(a.data(), {4, 3}), buffer(expected.data(), {n, n})},
                                        .loop = {},
                                        .options = {}});
        ASSERT_TRUE(naive && execute(*naive)) << naive.error().what;
        EXPECT_EQ(out, expected);
    }
}

TEST_F(PlainBlas, GemmOfAMatrixAndItsTransposeAnswersWithSyrk) {
    auto a = counted(16);
    std::vector<double> out(16);
    const auto rung =
        make("gemm", {buffer(a.data(), {4, 4}), strided(a.data(), {4, 4}, {1, 4}), buffer(out.data(), {4, 4})});
    ASSERT_TRUE(rung) << rung.error().what;
    EXPECT_EQ(rung->symbol, "cblas_dsyrk");
}

TEST_F(PlainBlas, GemvEqualsTheNaiveProductForBothCallersAndOrders) {
    auto a = counted(12), x = counted(4);
    for (const char* caller : {"matmul", "dot"})
        for (const bool columns : {false, true}) {
            const auto matrix = columns ? strided(a.data(), {3, 4}, {1, 3}) : buffer(a.data(), {3, 4});
            std::vector<double> out(3), expected(3);
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 4; ++j) expected[i] += (columns ? a[j * 3 + i] : a[i * 4 + j]) * x[j];
            const auto rung =
                make("gemv", {matrix, buffer(x.data(), {4}), buffer(out.data(), {3})}, {{"caller", caller}});
            ASSERT_TRUE(rung && execute(*rung)) << rung.error().what;
            EXPECT_EQ(out, expected) << caller << columns;

            auto left = counted(3);
            std::vector<double> across(4), across_expected(4);
            for (std::size_t j = 0; j < 4; ++j)
                for (std::size_t i = 0; i < 3; ++i)
                    across_expected[j] += (columns ? a[j * 3 + i] : a[i * 4 + j]) * left[i];
            const auto vecmat =
                make("gemv", {buffer(left.data(), {3}), matrix, buffer(across.data(), {4})}, {{"caller", caller}});
            ASSERT_TRUE(vecmat && execute(*vecmat)) << vecmat.error().what;
            EXPECT_EQ(across, across_expected) << caller << columns;
        }
}

TEST_F(PlainBlas, DotTakesStridesAndComplexNumbers) {
    std::vector<double> x = {1, 0, 2, 0, 3}, y = {4, 5, 6};
    double out = 0;
    auto rung = make("dot", {strided(x.data(), {3}, {2}), buffer(y.data(), {3}), buffer(&out, {})});
    ASSERT_TRUE(rung && execute(*rung)) << rung.error().what;
    EXPECT_EQ(out, 32);
    std::vector<std::complex<double>> z = {{1, 2}, {3, -1}};
    std::complex<double> sum;
    rung = make("dot", {buffer(z.data(), {2}), buffer(z.data(), {2}), buffer(&sum, {})});
    ASSERT_TRUE(rung && execute(*rung)) << rung.error().what;
    EXPECT_EQ(rung->symbol, "cblas_zdotu_sub");
    EXPECT_EQ(sum, (std::complex<double>(5, -2)));
}

TEST_F(PlainBlas, RefusesOtherRoutinesAndDtypesByName) {
    std::vector<std::int64_t> whole(9);
    auto made =
        make("gemm", {buffer(whole.data(), {3, 3}), buffer(whole.data(), {3, 3}), buffer(whole.data(), {3, 3})});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("gemm: BLAS has no routine for dtypes lll"));
    made = make("trsm", {});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("'trsm'"));
}

TEST(LazyBinding, IsNotConfirmedUntilNumPyHasCalledTheRoutine) {
    const Library module(FAKE_MODULE_LAZY);
    ASSERT_NE(module.handle, nullptr) << dlerror();
    auto a = counted(4);
    std::vector<double> out(4);
    const auto request =
        blas("gemm", {buffer(a.data(), {2, 2}), buffer(a.data(), {2, 2}), buffer(out.data(), {2, 2})}, module.path);
    const auto before = make_native(request);
    ASSERT_TRUE(before) << before.error().what;
    EXPECT_THAT(before->check, StartsWith("not confirmed: "));
    EXPECT_GT(module.symbol<int()>("fake_module_calls_dgemm")(), 0);
    const auto after = make_native(request);
    ASSERT_TRUE(after) << after.error().what;
    EXPECT_THAT(after->check, StartsWith("equals the GOT entry of "));
}

TEST(ModuleWithoutBlas, IsAnErrorThatSaysSo) {
    const Library module(FAKE_MODULE_WITHOUT_BLAS);
    ASSERT_NE(module.handle, nullptr) << dlerror();
    auto a = counted(4);
    const auto made = make_native(
        blas("gemm", {buffer(a.data(), {2, 2}), buffer(a.data(), {2, 2}), buffer(a.data(), {2, 2})}, module.path));
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("built without BLAS"));
    const core::Value facts = blas_facts(module.path);
    EXPECT_TRUE(facts["library"].is_nil());
    EXPECT_THAT(facts["reason"].as_text(), HasSubstr("built without BLAS"));
}

TEST(ModuleNotLoaded, IsAnErrorThatNamesTheFile) {
    auto a = counted(4);
    const auto made = make_native(blas(
        "gemm", {buffer(a.data(), {2, 2}), buffer(a.data(), {2, 2}), buffer(a.data(), {2, 2})}, "/nowhere/umath.so"));
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("'/nowhere/umath.so' is not loaded"));
}

TEST(BlasFacts, OfABlasThatIsNotOpenBlasAreNilWithReasons) {
    const Library module(FAKE_MODULE_SCIPY64);
    ASSERT_NE(module.handle, nullptr) << dlerror();
    const core::Value facts = blas_facts(module.path);
    EXPECT_THAT(facts["library"].as_text(), EndsWith("libfake_blas_scipy64.so"));
    EXPECT_EQ(facts["integer_bits"].as_int(), 64);
    EXPECT_EQ(facts["decoration"].as_text(), "scipy_cblas_*64_");
    EXPECT_TRUE(facts["threads"].is_nil());
    EXPECT_THAT(facts["threads_reason"].as_text(), HasSubstr("not OpenBLAS"));
    EXPECT_EQ(facts["build_id"].as_text(), "0123456789abcdef");  // set by the build
}

TEST(Locate, NamesExportedFunctionsAndTheObjectOfOthers) {
    const auto exported = locate(dlsym(RTLD_DEFAULT, "cos"));
    EXPECT_THAT(exported.address, HasSubstr("+0x"));
    EXPECT_EQ(locate(nullptr), CodeLocation{});
}

}  // namespace
}  // namespace tare::benchmarks
