// Two lists of the same names: what is written by duet_settings is read by options_of.
#include "harness/cli/duet_settings.h"

#include <fmt/format.h>

#include <algorithm>

namespace tare::cli {

using core::Expected;
using core::Map;
using core::Value;

namespace {

constexpr double kLookGrowth = 1.5;  // beyond the default looks: 54, 81, ... pairs

SubjectOptions side_of(const Value& side, const Value& settings) {
    SubjectOptions options;
    options.python = side["subject"]["python"].as_text();
    for (const Value& suite : side["suites"].as_list()) options.suites.push_back(suite.as_text());
    for (const auto& [name, value] : side["environment"].as_map())
        options.environment.emplace_back(name, value.as_text());
    options.expression = settings["expression"].as_text();
    options.setup = settings["setup"].as_text();
    options.setup_each = settings["setup_each"].as_text();
    options.host = measure::host_named(side["host"].as_text());
    options.threads = static_cast<int>(settings["threads"].as_int(1));
    return options;
}

std::vector<int> looks_up_to(int pairs) {
    std::vector<int> looks;
    for (const int look : stats::LookPlan{}.pairs)
        if (look < pairs) looks.push_back(look);
    while (looks.back() * kLookGrowth < pairs) looks.push_back(static_cast<int>(looks.back() * kLookGrowth));
    looks.push_back(pairs);
    return looks;
}

}  // namespace

Map duet_settings(const Options& options) {
    const DuetOptions& duet = options.duet;
    Map settings{{"filter", options.filter},
                 {"expression", duet.a.expression},
                 {"setup", duet.a.setup},
                 {"threads", duet.a.threads},
                 {"pairs", duet.pairs},
                 {"quads", duet.quads},
                 {"budget_s", duet.budget_s ? Value(*duet.budget_s) : Value()},
                 {"injected_ratio", duet.injected_ratio},
                 {"injected_filter", duet.injected_filter},
                 {"time_limit_s", std::chrono::duration<double>(options.time_limit).count()},
                 {"command", options.command_line}};
    if (!duet.a.setup_each.empty()) settings.insert_or_assign("setup_each", duet.a.setup_each);
    return settings;
}

Expected<stats::SuiteRules> duet_rules(const Options& options, std::uint64_t seed) {
    const stats::LookPlan usual;
    auto plan = stats::make_look_plan(looks_up_to(options.duet.pairs), usual.smallest_for_change, usual.same_alpha);
    if (!plan) return tl::unexpected<core::Error>(plan.error());
    stats::SuiteRules rules;
    rules.plan = *std::move(plan);
    rules.looks = options.duet.open_ended ? stats::Looks::kOpen : stats::Looks::kPlanned;
    rules.correction =
        options.verdict.any_dependence ? stats::Correction::kBenjaminiYekutieli : stats::Correction::kBenjaminiHochberg;
    rules.seed = seed;
    return rules;
}

Expected<Options> options_of(const record::Duet& duet, const Options& options) {
    Options all = options;
    const Value& settings = duet.settings;
    all.duet.a = side_of(duet.sides[0], settings);
    all.duet.b = side_of(duet.sides[1], settings);
    all.filter = settings["filter"].as_text();
    all.duet.pairs = static_cast<int>(settings["pairs"].as_int(all.duet.pairs));
    all.duet.quads = static_cast<int>(settings["quads"].as_int(measure::PairSettings{}.quads));
    all.duet.injected_ratio = settings["injected_ratio"].as_double();
    all.duet.injected_filter = settings["injected_filter"].as_text();
    all.time_limit =
        std::chrono::milliseconds(static_cast<std::int64_t>(settings["time_limit_s"].as_double(10) * 1000));
    all.seed = duet.rules.seed;
    const int cpu = static_cast<int>(duet.context["measured_cpu"].as_int());
    if (all.cpu.value_or(cpu) != cpu)
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("--cpu {}: the duet to be continued was measured on CPU {}", *all.cpu, cpu),
                          "leave --cpu out, or start a new duet");
    all.cpu = cpu;
    const std::vector<record::CaseVerdict> verdicts = record::decide(duet);
    const bool goes_on = std::ranges::any_of(verdicts, [&](const record::CaseVerdict& verdict) {
        return verdict.selected.presence == record::Presence::kBoth && !verdict.error &&
               verdict.state.finding.verdict == stats::Verdict::kInconclusive &&
               ((duet.rules.looks == stats::Looks::kOpen && verdict.state.evidence.pairs < all.duet.pairs) ||
                verdict.state.evidence.looks < duet.rules.plan.looks_for_same());
    });
    if (!goes_on)
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("--continue {}: every case is decided or has had its {} looks",
                                      options.duet.continued, duet.rules.plan.looks_for_same()),
                          "a new duet with more --pairs, or with --open-ended, may look further");
    return all;
}

}  // namespace tare::cli
