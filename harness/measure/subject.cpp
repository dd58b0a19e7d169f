// From a path that the user gave to a Subject, or to one error that names the way out.
#include "harness/measure/subject.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "harness/measure/child_output.h"
#include "harness/measure/elf_build_id.h"
#include "harness/measure/subject_cache.h"
#include "harness/measure/subject_script.h"

namespace tare::measure {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::fail;
namespace fs = std::filesystem;

namespace {

constexpr int kOldestMinor = 9;  // the vectorcall protocol that the call rung uses is public since CPython 3.9
constexpr const char* kHowToName =
    "name an interpreter or the folder of a virtual environment, for example /usr/bin/python3";

/// The absolute path of the program to ask, its symbolic links left alone.
Expected<std::string> located(const std::string& given) {
    std::error_code ignored;
    fs::path path = given;
    if (given.empty()) return fail(ErrorCode::kUsage, "an empty path names no interpreter", kHowToName);
    if (fs::is_directory(path, ignored)) {
        for (const char* name : {"bin/python", "bin/python3"})
            if (fs::exists(fs::symlink_status(path / name, ignored))) {
                path /= name;
                break;
            }
        if (fs::is_directory(path, ignored))
            return fail(ErrorCode::kUsage,
                        fmt::format("'{}' is a folder without bin/python, so no virtual environment", given),
                        kHowToName);
    } else if (given.find('/') == std::string::npos) {
        const std::string found = in_search_path(given);
        if (found.empty() && !fs::exists(path, ignored))
            return fail(ErrorCode::kUsage, fmt::format("no program '{}' in PATH", given), kHowToName);
        if (!found.empty()) path = found;
    }
    path = fs::absolute(path, ignored);
    const fs::file_status link = fs::symlink_status(path, ignored);
    if (!fs::exists(link)) return fail(ErrorCode::kUsage, fmt::format("'{}' does not exist", given), kHowToName);
    if (fs::is_symlink(link) && !fs::exists(path, ignored))
        return fail(ErrorCode::kEnvironment,
                    fmt::format("'{}' is a symbolic link to '{}', which does not exist", path.native(),
                                fs::read_symlink(path, ignored).native()),
                    "its interpreter was removed: create the virtual environment anew");
    if (::access(path.c_str(), X_OK) != 0)
        return fail(ErrorCode::kUsage, fmt::format("'{}' is not executable: {}", path.native(), std::strerror(errno)),
                    kHowToName);
    return path.native();
}

std::string last_line(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
    return std::string(text.substr(text.find_last_of('\n') + 1));
}

bool begins_with_hash_bang(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    char begin[2] = {};
    return file.read(begin, 2) && begin[0] == '#' && begin[1] == '!';
}

/// Runs the script; its fields from `begin` on.
Expected<Fields> ask(const std::string& python, std::chrono::nanoseconds time_limit) {
    Expected<ChildOutput> ran =
        run_for_output({python, "-c", kSubjectScript, std::to_string(kOldestMinor)}, time_limit);
    if (!ran) return fail(ran.error().code, ran.error().what, kHowToName);
    if (ran->timed_out)
        return fail(
            ErrorCode::kTimeout,
            fmt::format("'{}' did not answer within {:g} s", python, std::chrono::duration<double>(time_limit).count()),
            fmt::format("run it by hand, {} -c 'print(1)': a start-up file or its disk may hang", python));
    const std::size_t begin = ran->out.find("begin=1\n");
    const bool complete = begin != std::string::npos && ran->out.ends_with("end=1\n");
    if (complete && ran->exit_status == 0) return parse_fields(std::string_view(ran->out).substr(begin));
    if (ran->exit_status == 0 && begin == std::string::npos)
        return fail(ErrorCode::kEnvironment, fmt::format("'{}' is not a Python interpreter", python), kHowToName);
    const std::string end = ran->signal_number != 0 ? fmt::format("was ended by signal {} ({})", ran->signal_number,
                                                                  ::strsignal(ran->signal_number))
                                                    : fmt::format("ended with status {}", ran->exit_status);
    const std::string line = last_line(ran->err);
    return fail(
        ErrorCode::kEnvironment,
        fmt::format("'{}' cannot describe itself: it {}{}", python, end, line.empty() ? "" : ": " + line),
        fmt::format("check that {} -c 'import site, sysconfig' works (PYTHONHOME and PYTHONPATH apply)", python));
}

Subject subject_from(const std::string& python, const Fields& fields) {
    Subject s;
    s.python = python;
    s.executable = field(fields, "executable");
    if (s.executable.empty()) s.executable = python;  // CPython leaves it empty when it cannot tell
    s.real_executable = field(fields, "real_executable");
    s.is_script = field(fields, "is_script") == "1";
    s.version = field(fields, "version");
    s.version_text = field(fields, "version_text");
    s.abi = field(fields, "abi");
    s.implementation = field(fields, "implementation");
    s.prefix = field(fields, "prefix");
    s.base_prefix = field(fields, "base_prefix");
    s.site_packages = all_fields(fields, "site_packages");
    s.free_threaded = field(fields, "free_threaded") == "1";
    s.debug = field(fields, "debug") == "1";
    s.executable_build_id = field(fields, "executable_build_id");
    s.libpython_path = field(fields, "libpython_path");
    s.libpython_build_id = field(fields, "libpython_build_id");
    s.shared_libpython_candidate = field(fields, "shared_libpython_candidate");
    s.shared_libpython_candidate_build_id = field(fields, "shared_libpython_candidate_build_id");
    s.numpy_path = field(fields, "numpy_path");
    s.numpy_version = field(fields, "numpy_version");
    return s;
}

core::Status supported(const std::string& python, const Fields& fields) {
    if (field(fields, "implementation") != "cpython")
        return fail(ErrorCode::kEnvironment,
                    fmt::format("'{}' is {}, not CPython", python, field(fields, "implementation")),
                    "a worker holds CPython only; name a CPython");
    if (field(fields, "supported") != "1")
        return fail(
            ErrorCode::kEnvironment,
            fmt::format("'{}' is Python {}; 3.{} or newer is needed", python, field(fields, "version"), kOldestMinor),
            "name a newer interpreter");
    return {};
}

core::Status add_build_ids(Fields& fields) {
    for (const auto& [file_key, id_key] :
         {std::pair{"real_executable", "executable_build_id"}, std::pair{"libpython_path", "libpython_build_id"},
          std::pair{"shared_libpython_candidate", "shared_libpython_candidate_build_id"}}) {
        const std::string file = field(fields, file_key);
        if (file.empty()) continue;
        Expected<std::string> id = file_build_id(file);
        if (!id)
            return fail(id.error().code, id.error().what,
                        "the interpreter's files changed under it or are unreadable: install it again");
        fields.emplace_back(id_key, *id);
    }
    return {};
}

}  // namespace

std::string in_search_path(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const fs::path candidate = fs::path(rest.substr(0, end)) / name;
        rest.remove_prefix(std::min(end + 1, rest.size()));
        std::error_code ignored;
        if (fs::is_regular_file(candidate, ignored) && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return {};
}

std::string one_line(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (!space)
            line += c;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    }
    if (line.ends_with(' ')) line.pop_back();
    return line;
}

fs::path default_cache_dir() {
    // The XDG base directory specification ignores relative paths.
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && cache[0] == '/')
        return fs::path(cache) / "tare";
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
        return fs::path(home) / ".cache" / "tare";
    return {};
}

Expected<Subject> probe_subject(const std::string& given, const fs::path& cache_dir,
                                std::chrono::nanoseconds time_limit) {
    Expected<std::string> python = located(given);
    if (!python) return tl::unexpected<Error>(python.error());
    const std::string key = cache_key(*python);
    if (const std::optional<Fields> known = remembered(cache_dir, key)) return subject_from(*python, *known);

    Expected<Fields> answer = ask(*python, time_limit);
    if (!answer) return tl::unexpected<Error>(answer.error());
    if (core::Status status = supported(*python, *answer); !status) return tl::unexpected<Error>(status.error());
    if (core::Status status = add_build_ids(*answer); !status) return tl::unexpected<Error>(status.error());
    const bool is_script = begins_with_hash_bang(*python);
    answer->emplace_back("is_script", is_script ? "1" : "0");
    Subject subject = subject_from(*python, *answer);
    if (is_script || cache_dir.empty()) return subject;

    std::vector<std::string> watched = all_fields(*answer, "watch");
    const fs::path folder = fs::path(*python).parent_path();
    watched.insert(watched.end(),
                   {*python, subject.real_executable, folder / "pyvenv.cfg", folder.parent_path() / "pyvenv.cfg"});
    for (const std::string& library : {subject.libpython_path, subject.shared_libpython_candidate})
        if (!library.empty()) watched.push_back(library);
    if (core::Status status = remember(cache_dir, key, *answer, watched); !status)
        subject.warnings.push_back(status.error().what + "; the interpreter is asked anew at every start");
    return subject;
}

}  // namespace tare::measure
