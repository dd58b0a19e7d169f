# %load_ext tare: %tare and %%tare for IPython and Jupyter. What they return is shown with its picture, and can be kept:
# r = %tare x + y
from __future__ import annotations

from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand

from tare.api.code import CannotCarry
from tare.api.duets import duet
from tare.api.ledgers import explain
from tare.api.program import Error, Interrupted
from tare.api.runs import run

SHORT, LONG = "ehqp:r:s:v:", ["explain", "here", "quick", "python=", "rounds=", "setup=", "setup-each=", "versus="]

REFUSED = {  # what goes with what else
    "explain": {"here", "quick", "rounds", "versus"},
    "here": {"python", "quick", "rounds", "setup-each", "versus"},
    "versus": {"quick", "rounds"},
    "quick": {"rounds"},
}


@magics_class
class TareMagics(Magics):
    """The magics; the statement sees the variables of the notebook."""

    @no_var_expand
    @line_cell_magic
    def tare(self, line: str, cell: str | None = None) -> Any:
        """Measure a statement: in fresh workers, which get the variables that it uses.

        %tare [-q] [-h] [-e] [-v STATEMENT] [-s SETUP] [-p PYTHON] [-r N] statement
        %%tare [options] [setup]
        the statement, in one or more lines

        -q, --quick     one worker instead of 17
        -h, --here      in this kernel, for what no other process can have
        -e, --explain   where its instructions go, by layer, with a flame graph
        -v, --versus S  a duet: which is slower, the statement or S, and by how much
        -s, --setup S   code that runs before, in the worker
        --setup-each S  code that runs before each execution and is not timed
        -p, --python P  another interpreter or environment
        -r, --rounds N  that many workers

        Examples:
            %tare a @ b
            %tare -e np.dot(a, a.T)
            %tare -v "np.add(x, y)" x + y
            result = %tare -q x + y
        """
        options, rest = self.parse_options(line, SHORT, *LONG, posix=False, strict=False, preserve_non_opts=True)

        def given(word: str) -> str | None:
            """An option's text, without the quotes that a whole one stands in."""
            text = options.get(word, options.get(word[0]) if "-" not in word else None)
            return text[1:-1] if text and len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text

        on = {word for word in ("explain", "here", "quick") if word[0] in options or word in options}
        on |= {word for word in ("python", "rounds", "setup", "setup-each", "versus") if given(word) is not None}
        statement = (rest if cell is None else cell).strip()
        if not statement:
            raise UsageError("%tare: there is no statement; %tare? shows what it takes")
        if cell is not None and rest and "setup" in on:
            raise UsageError("%%tare: the rest of the line is set-up, and so is --setup: give one")
        for one, others in REFUSED.items():
            if one in on and others & on:
                raise UsageError(f"%tare: --{one} takes no --{', --'.join(sorted(others & on))}")
        setup = given("setup") or ("" if cell is None else rest)
        common: dict[str, Any] = {
            "setup": setup,
            "setup_each": given("setup-each") or "",
            "values": dict(self.shell.user_ns),
        }
        python = given("python")
        try:
            if "explain" in on:
                return explain(statement, python=python, **common)
            if "versus" in on:
                return duet(statement, given("versus") or "", python=python, **common)
            if "here" in on:
                return run(statement, here=True, **common)
            return run(statement, python=python, quick="quick" in on, rounds=given("rounds"), **common)
        except CannotCarry as error:
            raise UsageError(f"%tare: {error}".replace("here=True", "-h")) from None
        except Error as error:
            raise UsageError(f"%tare: {error}") from None
        except Interrupted as interrupted:
            return interrupted.result


def load_ipython_extension(shell: Any) -> None:
    """What %load_ext tare calls."""
    shell.register_magics(TareMagics)
