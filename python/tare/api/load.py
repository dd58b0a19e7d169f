# tare.load: a record from a file, as the result that it was when it was measured.
from __future__ import annotations

import json
from pathlib import Path

from tare.api.duets import Duet
from tare.api.ledgers import Explanation
from tare.api.program import Error
from tare.api.runs import Run
from tare.api.series import History

LARGEST_BYTES = 1 << 30


def load(path: str | Path) -> Run | Duet | Explanation | History:
    """The record of a run or a duet, or the JSON of `bench explain` or `bench trend`. Errors: Error, with the path."""
    try:
        size = Path(path).stat().st_size
        if size > LARGEST_BYTES:
            raise Error(f"{path} has {size} bytes, more than the largest record may have ({LARGEST_BYTES})")
        text = Path(path).read_text(encoding="utf-8")
        document = json.loads(text)
    except OSError as error:
        raise Error(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:  # UnicodeDecodeError and JSONDecodeError are such
        raise Error(f"{path} is no JSON: {error}") from None
    except RecursionError:
        raise Error(f"{path} is nested too deeply for a record") from None
    own = document if isinstance(document, dict) else {}
    within = own.get("tare")
    summary = within if isinstance(within, dict) else {}
    result: Run | Duet | Explanation | History
    if own.get("kind") == "ledgers":
        result = Explanation(text)
    elif "series" in own:
        result = History(text)
    elif summary.get("kind") == "duet":
        result = Duet(text)
    elif "cases" in summary and "benchmarks" in own:
        result = Run(text)
    else:
        raise Error(f"{path} is no record of tare: `bench store import` reads those of other tools")
    try:
        _ = result.rows, repr(result)
    except (KeyError, TypeError, AttributeError, LookupError, ValueError, ArithmeticError) as error:
        raise Error(f"{path} is a damaged record: {type(error).__name__}: {error}") from None
    return result
