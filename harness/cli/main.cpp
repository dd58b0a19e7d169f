// The process's side of `bench`: real streams, real terminal.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

}  // namespace

int main(int argc, char** argv) {
    open_standard_streams();
    tare::cli::watch_for_interrupts();
    const bool out_is_terminal = isatty(STDOUT_FILENO) == 1;
    const char* no_color = std::getenv("NO_COLOR");
    const tare::cli::Streams streams{.out = std::cout,
                                     .err = std::cerr,
                                     .color = out_is_terminal && (no_color == nullptr || *no_color == '\0'),
                                     .width = out_is_terminal ? terminal_width() : 0,
                                     .progress = tare::cli::progress_style_of(STDERR_FILENO)};
    return tare::cli::run_application({argv + 1, argv + argc}, streams);
}
