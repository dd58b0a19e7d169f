# `bench export`: a record in the format of another tool. python -m tare.api.export is what the command calls, in the
# interpreter of the subject.
from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from tare.api.formats import metrics, pyperf, pytest_benchmark
from tare.api.load import load
from tare.api.program import Error
from tare.api.runs import Run

TEXTS: dict[str, Callable[[Run], tuple[str, list[str]]]] = {
    "pyperf": pyperf.text_of,
    "pytest-benchmark": pytest_benchmark.text_of,
    "bencher": metrics.bencher,
    "github-action": metrics.github_action,
    "openmetrics": metrics.openmetrics,
    "benchstat": metrics.benchstat,
}
TABLES = ("parquet", "arrow")
FORMATS = (*TEXTS, "asv", *TABLES)


def export(record: str | Path, to: str, out: str | Path | None = None, commit: str = "") -> list[str]:
    """Writes the record of a run in the format `to` to `out` (a folder for asv; None: stdout). Returns what the format
    cannot hold. parquet and arrow take duets, explanations and histories, too. Errors: Error.
    """
    result = load(record)
    if to not in FORMATS:
        raise Error(f"there is no format {to!r}, but {', '.join(FORMATS)}")
    if out is None and to in ("asv", *TABLES):
        raise Error(f"{to} needs a place: name it with -o")
    if to in TABLES:
        from tare.api.formats.arrow import write_table

        return write_table(result, Path(str(out)), to == "parquet")
    if not isinstance(result, Run):
        kind = type(result).__name__
        raise Error(f"{record} is a {kind}, and {to} holds runs: parquet and arrow hold its rows")
    if to == "asv":
        from tare.api.formats.asv import write_folder

        return write_folder(result, Path(str(out)), commit)
    text, lost = TEXTS[to](result)
    if out is None:
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
    else:
        Path(out).write_text(text, encoding="utf-8")
    return lost


def main(words: list[str]) -> int:
    """Exit status 0, or 2 with an error of one line."""
    parser = argparse.ArgumentParser(prog="bench export", add_help=False)
    parser.add_argument("record")
    parser.add_argument("--to", required=True)
    parser.add_argument("-o", "--out")
    parser.add_argument("--commit", default="")
    given = parser.parse_args(words)
    try:
        for line in export(given.record, given.to, given.out, given.commit):
            print(f"bench: note: {given.to}: {line}", file=sys.stderr)
        sys.stdout.flush()
    except Error as error:
        print(f"bench: error: {error}", file=sys.stderr)
        return 2
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        what = f"{type(error).__name__}: {error}"
        print(f"bench: error: {given.record} is a damaged record: {what}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"bench: error: cannot write {given.out or 'the output'}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
