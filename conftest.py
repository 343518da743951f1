"""No test writes into a home folder: what a ledger's witness remembers is kept in a folder of this
run, which is deleted after it; each test has one of its own there, since copies of data are known
by their content."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pytest

import dpsql
from dpsql import demo
from dpsql.platform.engine.sandbox import no_bar
from dpsql.proven import proven
from dpsql.session import connect as connecting
from tests.support import on_spark, servers
from tests.support.effort import DAY, FULL, OTHERS, left_out
from tests.support.on_a_server import do

STATE = pytest.StashKey[str]()
HELD = pytest.StashKey[str]()
PART = pytest.StashKey[bool]()
MEMORY = Path("/dev/shm")
ENOUGH = 4 * 2**30
"""Bytes: several times what a run leaves there until it ends."""
made_anew = demo.connection


def pytest_configure(config: pytest.Config) -> None:
    """Before any test: a folder of this run, and terminals in which gRPC says nothing: a process
    that it is in writes of its threads into whatever is forked.
    """
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    if "TMPDIR" not in os.environ and in_memory():  # not in the processes of this run
        config.stash[HELD] = tempfile.tempdir = tempfile.mkdtemp(prefix="dpsql-tests-", dir=MEMORY)
        os.environ["TMPDIR"] = tempfile.tempdir
        os.chmod(tempfile.tempdir, 0o711)  # a PostgreSQL server runs as another user
    config.stash[STATE] = tempfile.mkdtemp(prefix="dpsql-state-")
    os.environ["DPSQL_STATE"] = config.stash[STATE]
    here = config.args_source is pytest.Config.ArgsSource.TESTPATHS  # a run of all that there is
    worker = getattr(config, "workerinput", {"part": here and not FULL})
    config.stash[PART] = worker["part"]
    if FULL and not hasattr(config, "workerinput"):
        config.pluginmanager.register(AtOnce(config))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """What a process of this run is told: it does not see how the run was called."""
    node.workerinput["part"] = node.config.stash[PART]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A run of everything has some of the examples; whoever names a file has all of them."""
    if not config.stash[PART]:
        return
    left = set(left_out(items))
    kept, others = [i for i in items if i not in left], [i for i in items if i in left]
    items[:], others = (others, kept) if OTHERS else (kept, others)
    config.hook.pytest_deselected(items=others)


class AtOnce:
    """What fails is shown when it does: a deep suite ends an hour later."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """It is shown again at the end. The same day draws the same examples."""
        if report.failed:
            told = f"\nDPSQL_DAY={DAY} {report.nodeid}\n{report.longreprtext}"
            self._config.get_terminal_writer().line(told)


def in_memory() -> bool:
    """Whether files may be kept in memory: a ledger waits for the disk with each line, which no
    test is about. Who kills a process, or cuts a file short, finds the same there.
    """
    if not (MEMORY.is_dir() and os.access(MEMORY, os.W_OK)):
        return False
    found = os.statvfs(MEMORY)
    return not found.f_flag & os.ST_NOEXEC and found.f_bavail * found.f_frsize >= ENOUGH


def unkept(method: Callable[..., None]) -> Callable[..., None]:
    """A method of `MonkeyPatch`, after which no proof is kept of the code as it was."""

    def changed(patched: pytest.MonkeyPatch, *args: object, **options: object) -> None:
        # Every test changes the environment, of which nothing is proven.
        given = [place for place, *_ in patched._setitem] if method is undo else [*args[:1]]
        changes = bool(patched._setattr) or any(place is not os.environ for place in given)
        method(patched, *args, **options)
        if changes:
            proven.cache_clear()

    return changed


undo = pytest.MonkeyPatch.undo
for change in ("setattr", "delattr", "setitem", "delitem", "undo"):
    setattr(pytest.MonkeyPatch, change, unkept(getattr(pytest.MonkeyPatch, change)))


@pytest.fixture(autouse=True)
def own_state(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies of one file in several tests are none of one another's."""
    folder = tempfile.mkdtemp(dir=request.config.stash[STATE])
    monkeypatch.setenv("DPSQL_STATE", folder)


@lru_cache(maxsize=1)
def shop(folder: str) -> Path:
    """The demo's database, made once: what is saved in tests is a copy."""
    path = Path(folder) / "shop.duckdb"
    made_anew(path).close()
    return path


@lru_cache(maxsize=1)
def kept() -> duckdb.DuckDBPyConnection:
    """The demo's database in memory, where nobody is its owner: a `Database` only reads it."""
    return made_anew()


@pytest.fixture(autouse=True, scope="session")
def made_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """Half a second whenever a test opens or saves the demo."""
    folder = request.config.stash[STATE]

    def connection(path: str | Path = ":memory:") -> duckdb.DuckDBPyConnection:
        if str(path) == ":memory:":
            path = Path(tempfile.mkdtemp(dir=folder), "memory.duckdb")
        shutil.copyfile(shop(folder), path)
        made = duckdb.connect(str(path))
        no_bar(made)
        made.execute(f"COMMENT ON TABLE regions IS '{next(number)}'")  # or it is the same data
        return made

    def database() -> dpsql.Database:
        with patch.object(connecting, "instance", lambda _: f"demo {next(number)}"):
            return dpsql.connect(kept(), demo.policy(), version="demo")

    number = count()
    with patch.multiple(demo, connection=connection, database=database):
        yield


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a running PostgreSQL server, with a place for the name of a database."""
    if servers.REASON:
        pytest.skip(servers.REASON)
    with servers.postgres() as url:
        yield url


@pytest.fixture
def url(server: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """A database of its own for each test."""
    name = f"test_{abs(hash(request.node.nodeid)) % 10**9}"
    do(server.format("postgres"), f"CREATE DATABASE {name}")
    yield server.format(name)
    do(server.format("postgres"), f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def sail() -> Iterator[str]:
    """The URL of a server that speaks Spark Connect."""
    with on_spark.sail() as address:
        yield address


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was imported and collected stays: it need not be looked through for garbage again; and
    what a test makes is looked through less often.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5000, 20, 20)


def pytest_unconfigure(config: pytest.Config) -> None:
    """After all tests: it goes, and what was frozen is freed as ever."""
    gc.unfreeze()
    shutil.rmtree(config.stash[STATE], ignore_errors=True)
    if (held := config.stash.get(HELD, None)) is not None:
        shutil.rmtree(held, ignore_errors=True)
