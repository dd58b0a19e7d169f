"""Writes the C++ source that holds the report's parts: embed.py OUT PAGE STYLE LIBRARY LICENCE SCRIPT...

The library is compressed: browsers undo that by themselves, and a report is half as large.
"""

import base64
import gzip
import re
import sys
from pathlib import Path

CHUNK = 16_000  # characters of one string literal; the compiler joins neighbours


def literal(text: str) -> str:
    """Raw string literals, one a line."""
    if ')part"' in text:
        raise SystemExit('embed.py: a part of the report holds )part", which ends its literal')
    pieces = [text[i : i + CHUNK] for i in range(0, len(text), CHUNK)] or [""]
    return "\n".join(f'    R"part({piece})part"' for piece in pieces)


def notice(library: str, licence: str) -> str:
    """The library's own first comment, then its licence."""
    banner = re.match(r"\s*/\*[*!]?(.*?)\*/", library, re.DOTALL)
    lines = banner.group(1).splitlines() if banner else []
    return "\n".join(line.strip(" *") for line in lines).strip() + "\n\n" + licence.strip()


def main(out: str, page: str, style: str, library: str, licence: str, *scripts: str) -> None:
    code = Path(library).read_bytes()
    packed = base64.b64encode(gzip.compress(code, 9, mtime=0)).decode()
    parts = {
        "page": Path(page).read_text(),
        "style": Path(style).read_text(),
        "script": "\n".join(Path(script).read_text() for script in scripts),
        "charts": packed,
        "notice": notice(code[:10_000].decode(errors="replace"), Path(licence).read_text()),
    }
    if "</script" in parts["script"] or "</style" in parts["style"] or "-->" in parts["notice"]:
        raise SystemExit("embed.py: a part of the report would end the element that holds it")
    members = ",\n".join(f"        .{name} =\n{literal(text)}" for name, text in parts.items())
    Path(out).write_text(
        "// Made by embed.py.\n"
        '#include "harness/history/report_page.h"\n\n'
        "namespace tare::history {\n\n"
        "ReportAssets report_assets() {\n"
        f"    return {{\n{members}}};\n"
        "}\n\n"
        "}  // namespace tare::history\n"
    )


if __name__ == "__main__":
    if len(sys.argv) < 7:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
