// Empty batches calibrate: what one shows, the clocks and the reading cost; the smallest of many, because interrupts
// only add.
#include "harness/worker/counting.h"

#include <algorithm>

#include "harness/core/counter_message.h"
#include "harness/measure/batch.h"
#include "pmu/self_test.h"

namespace tare::worker {

using core::Expected;
using core::List;
using core::Value;

namespace {

constexpr int kEmptyBatches = 200;  // some tens of them are free of cache misses of the first calls; 0.5 ms in all

core::BatchEntry empty_batch() {
    return {.context = nullptr, .arm = [](void*, std::uint64_t) {}, .run = [](void*) { return true; }};
}

}  // namespace

Counting::Counting() {
    hook_ = {.context = this,
             .before = [](void* self) { static_cast<Counting*>(self)->set_->read_before(); },
             .after = [](void* self) { static_cast<Counting*>(self)->set_->read_after(); }};
}

Expected<Value> Counting::open(const Value& request) {
    set_.reset();
    reading_cost_.clear();
    set_ = pmu::CounterSet::open(core::counter_requests(request["counters"]), pmu::linux_kernel());
    pmu::self_test(*set_);
    find_reading_cost();
    return core::message_of(set_->counters());
}

void Counting::find_reading_cost() {
    const std::vector<std::vector<std::size_t>> passes = set_->counters().passes;
    std::vector<bool> known(set_->requests().size(), false);
    for (std::size_t pass = 0; pass < passes.size(); ++pass) {
        std::vector<std::int64_t>& smallest = reading_cost_.emplace_back(passes[pass].size(), 0);
        if (!set_->activate(pass)) continue;  // the batches of this pass will not be readable either
        bool first = true;
        for (int i = 0; i < kEmptyBatches; ++i) {
            (void)measure::time_batch(empty_batch(),
                                      {.n = 1, .lead_in_n = 0, .stack_offset_bytes = 0, .counting = &hook_});
            const core::BatchCounts counts = set_->difference();
            if (counts.counts.size() != smallest.size()) continue;
            for (std::size_t k = 0; k < smallest.size(); ++k)
                smallest[k] = first ? counts.counts[k].value : std::min(smallest[k], counts.counts[k].value);
            first = false;
        }
        for (std::size_t k = 0; k < smallest.size(); ++k) {
            const std::size_t counter = passes[pass][k];
            if (known[counter]) continue;
            known[counter] = true;
            core::CounterOutcome outcome = set_->counters().outcomes[counter];
            outcome.reading_cost = static_cast<double>(smallest[k]);
            set_->set_outcome(counter, std::move(outcome));
        }
    }
    set_->deactivate();
}

Value Counting::passes() const {
    return set_ ? core::message_of(set_->counters())["passes"] : Value(List{});
}

Expected<const core::CountHook*> Counting::begin(std::size_t pass) {
    if (!set_ || pass >= set_->counters().passes.size())
        return core::fail(core::ErrorCode::kUsage, "a pass was ordered that this worker did not open");
    if (core::Status s = set_->activate(pass); !s) return tl::unexpected<core::Error>(s.error());
    return &hook_;
}

Value Counting::last_batch() const {
    core::BatchCounts counts = set_->difference();
    const std::vector<std::int64_t>& cost = reading_cost_[counts.pass];
    for (std::size_t i = 0; i < counts.counts.size(); ++i) counts.counts[i].value -= cost[i];
    return core::message_of(counts);
}

void Counting::end() {
    if (set_) set_->deactivate();
}

}  // namespace tare::worker
