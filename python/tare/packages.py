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


def loaded_packages() -> dict[str, dict[str, Any]]:
    """{"packages": {name: version}, "package_builds": {name: {"editable", "commit"}}}, by normalised name.

    A build is named where the installer, or the folder's git, knows of it.
    """
    versions: dict[str, str] = {}
    builds: dict[str, dict[str, Any]] = {}
    files = _files_of_modules()
    below: dict[str, set[str]] = {}  # by installation folder, relative to it
    for distribution in importlib.metadata.distributions():
        try:
            folder = os.path.realpath(str(distribution.locate_file("")))
            if folder not in below:
                below[folder] = {file[len(folder) + 1 :] for file in files if file.startswith(folder + os.sep)}
            named = _described(distribution, below[folder], files)
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
        try:
            file = getattr(module, "__file__", None)
        except Exception:  # a lazy module that cannot be loaded has loaded nothing
            continue
        if isinstance(file, str) and os.path.isabs(file) and name.split(".")[0] != "_distutils_hack":
            files.add(os.path.realpath(file))
            files.add(file)  # as a list of installed files names it, should it be a link
    return files


def _described(
    distribution: importlib.metadata.Distribution, below: set[str], files: set[str]
) -> tuple[str, str, dict[str, Any]] | None:
    name = distribution.metadata["Name"]
    if not name:
        return None
    origin = _origin(distribution)
    source = _source_folder(origin)
    editable = bool((origin.get("dir_info") or {}).get("editable")) and bool(source)
    if not _owns_one_of(distribution, below) and not (editable and any(f.startswith(source + os.sep) for f in files)):
        return None
    build: dict[str, Any] = {"editable": True} if editable else {}
    commit = (origin.get("vcs_info") or {}).get("commit_id") or (_commit_of(source) if editable else "")
    if isinstance(commit, str) and commit:
        build["commit"] = commit
    return re.sub(r"[-_.]+", "-", name).lower(), distribution.version, build


def _owns_one_of(distribution: importlib.metadata.Distribution, below: set[str]) -> bool:
    if not below:
        return False
    if record := distribution.read_text("RECORD"):
        return any(line.rsplit(",", 2)[0].strip('"') in below for line in record.splitlines())
    listed = distribution.read_text("top_level.txt") or distribution.metadata["Name"].replace("-", "_")
    tops = set(listed.split())  # an installation without a list of its files: Debian's, or a checkout
    return any(file.split(os.sep)[0].split(".")[0] in tops for file in below)


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
