// One trap: where the program is, and whether the system call that it is about to make would end the stepping badly.
// A refusal clears the trap flag in the context that the kernel restores, so the program runs on natively.
#include "pmu/trap_handler.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>

#include <atomic>
#include <cstring>

// Bounds of the section that begin() and end() are in, made by the linker; of this program or shared object.
extern "C" {
[[gnu::visibility("hidden")]] extern const char tare_step_first[] __asm__("__start_tare_step");
[[gnu::visibility("hidden")]] extern const char tare_step_last[] __asm__("__stop_tare_step");
}

namespace tare::pmu {

using core::Refusal;

namespace {

constexpr std::uint64_t kTrapBit = std::uint64_t{1} << (SIGTRAP - 1);  // of the kernel's 64-bit signal set
constexpr std::size_t kSystemCallBytes = 2;                            // 0F 05

std::atomic<TrapRecord*> record_in_use{nullptr};
static_assert(std::atomic<TrapRecord*>::is_always_lock_free);

/// Memory that the program names in a system call and that need not be there. Where a sandbox forbids the call that
/// cannot fault, the program's own access would not have faulted either, as good as always.
bool copy_from(const TrapRecord& record, void* to, std::uint64_t from, std::size_t size) {
    iovec local{to, size};
    iovec remote{reinterpret_cast<void*>(from), size};
    const ssize_t n = process_vm_readv(record.process, &local, 1, &remote, 1, 0);
    if (n < 0 && errno != EFAULT) {
        std::memcpy(to, remote.iov_base, size);
        return true;
    }
    return n == static_cast<ssize_t>(size);
}

bool copy_to(const TrapRecord& record, std::uint64_t to, void* from, std::size_t size) {
    iovec local{from, size};
    iovec remote{reinterpret_cast<void*>(to), size};
    const ssize_t n = process_vm_writev(record.process, &local, 1, &remote, 1, 0);
    if (n < 0 && errno != EFAULT) {
        std::memcpy(remote.iov_base, from, size);
        return true;
    }
    return n == static_cast<ssize_t>(size);
}

void refuse(TrapRecord& record, gregset_t& registers, Refusal reason) {
    record.refusal = reason;
    record.recording = false;
    registers[REG_EFL] &= ~kTrapFlag;
}

/// rt_sigprocmask(how, set, old, 8) in the program's stead, SIGTRAP excepted: blocked, the next trap would kill the
/// process. glibc blocks every signal for a moment before it starts a thread or a process. The mask takes effect when
/// the handler returns; so does the way past the `syscall` instruction.
void set_signal_mask(TrapRecord& record, ucontext_t& context, std::uint64_t set) {
    gregset_t& registers = context.uc_mcontext.gregs;
    std::uint64_t mask = 0;
    std::memcpy(&mask, &context.uc_sigmask, sizeof mask);
    std::uint64_t old = mask;
    mask = registers[REG_RDI] == SIG_BLOCK ? mask | set : set;
    mask &= ~kTrapBit;
    std::memcpy(&context.uc_sigmask, &mask, sizeof mask);
    const auto to = static_cast<std::uint64_t>(registers[REG_RDX]);
    registers[REG_RAX] = to == 0 || copy_to(record, to, &old, sizeof old) ? 0 : -EFAULT;
    registers[REG_RIP] += kSystemCallBytes;
    registers[REG_RCX] = registers[REG_RIP];  // as the instruction itself leaves them
    registers[REG_R11] = registers[REG_EFL];
    record.trap_blocked = true;
}

void look_at_signal_mask(TrapRecord& record, ucontext_t& context) {
    const gregset_t& registers = context.uc_mcontext.gregs;
    std::uint64_t set = 0;
    if (registers[REG_RSI] == 0 || registers[REG_R10] != sizeof set) return;
    if (!copy_from(record, &set, static_cast<std::uint64_t>(registers[REG_RSI]), sizeof set)) return;
    const bool names_trap = (set & kTrapBit) != 0;
    const auto how = registers[REG_RDI];
    if (names_trap && (how == SIG_BLOCK || how == SIG_SETMASK)) set_signal_mask(record, context, set);
    if (names_trap ? how == SIG_UNBLOCK : how == SIG_SETMASK) record.trap_blocked = false;
}

void look_at_system_call(TrapRecord& record, ucontext_t& context) {
    gregset_t& registers = context.uc_mcontext.gregs;
    switch (registers[REG_RAX]) {
        case SYS_clone:
            return refuse(record, registers,
                          (registers[REG_RDI] & CLONE_THREAD) != 0 ? Refusal::kThread : Refusal::kProcess);
        case SYS_clone3: {
            std::uint64_t flags = 0;  // the first member of struct clone_args
            const bool known = copy_from(record, &flags, static_cast<std::uint64_t>(registers[REG_RDI]), sizeof flags);
            return refuse(record, registers,
                          known && (flags & CLONE_THREAD) != 0 ? Refusal::kThread : Refusal::kProcess);
        }
        case SYS_fork:
        case SYS_vfork:
            return refuse(record, registers, Refusal::kProcess);
        case SYS_execve:
        case SYS_execveat:
            return refuse(record, registers, Refusal::kProgram);
        case SYS_rt_sigaction:
            if (registers[REG_RDI] == SIGTRAP && registers[REG_RSI] != 0)
                refuse(record, registers, Refusal::kReplacesTrap);
            return;
        case SYS_rt_sigprocmask:
            return look_at_signal_mask(record, context);
        default:
            return;
    }
}

/// False: there is no more room, and stepping has ended.
bool add_step(TrapRecord& record, gregset_t& registers, const core::Step& step) {
    if (record.step_count == record.limit) {
        refuse(record, registers, Refusal::kTooLong);
        return false;
    }
    record.steps[record.step_count++] = step;
    if (core::PythonStep now; record.frames.look != nullptr && record.frames.look(record.frames.context, now)) {
        now.step = static_cast<std::uint32_t>(record.step_count - 1);
        record.python_steps[record.python_step_count++] = now;
    }
    return true;
}

void add_repeat(TrapRecord& record) {
    const auto step = static_cast<std::uint32_t>(record.step_count - 1);
    if (record.repeat_count > 0 && record.repeats[record.repeat_count - 1].step == step)
        ++record.repeats[record.repeat_count - 1].times;
    else
        record.repeats[record.repeat_count++] = {.step = step, .times = 1};
}

void record_trap(TrapRecord& record, ucontext_t& context) {
    gregset_t& registers = context.uc_mcontext.gregs;
    const auto address = static_cast<std::uint64_t>(registers[REG_RIP]);
    if (++record.trap_count > record.trap_limit) return refuse(record, registers, Refusal::kTooLong);
    // The kernel returns from a system call with the flag set but the instruction behind it runs before the next trap
    // (entry_64.S: TF is restored by IRET). A system call changes none of the registers of a step.
    if (const std::uint64_t skipped = std::exchange(record.after_system_call, 0); skipped != 0 && skipped != address) {
        core::Step step = record.steps[record.step_count - 1];
        step.address = skipped;
        if (!add_step(record, registers, step)) return;
    }
    if (address - reinterpret_cast<std::uint64_t>(tare_step_first) <
        static_cast<std::uint64_t>(tare_step_last - tare_step_first))
        return;
    if (record.step_count > 0 && record.steps[record.step_count - 1].address == address) return add_repeat(record);
    if (!add_step(record, registers,
                  {.address = address,
                   .stack_pointer = static_cast<std::uint64_t>(registers[REG_RSP]),
                   .argument1 = static_cast<std::uint64_t>(registers[REG_RDI]),
                   .argument2 = static_cast<std::uint64_t>(registers[REG_RSI])}))
        return;
    // The second byte is looked at only where the first says that there is one: a page may end between.
    const auto* code = reinterpret_cast<const unsigned char*>(address);
    if (code[0] != 0x0F || code[1] != 0x05) return;
    record.system_calls[record.system_call_count++] = {.step = static_cast<std::uint32_t>(record.step_count - 1),
                                                       .number = registers[REG_RAX]};
    record.after_system_call = address + kSystemCallBytes;
    look_at_system_call(record, context);
}

}  // namespace

bool claim_traps(TrapRecord& record) {
    TrapRecord* none = nullptr;
    return record_in_use.compare_exchange_strong(none, &record);
}

void release_traps() {
    record_in_use.store(nullptr);
}

void handle_trap(int, siginfo_t* info, void* raw) {
    if (info->si_code != TRAP_TRACE) return;  // sent by somebody, or a breakpoint: not ours
    const int error = errno;
    ucontext_t& context = *static_cast<ucontext_t*>(raw);
    TrapRecord* record = record_in_use.load(std::memory_order_relaxed);
    if (record != nullptr && record->recording)
        record_trap(*record, context);
    else  // flags that were saved while stepping have been restored
        context.uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
    errno = error;
}

}  // namespace tare::pmu
