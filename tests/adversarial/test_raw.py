"""What once came out as a bare exception of Python, of the engine or of the parser: now a typed
error, or an answer.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

import dpsql
from dpsql import dbapi
from dpsql.platform.ledger.opening import open_ledger
from dpsql.platform.ledger.witness import Witness
from dpsql.session.database import Database
from tests.adversarial.raw_world import (
    POLICY,
    TABLE,
    TYPED,
)
from tests.adversarial.world import database


@pytest.fixture(scope="module")
def tpch() -> Database:
    return database()


FAR = "DP305"


NEVER = {
    "SELECT SUM(CASE WHEN id = 7 THEN 1e308 ELSE 1e308 END) FROM people": FAR,
    "SELECT SUM(nullif(1e308, id)) FROM people": FAR,
    "SELECT AVG(nullif(1e308, id)) FROM people": FAR,
    "SELECT SUM(huge) FROM people": FAR,
    "SELECT MODE(NULL) FROM people": "DP205",
    "SELECT MODE(age // 0) FROM people": "DP205",
    "SELECT MODE(quantity * 99999999999999999999999999999999999999) FROM people": "DP303",
}


@pytest.mark.parametrize("sql", NEVER)
def test_what_has_no_answer_is_rejected(db: Database, sql: str) -> None:
    for ask in (db.explain, db.run):
        with pytest.raises(dpsql.Rejected) as caught:
            ask(sql, 1)
        assert caught.value.code == NEVER[sql]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT MAX(age // 0) AS x FROM people",
        "SELECT MIN(age % 0) AS x FROM people",
        "SELECT MAX(huge) AS x FROM people",
        "SELECT MEDIAN(huge) AS x FROM people",
        "SELECT SUM(huge / 1e190) AS x FROM people",
        "SELECT AVG(huge / 1e190) AS x FROM people",
        "SELECT MODE(quantity * 9999999999999999999) AS x FROM people",
        "SELECT age << 120 AS x, COUNT(*) FROM people GROUP BY age << 120",
        "SELECT age // 0 AS x, COUNT(*) FROM people GROUP BY age // 0",
    ],
)
def test_what_failed_while_it_was_folded_is_answered(db: Database, sql: str) -> None:
    assert len(db.run(sql, 1).rows) >= 1
    assert str(db.explain(sql, 1)) and db.explain(sql, 1).to_json()


def test_the_greatest_number_that_is_added(db: Database) -> None:
    """Just below the limit a sum is answered and its intervals are finite; just above it is not."""
    below = db.run(f"SELECT SUM(CASE WHEN id > 3 THEN {2.0**400!r} ELSE 0 END) AS s FROM people", 1)
    assert 0 < below.interval("s")[0] < float("inf")  # type: ignore[operator]
    with pytest.raises(dpsql.Rejected) as caught:
        db.explain(f"SELECT SUM(CASE WHEN id > 3 THEN {2.0**401!r} ELSE 0 END) FROM people", 1)
    assert caught.value.code == FAR


MALFORMED = [
    "SELECT quantile_disc(, 0.5) FROM orders",
    "SELECT upper(c_mktsegment) AS , count(*) FROM customer GROUP BY 1",
    "SELECT c_mktsegment, , count(*) FROM customer GROUP BY 1",
    "SELECT count(*) AS FROM customer",
    "SELECT count(*) FROM (SELECT c_custkey AS ) c",
    "SELECT count(*) FROM customer WHERE c_nationkey IN (, 1)",
]


@pytest.mark.parametrize(
    "dialect", ["duckdb", "bigquery", "postgres", "redshift", "snowflake", "spark"]
)
@pytest.mark.parametrize("sql", MALFORMED)
def test_what_a_lenient_parser_forgives_is_no_sql(tpch: Database, sql: str, dialect: str) -> None:
    with pytest.raises(dpsql.Rejected) as caught:
        tpch.explain(sql, 1, dialect=dialect)
    assert caught.value.code == "DP101"
    assert caught.value.span is not None


@pytest.mark.parametrize(
    ("sql", "blamed"),
    [
        ("SELECT count(*) FROM customer WHERE c_name = 'é' 'b'", "'"),
        ("SELECT count(*) AS ä AS b FROM customer", None),
        ("SELECT count(*) FROM customer LIMIT", None),
    ],
)
def test_the_engines_own_parser_has_the_last_word(
    tpch: Database, sql: str, blamed: str | None
) -> None:
    """What it cannot read is rejected; places are counted in characters and not in bytes."""
    with pytest.raises(duckdb.ParserException):
        duckdb.extract_statements(sql)
    with pytest.raises(dpsql.Rejected) as caught:
        tpch.explain(sql, 1)
    assert caught.value.code.startswith("DP1")
    span = caught.value.span
    if blamed is not None:
        assert span is not None and sql[span.start : span.end].startswith(blamed)


def test_a_number_that_stops_at_its_e(tpch: Database, capfd: pytest.CaptureFixture[str]) -> None:
    for sql in (
        "SELECT COUNT(*) FROM customer WHERE c_custkey > 1e-INTERVAL '9' YEAR",
        "SELECT COUNT(*) FROM customer WHERE c_custkey > 1e",
        "WITH c AS (CREATE TEMP TABLE customer AS SELECT 1 AS x chr SELECT * FROM c",
    ):
        with pytest.raises(dpsql.Rejected):
            tpch.explain(sql, 1)
    assert capfd.readouterr().err == ""  # nor does the parser say anything of its own
    with suppress(dbapi.Error):
        dbapi.connect(tpch, eps=1).execute("RESET GREATEST(memory_limit, ")


@pytest.mark.parametrize("sql", [None, b"SELECT 1", 3, ["SELECT 1"], object()])
def test_a_query_that_is_no_text(db: Database, sql: Any) -> None:
    asked: tuple[Callable[[Any], object], ...] = (
        db.explain,
        lambda text: db.run(text, 1),
        lambda text: db.calibrate(text, 5),
        lambda text: dpsql.explain(text, 1, policy=TYPED),
        lambda text: db.estimate([text]),
        lambda text: db.run_batch([text], 1),
        lambda text: db.run_batch({"a": text}, 1),
    )
    for ask in asked:
        with pytest.raises(TypeError, match="is a text, not a") as caught:
            ask(sql)
        assert isinstance(caught.value, dpsql.InvalidArgument | ValueError)
    with pytest.raises(dbapi.InterfaceError, match="a query is a text"):
        dbapi.connect(db, eps=1).execute(sql)


@pytest.mark.parametrize(
    "wishes",
    [
        {"noise": "none"},
        {"noise": ["laplace"]},
        {"clipping": 3},
        {"weights": [1]},
        {"weights": {3: 1}},
        {"weights": {"n": -1}},
        {"nose": "laplace"},
    ],
)
def test_wishes_that_are_none(db: Database, wishes: Any) -> None:
    with pytest.raises(dpsql.InvalidArgument):
        db.run("SELECT COUNT(*) AS n FROM people", 1, **wishes)


def test_errors_of_sizes_that_are_none(db: Database) -> None:
    sql = "SELECT COUNT(*) AS n FROM people"
    for error in ("x", None, float("nan"), 10**400, -1, Decimal("sNaN"), 0):
        with pytest.raises(dpsql.InvalidArgument):
            db.calibrate(sql, error)  # type: ignore[arg-type]
    with pytest.raises(dpsql.InvalidArgument):
        db.explain(sql).within(3, 2)


def test_a_call_without_arguments_is_told_as_python_does(db: Database) -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        db.run("SELECT COUNT(*) FROM people")  # type: ignore[call-arg]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("raw") / "people.duckdb"
    with duckdb.connect(str(path)) as owner:
        owner.execute(TABLE)
    return path


NO_PATHS = {"NUL": "a\0b", "long": "x" * 5000, "deep": "x/" * 5000, "half a pair": "a\ud800b"}


@pytest.mark.parametrize("name", NO_PATHS)
def test_paths_that_no_file_can_have(file: Path, name: str) -> None:
    path = NO_PATHS[name]
    for data, policy, ledger in ((path, POLICY, None), (file, path, None), (file, POLICY, path)):
        with pytest.raises(dpsql.PolicyError):
            dpsql.connect(data, policy, ledger=ledger)
    with pytest.raises(dpsql.PolicyError):
        dpsql.explain("SELECT 1", 1, policy=path)


@pytest.mark.parametrize("path", [3, b"people", object()])
def test_what_is_no_path(file: Path, path: Any) -> None:
    for data, policy, ledger in ((path, POLICY, None), (file, path, None), (file, POLICY, path)):
        with pytest.raises(dpsql.InvalidArgument):
            dpsql.connect(data, policy, ledger=ledger)


@pytest.mark.parametrize(
    "host", ["postgresql://\ud800@h/x", "postgresql://h/x\0", "postgresql://["]
)
def test_urls_that_are_none(file: Path, host: str) -> None:
    policy = POLICY.replace("delta: 0.001", "delta: 0.001, account: people")
    with pytest.raises(dpsql.EngineError, match="the ledger"):
        dpsql.connect(file, policy, ledger=host)


def soon(work: Callable[[], object]) -> None:
    """`work` raises a typed error, and waits for nobody."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()
    assert len(raised) == 1 and isinstance(raised[0], dpsql.DpsqlError)


def test_pipes_are_not_waited_for(file: Path, tmp_path: Path) -> None:
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    os.mkfifo(folder / "people.csv")
    soon(lambda: dpsql.connect(file, pipe))
    soon(lambda: dpsql.connect(pipe, POLICY))
    soon(lambda: dpsql.connect(folder, POLICY))
    soon(lambda: dpsql.Policy.load("/dev/zero"))


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 200_000, "\ud800", '{"number": 1e999}'])
def test_a_witness_that_is_none(tmp_path: Path, text: str) -> None:
    data = tmp_path / "people.duckdb"
    with duckdb.connect(str(data)) as owner:
        owner.execute(TABLE)
    state = tmp_path / "state"
    with dpsql.connect(data, POLICY) as opened:
        account = opened._ledger.account
    where, witness = tmp_path / "ledger", state
    open_ledger(where, account, witness=witness)
    records = list((state / "witness").glob("*.json"))
    assert records and Witness(witness)
    for record in records:
        record.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(dpsql.LedgerTampered):
        open_ledger(where, account, witness=witness)


def test_half_of_a_surrogate_pair_in_a_policy() -> None:
    content = {"unit": "a\ud800.b", "budget": {"eps": 1}, "tables": {"\ud800": {"access": "x"}}}
    with pytest.raises(dpsql.PolicyError):
        dpsql.Policy.from_mapping(content)
    with pytest.raises(dpsql.PolicyError, match="surrogate"):
        dpsql.Policy.from_mapping({"unit": "\ud800", "budget": {"eps": 1}, "tables": {}})


LARGE = {
    "unknown keys": "\n".join(f"k{i}: 1" for i in range(90_000)),
    "unknown keys of columns": "tables: {t: {access: private, columns: {"
    + ", ".join(f"k{i}: {{u: 1}}" for i in range(40_000))
    + "}}}",
    "tables": "tables:\n"
    + "".join(
        f" t{i}: {{access: private, key: [i], columns: {{i: {{references: t{i - 1}.i}}}}}}\n"
        for i in range(1, 10_000)
    ),
    "values": f"tables: {{t: {{access: private, columns: {{a: {{values: [{'1,' * 120_000}]}}}}}}}}",
    "brackets": f"a: {'[' * 900_000}",
    "malformed": f"{'a: [1, 2]' * 100_000}",
}


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.one_in(2)
def test_a_policy_as_large_as_may_be_is_refused_soon(name: str) -> None:
    text = f"unit: t.id\nbudget: {{eps: 1}}\n{LARGE[name]}"[:1_000_000]
    start = time.process_time()
    with pytest.raises(dpsql.PolicyError):
        dpsql.Policy.parse(text)
    assert time.process_time() - start < 5  # a second or two on an idle machine
