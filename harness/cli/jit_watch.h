// JitWatch: what compilers inside the profiled processes (Numba's LLVM) tell debuggers of the code that they write,
// read from outside while it runs. `bench` is their parent, which Linux lets read their memory unless a sandbox forbids
// it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/attribution/jit_list.h"
#include "harness/core/trace.h"

namespace tare::cli {

class JitWatch {
  public:
    /// The code of a process as it is now. Compilers are looked for only where some of it has no file, and in each file
    /// once.
    void set_modules(std::int32_t process, const std::vector<core::CodeModule>& modules);
    /// The objects that were registered since the last call. Cheap where there are none.
    [[nodiscard]] std::vector<std::string> fresh_objects(std::int32_t process);
    /// Why memory could not be read; empty.
    [[nodiscard]] const std::string& problem() const { return problem_; }

  private:
    struct Process {
        std::set<std::pair<std::string, std::uint64_t>> asked;  // files, by path and bias
        std::vector<attribution::JitList> lists;
    };
    std::map<std::int32_t, Process> processes_;
    std::string problem_;
};

}  // namespace tare::cli
