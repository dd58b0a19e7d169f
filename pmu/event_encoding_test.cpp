// At stake: a name that is understood otherwise than it was meant. 0x412e is what LONGEST_LAT_CACHE:MISS must become,
// and every name that is none costs one error of at most two lines that says what to type.
#include "pmu/event_encoding.h"

#include <gmock/gmock.h>
#include <linux/perf_event.h>

#include "pmu/event_catalogue.h"

namespace tare::pmu {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string encoding_error(std::string_view name, bool kernel = false) {
    const core::Expected<EventEncoding> encoded = encode(name, kernel);
    if (encoded) return "no error";
    EXPECT_EQ(encoded.error().code, core::ErrorCode::kUsage);
    EXPECT_LT(encoded.error().what.size(), 200u);
    EXPECT_EQ(encoded.error().what.find('\n'), std::string::npos);
    return encoded.error().what + " | " + encoded.error().hint;
}

TEST(EventEncoding, OfGenericAndSoftwareEventsIsTheKernels) {
    EXPECT_EQ(encode("perf::INSTRUCTIONS", false), (EventEncoding{.event = "perf::PERF_COUNT_HW_INSTRUCTIONS",
                                                                  .type = PERF_TYPE_HARDWARE,
                                                                  .config = PERF_COUNT_HW_INSTRUCTIONS}));
    EXPECT_EQ(encode("perf::TASK-CLOCK", true)->config, std::uint64_t{PERF_COUNT_SW_TASK_CLOCK});
    EXPECT_EQ(encode("faults", false)->type, std::uint32_t{PERF_TYPE_SOFTWARE});
    EXPECT_EQ(encode("L1-DCACHE-LOAD-MISSES", false)->type, std::uint32_t{PERF_TYPE_HW_CACHE});
    EXPECT_EQ(encode("L1-DCACHE-LOAD-MISSES", false)->config, 0x10000u);
}

TEST(EventEncoding, OfARawCodeIsTheCode) {
    for (const char* name : {"r412e", "perf_raw::r412e", "r412E"})
        EXPECT_EQ(encode(name, false),
                  (EventEncoding{.event = "perf_raw::r412e", .type = PERF_TYPE_RAW, .config = 0x412E}));
    EXPECT_THAT(encoding_error("r1ffffffffffffffff"), HasSubstr("no counter or event is called"));
    EXPECT_EQ(encode("rff", false)->config, 0xFFu) << "an earlier ERANGE is not this name's";
}

#ifdef __x86_64__  // LIBPFM_ENCODE_INACTIVE is set by the test of the default events, in this program
TEST(EventEncoding, OfANativeEventKeepsMasksAndTheModifiersThatCount) {
    EXPECT_EQ(encode("skx::LONGEST_LAT_CACHE:MISS", false),
              (EventEncoding{.event = "skx::LONGEST_LAT_CACHE:MISS", .type = PERF_TYPE_RAW, .config = 0x412E}));
    EXPECT_EQ(encode("skx::longest_lat_cache.miss", true)->config, 0x412Eu);
    const core::Expected<EventEncoding> stalled = encode("skx::INST_RETIRED:ANY_P:c=1:i=1", false);
    ASSERT_TRUE(stalled);
    EXPECT_EQ(stalled->config, 0x018000C0u);
    EXPECT_EQ(stalled->event, "skx::INST_RETIRED:ANY_P:i=1:c=1");
}

TEST(EventEncoding, OfASocketsEventIsNotOfAThread) {
    const core::Expected<EventEncoding> energy = encode("rapl::RAPL_ENERGY_PKG", false);
    ASSERT_TRUE(energy) << energy.error().what;
    EXPECT_FALSE(energy->per_thread);
    EXPECT_TRUE(encode("skx::L1D:REPLACEMENT", false)->per_thread);
}

TEST(EventEncoding, OfAnUnknownMaskNamesTheEvent) {
    EXPECT_THAT(encoding_error("skx::L2_RQSTS:FOO"),
                AllOf(HasSubstr("event 'skx::L2_RQSTS:FOO'"), HasSubstr("attribute")));
}
#endif

TEST(EventEncoding, OfAnUnknownNameProposesTheNearest) {
    EXPECT_THAT(encoding_error("perf::INSTRUCTION"),
                AllOf(HasSubstr("'perf::INSTRUCTION'"), HasSubstr("perf::INSTRUCTIONS"), HasSubstr("bench pmu list")));
    EXPECT_THAT(encoding_error("brunch_misses"), HasSubstr("nearest: branch_misses"));
    EXPECT_THAT(encoding_error("llc-mises"), HasSubstr("llc_misses"));
    EXPECT_THAT(encoding_error("zzzzzzzzzzzzzzz"), AllOf(Not(HasSubstr("nearest")), HasSubstr("bench pmu list")));
}

TEST(EventEncoding, OfAnUnknownMaskOfAGenericEventNamesThoseThereAre) {
    EXPECT_THAT(encoding_error("perf::L1-DCACHE-LOADS:MISS"),
                AllOf(HasSubstr("unit mask"), HasSubstr("perf::L1-DCACHE-LOADS has no masks")));
    EXPECT_THAT(encoding_error("perf::PERF_COUNT_HW_CACHE_L1D:RAED"),
                AllOf(HasSubstr("its masks: READ"), HasSubstr("explains them")));
}

TEST(EventEncoding, RefusesModifiersThatSayWhoIsCounted) {
    EXPECT_THAT(encoding_error("perf::CYCLES:k"), HasSubstr("--count-kernel"));
    EXPECT_THAT(encoding_error("perf::CYCLES:u", true), HasSubstr("--count-kernel"));
    EXPECT_TRUE(encode("perf::CYCLES:u", false));
    EXPECT_THAT(encoding_error("perf::CYCLES:period=1000"), HasSubstr("not sampled"));
    EXPECT_THAT(encoding_error("perf::CYCLES:pinned"), HasSubstr("tare decides"));
}

TEST(EventEncoding, RefusesWhatIsNoName) {
    for (const char* name : {"", " ", "a b", "cycles,instructions", "cyc\nles", "\xff\xfe", "cycles\t"})
        EXPECT_THAT(encoding_error(name), HasSubstr("is no event's name")) << name;
    EXPECT_THAT(encoding_error(std::string(10'000, 'x')), HasSubstr("..."));
}

TEST(EventCatalogue, HoldsTheKernelsEventsWithTheirMasks) {
    const core::Expected<std::vector<EventDescription>> events = known_events();
    ASSERT_TRUE(events);
    EXPECT_GT(events->size(), 50u);
    const auto named = [&](std::string_view name) {
        for (const EventDescription& event : *events)
            if (event.name == name) return event;
        ADD_FAILURE() << name;
        return EventDescription{};
    };
    EXPECT_EQ(named("perf::INSTRUCTIONS").equivalent, "PERF_COUNT_HW_INSTRUCTIONS");
    EXPECT_EQ(named("perf::INSTRUCTIONS").description, "") << "libpfm's repeats the name";
    EXPECT_EQ(named("perf::PERF_COUNT_HW_CACHE_L1D").description, "L1 data cache");
    EXPECT_FALSE(named("perf::PERF_COUNT_HW_CACHE_L1D").masks.empty());
}

}  // namespace
}  // namespace tare::pmu
