// At stake: samples that survive the program that took them, from several threads and processes at once, in memory that
// it may scribble on: bench must neither crash nor invent.
#include "pmu/sample_ring.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <thread>

#include "harness/core/clock.h"
#include "pmu/child_for_test.h"
#include "pmu/sample_slot.h"

namespace tare::pmu {
namespace {

using core::StackSample;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::size_t kSmall = std::size_t{7} << 20;  // a dozen slots

SampleRing ring_of(std::size_t bytes) {
    core::Expected<SampleRing> ring = SampleRing::create(bytes);
    EXPECT_TRUE(ring) << ring.error().what;
    return *std::move(ring);
}

std::size_t stack_bytes(std::uint64_t number) {
    return number * 97 % kMostStackBytes;
}

/// A sample whose every part says who wrote it, so that a mixed one is seen.
void write(SampleRing& ring, const SampleRing::Claim& claim, std::int32_t writer, std::uint64_t number) {
    SampleSlot& slot = *claim.slot;
    slot.process = getpid();
    slot.thread = writer;
    slot.time_ns = number;
    slot.weight_ns = 7;
    slot.flags = kInKernel | kWaits;
    if (stack_bytes(number) > claim.stack.size()) slot.flags |= kStackCut;
    slot.chain = static_cast<std::uint32_t>(core::PythonChain::kWhole);
    slot.registers.fill(static_cast<std::uint64_t>(writer));
    slot.stack_address = 0x1000;
    slot.stack_bytes = static_cast<std::uint32_t>(std::min(stack_bytes(number), claim.stack.size()));
    std::fill_n(claim.stack.begin(), slot.stack_bytes, static_cast<std::byte>(writer));
    slot.python_frames = static_cast<std::uint32_t>(number % core::kDefaultPythonFrames);
    std::fill_n(claim.python.begin(), slot.python_frames,
                core::PythonFrame{.address = number, .code = 3, .offset = -1, .is_entry = true});
    ring.commit(claim);
}

bool is_whole(const StackSample& sample) {
    const auto writer = static_cast<std::uint64_t>(sample.thread);
    return std::ranges::all_of(sample.registers, [&](std::uint64_t r) { return r == writer; }) &&
           sample.stack.size() == (sample.stack_cut ? kSmallStackBytes : stack_bytes(sample.time_ns)) &&
           std::ranges::all_of(sample.stack, [&](std::byte b) { return b == static_cast<std::byte>(writer); }) &&
           sample.python.size() == sample.time_ns % core::kDefaultPythonFrames &&
           std::ranges::all_of(sample.python, [&](const core::PythonFrame& f) { return f.address == sample.time_ns; });
}

/// The file's own bytes, for damage.
class SharedBytes {
  public:
    explicit SharedBytes(const SampleRing& ring) {
        struct stat facts {};
        fstat(ring.descriptor(), &facts);
        size_ = static_cast<std::size_t>(facts.st_size);
        data_ =
            static_cast<unsigned char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, ring.descriptor(), 0));
    }
    SharedBytes(const SharedBytes&) = delete;
    SharedBytes& operator=(const SharedBytes&) = delete;
    ~SharedBytes() { munmap(data_, size_); }
    [[nodiscard]] unsigned char* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    unsigned char* data_ = nullptr;
    std::size_t size_ = 0;
};

TEST(SampleRing, gives_back_what_was_written_oldest_first) {
    SampleRing ring = ring_of(kSmall);
    for (const std::uint64_t number : {900, 30, 500}) write(ring, ring.claim(0), 42, number);
    const std::vector<StackSample> samples = ring.drain();
    ASSERT_THAT(samples, SizeIs(3));
    EXPECT_THAT(samples, Each(testing::Truly(is_whole)));
    EXPECT_THAT((std::vector{samples[0].time_ns, samples[1].time_ns, samples[2].time_ns}), ElementsAre(30, 500, 900));
    EXPECT_THAT(samples[0], AllOf(Field(&StackSample::in_kernel, true), Field(&StackSample::waits, true),
                                  Field(&StackSample::holds_gil, false), Field(&StackSample::stack_cut, false),
                                  Field(&StackSample::chain, core::PythonChain::kWhole),
                                  Field(&StackSample::weight_ns, 7), Field(&StackSample::process, getpid())));
    EXPECT_THAT(ring.drain(), IsEmpty());
}

TEST(SampleRing, counts_as_dropped_what_finds_no_slot_and_takes_samples_again_once_drained) {
    SampleRing ring = ring_of(kSmall);
    for (std::size_t i = 0; i < ring.slots(); ++i) write(ring, ring.claim(0), 1, i);
    EXPECT_EQ(ring.claim(0).slot, nullptr);
    EXPECT_EQ(ring.claim(0).slot, nullptr);
    EXPECT_EQ(ring.counts().dropped, 2);
    EXPECT_THAT(ring.drain(), SizeIs(ring.slots()));
    EXPECT_NE(ring.claim(0).slot, nullptr);
}

TEST(SampleRing, gives_large_stacks_large_slots_and_cuts_them_where_only_small_ones_are_free) {
    SampleRing ring = ring_of(kSmall);
    std::size_t large = 0;
    for (SampleRing::Claim claim = ring.claim(kSmallStackBytes + 1); claim.stack.size() == kMostStackBytes;
         claim = ring.claim(kMostStackBytes))
        ++large;  // the last claim is a small one
    EXPECT_GE(large, 2);
    for (std::size_t i = large + 1; i < ring.slots(); ++i)
        EXPECT_THAT(ring.claim(kMostStackBytes).stack, SizeIs(kSmallStackBytes));
    EXPECT_EQ(ring.claim(kMostStackBytes).slot, nullptr);
}

TEST(SampleRing, gives_small_stacks_small_slots_and_large_ones_where_no_other_is_free) {
    SampleRing ring = ring_of(kSmall);
    std::size_t small = 0;
    for (SampleRing::Claim claim = ring.claim(kSmallStackBytes); claim.stack.size() == kSmallStackBytes;
         claim = ring.claim(0))
        ++small;
    EXPECT_GE(small, 7);
    EXPECT_LT(small, ring.slots());
}

TEST(SampleRing, holds_as_many_slots_as_its_bytes_allow_and_refuses_fewer_than_one) {
    const std::size_t all = ring_of(kDefaultRingBytes).slots();
    EXPECT_GE(all, 740);  // 74 times what is drained at once at 1 kHz
    const std::size_t large = SampleRing::large_slots_within(kDefaultRingBytes);
    EXPECT_GE(large, 150);
    EXPECT_LT(large, all / 2);
    EXPECT_EQ(SampleRing::create(std::size_t{5} << 20).error().code, core::ErrorCode::kUsage);
}

TEST(SampleRing, has_room_for_the_python_frames_asked_for) {
    core::Expected<SampleRing> ring = SampleRing::create(kDefaultRingBytes, kMostPythonFrames);
    ASSERT_TRUE(ring) << ring.error().what;
    EXPECT_GE(ring->slots(), 200U);
    const core::Expected<SampleRing> opened = SampleRing::open(ring->descriptor());
    ASSERT_TRUE(opened) << opened.error().what;
    for (const std::size_t stack_bytes : {std::size_t{0}, kMostStackBytes}) {
        const SampleRing::Claim claim = ring->claim(stack_bytes);
        ASSERT_EQ(claim.python.size(), kMostPythonFrames);
        write(*ring, claim, 1, 1);
        claim.slot->python_frames = kMostPythonFrames;
        std::ranges::fill(claim.python, core::PythonFrame{.address = 9});
    }
    const std::vector<StackSample> samples = ring->drain();
    ASSERT_THAT(samples, SizeIs(2));
    for (const StackSample& sample : samples) {
        EXPECT_THAT(sample.python, SizeIs(kMostPythonFrames));
        EXPECT_THAT(sample.stack, AllOf(SizeIs(stack_bytes(1)), Each(std::byte{1}))) << "the frames end before it";
    }
    EXPECT_EQ(SampleRing::create(kDefaultRingBytes, kMostPythonFrames + 1).error().code, core::ErrorCode::kUsage);
}

TEST(SampleRing, keeps_samples_whole_while_threads_write_and_one_drains) {
    SampleRing ring = ring_of(kSmall);
    constexpr int kWriters = 4;
    constexpr std::uint64_t kEach = 4000;
    std::atomic<int> running = kWriters;
    std::vector<std::thread> writers;
    for (int writer = 1; writer <= kWriters; ++writer)
        writers.emplace_back([&, writer] {
            for (std::uint64_t i = 0; i < kEach; ++i)
                if (const auto claim = ring.claim(stack_bytes(i)); claim.slot != nullptr) write(ring, claim, writer, i);
            --running;
        });
    std::uint64_t drained = 0;
    for (bool last = false; !last;) {
        last = running == 0;
        const std::vector<StackSample> samples = ring.drain();
        drained += samples.size();
        EXPECT_TRUE(std::ranges::all_of(samples, is_whole));
    }
    for (std::thread& each : writers) each.join();
    EXPECT_EQ(drained + ring.counts().dropped, kWriters * kEach);
    EXPECT_GT(drained, 0);
    EXPECT_EQ(ring.counts().damaged, 0);
    EXPECT_EQ(ring.counts().abandoned, 0);
}

TEST(SampleRing, is_shared_with_forked_children_and_outlives_them) {
    SampleRing ring = ring_of(kSmall);
    for (int child = 1; child <= 3; ++child)
        EXPECT_EQ(result_of_child([&] {
                      write(ring, ring.claim(0), child, 5);
                      ring.count_handler(10, true);
                      return 0;
                  }),
                  0);
    EXPECT_THAT(ring.drain(), AllOf(SizeIs(3), Each(testing::Truly(is_whole))));
    const SampleCounts counts = ring.counts();
    EXPECT_EQ(counts.taken, 3);
    EXPECT_EQ(counts.late, 3);
    EXPECT_EQ(counts.handler_ns, 30);
}

TEST(SampleRing, takes_back_the_slot_of_a_child_that_was_killed_while_it_wrote) {
    SampleRing ring = ring_of(kSmall);
    const std::int64_t begun_ns = core::wall_clock_ns();
    const int status = status_of_child([&] {
        ring.claim(0).slot->thread = 1;
        raise(SIGKILL);
        return 0;
    });
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_THAT(ring.drain(), IsEmpty());
    if (core::wall_clock_ns() - begun_ns < 8'000'000) {
        EXPECT_EQ(ring.counts().abandoned, 0) << "so young a claim may be that of a process in another PID namespace";
    }
    usleep(30'000);
    EXPECT_THAT(ring.drain(), IsEmpty());
    EXPECT_EQ(ring.counts().abandoned, 1);
    for (std::size_t i = 0; i < ring.slots(); ++i) EXPECT_NE(ring.claim(0).slot, nullptr);
}

TEST(SampleRing, takes_a_slot_back_after_a_second_and_refuses_its_late_commit) {
    SampleRing ring = ring_of(kSmall);
    const SampleRing::Claim slow = ring.claim(0);
    usleep(1'050'000);
    EXPECT_THAT(ring.drain(), IsEmpty());
    EXPECT_EQ(ring.counts().abandoned, 1);
    write(ring, slow, 1, 1);
    EXPECT_THAT(ring.drain(), IsEmpty());
    const SampleRing::Claim next = ring.claim(0);
    ASSERT_EQ(next.slot, slow.slot);
    ring.commit(slow);
    EXPECT_THAT(ring.drain(), IsEmpty()) << "it is another's now, who has not written it";
    write(ring, next, 2, 2);
    EXPECT_THAT(ring.drain(), ElementsAre(testing::Truly(is_whole)));
}

TEST(SampleRing, counts_and_drops_slots_that_cannot_be_what_a_handler_wrote) {
    SampleRing ring = ring_of(kSmall);
    const auto damage = [&](auto&& what) {
        const SampleRing::Claim claim = ring.claim(0);
        write(ring, claim, 1, 1);
        what(*claim.slot);
    };
    damage([](SampleSlot& slot) { slot.stack_bytes = kSmallStackBytes + 1; });
    damage([](SampleSlot& slot) { slot.python_frames = core::kDefaultPythonFrames + 1; });
    damage([](SampleSlot& slot) { slot.flags = 16; });
    damage([](SampleSlot& slot) { slot.chain = 7; });
    damage([](SampleSlot& slot) { slot.process = 0; });
    damage([](SampleSlot& slot) { slot.thread = -1; });
    EXPECT_THAT(ring.drain(), IsEmpty());
    EXPECT_EQ(ring.counts().damaged, 6);
    EXPECT_NE(ring.claim(0).slot, nullptr);
}

TEST(SampleRing, survives_arbitrary_bytes_in_all_of_its_memory) {
    std::mt19937_64 random(20240607);
    SampleRing ring = ring_of(kSmall);
    const SharedBytes shared(ring);
    for (int round = 0; round < 60; ++round) {
        for (std::size_t i = 0; i < ring.slots(); ++i)
            if (const auto claim = ring.claim(0); claim.slot != nullptr) write(ring, claim, 1, i);
        for (int i = 0; i < 20'000; ++i) shared.data()[random() % shared.size()] = static_cast<unsigned char>(random());
        for (std::size_t i = 0; i < 16'384; ++i)  // header and states, where it matters
            if (random() % 3 == 0) shared.data()[i] = static_cast<unsigned char>(random());
        for (const StackSample& sample : ring.drain()) {
            EXPECT_LE(sample.stack.size(), kMostStackBytes);
            EXPECT_LE(sample.python.size(), core::kDefaultPythonFrames);
        }
        (void)ring.counts();
        (void)ring.left_report();
        (void)ring.left_maps();
        (void)ring.left_maps(static_cast<std::int32_t>(random()));
        ring.leave_maps();
    }
}

TEST(SampleRing, opens_what_another_made_and_nothing_else) {
    SampleRing made = ring_of(kSmall);
    core::Expected<SampleRing> opened = SampleRing::open(made.descriptor());
    ASSERT_TRUE(opened) << opened.error().what;
    EXPECT_EQ(opened->slots(), made.slots());
    write(*opened, opened->claim(0), 9, 9);
    EXPECT_THAT(made.drain(), SizeIs(1));

    EXPECT_EQ(SampleRing::open(9999).error().code, core::ErrorCode::kData);
    const int other = memfd_create("other", MFD_CLOEXEC);
    ASSERT_EQ(ftruncate(other, kSmall), 0);
    EXPECT_THAT(SampleRing::open(other).error().what, HasSubstr("not sealed"));
    close(other);
    const SharedBytes shared(made);
    shared.data()[8] ^= 1;  // the number of slots
    EXPECT_THAT(SampleRing::open(made.descriptor()).error().what, HasSubstr("size"));
    shared.data()[0] ^= 1;
    EXPECT_THAT(SampleRing::open(made.descriptor()).error().what, HasSubstr("begins otherwise"));
}

TEST(SampleRing, cannot_be_cut_short_under_its_reader) {
    SampleRing ring = ring_of(kSmall);
    EXPECT_EQ(ftruncate(ring.descriptor(), 4096), -1);
}

TEST(SampleRing, holds_the_maps_of_the_first_process_apart_from_those_of_its_children) {
    SampleRing ring = ring_of(kSmall);
    EXPECT_EQ(ring.left_maps(), "");
    ring.attach();
    std::array<pid_t, 40> children{};
    for (pid_t& child : children) {  // more than fit
        child = fork();
        if (child == 0) {
            ring.attach();
            ring.leave_maps();
            _exit(0);
        }
        waitpid(child, nullptr, 0);
    }
    ring.leave_maps();
    EXPECT_EQ(ring.first_process(), getpid());
    const std::string own = ring.left_maps();
    EXPECT_THAT(own, AllOf(HasSubstr("[stack]"), HasSubstr("tare-samples")));
    EXPECT_EQ(own.back(), '\n');
    EXPECT_EQ(ring.left_maps(getpid()), own);
    EXPECT_THAT(ring.left_maps(children[0]), HasSubstr("[stack]"));
    EXPECT_EQ(ring.left_maps(1), "");
}

TEST(SampleRing, holds_what_the_first_process_said_of_itself) {
    SampleRing ring = ring_of(kSmall);
    const SamplingReport report{.clock = core::SampleClock::kTimer,
                                .sees_kernel = false,
                                .fallback_reason = "EPERM: refused",
                                .python_problem = std::string(1000, 'x'),
                                .failure = ""};
    ring.leave_report(report);
    EXPECT_EQ(ring.left_report(), std::nullopt) << "it had not attached";
    ring.attach();
    ring.leave_report(report);
    ring.leave_report({});
    const std::optional<SamplingReport> left = ring.left_report();
    ASSERT_TRUE(left);
    EXPECT_EQ(left->clock, core::SampleClock::kTimer);
    EXPECT_FALSE(left->sees_kernel);
    EXPECT_EQ(left->fallback_reason, "EPERM: refused");
    EXPECT_EQ(left->python_problem, std::string(255, 'x'));
}

TEST(SampleRing, is_over_when_the_duration_has_passed_since_the_first_sample) {
    SampleRing ring = ring_of(kSmall);
    EXPECT_FALSE(ring.is_over(5'000));
    EXPECT_FALSE(ring.is_over(500'000)) << "without a duration never";
    ring.attach();
    ring.set_duration(1'000);
    EXPECT_FALSE(ring.is_over(600'000)) << "this one is the first";
    EXPECT_FALSE(ring.is_over(601'000));
    EXPECT_EQ(ring.cpu_ns_at_end(), std::nullopt);
    EXPECT_TRUE(ring.is_over(601'001));
    const std::optional<std::int64_t> cpu_ns = ring.cpu_ns_at_end();
    ASSERT_TRUE(cpu_ns);
    EXPECT_GT(*cpu_ns, 0);
    EXPECT_TRUE(ring.is_over(900'000));
    EXPECT_EQ(ring.cpu_ns_at_end(), cpu_ns) << "the first tells it";
}

}  // namespace
}  // namespace tare::pmu
