"""PEP 249, sentence by sentence, for a database that only reads; in the order of the PEP."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
import threading
import time
from decimal import Decimal
from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql import dbapi
from tests.dbapi.conftest import DATA, POLICY

CITIES = "SELECT city, people FROM cities ORDER BY city"
ROWS = [("O'Hare", Decimal(1)), ("Rome", Decimal("2.5")), ("Ulm", Decimal(3))]


# --- module interface ---


def test_the_module_says_what_it_is() -> None:
    assert (dbapi.apilevel, dbapi.threadsafety, dbapi.paramstyle) == ("2.0", 2, "qmark")


def test_the_exceptions_inherit_as_they_should() -> None:
    assert dbapi.Warning.__bases__ == dbapi.Error.__bases__ == (Exception,)
    assert dbapi.InterfaceError.__bases__ == dbapi.DatabaseError.__bases__ == (dbapi.Error,)
    below = ["Data", "Operational", "Integrity", "Internal", "Programming", "NotSupported"]
    for name in below:
        assert getattr(dbapi, f"{name}Error").__bases__ == (dbapi.DatabaseError,)


def test_a_connection_has_the_exceptions_too(connection: dbapi.Connection) -> None:
    names = [n for n in dbapi.__all__ if n == "Warning" or n.endswith("Error")]
    assert len(names) == 10
    for name in names:
        assert getattr(connection, name) is getattr(dbapi, name)


# --- connections ---


def test_a_connection_opens_its_data_and_closes_it(tmp_path: os.PathLike[str]) -> None:
    file = os.path.join(tmp_path, "people.duckdb")
    with duckdb.connect(file) as owner:
        owner.execute(DATA)
    made = dbapi.connect(file, POLICY, eps=1, analyst="ada")
    made.execute("SELECT COUNT(*) FROM people")
    assert [line.analyst for line in made.database.budget.history] == ["ada"]
    with pytest.raises(duckdb.ConnectionException):  # it is open, to read
        duckdb.connect(file)
    made.close()
    duckdb.connect(file).close()


def test_a_database_stays_open(database: dpsql.Database) -> None:
    with dbapi.connect(database, eps=1) as made:
        assert made.database is database
    assert database.run(CITIES, 1).rows == tuple(ROWS)


def test_without_data_it_is_the_default(
    database: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpsql.default._current", database)
    assert dbapi.connect(eps=1).database is database


def test_commit_does_nothing(connection: dbapi.Connection) -> None:
    assert connection.commit() is None  # type: ignore[func-returns-value]


def test_rollback_is_refused_since_charges_stay(connection: dbapi.Connection) -> None:
    with pytest.raises(dbapi.NotSupportedError, match="what was charged stays charged"):
        connection.rollback()


def test_a_closed_connection_is_of_no_use(database: dpsql.Database) -> None:
    made = dbapi.connect(database, eps=1)
    cursor = made.execute(CITIES)
    made.close()
    made.close()
    for use in (made.cursor, made.commit, lambda: made.execute(CITIES), cursor.fetchall):
        with pytest.raises(dbapi.InterfaceError, match="the connection is closed"):
            use()
    with pytest.raises(dbapi.Error):
        made.rollback()


def test_with_closes_a_connection(database: dpsql.Database) -> None:
    with dbapi.connect(database, eps=1) as made:
        cursor = made.cursor()
    with pytest.raises(dbapi.InterfaceError, match="the connection is closed"):
        cursor.execute(CITIES)


def test_the_price_of_a_query_can_be_set(database: dpsql.Database) -> None:
    with dbapi.connect(database, eps=0.1, delta=Decimal("1e-7")) as made:
        assert (made.eps, made.delta) == (Fraction(1, 10), Fraction(1, 10**7))
        query = "SELECT SUM(size) FROM people WHERE ok"
        costs = [made.execute(query).answer]
        made.eps, made.delta = Decimal("0.3"), None
        costs.append(made.execute(query).answer)
        assert [a and a.cost.exact.eps for a in costs] == [Fraction(1, 10), Fraction(3, 10)]
        for wrong in (0, -1, float("nan"), "1", None, True):
            with pytest.raises(dbapi.OperationalError, match=r"^ε "):
                made.eps = wrong
        with pytest.raises(dbapi.OperationalError, match=r"^δ "):
            made.delta = 2
        assert (made.eps, made.delta) == (Fraction(3, 10), None)


def test_wishes_hold_for_each_query(database: dpsql.Database) -> None:
    with dbapi.connect(database, eps=1, delta=1e-6, noise="gaussian", dialect="bigquery") as made:
        answer = made.execute("SELECT COUNT(*) FROM people WHERE `city` = 'Rome'").answer
        assert answer is not None
        assert [r.mechanism for r in answer.explanation.releases] == ["gaussian"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"data": "people.duckdb"}, "the data needs its policy"),
        ({"policy": POLICY}, "belong to data to be opened"),
        ({"analyst": "ada"}, "belong to data to be opened"),
        ({"data": "x", "policy": POLICY, "analyst": 7}, "an analyst and a version are texts"),
        ({"noise": "loud"}, "noise must be one of auto, laplace, gaussian, not 'loud'"),
        ({"weights": {"n": 0}}, "the weight of n must be"),
        ({"volume": 11}, "unexpected keyword argument 'volume'"),
    ],
)
def test_arguments_that_do_not_go_together(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(dbapi.InterfaceError, match=message):
        dbapi.connect(eps=1, **arguments)  # type: ignore[arg-type]


def test_eps_must_be_said() -> None:
    with pytest.raises(TypeError, match="eps"):
        dbapi.connect()  # type: ignore[call-arg]


def test_data_that_cannot_be_opened(tmp_path: os.PathLike[str]) -> None:
    with pytest.raises(dbapi.OperationalError, match="there is no such file or folder"):
        dbapi.connect(os.path.join(tmp_path, "none.duckdb"), POLICY, eps=1)


# --- cursors ---


def test_description(connection: dbapi.Connection) -> None:
    cursor = connection.cursor()
    assert cursor.description is None
    cursor.execute("SELECT city, people AS n, people > 2 AS big, DATE '2020-01-01' FROM cities")
    described = cursor.description
    assert described is not None
    assert [column[0] for column in described[:3]] == ["city", "n", "big"]
    assert [column[1] for column in described] == [
        *(dbapi.STRING, dbapi.NUMBER, dbapi.NUMBER, dbapi.DATETIME)
    ]
    assert described[1][2:] == (None, None, 9, 2, None)
    assert {len(column) for column in described} == {7}
    with pytest.raises(dbapi.ProgrammingError):
        cursor.execute("SELECT id FROM people")
    assert cursor.description is None


def test_rowcount_and_rownumber(connection: dbapi.Connection) -> None:
    cursor = connection.cursor()
    assert (cursor.rowcount, cursor.rownumber, cursor.lastrowid) == (-1, None, None)
    cursor.execute(CITIES)
    assert (cursor.rowcount, cursor.rownumber) == (3, 0)
    cursor.fetchmany(2)
    assert (cursor.rowcount, cursor.rownumber) == (3, 2)
    cursor.execute(CITIES + " LIMIT 0")
    assert (cursor.rowcount, cursor.rownumber) == (0, 0)
    assert cursor.fetchall() == []


def test_execute_answers_with_noise_and_is_charged(connection: dbapi.Connection) -> None:
    before = connection.database.budget.spent.exact.eps
    connection.eps = Decimal("0.25")
    cursor = connection.cursor()
    assert cursor.execute("SELECT city, COUNT(*) AS n FROM people GROUP BY city") is cursor
    assert cursor.answer is not None
    assert cursor.fetchall() == list(cursor.answer.rows)
    assert all(width > 1 for _, width in cursor.answer.intervals)
    assert connection.database.budget.spent.exact.eps - before == Fraction(1, 4)
    again = connection.execute("SELECT city, COUNT(*) AS n FROM people GROUP BY city")
    assert again.answer is not None and again.answer.reused is not None
    assert connection.database.budget.spent.exact.eps - before == Fraction(1, 4)


def test_executemany_is_refused(connection: dbapi.Connection) -> None:
    spent = connection.database.budget.spent
    with pytest.raises(dbapi.NotSupportedError, match="each query is charged"):
        connection.cursor().executemany("SELECT COUNT(*) FROM people WHERE city = ?", [("Ulm",)])
    assert connection.database.budget.spent == spent


def test_fetchone(connection: dbapi.Connection) -> None:
    cursor = connection.execute(CITIES)
    assert [cursor.fetchone() for _ in range(5)] == [*ROWS, None, None]


def test_fetchmany(connection: dbapi.Connection) -> None:
    cursor = connection.execute(CITIES)
    assert cursor.arraysize == 1
    assert cursor.fetchmany() == ROWS[:1]
    cursor.arraysize = 5
    assert cursor.fetchmany() == ROWS[1:]
    assert cursor.fetchmany(7) == []
    cursor.execute(CITIES)
    assert (cursor.fetchmany(size=0), cursor.fetchmany(size=2)) == ([], ROWS[:2])
    with pytest.raises(dbapi.InterfaceError, match="a size is 0 or more"):
        cursor.fetchmany(-1)


def test_fetchall(connection: dbapi.Connection) -> None:
    cursor = connection.execute(CITIES)
    cursor.fetchone()
    assert (cursor.fetchall(), cursor.fetchall()) == (ROWS[1:], [])


def test_a_cursor_iterates(connection: dbapi.Connection) -> None:
    cursor = connection.execute(CITIES)
    assert iter(cursor) is cursor
    assert (next(cursor), list(cursor)) == (ROWS[0], ROWS[1:])


@pytest.mark.parametrize("failed", [False, True])
def test_nothing_to_fetch(connection: dbapi.Connection, failed: bool) -> None:
    cursor = connection.cursor()
    if failed:
        cursor.execute(CITIES)
        with pytest.raises(dbapi.Error):
            cursor.execute("SELECT")
    for fetch in (cursor.fetchone, cursor.fetchmany, cursor.fetchall, lambda: next(cursor)):
        with pytest.raises(dbapi.InterfaceError, match="nothing to fetch"):
            fetch()


def test_null_is_none(connection: dbapi.Connection) -> None:
    assert connection.execute("SELECT note FROM cities ORDER BY city").fetchall() == [
        *(("plane",), (None,), (None,))
    ]


def test_sizes_are_taken_and_not_used(connection: dbapi.Connection) -> None:
    cursor = connection.cursor()
    cursor.setinputsizes((25,))
    cursor.setoutputsize(1000)
    cursor.setoutputsize(1000, 0)
    assert cursor.execute(CITIES).fetchall() == ROWS


def test_a_closed_cursor_is_of_no_use(connection: dbapi.Connection) -> None:
    with connection.execute(CITIES) as cursor:
        assert cursor.connection is connection
    cursor.close()
    assert cursor.description is None
    for use in (cursor.fetchall, lambda: cursor.execute(CITIES), lambda: next(cursor)):
        with pytest.raises(dbapi.InterfaceError, match="the cursor is closed"):
            use()


def test_cursors_do_not_disturb_each_other(connection: dbapi.Connection) -> None:
    first, second = connection.execute(CITIES), connection.execute(CITIES + " DESC")
    found = [first.fetchone(), second.fetchone(), first.fetchone()]
    assert found == [ROWS[0], ROWS[2], ROWS[1]]


# --- type objects and constructors ---


@pytest.mark.parametrize(
    ("sql_type", "name"),
    [
        *(("VARCHAR", "STRING"), ("ENUM('a', 'b')", "STRING"), ("UUID", "STRING")),
        *(("BIGINT", "NUMBER"), ("UTINYINT", "NUMBER"), ("DECIMAL(18,3)", "NUMBER")),
        *(("DOUBLE", "NUMBER"), ("BOOLEAN", "NUMBER"), ("HUGEINT", "NUMBER")),
        *(("DATE", "DATETIME"), ("TIMESTAMP", "DATETIME"), ("INTERVAL", "DATETIME")),
        *(("TIMESTAMP WITH TIME ZONE", "DATETIME"), ("TIME", "DATETIME"), ("BLOB", "BINARY")),
        *(("DOUBLE[]", "NESTED"), ("MAP(DATE, UBIGINT)", "NESTED")),
        ("STRUCT(a INTEGER)", "NESTED"),
    ],
)
def test_each_type_is_equal_to_one_type_object(sql_type: str, name: str) -> None:
    code = dbapi.typecodes.column("x", sql_type)[1]
    objects = ["STRING", "BINARY", "NUMBER", "DATETIME", "ROWID", "NESTED"]
    assert [n for n in objects if code == getattr(dbapi, n)] == [name]
    assert [n for n in objects if getattr(dbapi, n) != code] == [n for n in objects if n != name]


def test_type_objects_are_themselves() -> None:
    assert dbapi.STRING == dbapi.STRING != dbapi.NUMBER
    assert {dbapi.STRING: 1, dbapi.NUMBER: 2}[dbapi.NUMBER] == 2
    assert dbapi.STRING != 7
    assert repr(dbapi.DATETIME) == "DATETIME"


def test_constructors(monkeypatch: pytest.MonkeyPatch) -> None:
    assert dbapi.Date(2002, 12, 25) == datetime.date(2002, 12, 25)
    assert dbapi.Time(13, 45, 30) == datetime.time(13, 45, 30)
    assert dbapi.Timestamp(2002, 12, 25, 13, 45, 30) == datetime.datetime(2002, 12, 25, 13, 45, 30)
    assert dbapi.Binary(b"bytes") == b"bytes"
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    assert dbapi.DateFromTicks(86_400.0) == datetime.date(1970, 1, 2)
    assert dbapi.TimeFromTicks(61.0) == datetime.time(0, 1, 1)
    assert dbapi.TimestampFromTicks(86_461.0) == datetime.datetime(1970, 1, 2, 0, 1, 1)
    monkeypatch.undo()
    time.tzset()


# --- threads, and what is imported ---


def test_threads_share_a_connection(connection: dbapi.Connection) -> None:
    before = connection.database.budget.spent.exact.eps
    connection.eps = 1
    gate, found = threading.Barrier(4), list[object]()

    def work(number: int) -> None:
        gate.wait()
        query = f"SELECT COUNT(*) FROM people WHERE size > {number}"
        found.append(connection.execute(query).fetchone())

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert connection.database.budget.spent.exact.eps - before == 4


def test_it_brings_no_library_of_its_own() -> None:
    script = (
        "import sys, dpsql; before = set(sys.modules); import dpsql.dbapi; "
        "print(sorted(m for m in set(sys.modules) - before if not m.startswith('dpsql')), "
        "'sqlalchemy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[] False\n"
