// /proc/self/statm: second field, pages resident.
#include "harness/worker/own_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

namespace tare::worker {

std::int64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::int64_t total_pages = 0;
    std::int64_t resident_pages = 0;
    if (!(file >> total_pages >> resident_pages)) return -1;
    return resident_pages * sysconf(_SC_PAGESIZE);
}

bool is_closed(int descriptor) {
    return fcntl(descriptor, F_GETFD) == -1 && errno == EBADF;
}

}  // namespace tare::worker
