// Samples are filtered, unwound, mixed with their Python frames and merged as they come; names and sums wait for build.
#include "harness/attribution/profile_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "harness/attribution/profile_tally.h"
#include "harness/attribution/sampled_frames.h"
#include "harness/attribution/stack_trie.h"

namespace tare::attribution {

namespace {

/// Of samples whose process did not tell its modules yet: half a second of a thread at 1 kHz whose stacks are the
/// largest there are, of 1,200 Python frames each.
constexpr std::size_t kMostKeptBytes = std::size_t{64} << 20;

std::size_t bytes_of(const core::StackSample& sample) {
    return sizeof sample + sample.stack.size() + sample.python.size() * sizeof(core::PythonFrame);
}

struct Process {
    std::unique_ptr<StackUnwinder> unwinder;  ///< null: its modules are not known
    std::vector<core::CodeModule> modules;    ///< by start
    std::vector<core::StackSample> kept;
    std::uint64_t refused = 0;  ///< samples that could not even be kept
};

}  // namespace

struct ProfileBuilder::State {
    State(const LayerTable& layer_table, ProfileChoice what, ReadCode read_code, MakeUnwinder make)
        : table(layer_table), choice(what), make_unwinder(std::move(make)), frames(std::move(read_code)) {}

    const LayerTable& table;
    ProfileChoice choice;
    MakeUnwinder make_unwinder;
    SampledFrames frames;
    StackTrie stacks;
    std::map<std::int32_t, Process> processes;
    std::map<std::pair<std::int32_t, std::int32_t>, core::ProfileThread> threads;
    std::unordered_set<std::uint32_t> eval_loops;  ///< native frames in which boundaries were found
    core::ProfileQuality quality;
    std::uint64_t samples = 0;
    std::size_t kept_bytes = 0;
    std::vector<std::uint32_t> path;  ///< of the sample at hand, innermost first; here so that it is allocated once

    [[nodiscard]] bool counts(const core::StackSample& sample) const {
        return (!choice.gil_only || sample.holds_gil) && (choice.waiting || !sample.waits);
    }

    void keep(Process& process, const core::StackSample& sample) {
        if (kept_bytes + bytes_of(sample) > kMostKeptBytes) {
            ++process.refused;
            return;
        }
        kept_bytes += bytes_of(sample);
        process.kept.push_back(sample);
    }

    void add(Process& process, const core::StackSample& sample) {
        const NativeStack native = process.unwinder->unwind(sample);
        ++samples;
        count_quality(native, sample);
        count_thread(sample);
        set_path(native, sample);
        if (path.empty()) path.push_back(frames.native(sample.process, sample.registers[core::kInstructionPointer]));
        std::reverse(path.begin(), path.end());
        stacks.add(path, static_cast<double>(sample.weight_ns), sample.waits);
    }

    /// The stack of a greenlet, and its chain, begin behind the library's function that started it; the loops further
    /// out are those of whoever switched to it.
    [[nodiscard]] std::size_t own_frames(const std::vector<std::uint32_t>& numbers,
                                         const RunsPython& runs_python) const {
        bool has_loop = false;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (has_loop && frames.is_of_greenlets(numbers[i])) return i;
            has_loop = has_loop || runs_python(i);
        }
        return numbers.size();
    }

    /// Innermost first.
    void set_path(const NativeStack& native, const core::StackSample& sample) {
        path.clear();
        std::vector<std::uint32_t> numbers;
        numbers.reserve(native.frames.size());
        for (const NativeFrame& frame : native.frames) numbers.push_back(frames.native(sample.process, frame.address));
        const auto runs_python = [&](std::size_t i) {
            return eval_loops.contains(numbers[i]) || frames.is_eval_loop(numbers[i]);
        };
        const MixedStack mixed =
            merge_frames(native, sample.python, runs_python, sample.chain, own_frames(numbers, runs_python));
        quality.boundaries += mixed.boundaries;
        quality.unmatched_boundaries += mixed.unmatched;
        if (sample.in_kernel) path.push_back(frames.kernel());
        const MixedFrame* before = nullptr;
        const std::size_t last_known = sample.chain == core::PythonChain::kCut ? sample.python.size() : 0;
        for (const MixedFrame& frame : mixed.frames) {
            path.push_back(frame.is_python ? frames.python(sample.python[frame.index]) : numbers[frame.index]);
            const bool is_matched = mixed.unmatched == 0 && sample.chain == core::PythonChain::kWhole;
            if (frame.is_python && before != nullptr && !before->is_python && is_matched)
                eval_loops.insert(numbers[before->index]);
            before = &frame;
            if (frame.is_python && frame.index + 1 == last_known) path.push_back(frames.cut(last_known));
        }
        if (choice.by_thread) path.push_back(frames.thread(sample.process, sample.thread));
    }

    void count_quality(const NativeStack& native, const core::StackSample& sample) {
        switch (native.quality) {
            case StackQuality::kComplete:
                ++quality.complete;
                break;
            case StackQuality::kScanned:
                ++quality.scanned;
                break;
            case StackQuality::kTruncated:
                ++quality.truncated;
                break;
        }
        switch (sample.chain) {
            case core::PythonChain::kNone:
                break;
            case core::PythonChain::kWhole:
                ++quality.python_whole;
                break;
            case core::PythonChain::kCut:
                ++quality.python_cut;
                break;
            case core::PythonChain::kNoThread:
            case core::PythonChain::kNoFrame:
            case core::PythonChain::kNoCode:
            case core::PythonChain::kNoLoop:
                ++quality.python_unreadable;
                for (std::size_t i = 0; i < core::kUnreadableCauses.size(); ++i)
                    quality.unreadable_by[i] += core::kUnreadableCauses[i].chain == sample.chain;
                break;
        }
    }

    void count_thread(const core::StackSample& sample) {
        core::ProfileThread& thread = threads[{sample.process, sample.thread}];
        thread.process = sample.process;
        thread.thread = sample.thread;
        const auto add_to = [&](core::SampledTime& time) {
            time.ns += static_cast<double>(sample.weight_ns);
            ++time.samples;
        };
        add_to(thread.time);
        if (sample.waits) add_to(thread.waiting);
        if (sample.holds_gil) add_to(thread.gil);
    }

    void add_warnings(core::Profile& profile, std::size_t nameless_python) const {
        for (const core::ProfileModule& module : profile.modules)
            if (module.self.samples > 0 && !module.problem.empty())
                profile.warnings.push_back(fmt::format("no names of {}: {}", module.path, module.problem));
        for (const auto& [number, process] : processes)
            if (const std::uint64_t lost = process.kept.size() + process.refused; lost > 0)
                profile.warnings.push_back(
                    fmt::format("{} samples of process {} are left out: {}", lost, number,
                                process.unwinder ? "they came before its code was known" : "its code was never known"));
        if (nameless_python > 0)
            profile.warnings.push_back(fmt::format(
                "{} pieces of Python code have no name: there was no room to describe them", nameless_python));
    }
};

ProfileBuilder::ProfileBuilder(const LayerTable& layers, ProfileChoice choice, ReadCode read_code,
                               MakeUnwinder make_unwinder)
    : state_(std::make_unique<State>(layers, choice, std::move(read_code), std::move(make_unwinder))) {}
ProfileBuilder::~ProfileBuilder() = default;
ProfileBuilder::ProfileBuilder(ProfileBuilder&&) noexcept = default;
ProfileBuilder& ProfileBuilder::operator=(ProfileBuilder&&) noexcept = default;

void ProfileBuilder::set_modules(std::int32_t number, const std::vector<core::CodeModule>& modules) {
    Process& process = state_->processes[number];
    std::vector<core::CodeModule> sorted = modules;
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    if (process.unwinder && sorted == process.modules) return;
    if (!process.unwinder) process.unwinder = state_->make_unwinder();
    process.modules = std::move(sorted);
    process.unwinder->set_modules(modules);
    state_->frames.set_modules(number, modules);
    std::vector<core::StackSample> kept;
    std::swap(kept, process.kept);
    for (const core::StackSample& sample : kept) {
        state_->kept_bytes -= bytes_of(sample);
        state_->add(process, sample);
    }
}

void ProfileBuilder::add_compiled(std::int32_t number, const std::string& object) {
    const auto process = state_->processes.find(number);
    if (process == state_->processes.end() || !process->second.unwinder) return;
    process->second.unwinder->add_compiled(object);
    (void)naming(number).add_jit_object(object);
}

bool ProfileBuilder::knows(std::int32_t number, std::uint64_t address) const {
    const auto process = state_->processes.find(number);
    if (process == state_->processes.end()) return false;
    const std::vector<core::CodeModule>& modules = process->second.modules;
    const auto after =
        std::upper_bound(modules.begin(), modules.end(), address,
                         [](std::uint64_t value, const core::CodeModule& module) { return value < module.start; });
    return after != modules.begin() && address < std::prev(after)->end;
}

Naming& ProfileBuilder::naming(std::int32_t process) {
    return state_->frames.naming(process);
}

void ProfileBuilder::add(const core::StackSample& sample) {
    if (!state_->counts(sample)) return;
    Process& process = state_->processes[sample.process];
    if (process.unwinder)
        state_->add(process, sample);
    else
        state_->keep(process, sample);
}

std::vector<std::uint64_t> ProfileBuilder::nameless(std::int32_t process) const {
    return state_->frames.nameless(process);
}

void ProfileBuilder::forget_samples() {
    state_->stacks = StackTrie();
    state_->threads.clear();
    state_->quality = {};
    state_->samples = 0;
}

std::uint64_t ProfileBuilder::samples() const {
    return state_->samples;
}

core::Profile ProfileBuilder::build() const {
    State& state = *state_;
    FrameFacts facts = state.frames.facts();
    const std::size_t nameless_python = facts.nameless_python;
    core::Profile profile = tally(state.stacks, std::move(facts), state.table, state.choice.view);
    profile.quality = state.quality;
    for (const auto& [key, thread] : state.threads) profile.threads.push_back(thread);
    std::stable_sort(profile.threads.begin(), profile.threads.end(),
                     [](const auto& a, const auto& b) { return a.time.ns > b.time.ns; });
    state.add_warnings(profile, nameless_python);
    return profile;
}

}  // namespace tare::attribution
