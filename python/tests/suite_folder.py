# A suite folder for one test: files from texts, loaded through tare._session. Main thread.
import contextlib
import pathlib
import tempfile
import textwrap

from tare import _session


@contextlib.contextmanager
def suite(**files):
    """Yields (what load() says, the folder) of a suite with the given files, `name="text"`."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, f"{name}.py")
            path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
        yield _session.load([folder], None), folder


def load_expression(statement, setup=""):
    return _session.load([], {"statement": statement, "setup": setup})
