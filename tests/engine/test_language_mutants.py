"""An engine that is wrong in one thing is caught: a language by the values that DuckDB has, a
session by what is refused. Mutants that edit one rule are in `mutants.txt`, each with the check
that kills it, and what that is of.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import duckdb
import pytest

from dpsql.platform.engine.far import spark_texts, spark_words
from dpsql.platform.engine.far.spark import _SETTINGS, Spark, _kind
from dpsql.platform.engine.far.spark_functions import PROBE, replaced
from dpsql.platform.engine.far.spark_language import CALLS
from dpsql.platform.engine.far.spark_states import Held
from tests.support import on_spark, spark
from tests.support.edits import edits
from tests.support.languages import database, different, lend, said

Change = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture(scope="module")
def source(sail: str) -> str:
    """A table of the database, and of the server."""
    spark.use(sail)
    database().execute(
        "CREATE TABLE mutated AS SELECT x, CAST(x AS DECIMAL(20, 0)) AS h, d, t, z FROM (VALUES "
        "(9223372036854775807, 0.000000001, 'a\\b', 0.5), "
        "(9223372036854775807, 1.000000001, 'a$b', 2.5), "
        "(7, 3.000000007, '${x}', -0.5)) AS v(x, d, t, z)"
    )
    database().execute("ALTER TABLE mutated ALTER z TYPE DOUBLE")
    lend("mutated")
    return "mutated"


def _halves_away_from_zero(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(CALLS, "cast", lambda node, args: f"CAST(round({args[0]}) AS BIGINT)")


def _plain_backslash(patch: pytest.MonkeyPatch) -> None:
    quoted: Callable[[str], str] = lambda value: "'" + value.replace("'", "\\'") + "'"  # noqa: E731
    patch.setattr(spark_words, "text", quoted)
    patch.setattr(spark_texts, "text", quoted)


@pytest.mark.parametrize(
    ("sql", "change"),
    [
        ("SELECT CAST(z AS BIGINT) AS r FROM mutated", _halves_away_from_zero),
        (r"SELECT COUNT(*) AS n FROM mutated WHERE t = 'a\b'", _plain_backslash),
    ],
)
def test_it_is_caught(
    sql: str, change: Change, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert different(sql) == ""
    change(monkeypatch)
    assert different(sql) != ""


def values(sail: str, folder: Path, of: str) -> None:
    assert different(of) == ""


def refused(sail: str, folder: Path, of: str) -> None:
    """A session of the owner's with another setting."""
    name, value = of.split()
    session = on_spark.session(sail)
    try:
        assert Spark(session).settled() is None
        session.conf.set(name, value)
        assert name in str(Spark(session).settled())
    finally:
        session.stop()


def unset(sail: str, folder: Path, of: str) -> None:
    """A server whose own setting is another, where the session has set none."""
    name, value = of.split()
    there = {**_SETTINGS, name: value}
    conf = SimpleNamespace(get=lambda key, default=None: default or there[key])
    client = SimpleNamespace(
        get_configs=lambda *keys: tuple(there[key] for key in keys),
        get_config_with_defaults=lambda *pairs: tuple(default for _, default in pairs),
    )
    classic: Any = SimpleNamespace(conf=conf)
    connect: Any = SimpleNamespace(conf=conf, client=client)
    for found in (classic, connect):
        assert name in str(Spark(found, own=True).settled())


def replacing(sail: str, folder: Path, of: str) -> None:
    """A function of the session's own by a name of the language's."""
    session = on_spark.session(sail)
    try:
        session.conf.set("spark.sql.ansi.enabled", "true")
        assert Spark(session).settled() is None
        session.udf.register(of, lambda x: 7, "int")
        assert f"by the name of {of.lower()}" in str(Spark(session).settled())
    finally:
        session.stop()


def unlisted(sail: str, folder: Path, of: str) -> None:
    """The same on a server that lists none of them, as Spark 4.0 does."""
    session = on_spark.session(sail)
    nothing = "SELECT 'none' AS function"
    older = SimpleNamespace(sql=lambda t: session.sql(nothing if t.startswith("SHOW") else t))
    try:
        assert replaced(cast(Any, older), "4.0.1") is None
        session.udf.register(of, lambda x, y: 7, "int")
        assert "by the name of" in str(replaced(session, "4.2.0"))
        if session.sql(f"SELECT {of}(1, 2) AS x").collect()[0][0] != 7:
            assert replaced(cast(Any, older), "4.0.1") is None
            pytest.skip("the server runs its own function, as Spark does from 4.2 on")
        assert "by the name of one of Spark's" in str(replaced(cast(Any, older), "4.0.1"))
    finally:
        session.stop()


def pinned(sail: str, folder: Path, of: str) -> None:
    """A session of ours, of a server that has another setting for all."""
    name, value = of.split()
    session = on_spark.session(sail)
    try:
        session.conf.set(name, value)
        assert Spark(session, own=True).settled() is None
    finally:
        session.stop()


def collated(sail: str, folder: Path, of: str) -> None:
    from pyspark.sql.types import StringType

    assert _kind(StringType()) == "VARCHAR"
    assert _kind(StringType(of)) == "BLOB"


def _held(folder: Path, seconds: float) -> tuple[Spark, str | None, Path]:
    """A file that is so old, read in its state."""
    file = folder / "t.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT 1 AS x) TO '{file}'")
    _age(file, seconds)
    server = Spark(spark.session(), {"t": [str(file)]})
    return server, server.hold(["t"]), file


def _age(file: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(file, (then, then))


def aged(sail: str, folder: Path, of: str) -> None:
    assert _held(folder, 600)[1] is not None
    assert _held(folder, float(of))[1] is None


def moved(sail: str, folder: Path, of: str) -> None:
    server, _, file = _held(folder, 600)
    assert server.held()
    _age(file, 300)
    assert not server.held()


def written(sail: str, folder: Path, of: str) -> None:
    """A table to which rows are written when its state has been named: Sail looks for the files of
    a view when that is made.
    """
    session = spark.session()
    where = tempfile.mkdtemp(dir=folder)
    session.sql("DROP TABLE IF EXISTS held")
    session.sql(f"CREATE TABLE held USING {of} LOCATION '{where}/held' AS SELECT 1 AS x").toArrow()
    try:
        server, of_tables = Spark(session), Held.of

        def late(*given: Any) -> Held | None:
            session.sql("INSERT INTO held VALUES (2)").toArrow()
            return of_tables(*given)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Held, "of", late)
            assert server.hold(["held"]) is not None
        assert (
            server.run(f"SELECT * FROM {server.source('held', [('x', 'INTEGER')])}").num_rows == 1
        )
    finally:
        session.sql("DROP TABLE held")


def bound(sail: str, folder: Path, of: str) -> None:
    """What a server has not is found before a statement is run."""
    server = Spark(spark.session())
    server.bind("SELECT 1 AS x")
    taken = True
    try:
        server.bind(of)
    except Exception:
        taken = False
    assert not taken


MADE = (
    *(values, refused, unset, replacing, unlisted),
    *(pinned, collated, aged, moved, written, bound),
)
CHECKS = {check.__name__: check for check in MADE}
ON_SAIL = ("commit_is_not_said", "snapshot_is_not_said", "not_bound_beforehand")
EDITS = edits(Path(__file__).with_name("mutants.txt"))


@pytest.mark.parametrize(
    ("mutant", "check", "of"), EDITS, ids=[mutant.__name__ for mutant, _, _ in EDITS]
)
@pytest.mark.one_in(3)
def test_a_mutant_is_killed(
    mutant: Change, check: str, of: str, source: str, sail: str, tmp_path: Path
) -> None:
    if os.environ.get("DPSQL_SPARK") and mutant.__name__ in ON_SAIL:
        pytest.skip("Apache Spark has not the format, or looks names up earlier")
    CHECKS[check](sail, tmp_path, of)
    with pytest.MonkeyPatch.context() as patch:
        mutant(patch)
        with pytest.raises(AssertionError):
            CHECKS[check](sail, tmp_path, of)


def test_a_product_that_would_lose_digits_is_refused(source: str) -> None:
    """Spark has 38 digits, and drops those after the point for those before."""
    product = "CAST(d AS DECIMAL(28, 10)) * CAST(d AS DECIMAL(20, 9))"
    assert not said(f"SELECT {product} AS p FROM mutated")
    assert said("SELECT CAST(d AS DECIMAL(18, 9)) * CAST(d AS DECIMAL(12, 5)) AS p FROM mutated")


def test_no_text_has_a_variable_in_it() -> None:
    """Spark puts them in before it reads a statement."""
    assert "${" not in spark_words.text("${env:HOME} and $")
    assert re.findall(r"\\u0024", spark_words.text("${env:HOME} and $")) == ["\\u0024"] * 2


@pytest.mark.parametrize("listed", ["sum", "SUM", "session.sum", "system.session.Sum"])
def test_a_function_of_the_sessions_own_is_seen_wherever_it_is_listed(listed: str) -> None:
    found: Any = SimpleNamespace(sql=lambda _: SimpleNamespace(collect=lambda: [(listed,)]))
    assert "by the name of sum" in str(replaced(found, "4.2.0"))


@pytest.mark.parametrize("version", ["4.1.2", "4.2.0-preview1", "4.2", "3.5.4", "custom"])
def test_of_a_server_that_may_not_list_all_each_function_is_tried(version: str) -> None:
    asked = list[str]()

    def sql(text: str) -> SimpleNamespace:
        asked.append(text)
        return SimpleNamespace(collect=list, schema=[])

    found: Any = SimpleNamespace(sql=sql)
    assert "one of Spark's" in str(replaced(found, version)) and PROBE in asked
