// A worker without a process, for tests of the schedule: answers at once, with times from a formula instead of a clock.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/core/case.h"
#include "harness/measure/worker_link.h"

namespace tare::measure {

/// op0, op1, ...
inline std::vector<core::Case> fake_cases(int count) {
    std::vector<core::Case> all;
    for (int i = 0; i < count; ++i)
        all.push_back({.operation = "op" + std::to_string(i),
                       .parameters = {},
                       .statement = "x",
                       .rungs = {core::RungKind::kPython}});
    return all;
}

class FakeWorker final : public WorkerLink {
  public:
    /// ns of one execution by step name; absent rungs are not offered.
    std::map<std::string, double> cost_ns = {{"python", 100}, {"floor", 10}};
    int unroll = 10;
    /// Indices of counters by pass, and events of one execution by step name and counter.
    std::vector<std::vector<std::size_t>> passes;
    std::map<std::string, std::vector<std::int64_t>> events;
    /// Called before each answer; an error or a value returned here replaces it.
    std::function<core::Expected<core::Value>(const core::Value& request)> intercept;
    CapturedOutput output;
    std::vector<core::Value> requests;

    core::Expected<core::Value> request(const core::Value& message, std::chrono::milliseconds) override {
        requests.push_back(message);
        if (intercept) {
            core::Expected<core::Value> replaced = intercept(message);
            if (!replaced || !replaced->is_nil()) return replaced;
        }
        const std::string& operation = message["op"].as_text();
        if (operation == "prepare") return prepared(message);
        if (operation == "measure") return measured(message["steps"].as_list(), message["pass"]);
        return core::Value(core::Map{{"changes", core::List{}}});
    }

    CapturedOutput take_output() override { return std::exchange(output, {}); }

  private:
    core::Value prepared(const core::Value& message) const {
        const std::int64_t forced = message["unroll"].as_int();
        core::List rungs;
        for (const auto& [name, ns] : cost_ns)
            rungs.emplace_back(core::Map{{"kind", name},
                                         {"estimate_ns", forced > 0 ? core::Value() : core::Value(ns)},
                                         {"facts", core::Value()}});
        return core::Map{{"unroll", forced > 0 ? forced : unroll},
                         {"rungs", rungs},
                         {"problems", core::List{}},
                         {"passes", listed_passes()}};
    }

    core::Value listed_passes() const {
        core::List listed;
        for (const auto& pass : passes) listed.emplace_back(core::List(pass.begin(), pass.end()));
        return listed;
    }

    core::Value measured(const core::List& steps, const core::Value& pass) const {
        core::List samples;
        for (const core::Value& step : steps) {
            const core::List& fields = step.as_list();
            const double ns = cost_ns.at(fields[0].as_text()) * static_cast<double>(fields[1].as_int());
            core::List sample{fields[1], ns, ns};
            if (!pass.is_nil()) {
                core::List counts{1000, 1000};
                for (const std::size_t counter : passes.at(static_cast<std::size_t>(pass.as_int())))
                    counts.emplace_back(events.at(fields[0].as_text()).at(counter) * fields[1].as_int());
                sample.emplace_back(std::move(counts));
            }
            samples.emplace_back(std::move(sample));
        }
        return core::Map{{"samples", samples}};
    }
};

}  // namespace tare::measure
