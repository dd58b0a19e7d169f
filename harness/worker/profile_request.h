// What `bench profile` asks of the library that it preloads into a program, handed over in environment variables, and
// how these are taken out again, so that the program and its children see their own environment.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tare::worker {

/// TARE_PROFILE_FD       the ring's descriptor, inherited
/// TARE_PROFILE_PATH     where else it can be opened ("/proc/1234/fd/5"), for executed children that were left no
///                       descriptors; may be missing
/// TARE_PROFILE_RATE     samples a second; 1000 where it is missing
/// TARE_PROFILE_WALL     "1": time that threads wait, too
/// TARE_PROFILE_THREADS  "1": not the main thread alone
/// TARE_PROFILE_CHILDREN "1": forked and executed children, too
struct ProfileRequest {
    int descriptor = -1;
    std::string path = {};
    double rate_hz = 1000;
    bool wall = false;
    bool threads = false;
    bool children = false;
    bool operator==(const ProfileRequest&) const = default;
};

/// `variable` is as getenv. None: nothing is asked for, or it cannot be understood.
[[nodiscard]] std::optional<ProfileRequest> profile_request(const std::function<const char*(const char*)>& variable);

/// A value of LD_PRELOAD without one of its entries; the others as they were, separated by colons.
[[nodiscard]] std::string without_library(std::string_view preloaded, std::string_view library);

/// Takes the variables above out of the environment, and `library` out of LD_PRELOAD.
void clear_environment(std::string_view library);

}  // namespace tare::worker
