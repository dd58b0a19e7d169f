// At stake: the reference column. A plain loop that the compiler drops or hoists reads 0.3 ns an execution and makes
// NumPy's kernels look absurd; one that is wrong compares different work.
#include "benchmarks/native/plain_rungs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>

#include "benchmarks/native/testing/buffers.h"

namespace tare::benchmarks {
namespace {

using testing::buffer;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::execute;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::strided;
using Complex = std::complex<double>;

core::Expected<core::NativeRung> make(std::string routine, std::vector<core::Buffer> buffers) {
    return make_native(
        {.family = "plain", .routine = std::move(routine), .buffers = std::move(buffers), .loop = {}, .options = {}});
}

// Runs the routine once and returns whether it could.
::testing::AssertionResult run(std::string routine, std::vector<core::Buffer> buffers) {
    const auto rung = make(std::move(routine), std::move(buffers));
    if (!rung) return ::testing::AssertionFailure() << rung.error().what;
    return execute(*rung) ? ::testing::AssertionSuccess() : ::testing::AssertionFailure();
}

struct PlainLoop : ::testing::Test {
    std::vector<double> x = {4, 1, 9, 16, 2.25, 25}, y = {2, 3, -1, 0.5, 8, 5}, out = std::vector<double>(6, -77);
    std::vector<std::int64_t> i = {3, -4, 5, 0}, j = {1, 2, -2, 7}, whole = std::vector<std::int64_t>(4, -77);
    std::vector<Complex> z = {{1, 2}, {-3, 4}}, zout = std::vector<Complex>(2);
    std::array<bool, 6> flags{};
    double one = 0;
    std::int64_t count = 0;
};

TEST_F(PlainLoop, ReadsItsOperandsAgainInEachExecution) {
    const auto rung = make("add", {buffer(x.data(), {6}), buffer(out.data(), {6}), buffer(out.data(), {6})});
    ASSERT_TRUE(rung) << rung.error().what;
    out.assign(6, 0);
    ASSERT_TRUE(execute(*rung, 1000));
    EXPECT_THAT(out, ElementsAre(4000, 1000, 9000, 16000, 2250, 25000));
    EXPECT_EQ(rung->routine, "plain add[ddd]");
}

TEST_F(PlainLoop, DoesArithmeticOnEveryNumberType) {
    EXPECT_TRUE(run("divide", {buffer(x.data(), {6}), buffer(y.data(), {6}), buffer(out.data(), {6})}));
    EXPECT_THAT(out, ElementsAre(2, 1.0 / 3, -9, 32, 0.28125, 5));
    EXPECT_TRUE(run("subtract", {buffer(i.data(), {4}), buffer(j.data(), {4}), buffer(whole.data(), {4})}));
    EXPECT_THAT(whole, ElementsAre(2, -6, 7, -7));
    EXPECT_TRUE(run("divide", {buffer(i.data(), {4}), buffer(j.data(), {4}), buffer(out.data(), {4})}));
    EXPECT_EQ(out[2], -2.5);
    EXPECT_TRUE(run("multiply", {buffer(z.data(), {2}), buffer(z.data(), {2}), buffer(zout.data(), {2})}));
    EXPECT_THAT(zout, ElementsAre(Complex(-3, 4), Complex(-7, -24)));
    EXPECT_TRUE(run("absolute", {buffer(z.data() + 1, {1}), buffer(&one, {1})}));
    EXPECT_EQ(one, 5);
    i[0] = std::numeric_limits<std::int64_t>::min();  // wraps around as NumPy's integers do
    EXPECT_TRUE(run("negative", {buffer(i.data(), {4}), buffer(whole.data(), {4})}));
    EXPECT_THAT(whole, ElementsAre(i[0], 4, -5, 0));
    std::vector<float> f = {1.5F, 2.5F}, fout(2);
    EXPECT_TRUE(run("square", {buffer(f.data(), {2}), buffer(fout.data(), {2})}));
    EXPECT_THAT(fout, ElementsAre(2.25F, 6.25F));
}

TEST_F(PlainLoop, WalksStridesBroadcastsAndZeroDimensions) {
    EXPECT_TRUE(run("add", {strided(x.data() + 5, {3}, {-2}), buffer(&y[1], {}), strided(out.data(), {3}, {2})}));
    EXPECT_THAT(out, ElementsAre(28, -77, 19, -77, 4, -77));
    EXPECT_TRUE(run("sqrt", {buffer(&x[3], {}), buffer(&one, {})}));
    EXPECT_EQ(one, 4);
    EXPECT_TRUE(run("add", {buffer(x.data(), {2, 3}), buffer(y.data(), {2, 3}), buffer(out.data(), {2, 3})}));
    EXPECT_EQ(out[5], 30);
    EXPECT_FALSE(run("add", {buffer(x.data(), {2, 3}), buffer(y.data(), {3}), buffer(out.data(), {2, 3})}));
}

TEST_F(PlainLoop, EqualsTheLibraryFunctionForEveryMathematicalRoutine) {
    const std::vector<std::pair<std::string, double (*)(double)>> functions = {
        {"sqrt", [](double v) { return std::sqrt(v); }},   {"exp", [](double v) { return std::exp(v); }},
        {"log", [](double v) { return std::log(v); }},     {"sin", [](double v) { return std::sin(v); }},
        {"cos", [](double v) { return std::cos(v); }},     {"tan", [](double v) { return std::tan(v); }},
        {"tanh", [](double v) { return std::tanh(v); }},   {"arctan", [](double v) { return std::atan(v); }},
        {"expm1", [](double v) { return std::expm1(v); }}, {"log1p", [](double v) { return std::log1p(v); }},
        {"floor", [](double v) { return std::floor(v); }}, {"ceil", [](double v) { return std::ceil(v); }},
        {"trunc", [](double v) { return std::trunc(v); }}, {"rint", [](double v) { return std::rint(v); }},
        {"absolute", [](double v) { return std::abs(v); }}};
    for (const auto& [routine, function] : functions) {
        EXPECT_TRUE(run(routine, {buffer(x.data(), {6}), buffer(out.data(), {6})}));
        for (std::size_t k = 0; k < x.size(); ++k) EXPECT_DOUBLE_EQ(out[k], function(x[k])) << routine;
    }
    EXPECT_TRUE(run("power", {buffer(x.data(), {6}), buffer(y.data(), {6}), buffer(out.data(), {6})}));
    EXPECT_DOUBLE_EQ(out[4], std::pow(2.25, 8));
}

TEST_F(PlainLoop, ComparesIntoBooleans) {
    EXPECT_TRUE(run("less", {buffer(x.data(), {6}), buffer(y.data(), {6}), buffer(flags.data(), {6})}));
    EXPECT_THAT(flags, ElementsAre(false, true, false, false, true, false));
    EXPECT_TRUE(run("equal", {buffer(x.data(), {6}), buffer(x.data(), {6}), buffer(flags.data(), {6})}));
    EXPECT_THAT(flags, ::testing::Each(true));
    EXPECT_TRUE(run("logical_and", {buffer(i.data(), {4}), buffer(j.data(), {4}), buffer(flags.data(), {4})}));
    EXPECT_FALSE(flags[3]);
    const std::array<bool, 2> choose = {true, false};
    EXPECT_TRUE(run("where", {buffer(const_cast<bool*>(choose.data()), {2}), buffer(x.data(), {2}),
                              buffer(y.data(), {2}), buffer(out.data(), {2})}));
    EXPECT_EQ(out[0], 4);
    EXPECT_EQ(out[1], 3);
    EXPECT_TRUE(run("clip", {buffer(x.data(), {6}), buffer(&y[0], {}), buffer(&y[4], {}), buffer(out.data(), {6})}));
    EXPECT_THAT(out, ElementsAre(4, 2, 8, 8, 2.25, 8));
}

TEST_F(PlainLoop, ReducesToOneElement) {
    const auto reduces = [&](const char* routine, double expected) {
        EXPECT_TRUE(run(routine, {buffer(x.data(), {6}), buffer(&one, {})}));
        EXPECT_DOUBLE_EQ(one, expected) << routine;
    };
    reduces("sum", 57.25);
    reduces("prod", 32400);
    reduces("mean", 57.25 / 6);
    reduces("max", 25);
    reduces("min", 1);
    reduces("ptp", 24);
    reduces("norm", std::sqrt(16 + 1 + 81 + 256 + 2.25 * 2.25 + 625));
    reduces("var", (16 + 1 + 81 + 256 + 2.25 * 2.25 + 625) / 6 - (57.25 / 6) * (57.25 / 6));
    EXPECT_TRUE(run("argmin", {buffer(x.data(), {6}), buffer(&count, {})}));
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(run("count_nonzero", {buffer(i.data(), {4}), buffer(&count, {})}));
    EXPECT_EQ(count, 3);
    EXPECT_TRUE(run("mean", {buffer(i.data(), {4}), buffer(&one, {})}));
    EXPECT_EQ(one, 1);
    EXPECT_TRUE(run("any", {buffer(i.data() + 3, {1}), buffer(flags.data(), {})}));
    EXPECT_FALSE(flags[0]);
    EXPECT_TRUE(run("all", {strided(i.data(), {3}, {1}), buffer(flags.data(), {})}));
    EXPECT_TRUE(flags[0]);
    EXPECT_TRUE(run("dot", {strided(x.data(), {3}, {2}), buffer(y.data(), {3}), buffer(&one, {})}));
    EXPECT_EQ(one, 4 * 2 + 9 * 3 - 2.25);
    EXPECT_TRUE(run("vdot", {buffer(z.data(), {2}), buffer(z.data(), {2}), buffer(zout.data(), {})}));
    EXPECT_EQ(zout[0], Complex(30, 0));
}

TEST_F(PlainLoop, MovesOrdersAndAccumulates) {
    x[1] = std::nan("");
    EXPECT_TRUE(run("sort", {buffer(x.data(), {6}), buffer(out.data(), {6})}));
    EXPECT_TRUE(std::is_sorted(out.begin(), out.begin() + 5));
    EXPECT_TRUE(std::isnan(out[5]));
    EXPECT_TRUE(std::isnan(x[1]));
    std::vector<std::int64_t> order(6);
    EXPECT_TRUE(run("argsort", {buffer(x.data(), {6}), buffer(order.data(), {6})}));
    EXPECT_THAT(order, ElementsAre(4, 0, 2, 3, 5, 1));
    std::vector<std::int64_t> index = {0, -1, 2, 99};
    out.assign(6, -77);
    EXPECT_TRUE(run("take", {buffer(y.data(), {6}), buffer(index.data(), {4}), buffer(out.data(), {4})}));
    EXPECT_THAT(out, ElementsAre(2, 5, -1, -77, -77, -77));
    EXPECT_TRUE(run("cumsum", {buffer(i.data(), {4}), strided(whole.data(), {4}, {1})}));
    EXPECT_THAT(whole, ElementsAre(3, -1, 4, 4));
    EXPECT_TRUE(run("diff", {buffer(i.data(), {4}), buffer(whole.data(), {3})}));
    EXPECT_THAT(whole, ElementsAre(-7, 9, -5, 4));
    EXPECT_TRUE(run("reverse", {buffer(i.data(), {4}), buffer(whole.data(), {4})}));
    EXPECT_THAT(whole, ElementsAre(0, 5, -4, 3));
    EXPECT_TRUE(run("concatenate", {buffer(i.data(), {1}), buffer(j.data(), {3}), buffer(whole.data(), {4})}));
    EXPECT_THAT(whole, ElementsAre(3, 1, 2, -2));
    EXPECT_TRUE(run("fill", {buffer(&i[2], {}), buffer(whole.data(), {4})}));
    EXPECT_THAT(whole, ElementsAre(5, 5, 5, 5));
    EXPECT_TRUE(run("zeros", {buffer(whole.data(), {3})}));
    EXPECT_THAT(whole, ElementsAre(0, 0, 0, 5));
    EXPECT_TRUE(run("arange", {buffer(whole.data(), {4})}));
    EXPECT_THAT(whole, ElementsAre(0, 1, 2, 3));
    std::vector<std::int64_t> twice = {1, 1, -1};
    EXPECT_TRUE(run("add_at", {buffer(twice.data(), {3}), buffer(j.data(), {3}), buffer(whole.data(), {4})}));
    EXPECT_THAT(whole, ElementsAre(0, 4, 2, 1));
    std::vector<std::int64_t> sorted = {1, 3, 5}, values = {0, 3, 4, 9};
    EXPECT_TRUE(
        run("searchsorted", {buffer(sorted.data(), {3}), buffer(values.data(), {4}), buffer(whole.data(), {4})}));
    EXPECT_THAT(whole, ElementsAre(0, 1, 2, 3));
    EXPECT_TRUE(run("copy", {buffer(i.data(), {4}), buffer(out.data(), {4})}));
    EXPECT_EQ(out[1], -4);
}

TEST_F(PlainLoop, MultipliesMatricesOfAnyStrides) {
    std::vector<double> a = {1, 2, 3, 4, 5, 6}, product(4), wide(9), vector(2);
    const auto matrix = buffer(a.data(), {2, 3});
    const auto flipped = strided(a.data(), {3, 2}, {1, 3});
    EXPECT_TRUE(run("matmul", {matrix, flipped, buffer(product.data(), {2, 2})}));
    EXPECT_THAT(product, ElementsAre(14, 32, 32, 77));
    std::vector<double> b = {1, 4, 0, 2, 5, 0, 3, 6, 0};  // rows in one piece, a third column unused
    product.assign(4, 0);
    EXPECT_TRUE(run("matmul", {matrix, strided(b.data(), {3, 2}, {3, 1}), buffer(product.data(), {2, 2})}));
    EXPECT_THAT(product, ElementsAre(14, 32, 32, 77));
    product.assign(4, 0);
    EXPECT_TRUE(run("matmul_t", {matrix, buffer(product.data(), {2, 2})}));
    EXPECT_THAT(product, ElementsAre(14, 32, 32, 77));
    EXPECT_TRUE(run("t_matmul", {matrix, buffer(wide.data(), {3, 3})}));
    EXPECT_THAT(wide, ElementsAre(17, 22, 27, 22, 29, 36, 27, 36, 45));
    EXPECT_TRUE(run("matvec", {matrix, buffer(y.data(), {3}), buffer(vector.data(), {2})}));
    EXPECT_THAT(vector, ElementsAre(5, 17));
    EXPECT_TRUE(run("vecmat", {buffer(y.data(), {2}), matrix, buffer(out.data(), {3})}));
    EXPECT_THAT(std::vector<double>(out.begin(), out.begin() + 3), ElementsAre(14, 19, 24));
    EXPECT_TRUE(run("outer", {buffer(y.data(), {2}), buffer(a.data(), {2}), buffer(product.data(), {2, 2})}));
    EXPECT_THAT(product, ElementsAre(2, 4, 3, 6));
    EXPECT_TRUE(run("transpose", {matrix, buffer(out.data(), {3, 2})}));
    EXPECT_THAT(out, ElementsAre(1, 4, 2, 5, 3, 6));
    EXPECT_TRUE(run("trace", {buffer(product.data(), {2, 2}), buffer(&one, {})}));
    EXPECT_EQ(one, 8);
    EXPECT_TRUE(run("eye", {buffer(product.data(), {2, 2})}));
    EXPECT_THAT(product, ElementsAre(1, 0, 0, 1));
}

TEST_F(PlainLoop, RefusesWhatItDoesNotHave) {
    auto made = make("less", {buffer(z.data(), {2}), buffer(z.data(), {2}), buffer(flags.data(), {2})});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("plain loop less for dtypes DD?"));
    EXPECT_THAT(made.error().hint, HasSubstr("dd?"));
    made = make("lstsq", {buffer(x.data(), {6})});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("there is no such routine"));
    made = make("matmul", {buffer(x.data(), {2, 3}), buffer(y.data(), {2, 3}), buffer(out.data(), {2, 3})});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("do not fit together"));
    made = make("sort", {strided(x.data(), {3}, {2}), buffer(out.data(), {3})});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("contiguous"));
    EXPECT_THAT(plain_dtypes("add"), ElementsAre("fff", "ddd", "lll", "DDD"));
    EXPECT_THAT(plain_dtypes("nothing"), IsEmpty());
}

}  // namespace
}  // namespace tare::benchmarks
