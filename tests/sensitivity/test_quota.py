"""Units that are cut down keep exactly their quota, whatever their rows; and answers stay right.

Each unit has groups of its own here, so that the groups' cells tell what was kept of each unit.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.core.calibrate import choosing
from dpsql.core.calibrate.options import Options
from dpsql.core.enforce import quota_sql
from dpsql.core.enforce.asked_cells import Chained
from dpsql.core.release.bound import Contribution, sensitivity
from dpsql.core.release.measures import Kind, Measure
from dpsql.core.release.shared import chains
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.support.draws import answers, known
from tests.support.edits import edit

QUOTA, LOW, HIGH = 5, -3, 2
UNITS, CELLS = 1_500, 4

POLICY = """
unit: t.id
budget: {eps: 1000000000000, delta: 0.01}
tables:
  t:
    access: private
    columns:
      id: {max_rows: 5, nullable: false}
      k: {}
      kind: {values: [a, b, c, d], nullable: false}
      x: {bounds: [-3, 2]}
      y: {bounds: [-0.03, 0.02]}
"""

Row = tuple[int, int, str, int | None, str | None]


@contextmanager
def opened(rows: list[Row], policy: str = POLICY) -> Iterator[dpsql.Database]:
    con = duckdb.connect(":memory:", config={"threads": "1"})
    con.execute("CREATE TABLE t (id INTEGER, k INTEGER, kind VARCHAR, x INTEGER, y DECIMAL(4,2))")
    columns = [list(column) for column in zip(*rows, strict=True)]
    con.execute(
        "INSERT INTO t SELECT unnest(?), unnest(?), unnest(?), unnest(?), unnest(?)", columns
    )
    ledger = MemoryLedger(Cost(Fraction(10**12), Fraction(1, 100)))
    with dpsql.connect(con, dpsql.Policy.parse(policy), ledger=ledger) as db:
        yield db


def drawn(units: int = UNITS) -> list[Row]:
    """Units with up to four cells of up to eight rows, many of them at an end of the range."""
    rng = random.Random(7)
    rows: list[Row] = []
    for unit in range(units):
        pool = rng.choice(([LOW], [HIGH], [None, LOW, -1, 0, 1, HIGH]))
        for cell in range(rng.randint(1, CELLS)):
            for _ in range(rng.randint(1, 8)):
                x = rng.choice(pool)
                y = None if x is None else f"{x / 100:.2f}"
                rows.append((unit, unit * CELLS + cell, rng.choice("abcd"), x, y))
    return rows


QUERY = (
    "SELECT k, COUNT(*), SUM(x), COUNT(x), SUM(y), COUNT(y), COUNT_IF(kind = 'a'), "
    "COUNT_IF(kind = 'b'), COUNT_IF(kind = 'c'), SUM(x) FILTER (WHERE kind = 'a'), "
    "SUM(x) FILTER (WHERE kind IN ('b', 'c')) FROM t GROUP BY k"
)


def kept(db: dpsql.Database, sql: str) -> dict[int, tuple[Fraction | None, ...]]:
    """What the cells of each group are, without noise."""
    found = known(db, sql, Fraction(1), Options(Fraction(1, 100)))
    made = answers(db, found.query, found.exact, noise=False)
    return {row[0]: tuple(row[1:]) for row in made.rows}  # type: ignore[misc, arg-type]


@pytest.mark.parametrize("shared", [False, True])
def test_every_unit_keeps_its_quota_and_no_sum_is_beyond_what_is_kept(
    shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where counts and sums are read from the same weights, counts are rounded to whole ones."""
    off_by = Fraction(1, 2) if shared else 0
    if not shared:
        monkeypatch.setattr(choosing, "_tried", lambda _: iter(()))
    rows = drawn()
    before: dict[int, list[Row]] = {}
    for row in rows:
        before.setdefault(row[1], []).append(row)
    with opened(rows) as db:
        after = kept(db, QUERY)
    totals: dict[int, int] = {}
    for row in rows:
        totals[row[0]] = totals.get(row[0], 0) + 1
    counts: dict[int, int] = {}
    off = 0.0
    for key, own in before.items():
        unit = key // CELLS
        cells = after.get(key)
        if cells is None:  # a group of which nobody keeps a row is no group
            off -= len(own) * QUOTA / totals[unit]
            continue
        n, x, c, y, cy, a, b, third, xa, xbc = (
            round((v or 0) * s)
            for v, s in zip(cells, (1, 1, 1, 100, 1, 1, 1, 1, 1, 1), strict=True)
        )
        assert n >= 1
        counts[unit] = counts.get(unit, 0) + n
        if totals[unit] <= QUOTA:
            values = [r[3] for r in own if r[3] is not None]
            kinds = [r[2] for r in own]
            assert (n, x, c, y) == (len(own), sum(values), len(values), sum(values))
            assert (a, b, third) == tuple(map(kinds.count, "abc"))
            continue
        off += n - len(own) * QUOTA / totals[unit]
        assert c <= n and cy <= n and a + b + third <= n
        for count, total in ((c + off_by, x), (cy + off_by, y)):
            assert LOW * count <= total <= HIGH * count
        assert abs(xa) + abs(xbc) <= n * max(-LOW, HIGH)  # of one family
    assert counts == {unit: min(total, QUOTA) for unit, total in totals.items()}
    assert abs(off) < 1e-6  # what is lost in one cell is kept in another


def test_rare_cells_keep_their_share() -> None:
    """One row in a cell beside 19 in another: one in four is kept, of a quota of five."""
    rows: list[Row] = []
    for unit in range(4_000):
        rows += [(unit, 0, "a", 1, "0.01")] + [(unit, 1, "b", 2, "0.02")] * 19
    with opened(rows) as db:
        cells = kept(db, "SELECT k, COUNT(*), SUM(x) FROM t GROUP BY k")
    share = float(cells[0][0] or 0) / 4_000
    assert abs(share - QUOTA / 20) < 4 * math.sqrt(0.25 * 0.75 / 4_000)
    assert cells[0][1] == cells[0][0]
    assert sum(int(c[0] or 0) for c in cells.values()) == 4_000 * QUOTA


def test_averages_and_spreads_are_those_of_the_rows() -> None:
    """1,000 units of 20 rows, cut to 5: their sums of 20 are not those of 5 rows at the bound."""
    rows: list[Row] = [
        (unit, 0, "abcd"[i % 4], (0, 1, 1, HIGH)[i % 4], "0.01")
        for unit in range(1_000)
        for i in range(20)
    ]
    texts = {
        "AVG(x)": 1.0,
        "VAR_POP(x)": 0.5,
        "AVG(y)": 0.01,
        "AVG(x) FILTER (WHERE kind = 'c')": 1.0,
        "COUNT_IF(kind = 'a') / COUNT(*)": 0.25,
        "COUNT(*)": 1_000 * QUOTA,
    }
    with opened(rows) as db:
        found = db.run(f"SELECT {', '.join(texts)} FROM t", eps=10**6).rows[0]
    assert [float(v) for v in found] == pytest.approx(list(texts.values()), rel=2e-2, abs=2e-2)


def check_apart() -> None:
    rows = drawn(40)
    others: list[Row] = [
        (-1 - unit, 100_000 + i, "b", 1, "0.01") for unit in range(20) for i in range(9)
    ]
    with opened(rows) as db:
        alone = kept(db, QUERY)
    for more in (others + rows, rows[::-1] + others):
        with opened(more) as db:
            found = kept(db, QUERY)
        assert {k: v for k, v in found.items() if k < 100_000} == alone


def test_what_is_kept_does_not_depend_on_others_or_on_the_order() -> None:
    check_apart()


def test_a_mutant_that_counts_places_over_all_units(monkeypatch: pytest.MonkeyPatch) -> None:
    edit("", quota_sql._up_to, "PARTITION BY cells.u ORDER BY", "ORDER BY cells.u,")(monkeypatch)
    with pytest.raises(AssertionError):
        check_apart()


def test_coarser_keys_that_stand_first_keep_the_same() -> None:
    rows = drawn(200)
    fine = "SELECT k, kind, COUNT(*) FROM t GROUP BY k, kind"
    with opened(rows) as db:
        coarse = kept(db, "SELECT k, COUNT(*) FROM t GROUP BY k")
        found = known(db, fine, Fraction(1), Options(Fraction(1, 100)))
        made = answers(db, found.query, found.exact, noise=False)
    sums: dict[int, int] = {}
    for key, _, n in made.rows:
        sums[key] = sums.get(key, 0) + int(n)  # type: ignore[call-overload, index]
    assert sums == {k: int(v[0] or 0) for k, v in coarse.items()}


def test_a_private_group_is_shown_with_the_units_that_keep_a_row() -> None:
    with opened(drawn(300)) as db:
        found = known(
            db, "SELECT k, COUNT(*) FROM t GROUP BY k", Fraction(1), Options(Fraction(1, 100))
        )
    (release,) = found.query.releases
    assert release.units is not None and release.cells is not None and release.cells.units
    counts = found.exact.values[
        next(i for i, m in enumerate(release.measures) if m.kind is Kind.ROWS)
    ]
    assert len(counts) > 300 and min(counts) >= 1
    assert set(found.exact.units or ()) == {1}


def measure(number: int, family: int) -> Measure:
    bound = Contribution(1, 0, 1, 1, 1, False)
    moved = sensitivity(bound, "add_remove")
    return Measure(Kind.VALUES, number, Fraction(1), 0, bound, moved, None, family)


@pytest.mark.parametrize(
    ("families", "wanted"),
    [
        ([[0], [1]], {}),
        ([[0, 1, 2]], {0: Chained(None), 1: Chained(0), 2: Chained(1)}),
        ([[2, 0, 1]], {2: Chained(None), 0: Chained(2), 1: Chained(0)}),
        ([[0, 1], [0, 1]], {0: Chained(None), 1: Chained(0)}),
        # 2 would stand after 1 or after 0: it is rounded down, and so is all that stands after it.
        (
            [[0, 1, 2, 3], [0, 2]],
            {0: Chained(None), 1: Chained(0), 2: Chained(None, True), 3: Chained(None, True)},
        ),
        (
            [[0, 1], [2, 1, 3], [3, 4]],
            {
                0: Chained(None),
                1: Chained(None, True),
                2: Chained(None),
                3: Chained(None, True),
                4: Chained(None, True),
            },
        ),
    ],
)
def test_chains(families: list[list[int]], wanted: dict[int, Chained]) -> None:
    made = [measure(i, 100 * f) for f, members in enumerate(families) for i in members]
    assert chains(tuple(made)) == wanted
