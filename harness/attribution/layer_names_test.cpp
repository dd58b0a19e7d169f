// At stake: over 95 % of what small operations execute gets a layer by a rule. Names as the symbol tables of
// CPython 3.10 to 3.14, NumPy 1.22 to 2.5 and OpenBLAS 0.3.21 to 0.3.31 have them, with a caller that callgrind saw
// them have.
#include <gmock/gmock.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/attribution/built_in_layers.h"
#include "harness/attribution/layer_table.h"

namespace tare::attribution {
namespace {

constexpr std::string_view kPython = "libpython3.11.so.1.0";
constexpr std::string_view kNumpy = "_multiarray_umath.cpython-311-x86_64-linux-gnu.so";
constexpr std::string_view kBlas = "libscipy_openblas64_-32a4b2a6.so";
constexpr std::string_view kLibc = "libc.so.6";
constexpr std::string_view kLibm = "libm.so.6";
constexpr std::string_view kWorker = "tare_worker.cpython-311-x86_64-linux-gnu.so";
constexpr std::string_view kVdso = "[vdso]";
constexpr std::string_view kNumba = "_dispatcher.cpython-311-x86_64-linux-gnu.so";
constexpr std::string_view kJit = "";

struct Row {
    std::string_view module;
    std::string_view functions;  ///< separated by blanks
    LayerTable::Place caller;
    std::string_view layer;
};

constexpr Row kRows[] = {
    {kPython,
     "_PyEval_EvalFrameDefault _TAIL_CALL_BINARY_OP _TAIL_CALL_LOAD_FAST _PyEval_Vector "
     "_PyFunction_Vectorcall rangeiter_next _Py_Specialize_BinaryOp "
     "_PyFrame_ClearExceptCode initialize_locals _PyEvalFramePushAndInit gen_iternext "
     "_PyObject_GenericGetAttrWithDict _PyType_Lookup unicodekeys_lookup_unicode "
     "_PyDict_LoadGlobal PyObject_GetItem",
     {kPython, "_PyEval_EvalFrameDefault"},
     "interpreter"},
    {kPython,
     "PyNumber_Add PyNumber_MatrixMultiply binary_op1 binary_iop1 ternary_op float_add "
     "long_add PyObject_RichCompare float_richcompare _PyEval_BinaryOps",
     {kPython, "_PyEval_EvalFrameDefault"},
     "number_protocol"},
    {kPython,
     "PyObject_Vectorcall PyObject_Call PyObject_CallFunctionObjArgs object_vacall "
     "_PyObject_MakeTpCall _Py_CheckFunctionResult cfunction_vectorcall_FASTCALL_KEYWORDS "
     "method_vectorcall_FASTCALL_KEYWORDS PyVectorcall_Call _PyStack_UnpackDict type_call",
     {kPython, "_PyEval_EvalFrameDefault"},
     "call_protocol"},
    {kPython,
     "vgetargskeywords _PyArg_ParseTupleAndKeywords_SizeT PyArg_UnpackTuple convertitem",
     {kPython, "_PyEval_EvalFrameDefault"},
     "argument_parsing"},
    {kPython,
     "PyTuple_New PyType_GenericAlloc _PyObject_Malloc PyFloat_FromDouble _PyObject_GC_New "
     "PyTraceMalloc_Track PyLong_FromLong _Py_NewReference PyObject_Init",
     {kPython, "_PyEval_EvalFrameDefault"},
     "allocation"},
    {kPython,
     "_Py_Dealloc tupledealloc float_dealloc _PyObject_Free PyObject_Free "
     "PyTraceMalloc_Untrack _PyFloat_ExactDealloc dict_dealloc PyMem_RawFree _PyTrash_begin",
     {kPython, "_PyEval_EvalFrameDefault"},
     "deallocation"},
    {kPython,
     "PyErr_Occurred PyErr_Clear _PyErr_SetObject PyErr_GivenExceptionMatches "
     "AttributeError_init",
     {kPython, "_PyEval_EvalFrameDefault"},
     "error_state"},
    {kPython,
     "PyEval_SaveThread PyEval_RestoreThread take_gil drop_gil PyGILState_Ensure "
     "_PyThreadState_Attach",
     {kPython, "_PyEval_EvalFrameDefault"},
     "gil"},
    {kPython, "PyContextVar_Get", {kNumpy, "PyDataMem_GetHandler"}, "allocation"},
    {kPython, "PyContextVar_Get PyCapsule_GetPointer", {kNumpy, "_get_bufsize_errmask"}, "fp_errors"},
    {kPython, "PyCapsule_GetPointer", {kNumpy, "PyDataMem_UserNEW"}, "allocation"},
    {kPython, "PyCapsule_GetPointer", {kNumpy, "PyDataMem_UserFREE"}, "deallocation"},
    {kPython, "PyType_IsSubtype PyObject_GetAttr _PyType_Lookup", {kNumpy, "PyArray_LookupSpecial"}, "override_check"},
    {kPython, "PyDict_GetItemWithError PyThreadState_GetDict", {kNumpy, "get_global_ext_obj"}, "fp_errors"},
    {kPython, "PyDict_GetItem", {kNumpy, "PyArray_DiscoverDTypeAndShape_Recursive"}, "coercion"},
    {kLibc,
     "__memset_avx2_unaligned_erms __memcpy_avx_unaligned_erms __memset_evex_unaligned_erms "
     "memset@plt",
     {kNumpy, "ufunc_generic_fastcall"},
     "argument_parsing"},
    {kLibc, "__strcmp_avx2 __strcmp_evex", {kNumpy, "PyDataMem_UserNEW"}, "allocation"},
    {kLibc, "pthread_mutex_lock __pthread_mutex_unlock_usercnt", {kBlas, "blas_memory_alloc"}, "blas_memory"},
    {kLibc, "pthread_mutex_lock pthread_cond_signal __errno_location", {kPython, "take_gil"}, "gil"},
    {kLibc, "__memmove_avx_unaligned_erms", {kNumpy, "DOUBLE_copyswap"}, "inner_loop"},
    {kPython, "PyObject_CallFunctionObjArgs@plt", {kNumpy, "array_add"}, "number_protocol"},
    {kLibc, "malloc _int_malloc calloc __libc_malloc", {kNumpy, "default_malloc"}, "allocation"},
    {kLibc, "free _int_free cfree", {kNumpy, "default_free"}, "deallocation"},
    {kNumpy,
     "array_add array_multiply array_inplace_add array_matrix_multiply array_power "
     "array_richcompare array_negative PyArray_GenericBinaryFunction try_binary_elide "
     "can_elide_temp fast_scalar_power gentype_add",
     {kPython, "_PyEval_EvalFrameDefault"},
     "number_protocol"},
    {kNumpy,
     "ufunc_generic_fastcall ufunc_generic_vectorcall _npy_parse_arguments "
     "PyUFunc_GenericReduction ufunc_reduce _get_fixed_signature array_sum array_astype "
     "forward_ndarray_method npy_forward_method PyArray_IntpConverter NpyArg_ParseKeywords "
     "array_matrixproduct",
     {kPython, "_PyEval_EvalFrameDefault"},
     "argument_parsing"},
    {kNumpy,
     "PyUFunc_CheckOverride PyUFuncOverride_GetNonDefaultArrayUfunc "
     "PyArray_LookupSpecial_OnInstance binop_should_defer is_anyscalar_exact "
     "get_implementing_args_and_methods dispatcher_vectorcall "
     "array_implement_array_function get_array_function",
     {kPython, "_PyEval_EvalFrameDefault"},
     "override_check"},
    {kNumpy,
     "PyArray_FromAny PyArray_FromAny_int PyArray_DiscoverDTypeAndShape "
     "PyArray_DiscoverDTypeAndShape_Recursive PyArray_Pack npy_mark_tmp_array_if_pyscalar "
     "mark_pyscalar_operand discover_descriptor_from_pyfloat DOUBLE_setitem DOUBLE_getitem "
     "npy_unlink_coercion_cache recursive_tolist array_asarray "
     "npy_update_operand_for_scalar",
     {kPython, "_PyEval_EvalFrameDefault"},
     "coercion"},
    {kNumpy,
     "promote_and_get_ufuncimpl promote_and_get_info_and_ufuncimpl "
     "legacy_promote_using_legacy_type_resolver resolve_implementation_info "
     "call_promoter_and_recurse PyArrayIdentityHash_GetItem resolve_descriptors "
     "simple_legacy_resolve_descriptors wrapped_legacy_resolve_descriptors "
     "legacy_same_dtype_resolve_descriptors PyUFunc_AdditionTypeResolver "
     "PyUFunc_SimpleUniformOperationTypeResolver linear_search_type_resolver "
     "should_use_min_scalar min_scalar_type_num PyArray_ResultType PyArray_CanCastArrayTo "
     "ensure_native_byteorder PyArray_GetCastingImpl reducelike_promote_and_resolve",
     {kPython, "_PyEval_EvalFrameDefault"},
     "type_resolution"},
    {kNumpy,
     "try_trivial_single_output_loop try_trivial_scalar_call try_reduce_contiguous "
     "execute_ufunc_loop execute_legacy_ufunc_loop iterator_loop "
     "get_wrapped_legacy_ufunc_loop PyUFunc_DefaultLegacyInnerLoopSelector "
     "generic_wrapped_legacy_loop NpyIter_AdvancedNew npyiter_fill_axisdata "
     "PyUFunc_GeneralizedFunctionInternal PyUFunc_ReduceWrapper reduce_loop IsAligned "
     "raw_array_assign_array PyArray_GetDTypeTransferFunction define_cast_for_descrs "
     "npyiter_new_temp_array solve_may_share_memory",
     {kPython, "_PyEval_EvalFrameDefault"},
     "loop_setup"},
    {kNumpy,
     "npy_clear_floatstatus_barrier npy_get_floatstatus_barrier _check_ufunc_fperr "
     "_get_bufsize_errmask _extract_pyvals get_global_ext_obj fetch_curr_extobj_state",
     {kPython, "_PyEval_EvalFrameDefault"},
     "fp_errors"},
    {kLibm, "fetestexcept feclearexcept", {kNumpy, "npy_get_floatstatus_barrier"}, "fp_errors"},
    {kNumpy,
     "PyArray_NewFromDescr PyArray_NewFromDescr_int PyDataMem_UserNEW PyDataMem_GetHandler "
     "npy_alloc_cache_dim default_malloc gentype_alloc PyArray_UpdateFlags "
     "_array_fill_strides new_array_for_sum",
     {kPython, "_PyEval_EvalFrameDefault"},
     "allocation"},
    {kNumpy,
     "DOUBLE_add DOUBLE_add_AVX2 DOUBLE_add_AVX512_SKX DOUBLE_add_X86_V3 "
     "DOUBLE_add_FMA3__AVX2 FLOAT_sqrt_SSE41 LONG_add_avx2 DOUBLE_pairwise_sum "
     "AVX512F_maximum_DOUBLE sse2_maximum_DOUBLE "
     "_aligned_strided_to_contig_size8_srcstride0 _aligned_contig_cast_double_to_float "
     "_contig_to_contig quicksort_ np::qsort_simd::QSort_AVX2 PyUFunc_d_d PyUFunc_dd_d "
     "__svml_sin8 simd_binary_less_f64 double_sum_of_products_muladd",
     {kPython, "_PyEval_EvalFrameDefault"},
     "inner_loop"},
    {kNumpy,
     "npy_find_array_wrap npy_apply_wrap _find_array_method _apply_array_wrap "
     "PyArray_Return PyArray_Scalar",
     {kPython, "_PyEval_EvalFrameDefault"},
     "wrap_result"},
    {kNumpy,
     "array_dealloc _clear_array_attributes PyDataMem_UserFREE npy_free_cache_dim "
     "default_free NpyIter_Deallocate gentype_dealloc legacy_array_method_auxdata_free",
     {kPython, "_PyEval_EvalFrameDefault"},
     "deallocation"},
    {kNumpy,
     "cblas_matrixproduct DOUBLE_matmul DOUBLE_matmul_matrixmatrix FLOAT_dot "
     "PyArray_MatrixProduct2 gemm syrk",
     {kPython, "_PyEval_EvalFrameDefault"},
     "blas_bridge"},
    {kNumpy,
     "double_add long_multiply convert_to_double float_true_divide",
     {kPython, "_PyEval_EvalFrameDefault"},
     "scalar_math"},
    {kNumpy,
     "array_subscript prepare_index get_view_from_index array_assign_subscript",
     {kPython, "_PyEval_EvalFrameDefault"},
     "indexing"},
    {kNumpy,
     "PyArray_Newshape array_reshape PyArray_Transpose array_transpose_get "
     "PyArray_ConcatenateArrays",
     {kPython, "_PyEval_EvalFrameDefault"},
     "shape"},
    {kBlas,
     "cblas_sgemm scipy_cblas_sgemm64_ cblas_dgemm64_ scipy_sgemm_64_ dgemv_64_ sgemm_ "
     "scipy_dgesv_64_ idamax_ cblas_ddot64_",
     {kNumpy, "DOUBLE_matmul_matrixmatrix"},
     "blas_interface"},
    {kBlas,
     "sgemm_small_matrix_permit_SKYLAKEX sgemm_direct_performant_SKYLAKEX gotoblas_corename",
     {kBlas, "cblas_sgemm"},
     "blas_dispatch"},
    {kBlas, "blas_memory_alloc blas_memory_free", {kBlas, "cblas_sgemm"}, "blas_memory"},
    {kBlas,
     "sgemm_nn dgemm_tn cgemm_rc ssyrk_LT dgetrf_single dgetrs_N_single dtrsm_LNUN "
     "dtrsv_NUN dlaswp_plus dgetf2_k scipy_dlasr_64_ dbdsqr_64_",
     {kBlas, "cblas_sgemm"},
     "blas_driver"},
    {kBlas,
     "sgemm_itcopy_HASWELL sgemm_oncopy sgemm_incopy_SKYLAKEX sgemm_beta_SKYLAKEX "
     "dtrsm_iltucopy_HASWELL cgemm3m_incopyb_ZEN",
     {kBlas, "sgemm_nn"},
     "blas_packing"},
    {kBlas,
     "sgemm_kernel_SKYLAKEX ssyrk_kernel_L sdot_k_HASWELL sgemv_n_HASWELL "
     "sgemm_small_kernel_b0_nn_SKYLAKEX sgemm_small_kernel_nn sgemm_direct_SKYLAKEX "
     "idamax_k_HASWELL dnrm2_k_HASWELL dgemv_kernel_4x4 dot_compute",
     {kBlas, "sgemm_nn"},
     "blas_kernel"},
    {kBlas,
     "exec_blas blas_thread_server sgemm_thread_nn inner_thread gemm_driver level3_lock "
     "blas_level1_thread",
     {kBlas, "cblas_sgemm"},
     "blas_threading"},
    {kWorker, "call_batch PyInit_tare_worker", {kPython, "_PyEval_EvalFrameDefault"}, "harness"},
    {kVdso, "__vdso_clock_gettime clock_gettime", {kPython, "_PyEval_EvalFrameDefault"}, "vdso"},
    {kLibm, "__sin_fma __ieee754_exp_fma pow", {kNumpy, "DOUBLE_sin"}, "math_library"},
    {kLibc, "clock_gettime getenv", {kPython, "PyTime_MonotonicRaw"}, "c_library"},
    {kJit, "__main__::f", {kNumba, "Dispatcher_call"}, "jit"},
    {kJit, "cpython::__main__::f", {kNumba, "Dispatcher_call"}, "jit_dispatch"},
    {kNumba, "Dispatcher_call typeof_typecode", {kPython, "_PyEval_EvalFrameDefault"}, "jit_dispatch"},
    {kNumpy, "ndarray.nb_add", {kPython, "PyNumber_Add"}, "number_protocol"},
    {kNumpy, "add[dd->d]", {kNumpy, "_PyEval_EvalFrameDefault"}, "inner_loop"},
    {kNumpy, "matmul[dd->d]", {kNumpy, "_PyEval_EvalFrameDefault"}, "blas_bridge"},
    {kNumpy, "ndarray.tp_dealloc", {kPython, "_PyEval_EvalFrameDefault"}, "deallocation"},
    {kNumpy, "ufunc.tp_call ndarray.sum", {kPython, "_PyEval_EvalFrameDefault"}, "argument_parsing"},
    {kPython, "float.nb_add", {kPython, "_PyEval_EvalFrameDefault"}, "number_protocol"},
    {kPython, "dict.tp_dealloc", {kPython, "_PyEval_EvalFrameDefault"}, "deallocation"},
    {kNumpy, "Dragon4_Positional_Double", {kPython, "_PyEval_EvalFrameDefault"}, "numpy_other"},
    {kPython, "PyAST_mod2obj", {kPython, "_PyEval_EvalFrameDefault"}, "cpython_other"},
};

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

LayerTable built_in() {
    auto table = LayerTable::parse({built_in_layers()});
    EXPECT_TRUE(table.has_value()) << table.error().what;
    return std::move(*table);
}

TEST(LayerNames, RealFunctionsOfManyVersionsHaveTheirLayer) {
    const LayerTable table = built_in();
    std::size_t count = 0;
    for (const Row& row : kRows) {
        const LayerTable::Layer caller = table.layer_of(row.caller, {}, {});
        for (const std::string_view function : words(row.functions)) {
            const LayerTable::Layer layer = table.layer_of({row.module, function}, row.caller, caller);
            EXPECT_EQ(layer.name, row.layer) << row.module << ' ' << function << " called by " << row.caller.function;
            EXPECT_FALSE(layer.unresolved) << function;
            ++count;
        }
    }
    EXPECT_GE(count, 150U);
}

}  // namespace
}  // namespace tare::attribution
