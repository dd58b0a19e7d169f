// PyConfig with the subject's executable: getpath then finds pyvenv.cfg, prefix and site-packages as python itself
// would.
#include "python/interpreter.h"

#include <fmt/format.h>

#include "python/py.h"

namespace tare::python {

namespace {

struct Config {
    PyConfig value;
    Config() { PyConfig_InitPythonConfig(&value); }
    ~Config() { PyConfig_Clear(&value); }
    Config(const Config&) = delete;
    Config& operator=(const Config&) = delete;
};

}  // namespace

core::Status start_interpreter(const std::string& python) {
    Config config;
    config.value.install_signal_handlers = 0;
    config.value.parse_argv = 0;
    PyStatus status = PyConfig_SetBytesString(&config.value, &config.value.program_name, python.c_str());
    if (!PyStatus_Exception(status))
        status = PyConfig_SetBytesString(&config.value, &config.value.executable, python.c_str());
    if (PyStatus_Exception(status))
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("CPython refuses the path {}: {}", python,
                                      status.err_msg != nullptr ? status.err_msg : "no reason"));
    try {
        // A worker leaves by _exit, so this is never destroyed: finalization would run foreign code to no end.
        static const py::scoped_interpreter interpreter(&config.value, 0, nullptr, false);
    } catch (const std::exception& caught) {
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("CPython does not start as {}: {}", python, caught.what()));
    }
    return {};
}

std::string running_version() {
    return Py_GetVersion();
}

const void* running_code_address() {
    return reinterpret_cast<const void*>(&Py_GetVersion);
}

}  // namespace tare::python
