// At stake: the seam between builder and unwinder: code that really ran, unwound and named from its own file.
#include <gmock/gmock.h>

#include <cstdlib>

#include "harness/attribution/own_modules_for_test.h"
#include "harness/attribution/profile_builder.h"
#include "harness/attribution/profiled_call_for_test.h"
#include "harness/attribution/samples_for_test.h"

namespace tare::attribution {
namespace {

TEST(ProfileUnwinding, NamesCodeThatRanWithAllItsCallers) {
    ::unsetenv("DEBUGINFOD_URLS");  // no test asks a server
    std::vector<core::StackSample> all = samples_of_profiled_call();
    ASSERT_GT(all.size(), 50U);
    const LayerTable layers = layers_for_test();
    ProfileBuilder builder(layers, {}, nullptr);
    builder.set_modules(0, own_modules());
    for (core::StackSample& sample : all) {
        sample.weight_ns = 1000;
        builder.add(sample);
    }
    const core::Profile profile = builder.build();
    const std::uint64_t samples = all.size();
    EXPECT_EQ(profile.total.samples, samples);
    EXPECT_EQ(profile.quality.complete + profile.quality.scanned, samples);
    EXPECT_EQ(function_named(profile, "profiled_outer").inclusive.samples, samples);
    EXPECT_EQ(function_named(profile, "main").inclusive.samples, samples);
    EXPECT_GT(function_named(profile, "profiled_inner").self.samples, samples / 2);
    EXPECT_LT(function_named(profile, "profiled_inner").inclusive.samples, samples);
    const core::ProfileFunction& inner = function_named(profile, "profiled_inner");
    const core::ProfileModule& module = profile.modules[inner.module];
    EXPECT_GE(inner.address, module.code_start);
    EXPECT_LT(inner.address, module.code_end);
    EXPECT_EQ(module.code_offset % 4096, module.code_start % 4096) << "files are mapped by pages";
    EXPECT_FALSE(module.build_id.empty());
}

}  // namespace
}  // namespace tare::attribution
