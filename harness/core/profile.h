// Profile: the sampled account of where a program's time went: by call path, function, layer, Python line and BLAS
// symbol, native and Python frames in one tree. Values only; harness/attribution makes them. Times in nanoseconds that
// samples stand for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/ledger.h"
#include "harness/core/stack_sample.h"

namespace tare::core {

enum class FrameKind {
    kNative,  ///< machine code of a file, or compiled at run time
    kPython,  ///< a Python function; it stands outside the C frame of the eval loop that runs it
    kKernel,  ///< the kernel as a whole: below the frame that entered it
    kGroup,   ///< no function: a thread as root of its stacks, or all that ran no Python in a tree of Python frames
};
[[nodiscard]] constexpr std::string_view name_of(FrameKind kind) {
    switch (kind) {
        case FrameKind::kNative:
            return "native";
        case FrameKind::kPython:
            return "python";
        case FrameKind::kKernel:
            return "kernel";
        case FrameKind::kGroup:
            return "group";
    }
    return "?";
}

/// Time and how many samples it is from: its standard error is time / sqrt(samples), as for Poisson counts.
struct SampledTime {
    double ns = 0;
    std::uint64_t samples = 0;
    bool operator==(const SampledTime&) const = default;
};

struct ProfileFunction {
    FrameKind kind = FrameKind::kNative;
    std::uint32_t module = 0;               ///< of native ones, index into Profile::modules
    std::string name;                       ///< native: as in ledgers; Python: qualified name
    std::string file;                       ///< of Python ones: the source file
    int first_line = 0;                     ///< likewise; 0: not known
    NameSource source = NameSource::kNone;  ///< of native ones
    std::uint64_t address = 0;              ///< of native ones: where it starts, in its ELF file; 0: not known
    std::optional<BlasFamily> blas = {};    ///< of a BLAS library's functions with a name; role `other` for its helpers
    SampledTime self;                       ///< native: it ran itself; Python: it was the innermost Python function
    SampledTime inclusive;                  ///< it was on the stack, counted once a sample
    bool operator==(const ProfileFunction&) const = default;
};

/// A line of a Python function.
struct ProfileLine {
    std::uint32_t function = 0;
    int line = 0;
    SampledTime self;  ///< of the innermost Python frame
    SampledTime inclusive;
    bool operator==(const ProfileLine&) const = default;
};

/// One call path, merged over samples (and threads). Parents stand before their children.
struct ProfileNode {
    std::int32_t parent = -1;
    std::uint32_t function = 0;
    std::uint32_t layer = 0;  ///< index into Profile::layers; of Python frames that of the interpreter
    int line = 0;             ///< of Python frames; frames of one function at several lines are several nodes; 0: none
    SampledTime self;
    bool operator==(const ProfileNode&) const = default;
};

struct ProfileLayer {
    std::string name;  ///< as in ledgers; "kernel"; "waiting"
    SampledTime self;
    bool unresolved = false;
    bool operator==(const ProfileLayer&) const = default;
};

struct ProfileModule {
    std::string path;
    std::string build_id;
    NameSource symbols = NameSource::kNone;
    SampledTime self;
    SampledTime named;             ///< of self, in functions with a name
    std::string problem;           ///< why it has no names; may be empty
    std::uint64_t code_start = 0;  ///< of its executable range: addresses of the ELF file
    std::uint64_t code_end = 0;
    std::uint64_t code_offset = 0;  ///< bytes from the file's begin to code_start
    bool operator==(const ProfileModule&) const = default;
};

struct ProfileThread {
    std::int32_t process = 0;
    std::int32_t thread = 0;
    SampledTime time;
    SampledTime waiting;    ///< of that, not running
    SampledTime gil;        ///< of that, holding the GIL
    std::string name = {};  ///< the kernel's, of up to 15 bytes; empty: unknown, or not one of its own
    bool operator==(const ProfileThread&) const = default;
};

/// How good the stacks are, in samples.
struct ProfileQuality {
    std::uint64_t complete = 0;   ///< unwound to the entry by unwind information alone
    std::uint64_t scanned = 0;    ///< to the entry, some frame by the validated scan
    std::uint64_t truncated = 0;  ///< not to the entry
    std::uint64_t python_whole = 0;
    std::uint64_t python_cut = 0;
    std::uint64_t python_unreadable = 0;  ///< the chain was being changed: native frames only
    std::array<std::uint64_t, kUnreadableCauses.size()> unreadable_by = {};  ///< of those, by kUnreadableCauses
    std::uint64_t boundaries = 0;            ///< Python frames that an eval loop entered from C
    std::uint64_t unmatched_boundaries = 0;  ///< of those, in no C frame of the stack
    bool operator==(const ProfileQuality&) const = default;
};

/// How the samples were taken.
struct ProfileSampling {
    SampleClock clock = SampleClock::kCpuClock;
    std::string event;                                 ///< of a PMU: its name
    std::string fallback_reason;                       ///< why it is not perf's clock; may be empty
    std::size_t python_frames = kDefaultPythonFrames;  ///< kept of each sample, the innermost
    double asked_hz = 0;
    double achieved_hz = 0;  ///< samples a second of the sampled time
    std::uint64_t taken = 0;
    std::uint64_t dropped = 0;  ///< no free slot
    std::uint64_t late = 0;
    std::uint64_t damaged = 0;
    double handler_ns = 0;  ///< spent in handlers
    double cpu_ns = 0;      ///< of the sampled threads
    double wall_ns = 0;     ///< from start to end
    bool operator==(const ProfileSampling&) const = default;

    /// Share of the CPU time that sampling took.
    [[nodiscard]] double cost_ratio() const { return cpu_ns > 0 ? handler_ns / cpu_ns : 0; }
};

struct Profile {
    std::string program;  ///< the command line, or the case and rung
    ProfileSampling sampling;
    ProfileQuality quality;
    SampledTime total;
    std::vector<ProfileModule> modules;  ///< most time first, as all lists below but nodes
    std::vector<ProfileLayer> layers;
    std::vector<ProfileFunction> functions;
    std::vector<ProfileLine> lines;
    std::vector<ProfileThread> threads;
    std::vector<ProfileNode> nodes;
    std::vector<std::string> warnings;
    bool interrupted = false;
    bool operator==(const Profile&) const = default;
};

}  // namespace tare::core
