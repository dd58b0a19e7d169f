// bench-worker-<abi>: the embedded host. Starts CPython as the subject's interpreter, then serves.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "harness/worker/server.h"
#include "python/interpreter.h"

int main() {
    // `bench` may have set it so that the loader takes the subject's own libpython; children of a case must not inherit
    // it.
    if (const char* inherited = std::getenv("TARE_RESTORE_LD_LIBRARY_PATH"); inherited != nullptr) {
        if (*inherited == '\0')
            unsetenv("LD_LIBRARY_PATH");
        else
            setenv("LD_LIBRARY_PATH", inherited, 1);
        unsetenv("TARE_RESTORE_LD_LIBRARY_PATH");
    }
    const tare::worker::Launch launch = tare::worker::take_launch_from_environment();
    if (launch.channel_descriptor < 0) {
        fmt::print(stderr, "this program is started by `bench`; there is no channel (TARE_WORKER_FD) to serve\n");
        return 2;
    }
    if (const tare::core::Status started = tare::python::start_interpreter(launch.python); !started) {
        fmt::print(stderr, "{}\n", started.error().what);
        return 2;
    }
    tare::worker::serve(launch);
}
