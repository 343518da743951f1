"""What public tables say of themselves is looked up for queries not accepted without it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql.audit import check
from dpsql.errors import Diagnostic
from dpsql.execution import ready
from dpsql.platform.engine import public_facts
from dpsql.platform.engine.public_facts import check_facts
from dpsql.proven import proven
from dpsql.session.costs import explain

POLICY = """
unit: people.id
budget: {eps: 1000}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      day: {type: DATE, bounds: [2024-01-01, 2024-01-09], nullable: false}
      place: {type: INTEGER, references: places.id, nullable: false}
  places:
    access: public
    key: [id]
    columns:
      id: {type: INTEGER}
      name: {type: VARCHAR}
      size: {type: BIGINT}
      height: {type: DOUBLE}
      price: {type: "DECIMAL(9,2)"}
  rates:
    access: public
    columns: {day: {type: DATE}, rate: {type: INTEGER}}
"""


@pytest.fixture
def data() -> duckdb.DuckDBPyConnection:
    data = duckdb.connect()
    data.execute(
        "CREATE TABLE people AS SELECT i::INTEGER AS id, DATE '2024-01-01' + (i % 9)::INTEGER"
        " AS day, (i % 3)::INTEGER AS place FROM range(30) AS r(i)"
    )
    data.execute(
        "CREATE TABLE places AS SELECT i::INTEGER AS id, 'place ' || i AS name,"
        " i * 10 AS size, i / 4 AS height, (i + 0.25)::DECIMAL(9, 2) AS price"
        " FROM range(3) AS r(i)"
    )
    data.execute(
        "CREATE TABLE rates AS SELECT DATE '2024-01-01' + (i % 4)::INTEGER AS day,"
        " i::INTEGER AS rate FROM range(10) AS r(i)"
    )
    return data


@pytest.fixture
def db(data: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with dpsql.connect(data, POLICY) as opened:
        yield opened


FANNED = "SELECT COUNT(*) AS n FROM people JOIN rates ON people.day = rates.day"


def test_how_many_rows_share_a_value(db: dpsql.Database) -> None:
    (release,) = db.explain(FANNED, 1).releases
    assert release.l1 == 3  # days 0 and 1 have three rates, 2 and 3 two
    assert check(db, FANNED, units=30, worlds=0, samples=0).holds


COUNTED = "SELECT id, COUNT(*) AS c FROM places GROUP BY id"
WINDOWED = (
    "SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS place_of, SUM(size) OVER (ORDER BY id) AS up_to,"
    " SUM(height) OVER () AS heights FROM places"
)


@pytest.mark.parametrize(
    ("sql", "most"),
    [
        ("SELECT SUM(size) AS n FROM people JOIN places p ON place = p.id", 20),
        ("SELECT SUM(price) AS n FROM people JOIN places p ON place = p.id", Fraction("2.25")),
        ("SELECT SUM(height) AS n FROM people JOIN places p ON place = p.id", Fraction("0.5")),
        ("SELECT SUM(LENGTH(name)) AS n FROM people JOIN places p ON place = p.id", 7),
        (
            "SELECT SUM(s) AS n FROM (SELECT people.id, SUM(size) AS s"
            " FROM people JOIN places p ON place = p.id GROUP BY people.id) AS t",
            20,
        ),
        ("SELECT SUM(CAST(size AS TINYINT)) AS n FROM people JOIN places p ON place = p.id", 20),
        (f"SELECT SUM(c) AS n FROM people JOIN ({COUNTED}) AS p ON place = p.id", 3),
        (f"SELECT SUM(place_of) AS n FROM people JOIN ({WINDOWED}) AS p ON place = p.id", 3),
        (f"SELECT SUM(up_to) AS n FROM people JOIN ({WINDOWED}) AS p ON place = p.id", 60),
        ("SELECT SUM(most) AS n FROM people, (SELECT SUM(size) AS most FROM places) AS p", 60),
    ],
)
@pytest.mark.one_in(2)
def test_where_values_lie(db: dpsql.Database, sql: str, most: Fraction) -> None:
    (release,) = db.explain(sql, 1).releases
    assert release.l1 == most
    assert check(db, sql, units=30, worlds=0, samples=0).holds


@pytest.mark.parametrize("value", ["SUM(c)", "MAX(c)", "MEDIAN(place_of)", "SUM(up_to)"])
def test_aggregates_and_windows_of_public_rows(
    db: dpsql.Database, data: duckdb.DuckDBPyConnection, value: str
) -> None:
    counted, windowed = f"({COUNTED}) AS c ON place = c.id", f"({WINDOWED}) AS w ON place = w.id"
    text = f"SELECT {value} AS v FROM people JOIN {counted} JOIN {windowed}"
    ((found,),) = db.run(text, 500).rows
    assert round(found) == data.execute(text).fetchall()[0][0]


def test_nothing_is_said_of_sums_of_public_floats(db: dpsql.Database) -> None:
    """As the engine adds them they may be beyond what so many of the greatest are."""
    with pytest.raises(dpsql.Rejected, match="DP301"):
        db.explain(f"SELECT SUM(heights) AS n FROM people JOIN ({WINDOWED}) AS p ON place = p.id")


@pytest.mark.parametrize(("of", "most"), [("'day', p.day, r.day", 11), ("'hour', p.day, at", 264)])
def test_moments_are_not_of_all_years(
    db: dpsql.Database, data: duckdb.DuckDBPyConnection, of: str, most: int
) -> None:
    """Those of the years 1 to 9999 are accepted, too: with more noise."""
    made = "SELECT rate, day, day + INTERVAL 12 HOUR AS at FROM rates"
    sql = f"SELECT AVG(DATE_DIFF({of})) AS n FROM people p JOIN ({made}) AS r ON rate = place"
    assert {release.l1 for release in db.explain(sql, 1).releases} == {most}
    assert check(db, sql, units=30, worlds=0, samples=0).holds
    data.execute("INSERT INTO rates VALUES ('infinity', 99)")  # of no calendar
    assert all((release.l1 or 0) > 700_000 for release in db.explain(sql, 1).releases)


LEAST = (
    "SELECT MIN(name) AS low, MAX(UPPER(name)) AS high FROM people JOIN places p ON place = p.id"
)


def test_the_texts_that_there_are(db: dpsql.Database, data: duckdb.DuckDBPyConnection) -> None:
    """All of the table's, whether or not a private row leads to them."""
    data.execute("INSERT INTO places VALUES (3, 'a place', 0, 0, 0), (4, NULL, 0, 0, 0)")
    for release in db.explain(LEAST, 1).releases:
        assert (release.l1, release.reasons[1]) == (1, "4 points")
    assert check(db, LEAST, units=30, worlds=0, samples=0).holds
    assert [*db.run(LEAST, 500)] == [("place 0", "PLACE 2")]


LED = POLICY.replace("bounds: [2024-01-01, 2024-01-09]", "references: days.day").replace(
    "  rates:",
    "  days: {access: public, key: [day], columns: {day: {type: DATE}}}\n"
    "  names: {access: public, key: [word], columns: {word: {type: VARCHAR}}}\n"
    "  called: {access: private, columns: {person: {type: INTEGER, references: people.id,"
    " max_rows: 1}, word: {type: VARCHAR, references: names.word}}}\n  rates:",
)
"""Private columns that lead to days and words that public tables have."""


@pytest.fixture
def led(data: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    data.execute(
        "CREATE TABLE days AS SELECT DATE '2024-01-01' + i::INTEGER AS day FROM range(12) AS r(i);"
        "CREATE TABLE names AS SELECT 'word ' || i AS word FROM range(5) AS r(i);"
        "CREATE TABLE called AS SELECT id AS person, 'word ' || (id % 4) AS word FROM people"
    )
    with dpsql.connect(data, LED) as opened:
        yield opened


@pytest.mark.parametrize(
    ("sql", "most"),
    [
        ("SELECT MIN(place) AS low, MAX(place) AS high FROM people", 1),
        ("SELECT MIN(p.place) AS a FROM people AS p LEFT JOIN places AS q ON p.place = q.id", 1),
        ("SELECT MIN(day) AS low, MAX(day) AS high FROM people", 1),
        ("SELECT MIN(word) AS low, MAX(UPPER(word)) AS high FROM called", 1),
        ("SELECT SUM(place) AS s FROM people", 2),
    ],
)
def test_what_private_columns_lead_to(
    led: dpsql.Database, data: duckdb.DuckDBPyConnection, sql: str, most: int
) -> None:
    assert {release.l1 for release in led.explain(sql, 1).releases} == {most}
    assert check(led, sql, units=30, worlds=0, samples=0).holds
    ((*found,),) = led.run(sql, 900).rows
    assert [round(v) if isinstance(v, float) else v for v in found] == [
        *data.execute(sql).fetchall()[0]
    ]


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("SELECT MAX(place) AS high FROM people", 2),
        ("SELECT MIN(word) AS low FROM called", "word 0"),
    ],
)
def test_that_they_lead_there_is_a_claim(
    led: dpsql.Database, data: duckdb.DuckDBPyConnection, sql: str, value: object
) -> None:
    """Which a row may break."""
    data.execute("UPDATE people SET place = 77 WHERE id % 3 = 1; UPDATE called SET word = 'a'")
    data.execute("UPDATE called SET word = 'word 0' WHERE person % 2 = 0")
    with dpsql.connect(data, LED) as again:
        assert again.run(sql, 900).rows == ((value,),)
        assert check(again, sql, units=30, worlds=0, samples=0).holds


def test_what_they_lead_to_is_asked_again(
    led: dpsql.Database, data: duckdb.DuckDBPyConnection
) -> None:
    facts = led._analysis.ready(led, "SELECT MAX(place) FROM people", 1, None, {})[0].facts
    data.execute("INSERT INTO places SELECT 3, '', 0, 0, 0")
    with led._engine.snapshot() as snapshot, pytest.raises(dpsql.EngineError, match="places chang"):
        check_facts(facts, led._engine, snapshot)


@pytest.mark.parametrize("limit", ["MAX_TEXTS", "MAX_CHARACTERS"])
def test_many_texts_are_not_listed(
    db: dpsql.Database, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    most = {"MAX_TEXTS": 3, "MAX_CHARACTERS": 3 * len("place 0")}[limit]
    monkeypatch.setattr(public_facts, limit, most - 1)
    with pytest.raises(dpsql.Rejected) as caught:
        db.explain(LEAST, 1)
    assert (caught.value.code, caught.value.diagnostics[0].help) == (
        "DP301",
        "declare values for name in the policy, or ask how many there are: COUNT(DISTINCT x)",
    )
    monkeypatch.setattr(public_facts, limit, most)
    assert db.explain(LEAST, 1).releases


@pytest.mark.parametrize("name", ["a place", "place 3"])
def test_the_texts_are_asked_again(
    db: dpsql.Database, data: duckdb.DuckDBPyConnection, name: str
) -> None:
    """One of the same length too, of which no other fact tells."""
    facts = db._analysis.ready(db, LEAST, 1, None, {})[0].facts
    data.execute("UPDATE places SET name = ? WHERE id = 1", [name])
    with (
        db._engine.snapshot() as snapshot,
        pytest.raises(dpsql.EngineError, match="the public table places changed"),
    ):
        check_facts(facts, db._engine, snapshot)


def test_without_data_nobody_knows(db: dpsql.Database) -> None:
    with pytest.raises(dpsql.Rejected) as caught:
        explain(FANNED, 1, POLICY)
    assert caught.value.code == "DP403"


def test_what_public_tables_cannot_help_is_rejected_as_before(db: dpsql.Database) -> None:
    with pytest.raises(dpsql.Rejected) as caught:
        db.explain("SELECT SUM(id) AS n FROM people", 1)
    assert caught.value.code == "DP301"


def test_what_is_accepted_anyway_rests_on_nothing_more(
    db: dpsql.Database, data: duckdb.DuckDBPyConnection
) -> None:
    sql = "SELECT name, COUNT(*) AS n FROM people JOIN places p ON place = p.id GROUP BY name"
    before = db.explain(sql, 1).to_dict()
    data.execute("UPDATE places SET size = 1000000")
    with dpsql.connect(data, POLICY) as again:
        assert again.explain(sql, 1).to_dict() == before


def test_a_change_is_noticed(db: dpsql.Database, data: duckdb.DuckDBPyConnection) -> None:
    db.explain(FANNED, 1)
    data.execute("INSERT INTO rates VALUES ('2024-01-01', 77)")
    (release,) = db.run(FANNED, 1).explanation.releases
    assert release.l1 == 4


def test_a_proof_is_kept_while_the_facts_are_the_same(
    db: dpsql.Database, data: duckdb.DuckDBPyConnection
) -> None:
    def made() -> int:
        return proven.cache_info().misses

    proven.cache_clear()
    db.explain(FANNED, 1)
    before = made()
    first = db.explain(FANNED, 2).releases
    assert made() == before + 1  # without them, and refused
    data.execute("INSERT INTO rates SELECT DATE '2024-01-01', 9 FROM range(5)")
    assert db.explain(FANNED, 3).releases != first and made() == before + 3


def test_one_in_between_too_and_nothing_is_charged(
    db: dpsql.Database, data: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, explained = db._analysis.ready(db, FANNED, 1, None, {})
    monkeypatch.setattr(db._analysis, "ready", lambda *_: (made, explained))
    db.run(FANNED, 1)
    data.execute("INSERT INTO rates VALUES ('2024-01-01', 77)")
    with pytest.raises(dpsql.EngineError, match="the public table rates changed"):
        db.run(FANNED, 1)
    assert db.budget.spent.eps == 1


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM places WHERE id = 1",
        "UPDATE places SET size = 21 WHERE id = 2",
        "UPDATE places SET size = NULL WHERE id = 0",
        "UPDATE places SET name = 'a longer place' WHERE id = 0",
        "UPDATE places SET size = 0",
    ],
)
def test_each_fact_is_asked_again(data: duckdb.DuckDBPyConnection, change: str) -> None:
    db = dpsql.connect(data, POLICY)
    sql = "SELECT SUM(LENGTH(name) * size) AS n FROM people JOIN places p ON place = p.id"
    facts = db._analysis.ready(db, sql, 1, None, {})[0].facts
    with db._engine.snapshot() as snapshot:
        check_facts(facts, db._engine, snapshot)
    data.execute(change)
    with db._engine.snapshot() as snapshot, pytest.raises(dpsql.EngineError, match="changed"):
        check_facts(facts, db._engine, snapshot)


def test_no_private_row_is_looked_at(db: dpsql.Database, data: duckdb.DuckDBPyConnection) -> None:
    before = db.explain(FANNED, 1).to_dict()
    data.execute("DELETE FROM people WHERE id < 20")
    with dpsql.connect(data, POLICY) as again:
        assert again.explain(FANNED, 1).to_dict() == before


def test_values_that_are_not_finite_have_no_bounds(
    db: dpsql.Database, data: duckdb.DuckDBPyConnection
) -> None:
    data.execute("UPDATE places SET height = 'nan' WHERE id = 1")
    with pytest.raises(dpsql.Rejected) as caught:
        db.explain("SELECT SUM(height) AS n FROM people JOIN places p ON place = p.id", 1)
    assert caught.value.code == "DP301"


def test_costs_and_budgets_are_of_the_same(db: dpsql.Database) -> None:
    assert db.estimate([FANNED], 0.5).basic.eps == Fraction(1, 2)
    wide, narrow = db.calibrate(FANNED, 30), db.calibrate(FANNED, 3)
    assert narrow > 5 * wide
    assert db.explain(FANNED, 1).within(30) is not None


ONE = "SELECT COUNT(*) AS n FROM people WHERE place < (SELECT {} FROM places WHERE size > {})"


def test_a_public_subquery_with_one_row_is_a_value(db: dpsql.Database) -> None:
    assert round(db.run(ONE.format("id", 15), 500).rows[0][0]) == 20
    assert db.run(ONE.format("id", 25), 400).rows[0][0] in range(-2, 3)  # of no rows: NULL


def test_one_with_several_rows_is_rejected_for_free(db: dpsql.Database) -> None:
    with pytest.raises(dpsql.Rejected, match="it has several rows") as caught:
        db.run(ONE.format("id", 5), 1)
    assert caught.value.code == "DP205"
    assert db.budget.spent.eps == 0


def test_a_public_table_that_became_a_view_of_private_rows_is_not_looked_at(
    db: dpsql.Database, data: duckdb.DuckDBPyConnection
) -> None:
    """Neither for facts nor for values."""
    data.execute("DROP TABLE rates")
    data.execute("CREATE VIEW rates AS SELECT day, id AS rate FROM people")
    for sql in (
        FANNED,
        "SELECT SUM(rate) AS n FROM people JOIN rates ON people.day = rates.day",
        "SELECT COUNT(*) AS n FROM people WHERE id < (SELECT rate FROM rates WHERE rate > 28)",
    ):
        for ask in (db.explain, db.run):
            with pytest.raises(dpsql.PolicyError, match="not defined as it was"):
                ask(sql, 1)
    with pytest.raises(dpsql.PolicyError, match="not defined as it was"):
        db.calibrate(FANNED, 5)
    assert db.budget.spent.eps == 0


def test_that_there_is_one_row_is_asked_again(
    db: dpsql.Database, data: duckdb.DuckDBPyConnection
) -> None:
    sql = ONE.format("id", 15)
    db.explain(sql, 1)
    data.execute("INSERT INTO places VALUES (7, 'more', 99, 1, 1)")
    with pytest.raises(dpsql.Rejected, match="it has several rows"):
        db.run(sql, 1)
    assert db.budget.spent.eps == 0


def test_moments_beyond_pythons_calendar_have_no_bounds(
    db: dpsql.Database, data: duckdb.DuckDBPyConnection
) -> None:
    data.execute("INSERT INTO rates VALUES ('0044-03-15 (BC)', 1), ('12000-01-01', 2)")
    (release,) = db.explain(FANNED, 1).releases
    assert release.l1 == 3


@pytest.mark.parametrize("what", ["COUNT(*)", "MEDIAN(people.id % 5)", "MIN(people.id % 5)"])
def test_an_empty_public_table(
    db: dpsql.Database, data: duckdb.DuckDBPyConnection, what: str
) -> None:
    data.execute("DELETE FROM rates")
    db.run(f"SELECT {what} AS n FROM people CROSS JOIN rates", 1)


def test_what_the_checker_does_not_follow_is_rejected_as_if_it_were_not_known(
    db: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise dpsql.Rejected(Diagnostic("DP601", "not followed", None))

    monkeypatch.setattr(ready, "certified", refuse)
    with pytest.raises(dpsql.Rejected) as caught:
        db.explain(FANNED, 1)
    assert caught.value.code == "DP403" and caught.value.__context__ is None
