// At stake: "30 % of the time is allocation". Net of the loop, as the ledger's shares are, or two columns are compared
// that mean different things; and with an interval, or chance stands out.
#include "harness/record/case_times.h"

#include <gmock/gmock.h>

#include "harness/record/sample_case_profiles.h"

namespace tare::record {
namespace {

using testing::DoubleNear;
using testing::SizeIs;

const LayerTime& layer_of(const CaseTime& time, const std::string& name) {
    for (const LayerTime& layer : time.layers)
        if (layer.name == name) return layer;
    ADD_FAILURE() << "no layer " << name;
    return time.layers.front();
}

core::Ledger ledger_of_layers(std::vector<std::pair<std::string, std::uint64_t>> layers) {
    core::Ledger ledger;
    for (const auto& [name, count] : layers) {
        ledger.layers.push_back({name, {count, count, count}, 1, false});
        ledger.total.value += count;
    }
    return ledger;
}

TEST(CaseTimes, SubtractTheLoopFromTheInterpreter) {
    const CaseTime time = case_time(add_profile(), 312.0, nullptr);
    const double loop = 8.0 / 321;
    EXPECT_THAT(time.loop_ratio, DoubleNear(loop, 1e-12));
    EXPECT_THAT(layer_of(time, "interpreter").share_ratio, DoubleNear((0.4 - loop) / (1 - loop), 1e-12));
    EXPECT_THAT(layer_of(time, "allocation").share_ratio, DoubleNear(0.3 / (1 - loop), 1e-12));
    double sum = 0, sum_ns = 0;
    for (const LayerTime& layer : time.layers) {
        sum += layer.share_ratio;
        sum_ns += *layer.time_ns;
    }
    EXPECT_THAT(sum, DoubleNear(1, 1e-12));
    EXPECT_THAT(sum_ns, DoubleNear(312, 1e-9)) << "of the gross";
}

TEST(CaseTimes, SubtractNoMoreThanTheInterpreterHas) {
    core::CaseProfile profile = add_profile();
    for (core::SamplingCost& cost : profile.costs) cost.loop_ns = 300;
    const CaseTime time = case_time(profile, 312.0, nullptr);
    EXPECT_EQ(layer_of(time, "interpreter").share_ratio, 0);
    double sum = 0;
    for (const LayerTime& layer : time.layers) sum += layer.share_ratio;
    EXPECT_THAT(sum, DoubleNear(1, 1e-12));
}

TEST(CaseTimes, HaveWilsonsInterval) {
    const LayerTime allocation = layer_of(case_time(add_profile(), 312.0, nullptr), "allocation");
    const double loop = 8.0 / 321;
    EXPECT_THAT(allocation.share.low, DoubleNear(0.2724 / (1 - loop), 1e-3)) << "Wilson, 300 of 1,000";
    EXPECT_THAT(allocation.share.high, DoubleNear(0.3292 / (1 - loop), 1e-3));
}

TEST(CaseTimes, TellWhatSamplingCostByVisit) {
    const CaseTime time = case_time(add_profile(), 312.0, nullptr);
    ASSERT_TRUE(time.cost_ratio);
    EXPECT_THAT(time.cost_ratio->value, DoubleNear(0.02, 1e-3));
    EXPECT_EQ(time.cost_ratio->processes, 3);
    ASSERT_TRUE(time.cost_ratio->interval);
    EXPECT_LE(time.cost_ratio->interval->low, time.cost_ratio->value);
    EXPECT_THAT(time.unsampled_time_ns, DoubleNear(313, 1e-9)) << "net of the loop";
}

TEST(CaseTimes, MarkALayerWhoseTimeExceedsItsInstructionsBeyondChance) {
    const core::Ledger ledger =
        ledger_of_layers({{"interpreter", 500}, {"allocation", 290}, {"inner_loop", 100}, {"override_check", 110}});
    const CaseTime time = case_time(add_profile(), 312.0, &ledger);
    EXPECT_TRUE(layer_of(time, "inner_loop").stands_out) << "29 % against 10";
    EXPECT_FALSE(layer_of(time, "allocation").stands_out) << "30 % against 29";
    EXPECT_FALSE(layer_of(time, "interpreter").stands_out) << "less";
    EXPECT_EQ(layer_of(time, "override_check").samples, 0U) << "a layer without samples is shown";
    EXPECT_EQ(layer_of(time, "override_check").share_ratio, 0);
    EXPECT_THAT(*layer_of(time, "override_check").instructions_share_ratio, DoubleNear(0.11, 1e-12));
    EXPECT_EQ(layer_of(time, "c_library").instructions_share_ratio, 0);
}

TEST(CaseTimes, OfACaseThatWaitsArePartsOfItsCpuTime) {
    const core::Ledger ledger = ledger_of_layers({{"interpreter", 500}, {"allocation", 500}});
    const CaseTime time = case_time(add_profile(), 31'300.0, &ledger);
    double sum_ns = 0;
    for (const LayerTime& layer : time.layers) {
        sum_ns += layer.time_ns.value_or(0);
        EXPECT_FALSE(layer.stands_out) << layer.name;
    }
    EXPECT_THAT(sum_ns, DoubleNear(313, 1e-9)) << "not of 31.3 us, in which it sleeps";
    EXPECT_THAT(time.waiting_ratio, testing::Optional(DoubleNear(0.99, 1e-12)));
    EXPECT_FALSE(case_time(add_profile(), 330.0, nullptr).waiting_ratio) << "batches of their own differ by as much";
}

TEST(CaseTimes, WithoutGrossOrSamplesSayNothing) {
    EXPECT_FALSE(case_time(add_profile(), std::nullopt, nullptr).layers.front().time_ns);
    core::CaseProfile none;
    none.case_name = "sleep";
    EXPECT_THAT(case_time(none, 312.0, nullptr).layers, SizeIs(0));
    EXPECT_FALSE(case_time(none, 312.0, nullptr).cost_ratio);
}

}  // namespace
}  // namespace tare::record
