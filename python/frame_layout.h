// Frame layout: where CPython keeps what a frame chain needs, as offsets, for the version compiled for. All of them
// come from that version's own headers. What differs between 3.9 and 3.14 is said here and nowhere else.
#pragma once

#include "python/py_internals.h"

#include <cstddef>
#include <cstdint>

#include "harness/core/code_area.h"

namespace tare::python::layout {

#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030F0000 && !defined(Py_GIL_DISABLED)
inline constexpr bool kSupported = true;
inline constexpr bool kHasObjects = false;
using Frame = _PyInterpreterFrame;
inline constexpr std::size_t kFrameBytes = offsetof(Frame, localsplus);
inline constexpr std::size_t kPrevious = offsetof(Frame, previous);
inline constexpr std::size_t kOwner = offsetof(Frame, owner);

// Which code, and how far: 3.11 and 3.12 keep the unit before the next instruction, later ones the instruction itself.
#if PY_VERSION_HEX < 0x030D0000
inline constexpr std::size_t kCode = offsetof(Frame, f_code);
inline constexpr std::size_t kInstruction = offsetof(Frame, prev_instr);
#else
inline constexpr std::size_t kCode = offsetof(Frame, f_executable);
inline constexpr std::size_t kInstruction = offsetof(Frame, instr_ptr);
#endif

// The innermost frame: in 3.11 and 3.12 by way of the _PyCFrame, a local variable of the eval loop.
#if PY_VERSION_HEX < 0x030D0000
inline constexpr bool kHasCFrames = true;
inline constexpr std::size_t kHead = offsetof(PyThreadState, cframe);
inline constexpr std::size_t kCFrameBytes = sizeof(_PyCFrame);
inline constexpr std::size_t kCFrameCurrent = offsetof(_PyCFrame, current_frame);
inline constexpr std::size_t kCFramePrevious = offsetof(_PyCFrame, previous);
inline constexpr std::size_t kRootCFrame = offsetof(PyThreadState, root_cframe);
#else
inline constexpr bool kHasCFrames = false;
inline constexpr std::size_t kHead = offsetof(PyThreadState, current_frame);
inline constexpr std::size_t kCFrameBytes = 0;
inline constexpr std::size_t kCFrameCurrent = 0;
inline constexpr std::size_t kCFramePrevious = 0;
inline constexpr std::size_t kRootCFrame = 0;
#endif

// Where one eval loop's frames end: in 3.11 a flag of the outermost one, later a frame of the eval loop's own behind
// it, again a local variable.
#if PY_VERSION_HEX < 0x030C0000
inline constexpr bool kHasShims = false;
inline constexpr std::size_t kIsEntry = offsetof(Frame, is_entry);
inline constexpr std::uint8_t kFirstShimOwner = FRAME_OWNED_BY_FRAME_OBJECT + 1;
#else
inline constexpr bool kHasShims = true;
inline constexpr std::size_t kIsEntry = 0;
#if PY_VERSION_HEX < 0x030E0000
inline constexpr std::uint8_t kFirstShimOwner = FRAME_OWNED_BY_CSTACK;
#else
inline constexpr std::uint8_t kFirstShimOwner = FRAME_OWNED_BY_INTERPRETER;
#endif
#endif

inline constexpr std::size_t kStackChunk = offsetof(PyThreadState, datastack_chunk);
inline constexpr std::size_t kStackTop = offsetof(PyThreadState, datastack_top);
inline constexpr std::uint64_t kTagBits = 7;  // of a reference in a frame of 3.14; objects are aligned to more

// A code object up to its bytecode.
inline constexpr std::size_t kBytecode = offsetof(PyCodeObject, co_code_adaptive);
inline constexpr std::size_t kCodeBytes = kBytecode;
inline constexpr core::LineFormat kLineFormat = core::LineFormat::kLocations;
inline constexpr std::size_t kFileName = offsetof(PyCodeObject, co_filename);
inline constexpr std::size_t kQualifiedName = offsetof(PyCodeObject, co_qualname);
inline constexpr std::size_t kLineTable = offsetof(PyCodeObject, co_linetable);
inline constexpr std::size_t kFirstLine = offsetof(PyCodeObject, co_firstlineno);
#if PY_VERSION_HEX < 0x030C0000
inline constexpr std::size_t kVersion = 0;  // it has none
#else
inline constexpr std::size_t kVersion = offsetof(PyCodeObject, co_version);
#endif
#elif PY_VERSION_HEX >= 0x03090000 && PY_VERSION_HEX < 0x030B0000
inline constexpr bool kSupported = true;
inline constexpr bool kHasObjects = true;  // frames are objects, each with an eval loop of its own
inline constexpr bool kHasCFrames = false;
using Frame = PyFrameObject;
inline constexpr std::size_t kFrameBytes = offsetof(Frame, f_blockstack);
inline constexpr std::size_t kPrevious = offsetof(Frame, f_back);
inline constexpr std::size_t kCode = offsetof(Frame, f_code);
inline constexpr std::size_t kInstruction = offsetof(Frame, f_lasti);
inline constexpr std::size_t kGenerator = offsetof(Frame, f_gen);
inline constexpr bool kLinksThrownInto =
    PY_VERSION_HEX >= 0x030A0000;  // a generator that hands `throw` on, further out
inline constexpr std::size_t kHead = offsetof(PyThreadState, frame);
inline constexpr std::size_t kCFrameCurrent = 0;
inline constexpr std::size_t kCFramePrevious = 0;
inline constexpr std::uint64_t kTagBits = 0;
inline constexpr std::size_t kBytecode = 0;  // not in the code object
inline constexpr std::size_t kCodeBytes = sizeof(PyCodeObject);
inline constexpr std::size_t kFileName = offsetof(PyCodeObject, co_filename);
inline constexpr std::size_t kQualifiedName = offsetof(PyCodeObject, co_name);
inline constexpr std::size_t kFirstLine = offsetof(PyCodeObject, co_firstlineno);
inline constexpr std::size_t kVersion = 0;
#if PY_VERSION_HEX >= 0x030A0000
inline constexpr std::size_t kLineTable = offsetof(PyCodeObject, co_linetable);
inline constexpr core::LineFormat kLineFormat = core::LineFormat::kRanges;
inline constexpr std::int64_t kInstructionBytes = sizeof(_Py_CODEUNIT);  // f_lasti counts units
#else
inline constexpr std::size_t kLineTable = offsetof(PyCodeObject, co_lnotab);
inline constexpr core::LineFormat kLineFormat = core::LineFormat::kSteps;
inline constexpr std::int64_t kInstructionBytes = 1;
#endif
#else
inline constexpr bool kSupported = false;
inline constexpr std::size_t kCodeBytes = 0;
inline constexpr core::LineFormat kLineFormat = core::LineFormat::kLocations;
#endif

inline constexpr bool kHolderIsOfThread = PY_VERSION_HEX >= 0x030C0000;  // not of the process
inline constexpr std::size_t kThreadBytes = sizeof(PyThreadState);
inline constexpr std::size_t kThreadId = offsetof(PyThreadState, thread_id);

}  // namespace tare::python::layout
