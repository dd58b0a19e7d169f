// /proc/self/statm: second field, pages resident. /proc/self/maps: the path, where there is one, is the sixth field.
#include "harness/worker/own_process.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>

namespace tare::worker {

std::int64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::int64_t total_pages = 0;
    std::int64_t resident_pages = 0;
    if (!(file >> total_pages >> resident_pages)) return -1;
    return resident_pages * sysconf(_SC_PAGESIZE);
}

MappedFiles mapped_files() {
    std::ifstream maps("/proc/self/maps");
    std::set<std::string> all, code;
    for (std::string line; std::getline(maps, line);) {
        const std::size_t path = line.find('/');  // neither addresses, modes, devices nor numbers hold one
        if (path == std::string::npos) continue;
        struct stat facts {};
        if (stat(line.c_str() + path, &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
        all.insert(line.substr(path));
        if (line.find('x', line.find(' ')) < path) code.insert(line.substr(path));  // its mode: r-xp
    }
    return {{all.begin(), all.end()}, {code.begin(), code.end()}};
}

std::string own_perf_map() {
    constexpr std::size_t kMostBytes = std::size_t{64} << 20;
    const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
    struct stat facts {};
    if (stat(path.c_str(), &facts) != 0 || facts.st_uid != geteuid()) return {};
    std::ifstream file(path, std::ios::binary);
    std::string text(std::min(static_cast<std::size_t>(facts.st_size), kMostBytes), '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

bool is_closed(int descriptor) {
    return fcntl(descriptor, F_GETFD) == -1 && errno == EBADF;
}

}  // namespace tare::worker
