// dladdr on Py_GetVersion gives the file; its build-id names the build.
#include "harness/worker/identity.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "harness/measure/elf_build_id.h"
#include "harness/measure/subject.h"
#include "python/interpreter.h"

namespace tare::worker {

core::Expected<Identity> running_identity() {
    Identity identity;
    identity.version_text = measure::one_line(python::running_version());
    Dl_info info{};
    if (dladdr(python::running_code_address(), &info) == 0 || info.dli_fname == nullptr)
        return core::fail(core::ErrorCode::kEnvironment, "cannot find the file that CPython was loaded from");
    std::error_code ignored;
    // The main program is listed under argv[0], which need not be a path.
    const std::filesystem::path listed = info.dli_fname;
    identity.code_path = listed.is_absolute() && std::filesystem::exists(listed, ignored)
                             ? std::filesystem::canonical(listed, ignored).string()
                             : std::filesystem::read_symlink("/proc/self/exe", ignored).string();
    core::Expected<std::string> build_id = measure::file_build_id(identity.code_path);
    if (build_id) identity.build_id = *build_id;
    return identity;
}

core::Status check_identity(const Identity& identity, const std::string& expected_version_text,
                            const std::string& expected_build_id) {
    if (!identity.version_text.starts_with(expected_version_text))
        return core::fail(
            core::ErrorCode::kEnvironment,
            fmt::format("this worker runs CPython '{}', the subject is '{}'", identity.version_text,
                        expected_version_text),
            "build a worker for that interpreter: bench worker build --python PYTHON, or use --host executable");
    if (!expected_build_id.empty() && identity.build_id != expected_build_id)
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("this worker runs the build {} of CPython ({}), the subject is build {}",
                                      identity.build_id.empty() ? "without id" : identity.build_id, identity.code_path,
                                      expected_build_id),
                          "use --host executable, which runs the subject's own code");
    return {};
}

}  // namespace tare::worker
