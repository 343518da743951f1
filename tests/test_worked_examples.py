"""The four worked examples that dpsql was asked for, number by number."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import comb
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql import audit
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.support.effort import tries

CENSUS = Path(__file__).parent / "data" / "census"
ERROR = 1e-6
"""How often a correct program may fail a test that counts."""


def at_least(hits: int, trials: int, probability: float) -> bool:
    """Whether so few hits are likelier than `ERROR`, if each trial hits with `probability`."""
    share = Fraction(probability)
    tail = sum(comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(hits + 1))
    return tail >= ERROR


def at_most(hits: int, trials: int, probability: float) -> bool:
    """Whether so many hits are likelier than `ERROR`, if each trial hits with `probability`."""
    return at_least(trials - hits, trials, 1 - probability)


# --- 1. weights ----------------------------------------------------------------------------------


def weights(rows: int) -> str:
    return f"""
unit: patients.id
neighbours: replace
budget: {{eps: 1}}
tables:
  patients:
    access: private
    key: [id]
    rows: {rows}
    columns:
      id: {{type: INTEGER}}
      weight: {{type: INTEGER, bounds: [30, 150], nullable: false}}
"""


@pytest.mark.parametrize(
    ("rows", "sensitivity", "scale"), [(1000, 0.12, 1.2), (4, 30, 300)], ids=["1000", "4"]
)
def test_weights(rows: int, sensitivity: float, scale: float) -> None:
    policy = dpsql.Policy.parse(weights(rows))
    (release,) = dpsql.explain("SELECT AVG(weight) FROM patients", 0.1, policy=policy).releases
    assert (release.l0, release.l1, release.l2, release.linf) == (1, *[sensitivity] * 3)
    assert release.scale == scale
    assert release.mechanism == "laplace"
    assert release.eps == 0.1


def test_weights_where_each_row_is_a_patient() -> None:
    text = weights(1000).replace("patients.id", "patients").replace("    key: [id]\n", "")
    policy = dpsql.Policy.parse(text.replace("      id: {type: INTEGER}\n", ""))
    (release,) = dpsql.explain("SELECT AVG(weight) FROM patients", 0.1, policy=policy).releases
    assert (release.l1, release.scale) == (0.12, 1.2)


def test_the_interval_of_chebyshev_is_wider_than_the_exact_one() -> None:
    policy = dpsql.Policy.parse(weights(1000))
    (release,) = dpsql.explain("SELECT AVG(weight) FROM patients", 0.1, policy=policy).releases
    two_sigma = 2 * 2**0.5 * release.scale
    assert two_sigma == pytest.approx(3.394, abs=0.001)
    assert 1.6 < release.interval(0.75) < 1.7
    assert release.interval(0.95) == pytest.approx(3.6, abs=0.01)


def test_weights_answered() -> None:
    with duckdb.connect() as data:
        data.execute(
            "CREATE TABLE patients AS "
            "SELECT i::INTEGER AS id, (45 + i * 37 % 70)::INT AS weight FROM range(1000) AS r(i)"
        )
        with dpsql.connect(data, dpsql.Policy.parse(weights(1000))) as db:
            answer = db.run("SELECT AVG(weight) AS mean FROM patients", 0.1)
            ((found,),), (((width,),)) = answer.rows, answer.intervals
            assert 30 <= found <= 150
            assert width == pytest.approx(3.6, abs=0.01)
            (exact,) = audit.exact(db, "SELECT AVG(weight) AS mean FROM patients")
            (truth,) = data.execute("SELECT AVG(weight) FROM patients").fetchone() or ()
            assert float(exact.values[0]) == pytest.approx(truth)


# --- 2. histogram --------------------------------------------------------------------------------

PREFECTURES = """
unit: people.id
budget: {eps: 100}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      prefecture: {type: INTEGER, bounds: [1, 47], nullable: false}
"""


def test_histogram() -> None:
    query = "SELECT prefecture, COUNT(*) AS n FROM people GROUP BY prefecture ORDER BY prefecture"
    with duckdb.connect() as data:
        # Nobody lives in prefectures 31 to 47.
        data.execute(
            "CREATE TABLE people AS SELECT i::INTEGER AS id, (1 + i % 30)::INTEGER AS prefecture "
            "FROM range(3000) AS r(i)"
        )
        with dpsql.connect(data, dpsql.Policy.parse(PREFECTURES)) as db:
            (release,) = db.explain(query, 1).releases
            assert (release.l0, release.l1, release.linf) == (1, 1, 1)
            assert (release.scale, release.groups) == (1, 47)
            answer = db.run(query, 1)
            assert answer["prefecture"] == tuple(range(1, 48))
            assert all(isinstance(n, int) for n in answer["n"])
            # |noise| <= 40 fails once in e^40 draws.
            assert all(abs(n - 100) <= 40 for n in answer["n"][:30])
            assert all(abs(n) <= 40 for n in answer["n"][30:])
            assert db.budget.spent.eps == 1


# --- 3. city averages ----------------------------------------------------------------------------

CITIES = """
unit: spending.person
budget: {eps: 1000000}
tables:
  spending:
    access: private
    key: [person]
    columns:
      person: {type: INTEGER}
      city: {type: VARCHAR, values: [Aki, Bern, Cork], nullable: false}
      amount: {type: INTEGER, bounds: [0, 10000], nullable: false}
"""
CITY_QUERY = "SELECT city, AVG(amount) AS mean FROM spending GROUP BY city ORDER BY city"
PEOPLE = """
CREATE TABLE spending AS
SELECT i::INTEGER AS person, ['Aki', 'Bern', 'Cork'][1 + i % 3] AS city,
       (2000 + i * 613 % 900)::INTEGER AS amount
FROM range(90) AS r(i)
"""
NEWCOMER = "INSERT INTO spending VALUES (90, 'Cork', 10000)"


def cities(*statements: str) -> dpsql.Database:
    data = duckdb.connect()
    for statement in statements:
        data.execute(statement)
    return dpsql.connect(data, dpsql.Policy.parse(CITIES))


def test_the_exact_difference_reveals_the_newcomer() -> None:
    with duckdb.connect() as data:
        data.execute(PEOPLE)
        before = dict(data.execute(CITY_QUERY).fetchall())
        data.execute(NEWCOMER)
        after = dict(data.execute(CITY_QUERY).fetchall())
    assert round(31 * after["Cork"] - 30 * before["Cork"]) == 10000


@pytest.mark.deep
def test_the_private_difference_does_not() -> None:
    """Best guess from one answer: within what ε = 0.5 allows, in each year's answers."""
    eps, runs = 0.5, tries(80, 300)
    with cities(PEOPLE) as before, cities(PEOPLE, NEWCOMER) as after:
        changes = [
            tuple(abs(y - x) for x, y in zip(a.values, b.values, strict=True))
            for a, b in zip(
                audit.exact(before, CITY_QUERY), audit.exact(after, CITY_QUERY), strict=True
            )
        ]
        releases = before.explain(CITY_QUERY, eps).releases
        # Somebody with the greatest salary changes one of the two sums that share what a row adds.
        assert sorted(map(sum, changes))[0] == 0 < sum(map(sum, changes))
        assert all(sum(map(sum, changes)) <= release.l1 for release in releases)
        # The middle between the two true means is the best threshold.
        middle = 2600
        right = sum(
            before.run(CITY_QUERY, eps, fresh=True)["mean"][2] <= middle for _ in range(runs)
        )
        right += sum(
            after.run(CITY_QUERY, eps, fresh=True)["mean"][2] > middle for _ in range(runs)
        )
    most = 2.718281828**eps / (1 + 2.718281828**eps)
    assert at_most(right, 2 * runs, most)


@pytest.mark.parametrize(
    ("neighbours", "rows", "observed", "claimed"),
    [("add_remove", "", 0.5, 4), ("replace", "rows: 5", 0.8, 0.8)],
)
def test_leave_one_out(neighbours: str, rows: str, observed: float, claimed: float) -> None:
    """The mean of 1..5 is 3; without the 1 it is 3.5, without the 5 it is 2.5."""
    policy = dpsql.Policy.parse(f"""
unit: people.id
neighbours: {neighbours}
budget: {{eps: 1}}
tables:
  people:
    access: private
    key: [id]
    {rows}
    columns:
      id: {{type: INTEGER}}
      x: {{type: INTEGER, bounds: [1, 5], nullable: false}}
""")
    with duckdb.connect() as data:
        data.execute(
            "CREATE TABLE people AS "
            "SELECT i::INTEGER AS id, i::INTEGER AS x FROM range(1, 6) AS r(i)"
        )
        with dpsql.connect(data, policy) as db:
            found = {o.name: o for o in audit.sensitivity(db, "SELECT AVG(x) AS mean FROM people")}
    assert all(o.within for o in found.values())
    assert (found["mean"].linf, found["mean"].claimed_linf) == (observed, claimed)
    # Under `replace` the average itself is released; otherwise it comes from a sum and a count.
    assert found["mean"].released is (neighbours == "replace")
    assert len(found) == (1 if neighbours == "replace" else 3)


# --- 4. census -----------------------------------------------------------------------------------

CENSUS_POLICY = """
unit: {unit}
budget: {{eps: 1000000}}
tables:
  {table}:
    access: private
    columns:
      sex: {{type: INTEGER, values: [0, 1]{null}}}
      educ: {{type: INTEGER, bounds: [1, 16]{null}}}
      married: {{type: BOOLEAN{null}}}
      income: {{type: DOUBLE, bounds: [0, 500000]{null}}}
      {pid}
"""
Hits = Counter[tuple[str, bool]]


@pytest.fixture
def census(tmp_path: Path) -> Callable[[str], dpsql.Database]:
    def opened(table: str) -> dpsql.Database:
        shutil.copy(CENSUS / f"{table}.csv", tmp_path)
        one_row = table == "PUMS"
        text = CENSUS_POLICY.format(
            table=table,
            unit=table if one_row else f"{table}.pid",
            null=", nullable: true" if table == "PUMS_null" else ", nullable: false",
            pid="" if one_row else "pid: {type: INTEGER, max_rows: 4}",
        )
        ledger = MemoryLedger(Cost(Fraction(1_000_000)))
        return dpsql.connect(tmp_path, dpsql.Policy.parse(text), ledger=ledger)

    return opened


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        ("PUMS_null", "sex, married"),
        ("PUMS_dup", "educ"),
        pytest.param("PUMS", "sex, married", marks=pytest.mark.deep),
        pytest.param("PUMS", "educ", marks=pytest.mark.deep),
        pytest.param("PUMS_dup", "sex, married", marks=pytest.mark.deep),
        pytest.param("PUMS_null", "educ", marks=pytest.mark.deep),
    ],
)
def test_census(
    census: Callable[[str], dpsql.Database], tmp_path: Path, table: str, keys: str
) -> None:
    """Truth within the printed intervals about as often as they claim."""
    aggregates = "COUNT(*) AS n, COUNT(income) AS known, SUM(income) AS total, AVG(income) AS mean"
    query = f"SELECT {keys}, {aggregates} FROM {table} GROUP BY {keys}"
    width = keys.count(",") + 1
    with census(table) as db:
        where = "" if table == "PUMS" else " WHERE pid IS NOT NULL"
        source = f"(SELECT * REPLACE (married = 1 AS married) FROM '{tmp_path}/{table}.csv'{where})"
        with duckdb.connect() as owner:
            plain = query.replace(f"FROM {table}", f"FROM {source}")
            truth = {r[:width]: r[width:] for r in owner.execute(plain).fetchall()}
        hits: Hits = Counter()
        for _ in range(30):
            answer = db.run(query, 2, fresh=True)
            for row, widths in zip(answer.rows, answer.intervals, strict=True):
                true = truth.get(row[:width], (0, 0, 0, None))
                names = answer.columns[width:]
                for name, x, y, w in zip(names, true, row[width:], widths[width:], strict=True):
                    if x is not None and y is not None:
                        assert w is not None
                        # DOUBLE is summed on a lattice: a thousandth of the noise is more than it.
                        hits[name, abs(float(x) - float(y)) <= w * 1.001] += 1
    for name in ("n", "known", "total", "mean"):
        inside, trials = hits[name, True], hits[name, True] + hits[name, False]
        assert trials >= 120
        assert at_least(inside, trials, 0.95), f"{name}: {inside} of {trials}"
        if name != "mean":  # an average is kept in its range, and so is nearer than its interval
            assert at_most(inside, trials, 0.97), f"{name}: {inside} of {trials}"
