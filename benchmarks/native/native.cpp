// Which maker answers which family of requests. No state.
#include "benchmarks/native/native.h"

#include <fmt/format.h>

#include "benchmarks/native/blas_rungs.h"
#include "benchmarks/native/plain_rungs.h"
#include "benchmarks/native/ufunc_rungs.h"

namespace tare::benchmarks {

core::Expected<core::NativeRung> make_native(const core::NativeRequest& request) {
    if (request.family == "ufunc") return make_ufunc(request);
    if (request.family == "reduce") return make_reduce(request);
    if (request.family == "blas") return make_blas(request);
    if (request.family == "plain") return make_plain(request);
    return core::fail(core::ErrorCode::kUsage, fmt::format("no family of native rungs is called '{}'", request.family),
                      "families: ufunc, reduce, blas, plain");
}

}  // namespace tare::benchmarks
