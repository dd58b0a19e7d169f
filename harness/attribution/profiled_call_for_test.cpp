// C linkage, so that names are the same in every compiler's symbol table; not inlined, so that each has a frame.
#include "harness/attribution/profiled_call_for_test.h"

#include "harness/attribution/unwinder_test_sampler.h"

extern "C" [[gnu::noinline]] std::uint64_t profiled_inner(std::uint64_t value) {
    volatile std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < value; ++i) sum = sum + i;
    return sum;
}
extern "C" [[gnu::noinline]] std::uint64_t profiled_outer(std::uint64_t value) {
    return profiled_inner(value) + profiled_inner(value + 1);
}

namespace tare::attribution {

std::vector<core::StackSample> samples_of_profiled_call() {
    return stepped(profiled_outer, 10).samples;
}

}  // namespace tare::attribution
