// At stake: OPENBLAS_CORETYPE=Haswell makes a small product 20 % slower than the machine's own kernels; in one series
// with them it would be a regression of the release that happened to be measured so.
#include "harness/cli/steering_variables.h"

#include <gmock/gmock.h>

namespace tare::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(SteeringVariables, are_those_that_choose_kernels_allocators_and_builds) {
    const char* environment[] = {"HOME=/root",
                                 "OPENBLAS_CORETYPE=Haswell",
                                 "NPY_DISABLE_CPU_FEATURES=AVX512F AVX2",
                                 "PYTHONMALLOC=malloc",
                                 "MALLOC_ARENA_MAX=1",
                                 "LD_PRELOAD=libjemalloc.so.2=x",
                                 "PYTHONPATH=/srv",
                                 nullptr};
    EXPECT_THAT(steering_variables(environment),
                ElementsAre(Pair("OPENBLAS_CORETYPE", "Haswell"), Pair("NPY_DISABLE_CPU_FEATURES", "AVX512F AVX2"),
                            Pair("PYTHONMALLOC", "malloc"), Pair("MALLOC_ARENA_MAX", "1"),
                            Pair("LD_PRELOAD", "libjemalloc.so.2=x")));
}

TEST(SteeringVariables, are_not_those_that_bench_sets_itself_nor_search_paths) {
    const char* environment[] = {"OMP_NUM_THREADS=4",
                                 "OPENBLAS_NUM_THREADS=8",
                                 "PYTHONHASHSEED=1",
                                 "LD_LIBRARY_PATH=/opt",
                                 "OPENBLAS",
                                 "",
                                 nullptr};
    EXPECT_THAT(steering_variables(environment), IsEmpty());
}

}  // namespace
}  // namespace tare::cli
