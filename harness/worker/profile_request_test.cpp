// At stake: a profiled program's environment: it is to find its own LD_PRELOAD and nothing of ours.
#include "harness/worker/profile_request.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>

namespace tare::worker {
namespace {

std::optional<ProfileRequest> request_of(const std::map<std::string, std::string>& variables) {
    return profile_request([&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

TEST(ProfileRequest, is_read_from_the_environment) {
    EXPECT_EQ(request_of({{"TARE_PROFILE_FD", "7"}}), ProfileRequest{.descriptor = 7});
    EXPECT_EQ(request_of({{"TARE_PROFILE_FD", "7"},
                          {"TARE_PROFILE_PATH", "/proc/1/fd/3"},
                          {"TARE_PROFILE_RATE", "2500.5"},
                          {"TARE_PROFILE_WALL", "1"},
                          {"TARE_PROFILE_THREADS", "1"},
                          {"TARE_PROFILE_CHILDREN", "1"}}),
              (ProfileRequest{.descriptor = 7,
                              .path = "/proc/1/fd/3",
                              .rate_hz = 2500.5,
                              .wall = true,
                              .threads = true,
                              .children = true}));
    EXPECT_EQ(request_of({{"TARE_PROFILE_FD", "7"}, {"TARE_PROFILE_WALL", "0"}}), ProfileRequest{.descriptor = 7});
}

TEST(ProfileRequest, is_none_where_it_is_missing_or_damaged) {
    EXPECT_EQ(request_of({}), std::nullopt);
    EXPECT_EQ(request_of({{"TARE_PROFILE_RATE", "1000"}}), std::nullopt);
    EXPECT_EQ(request_of({{"TARE_PROFILE_FD", "7x"}}), std::nullopt);
    EXPECT_EQ(request_of({{"TARE_PROFILE_FD", "7"}, {"TARE_PROFILE_RATE", ""}}), std::nullopt);
}

TEST(ProfileRequest, leaves_other_libraries_preloaded_as_the_user_named_them) {
    EXPECT_EQ(without_library("/a/ours.so", "/a/ours.so"), "");
    EXPECT_EQ(without_library("/a/ours.so:/b/theirs.so", "/a/ours.so"), "/b/theirs.so");
    EXPECT_EQ(without_library("x.so /a/ours.so /b/y.so", "/a/ours.so"), "x.so:/b/y.so");
    EXPECT_EQ(without_library("/a/ours.so.1:/a/ours", "/a/ours.so"), "/a/ours.so.1:/a/ours");
    EXPECT_EQ(without_library("", "/a/ours.so"), "");
}

TEST(ProfileRequest, is_gone_from_the_environment_once_cleared) {
    setenv("TARE_PROFILE_FD", "7", 1);
    setenv("TARE_PROFILE_CHILDREN", "1", 1);
    setenv("LD_PRELOAD", "/a/ours.so:/b/theirs.so", 1);
    clear_environment("/a/ours.so");
    EXPECT_EQ(std::getenv("TARE_PROFILE_FD"), nullptr);
    EXPECT_EQ(std::getenv("TARE_PROFILE_CHILDREN"), nullptr);
    EXPECT_STREQ(std::getenv("LD_PRELOAD"), "/b/theirs.so");
    clear_environment("/b/theirs.so");
    EXPECT_EQ(std::getenv("LD_PRELOAD"), nullptr);
}

}  // namespace
}  // namespace tare::worker
