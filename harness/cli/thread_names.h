// Thread names: what the kernel calls the threads of a program while they run. Many libraries name theirs, CPython from
// 3.14 on; until then a thread has the name of the one that started it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace tare::cli {

class ThreadNames {
  public:
    /// Reads the name of a thread that was met, unless that was done a short while before `now_ns`: names are given
    /// after a thread has begun. Of one that is gone the last name stays.
    void met(std::int32_t process, std::int32_t thread, std::int64_t now_ns);
    /// Of up to 15 bytes, any but 0; empty: none was read, or it is that of the first thread, from which it came.
    [[nodiscard]] std::string of(std::int32_t process, std::int32_t thread) const;

  private:
    struct Known {
        std::int64_t read_ns = 0;
        std::string name;
    };
    std::map<std::pair<std::int32_t, std::int32_t>, Known> known_;
};

}  // namespace tare::cli
