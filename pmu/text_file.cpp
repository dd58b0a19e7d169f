// read(2) until the end: these files report a size of 0 or 4096 and may fail at the first read, not at open.
#include "pmu/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace tare::pmu {

core::Expected<std::string> read_text_file(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::string text;
    std::array<char, 16384> chunk;
    ssize_t n = file < 0 ? -1 : 0;
    while (file >= 0 && ((n = ::read(file, chunk.data(), chunk.size())) > 0 || (n < 0 && errno == EINTR)))
        if (n > 0) text.append(chunk.data(), static_cast<std::size_t>(n));
    const int failure = n < 0 ? errno : 0;
    if (file >= 0) ::close(file);
    if (failure != 0)
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("cannot read '{}': {}", path.native(), std::strerror(failure)));
    return text;
}

}  // namespace tare::pmu
