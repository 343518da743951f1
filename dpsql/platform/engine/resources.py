"""What the engines of one database may use, and where."""

from __future__ import annotations

import os

from dpsql.core.limits import Limits, parse_size
from dpsql.errors import InvalidArgument
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.oslimits import machine_memory
from dpsql.platform.engine.remote import RemoteEngine
from dpsql.platform.engine.sandbox import Allowance
from dpsql.platform.engine.scratch import ScratchPool
from dpsql.platform.engine.spill import Spill, TempDirectory, shared
from dpsql.platform.engine.worker import WorkerSettings


class Resources:
    """Of one database.

    Args:
        limits: of the policy.
        threads, memory_limit: instead of the policy's ("4GB").
        workers: how many processes are kept; 0 for none.
        temp_directory: where private directories are made; None for the system's (TMPDIR).

    Raises:
        InvalidArgument: a memory limit or a number of workers that is none, or a place in which no
            directory can be made.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        threads: int | None = None,
        memory_limit: str | None = None,
        workers: int = 0,
        temp_directory: str | os.PathLike[str] | None = None,
    ) -> None:
        if not isinstance(workers, int) or isinstance(workers, bool) or workers < 0:
            raise InvalidArgument("workers: expected a number of processes, or 0")
        memory = limits.memory if memory_limit is None else _size(memory_limit)
        self._limits, self._memory, self._workers = limits, memory, workers
        self._temp_directory = None if temp_directory is None else os.path.abspath(temp_directory)
        self._directory: TempDirectory | None = _directory(self._temp_directory)
        self.allowed = Allowance(
            limits.threads if threads is None else threads,
            None if memory is None else f"{memory}B",
            Spill(_directory(self._temp_directory).path, limits.temp_space),
        )

    def scratches(self) -> ScratchPool:
        """Scratch databases of this process."""
        return ScratchPool(self.allowed)

    def remote(self, engine: object) -> RemoteEngine | None:
        """The engine's data in worker processes; None where none are wanted, or none can be."""
        if not self._workers or not isinstance(engine, DuckDBEngine) or engine.recipe is None:
            return None
        settings = WorkerSettings(
            memory=self._memory or machine_memory() // 2,
            threads=self.allowed.threads,
            temp_space=self._limits.temp_space,
            temp_directory=self._temp_directory,
            seconds=self._limits.seconds,
        )
        return RemoteEngine(engine, settings, self._workers)

    def close(self) -> None:
        """Let go of the directory of this process."""
        self._directory = None


def _directory(parent: str | None) -> TempDirectory:
    try:
        return shared(parent)
    except OSError as error:
        reason = error.strerror
    raise InvalidArgument(f"temp_directory: no directory can be made there: {reason}")


def _size(text: object) -> int:
    try:
        return parse_size(text)
    except ValueError as error:
        problem = str(error)
    raise InvalidArgument(f"memory_limit: {problem}")
