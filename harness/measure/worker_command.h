// Which program measures a subject: our own with the subject's libpython inside, or the subject's own executable with
// our core loaded into it. Decides only; reads the folder of workers, starts nothing. Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/error.h"
#include "harness/measure/subject.h"

namespace tare::measure {

/// How a worker holds CPython.
enum class Host {
    kEmbedded,    ///< bench-worker-<abi>, libpython inside: what a subject with a shared libpython runs anyway
    kExecutable,  ///< the subject's own python, tare_worker.<abi>.so loaded into it
};

[[nodiscard]] constexpr std::string_view name_of(Host host) {
    return host == Host::kEmbedded ? "embedded" : "executable";
}
[[nodiscard]] constexpr std::optional<Host> host_named(std::string_view name) {
    for (const Host host : {Host::kEmbedded, Host::kExecutable})
        if (name_of(host) == name) return host;
    return std::nullopt;
}

/// How to start a worker. Whoever starts it adds TARE_WORKER_FD, the number of the channel's descriptor.
/// environment: TARE_SUBJECT (the program name that an embedded CPython takes, so that it finds its virtual
/// environment), TARE_EXPECT_VERSION, TARE_EXPECT_BUILD_ID, TARE_PACKAGE (the folder that holds the Python package
/// `tare`; absent if none was given); for embedded also LD_LIBRARY_PATH, which the worker sets back to
/// TARE_RESTORE_LD_LIBRARY_PATH or, without that, removes before it starts Python.
struct WorkerCommand {
    Host host = Host::kExecutable;
    std::vector<std::string> argv;                                 ///< argv[0] is an absolute path
    std::vector<std::pair<std::string, std::string>> environment;  ///< replaces variables of the same name
    std::string expected_version_text;                             ///< one_line(Py_GetVersion()) must begin with this
    std::string expected_build_id;  ///< of libpython (embedded, or a shared subject), else of the executable;
                                    ///< empty: the file has none and only the version is checked
    std::vector<std::string> warnings;

    bool operator==(const WorkerCommand&) const = default;
};

struct AvailableWorker {
    std::string abi;  ///< "cpython-311-x86_64-linux-gnu"
    Host host;
    std::filesystem::path file;
};
/// Those that choose_worker chooses from, by ABI; of two of one ABI and host the first.
[[nodiscard]] std::vector<AvailableWorker> available_workers(const std::vector<std::filesystem::path>& worker_dirs);

/// The host follows the subject (a mapped libpython: embedded; else executable) unless `override` names one.
/// Errors: kUsage for an embedded worker of a static interpreter that has no libpython of its version; kEnvironment
/// when no folder of `worker_dirs` holds a worker of the subject's ABI: it lists those that are there. The first one
/// does that has one.
[[nodiscard]] core::Expected<WorkerCommand> choose_worker(const Subject& subject, std::optional<Host> override,
                                                          const std::vector<std::filesystem::path>& worker_dirs,
                                                          const std::filesystem::path& package_dir = {});

}  // namespace tare::measure
