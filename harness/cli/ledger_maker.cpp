// Stepping, naming, building.
#include "harness/cli/ledger_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "harness/attribution/built_in_layers.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/selection.h"
#include "pmu/machine_facts.h"

namespace tare::cli {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Map;
using core::Status;
using core::Value;

namespace {

// Flags of /proc/cpuinfo that libraries choose code by; the rest (mitigations, virtualisation) moves no user code.
constexpr std::array<std::string_view, 19> kCodeFlags = {"sse",    "ssse3", "avx",   "fma",  "f16c",  "bmi",  "popcnt",
                                                         "movbe",  "amx",   "erms",  "fsrm", "gfni",  "vaes", "vpclmul",
                                                         "sha_ni", "adx",   "lzcnt", "abm",  "movdir"};
// Variables by which users choose among a library's kernels.
constexpr std::array kCodeVariables = {"NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES", "GLIBC_TUNABLES"};

std::string cpu_features() {
    std::string features;
    const Value machine = pmu::machine_facts();
    for (const Value& flag : machine["cpu_flags"].as_list())
        if (std::any_of(kCodeFlags.begin(), kCodeFlags.end(),
                        [&](std::string_view prefix) { return flag.as_text().starts_with(prefix); }))
            features += (features.empty() ? "" : " ") + flag.as_text();
    for (const char* name : kCodeVariables)
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
            features += fmt::format(" {}={}", name, value);
    return features;
}

Expected<std::string> file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file.is_open() || file.bad())
        return core::fail(ErrorCode::kUsage,
                          fmt::format("cannot read the layers of '{}': {}", path, std::strerror(errno)),
                          "--layers takes a text file of rules; harness/attribution/layers.txt explains them");
    return text;
}

/// Code that no file holds.
bool has_compiled_code(const core::Trace& trace) {
    return std::any_of(trace.modules.begin(), trace.modules.end(),
                       [](const core::CodeModule& module) { return module.path.empty(); });
}

}  // namespace

Expected<attribution::LayerTable> read_layers(const std::vector<std::string>& user_files) {
    std::vector<attribution::LayerTable::Text> texts;
    for (const std::string& path : user_files) {
        Expected<std::string> text = file_text(path);
        if (!text) return tl::unexpected<Error>(text.error());
        texts.push_back({path, *std::move(text)});
    }
    texts.push_back(attribution::built_in_layers());
    return attribution::LayerTable::parse(texts);
}

core::ProgramKey program_key(const Value& subject_facts, const std::string& host) {
    return {.architecture = pmu::machine_facts()["architecture"].as_text(),
            .cpu_features = cpu_features(),
            .blas_core = subject_facts["blas"]["core"].as_text(),
            .python_build_id = subject_facts["worker"]["code_build_id"].as_text(),
            .host = host};
}

Expected<std::unique_ptr<measure::WorkerLink>> LedgerMaker::spawn(const measure::WorkerDraw& draw, int cpu,
                                                                  const Value& names) {
    auto worker = bench_.spawn(draw, cpu, names, Workbench::Addresses::kFixed);
    if (!worker || !facts_.is_nil()) return worker;
    Expected<Value> facts = bench_.subject_facts(**worker);
    if (!facts) return tl::unexpected<Error>(facts.error());
    facts_ = *std::move(facts);
    program_ = program_key(facts_, std::string(measure::name_of(bench_.command().host)));
    return worker;
}

/// Reading symbols takes longer than stepping. Without address randomisation every worker has its files at the same
/// addresses, so that one reading serves them all; code compiled at run time is of one process alone.
attribution::Naming& LedgerMaker::naming_for(const core::Trace& trace, measure::WorkerLink& worker) {
    const bool compiled = has_compiled_code(trace);
    const bool same_process = &worker == worker_;
    const bool usable =
        naming_ && (same_process || (!compiled && !naming_is_of_one_process_ && trace.modules == named_modules_));
    if (!usable) {
        naming_.emplace(trace.modules, trace.python_names);
        naming_is_of_one_process_ = false;
    } else {
        naming_->add(trace.modules, trace.python_names);
    }
    named_modules_ = trace.modules;
    worker_ = &worker;
    if (compiled) {  // asked for each time: every case may have compiled more
        naming_is_of_one_process_ = true;
        const std::uint64_t descriptor = naming_->address_of("__jit_debug_descriptor").value_or(0);
        const Expected<Value> compiled_code = worker.request(
            Map{{"op", "jit"}, {"descriptor", static_cast<std::int64_t>(descriptor)}}, std::chrono::seconds(30));
        if (compiled_code) {
            for (const Value& object : (*compiled_code)["objects"].as_list())
                if (Status s = naming_->add_jit_object(object["bytes"].as_text()); !s)
                    continue;  // its code stays nameless
            (void)naming_->add_perf_map((*compiled_code)["perf_map"].as_text());
        }
    }
    return *naming_;
}

Status LedgerMaker::take(const core::Case& stepped, const measure::LayoutTraces& traces, measure::WorkerLink& worker) {
    attribution::Naming& naming = naming_for(traces.statement, worker);
    naming.add(traces.floor.modules, traces.floor.python_names);
    const std::string name = stepped.name();
    auto builder = builders_.find(name);
    if (builder == builders_.end())
        builder = builders_.emplace(name, attribution::LedgerBuilder(name, stepped.statement, layers_)).first;
    builder->second.add_layout(traces.statement, traces.floor, naming);
    return {};
}

Status LedgerMaker::make(const std::vector<core::Case>& cases, const measure::LayoutSettings& settings, int cpu,
                         const LedgerEvents& events) {
    const core::List names = names_of(cases);
    bool stepped_any = false;
    Status event_failed;  // one of `made` ends all, while an error of `traced` costs its case only
    const Status stepped =
        measure::run_layouts(cases, settings,
                             [&](const measure::WorkerDraw& draw) {
                                 worker_ = nullptr;  // a new process may get the old one's place in memory
                                 return spawn(draw, cpu, names);
                             },
                             {.starts = events.starts,
                              .traced = [&](const core::Case& each, const measure::LayoutTraces& traces,
                                            measure::WorkerLink& worker) -> Status {
                                  if (Status s = take(each, traces, worker); !s) return s;
                                  if (!std::exchange(stepped_any, true) && events.stepped_first)
                                      if (Status s = events.stepped_first(worker); !s) return s;
                                  const auto builder = builders_.find(each.name());
                                  if (builder->second.layouts() < settings.layouts) return {};
                                  event_failed = events.made(builder->second.build(program_));
                                  builders_.erase(builder);
                                  return {};
                              },
                              .refused = [&](const core::Case& each, const Error& error) -> Status {
                                  builders_.erase(each.name());
                                  return events.refused({each.name(), error});
                              },
                              .stop = [&] { return interrupted() || !event_failed; }});
    if (event_failed && !stepped && stepped.error().code == ErrorCode::kInterrupted)
        for (const auto& [name, builder] : builders_)  // fewer layouts than asked for, and the ledger says how many
            if (event_failed && builder.layouts() > 0) event_failed = events.made(builder.build(program_));
    builders_.clear();
    return event_failed ? stepped : event_failed;
}

}  // namespace tare::cli
