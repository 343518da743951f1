"""A worker process, seen from its parent: it is asked, waited for until a deadline, and killed.

It is a new program, not a fork: a fork of a process with threads can hang. It gets the import path
of its parent, a few names of the environment, and two descriptors.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from dpsql.errors import EngineError, LimitExceeded
from dpsql.platform.engine import ownerlog, worker_wire
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.guard import FAILED, MEMORY
from dpsql.platform.engine.oslimits import process_memory
from dpsql.platform.engine.recipe import Recipe
from dpsql.platform.engine.spill import TempDirectory

T = TypeVar("T")

_ROOT = Path(__file__).parents[2]

# The packages' own __init__ would import the whole of dpsql, which takes a second.
_START: Final = """
import sys, types, json
root, channel, lifeline, path, settings = sys.argv[1:]
sys.path[:] = json.loads(path)
for name in (
    "dpsql", "dpsql.core", "dpsql.platform", "dpsql.platform.engine", "dpsql.platform.policy"
):
    module = types.ModuleType(name)
    module.__path__ = [root + name.removeprefix("dpsql").replace(".", "/")]
    sys.modules[name] = module
from dpsql.platform.engine.worker_main import main
main(int(channel), int(lifeline), settings)
"""

_KEPT: Final = ("TZ", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PATH")

MAX_ANSWER: Final = 1 << 30
"""The bytes of all messages that answer one request."""


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """What every worker of a database gets.

    Attributes:
        memory: bytes that each of its engines may use.
        threads: of the engine; None for its own choice.
        temp_space: bytes on disk.
        temp_directory: where a directory for them is made; None for the system's.
        seconds: of wall-clock time that a query may take at most; CPU time follows from it.
    """

    memory: int
    threads: int | None
    temp_space: int
    temp_directory: str | None
    seconds: int

    @property
    def cpu_seconds(self) -> int:
        """The CPU time of a query that uses all threads until the deadline."""
        return self.seconds * (self.threads or os.cpu_count() or 1)


class Gone(Exception):  # noqa: N818  (caught here; `late`, or dead)
    """The worker is no more. Holds nothing that it said."""

    def __init__(self, *, late: bool) -> None:
        self.late = late
        super().__init__("late" if late else "dead")


class Worker:
    """A process of its own; for one thread at a time.

    It starts at once and in the background: `ready` waits for it.

    Attributes:
        opening: whether `ready` has not seen the end of that.
        usable: whether it may be asked; not after anything went wrong.
        cpu_seconds: that a query may use.
    """

    def __init__(self, recipe: Recipe, settings: WorkerSettings) -> None:
        self._directory = TempDirectory(settings.temp_directory)
        ours, theirs = socket.socketpair()
        reading, self._lifeline = os.pipe()
        _LIFELINES.add(self._lifeline)
        told = {
            "directory": str(self._directory.path),
            "temp_space": settings.temp_space,
            "memory_limit": f"{settings.memory}B",
            "process_memory": process_memory(settings.memory),
            "threads": settings.threads,
        }
        path = [os.path.abspath(part) for part in sys.path]
        try:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-I", "-S", "-c", _START, str(_ROOT)),
                    *(str(theirs.fileno()), str(reading), json.dumps(path), json.dumps(told)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,  # what an engine prints may show values
                pass_fds=(theirs.fileno(), reading),
                env={name: os.environ[name] for name in _KEPT if name in os.environ},
                start_new_session=True,  # Ctrl-C is for the parent
            )
        except BaseException:
            ours.close()
            _cut(self._lifeline)
            self._directory.close()
            raise
        finally:
            theirs.close()
            os.close(reading)
        self._channel = ours
        self._end = weakref.finalize(
            self, _killed, self._process, ours, self._lifeline, self._directory, os.getpid()
        )
        self.cpu_seconds = settings.cpu_seconds
        self.opening = True
        self.usable = True
        try:
            self._say(["open", recipe.database, recipe.files, recipe.create, recipe.attached], None)
        except Gone:
            self.usable = False

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process runs, as far as is known."""
        return self._end.alive and self._process.poll() is None

    def ready(self, deadline: Deadline | None) -> None:
        """Wait until the data is open.

        Raises:
            Gone: it is not open by then (and goes on opening it), or the process died.
            EngineError: the data cannot be opened.
        """
        if self.opening:
            wait = partial(self._waited, lambda: self._channel.recv(1, socket.MSG_PEEK), deadline)
            self._reached(wait, deadline)
            self.opening = False
            self._heard(None)

    def ask(self, request: Sequence[object], deadline: Deadline | None) -> tuple[Any, list[Any]]:
        """What a request gave: its value, and the column lists of its rows.

        Raises:
            Gone: there was no answer by then, or the process died; it is killed.
            LimitExceeded, EngineError: the worker said so.
            NotSaid: the request cannot be written.
        """
        usable, self.usable = self.usable, False
        if not usable:
            raise Gone(late=False)
        try:
            self._say(request, deadline)
            found = self._heard(deadline)
        except (Gone, KeyboardInterrupt):
            self.kill()
            raise
        self.usable = True
        return found

    def tell(self, request: Sequence[object], deadline: Deadline | None) -> None:
        """Send what has no answer.

        Raises:
            Gone: it was not taken by then; it is killed.
            NotSaid: it cannot be written.
        """
        try:
            self._say(request, deadline)
        except (Gone, KeyboardInterrupt):
            self.usable = False
            self.kill()
            raise

    def interrupt(self) -> None:
        """End the process now; whoever waits for it is told. May be called from any thread."""
        self.usable = False
        self._process.kill()

    def kill(self) -> None:
        """End the process now, and remove what it wrote."""
        self.usable = False
        self._end()

    def _say(self, request: Sequence[object], deadline: Deadline | None) -> None:
        body = worker_wire.framed(b"Q", worker_wire.text(request))
        self._reached(lambda: self._channel.sendall(body), deadline)

    def _heard(self, deadline: Deadline | None) -> tuple[Any, list[Any]]:
        parts: list[Any] = []
        left = MAX_ANSWER
        while True:
            kind, said, broken = b"", None, False
            try:
                size, kind = worker_wire.header(self._exactly(worker_wire.HEADER.size, deadline))
                left -= size
                broken = left < 0
                said = None if broken else worker_wire.parsed(self._exactly(size, deadline))
            except worker_wire.NotSaid:
                broken = True
            if broken or kind not in (b"R", b"D", b"E"):
                raise Gone(late=False)
            if kind == b"R":
                parts.append(said)
            elif kind == b"D":
                return said, parts
            else:
                raise _error(said)

    def _exactly(self, size: int, deadline: Deadline | None) -> bytearray:
        def receive(view: memoryview) -> int:
            return self._waited(lambda: self._channel.recv_into(view), deadline)

        return self._reached(lambda: worker_wire.exactly(receive, size), deadline)

    def _waited(self, receive: Callable[[], T], deadline: Deadline | None) -> T:
        """What comes next from the socket.

        Raises:
            TimeoutError: nothing did by then.
            KeyboardInterrupt: another thread stopped it.
        """
        while True:
            self._channel.settimeout(min(_timeout(deadline) or _LOOK, _LOOK))
            try:
                return receive()
            except TimeoutError:
                if deadline is not None and deadline.passed:
                    raise
            if deadline is not None and deadline.stopped:
                raise KeyboardInterrupt

    def _reached(self, work: Callable[[], T], deadline: Deadline | None) -> T:
        """The result of `work`, which uses the socket, or Gone; without what happened."""
        late = False
        try:
            self._channel.settimeout(_timeout(deadline))
            return work()
        except TimeoutError:
            late = True
        except (OSError, EOFError):
            pass
        raise Gone(late=late)


_LOOK = 0.05
"""After so many seconds it is seen that another thread stopped a query, and that Ctrl-C came in the
moment before it waited, which does not end a system call that has not begun.
"""


def _timeout(deadline: Deadline | None) -> float | None:
    return None if deadline is None else max(deadline.left, 1e-6)


def _error(said: object) -> Exception:
    """The error that a worker reports; what it says is for the owner, but for known words."""
    kind = said[0] if isinstance(said, list) and len(said) == 2 else None
    notes = said[1] if isinstance(said, list) and len(said) == 2 else []
    for note in notes if isinstance(notes, list) else []:
        ownerlog.note(f"worker: {str(note)[:2_000]}")
    if kind == "memory":
        return LimitExceeded(MEMORY, "memory")
    if kind == "public_rows":
        return LimitExceeded("", "public_rows")
    return EngineError(FAILED)


def _killed(
    process: subprocess.Popen[bytes],
    channel: socket.socket,
    lifeline: int,
    directory: TempDirectory,
    maker: int,
) -> None:
    if os.getpid() != maker:
        return  # a forked process shares the descriptors, and has no part in the worker
    process.kill()
    process.wait()
    channel.close()
    _cut(lifeline)
    directory.close()


def _cut(lifeline: int) -> None:
    _LIFELINES.discard(lifeline)
    os.close(lifeline)


_LIFELINES: set[int] = set()
"""Pipes that nobody writes to: a worker ends when the last descriptor of its own is closed."""


def _forked() -> None:
    """Or the workers would live on for as long as any child of their parent does."""
    while _LIFELINES:
        os.close(_LIFELINES.pop())


if hasattr(os, "register_at_fork"):  # Windows does not fork
    os.register_at_fork(after_in_child=_forked)
