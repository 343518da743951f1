"""What a cell says that failed: the message, and nothing of the inside of dpsql."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from IPython.core.error import UsageError

from dpsql.errors import DpsqlError
from dpsql.execution import boundary
from dpsql.visible import one_line

T = TypeVar("T")


def told(work: Callable[[], T]) -> T:
    """The result of `work`; what it raises keeps no frames, cause or context, and is shown as text.

    Raises:
        UsageError: IPython's, as it is.
        DpsqlError: what `dpsql` raises; an InternalError for what nobody expected.
        KeyboardInterrupt: Ctrl-C.
    """
    problem: BaseException
    try:
        return work()
    except UsageError as error:
        problem = UsageError(one_line(str(error)))
    except DpsqlError as error:
        problem = error
    except KeyboardInterrupt as error:
        problem = KeyboardInterrupt(str(error) or "interrupted")
    except Exception as error:
        problem = boundary.internal(error)
    raise _bare(problem)


def _bare(problem: BaseException) -> BaseException:
    """`problem` as it is shown: IPython prints the frames, and in a mode the variables, of all that
    has no `_render_traceback_`.
    """
    problem.__cause__ = problem.__context__ = None
    text = f"{type(problem).__name__}: {problem}"
    shown = "\n".join(map(one_line, text.split("\n")))
    problem._render_traceback_ = lambda: [shown]  # type: ignore[attr-defined]
    return problem.with_traceback(None)
