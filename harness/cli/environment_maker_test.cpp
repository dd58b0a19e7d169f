// A home folder with a blank in its name would split the user's command in the middle of a path.
#include "harness/cli/environment_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tare::cli {
namespace {

TEST(BuildCommand, GetsItsPlacesFilledInAsWordsOfAShell) {
    EXPECT_EQ(build_command("make-env {commit} {prefix} && test -x {prefix}/bin/python", "abc", "/home/a b/env"),
              "make-env 'abc' '/home/a b/env' && test -x '/home/a b/env'/bin/python");
    EXPECT_EQ(build_command("echo {commit}", "it's", "/p"), "echo 'it'\\''s'");
    EXPECT_EQ(build_command("echo {other} ${HOME}", "abc", "/p"), "echo {other} ${HOME}");
}

TEST(BuildCommand, LeavesPlacesInWhatItFillsInAlone) {
    EXPECT_EQ(build_command("{commit}", "{commit}", "/p"), "'{commit}'");
}

}  // namespace
}  // namespace tare::cli
