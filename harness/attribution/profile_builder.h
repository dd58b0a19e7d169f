// ProfileBuilder: samples become a profile: unwound, named, layered, Python's frames placed among the native ones by
// stack address. Fed while the program runs. Any one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/attribution/layer_table.h"
#include "harness/attribution/naming.h"
#include "harness/attribution/stack_unwinder.h"
#include "harness/attribution/unwinder.h"
#include "harness/core/code_area.h"
#include "harness/core/profile.h"
#include "harness/core/stack_sample.h"

namespace tare::attribution {

/// Which frames the tree shows. Self times of functions do not depend on it.
enum class FrameView { kBoth, kNative, kPython };

struct ProfileChoice {
    FrameView view = FrameView::kBoth;
    bool gil_only = false;   ///< only samples that held the GIL
    bool waiting = false;    ///< samples of waiting threads count, in the layer `waiting`
    bool by_thread = false;  ///< a root frame for each thread
};

/// Puts Python's frames into a native stack. A boundary at address B belongs to the native frame k with
/// stack_pointer k <= B < stack_pointer k + 1; the run of Python frames up to it stands directly outside that frame.
/// Beyond the last frame of a truncated stack nothing is known: a boundary there is unmatched.
struct MixedFrame {
    bool is_python = false;
    std::size_t index = 0;  ///< into the native or the Python frames
    bool operator==(const MixedFrame&) const = default;
};
struct MixedStack {
    std::vector<MixedFrame> frames;  ///< innermost first
    std::size_t boundaries = 0;
    std::size_t unmatched = 0;
    bool operator==(const MixedStack&) const = default;
};
/// By index into the native frames.
using RunsPython = std::function<bool(std::size_t native)>;
/// A run without a place (its boundary is unmatched, or was cut off) stands outside the next native frame of which
/// `runs_python` says that it is an eval loop, and where none is, outermost; always in the order of Python's chain.
/// Where eval loops leave no address each has one run, and they are counted within the first `own_frames` native ones:
/// from the outermost, for the innermost may not have named its frame yet, or no longer; in a truncated stack, or of a
/// chain that was cut, from the innermost.
[[nodiscard]] MixedStack merge_frames(const NativeStack& native, const std::vector<core::PythonFrame>& python,
                                      const RunsPython& runs_python = {},
                                      core::PythonChain chain = core::PythonChain::kWhole,
                                      std::size_t own_frames = SIZE_MAX);

class ProfileBuilder {
  public:
    using ReadCode = std::function<std::optional<core::PythonCode>(std::uint32_t number)>;

    /// `layers` must outlive it.
    ProfileBuilder(const LayerTable& layers, ProfileChoice choice, ReadCode read_code);
    ProfileBuilder(const LayerTable& layers, ProfileChoice choice, ReadCode read_code, MakeUnwinder make_unwinder);
    ~ProfileBuilder();
    ProfileBuilder(ProfileBuilder&&) noexcept;
    ProfileBuilder& operator=(ProfileBuilder&&) noexcept;

    /// The code of one process as it is now; samples of a process without modules are kept back until they come.
    void set_modules(std::int32_t process, const std::vector<core::CodeModule>& modules);
    [[nodiscard]] bool knows(std::int32_t process, std::uint64_t address) const;
    /// An object that a compiler of the process has put into memory, as JitList tells it: names and unwind information.
    /// Of a process whose modules are known. Damaged: nothing.
    void add_compiled(std::int32_t process, const std::string& object);
    /// Names that only the process could tell: a perf map, JIT objects, Python's tables.
    [[nodiscard]] Naming& naming(std::int32_t process);

    void add(const core::StackSample& sample);
    [[nodiscard]] std::uint64_t samples() const;

    /// Starts of the functions met in a process that have no name yet, ascending: what Python's tables may tell.
    [[nodiscard]] std::vector<std::uint64_t> nameless(std::int32_t process) const;
    /// Lets the next profile begin with no sample, knowing all code and names as before.
    void forget_samples();

    /// Everything but `program` and `sampling`, which whoever sampled knows.
    [[nodiscard]] core::Profile build() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tare::attribution
