// Unwind information first. Then, for code without: its instructions, frame pointers of code without a file, the scan.
// A find counts if it leads to the entry; old return addresses do too, hence the ranks.
#include "harness/attribution/stack_walk.h"

#include <algorithm>
#include <optional>

namespace tare::attribution {

namespace {

constexpr std::size_t kMostFrames = 16384;   // 128 KB hold no more: a frame takes 8 bytes at least
constexpr std::uint64_t kMostSteps = 20000;  // a sample; 1 to 2 ms, where every word of a stack looks like an address
constexpr int kMostSearches = 64;            // one upon another
constexpr std::size_t kFramesOfFind = 3;     // a thread's function, start_thread, clone3: fewer prove little
constexpr int kBestRank = 5;                 // of rank_of
constexpr std::uint64_t kWordBytes = 8;
constexpr std::size_t kFramePointer = 6;
constexpr std::uint64_t kLowestUser = 65536;  // vm.mmap_min_addr
constexpr std::uint64_t kHighestUser = std::uint64_t{1} << 47;
constexpr std::uint64_t kLargestFrame = std::uint64_t{1} << 20;  // that a frame pointer may span

bool is_user_address(std::uint64_t address) {
    return address >= kLowestUser && address < kHighestUser;
}

}  // namespace

NativeStack StackWalk::run() {
    FrameRegisters innermost;
    innermost.values = sample_.registers;
    const End end = follow(innermost, false);
    ++effort_.samples;
    effort_.frames += stack_.frames.size();
    const bool is_scanned =
        std::any_of(stack_.frames.begin(), stack_.frames.end(), [](const NativeFrame& frame) { return frame.scanned; });
    if (end == End::kEntry) stack_.quality = is_scanned ? StackQuality::kScanned : StackQuality::kComplete;
    return std::move(stack_);
}

StackWalk::End StackWalk::follow(FrameRegisters frame, bool is_found) {
    while (stack_.frames.size() < kMostFrames && steps_++ < kMostSteps) {
        stack_.frames.push_back({frame.address(), frame.stack_pointer(), is_found});
        is_found = false;
        const CodeAddress place = code_.find(frame.address());
        const FrameRule* rule = place.file == nullptr ? nullptr : place.file->rule_at(place.address);
        if (rule == nullptr) {
            if (place.file != nullptr && place.file->is_entry(place.address)) return End::kEntry;
            return search(frame, place, nullptr);
        }
        // Frames of earlier signals, those of a sampler above all, lie below the stack pointer of all that ran since.
        if (rests_on_rules_alone_ && rule->is_signal_frame) return End::kLost;
        ++effort_.rules_used;
        FrameRegisters caller;
        const StepEnd end = step(*rule, frame, memory_, caller);
        if (end == StepEnd::kEntry) return End::kEntry;
        if (end == StepEnd::kCut) return End::kCut;
        if (end == StepEnd::kCaller && code_.find(caller.address()).is_code) {
            frame = caller;
            continue;
        }
        // A find whose own frames do not hold is none. Of the sample's own frames the unwind information may be wrong
        // (assembly), or the caller's code younger than the list of modules.
        if (searches_ > 0) return End::kLost;
        return search(frame, place, end == StepEnd::kCaller ? &caller : nullptr);
    }
    return End::kLost;
}

StackWalk::End StackWalk::search(const FrameRegisters& frame, const CodeAddress& place,
                                 const FrameRegisters* unlisted) {
    if (rests_on_rules_alone_ || searches_ >= kMostSearches) return End::kLost;
    ++searches_;
    End end = search_by_code(frame, place);
    if (end == End::kLost && unlisted != nullptr && is_user_address(unlisted->address())) end = attempt(*unlisted);
    if (end == End::kLost && (place.file == nullptr || !place.file->is_readable()))
        end = search_by_frame_pointer(frame);
    if (end == End::kLost) end = scan(frame, place);
    --searches_;
    return end;
}

StackWalk::End StackWalk::search_by_code(const FrameRegisters& frame, const CodeAddress& place) {
    const FrameRule* rule =
        place.file == nullptr ? nullptr : place.file->rule_from_code(place.address, frame.after_call);
    if (rule == nullptr) return End::kLost;
    FrameRegisters caller;
    const StepEnd end = step(*rule, frame, memory_, caller);
    if (end == StepEnd::kCut) return End::kCut;
    if (end != StepEnd::kCaller || fit(code_.find(caller.values[core::kInstructionPointer]), place) < 0)
        return End::kLost;
    const End found = attempt(caller);
    if (found != End::kLost) ++effort_.by_code;
    return found;
}

StackWalk::End StackWalk::search_by_frame_pointer(const FrameRegisters& frame) {
    const std::uint64_t pointer = frame.values[kFramePointer];
    if (!frame.knows(kFramePointer) || pointer % kWordBytes != 0 || pointer - frame.stack_pointer() > kLargestFrame)
        return End::kLost;
    const auto outer = memory_.word_of_stack(pointer);
    const auto returned = memory_.word_of_stack(pointer + kWordBytes);
    if (!outer || !returned) return End::kLost;
    const CodeAddress caller_code = code_.find(*returned);
    if (!caller_code.is_code || (caller_code.file != nullptr && fit(caller_code, {}) < 0)) return End::kLost;
    FrameRegisters caller = frame;
    caller.after_call = true;
    caller.set(core::kInstructionPointer, *returned);
    caller.set(core::kStackPointer, pointer + 2 * kWordBytes);
    caller.set(kFramePointer, *outer);
    const End found = attempt(caller);
    if (found != End::kLost) ++effort_.by_scan;
    return found;
}

StackWalk::End StackWalk::scan(const FrameRegisters& frame, const CodeAddress& place) {
    // An old return address may lead to another piece of code without unwind information, and a second search from
    // there out again: finds that need none are better.
    rests_on_rules_alone_ = true;
    const End end = scan_once(frame, place);
    rests_on_rules_alone_ = false;
    return end != End::kLost ? end : scan_once(frame, place);
}

StackWalk::End StackWalk::scan_once(const FrameRegisters& frame, const CodeAddress& place) {
    if (frame.stack_pointer() - sample_.stack_address > sample_.stack.size()) return End::kLost;
    // Registers that called functions keep are taken to be the caller's still.
    FrameRegisters caller = frame;
    caller.after_call = true;
    int best_rank = -1;
    const std::size_t mark = stack_.frames.size();
    std::vector<NativeFrame> best;
    End best_end = End::kLost;
    const std::uint64_t first = (frame.stack_pointer() + kWordBytes - 1) / kWordBytes * kWordBytes;
    for (std::uint64_t slot = first; slot < memory_.end() && best_rank < kBestRank; slot += kWordBytes) {
        const auto word = memory_.word_of_stack(slot);
        if (!word) break;
        if (!code_.may_hold(*word)) continue;
        caller.set(core::kInstructionPointer, *word);
        caller.set(core::kStackPointer, slot + kWordBytes);
        caller.set(core::kInstructionPointer, *word);
        caller.set(core::kStackPointer, slot + kWordBytes);
        const int rank = rank_of(caller, place);
        if (rank <= best_rank) continue;
        const End end = attempt(caller);
        if (end == End::kLost) continue;
        best_rank = rank;
        best_end = end;
        best.assign(stack_.frames.begin() + static_cast<std::ptrdiff_t>(mark), stack_.frames.end());
        stack_.frames.resize(mark);
    }
    stack_.frames.insert(stack_.frames.end(), best.begin(), best.end());
    if (best_end != End::kLost) ++effort_.by_scan;
    return best_end;
}

int StackWalk::rank_of(const FrameRegisters& caller, const CodeAddress& callee) const {
    const CodeAddress returned = code_.find(caller.values[core::kInstructionPointer]);
    const int fits = fit(returned, callee);
    const FrameRule* rule = fits < 0 ? nullptr : returned.file->rule_at(returned.address - 1);
    if (rule == nullptr) return -1;
    FrameRegisters outer;
    const bool has_outer = step(*rule, caller, memory_, outer) == StepEnd::kCaller;
    const bool is_refuted = has_outer && fit(code_.find(outer.values[core::kInstructionPointer]), returned) == 0;
    return 2 * fits + (is_refuted ? 0 : 1);
}

StackWalk::End StackWalk::attempt(const FrameRegisters& caller) {
    const std::size_t mark = stack_.frames.size();
    const End end = follow(caller, true);
    // `_start` alone, left by somebody who looked at the stack, would be a way to the entry too.
    const bool is_long = stack_.frames.size() - mark >= kFramesOfFind;
    const bool holds = (end == End::kEntry && (is_long || !rests_on_rules_alone_)) || (end == End::kCut && is_long);
    if (!holds) stack_.frames.resize(mark);
    return holds ? end : End::kLost;
}

int StackWalk::fit(const CodeAddress& returned, const CodeAddress& callee) const {
    if (returned.file == nullptr) return -1;
    const CallSite site = returned.file->call_before(returned.address);
    if (site.kind == CallSite::Kind::kNone) return -1;
    if (site.kind == CallSite::Kind::kIndirect) return 1;
    if (callee.file != returned.file || callee.bias != returned.bias) return 0;
    if (const auto start = callee.file->function_start(callee.address)) return *start == site.target ? 2 : 0;
    // No symbol: the nearest function that is known must not lie between.
    return site.target <= callee.address && !callee.file->function_start(site.target) ? 1 : 0;
}

}  // namespace tare::attribution
