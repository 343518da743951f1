"""Driver errors to dpsql's own, without their text, which may show values of private rows."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import duckdb

from dpsql.errors import DpsqlError, EngineError, LimitExceeded, PolicyError
from dpsql.platform.engine import ownerlog

T = TypeVar("T")

FAILED = "the engine could not run the query; the owner's log has the details"
INTERRUPTED = "the query was interrupted"
MEMORY = (
    "the query needs more memory, or more space on disk, than limits.memory and limits.temp_space "
    "allow; join on keys, filter before joining, and ask for fewer or shorter rows"
)


def guarded(
    work: Callable[[], T],
    what: str = "query",
    interrupt: Callable[[], object] | None = None,
    *,
    public: bool = False,
) -> T:
    """The result of `work`, or an opaque error with neither cause nor context.

    Args:
        work: calls the driver.
        what: what it is, for the owner's log.
        interrupt: stops it from another thread; give it wherever `work` may take long.
        public: whether it reads nothing private, so that the error may say that memory ran out.

    Raises:
        LimitExceeded: memory ran out, of what is public.
        EngineError: `work` failed, or was interrupted.
        KeyboardInterrupt: Ctrl-C stopped it.
    """
    if interrupt is None or threading.current_thread() is not threading.main_thread():
        outcome, value = _attempt(work, what)
    else:
        outcome, value = _attended(work, what, interrupt)
    if value is not None:
        return value[0]
    # Raised here, outside of any except block: `from None` would still leave a __context__.
    if outcome == "ctrl-c":
        raise KeyboardInterrupt
    if outcome == "memory" and public:
        raise LimitExceeded(MEMORY, "memory")
    raise EngineError(INTERRUPTED if outcome == "interrupted" else FAILED)


def refused(work: Callable[[], T], message: str, file: str | None = None) -> T:
    """The result of `work`, which opens something; a failure becomes a PolicyError `message`."""
    outcome, value = _attempt(work, message)
    if value is not None:
        return value[0]
    if outcome == "ctrl-c":
        raise KeyboardInterrupt
    raise PolicyError(message, file=file)


def is_ctrl_c(error: BaseException) -> bool:
    """Whether an error is what DuckDB's own signal check raises instead of KeyboardInterrupt."""
    return isinstance(error, RuntimeError) and str(error) == "Query interrupted"


def quietly(work: Callable[[], object], what: str) -> None:
    """Do `work`, which cleans up; a failure is only logged."""
    _attempt(work, what)


_Outcome = Literal["done", "failed", "memory", "interrupted", "ctrl-c"]


def _attended(
    work: Callable[[], T], what: str, interrupt: Callable[[], object]
) -> tuple[_Outcome, tuple[T] | None]:
    """`_attempt` in another thread, so that this one, the main thread, notices Ctrl-C.

    DuckDB looks for signals only between its own tasks, which may be never. Whoever ends the
    process by another signal (SystemExit) waits for the thread, too: it may be writing private
    rows, and would be torn from the middle of DuckDB's work when the process ends.
    """
    results: list[tuple[_Outcome, tuple[T] | None]] = []
    errors: list[DpsqlError] = []
    turn: dict[str, str] = {}  # who was first: the thread, or Ctrl-C, and the thread never works
    done = threading.Event()

    def run() -> None:
        if turn.setdefault("first", "thread") != "thread":
            return
        try:
            results.append(_attempt(work, what))
        except DpsqlError as error:
            errors.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=run, name="dpsql-query", daemon=True)
    pressed = started = False
    left: tuple[Any, ...] = ()  # the exit code of the process
    while not done.is_set():
        try:
            if pressed and turn.setdefault("first", "Ctrl-C") == "Ctrl-C":
                break
            if not started:
                started = True
                thread.start()
            # Not join(): after a Ctrl-C in it, Python 3.11 takes a running thread for finished.
            if not done.wait(0.05 if pressed else None):
                # Repeated, since an interrupt that comes before the query has begun is lost.
                interrupt()
        except KeyboardInterrupt:
            pressed = True
        except SystemExit as ended:
            pressed, left = True, (ended.code,)
    if done.is_set():  # else it never works
        thread.join()
    if left:
        raise SystemExit(*left)
    if pressed:
        return "ctrl-c", None
    for error in errors:
        raise error.with_traceback(None)
    return results[0]


def _attempt(work: Callable[[], T], what: str) -> tuple[_Outcome, tuple[T] | None]:
    try:
        return "done", (work(),)
    except DpsqlError as error:
        # Not its frames: their variables are what the engine gave, and tracebacks may show them.
        error.__context__ = None
        raise error.with_traceback(None) from None
    except KeyboardInterrupt:
        return "ctrl-c", None
    except duckdb.InterruptException as error:
        ownerlog.record(what, error)
        return "interrupted", None
    except RuntimeError as error:
        ownerlog.record(what, error)
        return ("ctrl-c" if is_ctrl_c(error) else "failed"), None
    except (duckdb.OutOfMemoryException, MemoryError) as error:
        ownerlog.record(what, error)
        return "memory", None
    except Exception as error:
        ownerlog.record(what, error)
        return "failed", None
