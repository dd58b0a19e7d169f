# What runs here: the interpreter and NumPy as they say it of themselves. Nothing here needs NumPy to be importable.
from __future__ import annotations

import importlib
import os
import platform
import sys
from typing import Any

from tare.native import numpy_module


def facts() -> dict[str, Any]:
    found: dict[str, Any] = {"python": python_facts(), "numpy": None}
    try:
        found["numpy"] = _numpy(importlib.import_module("numpy"))
    except Exception as error:  # a broken NumPy raises all sorts of things while it is imported
        found["numpy_error"] = f"{type(error).__name__}: {error}".strip()
    return found


def python_facts() -> dict[str, Any]:
    gil = getattr(sys, "_is_gil_enabled", None)
    return {
        "version": sys.version,
        "implementation": sys.implementation.name,
        "executable": sys.executable or "",
        "prefix": sys.prefix,
        "base_prefix": sys.base_prefix,
        "hash_seed": _hash_seed(),
        "debug": hasattr(sys, "gettotalrefcount"),
        "optimized": sys.flags.optimize,
        "gil_enabled": gil() if gil is not None else True,
        "compiler": platform.python_compiler(),
    }


def _hash_seed() -> str:
    """A number as text, or `random`: CPython keeps no record of a seed that it drew itself."""
    if not sys.flags.hash_randomization:
        return "0"
    return "random" if sys.flags.ignore_environment else os.environ.get("PYTHONHASHSEED") or "random"


def _numpy(np: Any) -> dict[str, Any]:
    module = numpy_module()
    features = getattr(module, "__cpu_features__", {})
    baseline = list(getattr(module, "__cpu_baseline__", ()))
    dispatch = list(getattr(module, "__cpu_dispatch__", ()))
    return {
        "version": np.__version__,
        "path": getattr(np, "__file__", None) or "",
        "multiarray_umath": module.__file__,
        "simd_baseline": baseline,
        "simd_found": [name for name in dispatch if features.get(name)],
        "simd_not_found": [name for name in dispatch if not features.get(name)],
        "git_revision": getattr(np.version, "git_revision", None) or "",
    }
