"""Writes a store of made-up records: N records of M cases with seeded noise and known steps, for tests and figures.

Each is a run's record as `bench run` writes it, but for its rows: one a case, of one sample. Times in ns.
"""

import argparse
import datetime
import hashlib
import json
import math
import random
from dataclasses import dataclass
from pathlib import Path

FIRST = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
OPERATIONS = ("add", "multiply", "sqrt", "dot", "sum")
BUSY_RATIO = 1.6  # what a program on the sibling thread takes of the core
SIZES = (1, 8, 64, 1024, 16384)


@dataclass(frozen=True)
class Step:
    """From a record on, cases whose name holds `part` cost `ratio` times as much."""

    part: str
    first: int
    ratio: float


@dataclass(frozen=True)
class Plan:
    """What a store is to hold."""

    records: int = 20
    cases: int = 10
    steps: tuple[Step, ...] = ()
    versions: tuple[str, ...] = ("2.4.6",)  # oldest first, in equal shares
    busy: tuple[int, ...] = ()  # records of hours when others used the core: 1.6 times as much, and marked so
    noise: float = 0.01  # standard deviation of a record's value, relative
    seed: int = 1
    first: int = 0  # the number of the first record: to add to a store
    fingerprint: str = "0123456789abcdef"


def case_names(count: int) -> list[str]:
    """add[kind=array,dtype=f8,n=1], ...: as many as are wanted."""
    names = []
    for i in range(count):
        dtype = "f8" if i < len(OPERATIONS) * len(SIZES) else f"v{i // (len(OPERATIONS) * len(SIZES))}"
        operation, n = OPERATIONS[i % len(OPERATIONS)], SIZES[i // len(OPERATIONS) % len(SIZES)]
        names.append(f"{operation}[kind=array,dtype={dtype},n={n}]")
    return names


def context_of(plan: Plan, number: int) -> dict:
    date = (FIRST + datetime.timedelta(hours=6 * number)).isoformat()
    share = min(number * len(plan.versions) // max(plan.first + plan.records, 1), len(plan.versions) - 1)
    version = plan.versions[share]
    google = {"date": date, "host_name": "made-up", "executable": "/env/bin/python", "num_cpus": 2}
    ours = {
        "cpu_model": "Made-up CPU",
        "fingerprint": plan.fingerprint,
        "host": "executable",
        "subject": {"abi": "cpython-311-x86_64-linux-gnu", "version": "3.11.2", "numpy_version": version},
        "numpy": {"version": version, "git_revision": hashlib.sha1(version.encode()).hexdigest()},
    }
    load = {"mhz_per_cpu": 2100.0, "aslr_enabled": True, "caches": [], "load_avg": [0.1, 0.1, 0.1]}
    fixed = {"library_build_type": "release", "json_schema_version": 1}
    return google | load | fixed | {"tare": google | load | ours}


def row_of(name: str, gross: float) -> str:
    return (
        f'{{"name":"{name}/python","run_name":"{name}/python","run_type":"iteration","repetitions":1,'
        f'"repetition_index":0,"threads":1,"iterations":1000,"real_time":{gross},"cpu_time":{gross},"time_unit":"ns",'
        f'"tare":{{"rung":"python","round":0,"process":0,"unroll":8,"floor_ns":0.0,"n":1000,"samples_ns":[{gross}],'
        '"visit":{"order":0,"seed":1,"started_s":1.0,"wall_s":0.1}}}'
    )


def case_of(name: str, gross: float, spread: float, busy: bool) -> str:
    """Gross, net and tare with intervals of `spread`, relative; call and cpp were not measured."""
    operation, parameters = name.rstrip("]").split("[")
    of_case = json.dumps(dict(p.split("=") for p in parameters.split(",")), separators=(",", ":"))
    values = {"gross": gross, "net": 0.3 * gross, "tare": 0.7 * gross}
    quiet = json.dumps(
        {
            "kept_ratio": 0.01 if busy else 1,
            "confirmed_ratio": 1,
            "busy": busy,
            "gross_ns_at": [],
            "depends_on_limit": False,
        }
    )
    times = ",".join(
        f'"{stem}_ns":{v:.7g},"{stem}_low_ns":{v * (1 - spread):.7g},"{stem}_high_ns":{v * (1 + spread):.7g}'
        for stem, v in values.items()
    )
    return (
        f'{{"case":"{name}","operation":"{operation}","parameters":{of_case},"processes":5,'
        f'"interval_basis":"processes",{times},"tare_share_ratio":0.7,"call_ns":null,"cpp_ns":null,'
        '"scalar_ratio":null,"net_exceeds_gross":false,'
        f'"quiet":{quiet},'
        '"reasons":{"call_ns":"not measured","cpp_ns":"not measured",'
        '"scalar_ratio":"not measured"}}'
    )


def record_text(plan: Plan, number: int, names: list[str]) -> str:
    noise = random.Random(plan.seed * 1_000_003 + number)
    rows, cases = [], []
    for i, name in enumerate(names):
        level = 50.0 * 1.4 ** (i % 20)
        for step in plan.steps:
            if step.part in name and number >= step.first:
                level *= step.ratio
        if number in plan.busy:
            level *= BUSY_RATIO
        gross = float(f"{level * math.exp(noise.gauss(0, plan.noise)):.7g}")
        rows.append(row_of(name, gross))
        cases.append(case_of(name, gross, 2 * plan.noise, number in plan.busy))
    settings = {"cases": len(names), "filter": "", "rounds": 5, "seed": "1", "suites": [], "threads": 1, "unroll": 0}
    head = {"format_version": 1, "interrupted": False, "recovered": False, "settings": settings, "problems": []}
    summary = json.dumps(head, separators=(",", ":"))[:-1]
    return (
        f'{{"context":{json.dumps(context_of(plan, number), separators=(",", ":"))},\n"benchmarks":[\n'
        + ",\n".join(rows)
        + f'\n],\n"tare":{summary},"cases":[{",".join(cases)}],"size_fits":[],"failed_cases":[]}}}}\n'
    )


def make_store(folder: Path, plan: Plan) -> list[Path]:
    """The records' paths, oldest first. Those that exist are overwritten."""
    records = folder / "records"
    records.mkdir(parents=True, exist_ok=True)
    names = case_names(plan.cases)
    paths = []
    for number in range(plan.first, plan.first + plan.records):
        date = FIRST + datetime.timedelta(hours=6 * number)
        path = records / f"{date:%Y%m%dT%H%M%SZ}-{number:08x}.json"
        hidden = path.with_name(f".{path.name}")
        hidden.write_text(record_text(plan, number, names))
        hidden.rename(path)  # whole or not at all, as bench does
        paths.append(path)
    return paths


def step_of(text: str) -> Step:
    part, first, ratio = text.rsplit(":", 2)
    return Step(part, int(first), float(ratio))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--records", type=int, default=Plan.records)
    parser.add_argument("--cases", type=int, default=Plan.cases)
    parser.add_argument("--first", type=int, default=0, help="the number of the first record")
    parser.add_argument("--step", type=step_of, action="append", default=[], help="PART:RECORD:RATIO, may be repeated")
    parser.add_argument("--versions", default=",".join(Plan.versions), help="oldest first")
    parser.add_argument("--noise", type=float, default=Plan.noise)
    parser.add_argument("--seed", type=int, default=Plan.seed)
    given = parser.parse_args()
    versions = tuple(given.versions.split(","))
    plan = Plan(given.records, given.cases, tuple(given.step), versions, given.noise, given.seed, given.first)
    print(f"{len(make_store(given.folder, plan))} records in {given.folder}")


if __name__ == "__main__":
    main()
