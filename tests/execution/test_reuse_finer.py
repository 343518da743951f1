"""Totals, subsets and rollups of released groups: what is shown, with which half-widths."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import duckdb
import pytest

from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.execution import finer
from dpsql.execution.identity import Counted
from dpsql.execution.stored import Summands
from dpsql.execution.summed import Summed, summed
from tests.execution.repeated import Data, served
from tests.support.filled import save

PLAIN = 10**11
"""An ε at which nothing is moved."""

POLICY = """
unit: customer.id
budget: {eps: 1000000000000000}
tables:
  customer:
    access: private
    key: [id]
    columns:
      level: {nullable: true}
      age: {bounds: [0, 99]}
      score: {bounds: [-5, 5]}
  city:
    access: public
    key: [region]
"""
TABLES = """
CREATE TYPE levels AS ENUM ('basic', 'plus', 'gold');
CREATE TABLE city (region INTEGER PRIMARY KEY, name VARCHAR);
INSERT INTO city VALUES (1, 'Bergen'), (2, 'Rome'), (3, NULL), (4, 'Rome');
CREATE TABLE customer (
    id INTEGER PRIMARY KEY, level levels, member BOOLEAN NOT NULL,
    region INTEGER NOT NULL REFERENCES city (region), age INTEGER NOT NULL, score DECIMAL(4, 2));
INSERT INTO customer SELECT i, ['basic', 'plus', NULL][1 + i % 3], i % 7 < 2, 1 + i % 3, i % 100,
    CASE WHEN i % 4 > 0 THEN (i % 11) - 5.25 + 0.25 END FROM range(1, 300) t(i);
"""
FINE = (
    "SELECT level, member, region, COUNT(*) AS n, SUM(score) AS s, AVG(age) AS a "
    "FROM customer JOIN city USING (region) GROUP BY level, member, region"
)
AGGREGATES = "COUNT(*) AS n, SUM(score) AS s, AVG(age) AS a"


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Data]:
    file = tmp_path / "finer.duckdb"
    save(file, TABLES)
    found = Data(file, POLICY)
    yield found
    found.db.close()


def plain(tmp_path: Path, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect() as connection:
        connection.execute(TABLES)
        return connection.execute(sql).fetchall()


COARSE = {
    "{}": "total",
    "level, {} GROUP BY level": "rollup",
    "region, member, {} GROUP BY ALL": "rollup",
    "member, {} WHERE level = 'plus' GROUP BY member": "rollup",
    "{} WHERE level IS NULL AND NOT member": "total",
    "{} WHERE level BETWEEN 'basic' AND 'plus'": "total",
    "region, {} WHERE level = 'basic' AND member GROUP BY region": "subset",
    "member, region, level, {} GROUP BY member, level, region": "subset",
    "level, {} WHERE member OR level = 'gold' GROUP BY level": "rollup",
}


@pytest.mark.parametrize("form", COARSE)
@pytest.mark.one_in(2)
def test_it_is_the_engines_own_answer(data: Data, tmp_path: Path, form: str) -> None:
    shown, _, rest = form.partition("{}")
    sql = f"SELECT {shown}{AGGREGATES} FROM customer JOIN city USING (region){rest}"
    with patch("dpsql.core.account.amount.MAX_EPS", Fraction(10**12)):
        data.ask(FINE, PLAIN)
        found = served(data, sql, PLAIN / 2)
    assert found is not None and found.reused is not None
    assert found.reused.kind == COARSE[form] and found.reused.number == 1
    mine = {row[:-2]: row[-2:] for row in found.rows}
    for *keys, total, average in plain(tmp_path, sql):
        assert mine[tuple(keys)][1] == pytest.approx(average)
        assert float(mine[tuple(keys)][0]) == pytest.approx(float(total))  # type: ignore[arg-type]


NOT = [
    "SELECT COUNT(*) AS n FROM customer",  # of other sources: the join may drop rows
    "SELECT COUNT(*) AS n FROM customer JOIN city USING (region) WHERE age > 5",
    "SELECT COUNT(DISTINCT age) AS n FROM customer JOIN city USING (region)",
    "SELECT SUM(age) AS n FROM customer JOIN city USING (region)",
    "SELECT name, COUNT(*) AS n FROM customer JOIN city USING (region) GROUP BY name",
    "SELECT age, COUNT(*) AS n FROM customer JOIN city USING (region) GROUP BY age",
]


@pytest.mark.parametrize("sql", NOT)
@pytest.mark.one_in(2)
def test_what_is_not_in_the_groups_is_charged(data: Data, sql: str) -> None:
    data.ask(FINE, 5)
    assert served(data, sql, 0.01) is None


def test_half_widths_are_those_of_the_sums(data: Data) -> None:
    data.ask("SELECT level, member, COUNT(*) AS n FROM customer GROUP BY ALL", 0.5)
    one = DiscreteLaplace(2.0)
    found = served(data, "SELECT member, COUNT(*) AS n FROM customer GROUP BY member", 0.5)
    assert found is not None
    assert found.intervals == [(None, float(Summed(one, 4).interval(0.95)))] * 2
    found = served(data, "SELECT COUNT(*) AS n FROM customer WHERE member", 0.5)
    assert found is not None
    assert found.intervals == [(float(Summed(one, 4).interval(0.95)),)]
    found = served(data, "SELECT COUNT(*) * 2 AS n FROM customer", 0.5)
    assert found is not None
    assert found.intervals == [(2.0 * Summed(one, 8).interval(0.95),)]


BOTH = "SELECT member, COUNT(*) AS n, AVG(age) AS a FROM customer GROUP BY member"


def test_a_count_that_was_measured_with_a_sum(data: Data) -> None:
    """It is the one that was shown, and its noise that of two draws."""
    groups = data.ask(BOTH, 0.5)
    sql = "SELECT member, COUNT(*) AS n FROM customer GROUP BY member"
    found = served(data, sql, 0.3)
    assert found is not None and found.reused is not None and found.reused.kind == "repeat"
    assert found.rows == [row[:2] for row in groups.rows]
    assert found.intervals == [row[:2] for row in groups.intervals]
    half = Summed(DiscreteLaplace(198.0), 2).interval(0.95) / 99
    assert found.intervals[0][1] == math.floor(half + 0.5)
    total = served(data, "SELECT COUNT(*) AS n FROM customer", 0.3)
    assert total is not None and total.reused is not None and total.reused.kind == "total"
    wide = Summed(DiscreteLaplace(198.0), 4).interval(0.95) / 99
    assert total.intervals == [(math.floor(wide + 0.5),)]
    assert served(data, sql, 0.4) is None  # alone it is less noisy
    assert abs(total.rows[0][0] - sum(row[1] for row in groups.rows)) <= 1  # type: ignore[operator,misc]


def test_counts_that_were_measured_without_one_another(data: Data) -> None:
    """Of all rows and of those with a level: the ones that were shown; with the noise of two draws,
    and of one.
    """
    shown = "member, COUNT(*) AS n, COUNT(level) AS k"
    groups = data.ask(f"SELECT {shown} FROM customer GROUP BY member", 0.5)
    one = DiscreteLaplace(2.0)
    for place, (column, draws) in enumerate({"COUNT(*)": 2, "COUNT(level)": 1}.items(), 1):
        found = served(data, f"SELECT member, {column} AS n FROM customer GROUP BY member", 0.3)
        assert found is not None and found.reused is not None and found.reused.kind == "repeat"
        assert found.rows == [(row[0], row[place]) for row in groups.rows]
        assert found.intervals[0][1] == summed(one, draws).interval(0.95)
        total = served(data, f"SELECT {column} AS n FROM customer", 0.3)
        assert total is not None and total.reused is not None and total.reused.kind == "total"
        assert total.rows == [(sum(row[place] for row in groups.rows),)]  # type: ignore[misc]
        assert total.intervals == [(float(Summed(one, 2 * draws).interval(0.95)),)]


def test_a_count_is_not_read_beside_what_it_is_made_of() -> None:
    """One noise would be taken for two."""
    count = Counted("c", (0,), (1,), 99)
    other = Summands(frozenset(), (), (), ("a", "b"), (count,))

    def places(*measures: str) -> list[object] | None:
        return finer._measures(SimpleNamespace(measures=measures), other)  # type: ignore[arg-type,return-value]

    assert places("c") == [count]
    assert places("a", "b", "") == [0, 1, None]
    assert places("a", "c") is None
    assert places("d") is None


def test_uneven_sums_are_given_the_widest(data: Data) -> None:
    data.ask("SELECT level, member, COUNT(*) AS n FROM customer GROUP BY ALL", 0.5)
    text = "SELECT member, COUNT(*) AS n FROM customer WHERE member OR level = 'plus' GROUP BY 1"
    found = served(data, text, 0.5)
    assert found is not None
    wide = float(Summed(DiscreteLaplace(2.0), 4).interval(0.95))
    assert found.intervals == [(None, wide)] * 2


def test_a_larger_eps_than_that_of_the_groups_is_charged(data: Data) -> None:
    data.ask("SELECT level, COUNT(*) AS n FROM customer GROUP BY level", 1)
    total = "SELECT COUNT(*) AS n FROM customer"
    assert served(data, total, 1) is not None
    assert served(data, total, 1.1) is None
    found = served(data, total, 1)
    assert found is not None and found.reused is not None and found.reused.kind == "repeat"


def test_the_sum_is_that_of_the_groups_that_were_shown(data: Data) -> None:
    groups = data.ask("SELECT level, COUNT(*) AS n FROM customer GROUP BY level", 1)
    found = served(data, "SELECT COUNT(*) AS n FROM customer", 1)
    assert found is not None and found.rows == [(sum(row[1] for row in groups.rows),)]  # type: ignore[misc]
    some = served(data, "SELECT COUNT(*) AS n FROM customer WHERE level IS NULL", 1)
    assert some is not None and some.rows == [(dict(groups.rows)[None],)]  # type: ignore[arg-type]


def test_units_that_are_cut_down_do_not_add_up(tmp_path: Path) -> None:
    """A unit with three rows, one in each group, keeps one of them where R is 1: which of them
    depends on the others.
    """
    policy = """
unit: visits.person
budget: {eps: 1000}
tables:
  visits:
    access: private
    columns:
      person: {type: INTEGER, max_rows: 1}
      level: {type: "ENUM('a', 'b', 'c')", nullable: true}
"""
    file = tmp_path / "visits.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TYPE levels AS ENUM ('a', 'b', 'c')")
        connection.execute("CREATE TABLE visits (person INTEGER NOT NULL, level levels)")
        values = ", ".join(f"({n}, '{v}')" for n in range(100) for v in "abc")
        connection.execute(f"INSERT INTO visits VALUES {values}")
    data = Data(file, policy)
    fine = "SELECT level, COUNT(*) AS n FROM visits GROUP BY level"
    groups = data.ask(fine, 100)
    assert 50 < sum(row[1] for row in groups.rows) < 150  # type: ignore[misc]
    found = data.ask("SELECT COUNT(*) AS n FROM visits", 100)
    assert found.reused is None and found.rows[0][0] > 50  # type: ignore[operator]
    assert served(data, f"SELECT SUM(n) AS n FROM ({fine}) AS t", 100) is not None
    data.db.close()


@pytest.mark.parametrize(
    ("keys", "coarser", "again"),
    [
        ("member, age", "age", True),
        ("member, age, age > 50", "age", True),
        ("member, age // 9", "age // 9", True),
        ("member, age // 9, age > 50", "age // 9", False),
    ],
)
def test_coarser_answers_are_made_of_all_combinations_alone(
    data: Data, keys: str, coarser: str, again: bool
) -> None:
    """A row that breaks a claim may be in no combination, and is one of all rows nonetheless."""
    data.ask(f"SELECT {keys}, COUNT(*) FROM customer GROUP BY ALL")
    found = served(data, f"SELECT {coarser}, COUNT(*) FROM customer GROUP BY {coarser}", 0.5)
    assert (found is not None) == again
