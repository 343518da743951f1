"""The whole way of a query, by the public API: it never fails, is charged what it says, and on data
that satisfies every claim its answer is the engine's own to the analyst's query."""

from __future__ import annotations

import atexit
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import isinf

import duckdb
import pytest
from sqlglot import exp

from dpsql.compile import Compiled, ReleasedQuery
from dpsql.core.account.amount import Cost
from dpsql.core.release.measures import Kind
from dpsql.core.release.picks import Grid, Pick
from dpsql.errors import EngineError
from dpsql.platform.engine import duckdb_open
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.proven import PublicQuery
from dpsql.report.result import Answer
from dpsql.session.database import Database as Session
from dpsql.types import Type
from tests.support.brute import but_simplest, repeat
from tests.support.databases import BROKEN, HOLD, PLAIN, Database, databases
from tests.support.effort import tries
from tests.support.loose import HALF, Loose, counted, divided, loosened, micros, wrapped
from tests.support.neighbours import worlds
from tests.support.noiseless import NO_NOISE, noiseless, ways
from tests.support.policies import Loaded, load
from tests.support.read_ranks import Between, between, moved
from tests.support.trees import tree_of
from tests.support.unwatched import unwatched

EXAMPLES = tries(1, 2)
TOLERANCE = 1e-6
NOISE = 1e-9
"""How much noise there is at no noise, as a part of what one unit can add."""
SPANS = (timedelta, time)


class Home:
    """A DuckDB database of one policy's tables, opened by dpsql; its contents can be replaced."""

    def __init__(self, loaded: Loaded) -> None:
        self.tables = loaded.schema.tables
        self._filled = set(self.tables)
        self.connection = duckdb.connect(":memory:")
        for table in self.tables.values():
            columns = ", ".join(f'"{c.name}" {c.type}' for c in table.stored)
            self.connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
            if table.rows is not None:  # is checked when the database is opened
                values = ", ".join(
                    "(" + ", ".join([f"'{n}'"] + ["NULL"] * (len(table.stored) - 1)) + ")"
                    for n in range(table.rows)
                )
                if table.private:
                    self.connection.execute(f'INSERT INTO "{table.name}" VALUES {values}')
                else:
                    self.connection.execute(
                        f'INSERT INTO "{table.name}" SELECT NULL, NULL FROM range({table.rows})'
                    )
        engine = duckdb_open.from_connection(self.connection)
        ledger = MemoryLedger(Cost(Fraction(10**30), Fraction(10**6)))
        self.session = Session(engine, loaded.policy, ledger, loaded.record)

    def run(self, query: str, eps: float, *, anew: bool = True) -> Answer:
        """The answer by the public API; compiled anew, since tests change the compiler.

        Drawn keys are keys.
        """
        if anew:
            self.session._analysis.kept.clear()
        with unwatched():
            return self.session.run(query, eps=eps)

    def fill(self, database: Database) -> None:
        """Replace all contents."""
        self.connection.execute("BEGIN")
        for low, table in self.tables.items():
            if low in self._filled or database[low]:
                self.connection.execute(f'DELETE FROM "{table.name}"')
            if database[low]:
                lists = ", ".join(
                    f"unnest(${i}::VARCHAR[])::{c.type}" for i, c in enumerate(table.stored, 1)
                )
                # What is looked up stands last, and is none of the data's.
                cells = [list(part) for part in zip(*database[low], strict=True)]
                cells = cells[: len(table.stored)]
                self.connection.execute(f'INSERT INTO "{table.name}" SELECT {lists}', cells)
        self.connection.execute("COMMIT")
        self._filled = {low for low in self.tables if database[low]}

    def spent(self) -> Fraction:
        """ε charged so far."""
        return self.session.budget.spent.exact.eps


@lru_cache(maxsize=16)
def home(policy: str) -> Home:
    """The database of a policy."""
    return Home(load(policy))


atexit.register(home.cache_clear)  # the connections, while the engine is still there


def check_answers(compiled: Compiled, policy: str, *, compare: bool) -> None:
    """Run the query on broken databases, and compare it with the engine on plain ones."""
    loaded, text = load(policy), compiled.text
    home(policy).session._analysis.kept.clear()  # once for all databases
    claims = HOLD if loaded.verified else BROKEN
    runs = but_simplest(lambda d: check_runs(compiled, policy, d))
    repeat(databases(loaded, text, claims), runs, EXAMPLES + 1)
    if not compare or "limit" in text.lower():
        return
    over = divides(text)
    equal = but_simplest(lambda d: check_equal(compiled, policy, d, quotient=over))
    repeat(databases(loaded, text, PLAIN), equal, EXAMPLES + 1)


def divides(text: str) -> bool:
    """Whether a query divides: by zero that is NULL, where the engine's is an infinity."""
    return tree_of(text).find(exp.Div) is not None


def fails_alike(compiled: Compiled, held: Home) -> bool:
    """Whether the engine itself fails at a public query of the rows that there are, such as at a
    sum that overflows; dpsql, which asks it the same, fails then, too, and it is free.
    """
    if not isinstance(compiled.query, PublicQuery):
        return False
    try:
        held.connection.execute(compiled.text).fetchall()
    except duckdb.DataError:
        before = held.spent()
        with pytest.raises(EngineError):
            held.run(compiled.text, eps=1)
        assert held.spent() == before, "a public query was charged"
        return True
    return False


def check_runs(compiled: Compiled, policy: str, database: Database) -> None:
    """It does not fail, but where a public query fails by itself, and is charged what it says."""
    held = home(policy)
    held.fill(worlds(database, load(policy))[0][0])
    if fails_alike(compiled, held):
        return
    before = held.spent()
    answer = held.run(compiled.text, eps=1, anew=False)
    assert held.spent() - before == compiled.cost.eps, "not charged what it says"
    assert compiled.cost.eps in (0, 1)
    assert all(len(row) == len(answer.columns) for row in answer.rows)


def reach_of(policy: str, text: str) -> float:
    """The most that one unit can add to a number of a query's releases, each measured apart."""
    with noiseless():
        releases = home(policy).session.explain(text, eps=NO_NOISE).releases
    return max((float(r.linf) for r in releases if r.linf is not None), default=0.0)


def step_of(compiled: Compiled) -> float:
    """How far apart the points are that a query's quantiles are read at: one, or a millionth of
    what its numbers can be.
    """
    releases = compiled.query.releases if isinstance(compiled.query, ReleasedQuery) else ()
    grids = [pick.grid for r in releases for pick in r.picks if isinstance(pick, Pick)]
    ranges = [grid.step for grid in grids if grid.options is None]
    return max((float(step) for step in ranges if isinstance(step, Fraction)), default=0.0)


def check_equal(
    compiled: Compiled, policy: str, database: Database, *, quotient: bool = False
) -> None:
    """Each row of the engine's answer is one of dpsql's; where groups of few units are left out,
    each of dpsql's is one of the engine's.

    Args:
        compiled: the query.
        policy: of the grammar tests.
        database: the rows.
        quotient: whether noisy numbers may be divided by zero.
    """
    held, text = home(policy), compiled.text
    off = reach_of(policy, text) * max(NOISE, *roundings(compiled))
    held.fill(worlds(database, load(policy))[0][0])
    if fails_alike(compiled, held):
        return
    expected: list[tuple[object, ...]] | None = None
    own, loose = loosened(text)
    # The engine's own query may fail where dpsql's is total.
    failures = (duckdb.Error,) if own == text else (duckdb.DataError,)
    with suppress(*failures):
        rows = held.connection.execute(
            counted(own) if "COUNT_IF" in own.upper() else own
        ).fetchall()
        expected = [wrapped(row, loose, step_of(compiled)) for row in rows]
        if (ends := extremes_of(compiled)) is not None:
            others = [_asked(held, other) for other in moved(own, ends)]
            expected = between(expected, others)
    if quotient and expected is not None:
        expected = [tuple(map(divided, row)) for row in expected]
    for eps, way in ways(compiled):
        with noiseless(way):
            answer = held.run(text, eps=eps, anew=False)
        if isinstance(compiled.query, ReleasedQuery) and _private(compiled.query):
            for mine in [] if expected is None else answer.rows:
                assert any(_same(row, mine, off) for row in expected or []), (
                    f"{mine} is not among {expected}"
                )
            continue
        for row in expected or []:
            assert any(_same(row, mine, off) for mine in answer.rows), (
                f"{row} is missing among {answer.rows}"
            )


def roundings(compiled: Compiled) -> Iterator[float]:
    """How far off a number is where the weights of two variables are measured, as a part of what
    one unit can add: each of the two is on 2^24 steps where their products had more than 2^48,
    and a moment is made of up to nine sums of them, some of which are subtracted.
    """
    yield 0.0
    for release in compiled.query.releases if isinstance(compiled.query, ReleasedQuery) else ():
        parts = (m for joint in release.pairable for m in joint.measures if m.kind is Kind.PART)
        if any(m.contribution.high > 2**44 for m in parts):
            yield 4 * 2.0**-24


def extremes_of(compiled: Compiled) -> dict[str, float] | None:
    """Of what a query's releases have the least or the greatest value, and how far from it a point
    of the grid is; None of those without order statistics.
    """
    releases = compiled.query.releases if isinstance(compiled.query, ReleasedQuery) else ()
    picks = [(r, p) for r in releases for p in r.picks if isinstance(p, Pick)]
    ranks = [(r.arguments[p.argument], p) for r, p in picks if p.kind == "quantiles"]
    ends = [(argument, p.grid) for argument, p in ranks if {0, 1} & {*p.shares}]
    return {a.text.lower(): _half(a.expr.type, grid) for a, grid in ends} if ranks else None


def _half(kind: Type, grid: Grid) -> float:
    """Half a step of numbers; 0 where each value is a point."""
    step = grid.step
    if grid.options is not None or not isinstance(step, Fraction):
        return 0.0
    finest = Fraction(1, 10 ** (kind.scale or 0))
    return 0.0 if step == finest and not kind.is_float else float(step) * HALF


def _asked(held: Home, text: str) -> list[tuple[object, ...]]:
    with suppress(duckdb.Error):
        return held.connection.execute(text).fetchall()
    return []


def _private(query: ReleasedQuery) -> bool:
    return any(release.domain.private for release in query.releases)


def _same(row: tuple[object, ...], mine: tuple[object, ...], off: float) -> bool:
    return all(_equal(a, b, off) for a, b in zip(row, mine, strict=True))


def _equal(theirs: object, mine: object, off: float) -> bool:
    """NULL as the sum or average of nothing is a number here; so is NaN, where nothing varies."""
    if isinstance(theirs, Between):
        return _equal(theirs.own, mine, off) or _within(theirs, mine, off)
    if isinstance(theirs, Loose):
        return theirs.allows(mine)
    if theirs is None or theirs != theirs:
        of_nothing = NUMBER.fullmatch(mine) is not None if isinstance(mine, str) else True
        return of_nothing and not isinstance(mine, bool)
    if isinstance(theirs, datetime) and isinstance(mine, datetime):
        return _equal(0.0, (mine - theirs) / timedelta(microseconds=1), off)
    if isinstance(theirs, SPANS) and isinstance(mine, SPANS):
        return _equal(micros(theirs), micros(mine), off)
    if isinstance(theirs, str) and isinstance(mine, str):
        return _same_text(theirs, mine, off)
    if isinstance(theirs, bool | str) or not hasattr(theirs, "__float__"):
        return theirs == mine
    if mine is None or not hasattr(mine, "__float__"):
        return False
    if isinf(float(theirs)):
        return theirs == mine
    close = TOLERANCE * max(1.0, abs(float(theirs))) + off
    return abs(float(theirs) - float(mine)) <= close


def _within(theirs: Between, mine: object, off: float) -> bool:
    """Whether an answer lies between those of values that are a row away."""
    ends = [_ordered(value) for value in (theirs.own, *theirs.others)]
    known, here = [end for end in ends if end is not None], _ordered(mine)
    if here is None or not known:
        return False
    low, high = min(known), max(known)
    return low <= here <= high or any(_equal(end, here, off) for end in (low, high))


def _ordered(value: object) -> float | None:
    """A number, or a moment as one, in days; of anything else nothing lies between."""
    if isinstance(value, datetime):
        return (value - datetime(1, 1, 1)) / timedelta(days=1)
    if isinstance(value, date):
        return float((value - date(1, 1, 1)).days)
    known = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    return float(value) if known else None  # type: ignore[arg-type]


def _same_text(theirs: str, mine: str, off: float) -> bool:
    """The same words, and in them the same numbers: those of a fraction to as much as numbers are
    alike, since a text that is made of a noisy number has all its digits.
    """
    if FRACTION.sub("", theirs) != FRACTION.sub("", mine):
        return False
    pairs = zip(FRACTION.findall(theirs), FRACTION.findall(mine), strict=False)
    return all(a == b or _equal(float(a), float(b), off) for a, b in pairs)


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?")
"""A text that is made of the mean of nothing."""

FRACTION = re.compile(r"-?\d+\.\d+(?:e[-+]\d+)?")


def check_public(compiled: Compiled, policy: str) -> None:
    """A public query is the engine's own answer, and free."""
    loaded, held, text = load(policy), home(policy), compiled.text

    def equals(database: Database) -> None:
        held.fill(worlds(database, loaded)[0][0])
        if fails_alike(compiled, held):
            return
        before = held.spent()
        answer = held.run(text, eps=1)
        assert held.spent() == before, "a public query was charged"
        expected = held.connection.execute(text).fetchall()
        assert sorted(map(repr, answer.rows)) == sorted(map(repr, expected))

    repeat(databases(loaded, text, PLAIN), but_simplest(equals), EXAMPLES + 1)
