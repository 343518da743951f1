"""A database that is opened when it is first used, or beforehand beside the prompt."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable

from dpsql.session.database import Database


class Opening:
    """A database to be.

    Attributes:
        which: what it is, for people.
        failure: why it cannot be opened; None as long as nothing went wrong.

    Args:
        make: opens it.
        which: see above.
        lent: whether it is somebody else's to close.
    """

    def __init__(
        self, make: Callable[[], Database], which: str = "", *, lent: bool = False
    ) -> None:
        self.which, self._make, self._lent = which, make, lent
        self.failure: Exception | None = None
        self._found: Database | None = None
        self._thread: threading.Thread | None = None
        self._done = threading.Event()

    def begin(self) -> None:
        """Open it in another thread."""
        self._thread = threading.Thread(target=self._open, name="dpsql-opening", daemon=True)
        self._thread.start()

    @property
    def ready(self) -> Database | None:
        """The database, if it is open by now."""
        return self._found

    def wait(self) -> Database:
        """The database.

        Raises:
            PolicyError, LedgerTampered, EngineError: it cannot be opened; see `connect`.
        """
        if self._thread is not None:
            self.join()
        elif not self._done.is_set():
            self._open()
        if self.failure is not None:
            raise self.failure.with_traceback(None)
        assert self._found is not None
        return self._found

    def join(self) -> None:
        """Wait until the other thread has opened it, or failed."""
        self._done.wait()

    def close(self) -> None:
        """Close it, once it is open: an engine that is just being opened cannot be stopped."""
        try:
            if self._thread is not None:
                self.join()
        except KeyboardInterrupt:
            # Not an ordinary end: the engine would abort the process, with a core dump.
            sys.stdout.flush()
            os._exit(128 + signal.SIGINT)
        if self._found is not None and not self._lent:
            self._found.close()

    def _open(self) -> None:
        try:
            self._found = self._make()
        except Exception as error:
            self.failure = error
        self._done.set()
