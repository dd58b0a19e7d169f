// Forms of OpenBLAS's names, as interface/, driver/, kernel/Makefile.L1 to .L3 and exports/gensymbol of its sources
// make them. Precisions besides s, d, c, z: long double (q, x) and half formats (b, sb, sh, bs, bd).
#include "harness/attribution/blas_name.h"

#include <re2/re2.h>

#include <utility>

#include "harness/attribution/re2_text.h"

namespace tare::attribution {

namespace {

RE2::Options quiet() {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);  // names of foreign binaries are bytes
    options.set_log_errors(false);
    return options;
}

/// One form; its groups are precision, routine, transposition and core, () where it has none.
struct Form {
    Form(BlasRole its_role, const std::string& text, bool small = false)
        : role(its_role), pattern(text, quiet()), small_matrix(small) {}
    BlasRole role;
    RE2 pattern;
    bool small_matrix;
};

/// What an OpenBLAS makes inside. The first that matches decides: a kernel's core stands before a driver without one.
struct InnerForms {
    const std::string precision = "(sb|sh|bs|bd|b|[sdczqx])";
    const std::string gemm = precision + "(gemm3m|gemmtr?|gemm)";
    const std::string level3 =
        precision + "(gemm3m|gemmtr?|gemm|symm3m|hemm3m|symm|hemm|syrk|herk|syr2k|her2k|trmm|trsm|neg|laswp)";
    const std::string level2 =
        precision +
        "(gemv|ger[ucvd]?|gbmv|sbmv|hbmv|spmv|hpmv|symv|hemv|tbmv|tbsv|tpmv|tpsv|trmv|trsv|syr2?|her2?|spr2?|hpr2?)";
    const std::string level1 =
        precision +
        "(amax|amin|max|min|axpyc?|axpby|dot[cu]?|s?dsdot|sdot|scal|copy|swap|q?rotmg?|q?rotg?|nrm2|asum|"
        "sum|geadd|ger[ucvd]?)";
    const std::string core = "_([A-Z][A-Z0-9]{2,}(?:_[A-Z0-9]+)?)";  // HASWELL, OPTERON_SSE3
    const std::string maybe_core = "(?:" + core + ")?";

    const Form forms[24] = {
        {BlasRole::kKernel, gemm + "_small_kernel(?:_b0)?_([nrtc]{2})" + maybe_core, true},
        {BlasRole::kOther, gemm + "()_small_matrix_permit" + maybe_core},
        {BlasRole::kOther, level3 + "()_direct(?:_\\w+)?_performant" + maybe_core},
        {BlasRole::kKernel, level3 + "()_direct(?:_alpha_beta|_use_sme)?" + maybe_core},
        {BlasRole::kPacking, level3 + "()_[iolunt]{1,4}copy[rib]?" + maybe_core},
        {BlasRole::kPacking, gemm + "()_beta" + maybe_core},
        {BlasRole::kKernel, gemm + "()_kernel(?:_[nlrb])?" + maybe_core},  // n, l, r, b: which side is conjugated
        {BlasRole::kKernel, level3 + "_kernel(?:_([LURNTC]{1,2}))?" + maybe_core},
        {BlasRole::kKernel, level1 + "()_k" + maybe_core},
        {BlasRole::kKernel, "([cz])[sd](rot)()_k" + maybe_core},  // complex vectors, real factors
        {BlasRole::kKernel, precision + "([io]matcopy)()_k_[a-z]+" + maybe_core},
        {BlasRole::kKernel, level2 + "_([a-zA-Z])" + core},
        {BlasRole::kKernel, level1 + "()_(?:micro)?kernel_\\w+()"},  // static helpers of kernels: daxpy_kernel_8
        {BlasRole::kKernel, level2 + "()_(?:micro)?kernel_\\w+()"},
        {BlasRole::kKernel, level3 + "()_kernel_\\d\\w*()"},
        {BlasRole::kDriver, gemm + "_(?:thread_)?([nrtc]{2})()"},
        {BlasRole::kDriver, level3 + "_(?:thread_)?([LURNTC]{2,4})()"},
        {BlasRole::kDriver, level2 + "_(?:thread_)?([a-zA-Z]{1,3})()"},
        {BlasRole::kDriver, precision + "(gemm_batch|syrk|herk|ger[ucvd]?|gemm)()_thread()"},
        {BlasRole::kDriver,
         precision + "(getrf|potrf|getrs|lauum|trtri|trtrs|laed3)(?:_([A-Z]{1,3}))?_(?:single|parallel)()"},
        {BlasRole::kDriver, precision + "(getf2)()_k()"},
        {BlasRole::kDriver, precision + "(potf2|lauu2|trti2)_([A-Z]{1,2})()"},
        {BlasRole::kDriver, precision + "(laswp)()_(?:plus|minus)()"},
        {BlasRole::kKernel, precision + "(trsm|trmm)_([LR][NTRC])_solve\\w*()"},
    };
};

std::optional<BlasName> inner_name(std::string_view function) {
    static const InnerForms forms;
    for (const Form& form : forms.forms) {
        BlasName name;
        const bool matches = RE2::FullMatch(piece(function), form.pattern, &name.precision, &name.routine,
                                            &name.transposition, &name.core);
        if (!matches) continue;
        name.role = form.role;
        name.small_matrix = form.small_matrix;
        if (name.routine.ends_with("sdot")) {  // dsdot_k, sdsdot_k: floats multiplied, doubles added
            name.precision = "s";
            name.routine = function.substr(0, function.find('_'));
        }
        return name;
    }
    return std::nullopt;
}

/// idamax_k: the index of the largest.
std::optional<BlasName> index_name(std::string_view function) {
    static const RE2 extremum("am(ax|in)|max|min", quiet());
    std::optional<BlasName> name = function.starts_with('i') ? inner_name(function.substr(1)) : std::nullopt;
    if (!name || !RE2::FullMatch(name->routine, extremum)) return std::nullopt;
    name->routine.insert(0, "i");
    return name;
}

/// A public name taken apart: (scipy_)(cblas_|LAPACKE_)dgemm(64_).
struct PublicName {
    std::string kind;  ///< cblas_, LAPACKE_; empty: Fortran
    std::string body;  ///< dgemm
};

std::optional<PublicName> public_name(std::string_view function) {
    static const RE2 c_name("(?:scipy_)?(cblas_|LAPACKE_)(\\w+?)(?:_64_|64_|_64)?", quiet());
    static const RE2 fortran_name("(?:scipy_)?()([a-z][a-z0-9_]*?)(?:_64_|64_|_)", quiet());
    PublicName name;
    if (RE2::FullMatch(piece(function), c_name, &name.kind, &name.body) ||
        RE2::FullMatch(piece(function), fortran_name, &name.kind, &name.body)) {
        return name;
    }
    return std::nullopt;
}

/// Precision and routine of a public name's body. Two letters where result and operands differ: the operands' counts.
std::optional<BlasName> routine_of(std::string_view body) {
    static const RE2 index("i([sdczqx])((?:amax|amin|max|min))", quiet());
    static const RE2 real_result("[sdq]([czx])(nrm2|asum|sum|amax|amin)", quiet());
    static const RE2 real_factor("([czx])[sdq](scal|rot)", quiet());
    static const RE2 mixed_dot("(?:d|sd)(s)(dot)", quiet());
    static const RE2 half("(sb|sh|bs|bd|b)(gemm\\w*|dot|gemv)", quiet());
    static const RE2 plain("([sdczqx])([a-z][a-z0-9_]+)", quiet());
    static const RE2 helper("xerbla\\w*|second|dsecnd|lsame|ilaenv\\w*|iparmq|ieeeck|droundup_lwork|sroundup_lwork",
                            quiet());
    BlasName name;
    name.role = BlasRole::kInterface;
    const re2::StringPiece text = piece(body);
    if (RE2::FullMatch(text, helper)) return std::nullopt;
    if (RE2::FullMatch(text, index, &name.precision, &name.routine)) {
        name.routine.insert(0, "i");
        return name;
    }
    for (const RE2* form : {&real_result, &real_factor, &mixed_dot, &half, &plain}) {
        if (!RE2::FullMatch(text, *form, &name.precision, &name.routine)) continue;
        if (form == &mixed_dot) name.routine = std::string(body);                          // dsdot, sdsdot
        if (name.routine.ends_with("_sub")) name.routine.resize(name.routine.size() - 4);  // cblas_cdotc_sub
        return name;
    }
    return std::nullopt;
}

}  // namespace

std::optional<BlasName> parse_blas_name(std::string_view function) {
    if (auto name = inner_name(function)) return name;
    if (auto name = index_name(function)) return name;
    const auto name = public_name(function);
    return name ? routine_of(name->body) : std::nullopt;
}

std::string undecorated_blas_name(std::string_view function) {
    const auto name = public_name(function);
    if (!name) return std::string(function);
    return name->kind.empty() ? name->body + "_" : name->kind + name->body;
}

bool is_blas_module(std::string_view file_name) {
    static const RE2 library(
        "lib(scipy_)?(openblas|blas|cblas|lapack|mkl_|blis|flexiblas|[st]?atlas|goto)[^/]*|mkl_[^/]*|openblas[^/]*",
        quiet());
    const std::size_t folder = file_name.rfind('/');
    if (folder != std::string_view::npos) file_name.remove_prefix(folder + 1);
    return RE2::FullMatch(piece(file_name), library);
}

}  // namespace tare::attribution
