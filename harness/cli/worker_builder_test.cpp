// At stake: why a worker cannot be built, in one line, where CMake and the compiler print hundreds.
#include "harness/cli/worker_builder.h"

#include <gmock/gmock.h>

#include <sstream>

namespace tare::cli {
namespace {

TEST(BuildFailure, IsWhatStandsBelowCMakesFirstError) {
    EXPECT_EQ(build_failure("-- The CXX compiler identification is GNU 12.2.0\n"
                            "CMake Error at python/CMakeLists.txt:50 (message):\n"
                            "  /opt/py: /opt/include/Python.h is missing; install its headers\n\n"
                            "CMake Error: CMAKE_CXX_COMPILER not set\n"),
              "/opt/py: /opt/include/Python.h is missing; install its headers");
    EXPECT_EQ(build_failure("CMake Error: CMake was unable to find a build program\nmore\n"),
              "CMake Error: CMake was unable to find a build program");
}

TEST(BuildFailure, IsTheCompilersFirstError) {
    EXPECT_EQ(build_failure("[1/45] Building\nx.h:1: note: here\n/s/x.cpp:3:1: error: 'co' was not declared\n"
                            "/s/x.cpp:4:1: error: more\nninja: build stopped\n"),
              "/s/x.cpp:3:1: error: 'co' was not declared");
}

TEST(BuildFailure, IsTheNameThatTheLinkerDoesNotFind) {
    EXPECT_EQ(build_failure("/usr/bin/ld: a.o: in function `f':\na.cpp:(.text+0x1): undefined reference to `g'\n"
                            "collect2: error: ld returned 1 exit status\n"),
              "a.cpp:(.text+0x1): undefined reference to `g'");
}

TEST(BuildFailure, IsElseTheLastLine) {
    EXPECT_EQ(build_failure("one\n  Killed  \n\n"), "Killed  ");
    EXPECT_EQ(build_failure(""), "");
}

TEST(BuildWorkers, NeedsSourcesAndAFolder) {
    std::ostringstream out, err;
    const Streams streams{.out = out, .err = err, .progress = {}};
    const auto none = build_workers({}, {}, streams, {});
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().what, testing::HasSubstr("no sources"));
    Installation installation;
    installation.source_dir = "/sources";
    EXPECT_THAT(build_workers(installation, {}, streams, {}).error().hint, testing::HasSubstr("XDG_CACHE_HOME"));
}

}  // namespace
}  // namespace tare::cli
