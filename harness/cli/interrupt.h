// Ctrl-C: the first one asks for an orderly end, the second ends at once, unless they are held.
#pragma once

#include <sys/types.h>

#include <optional>

namespace tare::cli {

/// Installs the handler for SIGINT and SIGTERM. Waits in system calls are cut short by it.
void watch_for_interrupts();

/// True once the user has asked to stop. Safe from any thread.
[[nodiscard]] bool interrupted();

/// From here on no signal of the two ends `bench`, however many come: what it runs ends first.
void hold_interrupts();

/// One that a process has sent (`kill`), and not the terminal, which signals the programs that `bench` runs, too.
struct SentSignal {
    int number = 0;
    pid_t sender = 0;
};
/// Each once, since the beginning; of one thread.
[[nodiscard]] std::optional<SentSignal> take_sent_signal();

}  // namespace tare::cli
