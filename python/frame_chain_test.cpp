// At stake: a program that is no CPython is sampled all the same, natively. Chains of real interpreters are checked
// inside these, by tests/frames.
#include "python/frame_chain.h"

#include <gmock/gmock.h>

#include <array>

namespace tare::python {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

TEST(FrameChains, AreRefusedWhereThereIsNoCPython) {
    const core::Status ready = prepare_frame_chains();
    ASSERT_FALSE(ready);
    EXPECT_EQ(ready.error().code, core::ErrorCode::kEnvironment);
    EXPECT_THAT(ready.error().what, AnyOf(HasSubstr("no CPython"), HasSubstr("cannot be read")));
    EXPECT_THAT(ready.error().hint, HasSubstr("native frames only"));
}

TEST(FrameChains, AreEmptyWhereNothingWasPrepared) {
    std::array<core::PythonFrame, 4> frames;
    core::CodeArea area({});
    core::PythonChain chain = core::PythonChain::kNoThread;
    bool holds_gil = true;
    EXPECT_EQ(copy_frame_chain(area, frames.data(), frames.size(), &chain, &holds_gil), 0U);
    EXPECT_EQ(chain, core::PythonChain::kNone);
    EXPECT_FALSE(holds_gil);
}

}  // namespace
}  // namespace tare::python
