// A forked child for tests of what happens to a whole process: signals, descriptors, a death.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace tare::pmu {

/// What waitpid says of a child that ran `body` and ended with its result.
template <class F>
int status_of_child(F&& body) {
    const pid_t child = fork();
    if (child == 0) _exit(body());
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

/// The same where it is expected to end by itself: its exit status, or 128 and the signal that ended it.
template <class F>
int result_of_child(F&& body) {
    const int status = status_of_child(body);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace tare::pmu
