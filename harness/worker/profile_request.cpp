// The dynamic linker separates the entries of LD_PRELOAD by colons or spaces.
#include "harness/worker/profile_request.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace tare::worker {

namespace {

constexpr std::array kVariables = {"TARE_PROFILE_FD",   "TARE_PROFILE_PATH",    "TARE_PROFILE_RATE",
                                   "TARE_PROFILE_WALL", "TARE_PROFILE_THREADS", "TARE_PROFILE_CHILDREN"};

bool parse(const char* text, int& number) {
    const char* end = text + std::strlen(text);
    const auto [stop, error] = std::from_chars(text, end, number);
    return error == std::errc() && stop == end;
}

/// Not from_chars, for which libstdc++ needs libm.
bool parse(const char* text, double& number) {
    char* stop = nullptr;
    number = std::strtod(text, &stop);
    return stop != text && *stop == '\0';
}

}  // namespace

std::optional<ProfileRequest> profile_request(const std::function<const char*(const char*)>& variable) {
    const auto is_set = [&](const char* name) {
        const char* text = variable(name);
        return text != nullptr && std::strcmp(text, "1") == 0;
    };
    ProfileRequest request{.wall = is_set("TARE_PROFILE_WALL"),
                           .threads = is_set("TARE_PROFILE_THREADS"),
                           .children = is_set("TARE_PROFILE_CHILDREN")};
    const char* descriptor = variable("TARE_PROFILE_FD");
    const char* path = variable("TARE_PROFILE_PATH");
    const char* rate = variable("TARE_PROFILE_RATE");
    if (path != nullptr) request.path = path;
    if (descriptor != nullptr && !parse(descriptor, request.descriptor)) return std::nullopt;
    if (rate != nullptr && !parse(rate, request.rate_hz)) return std::nullopt;
    if (request.descriptor < 0 && request.path.empty()) return std::nullopt;
    return request;
}

std::string without_library(std::string_view preloaded, std::string_view library) {
    std::string kept;
    while (!preloaded.empty()) {
        const std::size_t end = std::min(preloaded.find_first_of(": "), preloaded.size());
        const std::string_view entry = preloaded.substr(0, end);
        preloaded.remove_prefix(std::min(end + 1, preloaded.size()));
        if (entry.empty() || entry == library) continue;
        if (!kept.empty()) kept += ':';
        kept += entry;
    }
    return kept;
}

void clear_environment(std::string_view library) {
    for (const char* each : kVariables) unsetenv(each);
    const char* preloaded = std::getenv("LD_PRELOAD");
    if (preloaded == nullptr) return;
    const std::string kept = without_library(preloaded, library);
    if (kept.empty())
        unsetenv("LD_PRELOAD");
    else
        setenv("LD_PRELOAD", kept.c_str(), 1);
}

}  // namespace tare::worker
