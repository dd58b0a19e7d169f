// SampledFrames: what was met on stacks, numbered: machine code by function (or by address, where a JIT may tell a name
// later), Python code by line, the kernel, threads. Names are asked for when a frame is first met, while the files are
// what the process runs; the rest when the profile is built.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/attribution/naming.h"
#include "harness/core/code_area.h"
#include "harness/core/profile.h"
#include "harness/core/stack_sample.h"

namespace tare::attribution {

/// What the frames are, with functions and modules shared between processes. Functions and modules have no time yet.
struct FrameFacts {
    struct Frame {
        std::uint32_t function = 0;
        int line = 0;  ///< of Python frames; 0: not known
    };
    std::vector<Frame> frames;  ///< by number
    std::vector<core::ProfileFunction> functions;
    std::vector<core::ProfileModule> modules;
    std::size_t nameless_python = 0;  ///< frames whose code object was never described
};

class SampledFrames {
  public:
    using ReadCode = std::function<std::optional<core::PythonCode>(std::uint32_t number)>;

    explicit SampledFrames(ReadCode read_code);

    void set_modules(std::int32_t process, const std::vector<core::CodeModule>& modules);
    [[nodiscard]] Naming& naming(std::int32_t process);

    [[nodiscard]] std::uint32_t native(std::int32_t process, std::uint64_t address);
    [[nodiscard]] std::uint32_t python(const core::PythonFrame& frame);
    [[nodiscard]] std::uint32_t kernel();
    /// Where a chain of Python's frames was cut: what stands further out is further out by frames that nobody knows.
    [[nodiscard]] std::uint32_t cut(std::size_t innermost);
    [[nodiscard]] std::uint32_t thread(std::int32_t process, std::int32_t thread);

    /// Machine code that is named as CPython's eval loop; that lies in the library of greenlets.
    [[nodiscard]] bool is_eval_loop(std::uint32_t native) const;
    [[nodiscard]] bool is_of_greenlets(std::uint32_t native) const;

    /// Starts of the functions met that have no name yet, ascending.
    [[nodiscard]] std::vector<std::uint64_t> nameless(std::int32_t process) const;

    [[nodiscard]] std::size_t size() const { return frames_.size(); }
    [[nodiscard]] FrameFacts facts();

  private:
    struct Process {
        Naming naming{{}, {}};
        std::unordered_map<std::uint64_t, std::uint32_t> by_address;
        std::unordered_map<const Function*, std::uint32_t> by_function;
    };
    struct Frame {
        core::FrameKind kind = core::FrameKind::kNative;
        Process* process = nullptr;
        const Function* function = nullptr;  ///< null: machine code that was in no file and had no name yet
        std::uint64_t address = 0;           ///< of that
        std::uint32_t code = 0;
        std::int32_t offset = -1;  ///< where the line is not known yet
        int line = 0;
        std::string group = {};
    };
    struct Code {
        std::optional<core::PythonCode> text;
        std::unordered_map<std::int32_t, std::uint32_t> by_offset;
        std::unordered_map<int, std::uint32_t> by_line;
    };

    Process& process(std::int32_t number);
    std::uint32_t add(Frame frame);
    const Code& read(Code& code, std::uint32_t number);

    ReadCode read_code_;
    std::vector<Frame> frames_;
    std::map<std::int32_t, std::unique_ptr<Process>> processes_;
    std::unordered_map<std::uint32_t, Code> codes_;
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> threads_;
    std::optional<std::uint32_t> kernel_;
    std::optional<std::uint32_t> cut_;
};

}  // namespace tare::attribution
