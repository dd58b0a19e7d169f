// At stake: 244 ns for a statement of 198 in all processes of a run, for where the page cache held NumPy; and a run
// that would make the kernel drop the C library of everybody.
#include "harness/cli/placed_files.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace tare::cli {
namespace {

TEST(PlacedFiles, MatterWhereTheSubjectsOwnCodeLies) {
    EXPECT_TRUE(placement_matters("/home/me/venv/lib/python3.11/site-packages/numpy/_core/_multiarray_umath.so"));
    EXPECT_TRUE(placement_matters("/usr/lib/python3/dist-packages/numpy/core/_multiarray_umath.so"));
    EXPECT_TRUE(placement_matters("/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0"));
    EXPECT_TRUE(placement_matters("/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3"));
    EXPECT_FALSE(placement_matters("/usr/lib/x86_64-linux-gnu/libc.so.6"));
    EXPECT_FALSE(placement_matters("/lib/x86_64-linux-gnu/libssl.so.3"));
}

/// Has mapped a file that is not there.
struct Worker : measure::WorkerLink {
    int asked = 0;
    core::Expected<core::Value> request(const core::Value&, std::chrono::milliseconds) override {
        ++asked;
        return core::Value(core::Map{{"mapped", core::List{"/home/me/data.npy"}},
                                     {"code", core::List{"/no/such/file", "/usr/lib/libc.so.6"}},
                                     {"read", core::List{}}});
    }
    measure::CapturedOutput take_output() override { return {}; }
};

TEST(PlacedFiles, AreDrawnAnewBeforeTheSecondRoundAndNotAgainForItsLaterWorkers) {
    Worker worker;
    PlacedFiles placed;
    for (const int round : {0, 0, 1, 1, 2}) {
        placed.round_starts(round);
        ASSERT_TRUE(placed.learn(worker));
    }
    EXPECT_EQ(worker.asked, 1);
    EXPECT_THAT(placed.redraw().files, testing::ElementsAre("/no/such/file"));
    EXPECT_EQ(placed.redraw().rounds, 2);
    EXPECT_EQ(placed.redraw().rounds_redrawn, 0);
    EXPECT_THAT(placed.redraw().refused, testing::HasSubstr("/no/such/file"));
    EXPECT_THAT(placed.redraw().kept, testing::ElementsAre("/no/such/file")) << "once, however often";
}

struct WorkerWithBinascii : Worker {
    core::Expected<core::Value> request(const core::Value&, std::chrono::milliseconds) override {
        return core::Value(core::Map{{"mapped", core::List{}},
                                     {"code", core::List{"/home/me/lib/python3.13/lib-dynload/binascii.so"}},
                                     {"read", core::List{}}});
    }
};

/// A duet proved nothing below 8 % while any other program of the interpreter had one of these mapped.
TEST(PlacedFiles, OfTheStandardLibraryProveNothingOfOtherCodeWhereTheyAreKept) {
    WorkerWithBinascii worker;
    PlacedFiles placed;
    ASSERT_TRUE(placed.learn(worker));
    placed.round_starts(1);
    EXPECT_THAT(placed.redraw().files, testing::SizeIs(1));
    EXPECT_THAT(placed.redraw().kept, testing::IsEmpty());
    EXPECT_EQ(placed.redraw().refused, "");
    EXPECT_EQ(placed.redraw().rounds_redrawn, 1);
}

/// Has mapped so large a file.
struct LargeWorker : Worker {
    std::string path;
    core::Expected<core::Value> request(const core::Value&, std::chrono::milliseconds) override {
        return core::Value(core::Map{{"mapped", core::List{}}, {"code", core::List{path}}, {"read", core::List{}}});
    }
};

TEST(PlacedFiles, AreLeftWhereTheyLieIfTheyTakeLongToReadAgain) {
    const std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) / ("libgpu" + std::to_string(::getpid()) + ".so");
    std::ofstream(path).put('x');
    std::filesystem::resize_file(path, (std::uintmax_t{256} << 20) + 1);  // a hole
    LargeWorker worker;
    worker.path = path;
    PlacedFiles placed;
    EXPECT_TRUE(placed.learn(worker));
    EXPECT_TRUE(placed.round_starts(1));
    EXPECT_FALSE(placed.round_starts(1));
    std::filesystem::remove(path);
    EXPECT_THAT(placed.redraw().files, testing::IsEmpty());
    EXPECT_THAT(placed.redraw().kept, testing::ElementsAre(path.string()));
    EXPECT_THAT(placed.redraw().refused, testing::HasSubstr("256 MB take too long"));
}

struct FailedWorker : Worker {
    core::ErrorCode code = core::ErrorCode::kCaseFailed;
    core::Expected<core::Value> request(const core::Value&, std::chrono::milliseconds) override {
        return core::fail(code, "it cannot tell");
    }
};

TEST(PlacedFiles, OfAWorkerThatCannotTellEndNoRun) {
    FailedWorker worker;
    PlacedFiles placed, interrupted;
    EXPECT_TRUE(placed.learn(worker));
    EXPECT_EQ(placed.redraw().refused, "it cannot tell");
    worker.code = core::ErrorCode::kInterrupted;
    EXPECT_FALSE(interrupted.learn(worker));
}

}  // namespace
}  // namespace tare::cli
