// Runs of Python frames get their places first, by address or by count, those without one between their neighbours;
// then all are laid out.
#include <algorithm>
#include <optional>

#include "harness/attribution/profile_builder.h"

namespace tare::attribution {

namespace {

/// Frames that one activation of the eval loop runs.
struct Run {
    std::size_t begin = 0;  ///< into the Python frames
    std::size_t end = 0;
    std::optional<std::size_t> place;  ///< the native frame that it stands outside of; the number of frames: outermost
};

/// The native frame that owns an address of the stack.
std::optional<std::size_t> owner_of(const NativeStack& native, std::uint64_t address) {
    const auto& frames = native.frames;
    const auto above =
        std::upper_bound(frames.begin(), frames.end(), address,
                         [](std::uint64_t value, const NativeFrame& frame) { return value < frame.stack_pointer; });
    if (above == frames.begin()) return std::nullopt;
    if (above == frames.end() && native.quality == StackQuality::kTruncated) return std::nullopt;
    return static_cast<std::size_t>(above - frames.begin()) - 1;
}

std::vector<Run> runs_of(const NativeStack& native, const std::vector<core::PythonFrame>& python, MixedStack& mixed) {
    std::vector<Run> runs;
    std::size_t begin = 0, innermost = 0;
    for (std::size_t i = 0; i < python.size(); ++i) {
        if (!python[i].is_entry && i + 1 < python.size()) continue;
        Run run{begin, i + 1, std::nullopt};
        begin = i + 1;
        if (python[i].is_entry) {
            ++mixed.boundaries;
            if (python[i].address != 0) run.place = owner_of(native, python[i].address);
            if (run.place && *run.place < innermost) run.place.reset();  // against the order of Python's chain
            if (!run.place) ++mixed.unmatched;
            innermost = run.place.value_or(innermost);
        }
        runs.push_back(run);
    }
    return runs;
}

bool leaves_no_address(const std::vector<core::PythonFrame>& python) {
    const auto entry = std::ranges::find_if(python, &core::PythonFrame::is_entry);
    return entry != python.end() && entry->address == 0;
}

void place_by_count(std::vector<Run>& runs, std::size_t native_frames, bool from_outermost,
                    const RunsPython& runs_python, MixedStack& mixed) {
    std::vector<std::size_t> loops;
    for (std::size_t i = 0; i < native_frames; ++i)
        if (runs_python && runs_python(i)) loops.push_back(i);
    const std::size_t pairs = std::min(loops.size(), runs.size());
    const std::size_t first_loop = from_outermost ? loops.size() - pairs : 0;
    const std::size_t first_run = from_outermost ? runs.size() - pairs : 0;
    for (std::size_t k = 0; k < pairs; ++k) runs[first_run + k].place = loops[first_loop + k];
    mixed.unmatched = mixed.boundaries - std::min(pairs, mixed.boundaries);
}

void place_the_rest(std::vector<Run>& runs, std::size_t native_frames, const RunsPython& runs_python) {
    std::size_t from = 0;  // the first native frame that a run may stand outside of
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!runs[i].place) {
            const auto next = std::find_if(runs.begin() + static_cast<std::ptrdiff_t>(i), runs.end(),
                                           [](const Run& run) { return run.place.has_value(); });
            const std::size_t limit = next == runs.end() ? native_frames : *next->place;
            std::size_t place = std::min(from, limit);
            while (place < limit && !(runs_python && runs_python(place))) ++place;
            runs[i].place = place;
        }
        from = std::min(*runs[i].place + 1, native_frames);
    }
}

}  // namespace

MixedStack merge_frames(const NativeStack& native, const std::vector<core::PythonFrame>& python,
                        const RunsPython& runs_python, core::PythonChain chain, std::size_t own_frames) {
    MixedStack mixed;
    std::vector<Run> runs = runs_of(native, python, mixed);
    const std::size_t counted = std::min(own_frames, native.frames.size());
    const bool ends = counted < native.frames.size() || native.quality != StackQuality::kTruncated;
    if (leaves_no_address(python))
        place_by_count(runs, counted, ends && chain == core::PythonChain::kWhole, runs_python, mixed);
    place_the_rest(runs, native.frames.size(), runs_python);
    mixed.frames.reserve(native.frames.size() + python.size());
    auto run = runs.begin();
    for (std::size_t i = 0; i <= native.frames.size(); ++i) {
        if (i < native.frames.size()) mixed.frames.push_back({false, i});
        for (; run != runs.end() && *run->place == i; ++run)
            for (std::size_t k = run->begin; k < run->end; ++k) mixed.frames.push_back({true, k});
    }
    return mixed;
}

}  // namespace tare::attribution
