// The one error type of the project and Expected<T>, the result of anything the environment or the user can make fail.
// No exception crosses a folder; an error is a value with a code, what failed (with the value), and the way out.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace tare::core {

/// Who has to act on an error; decides the exit code of `bench` (2 for all but kCaseFailed, which is 4).
enum class ErrorCode {
    kUsage,        ///< the command line or a suite asks for something that does not exist
    kEnvironment,  ///< the machine or the subject lacks something
    kData,         ///< a file is damaged or has an unknown version
    kCaseFailed,   ///< one case could not be measured; the others go on
    kWorkerDied,   ///< the worker process ended or was ended while a case ran
    kTimeout,      ///< a time limit ran out
    kInterrupted,  ///< the user pressed Ctrl-C
};

struct Error {
    ErrorCode code = ErrorCode::kEnvironment;
    std::string what;  ///< what failed, with the value and the system's reason
    std::string hint;  ///< what to do next; may be empty

    bool operator==(const Error&) const = default;
};

template <class T>
using Expected = tl::expected<T, Error>;
using Status = Expected<void>;

/// Builds the error side of an Expected.
inline tl::unexpected<Error> fail(ErrorCode code, std::string what, std::string hint = {}) {
    return tl::unexpected<Error>(Error{code, std::move(what), std::move(hint)});
}

}  // namespace tare::core
