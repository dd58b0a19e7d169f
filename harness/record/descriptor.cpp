// close and write.
#include "harness/record/descriptor.h"

#include <unistd.h>

#include <cerrno>

namespace tare::record {

void Descriptor::close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
}

int write_all(const Descriptor& descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor.number(), text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

}  // namespace tare::record
