"""What comparisons of stored runs say of unchanged code, and of cases that were made slower by a known ratio: `bench
compare`, and the rules of asv and pyperf on the same samples where they are installed (ci/validate installs them).
"""

import copy
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Record = dict[str, Any]
Decide = Callable[[Path, Path], Mapping[str, str]]  # of two records: by case slower, faster, or something else

SLOWED_SHARE = 0.5
CHANGED = ("slower", "faster")


@dataclass
class Tally:
    """Of all pairs: cases, and decisions that say so."""

    unchanged: int = 0
    alarms: int = 0
    pairs: int = 0
    pairs_with_alarms: int = 0  # of unchanged code alone
    slowed: int = 0
    found: int = 0

    def add_unchanged(self, decisions: Mapping[str, str]) -> None:
        alarms = sum(decision in CHANGED for decision in decisions.values())
        self.unchanged += len(decisions)
        self.alarms += alarms
        self.pairs += 1
        self.pairs_with_alarms += alarms > 0

    def add_slowed(self, decisions: Mapping[str, str], slowed: set[str]) -> None:
        self.slowed += len(slowed)
        self.found += sum(decisions.get(name) == "slower" for name in slowed)


def cases_of(record: Record) -> list[str]:
    return sorted({entry["name"].rpartition("/")[0] for entry in record["benchmarks"] if is_gross(entry)})


def is_gross(entry: Mapping[str, Any]) -> bool:
    return entry["name"].endswith("/python") and "samples_ns" in entry["tare"]


def slower(record: Record, ratio: float, names: set[str]) -> Record:
    """The record of a run in which these cases took `ratio` times as long."""
    changed = copy.deepcopy(record)
    for entry in changed["benchmarks"]:
        if is_gross(entry) and entry["name"].rpartition("/")[0] in names:
            entry["tare"]["samples_ns"] = [value * ratio for value in entry["tare"]["samples_ns"]]
            for key in ("real_time", "cpu_time"):
                entry[key] *= ratio
    return changed


def bench_compare(bench: str) -> Decide:
    def decide(old: Path, new: Path) -> Mapping[str, str]:
        command = [bench, "compare", str(old), str(new), "--across", "--format", "json"]
        ran = subprocess.run(command, check=False, capture_output=True, text=True)
        if ran.returncode not in (0, 4):  # 4: a case has failed in one of them
            raise RuntimeError(f"{' '.join(command)} ended with {ran.returncode}: {ran.stderr}")
        return {each["case"]: each["verdict"] for each in json.loads(ran.stdout)["verdicts"]}

    return decide


def sides_of(record: Record) -> dict[str, dict[str, Any]]:
    """By case what the peers' rules take: seconds of an execution, of all batches of all processes."""
    sides: dict[str, dict[str, Any]] = {}
    for entry in record["benchmarks"]:
        if is_gross(entry):
            own = entry["tare"]
            side = sides.setdefault(entry["name"].rpartition("/")[0], {"wall_s": [], "number": 1})
            side["wall_s"] += [1e-9 * value for value in own["samples_ns"]]
            side["number"] = own["n"] if isinstance(own["n"], int) else own["n"][0]
    return sides


def by_rule(rule: Callable[[Mapping[str, Any], Mapping[str, Any]], str]) -> Decide:
    def decide(old: Path, new: Path) -> Mapping[str, str]:
        before, after = (sides_of(json.loads(path.read_text())) for path in (old, new))
        return {name: rule(before[name], after[name]) for name in before if name in after}

    return decide


def deciders(bench: str) -> dict[str, Decide]:
    found = {"bench compare": bench_compare(bench)}
    try:
        import rules  # SciPy, asv and pyperf: not where only records are made

        known = rules.rules()  # which imports them
    except ImportError as missing:
        print(f"the rules of asv and pyperf are left out: {missing}; ci/validate installs them", file=sys.stderr)
        return found
    return found | {name: by_rule(rule) for name, rule in (known["asv"] | known["pyperf"]).items()}


def compare(paths: Sequence[Path], decide: Decide, ratio: float, seed: int) -> Tally:
    """Successive runs in pairs; in each the cases that are slowed are drawn anew."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        for number, (old, new) in enumerate(zip(paths, paths[1:], strict=False)):
            tally.add_unchanged(decide(old, new))
            record = json.loads(new.read_text())
            names = cases_of(record)
            lot = random.Random(f"{seed} {number}")
            slowed = set(lot.sample(names, int(SLOWED_SHARE * len(names))))
            changed = Path(folder) / "slower.json"
            changed.write_text(json.dumps(slower(record, ratio, slowed)))
            tally.add_slowed(decide(old, changed), slowed)
    return tally


def report(paths: Sequence[Path], bench: str, ratio: float, seed: int) -> str:
    lines = [
        f"pairs of successive runs: {len(paths) - 1}; of each case, {100 * (ratio - 1):.0f} % added to half of them"
    ]
    for name, decide in deciders(bench).items():
        tally = compare(paths, decide, ratio, seed)
        lines.append(
            f"{name:16} unchanged, called changed: {tally.alarms} of {tally.unchanged}, in "
            f"{tally.pairs_with_alarms} of {tally.pairs} pairs; slower, found: {tally.found} of {tally.slowed}"
        )
    return "\n".join(lines)
