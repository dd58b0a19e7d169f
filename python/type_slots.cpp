// The table, by CPython's cpython/object.h; the same members from 3.9 to 3.14.
#include "python/type_slots.h"

#include <cstddef>
#include <iterator>

namespace tare::python {

namespace {

using Part = TypeSlot::Part;

constexpr TypeSlot kSlots[] = {
    {Part::kType, offsetof(PyTypeObject, tp_dealloc), "tp_dealloc", ""},
    {Part::kType, offsetof(PyTypeObject, tp_finalize), "tp_finalize", "__del__"},
    {Part::kType, offsetof(PyTypeObject, tp_new), "tp_new", "__new__"},
    {Part::kType, offsetof(PyTypeObject, tp_init), "tp_init", "__init__"},
    {Part::kType, offsetof(PyTypeObject, tp_call), "tp_call", "__call__"},
    {Part::kType, offsetof(PyTypeObject, tp_vectorcall), "tp_vectorcall", ""},
    {Part::kType, offsetof(PyTypeObject, tp_getattro), "tp_getattro", "__getattribute__"},
    {Part::kType, offsetof(PyTypeObject, tp_getattr), "tp_getattr", ""},
    {Part::kType, offsetof(PyTypeObject, tp_setattro), "tp_setattro", "__setattr__"},
    {Part::kType, offsetof(PyTypeObject, tp_setattr), "tp_setattr", ""},
    {Part::kType, offsetof(PyTypeObject, tp_richcompare), "tp_richcompare", "__eq__"},
    {Part::kType, offsetof(PyTypeObject, tp_hash), "tp_hash", "__hash__"},
    {Part::kType, offsetof(PyTypeObject, tp_repr), "tp_repr", "__repr__"},
    {Part::kType, offsetof(PyTypeObject, tp_str), "tp_str", "__str__"},
    {Part::kType, offsetof(PyTypeObject, tp_iter), "tp_iter", "__iter__"},
    {Part::kType, offsetof(PyTypeObject, tp_iternext), "tp_iternext", "__next__"},
    {Part::kType, offsetof(PyTypeObject, tp_descr_get), "tp_descr_get", "__get__"},
    {Part::kType, offsetof(PyTypeObject, tp_descr_set), "tp_descr_set", "__set__"},
    {Part::kType, offsetof(PyTypeObject, tp_alloc), "tp_alloc", ""},
    {Part::kType, offsetof(PyTypeObject, tp_free), "tp_free", ""},
    {Part::kType, offsetof(PyTypeObject, tp_traverse), "tp_traverse", ""},
    {Part::kType, offsetof(PyTypeObject, tp_clear), "tp_clear", ""},
    {Part::kType, offsetof(PyTypeObject, tp_is_gc), "tp_is_gc", ""},
    {Part::kNumber, offsetof(PyNumberMethods, nb_add), "nb_add", "__add__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_subtract), "nb_subtract", "__sub__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_multiply), "nb_multiply", "__mul__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_remainder), "nb_remainder", "__mod__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_divmod), "nb_divmod", "__divmod__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_power), "nb_power", "__pow__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_negative), "nb_negative", "__neg__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_positive), "nb_positive", "__pos__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_absolute), "nb_absolute", "__abs__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_bool), "nb_bool", "__bool__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_invert), "nb_invert", "__invert__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_lshift), "nb_lshift", "__lshift__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_rshift), "nb_rshift", "__rshift__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_and), "nb_and", "__and__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_xor), "nb_xor", "__xor__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_or), "nb_or", "__or__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_int), "nb_int", "__int__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_float), "nb_float", "__float__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_inplace_add), "nb_inplace_add", "__iadd__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_inplace_subtract), "nb_inplace_subtract", "__isub__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_inplace_multiply), "nb_inplace_multiply", "__imul__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_inplace_remainder), "nb_inplace_remainder", "__imod__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_inplace_power), "nb_inplace_power", "__ipow__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_inplace_lshift), "nb_inplace_lshift", "__ilshift__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_inplace_rshift), "nb_inplace_rshift", "__irshift__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_inplace_and), "nb_inplace_and", "__iand__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_inplace_xor), "nb_inplace_xor", "__ixor__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_inplace_or), "nb_inplace_or", "__ior__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_floor_divide), "nb_floor_divide", "__floordiv__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_true_divide), "nb_true_divide", "__truediv__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_inplace_floor_divide), "nb_inplace_floor_divide", "__ifloordiv__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_inplace_true_divide), "nb_inplace_true_divide", "__itruediv__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_index), "nb_index", "__index__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_matrix_multiply), "nb_matrix_multiply", "__matmul__"},
    {Part::kNumber, offsetof(PyNumberMethods, nb_inplace_matrix_multiply), "nb_inplace_matrix_multiply", "__imatmul__"},
    {Part::kSequence, offsetof(PySequenceMethods, sq_length), "sq_length", "__len__"},
    {Part::kSequence, offsetof(PySequenceMethods, sq_concat), "sq_concat", ""},
    {Part::kSequence, offsetof(PySequenceMethods, sq_repeat), "sq_repeat", ""},
    {Part::kSequence, offsetof(PySequenceMethods, sq_item), "sq_item", "__getitem__"},
    {Part::kSequence, offsetof(PySequenceMethods, sq_ass_item), "sq_ass_item", "__setitem__"},
    {Part::kSequence, offsetof(PySequenceMethods, sq_contains), "sq_contains", "__contains__"},
    {Part::kSequence, offsetof(PySequenceMethods, sq_inplace_concat), "sq_inplace_concat", ""},
    {Part::kSequence, offsetof(PySequenceMethods, sq_inplace_repeat), "sq_inplace_repeat", ""},
    {Part::kMapping, offsetof(PyMappingMethods, mp_length), "mp_length", "__len__"},
    {Part::kMapping, offsetof(PyMappingMethods, mp_subscript), "mp_subscript", "__getitem__"},
    {Part::kMapping, offsetof(PyMappingMethods, mp_ass_subscript), "mp_ass_subscript", "__setitem__"},
    {Part::kAsync, offsetof(PyAsyncMethods, am_await), "am_await", "__await__"},
    {Part::kAsync, offsetof(PyAsyncMethods, am_aiter), "am_aiter", "__aiter__"},
    {Part::kAsync, offsetof(PyAsyncMethods, am_anext), "am_anext", "__anext__"},
    {Part::kBuffer, offsetof(PyBufferProcs, bf_getbuffer), "bf_getbuffer", ""},
    {Part::kBuffer, offsetof(PyBufferProcs, bf_releasebuffer), "bf_releasebuffer", ""},
};

const void* part_of(const PyTypeObject& type, Part part) {
    switch (part) {
        case Part::kType:
            return &type;
        case Part::kNumber:
            return type.tp_as_number;
        case Part::kSequence:
            return type.tp_as_sequence;
        case Part::kMapping:
            return type.tp_as_mapping;
        case Part::kAsync:
            return type.tp_as_async;
        case Part::kBuffer:
            return type.tp_as_buffer;
    }
    return nullptr;
}

}  // namespace

TypeSlots type_slots() {
    return {std::begin(kSlots), std::end(kSlots)};
}

const void* function_in(const PyTypeObject& type, const TypeSlot& slot) {
    const void* part = part_of(type, slot.part);
    if (part == nullptr) return nullptr;
    return *reinterpret_cast<void* const*>(static_cast<const char*>(part) + slot.offset_bytes);
}

}  // namespace tare::python
