// Signal-handler code: allocates nothing, sets flags.
#include "harness/cli/interrupt.h"

#include <signal.h>

#include <array>
#include <atomic>

namespace tare::cli {

namespace {

// A signal handler can reach nothing but globals; they are the only ones of this folder.
volatile sig_atomic_t asked_to_stop = 0;
volatile sig_atomic_t held = 0;

struct Sent {
    std::atomic<int> count;
    std::atomic<pid_t> sender;
};
constexpr std::array kNumbers = {SIGINT, SIGTERM};
constinit std::array<Sent, kNumbers.size()> sent_by_processes{};
static_assert(std::atomic<pid_t>::is_always_lock_free, "a signal handler waits for nobody");  // pid_t is an int

void on_signal(int number, siginfo_t* info, void*) {
    if (held == 0 && asked_to_stop != 0) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    asked_to_stop = 1;
    if (info->si_code > 0) return;  // SI_KERNEL: the terminal, which signals all of its foreground
    Sent& sent = sent_by_processes[number == kNumbers[0] ? 0 : 1];
    sent.sender.store(info->si_pid);
    sent.count.fetch_add(1);
}

}  // namespace

void watch_for_interrupts() {
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO;  // without SA_RESTART: poll returns
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
    return asked_to_stop != 0;
}

void hold_interrupts() {
    held = 1;
}

std::optional<SentSignal> take_sent_signal() {
    for (std::size_t i = 0; i < kNumbers.size(); ++i) {
        Sent& sent = sent_by_processes[i];
        if (sent.count.load() == 0) continue;
        sent.count.fetch_sub(1);
        return SentSignal{kNumbers[i], sent.sender.load()};
    }
    return std::nullopt;
}

}  // namespace tare::cli
