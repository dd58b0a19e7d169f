"""Reads what profile_samples wrote as other programs would: profile_formats_test.py FOLDER PROTOC PROFILE_PROTO.

pprof's files are decoded by protoc with the published profile.proto, then checked by the rules of pprof's own reader
(profile.CheckValid in its sources).
"""

import gzip
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SVG = "{http://www.w3.org/2000/svg}"
TOTALS = {"profile": 100, "profile_threads": 100, "profile_python": 100, "profile_hostile": 100, "profile_empty": 0}
MILLISECOND = 1_000_000  # nanoseconds that each sample stands for
MISSING = 77  # ctest's return code for a test that was skipped

Message = dict[str, list["Message | str"]]


def parsed(text: str) -> Message:
    """What `protoc --decode` prints: `field: value` and `field { ... }`, as lists by field."""
    stack: list[Message] = [{}]
    for line in text.splitlines():
        line = line.strip()
        if line.endswith("{"):
            inner: Message = {}
            stack[-1].setdefault(line[:-1].strip(), []).append(inner)
            stack.append(inner)
        elif line == "}":
            stack.pop()
        else:
            field, value = line.split(": ", 1)
            stack[-1].setdefault(field, []).append(value)
    assert len(stack) == 1
    return stack[0]


def messages(message: Message, field: str) -> list[Message]:
    """The values of a field that are messages themselves."""
    return [value for value in message.get(field, []) if isinstance(value, dict)]


def numbers(message: Message, field: str) -> list[int]:
    """The values of a field of numbers."""
    return [int(value) for value in message.get(field, []) if isinstance(value, str)]


def number(message: Message, field: str) -> int:
    """A field that is there at most once; proto3 leaves 0 out."""
    values = numbers(message, field)
    assert len(values) <= 1
    return values[0] if values else 0


class Pprof:
    """A decoded file; resolves its numbers."""

    def __init__(self, path: Path, protoc: str, proto: Path) -> None:
        with gzip.open(path) as file:
            data = file.read()
        command = [protoc, "--decode=perftools.profiles.Profile", f"-I{proto.parent}", str(proto)]
        done = subprocess.run(command, input=data, capture_output=True, check=True)
        assert not done.stderr, done.stderr
        self.profile = parsed(done.stdout.decode())
        self.texts = [value for value in self.profile.get("string_table", []) if isinstance(value, str)]
        self.functions = {number(each, "id"): each for each in messages(self.profile, "function")}
        self.locations = {number(each, "id"): each for each in messages(self.profile, "location")}
        self.mappings = {number(each, "id"): each for each in messages(self.profile, "mapping")}

    def text(self, message: Message, field: str) -> str:
        """The text that a field names."""
        return self.texts[number(message, field)].strip('"')

    def types(self, field: str) -> list[tuple[str, str]]:
        """Pairs of type and unit."""
        return [(self.text(each, "type"), self.text(each, "unit")) for each in messages(self.profile, field)]

    def names(self, sample: Message) -> list[str]:
        """Functions of a sample, outermost first, Python's with their line."""
        names = []
        for location in reversed(numbers(sample, "location_id")):
            (line,) = messages(self.locations[location], "line")
            name = self.text(self.functions[number(line, "function_id")], "name")
            names.append(f"{name}:{number(line, 'line')}" if number(line, "line") else name)
        return names


def check_pprof(pprof: Pprof, total: int) -> None:
    """As pprof's CheckValid, and the totals."""
    assert pprof.texts[0] == '""'
    types = pprof.types("sample_type")
    assert types == [("samples", "count"), ("cpu", "nanoseconds")]
    assert pprof.types("period_type") == [("cpu", "nanoseconds")]
    assert pprof.text(pprof.profile, "default_sample_type") == "cpu"
    for ids, count in (
        (pprof.functions, "function"),
        (pprof.locations, "location"),
        (pprof.mappings, "mapping"),
    ):
        assert 0 not in ids and len(ids) == len(messages(pprof.profile, count))
    for location in pprof.locations.values():
        mapping = number(location, "mapping_id")
        assert mapping == 0 or mapping in pprof.mappings
        assert all(number(line, "function_id") in pprof.functions for line in messages(location, "line"))
    for mapping in pprof.mappings.values():
        assert number(mapping, "memory_start") < number(mapping, "memory_limit")
    samples = messages(pprof.profile, "sample")
    assert all(len(numbers(sample, "value")) == len(types) for sample in samples)
    assert all(numbers(sample, "location_id") for sample in samples)
    assert sum(numbers(sample, "value")[0] for sample in samples) == total
    assert sum(numbers(sample, "value")[1] for sample in samples) == total * MILLISECOND


def check_meaning(pprof: Pprof) -> None:
    """Of the small profile: paths, files, lines, labels, mappings, comments."""
    samples = {";".join(pprof.names(sample)): sample for sample in messages(pprof.profile, "sample")}
    path = "main;<module>:20;work:12;_PyEval_EvalFrameDefault;array_matmul;cblas_dgemm;dgemm_kernel_HASWELL"
    assert numbers(samples[path], "value") == [40, 40 * MILLISECOND], samples.keys()
    (label,) = messages(samples[path], "label")
    assert (pprof.text(label, "key"), pprof.text(label, "str")) == ("layer", "blas_kernel")
    work = next(each for each in pprof.functions.values() if pprof.text(each, "name") == "work")
    assert pprof.text(work, "filename") == "/src/script.py" and number(work, "start_line") == 10
    main = messages(pprof.profile, "mapping")[0]
    assert pprof.text(main, "filename") == "/nowhere/python3.11" and pprof.text(main, "build_id") == "ab"
    assert (
        number(pprof.profile, "period") == MILLISECOND and number(pprof.profile, "duration_nanos") == 120 * MILLISECOND
    )
    comments = [pprof.texts[comment] for comment in numbers(pprof.profile, "comment")]
    assert "asked for 1000" in comments[1] and "1.30 %" in comments[1], comments


def check_svg(path: Path, total: int) -> None:
    """Well-formed; Python's frames told apart; frames inside the whole."""
    root = ElementTree.parse(path).getroot()
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on") or "href" in name]
    frames = [element for element in root.iter() if (element.get("class") or "").startswith("frame")]
    assert bool(frames) == bool(total)
    assert not total or any(frame.get("class") == "frame python" for frame in frames)
    for frame in frames:
        start, size = int(frame.attrib["data-from"]), int(frame.attrib["data-size"])
        assert start >= 0 and size > 0 and start + size <= total * MILLISECOND
        title = frame.find(SVG + "title")
        assert title is not None and title.text and " ms (" in title.text


def check_speedscope(path: Path, total: int) -> None:
    """The rules of its schema and of its importer."""
    file = json.loads(path.read_text(encoding="utf-8"))
    frames = file["shared"]["frames"]
    assert all(isinstance(frame["name"], str) and frame.get("line", 1) > 0 for frame in frames)
    (profile,) = file["profiles"]
    assert profile["type"] == "sampled" and profile["unit"] == "nanoseconds"
    assert len(profile["samples"]) == len(profile["weights"])
    assert all(0 <= index < len(frames) for sample in profile["samples"] for index in sample)
    assert profile["endValue"] == sum(profile["weights"]) == total * MILLISECOND


def check_folded(path: Path, total: int) -> None:
    """As flamegraph.pl reads a line."""
    lines = path.read_bytes().split(b"\n")
    assert lines.pop() == b""
    matches = [re.fullmatch(rb"(.+) (\d+)", line) for line in lines]
    assert all(matches), lines
    assert sum(int(match[2]) for match in matches if match) == total


def main(folder: Path, protoc: str, proto: Path) -> int:
    """0 where all holds, 77 where pprof's files could not be decoded here."""
    for name, total in TOTALS.items():
        check_svg(folder / f"{name}.svg", total)
        check_speedscope(folder / f"{name}.speedscope.json", total)
        check_folded(folder / f"{name}.folded", total)
    if not Path(protoc).is_file() or not proto.is_file():
        print("no protoc or no profile.proto here: install protobuf-compiler and golang-github-google-pprof-dev")
        return MISSING
    for name, total in TOTALS.items():
        check_pprof(Pprof(folder / f"{name}.pb.gz", protoc, proto), total)
    check_meaning(Pprof(folder / "profile.pb.gz", protoc, proto))
    print(f"{len(TOTALS)} profiles in four formats")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])))
