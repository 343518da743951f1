"""Each error is one of PEP 249, says what dpsql says, and carries nothing else."""

from __future__ import annotations

import pickle
import re
import traceback

import pytest

import dpsql
from dpsql import dbapi
from dpsql.dbapi.exceptions import guarded

SECRET = "Alice 4711"


@pytest.mark.parametrize(
    ("query", "kind", "code"),
    [
        ("SELECT FROM WHERE", dbapi.ProgrammingError, "DP101"),
        ("DROP TABLE people", dbapi.ProgrammingError, "DP102"),
        ("SELECT COUNT(*) FROM nobody", dbapi.ProgrammingError, "DP201"),
        ("SELECT COUNT(nothing) FROM people", dbapi.ProgrammingError, "DP202"),
        ("SELECT id FROM people", dbapi.ProgrammingError, "DP401"),
        ("SELECT COUNT(*) FROM people FOR UPDATE", dbapi.NotSupportedError, "DP104"),
        ("SELECT current_user() FROM people", dbapi.NotSupportedError, "DP204"),
        ("SELECT COUNT(*) FROM read_csv('x.csv')", dbapi.NotSupportedError, "DP206"),
    ],
)
def test_a_query_that_is_not_accepted(
    connection: dbapi.Connection, query: str, kind: type[dbapi.Error], code: str
) -> None:
    spent = connection.database.budget.spent
    with pytest.raises(dpsql.Rejected) as told:
        connection.database.run(query, 1)
    with pytest.raises(dbapi.Error) as caught:
        connection.execute(query)
    assert (type(caught.value), caught.value.code) == (kind, code)
    assert str(caught.value) == str(told.value)
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    assert connection.database.budget.spent == spent


def test_more_than_is_left(database: dpsql.Database) -> None:
    with dbapi.connect(dpsql.connect(*small()), eps=2) as connection:
        with pytest.raises(dbapi.OperationalError, match="asks for ε = 2; ε = 1 is left") as caught:
            connection.execute("SELECT COUNT(*) FROM t")
        assert caught.value.code is None
        connection.eps = 1
        assert connection.execute("SELECT COUNT(*) FROM t").rowcount == 1
        connection.database.close()


def small() -> tuple[object, str]:
    import duckdb

    owner = duckdb.connect()
    owner.execute(
        f"CREATE TABLE t (id INTEGER PRIMARY KEY, s VARCHAR); INSERT INTO t VALUES (1, '{SECRET}')"
    )
    return owner, "unit: t.id\nbudget: {eps: 1}\ntables: {t: {access: private, key: [id]}}"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (dpsql.PolicyError("a key is none"), dbapi.OperationalError),
        (dpsql.EngineError("the engine failed"), dbapi.OperationalError),
        (dpsql.LedgerTampered("a line is missing"), dbapi.OperationalError),
        (dpsql.InvalidBudget("ε must be positive"), dbapi.OperationalError),
        (dpsql.BudgetExceeded("too much"), dbapi.OperationalError),
        (dpsql.UnknownDialect("no dialect 'x'"), dbapi.NotSupportedError),
    ],
)
def test_each_of_dpsqls_errors(error: dpsql.DpsqlError, kind: type[dbapi.Error]) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(dbapi.Error) as caught:
        guarded(fail)
    assert (type(caught.value), str(caught.value)) == (kind, str(error))


def test_what_nobody_expected_shows_nothing(
    connection: dbapi.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        exact = SECRET
        raise ValueError(f"could not convert {exact}")

    monkeypatch.setattr(dpsql.Database, "run", fail)
    with pytest.raises(dbapi.InternalError) as caught:
        connection.execute("SELECT COUNT(*) FROM people")
    error = caught.value
    said = r"dpsql itself failed; what was charged stays charged; the owner's log has report \w{8}"
    assert re.fullmatch(said, str(error))
    assert (error.__cause__, error.__context__) == (None, None)
    shown = traceback.TracebackException.from_exception(error, capture_locals=True)
    ours = [frame for frame in shown.stack if "/dpsql/" in frame.filename]
    assert {frame.name for frame in ours} == {"execute", "_run", "guarded"}
    assert all(SECRET not in str(frame.locals) for frame in ours)


def test_ctrl_c_stays_what_it_is(
    connection: dbapi.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(dpsql.Database, "run", press)
    with pytest.raises(KeyboardInterrupt):
        connection.execute("SELECT COUNT(*) FROM people")


def test_an_error_can_be_sent_to_another_process() -> None:
    sent = pickle.loads(pickle.dumps(dbapi.ProgrammingError("no", "DP402")))
    assert (type(sent), str(sent), sent.code) == (dbapi.ProgrammingError, "no", "DP402")
