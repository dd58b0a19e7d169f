// Runs of Python frames get their places first, those without one between their neighbours; then all are laid out.
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
            run.place = owner_of(native, python[i].address);
            if (run.place && *run.place < innermost) run.place.reset();  // against the order of Python's chain
            if (!run.place) ++mixed.unmatched;
            innermost = run.place.value_or(innermost);
        }
        runs.push_back(run);
    }
    return runs;
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
                        const RunsPython& runs_python) {
    MixedStack mixed;
    std::vector<Run> runs = runs_of(native, python, mixed);
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
