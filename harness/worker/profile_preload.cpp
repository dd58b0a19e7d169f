// libtare_profile.<abi>.so: begins to sample in its constructor, stands before the C library's pthread_create and
// _exit, and sees to forked children. Linked with neither libpython nor libstdc++.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>

#include "harness/worker/profiled_process.h"

namespace {

using tare::worker::ProfiledProcess;

using StartRoutine = void* (*)(void*);
using CreateThread = int (*)(pthread_t*, const pthread_attr_t*, StartRoutine, void*);

struct Start {
    StartRoutine routine;
    void* argument;
};

/// Nothing here is left to be destroyed while the program's routine runs: it may end by pthread_exit.
void* run_thread(void* raw) {
    const Start start = *std::unique_ptr<Start>(static_cast<Start*>(raw));
    ProfiledProcess::instance().add_thread();
    return start.routine(start.argument);
}

[[gnu::constructor]] void begin() {
    ProfiledProcess::instance().begin();
    pthread_atfork(nullptr, nullptr, [] { ProfiledProcess::instance().after_fork_in_child(); });
}

[[gnu::destructor]] void end() {
    ProfiledProcess::instance().end();
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                                  StartRoutine routine, void* argument) noexcept {
    static const auto next = reinterpret_cast<CreateThread>(dlsym(RTLD_NEXT, "pthread_create"));
    auto start = std::make_unique<Start>(Start{routine, argument});
    const int result = next(thread, attributes, run_thread, start.get());
    if (result == 0) (void)start.release();
    return result;
}

/// The C library's own exit() does not come by here; it runs the destructor above.
[[gnu::visibility("default"), gnu::noreturn]] void _exit(int status) {
    ProfiledProcess::instance().end();
    for (;;) syscall(SYS_exit_group, status);
}

[[gnu::visibility("default"), gnu::noreturn]] void _Exit(int status) noexcept {
    _exit(status);
}
}
