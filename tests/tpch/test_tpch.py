"""TPC-H at scale 0.01 with the customer as the unit: verdicts and answers."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.accounting import amount
from dpsql.accounting.amount import Cost
from dpsql.accounting.memory_ledger import MemoryLedger
from tests.tpch.data import database, query

POLICY = Path(__file__).with_name("policy.yaml")
RELEASED = (1, 5, 6, 7, 8, 9, 12, 14, 19)
PUBLIC = (2, 11, 16)
KEYS: dict[int | str, int] = {"priority": 1, 1: 2, 5: 1, 7: 3, 8: 1, 9: 2, 12: 1}
"""How many of the first columns are group keys."""

INDIVIDUALS = {3: "DP404", 10: "DP404", 18: "DP104"}
NOT_YET = (4, 13, 15, 17, 20, 21, 22)
PRIORITY = "SELECT o_orderpriority, COUNT(*), SUM(o_totalprice) FROM orders GROUP BY 1"

EPS = 10**11
"""So much that noise is below what is compared; out of reach of the public API."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("tpch") / "tpch.duckdb"
    shutil.copy(database("0.01"), copy)
    return copy


@pytest.fixture(params=["unverified", "verified"], scope="module")
def db(request: pytest.FixtureRequest, path: Path) -> Iterator[dpsql.Database]:
    ledger = MemoryLedger(Cost(Fraction(10**13)))
    if request.param == "verified":
        with dpsql.connect(path, POLICY, ledger=ledger) as unverified:
            assert unverified.verify().clean
    with dpsql.connect(path, POLICY, ledger=ledger) as opened:
        assert opened.verified == (request.param == "verified")
        yield opened
    path.with_name(path.name + ".dpsql-verified.json").unlink(missing_ok=True)


def plain(path: Path, text: str) -> list[tuple[object, ...]]:
    """DuckDB's own answer, from a copy, since the file is open."""
    copy = path.with_name("plain.duckdb")
    if not copy.exists():
        shutil.copy(database("0.01"), copy)
    with duckdb.connect(str(copy), read_only=True) as connection:
        return connection.execute(text).fetchall()


def same(left: object, right: object) -> bool:
    if isinstance(left, int | float | Decimal) and isinstance(right, int | float | Decimal):
        return math.isclose(float(left), float(right), rel_tol=1e-7, abs_tol=1e-2)
    return left == right


@pytest.mark.parametrize("number", [*RELEASED, "priority"])
def test_released_equals_duckdb(
    number: int | str, db: dpsql.Database, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(amount, "MAX_EPS", Fraction(EPS))
    text = PRIORITY if number == "priority" else query(int(number))
    answer = db.run(text, EPS)
    assert answer.explanation.kind == "released"
    keys = KEYS.get(number, 0)
    expected = {row[:keys]: row for row in plain(path, text)}
    found = {tuple(row[:keys]): row for row in answer.rows}
    assert len(found) == len(answer.rows)
    for key, row in expected.items():
        assert all(map(same, found[key], row)), (found[key], row)
    for key in found.keys() - expected.keys():  # a group of the domain that no row is in
        assert all(abs(v) < 0.5 for v in found[key][keys:] if isinstance(v, int))


@pytest.mark.parametrize("number", PUBLIC)
def test_public_is_exact_and_free(number: int, db: dpsql.Database, path: Path) -> None:
    before = db.budget.spent
    answer = db.run(query(number), 1)
    assert answer.explanation.kind == "public"
    assert list(answer.rows) == plain(path, query(number))
    assert db.budget.spent == before


@pytest.mark.parametrize("number", INDIVIDUALS)
def test_rows_of_individuals_are_rejected(number: int, db: dpsql.Database) -> None:
    with pytest.raises(dpsql.Rejected) as caught:
        db.explain(query(number), 1)
    assert caught.value.code == INDIVIDUALS[number]


@pytest.mark.parametrize("number", NOT_YET)
def test_what_is_not_modelled_yet_is_rejected(number: int, db: dpsql.Database) -> None:
    with pytest.raises(dpsql.Rejected):
        db.explain(query(number), 1)


def test_a_verified_bound_needs_no_unit(db: dpsql.Database) -> None:
    """With a record, Q1 and Q6 are plain scans; without one the unit is found and bounded."""
    sql = db.explain(query(6), 1).sql
    assert ("heavy" in sql or "o_custkey" in sql) == (not db.verified)
