# At stake: the names and lines of a stack, which sys._getframe tells too, and for each run of frames the one C frame of
# the eval loop that its boundary lies in: a boundary outside would misplace all its time.
import ctypes
import functools
import sys
import threading
import unittest

import probe
from looking import Looking, truth


class Chain(Looking):
    def test_functions_called_by_functions(self):
        def inner():
            self.look()

        def outer():
            return [
                inner(),
            ]

        outer()
        names = ["inner", "outer", "test_functions_called_by_functions"]
        self.assertEqual([frame.name.rpartition(".")[2] for frame in self.seen.frames[2:5]], names)
        self.assertEqual(self.runs()[0][:3], names if probe.LEAVES_ADDRESSES else names[:1])

    def test_one_eval_loop_for_python_to_python_calls_another_behind_c(self):
        def under_c(_):
            return self.look()

        sorted([1], key=under_c)
        first, second = self.runs()[:2]
        self.assertEqual(first, ["under_c"])
        self.assertEqual(second[0], "test_one_eval_loop_for_python_to_python_calls_another_behind_c")

    def test_c_that_recurses_into_python(self):
        def add(depth, _):
            if depth == 0:
                return self.look()
            return functools.reduce(add, [depth - 1, None])

        add(12, None)
        self.assertEqual(
            [run for run in self.runs() if run == ["add"]], [["add"]] * (12 if probe.LEAVES_ADDRESSES else 13)
        )

    def test_comprehensions_and_lambdas(self):
        _ = [self.look() for _ in "a"]
        _ = {self.look(): 1 for _ in "a"}
        _ = sum(self.look() for _ in "a")
        (lambda: self.look())()
        self.assertEqual(self.runs()[0][0], "<lambda>")

    def test_classes(self):
        look = self.look

        class Made:
            def __init__(self):
                look()

            @property
            def of_c(self):
                return look()

            def __enter__(self):
                look()

            def __exit__(self, *_):
                look()

            def __del__(self):
                look()

        def make():
            return Made()

        for _ in range(50):  # until the call of __init__ is specialised (3.12 on: by way of a helper's frame)
            made = make()
        self.assertEqual(made.of_c, 0)
        with made:
            pass
        del made

    def test_an_exception_in_flight(self):
        def fail():
            try:
                raise ValueError
            except ValueError:
                self.look()
            finally:
                self.look()

        fail()

    def test_code_that_was_compiled_just_now(self):
        for i in range(20):
            scope = {"look": self.look}
            exec(compile(f"def made_{i}():\n\n\n    look()\nmade_{i}()", f"<made {i}>", "exec"), scope)
            self.assertEqual(self.runs()[0][:1], [f"made_{i}"])
            self.assertEqual(self.seen.frames[2].line, 4)

    def test_names_of_every_width(self):
        # the short ones many times over: their code objects get each other's addresses
        for name in ("é", "è", "变", "𝒳", "ж", "a", "b", "ab") * 20 + ("变量", "naïve_变量_𝒳"):
            scope = {"look": self.look}
            exec(compile(f"def {name}(): look()\n{name}()", f"<{name}>", "exec"), scope)
        long = "é" * 400  # 800 bytes: its end is lost, between two characters
        scope = {"copy": probe.copy}
        exec(compile(f"def {long}(): return copy()\nmoment = {long}()", "<long>", "exec"), scope)
        self.assertEqual(scope["moment"].frames[1].name, "é" * 256)
        exec(compile("def f(): return copy()\nmoment = f()", "<lone \udcff>", "exec"), scope)
        self.assertEqual(scope["moment"].frames[1].file, "<lone \ufffd>")

    def test_a_deep_chain_is_cut_and_keeps_its_innermost_frames(self):
        def deep(depth):
            return probe.copy() if depth == 0 else deep(depth - 1)

        moment = deep(400)
        self.assertEqual(moment.chain, probe.CUT)
        self.assertEqual(len(moment.frames), 256)
        self.assertEqual({frame.name.rpartition(".")[2] for frame in moment.frames[1:]}, {"deep"})
        self.assertEqual(deep(10).chain, probe.WHOLE)

    def test_frames_on_several_chunks_of_the_data_stack(self):
        def wide(depth):
            a = b = c = d = e = f = g = h = depth
            _ = (a, b, c, d, e, f, g, h)
            return self.look() if depth == 0 else wide(depth - 1)

        wide(200)  # 200 frames of 150 bytes and more; a chunk has 16 KB

    def test_tells_who_holds_the_gil(self):
        self.look()
        self.assertTrue(self.seen.holds_gil)
        self.look(library=probe.without_gil)
        self.assertFalse(self.seen.holds_gil)

    def test_other_threads_see_their_own_frames(self):
        found = []

        def work():
            found.append(probe.copy())

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for moment in found:
            self.assertEqual(moment.chain, probe.WHOLE)
            self.assertIn("_bootstrap", moment.frames[-1].name)
            self.assertNotIn("<module>", [frame.name for frame in moment.frames])
            self.check_boundaries(moment)

    def test_what_is_linked_halfway_is_unreadable(self):
        def dead(depth):
            return dead(depth - 1) if depth else None

        def in_an_eval_loop_of_its_own(_):
            dead(5)  # leaves its frames above the top of the stack
            frame, chain_from = probe.with_gil.frame_probe_frame, probe.with_gil.frame_probe_chain_from
            own, top, outer = frame(0), frame(-1), frame(2)
            space = ctypes.create_string_buffer(256)
            inside = ctypes.addressof(space) + 64
            wild = {"unaligned": own + 4, "unmapped": 0x7000_0000_0000, "kernel": 2**64 - 4096}
            wild |= {"no frame": inside - inside % 8, "an object": id(self)}
            if probe.LEAVES_ADDRESSES:
                wild["dead"] = top
            links_first = (3, 11) <= sys.version_info < (3, 13)
            if links_first:  # where an eval loop links itself before its frame
                wild |= {"none yet": 0, "of the eval loop outside": outer}
            seen = {what: chain_from(address) for what, address in wild.items()}
            for what, chain in seen.items():
                self.assertIn(chain, probe.UNREADABLE, what)
            for what in ("unaligned", "unmapped", "kernel"):
                self.assertEqual(seen[what], probe.NO_FRAME, what)
            if (3, 11) <= sys.version_info < (3, 12):
                self.assertEqual(seen["of the eval loop outside"], probe.NO_LOOP)
            if not links_first:
                self.assertEqual(chain_from(own), probe.WHOLE)
                self.assertEqual(chain_from(0), probe.NONE)
            return 0

        sorted([1], key=in_an_eval_loop_of_its_own)
        self.look()

    def test_while_it_is_traced(self):
        def traced():
            self.look()

        sys.settrace(lambda *_: None)
        try:
            traced()
        finally:
            sys.settrace(None)

    def test_says_what_it_costs(self):
        def nest(functions):
            return functions[0](functions[1:]) if functions else probe.with_gil.frame_probe_ns_per_copy(20_000)

        def distinct(count):
            scope = {}
            for i in range(count):
                exec(compile(f"def f{i}(rest): return rest[0](rest[1:])", f"<f{i}>", "exec"), scope)
            return [scope[f"f{i}"] for i in range(count)]

        def recurse(depth):
            return recurse(depth - 1) if depth > 1 else probe.with_gil.frame_probe_ns_per_copy(20_000)

        outside = len(truth(sys._getframe())) + 1
        for frames in (outside, 20, 100):
            ns = nest([*distinct(frames - outside - 1), lambda _: probe.with_gil.frame_probe_ns_per_copy(20_000)])
            print(f"{frames} frames of distinct functions: {ns:.0f} ns; recursion: {recurse(frames):.0f} ns")
            self.assertGreater(ns, 0)


if __name__ == "__main__":
    probe.prepare()
    unittest.main(argv=sys.argv[:1])
