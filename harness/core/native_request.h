// A request for a rung without Python: buffers, NumPy's own inner loop, or the name of a routine.
// Made by the python folder from live arrays, answered by benchmarks/native. The buffers belong to the arrays, which
// the requester keeps alive as long as the rung.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/batch_entry.h"

namespace tare::core {

/// A strided view on an array's memory, as in NumPy's `__array_interface__`.
struct Buffer {
    void* data = nullptr;
    std::vector<std::ptrdiff_t> shape;          ///< empty: 0-d, one element
    std::vector<std::ptrdiff_t> strides_bytes;  ///< as long as shape
    char dtype = 'd';                           ///< NumPy's type character: f d l F D ? ...
    std::ptrdiff_t itemsize_bytes = 8;
    bool writeable = false;
};

/// NumPy's PyUFuncGenericFunction with its data pointer: what `ufunc->functions[i]` holds.
struct InnerLoop {
    void (*function)(char** args, const std::ptrdiff_t* dimensions, const std::ptrdiff_t* steps, void* data) = nullptr;
    void* data = nullptr;
    int nin = 0;
    int nout = 0;
};

struct NativeRequest {
    std::string family;                          ///< "ufunc", "reduce", "blas", "plain"
    std::string routine;                         ///< "add", "gemm", "syrk", ...
    std::vector<Buffer> buffers;                 ///< inputs, then outputs
    InnerLoop loop;                              ///< of the families ufunc and reduce
    std::map<std::string, std::string> options;  ///< "numpy_module": path of _multiarray_umath; ...
};

/// A rung ready to run. `state` owns what `entry.context` points to.
struct NativeRung {
    BatchEntry entry;
    std::shared_ptr<void> state;
    std::string routine;  ///< "cblas_sgemm", "add[dd->d]"
    std::string symbol;   ///< as exported: "scipy_cblas_sgemm64_"; empty if there is none
    std::string library;  ///< path of the shared object that holds the code
    std::string address;  ///< "libscipy_openblas64_-32a4b2a6.so+0x1a2b30"
    std::string check;    ///< how the address was confirmed: "equals _multiarray_umath's GOT entry"
};

}  // namespace tare::core
