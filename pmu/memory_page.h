// The size of a page: x86-64's, which is all that samples are taken on.
#pragma once

#include <cstddef>

namespace tare::pmu {

inline constexpr std::size_t kPageBytes = 4096;

}  // namespace tare::pmu
