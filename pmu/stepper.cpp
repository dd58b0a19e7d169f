// Setting up memory, signal stack and handler; and the two functions that execute with the trap flag set, which lie in
// a section of their own so that the handler can tell them from what is to be recorded.
#include "pmu/stepper.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "pmu/trap_handler.h"

namespace tare::pmu {

using core::ErrorCode;
using core::Expected;

namespace {

constexpr std::size_t kTrapsPerStep = 50;            // one `rep stosb` of a page is 4,096 traps
constexpr std::size_t kSignalStackBytes = 64 << 10;  // the handler needs 6 KiB beyond the frame that the kernel writes
constexpr std::size_t kMostSteps = std::size_t{1} << 26;  // 5 GiB of memory; half an hour of stepping

/// Anonymous memory whose pages are all there: a page fault in the handler would be one more thing between two steps.
class Memory {
  public:
    static std::optional<Memory> map(std::size_t size) {
        void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        if (data == MAP_FAILED) return std::nullopt;
        return Memory(data, size);
    }
    Memory(Memory&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
    Memory& operator=(Memory&&) = delete;
    ~Memory() {
        if (data_ != nullptr) munmap(data_, size_);
    }
    [[nodiscard]] char* data() const { return static_cast<char*>(data_); }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    Memory(void* data, std::size_t size) : data_(data), size_(size) {}
    void* data_;
    std::size_t size_;
};

tl::unexpected<core::Error> system_refuses(const char* what) {
    return core::fail(ErrorCode::kEnvironment, fmt::format("cannot step: {}: {}", what, std::strerror(errno)));
}

sigset_t only_trap() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTRAP);
    return set;
}

/// What was recorded before.
[[gnu::always_inline]] inline void forget(TrapRecord& record) {
    record.step_count = record.repeat_count = record.system_call_count = record.trap_count = 0;
    record.python_step_count = 0;
    record.after_system_call = 0;
    record.trap_blocked = false;
    record.refusal = core::Refusal::kNone;
}

// Below the stack pointer lies the red zone of the function that these are inlined into.
[[gnu::always_inline]] inline void set_trap_flag() {
    asm volatile(
        "lea -128(%%rsp), %%rsp\n\t"
        "pushfq\n\t"
        "orq %0, (%%rsp)\n\t"
        "popfq\n\t"
        "lea 128(%%rsp), %%rsp"
        :
        : "i"(kTrapFlag)
        : "memory", "cc");
}

/// Whether it was set.
[[gnu::always_inline]] inline bool clear_trap_flag() {
    std::int64_t flags = 0;
    asm volatile(
        "lea -128(%%rsp), %%rsp\n\t"
        "pushfq\n\t"
        "movq (%%rsp), %0\n\t"
        "andq %1, (%%rsp)\n\t"
        "popfq\n\t"
        "lea 128(%%rsp), %%rsp"
        : "=&r"(flags)
        : "i"(~kTrapFlag)
        : "memory", "cc");
    return (flags & kTrapFlag) != 0;
}

}  // namespace

struct Stepper::State {
    TrapRecord record;
    Memory arrays;
    Memory signal_stack;
    struct sigaction old_action {};
    stack_t old_stack{};
    bool trap_was_blocked = false;
    bool claimed = false;
    bool installed = false;
    bool flag_lost = false;  ///< somebody has cleared the trap flag between begin() and end()

    State(Memory arrays_memory, Memory stack_memory, std::size_t limit)
        : arrays(std::move(arrays_memory)), signal_stack(std::move(stack_memory)) {
        char* next = arrays.data();
        record.steps = reinterpret_cast<core::Step*>(next);
        record.system_calls = reinterpret_cast<core::SystemCall*>(next += limit * sizeof(core::Step));
        record.python_steps = reinterpret_cast<core::PythonStep*>(next += limit * sizeof(core::SystemCall));
        record.repeats = reinterpret_cast<core::Repeat*>(next + limit * sizeof(core::PythonStep));
        record.limit = limit;
        record.trap_limit = limit * kTrapsPerStep;
        record.process = getpid();
    }
    ~State() {
        if (installed) uninstall();
        if (claimed) release_traps();
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    /// Handler, signal stack and mask, each where it is not ours yet.
    [[nodiscard]] core::Status install();
    void uninstall();
    [[nodiscard]] bool has_signal_stack() const {
        stack_t now{};
        return sigaltstack(nullptr, &now) == 0 && now.ss_sp == signal_stack.data();
    }
    [[nodiscard]] bool handles_traps() const {
        struct sigaction now {};
        return sigaction(SIGTRAP, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
               now.sa_sigaction == handle_trap;
    }
};

core::Status Stepper::State::install() {
    if (!has_signal_stack()) {
        stack_t stack{};
        stack.ss_sp = signal_stack.data();
        stack.ss_size = signal_stack.size();
        if (sigaltstack(&stack, &old_stack) != 0) return system_refuses("sigaltstack");
    }
    installed = true;
    if (!handles_traps()) {
        struct sigaction action {};
        action.sa_sigaction = handle_trap;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigfillset(&action.sa_mask);  // no other handler runs on our stack
        if (sigaction(SIGTRAP, &action, &old_action) != 0) return system_refuses("sigaction");
    }
    const sigset_t trap = only_trap();
    sigset_t before;
    pthread_sigmask(SIG_UNBLOCK, &trap, &before);  // blocked, the first trap would kill the process
    trap_was_blocked = trap_was_blocked || sigismember(&before, SIGTRAP) == 1;
    return {};
}

/// Only what is still ours: the program may have put something of its own there.
void Stepper::State::uninstall() {
    if (handles_traps()) sigaction(SIGTRAP, &old_action, nullptr);
    if (has_signal_stack()) sigaltstack(&old_stack, nullptr);
    const sigset_t trap = only_trap();
    if (trap_was_blocked) pthread_sigmask(SIG_BLOCK, &trap, nullptr);
}

Stepper::Stepper(std::unique_ptr<State> state) : state_(std::move(state)) {}
Stepper::~Stepper() = default;
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;

Expected<Stepper> Stepper::open(std::size_t limit, FrameLook frames) {
    if (limit == 0 || limit > kMostSteps)
        return core::fail(ErrorCode::kUsage, fmt::format("cannot step {} instructions", limit),
                          fmt::format("choose a limit from 1 to {}", kMostSteps));
    auto arrays = Memory::map(
        limit * (sizeof(core::Step) + sizeof(core::SystemCall) + sizeof(core::PythonStep) + sizeof(core::Repeat)));
    if (!arrays) return system_refuses("memory for the steps");
    auto stack = Memory::map(kSignalStackBytes + getauxval(AT_MINSIGSTKSZ));  // with AMX a frame alone is 11 KiB
    if (!stack) return system_refuses("memory for a signal stack");
    auto state = std::make_unique<State>(*std::move(arrays), *std::move(stack), limit);
    state->claimed = claim_traps(state->record);
    if (!state->claimed)
        return core::fail(ErrorCode::kEnvironment, "cannot step: this process is being stepped already");
    if (core::Status s = state->install(); !s) return tl::unexpected<core::Error>(s.error());
    Stepper stepper(std::move(state));
    // Valgrind and user-mode emulators execute POPF without ever trapping.
    stepper.begin();
    asm volatile("nop");
    stepper.end();
    if (stepper.state_->record.step_count == 0)
        return core::fail(ErrorCode::kEnvironment, "cannot step: the CPU's trap flag has no effect here",
                          "run on the machine itself, not under Valgrind or an emulator");
    forget(stepper.state_->record);
    stepper.state_->record.frames = frames;
    return stepper;
}

core::Status Stepper::arm() {
    state_->record.refusal = core::Refusal::kNone;
    return state_->install();
}

[[gnu::section("tare_step"), gnu::noinline]] void Stepper::begin() {
    TrapRecord& record = state_->record;
    const bool handler_is_gone = record.refusal == core::Refusal::kReplacesTrap;
    forget(record);
    state_->flag_lost = false;
    if (handler_is_gone) record.refusal = core::Refusal::kReplacesTrap;
    if (handler_is_gone) return;
    record.recording = true;
    set_trap_flag();
}

[[gnu::section("tare_step"), gnu::noinline]] void Stepper::end() {
    const bool was_set = clear_trap_flag();
    TrapRecord& record = state_->record;
    if (record.recording && !was_set) state_->flag_lost = true;
    record.recording = false;
}

core::Trace Stepper::take() {
    TrapRecord& record = state_->record;
    core::Trace trace;
    trace.steps.assign(record.steps, record.steps + record.step_count);
    trace.repeats.assign(record.repeats, record.repeats + record.repeat_count);
    trace.system_calls.assign(record.system_calls, record.system_calls + record.system_call_count);
    trace.python.assign(record.python_steps, record.python_steps + record.python_step_count);
    trace.refusal = record.refusal;
    if (trace.refusal == core::Refusal::kNone && record.trap_blocked) trace.refusal = core::Refusal::kBlocksTrap;
    if (state_->flag_lost) {
        trace.refusal = core::Refusal::kBlocksTrap;
        trace.refusal_detail = "the trap flag was cleared on the way, as by a jump out of a signal handler";
    }
    if (trace.refusal == core::Refusal::kTooLong && record.trap_count > record.trap_limit)
        trace.refusal_detail = fmt::format(
            "or more than {} with the iterations of `rep` instructions, each of which traps", record.trap_limit);
    return trace;
}

}  // namespace tare::pmu
