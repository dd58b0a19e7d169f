// Turns are taken by a lock on a file beside what is made.
#include "harness/cli/maker_steps.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cctype>
#include <cerrno>
#include <cstring>

#include "harness/cli/interrupt.h"

namespace tare::cli {

using core::ErrorCode;
using core::Expected;

Expected<measure::ChildOutput> run_step(const std::vector<std::string>& command, std::chrono::nanoseconds limit) {
    Expected<measure::ChildOutput> ran = measure::run_for_output(command, limit, interrupted);
    if (ran && (ran->stopped || interrupted())) return core::fail(ErrorCode::kInterrupted, "interrupted");
    return ran;
}

std::string last_line(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
    return std::string(text.substr(text.find_last_of('\n') + 1));
}

Expected<Turn> take_turn(const std::filesystem::path& home, const Streams& streams) {
    const std::string path = home.native() + ".lock";
    auto turn = std::make_unique<measure::Descriptor>(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    const auto cannot = [&] {
        return core::fail(ErrorCode::kEnvironment, fmt::format("cannot lock '{}': {}", path, std::strerror(errno)));
    };
    if (!turn->is_open()) return cannot();
    if (::flock(turn->get(), LOCK_EX | LOCK_NB) == 0) return turn;
    streams.err << "waiting for another process that makes " << home.filename().string() << std::endl;
    while (::flock(turn->get(), LOCK_EX) != 0) {
        if (interrupted()) return core::fail(ErrorCode::kInterrupted, "interrupted");
        if (errno != EINTR) return cannot();
    }
    return turn;
}

}  // namespace tare::cli
