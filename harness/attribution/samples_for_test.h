// Samples of a process that never was: stacks told as texts, outermost frame first, for the tests of profiles.
// `python:main` is native code of a module, `umath:?1` has no name, `py:work:12` is a Python frame at a line; Python
// frames stand before the eval loop that runs them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/attribution/profile_builder.h"

namespace tare::attribution {

inline constexpr std::string_view kRulesForTest =
    "layer interpreter python3 _PyEval_EvalFrameDefault\n"
    "layer blas_kernel openblas \\w+_kernel\\w*\n"
    "layer blas_interface openblas cblas_\\w+\n"
    "layer inner_loop umath \\w+_add\n"
    "layer =caller libc memcpy\n"
    "unresolved numpy umath\n"
    "unresolved blas openblas\n"
    "unresolved cpython python3\n"
    "unresolved c_library libc\n";

inline LayerTable layers_for_test() {
    return LayerTable::parse({{"rules for tests", std::string(kRulesForTest)}}).value();
}

class SamplesForTest {
  public:
    static constexpr std::int32_t kProcess = 7;
    static constexpr std::uint64_t kMillisecond = 1'000'000;

    /// One of 1 ms, in thread 7; more can be set by the caller.
    core::StackSample sample(const std::vector<std::string>& frames);

    /// What unwound the last sample; may be changed before it is added.
    NativeStack& last_stack() { return stacks_->rbegin()->second; }

    [[nodiscard]] std::vector<core::CodeModule> modules() const;
    /// Told what it needs of process 7. `layers` must outlive it.
    [[nodiscard]] ProfileBuilder builder(const LayerTable& layers, ProfileChoice choice = {}) const;
    /// Told nothing yet: the seams alone.
    [[nodiscard]] ProfileBuilder empty_builder(const LayerTable& layers, ProfileChoice choice = {}) const;
    [[nodiscard]] std::vector<core::PythonName> names() const;

    /// Of the function `module:name`.
    std::uint64_t address_of(const std::string& frame);

  private:
    core::PythonFrame python_frame(const std::string& frame);

    std::map<std::string, std::uint64_t> addresses_;
    std::shared_ptr<std::vector<std::string>> codes_ = std::make_shared<std::vector<std::string>>();
    std::shared_ptr<std::map<std::uint64_t, NativeStack>> stacks_ =
        std::make_shared<std::map<std::uint64_t, NativeStack>>();
    std::uint64_t next_time_ = 0;
};

/// The function of that name; the test fails where there is none.
const core::ProfileFunction& function_named(const core::Profile& profile, const std::string& name);
/// Samples of a layer; 0 where there is none.
std::uint64_t samples_in(const core::Profile& profile, const std::string& layer);

/// 100 samples of `work` (twelve of `helper` in it), which multiplies matrices, adds, and waits: every list has
/// something to show.
core::Profile small_profile(ProfileChoice choice = {});
/// Names as nobody would choose them.
core::Profile hostile_profile();

}  // namespace tare::attribution
