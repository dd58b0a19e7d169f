# %load_ext tare: %tare and %%tare for IPython and Jupyter. What they return is shown with its picture, and can be kept:
# r = %tare x + y
from __future__ import annotations

from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class

from tare.api.code import CannotCarry
from tare.api.duets import duet
from tare.api.ledgers import explain
from tare.api.program import Error, Interrupted
from tare.api.runs import run

SHORT, LONG = "ehqp:r:s:v:", ["explain", "here", "quick", "python=", "rounds=", "setup=", "versus="]


@magics_class
class TareMagics(Magics):
    """The magics; the statement sees the variables of the notebook."""

    @line_cell_magic
    def tare(self, line: str, cell: str | None = None) -> Any:
        """Measure a statement: in fresh workers, which get the variables that it uses.

        %tare [-q] [-h] [-e] [-v STATEMENT] [-s SETUP] [-p PYTHON] [-r N] statement
        %%tare [options] [setup]
        the statement, in one or more lines

        -q, --quick     one worker instead of five
        -h, --here      in this kernel, for what no other process can have
        -e, --explain   where its instructions go, by layer, with a flame graph
        -v, --versus S  a duet: which is slower, the statement or S, and by how much
        -s, --setup S   code that runs before, in the worker
        -p, --python P  another interpreter or environment
        -r, --rounds N  that many workers

        Examples:
            %tare a @ b
            %tare -e np.dot(a, a.T)
            %tare -v "np.add(x, y)" x + y
            result = %tare -q x + y
        """
        options, rest = self.parse_options(line, SHORT, *LONG, posix=False, strict=False, preserve_non_opts=True)

        def given(short: str, word: str) -> Any:
            value = options.get(short, options.get(word))
            return value.strip("\"'") if isinstance(value, str) and value[:1] in "\"'" else value

        def is_on(short: str, word: str) -> bool:
            return short in options or word in options

        statement = (rest if cell is None else cell).strip()
        setup = given("s", "setup") or ("" if cell is None else rest)
        if not statement:
            raise UsageError("%tare: there is no statement; %tare? shows what it takes")
        common: dict[str, Any] = {"setup": setup, "values": dict(self.shell.user_ns)}
        chosen = [word for word in ("explain", "here", "versus") if is_on(word[0], word)]
        if len(chosen) > 1:
            raise UsageError(f"%tare: choose one of {', '.join('--' + word for word in chosen)}")
        try:
            if "explain" in chosen:
                return explain(statement, python=given("p", "python"), **common)
            if "versus" in chosen:
                return duet(statement, given("v", "versus"), python=given("p", "python"), **common)
            if "here" in chosen:
                return run(statement, here=True, **common)
            rounds = given("r", "rounds")
            return run(statement, python=given("p", "python"), quick=is_on("q", "quick"), rounds=rounds, **common)
        except CannotCarry as error:
            raise UsageError(f"%tare: {error}".replace("here=True", "-h")) from None
        except Error as error:
            raise UsageError(f"%tare: {error}") from None
        except Interrupted as interrupted:
            return interrupted.result


def load_ipython_extension(shell: Any) -> None:
    """What %load_ext tare calls."""
    shell.register_magics(TareMagics)
