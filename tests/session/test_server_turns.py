"""Many ask one server, one after the other: nobody stops another's statement, and what failed of
one query is no failure of the next.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpsql.errors import EngineError
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.far import engine as far_engine
from dpsql.platform.engine.far import server_sql, spark_states
from dpsql.platform.engine.far.engine import FarEngine
from dpsql.platform.engine.far.opening import open_server
from dpsql.platform.engine.far.server_sql import MOST
from dpsql.platform.engine.far.spark import Spark
from dpsql.platform.engine.sandbox import USUAL
from tests.support import on_spark

ROWS = 60_000
SUM = "SELECT SUM(a) AS n FROM t"
JOINED = (
    "SELECT COUNT(*) AS n, SUM(t.a) AS s FROM t "
    "JOIN (SELECT unnest($keys::BIGINT[]) AS k) AS r ON r.k = t.a"
)
ALL = "SELECT a, COUNT(*) AS n FROM t GROUP BY a"


def put(file: Path, first: int = 0) -> None:
    """Rows that have been there for long."""
    pq.write_table(pa.table({"a": list(range(first, first + ROWS))}), file)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "t.parquet"
    put(made)
    os.utime(made, (10**9, 10**9))
    return made


def server(sail: str, file: Path) -> Spark:
    """A session of its own, of which the file is a table."""
    return Spark(on_spark.session(sail), {"t": [str(file)]}, own=True)


@pytest.fixture
def engine(sail: str, file: Path) -> Iterator[FarEngine]:
    made = open_server(server(sail, file), {"t": None}, USUAL)
    yield made
    made.close()


def ask(engine: FarEngine, sql: str = SUM, seconds: float = 60) -> list[tuple[object, ...]]:
    with engine.snapshot(Deadline.after(seconds)) as snapshot:
        snapshot.bind(sql)
        return list(snapshot.rows(sql))


def in_thread(work: Callable[[], object]) -> tuple[threading.Thread, list[object]]:
    """What it gives, or the error that it raises."""
    found = list[object]()

    def caught() -> None:
        try:
            found.append(work())
        except Exception as error:
            found.append(error)

    made = threading.Thread(target=caught)
    made.start()
    return made, found


def test_who_waits_for_a_turn_stops_nobody(
    engine: FarEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or an impatient query, which is not charged, would let the charged one of another fail."""
    runs, go, stops = threading.Event(), threading.Event(), list[object]()
    run = Spark.run

    def slow(self: Spark, sql: str) -> object:
        runs.set()
        assert go.wait(60)
        return run(self, sql)

    monkeypatch.setattr(Spark, "run", slow)
    monkeypatch.setattr(Spark, "interrupt", lambda _: stops.append(None))
    patient, found = in_thread(lambda: ask(engine))
    assert runs.wait(60)
    with pytest.raises(EngineError, match="another query has the connection"):
        ask(engine, seconds=0.3)
    assert not stops
    go.set()
    patient.join()
    assert found == [[(ROWS * (ROWS - 1) // 2,)]]


def test_who_has_the_turn_is_stopped_by_its_own_time(
    engine: FarEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = threading.Event()

    def slow(self: Spark, sql: str) -> object:
        assert stopped.wait(60)
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(Spark, "run", slow)
        patch.setattr(Spark, "interrupt", lambda _: stopped.set())
        with pytest.raises(EngineError):
            ask(engine, seconds=0.3)
    assert ask(engine) == [(ROWS * (ROWS - 1) // 2,)]


def test_what_fails_between_two_fetches_is_over_with_its_query(
    engine: FarEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = far_engine.parts

    def broken(found: Any) -> Iterator[Any]:
        yield next(parts(found))
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(far_engine, "parts", broken)
        with pytest.raises(EngineError):
            ask(engine, ALL)
    assert len(ask(engine, ALL)) == ROWS


def test_closing_while_another_thread_reads_closes_the_server_too(
    engine: FarEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts, reads, go, closed = (
        far_engine.parts,
        threading.Event(),
        threading.Event(),
        list[object](),
    )

    def slow(found: Any) -> Iterator[Any]:
        for part in parts(found):
            reads.set()
            assert go.wait(60)
            yield part

    with monkeypatch.context() as patch:
        patch.setattr(far_engine, "parts", slow)
        patch.setattr(Spark, "close", lambda _: closed.append(None))
        reader, _ = in_thread(lambda: ask(engine, ALL))
        assert reads.wait(60)
        engine.close()
        assert closed
        go.set()
        reader.join()


def test_a_file_that_is_written_while_its_state_is_named_has_none(
    sail: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or what was proven of the old rows would be believed of the new ones."""
    made, stands, late = server(sail, file), spark_states.Held.stands, list[None]()

    def rewritten(held: spark_states.Held, session: Any) -> bool:
        if not late:
            late.append(None)
            put(file, first=7)
        return stands(held, session)

    try:
        assert made.hold(["t"]) is not None
        monkeypatch.setattr(spark_states.Held, "stands", rewritten)
        assert made.hold(["t"]) is None
    finally:
        made.close()


def test_the_files_of_many_tables_are_asked_for_in_a_shallow_plan() -> None:
    """Sail dies of one that is as deep as 300."""

    def frame(depth: int, names: frozenset[str]) -> SimpleNamespace:
        return SimpleNamespace(
            depth=depth,
            selectExpr=lambda _: frame(depth, names),
            unionAll=lambda other: frame(
                1 + max(depth, other.depth), names | frozenset(other.inputFiles())
            ),
            inputFiles=lambda: sorted(names) if depth <= 10 else ["too deep"],
        )

    session = SimpleNamespace(table=lambda name: frame(0, frozenset({name})))
    views = [f"v{n}" for n in range(1000)]
    assert spark_states._read_by(cast(Any, session), views) == set(views)


def test_more_released_rows_than_one_list_takes_are_joined(engine: FarEngine) -> None:
    """They are known only after the charge, where nothing may fail for their number."""
    keys = list(range(0, 2 * MOST + 2, 2))
    with engine.snapshot() as snapshot:
        found = list(snapshot.rows(JOINED, {"keys": keys}))
    assert len(keys) > MOST and found == [(len(keys), sum(keys))]


def test_so_many_that_there_would_be_hundreds_of_lists_are_in_longer_ones(
    engine: FarEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sail dies of a plan of some hundred parts, one below the other."""
    said, run = list[str](), Spark.run

    def seen(self: Spark, sql: str) -> object:
        said.append(sql)
        return run(self, sql)

    monkeypatch.setattr(server_sql, "MOST", 1)
    monkeypatch.setattr(Spark, "run", seen)
    keys = list(range(350))
    with engine.snapshot() as snapshot:
        found = list(snapshot.rows(JOINED, {"keys": keys}))
    assert found == [(350, sum(keys))] and said[-1].count("VALUES") == 88  # four in each
