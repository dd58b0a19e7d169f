// Ring, maps, builder, names; and the profile of a visit.
#include "harness/cli/case_sampler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "harness/core/median.h"

namespace tare::cli {

using core::CaseProfile;
using core::Expected;
using core::Status;
using core::Value;

namespace {

constexpr std::size_t kRingBytes = std::size_t{64} << 20;  // 128 large slots; a batch has 10 samples at 1 kHz
constexpr std::chrono::seconds kNamesLimit{30};
constexpr std::string_view kHarness = "harness";  // the layer of what is ours (layers.txt)

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// CPU time: what else runs on this CPU meanwhile is no cost of sampling.
double median_cpu_ns(const std::vector<core::Sample>& batches) {
    std::vector<double> values;
    for (const core::Sample& batch : batches)
        if (batch.n > 0) values.push_back(batch.cpu_ns / static_cast<double>(batch.n));
    return values.empty() ? 0 : core::median(std::move(values));
}

void subtract(core::SampledTime& from, const core::SampledTime& part) {
    from.ns -= part.ns;
    from.samples -= part.samples;
}

/// By index into Profile::functions, the layer with most of its own time.
std::vector<std::string> layers_of(const core::Profile& profile) {
    std::vector<std::map<std::uint32_t, double>> times(profile.functions.size());
    for (const core::ProfileNode& node : profile.nodes)
        if (node.self.samples > 0) times[node.function][node.layer] += node.self.ns;
    std::vector<std::string> layers;
    for (const auto& time : times) {
        const auto most = std::max_element(time.begin(), time.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        layers.push_back(most == time.end() ? std::string() : profile.layers[most->first].name);
    }
    return layers;
}

}  // namespace

CaseProfile case_profile(const core::Profile& profile) {
    CaseProfile made;
    made.total = profile.total;
    for (const core::ProfileLayer& layer : profile.layers) {
        if (layer.self.samples == 0) continue;
        if (layer.name == kHarness) {
            made.outside += layer.self.samples;
            subtract(made.total, layer.self);
        } else {
            made.layers.push_back(layer);
        }
    }
    const std::vector<std::string> layers = layers_of(profile);
    for (std::size_t i = 0; i < profile.functions.size(); ++i) {
        const core::ProfileFunction& function = profile.functions[i];
        const bool is_native = function.kind == core::FrameKind::kNative;
        if (function.self.samples == 0 || function.kind == core::FrameKind::kGroup || layers[i] == kHarness) continue;
        const bool is_python = function.kind == core::FrameKind::kPython;
        made.functions.push_back({function.kind, function.name,
                                  is_native ? profile.modules[function.module].path : function.file,
                                  is_python ? std::string() : layers[i], function.self});
        if (is_python || (is_native && !core::is_name(function.source))) continue;
        made.named.ns += function.self.ns;
        made.named.samples += function.self.samples;
    }
    made.complete = profile.quality.complete;
    made.scanned = profile.quality.scanned;
    made.truncated = profile.quality.truncated;
    made.warnings = profile.warnings;
    return made;
}

Status CaseSampler::begin_worker(measure::WorkerLink& worker) {
    worker_ = &worker;
    builder_.reset();
    ring_.reset();
    process_ = 0;
    maps_.clear();
    compilers_ = {};
    perf_map_bytes_ = 0;
    asked_.clear();
    counts_ = {};
    Expected<pmu::SampleRing> ring = pmu::SampleRing::create(kRingBytes);
    if (!ring) return tl::unexpected<core::Error>(ring.error());
    ring_ = *std::move(ring);
    builder_.emplace(layers_, attribution::ProfileChoice{},
                     [this](std::uint32_t number) { return ring_->code().read(number); });
    return {};
}

measure::SamplingSettings CaseSampler::settings() {
    measure::SamplingSettings settings;
    settings.rate_hz = rate_hz_;
    settings.most_samples = pmu::SampleRing::large_slots_within(kRingBytes);  // whatever their stacks
    settings.ring = [this] { return fmt::format("/proc/{}/fd/{}", getpid(), ring_->descriptor()); };
    settings.take = [this] { take(); };
    settings.done = [this](const core::SampledVisit& visit) { return finish(visit); };
    return settings;
}

void CaseSampler::read_maps(std::int32_t process) {
    maps_are_fresh_ = true;
    std::string text = text_of(fmt::format("/proc/{}/maps", process));
    if (text.empty() || (process == process_ && text == maps_)) return;
    maps_ = std::move(text);
    process_ = process;
    const std::vector<core::CodeModule> modules = files_.modules(maps_);
    builder_->set_modules(process, modules);
    compilers_.set_modules(process, modules);
    read_compiled_code();  // before the first sample in it is unwound
}

/// While the worker lives: what its compilers wrote since the last time.
void CaseSampler::read_compiled_code() {
    if (process_ == 0) return;
    for (const std::string& object : compilers_.fresh_objects(process_)) builder_->add_compiled(process_, object);
}

/// CPython's trampolines and compilers write it line by line: read again where it has grown.
void CaseSampler::add_perf_map() {
    const std::string text = text_of(fmt::format("/tmp/perf-{}.map", process_));
    if (text.size() == perf_map_bytes_) return;
    perf_map_bytes_ = text.size();
    builder_->naming(process_).add_perf_map(text);
}

/// Cases load code, and compile it.
void CaseSampler::take() {
    read_compiled_code();
    for (const core::StackSample& sample : ring_->drain()) {
        if (!maps_are_fresh_ || !builder_->knows(sample.process, sample.registers[core::kInstructionPointer]))
            read_maps(sample.process);
        builder_->add(sample);
    }
}

/// Of stripped libraries Python's tables name much; once per function and worker.
void CaseSampler::ask_names() {
    core::List wanted;
    attribution::Naming& naming = builder_->naming(process_);
    for (const std::uint64_t start : builder_->nameless(process_)) {
        if (!asked_.insert(start).second) continue;
        (void)naming.function_at(start);  // a name is for an address that was met
        wanted.emplace_back(static_cast<std::int64_t>(start));
    }
    if (wanted.empty()) return;
    const Expected<Value> answer =
        worker_->request(core::Map{{"op", "names"}, {"addresses", std::move(wanted)}}, kNamesLimit);
    if (!answer) return;  // they stay nameless; what is wrong with the worker its next request says
    std::vector<core::PythonName> names;
    for (const Value& name : (*answer)["names"].as_list())
        if (const core::List& fields = name.as_list(); fields.size() == 2)
            names.push_back({static_cast<std::uint64_t>(fields[0].as_int()), fields[1].as_text()});
    naming.add({}, names);
}

CaseProfile CaseSampler::profile_of(const core::SampledVisit& visit) {
    if (process_ != 0) add_perf_map();
    if (process_ != 0) ask_names();
    CaseProfile profile = case_profile(builder_->build());
    if (!compilers_.problem().empty()) profile.warnings.push_back("no names of compiled code: " + compilers_.problem());
    builder_->forget_samples();
    maps_are_fresh_ = false;
    profile.case_name = visit.case_name;
    profile.way = visit.way;
    profile.asked_hz = visit.rate_hz;
    const pmu::SampleCounts counts = ring_->counts();
    profile.dropped = counts.dropped - counts_.dropped;
    counts_ = counts;
    for (const core::Sample& batch : visit.sampled) profile.batches_ns += batch.cpu_ns;
    profile.costs.push_back(
        {visit.round, visit.process, median_cpu_ns(visit.sampled), median_cpu_ns(visit.beside), visit.loop_ns});
    return profile;
}

Status CaseSampler::finish(const core::SampledVisit& visit) {
    if (visit.error) return events_.refused({visit.case_name, *visit.error});
    return events_.made(profile_of(visit));
}

}  // namespace tare::cli
