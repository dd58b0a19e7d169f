// At stake: every Python frame inside the C frame of the eval loop that runs it, by address alone: 0 unmatched.
#include <gmock/gmock.h>

#include "harness/attribution/profile_builder.h"

namespace tare::attribution {
namespace {

using core::PythonFrame;
using testing::ElementsAre;

NativeStack stack_of(std::size_t frames, StackQuality quality = StackQuality::kComplete) {
    NativeStack stack;
    stack.quality = quality;
    for (std::size_t i = 0; i < frames; ++i) stack.frames.push_back({i, 0x1000 + 0x100 * i, false});
    return stack;
}
PythonFrame plain(std::uint32_t code) {
    return {0, code, 0, false};
}
PythonFrame entry(std::uint32_t code, std::uint64_t address) {
    return {address, code, 0, true};
}
constexpr MixedFrame native(std::size_t index) {
    return {false, index};
}
constexpr MixedFrame python(std::size_t index) {
    return {true, index};
}

TEST(MergeFrames, ARunStandsDirectlyOutsideTheFrameThatHoldsItsBoundary) {
    const MixedStack mixed = merge_frames(stack_of(4), {plain(1), entry(2, 0x1180)});
    EXPECT_THAT(mixed.frames, ElementsAre(native(0), native(1), python(0), python(1), native(2), native(3)));
    EXPECT_EQ(mixed.boundaries, 1U);
    EXPECT_EQ(mixed.unmatched, 0U);
}

TEST(MergeFrames, AFrameOwnsItsStackPointerAndNotThatOfItsCaller) {
    EXPECT_EQ(merge_frames(stack_of(3), {entry(1, 0x1100)}).frames[2], python(0));
    EXPECT_EQ(merge_frames(stack_of(3), {entry(1, 0x10ff)}).frames[1], python(0));
}

TEST(MergeFrames, CallsFromCIntoPythonAlternate) {
    const MixedStack mixed = merge_frames(stack_of(5), {entry(1, 0x1010), plain(2), entry(3, 0x1310)});
    EXPECT_THAT(mixed.frames,
                ElementsAre(native(0), python(0), native(1), native(2), native(3), python(1), python(2), native(4)));
    EXPECT_EQ(mixed.boundaries, 2U);
}

TEST(MergeFrames, BeyondATruncatedStackABoundaryIsUnmatchedAndItsFramesAreOutermost) {
    const MixedStack mixed = merge_frames(stack_of(2, StackQuality::kTruncated), {entry(1, 0x9000)});
    EXPECT_THAT(mixed.frames, ElementsAre(native(0), native(1), python(0)));
    EXPECT_EQ(mixed.unmatched, 1U);
    EXPECT_EQ(merge_frames(stack_of(2), {entry(1, 0x9000)}).unmatched, 0U) << "a whole stack ends in its last frame";
}

TEST(MergeFrames, ABoundaryOnAnotherStackIsUnmatchedAndStaysInTheOrderOfTheChain) {
    const MixedStack mixed = merge_frames(stack_of(3), {entry(1, 0x10), entry(2, 0x1110)});
    EXPECT_EQ(mixed.unmatched, 1U);
    EXPECT_THAT(mixed.frames, ElementsAre(native(0), native(1), python(0), python(1), native(2)));
}

TEST(MergeFrames, ABoundaryAgainstTheOrderOfTheChainIsUnmatched) {
    const MixedStack mixed = merge_frames(stack_of(3), {entry(1, 0x1110), entry(2, 0x1010)});
    EXPECT_EQ(mixed.unmatched, 1U);
    EXPECT_THAT(mixed.frames, ElementsAre(native(0), native(1), python(0), native(2), python(1)));
}

TEST(MergeFrames, ARunWhoseBoundaryWasCutOffStandsOutsideTheNextEvalLoop) {
    const auto is_eval_loop = [](std::size_t frame) { return frame == 1 || frame == 3; };
    const MixedStack mixed = merge_frames(stack_of(6), {entry(1, 0x1110), plain(2), plain(3)}, is_eval_loop);
    EXPECT_THAT(mixed.frames, ElementsAre(native(0), native(1), python(0), native(2), native(3), python(1), python(2),
                                          native(4), native(5)));
    EXPECT_EQ(mixed.boundaries, 1U);
    EXPECT_EQ(mixed.unmatched, 0U);
}

/// Before CPython 3.11. The innermost loop of the second has not linked its frame yet.
TEST(MergeFrames, FramesOfLoopsThatLeaveNoAddressAreCounted) {
    const auto is_eval_loop = [](std::size_t frame) { return frame % 2 == 1; };
    const MixedStack mixed = merge_frames(stack_of(6), {entry(1, 0), plain(2), entry(3, 0), entry(4, 0)}, is_eval_loop);
    EXPECT_THAT(mixed.frames, ElementsAre(native(0), native(1), python(0), native(2), native(3), python(1), python(2),
                                          native(4), native(5), python(3)));
    EXPECT_EQ(mixed.boundaries, 3U);
    EXPECT_EQ(mixed.unmatched, 0U);
    const std::vector<PythonFrame> two{entry(1, 0), entry(2, 0)};
    EXPECT_THAT(merge_frames(stack_of(6), two, is_eval_loop).frames,
                ElementsAre(native(0), native(1), native(2), native(3), python(0), native(4), native(5), python(1)));
    const auto cut_frames =
        ElementsAre(native(0), native(1), python(0), native(2), native(3), python(1), native(4), native(5));
    EXPECT_THAT(merge_frames(stack_of(6, StackQuality::kTruncated), two, is_eval_loop).frames, cut_frames);
    EXPECT_THAT(merge_frames(stack_of(6), two, is_eval_loop, core::PythonChain::kCut).frames, cut_frames);
    EXPECT_THAT(merge_frames(stack_of(6), two, is_eval_loop, core::PythonChain::kWhole, 4).frames, cut_frames)
        << "what lies further out is not this chain's";
    EXPECT_EQ(merge_frames(stack_of(2), two, is_eval_loop).unmatched, 1U);
    EXPECT_EQ(merge_frames(stack_of(2), two).unmatched, 2U);
}

TEST(MergeFrames, NothingIsLostWhateverTheAddresses) {
    EXPECT_TRUE(merge_frames({}, {}).frames.empty());
    EXPECT_THAT(merge_frames({}, {plain(1)}).frames, ElementsAre(python(0)));
    EXPECT_THAT(merge_frames(stack_of(1), {}).frames, ElementsAre(native(0)));
    EXPECT_EQ(merge_frames(stack_of(2), {entry(1, 0x1010), entry(2, 0x10), entry(3, 0x1020)}).frames.size(), 5U);
    EXPECT_EQ(merge_frames(stack_of(2), {entry(1, ~0ULL), entry(2, 0), entry(3, 0x1000), plain(4)}).frames.size(), 6U);
}

}  // namespace
}  // namespace tare::attribution
