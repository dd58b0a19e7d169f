# At stake: a package under development, installed in place, is compared as it is now; that it was built anew is said.
import subprocess
import unittest

from bench_process import DEBIAN_PYTHON
from duet_process import DuetTest, words_of

PROJECT = """[build-system]
build-backend = "mesonpy"
requires = ["meson-python"]
[project]
name = "tinymod"
version = "0.1"
"""
BUILD = """project('tinymod', 'c')
py = import('python').find_installation(pure: false)
py.install_sources('tinymod/__init__.py', subdir: 'tinymod')
py.extension_module('_core', 'core.c', install: true, subdir: 'tinymod')
"""
CORE = """#include <Python.h>
static PyObject* work(PyObject* self, PyObject* arg) {
    volatile long sum = 0;
    for (long i = 0; i < @COUNT@; ++i) sum += i;
    return PyLong_FromLong(sum);
}
static PyMethodDef methods[] = {{"work", work, METH_O, ""}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_core", 0, -1, methods};
PyMODINIT_FUNC PyInit__core(void) { return PyModule_Create(&definition); }
"""
SUITE = """# the package's only function
import tinymod
from tare import operation

@operation('work(x)')
def work():
    return {'work': tinymod.work, 'x': 1}
"""


class DuetOfEditableInstalls(DuetTest):
    def run_in(self, folder, *command):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")

    def editable(self, side):
        """An environment with the package installed in place, by meson-python."""
        environment, source = self.folder / f"env_{side}", self.folder / f"source_{side}"
        (source / "tinymod").mkdir(parents=True)
        (source / "pyproject.toml").write_text(PROJECT)
        (source / "meson.build").write_text(BUILD)
        (source / "core.c").write_text(CORE.replace("@COUNT@", "200"))
        (source / "tinymod" / "__init__.py").write_text("from tinymod._core import work\n")
        self.run_in(self.folder, DEBIAN_PYTHON, "-m", "venv", environment)
        pip = (environment / "bin" / "python", "-m", "pip", "--quiet", "install")
        self.run_in(source, *pip, "meson-python", "meson", "ninja")
        path = f"PATH={environment / 'bin'}:/usr/bin:/bin"
        self.run_in(source, "env", path, *pip, "--no-build-isolation", "--editable", ".")
        return environment, source

    def test_see_a_change_of_the_source_without_installing_again(self):
        (a, _), (b, source) = self.editable("a"), self.editable("b")
        suite = self.suite(own=SUITE)
        (source / "core.c").write_text(CORE.replace("@COUNT@", "600"))
        ran = self.bench("duet", "--a", a, "--b", b, "--suite", suite, "--gate", code=1)
        self.assertEqual(words_of(ran), {"work": "slower"})
        self.assertRegex(ran.err, "side b was built anew when it was imported .*source_b.*_core")
        self.assertNotIn("side a was built", ran.err)


if __name__ == "__main__":
    unittest.main()
