// Counters of PMUs first, as a group led by one of them may hold software counters, too; those join the first pass.
#include "pmu/pass_plan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "pmu/usage_count.h"

namespace tare::pmu {

using core::CounterRole;
using core::CounterSource;

namespace {

using Joined = tl::expected<void, JoinRefusal>;

struct Pass {
    CounterGroup group;
    std::vector<std::size_t> members;
};

class Opener {
  public:
    Opener(const std::vector<core::CounterRequest>& requests, PerfKernel& kernel,
           const CountingSurroundings& surroundings)
        : requests_(requests), kernel_(kernel), surroundings_(surroundings), outcomes_(requests.size()) {}

    PassPlan run() {
        for (std::size_t i = 0; i < requests_.size(); ++i) outcomes_[i].problem = requests_[i].problem;
        open_anchors();
        for (const std::size_t each : wanted(CounterSource::kHardware)) place_hardware(each);
        for (const std::size_t each : wanted(CounterSource::kSoftware)) place_software(each);
        for (const std::size_t each : wanted(CounterSource::kUsage)) place_usage(each);
        for (const std::size_t each : wanted(CounterSource::kClock)) place_beside(each);
        PassPlan plan;
        plan.counters.outcomes = std::move(outcomes_);
        for (Pass& pass : passes_) {
            plan.counters.passes.push_back(std::move(pass.members));
            plan.groups.push_back(std::move(pass.group));
        }
        return plan;
    }

  private:
    /// Those about which nothing is decided yet, in order.
    [[nodiscard]] std::vector<std::size_t> wanted(CounterSource source) const {
        std::vector<std::size_t> indices;
        for (std::size_t i = 0; i < requests_.size(); ++i)
            if (requests_[i].source == source && !is_decided(i)) indices.push_back(i);
        return indices;
    }
    [[nodiscard]] bool is_decided(std::size_t counter) const {
        return outcomes_[counter].problem || outcomes_[counter].state == core::CounterState::kMeasured;
    }
    [[nodiscard]] Pass empty_pass() const { return {.group = CounterGroup(kernel_), .members = {}}; }

    Joined join(Pass& pass, std::size_t counter) {
        Joined joined = pass.group.join(requests_[counter]);
        if (!joined) return joined;
        pass.members.push_back(counter);
        outcomes_[counter].state = core::CounterState::kMeasured;
        return {};
    }
    void refuse(std::size_t counter, const JoinRefusal& why) {
        outcomes_[counter].problem = refusal(why.errno_value, requests_[counter], surroundings_);
    }

    /// Cycles and instructions as the beginning of the first pass. One that cannot be beside the other is no anchor.
    void open_anchors() {
        Pass first = empty_pass();
        for (const CounterRole role : {CounterRole::kCycles, CounterRole::kInstructions})
            for (const std::size_t each : wanted(CounterSource::kHardware))
                if (requests_[each].role == role) {
                    const Joined joined = join(first, each);
                    if (!joined && !joined.error().because_of_group) refuse(each, joined.error());
                    if (joined) break;  // of several of one role the first
                }
        if (first.members.empty()) return;
        anchors_ = first.members;
        passes_.push_back(std::move(first));
        filling_ = 0;
    }

    void place_hardware(std::size_t counter) {
        if (filling_) {
            const Joined joined = join(passes_[*filling_], counter);
            if (joined) return;
            if (!joined.error().because_of_group) return refuse(counter, joined.error());
        }
        if (!filling_ || passes_[*filling_].members != anchors_) {
            Pass next = empty_pass();
            for (const std::size_t anchor : anchors_)
                if (const Joined joined = join(next, anchor); !joined && !joined.error().because_of_group)
                    return refuse(counter, joined.error());  // no descriptor is left for a further pass
            const Joined joined = join(next, counter);
            if (joined) {
                filling_ = passes_.size();
                passes_.push_back(std::move(next));
                return;
            }
            if (!joined.error().because_of_group) return refuse(counter, joined.error());
        }
        // The anchors themselves may be in its way, as on another PMU.
        Pass alone = empty_pass();
        if (const Joined joined = join(alone, counter); !joined) return refuse(counter, joined.error());
        passes_.push_back(std::move(alone));
    }

    void place_software(std::size_t counter) {
        const std::optional<std::size_t> home = software_home_ ? software_home_ : first_pass();
        if (home) {
            const Joined joined = join(passes_[*home], counter);
            if (joined) return;
            if (!joined.error().because_of_group) return refuse(counter, joined.error());
        }
        Pass own = empty_pass();
        if (const Joined joined = join(own, counter); !joined) return refuse(counter, joined.error());
        software_home_ = passes_.size();
        passes_.push_back(std::move(own));
    }

    void place_usage(std::size_t counter) {
        if (!usage_count(requests_[counter].role, {})) {
            outcomes_[counter].problem = {.errno_name = "",
                                          .reason = "getrusage does not tell " + requests_[counter].name,
                                          .hint = "count it through perf_event_open"};
            return;
        }
        place_beside(counter);
    }
    /// It needs no group.
    void place_beside(std::size_t counter) {
        if (passes_.empty()) passes_.push_back(empty_pass());
        passes_.front().members.push_back(counter);
        outcomes_[counter].state = core::CounterState::kMeasured;
    }
    [[nodiscard]] std::optional<std::size_t> first_pass() const {
        return passes_.empty() ? std::nullopt : std::optional<std::size_t>(0);
    }

    const std::vector<core::CounterRequest>& requests_;
    PerfKernel& kernel_;
    const CountingSurroundings& surroundings_;
    std::vector<core::CounterOutcome> outcomes_;
    std::vector<std::size_t> anchors_;
    std::vector<Pass> passes_;
    std::optional<std::size_t> filling_;        ///< the pass that takes further counters of a PMU
    std::optional<std::size_t> software_home_;  ///< the pass of their own, where the first one refused them
};

}  // namespace

PassPlan open_passes(const std::vector<core::CounterRequest>& requests, PerfKernel& kernel,
                     const CountingSurroundings& surroundings) {
    return Opener(requests, kernel, surroundings).run();
}

}  // namespace tare::pmu
