// venv and pip of the subject's own interpreter. An environment is made in its final place, because what is built there
// may remember the path, and is whole once a mark lies beside it.
#include "harness/cli/environment_maker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <memory>

#include "harness/cli/candidates.h"
#include "harness/cli/maker_steps.h"
#include "harness/cli/message.h"
#include "harness/record/packages.h"

namespace tare::cli {

using core::ErrorCode;
using core::Expected;
using core::Status;
namespace fs = std::filesystem;

namespace {

constexpr std::chrono::minutes kInstallLimit{15};
constexpr std::chrono::hours kBuildLimit{3};  // NumPy from source on one core, with room
constexpr const char* kMade = ".made";

std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

/// pip's own last word on its failure: "ERROR: No matching distribution found for numpy==9.9".
std::string reason_in(const std::string& err) {
    const std::size_t error = err.rfind("ERROR: ");
    return error == std::string::npos ? last_line(err) : err.substr(error + 7, err.find('\n', error) - error - 7);
}

bool lacks_network(const std::string& err) {
    constexpr std::array kSigns = {"NewConnectionError", "Temporary failure in name resolution", "ProxyError",
                                   "Network is unreachable", "ConnectTimeoutError"};
    return std::ranges::any_of(kSigns, [&](const char* sign) { return err.find(sign) != std::string::npos; });
}

Status succeeded(const Expected<measure::ChildOutput>& ran, const std::string& what) {
    if (!ran) return tl::unexpected<core::Error>(ran.error());
    if (ran->timed_out) return core::fail(ErrorCode::kTimeout, fmt::format("{}: did not end in time", what));
    if (ran->exit_status == 0) return {};
    return core::fail(ErrorCode::kEnvironment, fmt::format("{}: {}", what, reason_in(ran->err + ran->out)),
                      lacks_network(ran->err) ? "the package index cannot be reached: is there a network?" : "");
}

/// "ended with exit status 128", or why it is no environment although it ended with 0.
std::string ending_of(const measure::ChildOutput& ran) {
    if (ran.timed_out) return "did not end in time";
    if (ran.exit_status < 0) return fmt::format("was ended by signal {}", ran.signal_number);
    if (ran.exit_status == 0) return "left no {prefix}/bin/python";
    return fmt::format("ended with exit status {}", ran.exit_status);
}

bool is_made(const fs::path& home) {
    std::error_code ignored;
    return fs::exists(home.native() + kMade, ignored) && fs::exists(home / "bin" / "python", ignored);
}

}  // namespace

std::string build_command(const std::string& command, const std::string& commit, const std::string& prefix) {
    std::string text = command;
    replace_all(text, "{commit}", quoted(commit));
    replace_all(text, "{prefix}", quoted(prefix));
    return text;
}

Expected<EnvironmentMaker> EnvironmentMaker::open(const std::string& python, const WantedPackages& wanted,
                                                  std::string build, const std::string& repository,
                                                  const Streams& streams) {
    EnvironmentMaker maker(streams);
    maker.package_ = wanted.package.empty() ? "numpy" : record::normalized_package(wanted.package);
    maker.beside_ = wanted.beside;
    const fs::path cache = measure::default_cache_dir();
    if (cache.empty())
        return core::fail(ErrorCode::kEnvironment, "there is no folder to make environments in",
                          "set HOME or XDG_CACHE_HOME");
    auto subject = measure::probe_subject(python, cache);
    if (!subject) return tl::unexpected<core::Error>(subject.error());
    maker.subject_ = *std::move(subject);
    maker.build_ = std::move(build);
    std::error_code failure;
    maker.repository_ = fs::absolute(repository.empty() ? "." : repository, failure);
    maker.folder_ = cache / "environments";
    fs::create_directories(maker.folder_, failure);
    if (failure)
        return core::fail(ErrorCode::kEnvironment,
                          fmt::format("cannot make '{}': {}", maker.folder_.native(), failure.message()));
    const measure::Subject& s = maker.subject_;
    const std::size_t identity =
        std::hash<std::string>{}(fmt::format("{}\n{}\n{}\n{}{}", s.real_executable, s.version_text,
                                             s.executable_build_id, maker.build_, fmt::join(maker.beside_, "\n")));
    maker.suffix_ = fmt::format("-{}-{:08x}", s.abi, identity & 0xffffffff);
    return maker;
}

fs::path EnvironmentMaker::home_of(const std::string& candidate) const {
    return folder_ / (fmt::format("{}{}", builds_commits() ? "commit-" : package_ + "-", candidate) + suffix_);
}

Expected<std::string> EnvironmentMaker::python_of(const std::string& candidate) const {
    const fs::path home = home_of(candidate);
    const std::string python = (home / "bin" / "python").native();
    if (is_made(home)) return python;
    Expected<Turn> turn = take_turn(home, *streams_);
    if (!turn) return tl::unexpected<core::Error>(turn.error());
    if (is_made(home)) return python;  // by whom we waited for
    streams_->err << fmt::format("making an environment of {} for CPython {}",
                                 builds_commits() ? candidate : package_ + " " + candidate, subject_.version)
                  << std::endl;
    std::error_code ignored;
    fs::remove_all(home, ignored);
    const Status made = builds_commits() ? build(candidate, home) : install(candidate, home);
    if (!made) {
        fs::remove_all(home, ignored);
        return tl::unexpected<core::Error>(made.error());
    }
    if (!std::ofstream(home.native() + kMade).put('\n').flush())
        return core::fail(ErrorCode::kEnvironment, fmt::format("cannot write '{}{}'", home.native(), kMade));
    return python;
}

Expected<std::string> EnvironmentMaker::pip() const {
    for (const std::string& python : {subject_.python, subject_.real_executable}) {
        auto ran = run_step({python, "-m", "pip", "--version"}, kInstallLimit);
        if (!ran) return tl::unexpected<core::Error>(ran.error());
        if (ran->exit_status == 0) return python;
    }
    const fs::path home = folder_ / ("pip" + suffix_);
    const std::string python = (home / "bin" / "python").native();
    Expected<Turn> turn = take_turn(home, *streams_);
    if (!turn) return tl::unexpected<core::Error>(turn.error());
    if (is_made(home)) return python;
    Status made = succeeded(run_step({subject_.python, "-m", "venv", "--clear", home.native()}, kInstallLimit),
                            fmt::format("{} has no pip, and none can be made", subject_.python));
    if (!made) {
        made.error().hint = "install one (Debian: python3-venv or python3-pip)";
        return tl::unexpected<core::Error>(made.error());
    }
    std::ofstream(home.native() + kMade).put('\n');
    return python;
}

Status EnvironmentMaker::install(const std::string& release, const fs::path& home) const {
    Expected<std::string> with_pip = pip();
    if (!with_pip) return tl::unexpected<core::Error>(with_pip.error());
    const std::string what = fmt::format("{} {} for CPython {}", package_, release, subject_.version);
    if (Status s =
            succeeded(run_step({subject_.python, "-m", "venv", "--without-pip", home.native()}, kInstallLimit), what);
        !s)
        return s;
    std::vector<std::string> command{*with_pip,
                                     "-m",
                                     "pip",
                                     "--python",
                                     (home / "bin" / "python").native(),
                                     "--disable-pip-version-check",
                                     "--no-input",
                                     "install",
                                     "--quiet",
                                     "--only-binary",
                                     ":all:",
                                     package_ + "==" + release};
    command.insert(command.end(), beside_.begin(), beside_.end());
    return succeeded(run_step(command, kInstallLimit), what);
}

Status EnvironmentMaker::build(const std::string& commit, const fs::path& home) const {
    auto ran = run_step({"/bin/sh", "-c", std::string(kForgetRepository) + "cd -- \"$1\" && eval \"$2\"", "--build",
                         repository_.native(), build_command(build_, commit, home.native())},
                        kBuildLimit);
    if (!ran) return tl::unexpected<core::Error>(ran.error());
    const std::string log = home.native() + ".log";
    std::ofstream(log) << ran->out << ran->err;
    std::error_code ignored;
    if (ran->exit_status == 0 && fs::exists(home / "bin" / "python", ignored)) return {};
    const std::string reason = reason_in(ran->out + ran->err);
    return core::fail(ran->timed_out ? ErrorCode::kTimeout : ErrorCode::kEnvironment,
                      fmt::format("--build of {} {}{}{} (its output: {})", commit, ending_of(*ran),
                                  reason.empty() ? "" : ": ", reason, log));
}

std::vector<std::string> EnvironmentMaker::releases_made() const {
    std::string list = "Available versions: ";
    std::error_code failure;
    for (fs::directory_iterator entry(folder_, failure), end; !failure && entry != end; entry.increment(failure)) {
        const std::string name = entry->path().filename().string();
        const std::string prefix = package_ + "-";
        if (name.starts_with(prefix) && name.ends_with(suffix_) && is_made(entry->path()))
            list += name.substr(prefix.size(), name.size() - suffix_.size() - prefix.size()) + ",";
    }
    return releases_in(list);
}

Expected<std::vector<std::string>> EnvironmentMaker::releases() const {
    Expected<std::string> with_pip = pip();
    if (!with_pip) return tl::unexpected<core::Error>(with_pip.error());
    auto ran = run_step({*with_pip, "-m", "pip", "--disable-pip-version-check", "--no-input", "index", "versions",
                         "--only-binary", ":all:", package_},
                        kInstallLimit);
    const Status asked = succeeded(ran, fmt::format("the releases of {} cannot be listed", package_));
    if (asked) return releases_in(ran->out);
    if (asked.error().code == ErrorCode::kInterrupted) return tl::unexpected<core::Error>(asked.error());
    std::vector<std::string> made = releases_made();
    if (made.size() < 2) return tl::unexpected<core::Error>(asked.error());
    print_warning(*streams_,
                  fmt::format("{}; going by the {} that were installed before", asked.error().what, made.size()));
    return made;
}

}  // namespace tare::cli
