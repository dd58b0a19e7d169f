// Code rules: frame rules of functions without unwind information, found by following what their instructions do to the
// stack pointer and to copies of it. OpenBLAS's kernel for dgemm on Haswell: `mov %rsp,%rbx; sub $28800,%rsp;
// and $-4096,%rsp` leaves the caller's frame at rbx + 104. Addresses are those of the ELF file.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "harness/attribution/frame_rule.h"

namespace tare::attribution {

/// The rule at each instruction of a function, by address; none where the code does not tell. Pure. Follows every path
/// from the first instruction, on the calling convention's terms: called functions keep rbx, rbp and r12 to r15, and
/// nothing that is written through an unknown pointer hits a saved register.
[[nodiscard]] std::map<std::uint64_t, FrameRule> rules_of_code(std::string_view code, std::uint64_t start);

class CodeRules {
  public:
    /// Null where the code does not tell. `read_code` gives the function's bytes when it is first met. Valid as long as
    /// this object.
    template <class Read>
    [[nodiscard]] const FrameRule* find(std::uint64_t function, std::uint64_t address, Read&& read_code) {
        const auto [known, is_new] = functions_.try_emplace(function);
        if (is_new) add(known->second, read_code(), function);
        const auto found = known->second.find(address);
        return found == known->second.end() ? nullptr : found->second;
    }

    [[nodiscard]] std::size_t bytes() const;  ///< that this object holds, about

  private:
    using Rules = std::unordered_map<std::uint64_t, const FrameRule*>;  // by address
    void add(Rules& rules, std::string_view code, std::uint64_t start);

    std::unordered_map<std::uint64_t, Rules> functions_;  // by start
    std::set<FrameRule> rules_;
};

}  // namespace tare::attribution
