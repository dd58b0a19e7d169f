// State of the handler of SIGTRAP: one stepped call at a time, by one thread.
#include "harness/attribution/unwinder_test_sampler.h"

#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "harness/attribution/unwinder_test_code.h"

namespace tare::attribution {

namespace {

constexpr std::size_t kStackBytes = 65536;
constexpr std::uint64_t kRedZone = 128;

struct Raw {
    core::Registers registers;
    std::uint64_t address;
    std::uint64_t size;
    std::byte bytes[kStackBytes];
};

struct Recorder {
    Raw* samples = nullptr;
    std::size_t count = 0;
    std::size_t most = 0;
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    std::uint64_t stack_end = 0;
    std::uint64_t function = 0;
    std::array<std::uint64_t, 2> callers{};    // return addresses of the function and of call_stepped
    std::uint64_t function_stack_pointer = 0;  // at the function's first instruction; 0: it does not run
};
Recorder recorder;

core::Registers registers_of(const ucontext_t& context) {
    const auto& g = context.uc_mcontext.gregs;
    core::Registers registers{};
    constexpr std::array<int, 17> kOrder = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                            REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                            REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    for (std::size_t i = 0; i < kOrder.size(); ++i) registers[i] = static_cast<std::uint64_t>(g[kOrder[i]]);
    return registers;
}

/// memcpy, unseen by the address sanitizer: stacks have red zones that it guards.
[[gnu::no_sanitize_address]] void copy_words(std::byte* to, std::uint64_t from, std::uint64_t bytes) {
    auto* words = reinterpret_cast<volatile std::uint64_t*>(to);
    const auto* source = reinterpret_cast<const volatile std::uint64_t*>(from);
    for (std::uint64_t i = 0; i < bytes / sizeof(std::uint64_t); ++i) words[i] = source[i];
}

void record(int, siginfo_t*, void* context) {
    const core::Registers registers = registers_of(*static_cast<ucontext_t*>(context));
    const std::uint64_t address = registers[core::kInstructionPointer];
    // As a sampler's handler does: leaves a return address from which the signal frame leads out again.
    const volatile Function leaf = &bare_leaf;
    leaf(0);
    const std::uint64_t stack_pointer = registers[core::kStackPointer];
    if (address == recorder.function && recorder.function_stack_pointer == 0) {
        recorder.function_stack_pointer = stack_pointer;
        copy_words(reinterpret_cast<std::byte*>(&recorder.callers[0]), stack_pointer, sizeof(std::uint64_t));
    }
    if (stack_pointer > recorder.function_stack_pointer) recorder.function_stack_pointer = 0;  // it has returned
    if (recorder.function_stack_pointer == 0 || recorder.count == recorder.most) return;
    if (address < recorder.first || address >= recorder.end) return;
    Raw& raw = recorder.samples[recorder.count++];
    raw.registers = registers;
    raw.address = stack_pointer - kRedZone;
    raw.size = std::min<std::uint64_t>(recorder.stack_end - raw.address, kStackBytes);
    copy_words(raw.bytes, raw.address, raw.size);
}

std::uint64_t own_stack_end() {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    void* start = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
    return reinterpret_cast<std::uint64_t>(start) + size;
}

[[gnu::noinline]] void call_stepped(Function function, std::uint64_t argument) {
    recorder.callers[1] = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
    asm volatile("pushfq\n orq $0x100, (%%rsp)\n popfq" ::: "memory", "cc");
    asm volatile("" ::"r"(function(argument)));
    asm volatile("pushfq\n andq $~0x100, (%%rsp)\n popfq" ::: "memory", "cc");
}

/// What earlier calls left below the stack pointer would be there for the scan to find: which of it differs from run to
/// run.
[[gnu::noinline]] void clear_stack_below() {
    volatile std::byte bytes[32768];
    for (auto& byte : bytes) byte = std::byte{0};
}

/// The addresses that return into the callers of the function that calls this.
[[gnu::noinline]] std::vector<std::uint64_t> callers_seen_by_libgcc() {
    std::array<void*, 256> found{};
    const int count = ::backtrace(found.data(), static_cast<int>(found.size()));
    const auto end = found.begin() + count;  // of sanitizers' own frames there may be some before the caller
    const auto caller = std::find(found.begin(), end, __builtin_return_address(0));
    std::vector<std::uint64_t> callers;
    for (auto i = caller == end ? end : caller + 1; i != end; ++i)
        callers.push_back(reinterpret_cast<std::uint64_t>(*i) - 1);
    return callers;
}

}  // namespace

[[gnu::noinline]] SteppedCall stepped(Function function, std::uint64_t argument, std::size_t most_samples,
                                      std::uint64_t first, std::uint64_t end) {
    SteppedCall result;
    void* memory = ::mmap(nullptr, most_samples * sizeof(Raw), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return result;
    recorder = {static_cast<Raw*>(memory),
                0,
                most_samples,
                first,
                end,
                own_stack_end(),
                reinterpret_cast<std::uint64_t>(function),
                {},
                0};
    struct sigaction action {};
    struct sigaction before {};
    action.sa_sigaction = &record;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGTRAP, &action, &before);
    clear_stack_below();
    call_stepped(function, argument);
    ::sigaction(SIGTRAP, &before, nullptr);

    for (std::size_t i = 0; i < recorder.count; ++i) {
        const Raw& raw = recorder.samples[i];
        core::StackSample sample;
        sample.registers = raw.registers;
        sample.stack_address = raw.address;
        sample.stack.assign(raw.bytes, raw.bytes + raw.size);
        sample.stack_cut = raw.address + raw.size < recorder.stack_end;
        result.samples.push_back(std::move(sample));
    }
    ::munmap(memory, most_samples * sizeof(Raw));
    for (const std::uint64_t address : recorder.callers) result.callers.push_back(address - 1);
    const std::vector<std::uint64_t> around = callers_seen_by_libgcc();
    result.callers.insert(result.callers.end(), around.begin(), around.end());
    return result;
}

}  // namespace tare::attribution
