"""The lints' own tests. At stake: a lint that sees no violation passes for ever, so each is shown one of every kind."""

import tempfile
import unittest
import unittest.mock
from pathlib import Path

import file_shape
import header_lines
import layers
import readme
import tools
import tree


class TemporaryTree(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = Path(temporary.name)

    def write(self, **files: str) -> list[str]:
        """Writes files named folder__file_ext and returns their paths."""
        names = []
        for key, text in files.items():
            folder, _, file = key.rpartition("__")
            name = f"{folder.replace('__', '/')}/{'.'.join(file.rsplit('_', 1))}".lstrip("/")
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)
            names.append(name)
        return names


class Layers(TemporaryTree):
    def violations(self, **files: str) -> list[str]:
        return layers.violations(self.root, self.write(**files), layers.load_rules())

    def test_an_edge_of_the_table_is_allowed(self) -> None:
        found = self.violations(harness__core__a_h="", harness__stats__b_cpp='#include "harness/core/a.h"\n')
        self.assertEqual(found, [])

    def test_an_edge_against_the_table_is_found_with_its_line(self) -> None:
        found = self.violations(harness__stats__a_h="", harness__core__b_cpp='// why\n#include "harness/stats/a.h"\n')
        self.assertEqual(
            found, ["harness/core/b.cpp:2: harness/core may not include harness/stats: it may include only itself"]
        )

    def test_bench_reaches_neither_python_nor_google_benchmark(self) -> None:
        for folder in ("python", "harness/gbench", "harness/worker", "benchmarks"):
            found = self.violations(
                **{f"{folder.replace('/', '__')}__a_h": "", "harness__cli__b_cpp": f'#include "{folder}/a.h"\n'}
            )
            self.assertEqual(len(found), 1, folder)

    def test_an_include_that_is_not_rooted_is_found(self) -> None:
        found = self.violations(harness__core__a_h="", harness__core__b_cpp='#include "a.h"\n')
        self.assertIn("not a path from the root", found[0])

    def test_our_header_in_angle_brackets_is_found(self) -> None:
        found = self.violations(harness__core__a_h="", harness__cli__b_cpp="#include <harness/core/a.h>\n")
        self.assertIn("in quotes", found[0])

    def test_cpp_outside_the_folders_is_found(self) -> None:
        self.assertIn("outside the folders", self.violations(tools__a_cpp="")[0])

    def test_each_library_is_found_outside_its_place(self) -> None:
        for header in (
            "msgpack.hpp", "boost/math/distributions.hpp", "nlohmann/json.hpp", "sqlite3.h", "benchmark/benchmark.h",
            "Python.h", "pybind11/pybind11.h", "pybind11/embed.h", "CLI/CLI.hpp", "perfmon/pfmlib.h",
            "linux/perf_event.h", "elfutils/libdwfl.h", "Zydis/Zydis.h", "cblas.h",
        ):  # fmt: skip
            found = self.violations(harness__measure__a_cpp=f"#include <{header}>\n")
            self.assertEqual(len(found), 1, header)

    def test_each_library_is_allowed_in_its_place(self) -> None:
        found = self.violations(
            harness__core__codec_cpp="#include <msgpack.hpp>\n",
            python__py_h="#include <Python.h>\n#include <pybind11/pybind11.h>\n",
            harness__gbench__a_cpp="#include <benchmark/benchmark.h>\n",
        )
        self.assertEqual(found, [])

    def test_a_private_header_is_found_where_only_its_folder_is_open(self) -> None:
        found = self.violations(python__py_h="", harness__measure__a_cpp='#include "python/py.h"\n')
        self.assertIn("for python, harness/worker alone", found[0])

    def test_a_clock_outside_core_is_found_but_not_in_a_comment_or_a_string(self) -> None:
        found = self.violations(
            harness__measure__a_cpp='auto t = steady_clock::now();\n// steady_clock\nf("clock_gettime");\n',
            pmu__b_cpp="clock_gettime(CLOCK_MONOTONIC, &t);\n",
            harness__core__c_cpp="clock_gettime(CLOCK_MONOTONIC, &t);\n",
        )
        self.assertEqual([line.split(": ")[0] for line in found], ["harness/measure/a.cpp:1", "pmu/b.cpp:1"])


class FileShape(TemporaryTree):
    def test_opening_lines_are_counted(self) -> None:
        for name, text, expected in (
            ("a.h", "// What.\n// Why.\n#pragma once\n", 2),
            ("a.h", "#pragma once\n// What.\n", 0),
            ("a.py", '"""What."""\n', 1),
            ("a.py", '#!/usr/bin/env python3\n"""What.\nWhy.\n"""\n', 2),
            ("a.py", '"""\nWhat.\n"""\n', 1),
            ("a.py", '"""What.\n\nMore at leisure.\n"""\n', 1),
            ("a.py", '""""""\n', 0),
            ("a.py", "import sys\n", 0),
            ("ci/a", "#!/usr/bin/env bash\n# What.\nset -e\n", 1),
            ("ci/a", "#!/usr/bin/env bash\nset -e\n", 0),
        ):
            self.assertEqual(file_shape.opening_length(name, text), expected, text)

    def test_a_missing_and_a_long_opening_and_a_long_file_are_found(self) -> None:
        names = self.write(
            a_cpp="int a;\n", b_h="// x\n" * 6, c_py='"""C."""\n' + "x = 1\n" * 400, d_cpp="// D.\n", e_md="text\n"
        )
        found = file_shape.violations(self.root, names)
        self.assertEqual([line.split(": ")[0] for line in found], ["a.cpp:1", "b.h:1", "c.py:401"])

    def test_a_script_without_a_suffix_is_known_by_its_shebang(self) -> None:
        (self.root / "run").write_text("#!/usr/bin/env bash\nset -e\n")
        (self.root / "LICENSE").write_text("words\n")
        self.assertEqual([tree.is_script(self.root, name) for name in ("run", "LICENSE")], [True, False])


class Tools(TemporaryTree):
    def test_a_missing_tool_is_named_with_the_way_to_it(self) -> None:
        said = tools.problem_with(tools.Tool(("/nowhere/clang-format",), tree.is_cpp))
        self.assertEqual(said, "/nowhere/clang-format is missing: ci/test installs it")

    def test_another_version_is_refused(self) -> None:
        said = tools.problem_with(tools.Tool(("/bin/bash",), tree.is_cpp, "version 1."))
        self.assertIn("wanted 'version 1.'", said or "")

    def test_nothing_to_check_is_a_failure(self) -> None:
        self.assertEqual(tools.run(tools.Tool(("/bin/true",), tree.is_cpp), self.root, ["a.md"]), 2)

    def test_each_tool_finds_what_it_is_for(self) -> None:
        self.write(a_cpp="int  a ;\n", b_py="import os\nx : int = 'text'\n", c_sh="#!/bin/bash\necho $1\n")
        for name, file in (
            ("clang-format", "a.cpp"),
            ("ruff-format", "b.py"),
            ("ruff", "b.py"),
            ("mypy", "b.py"),
            ("shellcheck", "c.sh"),
        ):
            tool = tools.Tool(tools.CHECKS[name].command, lambda _: True, tools.CHECKS[name].version)
            self.assertEqual(tools.run(tool, self.root, [file]), 1, name)


class Readme(TemporaryTree):
    def test_commands_are_the_lines_of_sh_blocks(self) -> None:
        text = (
            "```sh\n# first\nci/bench run \\\n    --filter dot\n\n$ ci/test\n```\n```\nno\n```\n```python\nnor()\n```\n"
        )
        self.assertEqual(readme.shown_commands(text), ["ci/bench run --filter dot", "ci/test"])

    def test_a_command_that_nothing_executes_is_found(self) -> None:
        found = readme.violations({"README.md": ["ci/test", "ci/new"]}, [("fresh", "ci/test")])
        self.assertEqual(found, ["README.md: nothing executes 'ci/new': add it to ci/readme_commands.txt"])

    def test_a_stale_entry_and_an_unknown_executor_are_found(self) -> None:
        found = readme.violations({"README.md": ["ci/b"]}, readme.listed_commands("# why\nfresh ci/a\nnobody ci/b\n"))
        self.assertEqual(len(found), 2)

    def test_a_link_that_leads_nowhere_is_found(self) -> None:
        (self.root / "page.md").write_text("")
        text = "[a](page.md#part) [b](https://example.org/x) ![c](gone.png) [d](../gone.md)"
        with unittest.mock.patch.object(tree, "ROOT", self.root):
            self.assertEqual(readme.dead_links("README.md", text), ["gone.png", "../gone.md"])

    def test_documents_are_readmes_and_the_manual(self) -> None:
        names = ["README.md", "pmu/README.md", "harness/docs/quiet.md", "harness/record/testdata/table.md"]
        self.assertEqual([readme.is_document(name) for name in names], [True, True, True, False])

    def test_a_command_that_fails_is_found(self) -> None:
        self.assertEqual(readme.run(["true", "exit 3"], self.root), ["'exit 3' exited 3"])


class HeaderLines(TemporaryTree):
    DEPS = (
        "a.o: #deps 2, deps mtime 1 (VALID)\n    a.cpp\n    common.h\n\n"
        "b.o: #deps 1, deps mtime 2 (VALID)\n    common.h\n\n"
    )

    def test_a_header_counts_once_for_each_object_that_reads_it(self) -> None:
        self.write(a_cpp="1\n2\n", common_h="1\n2\n3\n")
        self.assertEqual(header_lines.count_lines(header_lines.read_dependencies(self.DEPS), self.root), 2 + 3 + 3)

    def test_the_number_may_have_a_comment_and_separators(self) -> None:
        self.assertEqual(header_lines.read_allowed("# why\n12_345\n"), 12345)

    def test_growth_beyond_the_share_is_found_and_so_is_an_outdated_number(self) -> None:
        self.assertIsNone(header_lines.verdict(1029, 1000))
        self.assertIn("1,031 lines, 3% more", header_lines.verdict(1031, 1000) or "")
        self.assertIn("fewer", header_lines.verdict(900, 1000) or "")


if __name__ == "__main__":
    unittest.main()
