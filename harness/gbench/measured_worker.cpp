// Finds the subject and its worker as `bench` does, and starts them.
#include <cstdlib>

#include "harness/gbench/selfbench.h"

namespace tare::gbench {

using core::Map;
namespace fs = std::filesystem;

namespace {

/// A worker that does nothing: its channel is that of any worker, its answer the frame of an empty map.
constexpr const char* kPlainPython =
    "import os\n"
    "channel = int(os.environ['TARE_WORKER_FD'])\n"
    "{}\n"
    "while os.read(channel, 4096): os.write(channel, b'\\x01\\x00\\x00\\x00\\x80')\n";

measure::SpawnSettings one_thread() {
    measure::SpawnSettings settings;
    settings.environment = {{"OMP_NUM_THREADS", "1"}, {"OPENBLAS_NUM_THREADS", "1"}, {"MKL_NUM_THREADS", "1"}};
    return settings;
}

}  // namespace

core::Expected<MeasuredWorker> MeasuredWorker::find(const std::string& python) {
    const char* moved = std::getenv("TARE_HOME");
    const fs::path home = moved != nullptr ? fs::path(moved) : fs::path(TARE_SOURCE_DIR);
    MeasuredWorker found;
    std::error_code ignored;
    found.program_dir = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    found.suite_dir = home / "benchmarks" / "numpy";
    core::Expected<measure::Subject> subject = measure::probe_subject(python, measure::default_cache_dir());
    if (!subject) return tl::unexpected<core::Error>(subject.error());
    found.subject = *std::move(subject);
    core::Expected<measure::WorkerCommand> command =
        measure::choose_worker(found.subject, std::nullopt, {found.program_dir}, home / "python");
    if (!command) return tl::unexpected<core::Error>(command.error());
    found.command = *std::move(command);
    return found;
}

core::Expected<std::unique_ptr<measure::WorkerProcess>> MeasuredWorker::spawn() const {
    measure::SpawnSettings settings = one_thread();
    settings.argv = command.argv;
    settings.environment.insert(settings.environment.end(), command.environment.begin(), command.environment.end());
    settings.environment.emplace_back("TARE_HOST", measure::name_of(command.host));
    return measure::WorkerProcess::spawn(settings);
}

core::Expected<std::unique_ptr<measure::WorkerProcess>> MeasuredWorker::spawn_plain_python(
    const std::string& code) const {
    std::string script = kPlainPython;
    script.replace(script.find("{}"), 2, code);
    measure::SpawnSettings settings = one_thread();
    settings.argv = {subject.python, "-c", script};
    return measure::WorkerProcess::spawn(settings);
}

core::Value MeasuredWorker::load_request() const {
    return Map{{"op", "load"}, {"suites", core::List{suite_dir}}, {"expression", core::Value()}};
}

}  // namespace tare::gbench
