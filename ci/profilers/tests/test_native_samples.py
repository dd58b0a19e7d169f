"""At stake: a line of perf's that is read wrongly moves samples from one function to another and blames a tool."""

import unittest

import elf_functions
from matching import IN_KERNEL, VDSO, Matcher, merged_vdso
from native_samples import Frame, base_name, frame_of, samples_of
from tare_samples import TareProfile

SCRIPT = """\
26873 
\tffffffff815e31e3 do_wp_page+0x293 ([kernel.kallsyms])
\t           fdb09 PyDict_SetDefault+0x179 (/usr/bin/python3.11)
\t          227bd0 _start+0x20 (/usr/bin/python3.11)

  911 
\t           fcf61 [unknown] (/usr/bin/python3.11)
\t           1f2e0 void np::sort::heap<int, (Kind)1>(int*, long)+0x10 (/x/_multiarray_umath.so (deleted))

26873 
\t    7ffe12345b46 __vdso_clock_gettime+0x6 ([vdso])
"""  # noqa: W291
FRAMES = """\
00000018 0000000000000010 0000001c FDE cie=00000000 pc=000000000041f100..000000000041f122
00000044 0000000000000010 0000001c FDE cie=0000002c pc=000000000041f122..000000000041f200
"""
SEGMENTS = """\
  LOAD           0x000000 0x0000000000400000 0x0000000000400000 0x01e3e8 0x01e3e8 R   0x1000
  LOAD           0x01f000 0x000000000041f000 0x000000000041f000 0x2b2289 0x2b2289 R E 0x1000
"""
PYTHON = "/usr/bin/python3.11"


def ours(**names: int) -> TareProfile:
    """A profile that knows these functions of the interpreter, by address."""
    return TareProfile(names={(PYTHON, address): name for name, address in names.items()})


class Script(unittest.TestCase):
    def test_is_samples_of_frames_innermost_first(self) -> None:
        first, second, third = samples_of(SCRIPT.splitlines())
        self.assertEqual([frame.symbol for frame in first.frames], ["do_wp_page", "PyDict_SetDefault", "_start"])
        self.assertTrue(first.frames[0].in_kernel)
        self.assertTrue(first.reaches_the_entry)
        self.assertEqual(second.frames[0], Frame(0xFCF61, "", 0xFCF61, PYTHON))
        self.assertEqual(second.frames[1].file, "/x/_multiarray_umath.so")
        self.assertEqual(base_name(second.frames[1].symbol), "np::sort::heap")
        self.assertFalse(second.reaches_the_entry)
        self.assertEqual(third.frames[0].file, "[vdso]")

    def test_tells_where_a_named_function_begins(self) -> None:
        frame = frame_of("\t  fdb09 PyDict_SetDefault+0x179 (/usr/bin/python3.11)")
        assert frame is not None
        self.assertEqual(frame.start, 0xFDB09 - 0x179)
        self.assertIsNone(frame_of("26873"))

    def test_names_are_those_of_the_source(self) -> None:
        for symbol, name in (
            ("syrk.constprop.0", "syrk"),
            ("DOUBLE_matmul_matrixmatrix.isra.0.cold", "DOUBLE_matmul_matrixmatrix"),
            ("pthread_mutex_lock@@GLIBC_2.2.5", "pthread_mutex_lock"),
            ("memset@plt", "memset@plt"),
            ("int amerge_at_<npy::long_tag, long>(long*, long*, run*, long)", "amerge_at_"),
            ("(anonymous namespace)::f(int)", "{anonymous}::f"),
        ):
            self.assertEqual(base_name(symbol), name)


class Matching(unittest.TestCase):
    def matcher(self, profile: TareProfile) -> Matcher:
        return Matcher(profile, lambda path: elf_functions.parse(SEGMENTS, FRAMES))

    def test_is_by_where_a_function_begins_whatever_it_is_called(self) -> None:
        matcher = self.matcher(ours(alias=0x41F100))
        self.assertEqual(matcher.key_of(Frame(0x1F110, "other", 0x1F100, PYTHON)), (PYTHON, 0x41F100))

    def test_is_by_name_for_parts_that_lie_elsewhere(self) -> None:
        matcher = self.matcher(ours(f=0x41F100))
        self.assertEqual(matcher.key_of(Frame(0x30010, "f.cold", 0x30000, PYTHON)), (PYTHON, 0x41F100))

    def test_is_by_unwind_information_where_perf_has_no_name(self) -> None:
        matcher = self.matcher(ours(**{"python3.11+0x41f122": 0x41F122}))
        self.assertEqual(matcher.key_of(Frame(0x1F180, "", 0x1F180, PYTHON)), (PYTHON, 0x41F122))
        self.assertEqual(matcher.key_of(Frame(0x1F110, "", 0x1F110, PYTHON)), (PYTHON, 0x41F100))
        self.assertEqual(matcher.names[PYTHON, 0x41F100], "python3.11+0x41f100")

    def test_takes_the_kernel_and_its_library_as_one_each(self) -> None:
        matcher = self.matcher(ours())
        counts = matcher.count(samples_of(SCRIPT.splitlines()))
        self.assertEqual((counts[IN_KERNEL], counts[VDSO]), (1, 1))
        self.assertEqual(merged_vdso(counts | {("[vdso]", 7): 2})[VDSO], 3)
