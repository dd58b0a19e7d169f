# Which distributions the modules of this process are from: what a record is about, whichever interpreter it names.
from __future__ import annotations

import importlib.metadata
import json
import os
import re
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

_FOLDERS = ("site-packages", "dist-packages")


def loaded_packages() -> dict[str, dict[str, Any]]:
    """{"packages": {name: version}, "package_builds": {name: {"editable", "commit"}}}, by normalised name.

    A build is named where the installer, or the folder's git, knows of it.
    """
    versions: dict[str, str] = {}
    builds: dict[str, dict[str, Any]] = {}
    installed: dict[str, set[str]] = {}  # by folder, relative to it
    outside = []
    for file in _files_of_modules():
        if folder := _packages_folder(file):
            installed.setdefault(folder, set()).add(file[len(folder) + 1 :])
        else:
            outside.append(file)
    for distribution in importlib.metadata.distributions():
        try:
            named = _described(distribution, installed, outside)
        except Exception:  # what is installed badly is not what is measured
            continue
        if named and named[0] not in versions:  # the first on the search path is the one that is imported
            name, versions[named[0]], build = named
            if build:
                builds[name] = build
    return {"packages": versions, "package_builds": builds}


def _files_of_modules() -> set[str]:
    files = set()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and os.path.isabs(file) and name.split(".")[0] != "_distutils_hack":
            files.add(file)
    return files


def _packages_folder(file: str) -> str:
    """The installation folder that `file` lies in; empty for the standard library, checkouts and suites."""
    parts = file.split(os.sep)
    for folder in _FOLDERS:
        if folder in parts:
            return os.sep.join(parts[: parts.index(folder) + 1])
    return ""


def _described(
    distribution: importlib.metadata.Distribution, installed: dict[str, set[str]], outside: list[str]
) -> tuple[str, str, dict[str, Any]] | None:
    name = distribution.metadata["Name"]
    if not name:
        return None
    origin = _origin(distribution)
    source = _source_folder(origin)
    editable = bool(origin.get("dir_info", {}).get("editable")) and bool(source)
    if editable:
        if not any(file.startswith(source + os.sep) for file in outside):
            return None
    elif not _owns_one_of(distribution, installed.get(str(distribution.locate_file("")).rstrip(os.sep), set())):
        return None
    build: dict[str, Any] = {"editable": True} if editable else {}
    commit = origin.get("vcs_info", {}).get("commit_id") or (_commit_of(source) if editable else "")
    if isinstance(commit, str) and commit:
        build["commit"] = commit
    return re.sub(r"[-_.]+", "-", name).lower(), distribution.version, build


def _owns_one_of(distribution: importlib.metadata.Distribution, files: set[str]) -> bool:
    if not files:
        return False
    if record := distribution.read_text("RECORD"):
        return any(line.rsplit(",", 2)[0].strip('"') in files for line in record.splitlines())
    listed = distribution.read_text("top_level.txt") or distribution.metadata["Name"].replace("-", "_")
    tops = set(listed.split())  # an installation without a list of its files, as Debian's
    return any(file.split(os.sep)[0].split(".")[0] in tops for file in files)


def _origin(distribution: importlib.metadata.Distribution) -> dict[str, Any]:
    """PEP 610: where the installer had it from."""
    text = distribution.read_text("direct_url.json")
    origin = json.loads(text) if text else {}
    return origin if isinstance(origin, dict) else {}


def _source_folder(origin: dict[str, Any]) -> str:
    url = urlsplit(str(origin.get("url", "")))
    return os.path.realpath(unquote(url.path)) if url.scheme == "file" else ""


def _commit_of(folder: str) -> str:
    """What a checkout's HEAD names, read without running git; empty where that takes more than two small files."""
    try:
        git = Path(folder, ".git")
        head = (git / "HEAD").read_text(encoding="ascii", errors="replace").strip()
        if head.startswith("ref: "):
            head = (git / head[5:]).read_text(encoding="ascii", errors="replace").strip()
    except OSError:  # no checkout, a worktree, packed references
        return ""
    return head if len(head) == 40 and all(c in "0123456789abcdef" for c in head) else ""
