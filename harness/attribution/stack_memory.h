// Stack memory: what a sample lets the unwinder read: the copied stack, else constants of the files that were loaded.
// Any address may be asked for, near 2^64 too. Refers to the sample and the code.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "harness/attribution/loaded_code.h"
#include "harness/core/stack_sample.h"

namespace tare::attribution {

class StackMemory {
  public:
    StackMemory(const core::StackSample& sample, const LoadedCode& code) : sample_(sample), code_(code) {}

    /// Of the stack, from the stack pointer on: what lies below is nobody's but a leaf's (the red zone).
    [[nodiscard]] std::optional<std::uint64_t> word_of_stack(std::uint64_t address) const {
        constexpr std::uint64_t kWordBytes = sizeof(std::uint64_t);
        const std::uint64_t inside = address - sample_.stack_address;
        if (sample_.stack.size() < kWordBytes || inside > sample_.stack.size() - kWordBytes) return std::nullopt;
        std::uint64_t word = 0;
        std::memcpy(&word, sample_.stack.data() + inside, kWordBytes);
        return word;
    }

    [[nodiscard]] std::optional<std::uint64_t> word(std::uint64_t address) const {
        const auto found = word_of_stack(address);
        return found ? found : code_.constant_at(address);
    }

    /// Whether a word was not copied because the stack went on beyond the copy.
    [[nodiscard]] bool is_cut_off(std::uint64_t address) const {
        constexpr std::uint64_t kLargestStack = std::uint64_t{1} << 30;  // far beyond the usual limit, 8 MB
        if (!sample_.stack_cut || word_of_stack(address)) return false;
        return address - sample_.stack_address < kLargestStack;
    }

    [[nodiscard]] std::uint64_t end() const { return sample_.stack_address + sample_.stack.size(); }

  private:
    const core::StackSample& sample_;
    const LoadedCode& code_;
};

}  // namespace tare::attribution
