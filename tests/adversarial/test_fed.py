"""Released keys and numbers, read again: of every type, with the ends of each and any noise."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import duckdb
import pytest

import dpsql
from dpsql.compile import ReleasedQuery
from dpsql.core.account.amount import Cost
from dpsql.errors import Rejected
from dpsql.execution import run
from dpsql.execution.cells import ExactCells
from dpsql.execution.noise import NoisyRelease
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.session.database import Database
from tests.adversarial import fed
from tests.adversarial.fed import ALICE, FREE, KEYS, short
from tests.support.effort import DAY, some_of_each
from tests.support.unwatched import unwatched

FEW, MANY = 12, 500
"""How many random queries `make test` tries, and each part of `make test-deep`."""

ANY = (0, 1, -1, 255, 2**31, -(2**31) - 1, 2**62, 2**63 - 1, -(2**63), 12345678901)
"""What a noisy number may be."""


@lru_cache(maxsize=2)
def world(alice: bool) -> Database:
    """D, or D without customer 7."""
    made = duckdb.connect(":memory:")
    made.execute(fed.tables())
    made.execute(fed.rows([n for n in range(10) if alice or n != 7]))
    ledger = MemoryLedger(Cost(Fraction(10**9), Fraction(1)))
    return dpsql.connect(made, fed.policy(), ledger=ledger)


@pytest.fixture(autouse=True)
def any_noise(monkeypatch: pytest.MonkeyPatch) -> Iterator[random.Random]:
    """Half of all noisy numbers become extreme ones; the same ones in both worlds."""
    chosen = random.Random(0)
    right = run.add_noise

    def extreme(query: ReleasedQuery, place: int, exact: ExactCells) -> NoisyRelease:
        found = right(query, place, exact)
        for noisy in found.noisy:
            for number in range(len(noisy.measures)):
                if chosen.random() < 0.5:
                    noisy.measures[number] = chosen.choice(ANY)
        return found

    monkeypatch.setattr(run, "add_noise", extreme)
    with unwatched():
        yield chosen


def verdict(query: str, *, alice: bool) -> str:
    """What an analyst sees of a query: whether it is answered, and with which columns. Whatever
    else happens fails the test: no error is raised but a rejection of the query itself.
    """
    try:
        answer = world(alice).run(query, eps=1)
    except Rejected as rejected:
        told = str(rejected)
    else:
        return f"answered {answer.columns} {answer.types}"
    assert "does not take" not in told, query
    return told


@pytest.mark.parametrize("kind", some_of_each(KEYS, fed.kind_of, 2))
@pytest.mark.one_in(2)
def test_a_released_key_of_every_type_is_compared(kind: str) -> None:
    """With private columns of every type that it can be compared with, in one unit's rows alone;
    each comparison is evaluated, whatever the others are.
    """
    key, made = f"k_{short(kind)}", fed.kind_of(kind)
    alike = {made} if made not in ("date", "time") else {"date", "time"}
    others = [f"t.m_{short(other)}" for other in FREE if fed.kind_of(other) in alike]
    tests = [f"r.{'ka'[i % 2]} {sign} {o}" for i, o in enumerate(others) for sign in ("<", "=")]
    total = " + ".join(f"CASE WHEN {test} THEN 1 ELSE 0 END" for test in tests)
    most = "BOOL_OR" if kind == "BOOLEAN" else "MODE" if made == "text" else "MAX"
    query = (
        f"WITH r AS (SELECT {key} AS k, COUNT(*) AS c, {most}({key}) AS a FROM t GROUP BY {key}) "
        f"SELECT COUNT(*) AS n FROM t JOIN r ON t.{key} = r.k "
        f"WHERE CASE WHEN {ALICE} THEN {total} > r.c ELSE FALSE END"
    )
    told = verdict(query, alice=True)
    assert told.startswith("answered")
    assert told == verdict(query, alice=False)


COMPUTED = {
    "number": "k + 1|k - COUNT(*)|k * COUNT(*)|k / COUNT(*)|-k|k < COUNT(*)|abs(k)|k = 0.5|"
    "TRY_CAST(k AS TINYINT)|COALESCE(k, COUNT(*))|CAST(k AS DOUBLE)",
    "text": "concat(k, 'x')|length(k)|k = 'a'|TRY_CAST(k AS DATE)|TRY_CAST(k AS DECIMAL(3, 1))",
    "date": "k + INTERVAL 1 DAY|year(k)|k < TIMESTAMP '2024-01-01 12:00:00'|"
    "date_diff('day', k, DATE '2024-01-01')",
    "time": "k + INTERVAL 1 MONTH|CAST(k AS DATE)|k < DATE '2024-01-01'|hour(k)",
    "boolean": "NOT k|k AND COUNT(*) > 1|CAST(k AS INTEGER) + COUNT(*)",
}


@pytest.mark.parametrize("kind", some_of_each(KEYS, fed.kind_of, 2))
def test_a_released_key_of_every_type_is_computed_with(kind: str) -> None:
    """After the release."""
    key = f"k_{short(kind)}"
    outputs = COMPUTED[fed.kind_of(kind)].split("|")
    listed = [re.sub(r"\bk\b", key, f"{o} AS x{i}") for i, o in enumerate(outputs)]
    query = f"SELECT {key}, {', '.join(listed)} FROM t GROUP BY {key}"
    told = verdict(query, alice=True)
    assert told.startswith("answered"), told
    assert told == verdict(query, alice=False)


def test_having_of_a_narrow_key() -> None:
    for kind in KEYS:
        if fed.kind_of(kind) == "number":
            key = f"k_{short(kind)}"
            query = f"SELECT {key}, COUNT(*) FROM t GROUP BY {key} HAVING {key} < COUNT(*)"
            assert verdict(query, alice=True).startswith("answered")


@pytest.mark.parametrize("over", ["", " OVER ()"])
@pytest.mark.parametrize("column", ["p_date", "p_timestamp"])
def test_a_median_of_infinite_dates_beside_a_released_number(column: str, over: str) -> None:
    """The engine finds no moment between one and infinity."""
    calls = [f"MEDIAN({column})", *([] if over else [f"QUANTILE_CONT({column}, 0.3)"])]
    for call in calls:
        query = f"SELECT {call}{over} AS x FROM p JOIN (SELECT COUNT(*) AS c FROM t) r ON TRUE"
        assert verdict(query, alice=True).startswith("answered")


def explore(seeds: range, chosen: random.Random) -> None:
    """Random queries: no error, and the same verdict on both databases."""
    tally: Counter[str] = Counter()
    for seed in seeds:
        query = fed.query(seed)
        seen = []
        for alice in (True, False):
            chosen.seed(seed)
            seen.append(verdict(query, alice=alice))
        assert seen[0] == seen[1], query
        tally[seen[0].split(" ")[0]] += 1
    assert tally["answered"] >= len(seeds) / 3, tally


def test_random_queries(any_noise: random.Random) -> None:
    explore(range(FEW), any_noise)


@pytest.mark.deep
@pytest.mark.parametrize("part", range(2))
def test_random_queries_deep(part: int, any_noise: random.Random) -> None:
    """Other ones each day."""
    start = (2 * DAY + part) * MANY
    explore(range(start, start + MANY), any_noise)
