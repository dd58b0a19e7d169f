// The formats of other tools' results that can be imported.
#pragma once

namespace tare::history {

enum class ForeignFormat { kAsv, kPyperf, kGbench, kPytestBenchmark };

}  // namespace tare::history
