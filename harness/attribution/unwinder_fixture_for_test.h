// What the tests of the unwinder share: this process's modules, samples to unwind, and words of their stacks.
#pragma once

#include <gmock/gmock.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "harness/attribution/own_modules_for_test.h"
#include "harness/attribution/unwinder.h"
#include "harness/attribution/unwinder_test_code.h"
#include "harness/attribution/unwinder_test_sampler.h"
#include "harness/core/clock.h"

namespace tare::attribution {

/// The sanitizers' builds have frame pointers: where a function without unwind information uses RBP as data, its
/// callers cannot be found.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kHasFramePointers = true;
#else
inline constexpr bool kHasFramePointers = false;
#endif
inline constexpr const char* kFramesHangOnRbp = "this build has frame pointers: its frames hang on RBP";

inline std::uint64_t address_of(Function function) {
    return reinterpret_cast<std::uint64_t>(function);
}

inline std::vector<std::uint64_t> addresses_in(const NativeStack& stack) {
    std::vector<std::uint64_t> addresses;
    for (const NativeFrame& frame : stack.frames) addresses.push_back(frame.address);
    return addresses;
}

/// The instruction itself, then the callers.
inline std::vector<std::uint64_t> leaf_chain(const core::StackSample& sample, const SteppedCall& call) {
    std::vector<std::uint64_t> chain = {sample.registers[core::kInstructionPointer]};
    chain.insert(chain.end(), call.callers.begin(), call.callers.end());
    return chain;
}

inline std::uint64_t word_at(const core::StackSample& sample, std::uint64_t address) {
    std::uint64_t word = 0;
    std::memcpy(&word, sample.stack.data() + (address - sample.stack_address), sizeof word);
    return word;
}

inline void set_word(core::StackSample& sample, std::uint64_t address, std::uint64_t word) {
    std::memcpy(sample.stack.data() + (address - sample.stack_address), &word, sizeof word);
}
inline core::StackSample sample_at(const SteppedCall& call, std::uint64_t address) {
    for (const core::StackSample& sample : call.samples)
        if (sample.registers[core::kInstructionPointer] == address) return sample;
    ADD_FAILURE() << "no sample there";
    return {};
}
inline std::uint64_t prints(std::uint64_t value) {
    char text[64];
    return static_cast<std::uint64_t>(
        std::snprintf(text, sizeof text, "%.17g %llu", 0.1, static_cast<unsigned long long>(value)));
}
inline std::uint64_t asks_the_clock(std::uint64_t) {
    return static_cast<std::uint64_t>(core::wall_clock_ns());
}

class UnwinderTest : public ::testing::Test {
  protected:
    void SetUp() override {
        modules = own_modules();
        unwinder.set_modules(modules);
    }

    static SteppedCall stepped_in_test_code(Function function, std::uint64_t argument) {
        return stepped(function, argument, 4096, reinterpret_cast<std::uint64_t>(test_code_start),
                       reinterpret_cast<std::uint64_t>(test_code_end));
    }

    std::string place_of(std::uint64_t address) const {
        for (const core::CodeModule& module : modules)
            if (address >= module.start && address < module.end)
                return module.path + " + " + std::to_string(address - module.bias);
        return std::to_string(address);
    }

    std::string text_of(const NativeStack& stack) const {
        std::string text;
        for (const NativeFrame& frame : stack.frames)
            text += place_of(frame.address) + (frame.scanned ? " scanned\n" : "\n");
        return text;
    }

    std::vector<core::CodeModule> modules;
    Unwinder unwinder;
};

}  // namespace tare::attribution
