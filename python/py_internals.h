// The one header that includes CPython's internal ones: how its frames lie in memory, for the version compiled for.
// Only types and offsets may be used: a library that is preloaded into a program cannot name a function of libpython.
// Include it first: Python.h redefines feature-test macros.
#pragma once

#define Py_BUILD_CORE 1
#include <Python.h>
#if PY_VERSION_HEX >= 0x030E0000
#include <internal/pycore_interpframe_structs.h>
#elif PY_VERSION_HEX >= 0x030B0000
#include <internal/pycore_code.h>
#include <internal/pycore_frame.h>
#else
#include <frameobject.h>
#endif
#undef Py_BUILD_CORE
