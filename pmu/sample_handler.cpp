// One sample. The interrupted stack is copied from the red zone upwards: the handler's own frame lies below that, or on
// the thread's alternate stack where it has one.
#include "pmu/sample_handler.h"

#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <span>

#include "harness/core/clock.h"
#include "pmu/memory_page.h"
#include "pmu/sample_slot.h"

namespace tare::pmu {

namespace {

constexpr std::uint64_t kRedZoneBytes = 128;  // System V ABI for x86-64, 3.2.2

std::atomic<SampleRing*> ring_of_samples{nullptr};
std::atomic<CopyPythonFrames> copy_frames{nullptr};
static_assert(std::atomic<SampleRing*>::is_always_lock_free && std::atomic<CopyPythonFrames>::is_always_lock_free);

// Initial-exec: any other model may allocate at a thread's first access.
[[gnu::tls_model("initial-exec")]] constinit thread_local SampledThread this_thread;

core::Registers dwarf_registers(const gregset_t& from) {
    constexpr std::array kOrder = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                                   REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    core::Registers to{};
    for (std::size_t i = 0; i < kOrder.size(); ++i) to[i] = static_cast<std::uint64_t>(from[kOrder[i]]);
    return to;
}

/// Memory that is known to be there. Not memcpy, which sanitizers watch: what is copied is other functions' locals.
void copy_bytes(std::byte* to, std::uint64_t from, std::size_t size) {
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size)::"memory");
}

/// Memory that may end anywhere; how much of it could be read. A sandbox may forbid it: 0.
std::size_t copy_guarded(pid_t process, std::byte* to, std::uint64_t from, std::size_t size) {
    std::array<iovec, kMostStackBytes / kPageBytes + 1> pages;  // whole pages are read, or none of one
    std::size_t count = 0;
    for (std::uint64_t at = from, end = from + size; at < end && count < pages.size(); ++count) {
        const std::uint64_t stop = std::min(end, (at / kPageBytes + 1) * kPageBytes);
        pages[count] = {reinterpret_cast<void*>(at), stop - at};
        at = stop;
    }
    const iovec local{to, size};
    const ssize_t n = process_vm_readv(process, &local, 1, pages.data(), count, 0);
    return n < 0 ? 0 : static_cast<std::size_t>(n);
}

struct UsedStack {
    std::uint64_t address;
    std::size_t bytes;
    bool is_own;  ///< the thread's; else a coroutine's or a signal's: nobody knows how far it goes
};

UsedStack used_stack(const SampledThread& thread, std::uint64_t stack_pointer) {
    const std::uint64_t address = stack_pointer - kRedZoneBytes;
    const bool is_own = thread.stack_low < address && stack_pointer < thread.stack_high;
    return {address, is_own ? thread.stack_high - address : kMostStackBytes, is_own};
}

void copy_stack(const SampledThread& thread, const UsedStack& used, SampleSlot& slot, std::span<std::byte> to) {
    slot.stack_address = used.address;
    std::size_t size = std::min(used.bytes, to.size());
    const bool is_cut = used.bytes > size;
    if (used.is_own)
        copy_bytes(to.data(), used.address, size);
    else
        size = copy_guarded(thread.process, to.data(), used.address, size);
    slot.stack_bytes = static_cast<std::uint32_t>(size);
    if (used.is_own ? is_cut : size == to.size()) slot.flags |= kStackCut;
}

/// Just behind a `syscall` (0F 05), or at it where it is to be restarted. Such a place is seen with user registers,
/// too: the way in and out of the kernel runs with interrupts off, and what was due then comes right behind it.
bool is_at_system_call(pid_t process, std::uint64_t instruction) {
    std::array<std::uint8_t, 4> code{};
    const iovec local{code.data(), code.size()};
    const iovec remote{reinterpret_cast<void*>(instruction - 2), code.size()};
    if (process_vm_readv(process, &local, 1, &remote, 1, 0) != static_cast<ssize_t>(code.size())) return false;
    return (code[0] == 0x0F && code[1] == 0x05) || (code[2] == 0x0F && code[3] == 0x05);
}

void fill(const SampleRing::Claim& claim, SampleRing& ring, const SampledThread& thread, const UsedStack& stack,
          const ThreadClock::Tick& tick, std::int64_t now_ns, const ucontext_t& context) {
    SampleSlot& slot = *claim.slot;
    slot.process = thread.process;
    slot.thread = thread.thread;
    slot.time_ns = static_cast<std::uint64_t>(now_ns);
    slot.weight_ns = tick.weight_ns;
    slot.flags = 0;
    if (tick.waits) slot.flags |= kWaits;
    slot.registers = dwarf_registers(context.uc_mcontext.gregs);
    if (tick.in_kernel || is_at_system_call(thread.process, slot.registers[core::kInstructionPointer]))
        slot.flags |= kInKernel;
    copy_stack(thread, stack, slot, claim.stack);
    core::PythonChain chain = core::PythonChain::kNone;
    bool holds_gil = false;
    const CopyPythonFrames copy = copy_frames.load(std::memory_order_relaxed);
    slot.python_frames = copy == nullptr ? 0
                                         : static_cast<std::uint32_t>(copy(ring.code(), claim.python.data(),
                                                                           claim.python.size(), &chain, &holds_gil));
    slot.chain = static_cast<std::uint32_t>(chain);
    if (holds_gil) slot.flags |= kHoldsGil;
}

}  // namespace

SampledThread& sampled_thread() noexcept {
    return this_thread;
}

bool claim_samples(SampleRing& ring, CopyPythonFrames copy_python_frames) {
    SampleRing* none = nullptr;
    if (!ring_of_samples.compare_exchange_strong(none, &ring)) return false;
    copy_frames.store(copy_python_frames);
    return true;
}

void release_samples() noexcept {
    ring_of_samples.store(nullptr);
}

SampleRing* ring_in_use() noexcept {
    return ring_of_samples.load(std::memory_order_relaxed);
}

void handle_sample(int, siginfo_t* info, void* raw) {
    SampledThread& thread = this_thread;
    if (!thread.clock.sent(*info)) return;  // data out of band on a socket, or somebody's kill: ignored by default
    const int error = errno;
    const std::int64_t now_ns = core::wall_clock_ns();
    const std::int64_t cpu_ns = core::thread_cpu_ns();
    SampleRing* ring = ring_in_use();
    if (ring == nullptr || ring->is_over(now_ns)) {
        thread.clock.disable();
    } else if (const ThreadClock::Tick tick = thread.clock.tick(now_ns, cpu_ns); tick.wanted) {
        const auto& context = *static_cast<const ucontext_t*>(raw);
        const UsedStack stack = used_stack(thread, static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RSP]));
        if (const SampleRing::Claim claim = ring->claim(stack.bytes); claim.slot != nullptr) {
            fill(claim, *ring, thread, stack, tick, now_ns, context);
            ring->commit(claim);
        }
        if (tick.unseen_ns > 0) ring->count_unseen(tick.unseen_ns);
        if (tick.delivery_ns > 0) ring->count_delivery(tick.delivery_ns);
        ring->count_handler(static_cast<std::uint64_t>(core::thread_cpu_ns() - cpu_ns), tick.late);
    }
    errno = error;
}

}  // namespace tare::pmu
