"""Reads what ledger_samples wrote with Python's own XML and JSON: ledger_formats_test.py FOLDER."""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SVG = "{http://www.w3.org/2000/svg}"
XHTML = "{http://www.w3.org/1999/xhtml}"
TOTALS = {"small": 100, "hostile": 2300, "two": 2400, "empty": 0}  # instructions of each sample's ledgers
TAGS = ("svg", "style", "rect", "text", "g", "title", "foreignObject", "script")
KNOWN = {SVG + tag for tag in TAGS} | {XHTML + "input"}


def check_svg(path: Path, total: int) -> None:
    """Well-formed; no element or handler that a name smuggled in; frames inside their parents."""
    root = ElementTree.parse(path).getroot()
    elements = list(root.iter())
    assert {element.tag for element in elements} <= KNOWN, {element.tag for element in elements} - KNOWN
    assert not [name for element in elements for name in element.attrib if name.startswith("on") or "href" in name]
    scripts = [element for element in elements if element.tag == SVG + "script"]
    assert len(scripts) == (1 if total else 0), path
    frames = [element for element in elements if element.get("class") == "frame"]
    assert bool(frames) == bool(total)
    for frame in frames:
        start, size = int(frame.attrib["data-from"]), int(frame.attrib["data-size"])
        assert start >= 0 and size > 0 and start + size <= total
        rect, text, title = frame.find(SVG + "rect"), frame.find(SVG + "text"), frame.find(SVG + "title")
        assert rect is not None and text is not None and title is not None and title.text
        shown, name = text.text or "", title.text.split("\n")[0]
        assert name.startswith(shown.rstrip("…")), (shown, name)
        assert len(shown) * 6.6 <= float(rect.attrib["width"]), (shown, rect.attrib)


def check_speedscope(path: Path, total: int) -> None:
    """The rules of its schema and of its importer."""
    profile_file = json.loads(path.read_text(encoding="utf-8"))
    assert profile_file["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = profile_file["shared"]["frames"]
    assert all(isinstance(frame["name"], str) and isinstance(frame["file"], str) for frame in frames)
    assert len({(frame["name"], frame["file"]) for frame in frames}) == len(frames)
    weights = 0
    for profile in profile_file["profiles"]:
        assert profile["type"] == "sampled" and profile["unit"] == "none" and isinstance(profile["name"], str)
        assert len(profile["samples"]) == len(profile["weights"]) > 0
        assert all(0 <= index < len(frames) for sample in profile["samples"] for index in sample)
        assert all(sample for sample in profile["samples"]) and all(weight > 0 for weight in profile["weights"])
        assert profile["endValue"] - profile["startValue"] == sum(profile["weights"])
        weights += sum(profile["weights"])
    assert weights == total, (path, weights)


def check_folded(path: Path, total: int) -> None:
    """As flamegraph.pl reads a line."""
    lines = path.read_bytes().split(b"\n")
    assert lines.pop() == b""
    matches = [re.fullmatch(rb"(.+) (\d+)", line) for line in lines]
    assert all(matches), lines
    assert sum(int(match[2]) for match in matches if match) == total
    assert len(set(lines)) == len(lines)


def check_callgrind(path: Path, total: int) -> None:
    """As the format's grammar has it: the functions' own costs add up, and what a call costs is not more than all."""
    lines = path.read_text(encoding="utf-8").split("\n")
    assert lines[0] == "# callgrind format" and lines[-2] == f"totals: {total}", lines[:6]
    known = r"(version|creator|positions|events|summary|totals): .+|(ob|fl|fn|cob|cfi|cfn)=.+|calls=\d+ 0|0 \d+|#.*|"
    assert all(re.fullmatch(known, line) for line in lines), path
    own, called, after_call = 0, [], False
    for line in lines:
        if line.startswith("0 "):
            called.append(int(line[2:])) if after_call else None
            own += 0 if after_call else int(line[2:])
        after_call = line.startswith("calls=")
    assert own == total, (path, own)
    assert all(cost <= total for cost in called)
    assert bool(called) == (total > 0)


def main(folder: Path) -> None:
    for name, total in TOTALS.items():
        check_svg(folder / f"{name}.svg", total)
        check_speedscope(folder / f"{name}.speedscope.json", total)
        check_folded(folder / f"{name}.folded", total)
        check_callgrind(folder / f"{name}.callgrind", total)
    print(f"{len(TOTALS)} samples in four formats")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
