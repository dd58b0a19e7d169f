# At stake: which version a value is of. A distribution that is loaded and not named lets two versions be one.
from __future__ import annotations

import importlib
import json
import sys
import tempfile
import types
import unittest
from pathlib import Path

from tare.packages import loaded_packages

COMMIT = "1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d"


class Packages(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.addCleanup(sys.path.__setitem__, slice(None), sys.path[:])

    def loaded(self, folder: Path, module: str) -> None:
        sys.path.insert(0, str(folder))
        importlib.invalidate_caches()
        importlib.import_module(module)
        self.addCleanup(sys.modules.pop, module)

    def described(self, folder: Path, name: str, version: str, **files: str) -> Path:
        described = folder / f"{name}-{version}.dist-info"
        described.mkdir(parents=True)
        (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        for file, text in files.items():
            (described / file.replace("__", ".")).write_text(text)
        return described

    def test_of_any_folder_on_the_path(self) -> None:
        for name, below in (("tare_one", "deps"), ("tare_two", "site-packages/old/site-packages")):
            folder = self.folder / below
            self.described(folder, name, "1.2", RECORD=f"{name}.py,,\n")
            (folder / f"{name}.py").write_text("")
            self.loaded(folder, name)
        found = loaded_packages()["packages"]
        self.assertEqual((found["tare-one"], found["tare-two"]), ("1.2", "1.2"))

    def test_is_none_that_was_not_imported(self) -> None:
        self.described(self.folder, "tare_idle", "1.2", RECORD="tare_idle.py,,\n")
        (self.folder / "tare_idle.py").write_text("")
        sys.path.insert(0, str(self.folder))
        self.assertNotIn("tare-idle", loaded_packages()["packages"])

    def test_says_from_which_commit(self) -> None:
        origin = json.dumps({"url": "https://example.org", "vcs_info": {"vcs": "git", "commit_id": COMMIT}})
        self.described(self.folder, "tare_built", "1.2", RECORD="tare_built.py,,\n", direct_url__json=origin)
        (self.folder / "tare_built.py").write_text("")
        self.loaded(self.folder, "tare_built")
        self.assertEqual(loaded_packages()["package_builds"]["tare-built"], {"commit": COMMIT})

    def test_of_an_editable_checkout_behind_a_link(self) -> None:
        checkout, link = self.folder / "checkout", self.folder / "link"
        (checkout / ".git").mkdir(parents=True)
        (checkout / ".git" / "HEAD").write_text(COMMIT + "\n")
        (checkout / "tare_edited.py").write_text("")
        link.symlink_to(checkout)
        origin = json.dumps({"url": f"file://{link}", "dir_info": {"editable": True}, "vcs_info": None})
        site = self.folder / "site"
        self.described(site, "tare_edited", "3.0", RECORD="__editable__.tare_edited.pth,,\n", direct_url__json=origin)
        sys.path.insert(0, str(site))
        self.loaded(link, "tare_edited")
        found = loaded_packages()
        self.assertEqual(found["packages"]["tare-edited"], "3.0")
        self.assertEqual(found["package_builds"]["tare-edited"], {"editable": True, "commit": COMMIT})

    def test_of_a_checkout_that_was_never_installed(self) -> None:
        described = self.folder / "tare_source.egg-info"
        described.mkdir()
        (described / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: tare_source\nVersion: 0.9\n")
        (described / "top_level.txt").write_text("tare_source\n")
        (self.folder / "tare_source.py").write_text("")
        self.loaded(self.folder, "tare_source")
        self.assertEqual(loaded_packages()["packages"]["tare-source"], "0.9")

    def test_is_not_ended_by_what_others_left_behind(self) -> None:
        class Lazy(types.ModuleType):
            def __getattr__(self, name: str) -> object:
                raise ImportError(name)

        lazy = Lazy("tare_lazy")
        del lazy.__dict__["__spec__"]
        sys.modules["tare_lazy"] = lazy
        self.addCleanup(sys.modules.pop, "tare_lazy")
        self.described(self.folder, "tare_broken", "1", direct_url__json="[]", RECORD="x")
        (self.folder / "nameless-1.dist-info").mkdir()
        sys.path.insert(0, str(self.folder))
        self.assertIn("packages", loaded_packages())


if __name__ == "__main__":
    unittest.main()
