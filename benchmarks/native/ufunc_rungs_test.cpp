// At stake: the net. A ufunc rung must do exactly one evaluation an execution, over every element, in as few loop calls
// as memory allows: an 8 x 8 add takes 12 to 15 ns in one call and 78 to 98 ns in eight (NumPy 2.4 and 1.24, measured).
#include "benchmarks/native/ufunc_rungs.h"

#include <gmock/gmock.h>

#include <cmath>

#include "benchmarks/native/testing/buffers.h"

namespace tare::benchmarks {
namespace {

using testing::buffer;
using ::testing::ElementsAre;
using testing::execute;
using ::testing::HasSubstr;
using testing::strided;

// Stands for NumPy's DOUBLE_add; counts its calls in `data` and, like NumPy's matmul, moves its argument pointers.
void add_loop(char** args, const std::ptrdiff_t* dimensions, const std::ptrdiff_t* steps, void* data) {
    ++*static_cast<int*>(data);
    for (std::ptrdiff_t i = 0; i < dimensions[0]; ++i) {
        *reinterpret_cast<double*>(args[2]) = *reinterpret_cast<double*>(args[0]) + *reinterpret_cast<double*>(args[1]);
        for (int k : {0, 1, 2}) args[k] += steps[k];
    }
}

void divmod_loop(char** args, const std::ptrdiff_t* dimensions, const std::ptrdiff_t* steps, void*) {
    for (std::ptrdiff_t i = 0; i < dimensions[0]; ++i) {
        const auto a = *reinterpret_cast<std::int64_t*>(args[0] + i * steps[0]);
        const auto b = *reinterpret_cast<std::int64_t*>(args[1] + i * steps[1]);
        *reinterpret_cast<std::int64_t*>(args[2] + i * steps[2]) = a / b;
        *reinterpret_cast<std::int64_t*>(args[3] + i * steps[3]) = a % b;
    }
}

void maximum_loop(char** args, const std::ptrdiff_t* dimensions, const std::ptrdiff_t* steps, void* data) {
    ++*static_cast<int*>(data);
    for (std::ptrdiff_t i = 0; i < dimensions[0]; ++i) {
        const double a = *reinterpret_cast<double*>(args[0] + i * steps[0]);
        const double b = *reinterpret_cast<double*>(args[1] + i * steps[1]);
        *reinterpret_cast<double*>(args[2] + i * steps[2]) = a > b ? a : b;
    }
}

struct Addition : ::testing::Test {
    int calls = 0;
    core::NativeRequest request{.family = "ufunc",
                                .routine = "add",
                                .buffers = {},
                                .loop = {.function = add_loop, .data = &calls, .nin = 2, .nout = 1},
                                .options = {{"signature", "dd->d"}}};
    core::Expected<core::NativeRung> make(std::vector<core::Buffer> buffers) {
        request.buffers = std::move(buffers);
        return make_native(request);
    }
    std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    std::vector<double> y = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120};
    std::vector<double> out = std::vector<double>(12, -1);
};

TEST_F(Addition, OfContiguousMatricesIsOneLoopCall) {
    const auto rung = make({buffer(x.data(), {3, 4}), buffer(y.data(), {3, 4}), buffer(out.data(), {3, 4})});
    ASSERT_TRUE(rung) << rung.error().what;
    ASSERT_TRUE(execute(*rung));
    EXPECT_EQ(calls, 1);
    EXPECT_THAT(out, ElementsAre(11, 22, 33, 44, 55, 66, 77, 88, 99, 110, 121, 132));
    EXPECT_EQ(rung->routine, "add[dd->d]");
    EXPECT_THAT(rung->address, HasSubstr("native_test+0x"));
}

TEST_F(Addition, RunsAsOftenAsItIsArmed) {
    const auto rung = make({buffer(x.data(), {12}), buffer(out.data(), {12}), buffer(out.data(), {12})});
    ASSERT_TRUE(rung) << rung.error().what;
    out.assign(12, 0);
    ASSERT_TRUE(execute(*rung, 5));
    EXPECT_EQ(calls, 5);
    EXPECT_EQ(out[2], 15);  // out += x, five times
    ASSERT_TRUE(execute(*rung, 0));
    EXPECT_EQ(calls, 5);
}

TEST_F(Addition, BroadcastsAScalarARowAndAColumn) {
    const auto scalar = make({buffer(x.data(), {3, 4}), buffer(y.data(), {}), buffer(out.data(), {3, 4})});
    ASSERT_TRUE(scalar && execute(*scalar));
    EXPECT_EQ(calls, 1);  // a stride of 0 merges with itself
    EXPECT_THAT(out, ElementsAre(11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22));

    calls = 0;
    const auto row = make({buffer(x.data(), {3, 4}), buffer(y.data(), {4}), buffer(out.data(), {3, 4})});
    ASSERT_TRUE(row && execute(*row, 2));
    EXPECT_EQ(calls, 6);
    EXPECT_THAT(out, ElementsAre(11, 22, 33, 44, 15, 26, 37, 48, 19, 30, 41, 52));

    calls = 0;
    const auto column = make({buffer(x.data(), {3, 1}), buffer(y.data(), {1, 4}), buffer(out.data(), {3, 4})});
    ASSERT_TRUE(column && execute(*column));
    EXPECT_EQ(calls, 3);
    EXPECT_THAT(out, ElementsAre(11, 21, 31, 41, 12, 22, 32, 42, 13, 23, 33, 43));
}

TEST_F(Addition, WalksStridedAndReversedMemory) {
    const auto rung = make({strided(x.data(), {4}, {3}), strided(y.data() + 11, {4}, {-2}), buffer(out.data(), {4})});
    ASSERT_TRUE(rung && execute(*rung));
    EXPECT_EQ(calls, 1);
    EXPECT_THAT(std::vector<double>(out.begin(), out.begin() + 4), ElementsAre(121, 104, 87, 70));
}

TEST_F(Addition, OfColumnMajorMatricesIsOneLoopCall) {
    const auto flip = [](std::vector<double>& v) { return strided(v.data(), {3, 4}, {1, 3}); };
    const auto rung = make({flip(x), flip(y), flip(out)});
    ASSERT_TRUE(rung && execute(*rung));
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(out[11], 132);
}

TEST_F(Addition, OfThreeAxesMergesOnlyWhereAllOperandsAllow) {
    std::vector<double> wide(48);
    for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = static_cast<double>(i);
    const std::vector<std::ptrdiff_t> shape = {2, 3, 2};
    // The inner axes never merge in `wide`; the outer two do where a step of 24 is three of 8.
    for (const std::ptrdiff_t outer_step : {24, 20}) {
        calls = 0;
        const std::vector<std::ptrdiff_t> steps = {outer_step, 8, 2};
        const auto rung =
            make({strided(wide.data(), shape, steps), buffer(y.data(), shape), buffer(out.data(), shape)});
        ASSERT_TRUE(rung && execute(*rung, 3));
        EXPECT_EQ(calls, 18);
        for (std::size_t i = 0, at = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                for (std::size_t k = 0; k < 2; ++k, ++at)
                    EXPECT_EQ(out[at],
                              static_cast<double>(i * static_cast<std::size_t>(outer_step) + j * 8 + k * 2) + y[at]);
    }
}

TEST_F(Addition, OfAMatrixWithItsTransposeMatchesTheNaiveResult) {
    std::vector<double> a = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    std::vector<double> sum(9);
    const auto rung = make({buffer(a.data(), {3, 3}), strided(a.data(), {3, 3}, {1, 3}), buffer(sum.data(), {3, 3})});
    ASSERT_TRUE(rung && execute(*rung));
    EXPECT_EQ(calls, 3);
    EXPECT_THAT(sum, ElementsAre(2, 6, 10, 6, 10, 14, 10, 14, 18));
}

TEST_F(Addition, WritesNothingBeyondItsOutput) {
    const auto rung = make({buffer(x.data(), {3}), buffer(y.data(), {3}), strided(out.data(), {3}, {2})});
    ASSERT_TRUE(rung && execute(*rung));
    EXPECT_THAT(out, ElementsAre(11, -1, 22, -1, 33, -1, -1, -1, -1, -1, -1, -1));
}

TEST_F(Addition, RefusesOperandsThatNumPyWouldConvertOrCopy) {
    std::vector<float> single(4);
    auto made = make({buffer(single.data(), {4}), buffer(y.data(), {4}), buffer(out.data(), {4})});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("the loop is dd->d but the operands are fdd"));

    made = make({buffer(x.data(), {4}), buffer(y.data(), {3}), buffer(out.data(), {4})});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("shape (3,) does not broadcast to (4,)"));

    auto shifted = buffer(x.data(), {4});
    shifted.data = reinterpret_cast<char*>(x.data()) + 1;
    made = make({shifted, buffer(y.data(), {4}), buffer(out.data(), {4})});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("not aligned"));

    auto read_only = buffer(out.data(), {4});
    read_only.writeable = false;
    made = make({buffer(x.data(), {4}), buffer(y.data(), {4}), read_only});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("not writeable"));

    made = make({buffer(x.data(), {0}), buffer(y.data(), {0}), buffer(out.data(), {0})});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("nothing to compute"));

    made = make({buffer(x.data(), {4}), buffer(out.data(), {4})});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("2 operands for a loop of 2 inputs and 1 outputs"));
}

TEST(UfuncRung, FillsTwoOutputs) {
    std::vector<std::int64_t> a = {17, 23}, b = {5, 7}, quotient(2), remainder(2);
    core::NativeRequest request{.family = "ufunc",
                                .routine = "divmod",
                                .buffers = {buffer(a.data(), {2}), buffer(b.data(), {2}), buffer(quotient.data(), {2}),
                                            buffer(remainder.data(), {2})},
                                .loop = {.function = divmod_loop, .data = nullptr, .nin = 2, .nout = 2},
                                .options = {}};
    const auto rung = make_native(request);
    ASSERT_TRUE(rung && execute(*rung)) << rung.error().what;
    EXPECT_THAT(quotient, ElementsAre(3, 3));
    EXPECT_THAT(remainder, ElementsAre(2, 2));
}

struct Reduce : Addition {
    double total = -1;
    core::Expected<core::NativeRung> reduce(core::Buffer input) {
        request.family = "reduce";
        request.buffers = {std::move(input), buffer(&total, {})};
        return make_native(request);
    }
};

TEST_F(Reduce, OfAddStartsFromZeroInEachExecution) {
    const auto rung = reduce(buffer(x.data(), {12}));
    ASSERT_TRUE(rung) << rung.error().what;
    ASSERT_TRUE(execute(*rung, 3));
    EXPECT_EQ(total, 78);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(rung->routine, "add.reduce[dd->d]");
    x.assign(12, -0.0);  // 0 + -0.0 + ... is +0.0, as np.add.reduce gives; the first element would give -0.0
    ASSERT_TRUE(execute(*rung));
    EXPECT_FALSE(std::signbit(total));
}

TEST_F(Reduce, TakesAContiguousMatrixAsOneRunAndAStridedVector) {
    auto rung = reduce(buffer(x.data(), {3, 4}));
    ASSERT_TRUE(rung && execute(*rung));
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(total, 78);
    rung = reduce(strided(x.data() + 11, {4}, {-3}));
    ASSERT_TRUE(rung && execute(*rung));
    EXPECT_EQ(total, 12 + 9 + 6 + 3);
}

TEST_F(Reduce, OfMaximumStartsFromTheFirstElement) {
    request.routine = "maximum";
    request.loop.function = maximum_loop;
    x = {-5, -3, -4, -9};
    auto rung = reduce(buffer(x.data(), {4}));
    ASSERT_TRUE(rung && execute(*rung, 2));
    EXPECT_EQ(total, -3);
    request.options["identity"] = "0";
    rung = reduce(buffer(x.data(), {4}));
    ASSERT_TRUE(rung && execute(*rung));
    EXPECT_EQ(total, 0);
    request.options["identity"] = "-4";
    rung = reduce(buffer(x.data(), {4}));
    ASSERT_TRUE(rung && execute(*rung));
    EXPECT_EQ(total, -3);
    x.assign(4, -9);
    ASSERT_TRUE(execute(*rung));
    EXPECT_EQ(total, -4);
    request.options["identity"] = "-inf";
    rung = reduce(buffer(x.data(), {4}));
    ASSERT_FALSE(rung);
    EXPECT_THAT(rung.error().what, HasSubstr("identity '-inf' is no integer"));
}

TEST_F(Reduce, OfOneElementFromTheFirstCallsNoLoop) {
    request.options["identity"] = "none";
    const auto rung = reduce(buffer(x.data() + 4, {}));
    ASSERT_TRUE(rung && execute(*rung));
    EXPECT_EQ(total, 5);
    EXPECT_EQ(calls, 0);
}

TEST_F(Reduce, RefusesAnOperandInSeveralRunsAndAnotherDtype) {
    auto made = reduce(strided(x.data(), {3, 2}, {4, 1}));
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("not one run of memory"));
    std::vector<float> single(4);
    made = reduce(buffer(single.data(), {4}));
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("the loop is dd->d"));
}

TEST_F(Addition, RunsThroughTheVeryLoopOfTheFloor) {
    const auto rung = make({buffer(x.data(), {8}), buffer(y.data(), {8}), buffer(out.data(), {8})});
    const core::NativeRung floor = make_native_floor();
    ASSERT_TRUE(rung);
    EXPECT_EQ(rung->entry.run, floor.entry.run);
    EXPECT_TRUE(execute(floor, 1000));
}

TEST(MakeNative, RefusesAnUnknownFamily) {
    const auto made = make_native({.family = "fft", .routine = "fft", .buffers = {}, .loop = {}, .options = {}});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("'fft'"));
}

}  // namespace
}  // namespace tare::benchmarks
