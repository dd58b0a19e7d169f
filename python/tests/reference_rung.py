# A native or cpp request executed by NumPy instead of C++, through nothing but the buffers' addresses, shapes and
# strides: so the tests see what the C++ side would see. Needs NumPy.
import numpy as np

_SPECIAL = {
    "fill": lambda x: x,
    "copy": lambda x: x,
    "clip": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    "norm": lambda x: np.sqrt((x * x).sum()),
    "matvec": np.matmul,
    "vecmat": np.matmul,
    "matmul_t": lambda a: a @ a.T,
    "t_matmul": lambda a: a.T @ a,
    "reverse": lambda x: x[::-1],
    "concatenate": lambda x, y: np.concatenate((x, y)),
}


class _Memory:
    def __init__(self, buffer):
        address, shape, strides, char, itemsize, writeable = buffer
        dtype = np.dtype(char)
        assert dtype.itemsize == itemsize
        self.__array_interface__ = {
            "version": 3,
            "data": (address, not writeable),
            "shape": shape,
            "strides": strides,
            "typestr": dtype.str,
        }


def run(request):
    """Does what the C++ side does: one evaluation into the output buffers."""
    arrays = [np.asarray(_Memory(buffer)) for buffer in request["buffers"]]
    outputs = [a for a in arrays if a.flags.writeable]
    inputs = arrays[: len(arrays) - len(outputs)]
    family, routine = request["family"], request["routine"]
    if family == "ufunc":
        out = tuple(outputs)
        request["ufunc"](*inputs, out=out, signature=request["loop_types"], casting="no")
    elif family == "reduce":
        assert request["loop_types"] == inputs[0].dtype.char * 2 + "->" + outputs[0].dtype.char
        outputs[0][...] = request["ufunc"].reduce(inputs[0], axis=None)
    elif family == "blas":
        product = np.dot if request["options"].get("caller") == "dot" else np.matmul
        outputs[0][...] = product(inputs[0], inputs[0].T if routine == "syrk" else inputs[1])
    else:
        result = _SPECIAL.get(routine) or getattr(np, routine)
        value = np.asarray(result(*inputs))
        assert value.dtype == outputs[0].dtype, (routine, value.dtype, outputs[0].dtype)
        outputs[0][...] = value
