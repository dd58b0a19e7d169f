// What a thread's stacks stand below, where threads are told apart.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace tare::core {

/// "[thread 12 of process 7]": the name of a frame of FrameKind::kGroup.
[[nodiscard]] inline std::string thread_name(std::int32_t process, std::int32_t thread) {
    return fmt::format("[thread {} of process {}]", thread, process);
}

}  // namespace tare::core
