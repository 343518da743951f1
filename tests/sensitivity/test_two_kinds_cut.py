"""Rows of two kinds of unit: which of them the engine is asked for, where low thresholds are never
chosen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import duckdb
import pytest
import yaml

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.core.enforce.truncation import Truncation
from dpsql.core.noise.clip import FINE
from dpsql.core.release.statements import statements
from dpsql.execution import cells
from dpsql.execution.heavy_units import Truncated
from dpsql.execution.reading import engine_source, public_groups
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.support.draws import known
from tests.support.filled import fill

POLICY = yaml.safe_load("""
units: [buyers.id, sellers.id]
budget: {eps: 1000}
tables:
  buyers: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  sellers: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  sales:
    access: private
    columns:
      buyer: {type: INTEGER, references: buyers.id, max_rows: 5000}
      seller: {type: INTEGER, references: sellers.id}
      kind: {type: VARCHAR, values: [a, b], nullable: false}
      amount: {type: INTEGER, bounds: [-4, 9]}
""")

QUERIES = (
    "SELECT COUNT(*) FROM sales",
    "SELECT kind, COUNT(amount) FROM sales GROUP BY kind",
    "SELECT kind, SUM(amount) FROM sales GROUP BY kind",
)


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    picked = random.Random(1)
    rows = [
        (
            min(299, int(picked.paretovariate(0.7))),
            min(199, int(picked.paretovariate(0.6))),
            picked.choice("aab"),
            picked.choice([-4, 1, 2, 9, None]),
        )
        for _ in range(6_000)
    ]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE buyers AS SELECT UNNEST(RANGE(300))::INTEGER AS id")
        connection.execute("CREATE TABLE sellers AS SELECT UNNEST(RANGE(200))::INTEGER AS id")
        connection.execute("CREATE TABLE sales (buyer INT, seller INT, kind TEXT, amount INT)")
        fill(connection, "sales", rows)
        ledger = MemoryLedger(Cost(Fraction(1000), Fraction(0)))
        with dpsql.connect(connection, POLICY, ledger=ledger) as made:
            yield made


def _measured(
    db: dpsql.Database, sql: str, neglected: tuple[int, int] | None
) -> tuple[Truncated, int]:
    """The measure, and how many rows with two heavy units there are."""
    (release,) = known(db, sql, Fraction(1)).query.releases
    assert isinstance(release.clipping, Truncation)
    values = tuple(replace(value, neglected=neglected) for value in release.clipping.values)
    release = replace(release, clipping=replace(release.clipping, values=values))
    source = engine_source(db._engine)
    with db._engine.snapshot() as snapshot:
        groups = public_groups(release, snapshot, source)
        exact = cells.read(release, groups, snapshot, statements(release, source))
    found = exact.clips[len(exact.clips) - 1]
    assert isinstance(found, Truncated)
    return found, sum(len(rows) for u in found.groups.values() for rows in u.shared.values())


@pytest.mark.parametrize("sql", QUERIES)
def test_what_is_not_asked_for_is_not_needed(db: dpsql.Database, sql: str) -> None:
    whole, every = _measured(db, sql, None)
    count = len(whole.grid.thresholds)
    asked = [every]
    for most in (20, 8, 3, 1):
        cut, rows = _measured(db, sql, (most, count))
        expected = whole.doubling(most * FINE, count)
        assert cut.doubling(most * FINE, count) == expected
        kept = [place for place in range(count - 1) if expected[place] < most * FINE]
        for place in (*kept, count - 1):
            assert cut.at(place) == whole.at(place)
        asked.append(rows)
    assert asked == sorted(asked, reverse=True)
    assert asked[-1] < asked[0] / 2


def test_the_last_threshold_is_always_known(db: dpsql.Database) -> None:
    whole, _ = _measured(db, QUERIES[0], None)
    for count in (2, 5, 9):
        cut, _ = _measured(db, QUERIES[0], (0, count))
        assert cut.at(count - 1) == whole.at(count - 1)


def test_what_is_never_chosen_is_told_by_the_noise(db: dpsql.Database) -> None:
    for eps in (Fraction(1, 4), Fraction(1), Fraction(4)):
        query = known(db, QUERIES[0], eps).query
        (release,), (noise,) = query.releases, query.planned[0].noise
        assert isinstance(release.clipping, Truncation)
        (value,) = release.clipping.values
        assert value.neglected is not None
        most, count = value.neglected
        assert (most - 1) * FINE < noise.most <= most * FINE  # type: ignore[union-attr]
        assert count == len(value.grid.thresholds)


UNITS = {
    "DATE": ("DATE 'infinity'", "DATE '9999-12-31'"),
    "TIMESTAMP": ("TIMESTAMP 'infinity'", "TIMESTAMP '294247-01-10 04:00:54.775806'"),
    "TIMESTAMP_NS": ("TIMESTAMP_NS '2020-01-01 00:00:00.000000001'", "TIMESTAMP_NS '2020-01-01'"),
    "INTEGER[]": ("[1]", "[2]"),
    "INTERVAL": ("INTERVAL 100000000 YEAR", "INTERVAL 1 YEAR"),
    "DOUBLE": ("'nan'::DOUBLE", "0.5::DOUBLE"),
}
"""Two values of a type, of which some are one value in Python, or none."""


@pytest.mark.parametrize("kind", UNITS)
def test_units_do_not_leave_the_engine(kind: str) -> None:
    one, other = UNITS[kind]
    policy = {**POLICY, "tables": dict(POLICY["tables"])}
    sales = {"seller": {"type": "INTEGER", "references": "sellers.id"}}
    policy["tables"]["buyers"] = {"access": "private", "key": ["id"], "columns": {"id": {}}}
    sales["buyer"] = {"references": "buyers.id", "max_rows": 100}
    policy["tables"]["sales"] = {"access": "private", "columns": sales}
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE buyers AS SELECT UNNEST([{one}, {other}]) AS id")
        connection.execute("CREATE TABLE sellers AS SELECT UNNEST(RANGE(9))::INTEGER AS id")
        connection.execute(
            f"CREATE TABLE sales AS SELECT {one} AS buyer, n::INTEGER AS seller "
            "FROM range(3) r(n), range(2) "
            f"UNION ALL SELECT {other}, n::INTEGER + 3 FROM range(5) r(n), range(40)"
        )
        ledger = MemoryLedger(Cost(Fraction(1000), Fraction(0)))
        with dpsql.connect(connection, policy, ledger=ledger) as db:
            exact = known(db, "SELECT COUNT(*) FROM sales", Fraction(1)).exact.clips[0]
    assert isinstance(exact, Truncated)
    sums = [exact.at(place)[()] for place in range(9)]
    assert exact.grid.thresholds[:9] == (1, 2, 3, 4, 6, 8, 12, 16, 24)
    assert sums == [2, 4, 6, 8, 12, 14, 18, 22, 30]  # of 6 rows and 200


def test_a_unit_with_both_signs_is_one_that_fits() -> None:
    """What tells whether a threshold is too low moves by one, also where both sums of it fall."""
    rows = [(9, 1, 8), (9, 11, -8)]
    for sign, off in ((1, 0), (-1, 10)):
        rows += [(off + a, 1 + off, 8 * sign) for a in range(3)]
        rows += [(off + a, 2 + a + off, 4 * sign) for a in range(3)]
    fits = []
    for removed in (False, True):
        kept = [row for row in rows if row[0] != 9 or not removed]
        with duckdb.connect() as connection:
            connection.execute("CREATE TABLE buyers AS SELECT UNNEST(RANGE(30))::INTEGER AS id")
            connection.execute("CREATE TABLE sellers AS SELECT UNNEST(RANGE(30))::INTEGER AS id")
            connection.execute("CREATE TABLE sales (buyer INT, seller INT, kind TEXT, amount INT)")
            connection.executemany("INSERT INTO sales VALUES (?, ?, 'a', ?)", kept)
            policy = {**POLICY, "tables": {**POLICY["tables"]}}
            columns = {**POLICY["tables"]["sales"]["columns"]}
            columns["amount"] = {"type": "INTEGER", "bounds": [-8, 8]}
            policy["tables"]["sales"] = {**POLICY["tables"]["sales"], "columns": columns}
            ledger = MemoryLedger(Cost(Fraction(1000), Fraction(0)))
            with dpsql.connect(connection, policy, ledger=ledger) as db:
                found = known(db, "SELECT SUM(amount) FROM sales", Fraction(1))
        exact = found.exact.clips[0]
        assert isinstance(exact, Truncated) and exact.signs == 2
        low, high = (exact.grid.ends.index(end) for end in (4, 8))
        sums = [sum(u.truncated(place) for u in exact.groups.values()) for place in (low, high)]
        fits.append((2 * sums[0] - sums[1]) // (2 * exact.signs * 4))
    assert abs(fits[0] - fits[1]) <= 1


def test_groups_alone_need_nothing_of_the_engine(db: dpsql.Database) -> None:
    for sql in (
        "SELECT kind FROM sales GROUP BY kind",
        "SELECT DISTINCT kind FROM sales",
        "SELECT SUM(amount * 0) AS s FROM sales",
    ):
        answer = db.run(sql, 1)
        assert len(answer.rows) == (1 if "SUM" in sql else 2)


def test_noise_that_does_not_fit_all_groups_is_refused_before_the_charge() -> None:
    policy = yaml.safe_load(yaml.safe_dump(POLICY))
    columns = policy["tables"]["sales"]["columns"]
    columns["town"] = {"type": "INTEGER", "references": "towns.id", "nullable": False}
    columns["amount"] = {"type": "BIGINT", "bounds": [0, 2**52]}
    policy["tables"]["towns"] = {
        "access": "public",
        "key": ["id"],
        "columns": {"id": {"type": "INTEGER"}},
    }
    sql = "SELECT town, SUM(amount) FROM sales GROUP BY town"
    with pytest.raises(dpsql.Rejected) as caught:
        dpsql.session.costs.explain(sql, Fraction(1, 10**5), policy)
    assert caught.value.code == "DP305"
    assert dpsql.session.costs.explain(sql, 100, policy).releases
