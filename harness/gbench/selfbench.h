// What tare_selfbench measures: the harness itself. Each function registers the benchmarks of one part.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/measure/subject.h"
#include "harness/measure/worker_command.h"
#include "harness/measure/worker_process.h"

namespace tare::gbench {

inline constexpr double kSecondsPerNanosecond = 1e-9;
inline constexpr std::chrono::milliseconds kAnswerLimit{60'000};  ///< of a worker

/// Whose worker is measured, and how to start it: as `bench` would.
struct MeasuredWorker {
    measure::Subject subject;
    measure::WorkerCommand command;
    std::filesystem::path program_dir;  ///< holds bench and the workers
    std::string suite_dir;              ///< the shipped suite

    [[nodiscard]] static core::Expected<MeasuredWorker> find(const std::string& python);

    [[nodiscard]] core::Expected<std::unique_ptr<measure::WorkerProcess>> spawn() const;
    /// The subject's interpreter, which runs `code` and then answers each request with an empty map: what a worker is
    /// compared with.
    [[nodiscard]] core::Expected<std::unique_ptr<measure::WorkerProcess>> spawn_plain_python(
        const std::string& code) const;
    [[nodiscard]] core::Value load_request() const;
};

void register_batch_benchmarks();
void register_channel_benchmarks();
void register_counting_benchmarks();
void register_record_benchmarks();
void register_reference_benchmarks(const MeasuredWorker& worker);
void register_sampling_benchmarks();
void register_stepping_benchmarks();
void register_worker_benchmarks(const MeasuredWorker& worker);

/// What `bench` and a worker take beyond CPython and NumPy, as a table.
[[nodiscard]] core::Expected<std::string> memory_table(const MeasuredWorker& worker);

}  // namespace tare::gbench
