// Functions whose instructions are known one by one: the loop of ci/pmu-vm's tests, and the empty call of its shape.
#pragma once

#include <cstdint>

extern "C" {
/// Two instructions an iteration, and what tare_empty_call has: 2n + 1 in all. n > 0.
void tare_known_loop(std::uint64_t iterations);
/// Called and returned from alike.
void tare_empty_call(std::uint64_t iterations);
}
