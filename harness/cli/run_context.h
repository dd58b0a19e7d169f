// The context of a record: machine and harness, subject and host, as maps.
#pragma once

#include <optional>

#include "harness/cli/streams.h"
#include "harness/cli/workbench.h"
#include "harness/core/value.h"
#include "harness/measure/reference_watch.h"
#include "harness/record/duet.h"
#include "pmu/cpu_times.h"

namespace tare::cli {

/// The machine and the harness.
[[nodiscard]] core::Map machine_context(const Installation& installation, int cpu, double started_s);

/// What is known of the subject before a worker of it runs.
[[nodiscard]] core::Map subject_context(const Workbench& bench);

/// Both: what a run knows before its first worker.
[[nodiscard]] core::Map context_at_start(const Workbench& bench, int cpu, double started_s);

/// Adds what a worker says of the subject.
void add_subject(core::Map& context, const core::Value& facts);

/// Adds to the facts of a subject which distributions its worker, which has measured and is asked nothing after this,
/// had loaded. Warns where none of them is the package that the cases were said to be about; `side`: "side a: ".
[[nodiscard]] core::Status learn_packages(const Streams& streams, measure::WorkerLink& worker, core::Map& subject,
                                          const std::string& side = {});

/// The machine whose references are remembered, by `facts` of it (pmu/machine_facts.h or a context).
[[nodiscard]] std::string reference_machine(const core::Value& facts);
/// What they take there at best, as earlier runs know; 0: none does.
[[nodiscard]] core::References known_references(const core::Value& facts);

/// Adds what the references take on this machine when it is quiet, at best in this run, and how much of it was quiet,
/// and how long it waited for that.
void add_references(core::Map& context, const measure::ReferenceWatch& watch);
/// "page_cache": how often it was made to hold shared objects elsewhere.
void add_page_cache(core::Map& context, const record::PageCacheRedraw& redraw);

/// For later runs on this machine; a few readings say nothing.
void remember_references(const std::string& machine, const measure::ReferenceWatch& watch);

/// Adds what only the end of the run knows: duration, load, and the share of time that the hypervisor kept from `cpu`.
void add_end(core::Map& context, double started_s, const core::Expected<pmu::CpuTimes>& before, int cpu);

/// What the run was asked to do.
[[nodiscard]] core::Map run_settings(const Options& options, std::uint64_t seed, std::size_t cases);

}  // namespace tare::cli
