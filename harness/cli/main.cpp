// The process's side of `bench`: real streams, real terminal.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>

#include "harness/cli/application.h"
#include "harness/cli/interrupt.h"

namespace {

std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 0;
}

/// A descriptor opened later must not get the number of a standard stream, which the worker replaces.
void open_standard_streams() {
    int descriptor = open("/dev/null", O_RDWR);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = open("/dev/null", O_RDWR);
    if (descriptor >= 0) close(descriptor);
}

/// Started by the Python package, in a session of its own: interrupted where that program dies, and not left measuring.
void end_with_caller() {
    if (std::getenv("TARE_PARENT") == nullptr) return;
    prctl(PR_SET_PDEATHSIG, SIGINT);
    unsetenv("TARE_PARENT");  // what we start has another
}

}  // namespace

int main(int argc, char** argv) {
    open_standard_streams();
    tare::cli::watch_for_interrupts();
    end_with_caller();
    const bool out_is_terminal = isatty(STDOUT_FILENO) == 1;
    const char* no_color = std::getenv("NO_COLOR");
    const tare::cli::Streams streams{.out = std::cout,
                                     .err = std::cerr,
                                     .color = out_is_terminal && (no_color == nullptr || *no_color == '\0'),
                                     .width = out_is_terminal ? terminal_width() : 0,
                                     .progress = tare::cli::progress_style_of(STDERR_FILENO)};
    return tare::cli::run_application({argv + 1, argv + argc}, streams);
}
