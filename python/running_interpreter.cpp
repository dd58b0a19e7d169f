// The one global is what the handlers read; it is written once, before its flag is set. No fmt here: the library that
// is preloaded into users' programs brings as little along as it can.
#include "python/frame_layout.h"
// (first: it includes Python.h)
#include "python/running_interpreter.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include "python/readable_memory.h"

namespace tare::python {

namespace {

RunningInterpreter found;
std::atomic<bool> is_found{false};

constexpr unsigned long kFinal = 0xF0;  // PY_RELEASE_LEVEL of a version number

template <class T>
T symbol(const char* name) {
    return reinterpret_cast<T>(dlsym(RTLD_DEFAULT, name));
}

std::string version_text(unsigned long version) {
    return std::to_string(version >> 24) + '.' + std::to_string(version >> 16 & 0xFF) + '.' +
           std::to_string(version >> 8 & 0xFF) + ((version & kFinal) == kFinal ? "" : " (not final)");
}

core::Status refuse(std::string what) {
    return core::fail(core::ErrorCode::kEnvironment, std::move(what),
                      "samples show native frames only; build what reads them: bench worker build --python PYTHON");
}

/// As PY_VERSION_HEX has it; 0: this is no CPython. Before 3.11 there is only a text, "3.10.13 (main, ...".
unsigned long running_version() {
    if (const auto* version = symbol<const unsigned long*>("Py_Version"); version != nullptr) return *version;
    const auto text_of = symbol<const char* (*)()>("Py_GetVersion");
    if (text_of == nullptr) return 0;
    char* end = nullptr;
    const char* text = text_of();
    unsigned long version = std::strtoul(text, &end, 10) << 24;
    if (*end == '.') version |= std::strtoul(end + 1, &end, 10) << 16;
    if (*end == '.') version |= std::strtoul(end + 1, &end, 10) << 8;
    return *end == ' ' || *end == '+' ? version | kFinal : version;  // "3.10.13+ (heads/...", "3.10.0rc1 (..."
}

/// A minor release keeps its layout once it is final; before that, anything may change.
core::Status check_version() {
    const unsigned long version = running_version();
    if (version == 0) return refuse("this process has neither Py_Version nor Py_GetVersion: it is no CPython");
    const bool same_minor = version >> 16 == PY_VERSION_HEX >> 16;
    const bool both_final = (version & kFinal) == kFinal && (PY_VERSION_HEX & kFinal) == kFinal;
    if (version != PY_VERSION_HEX && !(same_minor && both_final))
        return refuse("this process runs CPython " + version_text(version) +
                      "; its frames were to be read as those of " + version_text(PY_VERSION_HEX));
    return {};
}

#if PY_VERSION_HEX >= 0x03090000
/// codeobject.c: a code object's tp_basicsize ends at its bytecode, where that is in it. Other kinds of builds have
/// another.
core::Status check_layout() {
    const Py_ssize_t bytes = reinterpret_cast<const PyTypeObject*>(found.code_type)->tp_basicsize;
    if (bytes == static_cast<Py_ssize_t>(layout::kCodeBytes)) return {};
    return refuse("code objects of this CPython have " + std::to_string(bytes) + " bytes before their bytecode, not " +
                  std::to_string(layout::kCodeBytes) + ": a debug or a free-threaded build?");
}
#else
core::Status check_layout() {
    return {};
}
#endif

}  // namespace

core::Status find_running_interpreter() {
    if (is_found.load()) return {};
    if (!layout::kSupported)
        return refuse("frames of CPython " PY_VERSION " cannot be read: known are 3.9 to 3.14, and with a GIL");
    if (auto version = check_version(); !version) return version;
    found.thread_state = symbol<void* (*)()>("PyGILState_GetThisThreadState");
    found.gil_holder =
        symbol<void* (*)()>(PY_VERSION_HEX < 0x030D0000 ? "_PyThreadState_UncheckedGet" : "PyThreadState_GetUnchecked");
    found.code_type = symbol<std::uint64_t>("PyCode_Type");
    found.text_type = symbol<std::uint64_t>("PyUnicode_Type");
    found.bytes_type = symbol<std::uint64_t>("PyBytes_Type");
    found.frame_type = symbol<std::uint64_t>("PyFrame_Type");
    if (found.thread_state == nullptr || found.gil_holder == nullptr || found.code_type == 0 || found.text_type == 0 ||
        found.bytes_type == 0 || found.frame_type == 0)
        return refuse(
            "this CPython does not export PyGILState_GetThisThreadState, PyCode_Type or another symbol needed");
    if (auto same = check_layout(); !same) return same;
    alignas(8) static constexpr std::uint64_t kReadable = 0;
    if (!is_page_readable(reinterpret_cast<std::uint64_t>(&kReadable)) || is_page_readable(8))
        return refuse("the kernel does not tell readable memory from other (rt_sigprocmask): a sandbox?");
    is_found.store(true, std::memory_order_release);
    return {};
}

const RunningInterpreter* running_interpreter() noexcept {
    return is_found.load(std::memory_order_acquire) ? &found : nullptr;
}

}  // namespace tare::python
