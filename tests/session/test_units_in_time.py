"""Copies for units in time: what a copy has of one person's month is told by that month's rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import duckdb
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import dpsql
from dpsql import audit
from dpsql.__main__ import main
from dpsql.errors import PolicyError
from dpsql.platform.engine import duckdb_open
from dpsql.platform.engine.conform import Conformer, order
from dpsql.platform.policy import (
    Catalog,
    CatalogColumn,
    Policy,
    length_claims,
    null_claims,
    parse_type,
    resolve,
)
from dpsql.session.units_in_time import sources_with_units, with_units
from tests.support.brute import repeat
from tests.support.effort import tries

POLICY = """
unit: people.id per month(visits.seen, calls.day)
budget: {eps: 1e9, delta: 1e-6}
tables:
  people:
    access: private
    key: [id]
    columns: {id: {type: INTEGER}, town: {type: VARCHAR}}
  visits:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      person: {type: INTEGER, references: people.id, max_rows: 2}
      seen: {type: TIMESTAMP, bounds: [2024-01-01, 2024-02-29]}
      cost: {type: INTEGER, bounds: [0, 10]}
  bills:
    access: private
    columns:
      visit: {type: INTEGER, references: visits.id, max_rows: 2}
      amount: {type: INTEGER, bounds: [0, 10], nullable: false}
  calls:
    access: private
    columns:
      caller: {type: INTEGER, references: people.id, max_rows: 1}
      day: {type: DATE}
"""
TABLES = {
    "people": "id INTEGER, town VARCHAR",
    "visits": "id INTEGER, person INTEGER, seen TIMESTAMP, cost INTEGER",
    "bills": "visit INTEGER, amount INTEGER",
    "calls": "caller INTEGER, day DATE",
}
Rows = tuple[tuple[object, ...], ...]
Data = dict[str, Rows]

PERSONS = st.sampled_from([1, 2, 3, None])
DAYS = st.sampled_from(
    ["2024-01-01", "2024-01-31", "2024-02-01", "2024-02-29", "2024-03-01", "infinity", None]
)
NUMBERS = st.sampled_from([-5, 0, 7, 99, None])
DRAWN = st.fixed_dictionaries(
    {
        "people": st.just(((1, "x"), (2, "y"), (3, "x"))),
        "visits": st.lists(
            st.tuples(st.sampled_from([1, 2, 3, 4, None]), PERSONS, DAYS, NUMBERS), max_size=7
        ).map(tuple),
        "bills": st.lists(st.tuples(st.sampled_from([1, 2, 3, 9, None]), NUMBERS), max_size=7).map(
            tuple
        ),
        "calls": st.lists(st.tuples(PERSONS, DAYS), max_size=5).map(tuple),
    }
)


def month_of(day: object) -> str | None:
    return str(day) if day == "infinity" else None if day is None else f"{str(day)[:7]}-01"


def units(data: Data) -> dict[str, list[str | None]]:
    """The unit of each row, told by other means than the copy's: None for a row without one."""

    def of(person: object, day: object) -> str | None:
        return None if person is None or day is None else f"{month_of(day)}/{person}"

    visits = {row[0]: of(row[1], row[2]) for row in data["visits"]}
    return {
        "visits": [of(row[1], row[2]) for row in data["visits"]],
        "bills": [visits.get(row[0]) for row in data["bills"]],
        "calls": [of(*row) for row in data["calls"]],
    }


class Copier:
    """Makes copies of small databases, one after the other."""

    def __init__(self) -> None:
        self.connection = duckdb.connect(":memory:", config={"threads": "1"})
        for table, columns in TABLES.items():
            self.do(f"CREATE TABLE {table} ({columns})")
        self.do("ATTACH ':memory:' AS copied")
        self.policy = Policy.parse(POLICY)
        assert self.policy.time is not None
        self.time = self.policy.time
        catalog = duckdb_open.from_connection(self.connection).catalog()
        self.schema = resolve(self.policy, with_units(catalog, self.policy, self.time), None)

    def do(self, sql: str) -> list[tuple[object, ...]]:
        return self.connection.execute(sql).fetchall()

    def copy(self, data: Data) -> Data:
        for table, rows in data.items():
            self.do(f"DELETE FROM {table}")
            for row in rows:
                values = ", ".join("NULL" if v is None else repr(v) for v in row)
                self.do(f"INSERT INTO {table} VALUES ({values})")
        tables = order(self.schema)
        source = {low: f"memory.main.{low}" for low in TABLES}
        conformer = Conformer(
            do=self.do,
            schema=self.schema,
            source=source | sources_with_units(source, self.time),
            copy={low: f"copied.main.{low}" for low in TABLES},
            named={t.name: frozenset(c.name.lower() for c in t.columns) for t in tables},
            not_null=null_claims(self.policy),
            lengths=length_claims(self.policy),
            salt="5eed",
        )
        try:
            for table in tables:
                conformer.private(table)
            return {t.name: tuple(self.do(f"FROM copied.main.{t.name}")) for t in tables}
        finally:
            for table in tables:
                self.do(f"DROP TABLE IF EXISTS copied.main.{table.name}")


def test_without_a_month_the_copy_is_without_its_rows_and_else_the_same() -> None:
    made = Copier()
    gone = Counter[str]()

    def check(data: Data) -> None:
        own = units(data)
        known = {row[0] for row in data["visits"]}
        for visit in known:  # a key of two units is an error
            assume(
                len(
                    {u for r, u in zip(data["visits"], own["visits"], strict=True) if r[0] == visit}
                )
                == 1
            )
        whole = made.copy(data)
        assert set(whole) == {"visits", "bills", "calls"}
        named = {row[0]: str(row[-1]) for row in whole["visits"]}
        for unit in {u for found in own.values() for u in found if u is not None}:
            less = dict(data)
            for table, found in own.items():
                pairs = zip(data[table], found, strict=True)
                less[table] = tuple(row for row, u in pairs if u != unit)
            left = made.copy(less)
            for table in ("visits", "calls"):
                kept = [row for row in whole[table] if row[-1] != unit]
                assert Counter(left[table]) == Counter(kept)
            bills = [row for row in whole["bills"] if named[row[0]] != unit]
            assert Counter(left["bills"]) == Counter(bills)
            gone[unit] += 1
        for low, (table, most) in {"visits": ("visits", 2), "calls": ("calls", 1)}.items():
            of_unit = Counter(row[-1] for row in whole[table])
            assert not of_unit or max(of_unit.values()) <= most, low

    repeat(DRAWN, check, tries(15, 400))
    assert len(gone) > 6, "hardly any unit was taken away"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "clinic.duckdb"
    with duckdb.connect(file) as made:
        made.execute("CREATE TABLE people AS SELECT i AS id, 'x' AS town FROM range(50) t(i)")
        made.execute("ALTER TABLE people ALTER id TYPE INTEGER")
        made.execute(
            "CREATE TABLE visits AS SELECT i::INTEGER AS id, (i % 50)::INTEGER AS person, "
            "TIMESTAMP '2024-01-01' + to_days((i % 60)::INTEGER) AS seen, "
            "(i % 13)::INTEGER AS cost FROM range(500) t(i)"
        )
        made.execute(
            "CREATE TABLE bills AS SELECT (i // 2)::INTEGER AS visit, (i % 9)::INTEGER AS amount "
            "FROM range(1000) t(i)"
        )
        made.execute(
            "CREATE TABLE calls AS SELECT (i % 50)::INTEGER AS caller, "
            "DATE '2024-01-01' + (i % 60)::INTEGER AS day FROM range(200) t(i)"
        )
    return file


def test_queries_of_a_copy_protect_a_month(data: Path, tmp_path: Path) -> None:
    dpsql.prepare(data, POLICY, tmp_path / "copy")
    with dpsql.connect(tmp_path / "copy", policy=POLICY) as db:
        assert tuple(db.tables) == ("visits", "bills", "calls")
        sql = "SELECT COUNT(*) AS n, COUNT(DISTINCT id_month) AS months FROM visits"
        explained = db.explain(sql, 1)
        assert "unit people.id per month(visits.seen, calls.day)" in str(explained)
        assert [r.l1 for r in explained.releases] == [2, 1]
        n, months = db.run(sql, 1e6).rows[0]
        own = duckdb.connect(str(data), read_only=True)
        count = (
            "SELECT sum(least(c, 2)), count(*) FROM (SELECT count(*) AS c FROM visits "
            "GROUP BY person, date_trunc('month', seen))"
        )
        assert [own.execute(count).fetchall()[0]] == [(round(n), round(months))]
        joined = (
            "SELECT SUM(amount) AS paid, COUNT(DISTINCT visits.id_month) AS u FROM bills "
            "JOIN visits ON visit = visits.id JOIN calls ON calls.id_month = visits.id_month"
        )
        report = audit.check(db, joined, units=30, worlds=10, samples=0)
        assert all(checked.holds for checked in report.checked)
        assert any(checked.ratio > 0 for checked in report.checked)


def test_only_such_a_copy_has_units_in_time(data: Path, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="are those of a copy that dpsql prepare writes"):
        dpsql.connect(data, policy=POLICY)
    with pytest.raises(PolicyError, match="are those of a copy that dpsql prepare writes"):
        dpsql.connect(duckdb.connect(":memory:"), policy=POLICY)
    whole = POLICY.replace(" per month(visits.seen, calls.day)", "")
    dpsql.prepare(data, whole, tmp_path / "whole", ledger=tmp_path / "one.sqlite")
    with pytest.raises(PolicyError, match="are those of a copy that dpsql prepare writes"):
        dpsql.connect(tmp_path / "whole", policy=POLICY)
    dpsql.prepare(data, POLICY, tmp_path / "copy", ledger=tmp_path / "other.sqlite")
    with pytest.raises(PolicyError, match=r"a copy for the units people\.id per month"):
        dpsql.connect(tmp_path / "copy", policy=whole)
    with pytest.raises(PolicyError, match="are those of a copy that dpsql prepare writes"):
        dpsql.connect(tmp_path / "copy", policy=POLICY.replace(" per month", " per year"))


def test_another_promise_is_acknowledged(data: Path, tmp_path: Path) -> None:
    """The same ledger does not go on with another unit unless the owner says so."""
    whole = POLICY.replace(" per month(visits.seen, calls.day)", "")
    with dpsql.connect(data, policy=whole) as db:
        db.run("SELECT COUNT(*) FROM visits", 1)
    with pytest.raises(dpsql.LedgerTampered):
        dpsql.prepare(data, POLICY, tmp_path / "copy")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            "ALTER TABLE visits ALTER seen TYPE VARCHAR",
            "seen must be a DATE or a TIMESTAMP, and is",
        ),
        (
            "ALTER TABLE visits RENAME seen TO later",
            "seen must be a DATE or a TIMESTAMP, and is missing",
        ),
        (
            "; ".join(
                f"ALTER TABLE {c} TYPE DOUBLE"
                for c in ("calls ALTER caller", "people ALTER id", "visits ALTER person")
            ),
            "must name persons by texts",
        ),
        ("ALTER TABLE calls ADD COLUMN Id_Month DATE", "id_month is to be the name of its units"),
    ],
)
def test_data_that_do_not_say_whose_and_when(
    change: str, message: str, data: Path, tmp_path: Path
) -> None:
    with duckdb.connect(data) as made:
        made.execute(change)
    loose = POLICY.replace("{type: INTEGER, references", "{references").replace(
        "{id: {type: INTEGER}, town", "{id: {}, town"
    )
    loose = loose.replace("      seen: {type: TIMESTAMP, bounds: [2024-01-01, 2024-02-29]}\n", "")
    with pytest.raises(PolicyError, match=message):
        dpsql.prepare(data, loose, tmp_path / "copy")


def test_a_refreshed_copy_keeps_its_rows(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "visits.csv").write_text("person,seen\n1,2024-01-02\n1,2024-01-03\n1,2024-02-01\n")
    text = """
unit: visits.person per month(visits.seen)
budget: {eps: 100}
tables:
  visits: {access: private, columns: {person: {type: INTEGER, max_rows: 1}, seen: {type: DATE}}}
"""
    [cut] = dpsql.prepare(folder, text, tmp_path / "copy")
    assert (cut.rows, cut.kept, cut.units) == (3, 2, 1)
    assert dpsql.prepare(folder, text, tmp_path / "copy", refresh=True) == ()
    with dpsql.connect(tmp_path / "copy", policy=text) as db:
        [[n]] = db.run("SELECT COUNT(*) FROM visits WHERE seen > DATE '2024-01-31'", 50).rows
        assert (n, date(2024, 2, 1)) == (1, date(2024, 2, 1))


OWNERS = """
unit: people.id per month(visits.seen)
budget: {eps: 100}
tables:
  people: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  visits:
    access: private
    owner: patient
    columns:
      patient: {type: INTEGER, references: people.id, max_rows: 3}
      doctor: {type: INTEGER, references: people.id, max_rows: 3}
      seen: {type: DATE}
"""


def test_a_copy_is_for_those_whose_rows_they_were_when_it_was_made(tmp_path: Path) -> None:
    """The text of the unit is the same, and so are all claims of the column that names it."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "people.csv").write_text("id\n1\n2\n")
    (folder / "visits.csv").write_text("patient,doctor,seen\n1,2,2024-01-02\n")
    others = OWNERS.replace("owner: patient", "owner: doctor")
    dpsql.prepare(folder, OWNERS, tmp_path / "copy")
    with pytest.raises(PolicyError, match="prepared for other owners of the rows of visits"):
        dpsql.connect(tmp_path / "copy", policy=others)
    [cut] = dpsql.prepare(folder, others, tmp_path / "copy", refresh=True)
    assert (cut.table, cut.kept) == ("visits", 1)
    with dpsql.connect(tmp_path / "copy", policy=others) as db:
        [[n]] = db.run("SELECT COUNT(*) FROM visits WHERE id_month = '2024-01-01/2'", 50).rows
        assert n == 1
    upper = others.replace("people.id per month", "People.ID per month")
    assert dpsql.prepare(folder, upper, tmp_path / "copy", refresh=True) == ()
    dpsql.connect(tmp_path / "copy", policy=upper).close()


def test_whoever_is_told_of_another_promise_can_acknowledge_it(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before there is a copy: the data have no column of such units."""
    policy, copy = tmp_path / "months.yaml", tmp_path / "copy"
    policy.write_text(POLICY)
    whole = POLICY.replace(" per month(visits.seen, calls.day)", "")
    with dpsql.connect(data, policy=whole) as db:
        db.run("SELECT COUNT(*) FROM visits", 1)
    words = (str(data), "--policy", str(policy))
    assert main(["prepare", *words, "--into", str(copy)]) == 6
    assert main(["budget", *words]) == 6
    assert main(["budget", *words[:1], "acknowledge", *words[1:]]) == 0
    assert main(["prepare", *words, "--into", str(copy)]) == 0
    capsys.readouterr()
    assert main(["budget", str(copy), "--policy", str(policy)]) == 0
    assert "charges     1," in capsys.readouterr().out


def test_persons_of_two_types_are_refused() -> None:
    """7 and 7.0 are one person, and would be two units: each with a part of what it did."""
    made = Copier()
    catalog = duckdb_open.from_connection(made.connection).catalog()

    def calls(kind: str) -> Catalog:
        tables = [
            replace(t, columns=(CatalogColumn("caller", parse_type(kind)), *t.columns[1:]))
            if t.name == "calls"
            else t
            for t in catalog.tables
        ]
        return replace(catalog, tables=tuple(tables))

    with_units(calls("BIGINT"), made.policy, made.time)
    with pytest.raises(PolicyError, match="another table's persons are INTEGER"):
        with_units(calls("DECIMAL(9,1)"), made.policy, made.time)
