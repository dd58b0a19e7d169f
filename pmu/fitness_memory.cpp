// Where memory lies, of which pages, and whether there is enough.
#include <fmt/format.h>

#include "pmu/fitness_rules.h"
#include "pmu/fitness_words.h"

namespace tare::pmu {

using core::Affects;
using core::Finding;
using core::FitnessState;
using core::Value;

namespace {

// A worker of NumPy's takes some 50 MB, a large case some 100; a duet runs two.
constexpr double kLittleMemoryBytes = 1024.0 * 1024 * 1024;
constexpr double kTooLittleMemoryBytes = kLittleMemoryBytes / 4;
constexpr const char* kHugePages = "/sys/kernel/mm/transparent_hugepage/enabled";

}  // namespace

Finding judge_aslr(const Value& facts) {
    constexpr std::int64_t kFull = 2;
    Finding finding = start_finding("aslr", Affects::kPairs, facts, {"aslr", "fixed_addresses"});
    if (facts["aslr"].is_nil()) {
        finding.meaning = "whether each process has addresses of its own is not known";
        return finding;
    }
    const std::int64_t level = facts["aslr"].as_int();
    const bool fixed_here = facts["fixed_addresses"].as_bool();
    if (level == kFull && !fixed_here) {
        set(finding, FitnessState::kGood, "on, as tare wants it: placement is drawn anew in each process",
            "intervals hold what placement does; switched off, all processes share one placement, and a change of "
            "placement looks like a change of speed");
        return finding;
    }
    finding.cause = "addresses that are not drawn anew";
    const char* meaning =
        "all processes share one placement: intervals are too narrow, and a change of placement looks like a change of "
        "speed";
    if (fixed_here) {
        set(finding, FitnessState::kBad, "off in this process (setarch -R, a debugger?)", meaning);
        finding.remedies = {by_others("start bench without setarch -R")};
    } else if (level == 1) {
        set(finding, FitnessState::kCouldBeBetter, "on, but for the heap (1)",
            "the heap keeps its place after the program: part of what placement does is missing from intervals");
    } else {
        set(finding, FitnessState::kBad, fmt::format("off ({})", level), meaning);
    }
    if (level != kFull)
        finding.remedies.push_back(by_sysctl("draw addresses anew", "kernel.randomize_va_space", kFull, level));
    return finding;
}

Finding judge_huge_pages(const Value& facts) {
    Finding finding = start_finding("huge_pages", Affects::kSingleNumbers, facts, {"transparent_hugepage"});
    const std::string& mode = facts["transparent_hugepage"].as_text();
    if (mode.empty()) {
        finding.meaning = "which arrays lie on huge pages is not known";
    } else if (mode == "always") {
        set(finding, FitnessState::kCouldBeBetter, mode,
            "whether an array of 2 MiB or more lies on huge pages depends on chance, and the kernel moves pages in the "
            "background; small arrays do not see it");
        finding.remedies = {
            by_file("leave it to those who ask, as NumPy does for 4 MiB and more", kHugePages, "madvise", mode)};
    } else if (mode == "madvise") {
        set(finding, FitnessState::kGood, mode, "only who asks gets them: NumPy does, for arrays of 4 MiB and more");
    } else {
        set(finding, FitnessState::kGood, mode,
            "steady; large arrays miss the TLB more often than on most machines, where NumPy gets them on request");
    }
    return finding;
}

Finding judge_swap(const Value& facts) {
    Finding finding = start_finding("swap", Affects::kSingleNumbers, facts, {"swap_total_bytes", "swap_free_bytes"});
    if (facts["swap_total_bytes"].is_nil() || facts["swap_free_bytes"].is_nil()) {
        finding.meaning = "whether memory is swapped out is not known";
        return finding;
    }
    const double total = facts["swap_total_bytes"].as_double();
    const double used = total - facts["swap_free_bytes"].as_double();
    if (total == 0)
        set(finding, FitnessState::kGood, "none", "no page of a worker can be on a disk");
    else if (used <= 0)
        set(finding, FitnessState::kGood, fmt::format("{}, unused", bytes_text(total)), "memory has not run short");
    else {
        set(finding, FitnessState::kCouldBeBetter, fmt::format("{} of {} in use", bytes_text(used), bytes_text(total)),
            "memory has run short; a page that comes back from a disk costs a batch");
        finding.remedies = {{.action = "bring all back into memory, if it fits",
                             .command = "sudo swapoff -a",
                             .undo = "sudo swapon -a"}};
    }
    return finding;
}

Finding judge_memory(const Value& facts) {
    Finding finding =
        start_finding("memory", Affects::kSingleNumbers, facts, {"memory_available_bytes", "memory_total_bytes"});
    if (facts["memory_available_bytes"].is_nil()) {
        finding.meaning = "how much memory is free is not known";
        return finding;
    }
    const double available = facts["memory_available_bytes"].as_double();
    std::string found = fmt::format("{} available", bytes_text(available));
    if (!facts["memory_total_bytes"].is_nil())
        found = fmt::format("{} of {} available", bytes_text(available),
                            bytes_text(facts["memory_total_bytes"].as_double()));
    if (available >= kLittleMemoryBytes) {
        set(finding, FitnessState::kGood, found, "more than two workers use");
        return finding;
    }
    if (available >= kTooLittleMemoryBytes)
        set(finding, FitnessState::kCouldBeBetter, found, "two workers with large cases may run short of it");
    else {
        set(finding, FitnessState::kBad, found, "workers will push each other's pages out, or be killed");
        finding.affects = Affects::kPairs;
        finding.cause = "too little memory";
    }
    finding.remedies = {
        {.action = "see who holds it", .command = "ps -eo rss,pid,user,comm --sort=-rss | head", .undo = {}}};
    return finding;
}

}  // namespace tare::pmu
