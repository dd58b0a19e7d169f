// Ctrl-C: the first one asks for an orderly end, the second ends at once.
#pragma once

namespace tare::cli {

/// Installs the handler for SIGINT and SIGTERM. Waits in system calls are cut short by it.
void watch_for_interrupts();

/// True once the user has asked to stop. Safe from any thread.
[[nodiscard]] bool interrupted();

}  // namespace tare::cli
