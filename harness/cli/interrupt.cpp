// Signal-handler code: allocates nothing, sets one flag.
#include "harness/cli/interrupt.h"

#include <signal.h>

namespace tare::cli {

namespace {

// A signal handler can reach nothing but a global; it is the only one of this folder.
volatile sig_atomic_t asked_to_stop = 0;

void on_signal(int number) {
    if (asked_to_stop != 0) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    asked_to_stop = 1;
}

}  // namespace

void watch_for_interrupts() {
    struct sigaction action {};
    action.sa_handler = on_signal;  // without SA_RESTART: poll returns
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
    return asked_to_stop != 0;
}

}  // namespace tare::cli
