// Unwinder: from a raw sample to the addresses of its native frames. libdw with .eh_frame first; through code without
// unwind information (OpenBLAS's assembly kernels, which move the stack pointer by up to 33 KB) by a scan of the stack
// whose finds are validated. Reads the files of modules, never the process: samples are unwound while it runs or after
// it ended. Any one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/stack_sample.h"
#include "harness/core/trace.h"

namespace tare::attribution {

enum class StackQuality {
    kComplete,   ///< by unwind information alone, to the program's or the thread's entry
    kScanned,    ///< to the entry, some frame by the validated scan
    kTruncated,  ///< not to the entry
};

struct NativeFrame {
    std::uint64_t address = 0;  ///< of the instruction that runs: a return address less 1 but in the innermost frame
    std::uint64_t stack_pointer = 0;  ///< at that frame: frame k owns [stack_pointer k, stack_pointer k + 1)
    bool scanned = false;             ///< found without unwind information: by its callee's code or by the scan
    bool operator==(const NativeFrame&) const = default;
};

struct NativeStack {
    std::vector<NativeFrame> frames;  ///< innermost first
    StackQuality quality = StackQuality::kTruncated;
    bool operator==(const NativeStack&) const = default;
};

/// What unwinding took, since the Unwinder was made.
struct UnwindEffort {
    std::uint64_t samples = 0;
    std::uint64_t frames = 0;
    std::uint64_t rules_used = 0;  ///< steps by unwind information, those of finds that did not hold too
    std::uint64_t rules_read = 0;  ///< of these, how many had to be read from a file
    std::uint64_t by_code = 0;     ///< callers found by what the callee's instructions do to the stack pointer
    std::uint64_t by_scan = 0;     ///< by scanning or a frame pointer; in both, finds that gave way to better ones too
    std::uint64_t bytes = 0;       ///< that tables and caches hold now, about
};

class Unwinder {
  public:
    Unwinder();
    ~Unwinder();
    Unwinder(Unwinder&&) noexcept;
    Unwinder& operator=(Unwinder&&) noexcept;

    /// The process's code, as it is now; called again when something was loaded. Files are read when first needed. One
    /// that was replaced since (other build-id) or is gone has no unwind information.
    void set_modules(const std::vector<core::CodeModule>& modules);

    /// Code that a compiler of the process has written, as JitList tells it, within a module without a file.
    void add_compiled(std::string object);

    [[nodiscard]] NativeStack unwind(const core::StackSample& sample);
    [[nodiscard]] UnwindEffort effort() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tare::attribution
