// A slot's state is one word: free, claimed or ready; by whom and when it was claimed. So that who claims it, commits
// it or takes it does so by one exchange, and a late commit of a slot taken back fails.
#include "pmu/sample_ring.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/core/clock.h"
#include "pmu/maps_log.h"
#include "pmu/ring_memory.h"
#include "pmu/sample_slot.h"

namespace tare::pmu {

using core::Expected;

namespace {

enum SlotState : std::uint64_t { kFree = 0, kClaimed = 1, kReady = 2 };

// From the lowest bit: state, process, time of the claim in units of 2^20 ns (about 1 ms).
constexpr int kProcessAt = 2;
constexpr int kTimeAt = 24;
constexpr std::uint64_t kMostProcess = (1 << 22) - 1;  // PID_MAX_LIMIT is 2^22 (linux/threads.h)

constexpr std::uint64_t kGoneAfter = 10;        // its process does not exist (in our namespace): a handler takes 0.05
constexpr std::uint64_t kAbandonedAfter = 954;  // 1 s: its thread was ended, or stopped, within the handler

std::uint64_t claim_time() {
    return static_cast<std::uint64_t>(core::wall_clock_ns()) >> 20;
}

SlotState state_of(std::uint64_t word) {
    return static_cast<SlotState>(word & 3);
}

bool is_abandoned(std::uint64_t word) {
    const std::uint64_t now = claim_time();
    const std::uint64_t claimed = word >> kTimeAt;
    if (claimed > now + kAbandonedAfter || now > claimed + kAbandonedAfter) return true;  // of the future: damaged
    const auto process = static_cast<pid_t>((word >> kProcessAt) & kMostProcess);
    return now > claimed + kGoneAfter && (process == 0 || (kill(process, 0) != 0 && errno == ESRCH));
}

/// core::PythonFrame with a byte that may hold anything where that has a bool.
struct RawPythonFrame {
    std::uint64_t address;
    std::uint32_t code;
    std::int32_t offset;
    std::uint8_t is_entry;
};
static_assert(sizeof(RawPythonFrame) == sizeof(core::PythonFrame));
static_assert(offsetof(RawPythonFrame, is_entry) == offsetof(core::PythonFrame, is_entry));

std::vector<core::PythonFrame> read_frames(std::span<const core::PythonFrame> from) {
    std::vector<core::PythonFrame> frames(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        RawPythonFrame raw{};
        std::memcpy(&raw, &from[i], sizeof raw);
        frames[i] = {.address = raw.address, .code = raw.code, .offset = raw.offset, .is_entry = raw.is_entry != 0};
    }
    return frames;
}

/// None: it cannot be what a handler wrote. Everything that decides something is read once.
std::optional<core::StackSample> read_slot(const SampleSlot& slot, std::span<const core::PythonFrame> python,
                                           std::span<const std::byte> stack) {
    const auto once = [](const auto& field) {
        return *const_cast<const volatile std::remove_reference_t<decltype(field)>*>(&field);
    };
    const std::uint32_t flags = once(slot.flags);
    const std::uint32_t chain = once(slot.chain);
    const std::size_t stack_bytes = once(slot.stack_bytes);
    const std::size_t python_frames = once(slot.python_frames);
    core::StackSample sample;
    sample.process = once(slot.process);
    sample.thread = once(slot.thread);
    if ((flags & ~kAllSampleFlags) != 0 || chain > static_cast<std::uint32_t>(core::kLastPythonChain) ||
        stack_bytes > stack.size() || python_frames > python.size() || sample.process <= 0 || sample.thread <= 0)
        return std::nullopt;
    sample.time_ns = once(slot.time_ns);
    sample.weight_ns = once(slot.weight_ns);
    sample.in_kernel = (flags & kInKernel) != 0;
    sample.holds_gil = (flags & kHoldsGil) != 0;
    sample.waits = (flags & kWaits) != 0;
    sample.stack_cut = (flags & kStackCut) != 0;
    sample.chain = static_cast<core::PythonChain>(chain);
    sample.registers = slot.registers;
    sample.stack_address = once(slot.stack_address);
    sample.stack.assign(stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(stack_bytes));
    sample.python = read_frames(python.first(python_frames));
    return sample;
}

template <std::size_t N>
void write_text(std::array<char, N>& to, const std::string& text) {
    const std::size_t size = std::min(text.size(), N - 1);
    text.copy(to.data(), size);
    to[size] = '\0';
}

template <std::size_t N>
std::string read_text(const std::array<char, N>& from) {
    return {from.data(), strnlen(from.data(), N)};
}

}  // namespace

struct SampleRing::State {
    RingMemory memory;
    core::CodeArea code;
    std::span<SharedCount> states;
    std::uint64_t damaged = 0;
    std::uint64_t abandoned = 0;

    explicit State(RingMemory mapped) : memory(std::move(mapped)), code(memory.code()), states(memory.states()) {}
};

SampleRing::SampleRing(std::unique_ptr<State> state) : state_(std::move(state)) {}
SampleRing::SampleRing(SampleRing&&) noexcept = default;
SampleRing& SampleRing::operator=(SampleRing&&) noexcept = default;
SampleRing::~SampleRing() = default;

Expected<SampleRing> SampleRing::create(std::size_t bytes, std::size_t python_frames) {
    return RingMemory::create(bytes, python_frames).map([](RingMemory&& memory) {
        return SampleRing(std::make_unique<State>(std::move(memory)));
    });
}

Expected<SampleRing> SampleRing::open(int descriptor) {
    return RingMemory::open(descriptor).map([](RingMemory&& memory) {
        return SampleRing(std::make_unique<State>(std::move(memory)));
    });
}

int SampleRing::descriptor() const {
    return state_->memory.descriptor();
}

core::CodeArea& SampleRing::code() {
    return state_->code;
}

std::size_t SampleRing::slots() const {
    return state_->states.size();
}

std::size_t SampleRing::large_slots_within(std::size_t bytes) {
    return RingShape::within(bytes, core::kDefaultPythonFrames).large;
}

/// The first that is free: while somebody drains, a few slots are used again and again and stay in the caches.
SampleRing::Claim SampleRing::claim(std::size_t stack_bytes) noexcept {
    const std::uint64_t ticket =
        kClaimed | (static_cast<std::uint64_t>(getpid()) & kMostProcess) << kProcessAt | claim_time() << kTimeAt;
    const std::size_t count = state_->states.size();
    const std::size_t begin = stack_bytes > kSmallStackBytes ? state_->memory.shape().small : 0;
    for (std::size_t n = 0, i = begin; n < count; ++n, i = i + 1 == count ? 0 : i + 1) {
        std::uint64_t word = state_->states[i].load(std::memory_order_relaxed);
        if (state_of(word) == kFree &&
            state_->states[i].compare_exchange_strong(word, ticket, std::memory_order_acquire))
            return {&state_->memory.slot(i), state_->memory.python(i), state_->memory.stack(i), i, ticket};
    }
    state_->memory.header().dropped.fetch_add(1, std::memory_order_relaxed);
    return {};
}

void SampleRing::commit(const Claim& claim) noexcept {
    std::uint64_t word = claim.ticket;
    // Fails where it was taken for abandoned meanwhile: then it is another's.
    state_->states[claim.index].compare_exchange_strong(word, (claim.ticket & ~std::uint64_t{3}) | kReady,
                                                        std::memory_order_release, std::memory_order_relaxed);
}

void SampleRing::count_handler(std::uint64_t spent_ns, bool was_late) noexcept {
    RingHeader& header = state_->memory.header();
    header.taken.fetch_add(1, std::memory_order_relaxed);
    header.handler_ns.fetch_add(spent_ns, std::memory_order_relaxed);
    if (was_late) header.late.fetch_add(1, std::memory_order_relaxed);
}

void SampleRing::count_delivery(std::uint64_t ns) noexcept {
    state_->memory.header().delivery_ns.fetch_add(ns, std::memory_order_relaxed);
}

void SampleRing::count_unseen(std::uint64_t ns) noexcept {
    state_->memory.header().unseen_ns.fetch_add(ns, std::memory_order_relaxed);
}

/// A thread that waits learns of the end by its next signal: until then it costs nothing either.
bool SampleRing::is_over(std::int64_t now_ns) noexcept {
    RingHeader& header = state_->memory.header();
    const auto now = static_cast<std::uint64_t>(now_ns);
    const std::uint64_t duration = header.duration_ns.load(std::memory_order_relaxed);
    if (duration == 0) return false;
    std::uint64_t first = 0;
    if (header.first_sample_ns.compare_exchange_strong(first, now)) return false;
    if (now < first || now - first <= duration) return false;
    std::uint64_t none = 0;
    if (header.cpu_at_end_ns.load(std::memory_order_relaxed) == 0 && getpid() == first_process())
        header.cpu_at_end_ns.compare_exchange_strong(
            none, static_cast<std::uint64_t>(core::clock_ns(CLOCK_PROCESS_CPUTIME_ID)));
    return true;
}

void SampleRing::set_duration(std::int64_t ns) {
    state_->memory.header().duration_ns.store(static_cast<std::uint64_t>(ns));
}

std::optional<std::int64_t> SampleRing::cpu_ns_at_end() const {
    const std::uint64_t ns = state_->memory.header().cpu_at_end_ns.load();
    return ns == 0 ? std::nullopt : std::optional(static_cast<std::int64_t>(ns));
}

void SampleRing::attach() noexcept {
    std::int32_t none = 0;
    state_->memory.header().first_process.compare_exchange_strong(none, getpid());
}

std::int32_t SampleRing::first_process() const {
    return state_->memory.header().first_process.load();
}

void SampleRing::leave_maps() noexcept {
    const pid_t process = getpid();
    MapsLog(state_->memory.maps(process == first_process())).leave(process);
}

std::string SampleRing::left_maps(std::int32_t process) const {
    const std::int32_t first = first_process();
    const std::int32_t whose = process == 0 ? first : process;
    return whose == 0 ? std::string() : MapsLog(state_->memory.maps(whose == first)).of(whose);
}

void SampleRing::leave_report(const SamplingReport& report) noexcept {
    SharedReport& shared = state_->memory.header().report;
    std::uint32_t none = 0;
    if (getpid() != first_process() || !shared.state.compare_exchange_strong(none, 1)) return;
    shared.clock = static_cast<std::uint32_t>(report.clock);
    shared.sees_kernel = report.sees_kernel ? 1 : 0;
    write_text(shared.fallback_reason, report.fallback_reason);
    write_text(shared.python_problem, report.python_problem);
    write_text(shared.failure, report.failure);
    shared.state.store(2, std::memory_order_release);
}

std::optional<SamplingReport> SampleRing::left_report() const {
    const SharedReport& shared = state_->memory.header().report;
    if (shared.state.load(std::memory_order_acquire) != 2) return std::nullopt;
    const std::uint32_t clock = std::min(shared.clock, static_cast<std::uint32_t>(core::SampleClock::kTimer));
    return SamplingReport{.clock = static_cast<core::SampleClock>(clock),
                          .sees_kernel = shared.sees_kernel != 0,
                          .fallback_reason = read_text(shared.fallback_reason),
                          .python_problem = read_text(shared.python_problem),
                          .failure = read_text(shared.failure)};
}

std::vector<core::StackSample> SampleRing::drain() {
    std::vector<core::StackSample> samples;
    for (std::size_t i = 0; i < state_->states.size(); ++i) {
        std::uint64_t word = state_->states[i].load(std::memory_order_acquire);
        const SlotState slot = state_of(word);
        if (slot == kFree || (slot == kClaimed && !is_abandoned(word))) continue;
        std::optional<core::StackSample> sample;
        if (slot == kReady)
            sample = read_slot(state_->memory.slot(i), state_->memory.python(i), state_->memory.stack(i));
        if (!state_->states[i].compare_exchange_strong(word, kFree, std::memory_order_release,
                                                       std::memory_order_relaxed))
            continue;  // committed in this moment
        if (slot == kClaimed)
            ++state_->abandoned;
        else if (!sample)
            ++state_->damaged;
        else
            samples.push_back(*std::move(sample));
    }
    std::ranges::sort(samples, {}, &core::StackSample::time_ns);
    return samples;
}

SampleCounts SampleRing::counts() const {
    const RingHeader& header = state_->memory.header();
    return {.taken = header.taken.load(),
            .dropped = header.dropped.load(),
            .late = header.late.load(),
            .handler_ns = header.handler_ns.load(),
            .delivery_ns = header.delivery_ns.load(),
            .unseen_ns = header.unseen_ns.load(),
            .damaged = state_->damaged,
            .abandoned = state_->abandoned};
}

}  // namespace tare::pmu
