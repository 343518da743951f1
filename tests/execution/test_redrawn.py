"""Half-widths of what is computed of several noisy rows: the noise is drawn again."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import duckdb
import pytest

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.errors import EngineError
from dpsql.execution import redrawn
from dpsql.execution.loaded import table_columns
from dpsql.execution.noise import add_noise
from dpsql.execution.redrawn import half_width
from dpsql.execution.unknown_widths import TOO_MUCH
from dpsql.platform.engine.scratch import Scratch
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.types import Type
from tests.support.draws import held, known_all
from tests.support.unwatched import unwatched

POLICY = """
unit: people.pid
budget: {eps: 10}
tables:
  people:
    access: private
    key: [pid]
    columns:
      pid: {type: INTEGER}
      g: {type: INTEGER, values: [1, 2, 3, 4, 5], nullable: false}
      h: {type: VARCHAR, values: [a, b]}
      x: {type: INTEGER, bounds: [0, 100], nullable: false}
"""
COUNTS = "(SELECT g, COUNT(*) AS n FROM people GROUP BY g)"


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE people AS SELECT i::INTEGER AS pid, (1 + i % 5)::INTEGER AS g, "
        "['a', 'b', NULL][1 + i % 3] AS h, (i * 7 % 101)::INTEGER AS x FROM range(3000) t(i)"
    )
    ledger = MemoryLedger(Cost(Fraction(10**9)))
    with dpsql.connect(
        connection, dpsql.Policy.parse(POLICY), ledger=ledger, version="1"
    ) as opened:
        yield opened


FAMILIES = (
    "SELECT g, COUNT(*) AS n, LAG(COUNT(*)) OVER (ORDER BY g) AS v FROM people GROUP BY g",
    "SELECT g, SUM(COUNT(*)) OVER (ORDER BY g) AS v FROM people GROUP BY g",
    "SELECT g, COUNT(*) / SUM(COUNT(*)) OVER () AS v FROM people GROUP BY g",
    "SELECT g, h, COUNT(*) AS v, AVG(x) AS a FROM people GROUP BY ROLLUP (g, h)",
    f"SELECT SUM(n) AS v, MAX(n) AS m FROM {COUNTS} AS c",
    f"SELECT c.g, c.n - b.n AS v FROM {COUNTS} AS c JOIN {COUNTS} AS b ON c.g = b.g + 1",
    f"SELECT c.g, b.n AS v FROM {COUNTS} AS c LEFT JOIN {COUNTS} AS b ON c.g = b.g + 1",
    f"SELECT g, n AS v FROM {COUNTS} AS c WHERE n > (SELECT AVG(n) FROM {COUNTS} AS b)",
    f"SELECT SUM(n) AS v FROM (SELECT * FROM {COUNTS} AS c ORDER BY n DESC LIMIT 2) AS d",
    f"SELECT g, RANK() OVER (ORDER BY n DESC) AS v FROM {COUNTS} AS c",
    "SELECT COUNT(*) AS v FROM people UNION ALL SELECT SUM(x) FROM people",
    "SELECT (SELECT SUM(x) FROM people) / (SELECT COUNT(*) FROM people WHERE x > 50) AS v",
    f"SELECT DISTINCT n // 100 AS v FROM {COUNTS} AS c",
    f"SELECT COUNT(*) AS v FROM {COUNTS} AS c WHERE n < 0",
)


@pytest.mark.parametrize("sql", FAMILIES)
@pytest.mark.one_in(3)
def test_all_runs_at_once_are_the_runs_one_by_one(db: dpsql.Database, sql: str) -> None:
    """The engine's LATERAL joins: of every operator that a plan above releases has."""
    found, runs = known_all(db, sql, Fraction(1, 10)), 5
    query, columns = found.query, range(len(found.query.shown.columns))
    noisy = [add_noise(query, n, exact) for n, exact in enumerate(found.exact)]
    with Scratch() as scratch:
        names = redrawn._load(query, noisy, runs, scratch)
        text = redrawn._sql(query, names, list(columns), runs)
        together = scratch.run(text).rows
        for run in range(runs):
            with Scratch() as alone:
                for number, _ in enumerate(noisy):
                    fields = [(f, str(kind)) for f, kind in table_columns(query, number)]
                    name = query.releases[number].table
                    wanted = ", ".join(f'"{f}"' for f, _ in fields)
                    part = f'SELECT {wanted} FROM "{names[name]}" WHERE {redrawn.WORLD} = {run}'
                    alone.load(name, fields, scratch.run(part).rows)
                one = alone.run(query.post_sql).rows
            same = [row[1:] for row in together if row[0] == run]
            assert sorted(map(repr, same)) == sorted(map(repr, one))
            assert query.trace is not None or len({repr(row) for row in one}) == len(one)


@pytest.mark.parametrize("noise", [DiscreteLaplace(1.0), DiscreteLaplace(40.0)])
@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95, 0.99, 0.999])
def test_one_laplace_noise_has_its_own_half_width(
    noise: DiscreteLaplace, confidence: float
) -> None:
    drawn = redrawn._quantiles(noise.kind, noise.scale, redrawn.RUNS)
    found = half_width(sorted(map(float, map(abs, drawn))), confidence)
    assert found == pytest.approx(noise.interval(confidence), rel=0.03, abs=1)
    assert sum(drawn) == 0


def test_one_gaussian_noise_has_its_own_half_width() -> None:
    noise = DiscreteGaussian(40.0)
    drawn = redrawn._quantiles(noise.kind, noise.scale, redrawn.RUNS)
    off = sorted(map(float, map(abs, drawn)))
    assert half_width(off, 0.95) == pytest.approx(noise.interval(0.95), rel=0.02)
    further = half_width(off, 0.999)
    assert further is not None and further > noise.interval(0.999)


def test_the_quantiles_are_those_of_the_law() -> None:
    for z in range(5):
        noise = DiscreteLaplace(2.0)
        above = noise.tail(z) / 2
        assert redrawn._above("laplace", 2.0, above * (1 + 1e-9)) == z
        assert redrawn._above("laplace", 2.0, above * (1 - 1e-9)) == z + 1


def test_a_count_beside_a_window_keeps_its_exact_half_width(db: dpsql.Database) -> None:
    alone = db.run("SELECT g, COUNT(*) AS n FROM people GROUP BY g", 0.1)
    beside = db.run(
        "SELECT g, COUNT(*) AS n, COUNT(*) / SUM(COUNT(*)) OVER () AS s FROM people GROUP BY g", 0.1
    )
    assert beside.interval("n") == alone.interval("n") == (30.0,) * 5
    assert all(0 < w < 0.1 for w in beside.interval("s") if w is not None)  # 10 * 3/3000, about
    assert beside.noisy == (False, True, True)


def test_keys_of_rollups_are_exact(db: dpsql.Database) -> None:
    answer = db.run("SELECT g, h, COUNT(*) AS n FROM people GROUP BY ROLLUP (g, h)", 1)
    assert answer.noisy == (False, False, True)
    assert all(width is not None for width in answer.interval("n"))
    widths = dict(zip([row[:2] for row in answer.rows], answer.interval("n"), strict=True))
    assert widths[1, "a"] < widths[1, None] < widths[None, None]  # type: ignore[operator]


def test_keys_that_are_noisy_are_not_exact(db: dpsql.Database) -> None:
    answer = db.run(f"SELECT n // 100 AS k, COUNT(*) AS groups FROM {COUNTS} AS c GROUP BY 1", 1)
    assert answer.noisy == (True, True)


def test_a_stored_answer_has_the_same_half_widths_again(db: dpsql.Database) -> None:
    sql = "SELECT g, SUM(COUNT(*)) OVER (ORDER BY g) AS s FROM people GROUP BY g"
    first, again = db.run(sql, 0.3), db.run(sql, 0.3)
    assert again.reused is not None and first.intervals == again.intervals
    assert first.interval("s", 0.8) == again.interval("s", 0.8)
    with unwatched():
        fresh = db.run(sql, 0.3, fresh=True)
    assert fresh.intervals != first.intervals


def test_of_rows_that_cannot_be_told_apart_none_is_known() -> None:
    off = redrawn._off(
        [(1, 5), (1, 6), (2, 7)], [(i, 9, k) for k in (1, 2) for i in range(5)], [1], [0], 4
    )
    assert [o is not None for o in off[1]] == [False, False, True]


def test_rows_that_are_rarely_there_have_none() -> None:
    found = [(i, 8, "a") for i in range(11)] + [(i, 8, "b") for i in (0, 1, 2, 3, 10)]
    off = redrawn._off([("a", 5), ("b", 5)], found, [1], [0], 10)
    assert off[1][0] is not None and off[1][1] is None


def test_what_fails_takes_no_answer_away(
    db: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> Any:
        raise EngineError("no")

    monkeypatch.setattr(redrawn, "_load", failing)
    answer = db.run(f"SELECT SUM(n) AS v FROM {COUNTS} AS c", 0.2)
    assert answer.intervals == ((None,),) and answer.reasons == (TOO_MUCH,)
    assert f"≈ v: {TOO_MUCH}" in str(answer)


def test_too_many_numbers_are_not_drawn_again(
    db: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("WORK", "STEPS"):
        with monkeypatch.context() as patch:
            patch.setattr(redrawn, name, 5 * redrawn.FEWEST - 1)
            assert db.run(f"SELECT SUM(n) AS v FROM {COUNTS} AS c", 0.2).intervals == ((None,),)


def test_what_is_made_of_many_measures_is_more_work(
    db: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[int] = []
    load = redrawn._load

    def noted(query: Any, released: Any, count: int, *rest: Any) -> dict[str, str]:
        runs.append(count)
        return load(query, released, count, *rest)

    monkeypatch.setattr(redrawn, "_load", noted)
    monkeypatch.setattr(redrawn, "WORK", 10_000)
    for of in ("COUNT(*)", "VAR_POP(x)"):
        db.run(
            f"SELECT RANK() OVER (ORDER BY v) AS r FROM (SELECT g, {of} AS v FROM people "
            "GROUP BY g)",
            1,
        )
    assert redrawn.FEWEST <= runs[-1] < runs[0]


def test_nothing_is_drawn_again_where_derivatives_do(
    db: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redrawn, "_load", None)
    answer = db.run("SELECT g, COUNT(*) AS n, AVG(x) AS a FROM people GROUP BY g", 1)
    assert all(None not in row[1:] for row in answer.intervals)


def test_what_is_picked_says_how_good_it_is(db: dpsql.Database) -> None:
    answer = db.run("SELECT MEDIAN(x) AS m, MIN(x) AS low, MODE(h) AS h FROM people", 1)
    said = str(answer)
    assert "≈ m: within " in said and "rows of the rank that was asked for, at 95 %" in said
    assert "≈ low: within " in said and " from the end, at 95 %" in said
    assert "≈ h: within " in said and "rows of the most frequent, at 95 %" in said
    explained = db.explain("SELECT MEDIAN(x) AS m FROM people", 1).releases[0]
    alone = db.run("SELECT MEDIAN(x) AS m FROM people", 1)
    assert f"within {explained.interval():,.0f} rows" in (alone.reasons[0] or "")
    computed = db.run("SELECT 2 * MEDIAN(x) AS m, COUNT(*) AS n FROM people", 1)
    assert computed.intervals[0][0] is None and computed.intervals[0][1] is not None
    assert computed.reasons[0] is not None and computed.reasons[1] is None


@pytest.mark.parametrize(("call", "order"), [("MIN(x)", "<"), ("MAX(x)", ">")])
def test_an_extreme_value_says_which_rank_it_is(db: dpsql.Database, call: str, order: str) -> None:
    """It is moved inwards: the words say by how much."""
    found = re.compile(r"within (\d+) rows? of the rank (\d+) from the end, at 95 %")
    sides = "COUNT_IF(x {0} {1}), COUNT_IF(x {0}= {1})"
    held = 0
    with db._engine.snapshot() as snapshot:
        for _ in range(100):
            answer = db.run(f"SELECT {call} FROM people", 1, fresh=True)
            words = found.fullmatch(answer.reasons[0] or "")
            assert words is not None
            off, rank = map(int, words.groups())
            asked = sides.format(order, answer.rows[0][0])
            ((beyond, reached),) = snapshot.rows(f"SELECT {asked} FROM memory.people")
            held += beyond - off <= rank <= reached + off
    assert held >= 87  # of 95 expected, less by chance than once in a thousand


def test_a_text_of_noisy_numbers_has_none(db: dpsql.Database) -> None:
    answer = db.run("SELECT CASE WHEN COUNT(*) > 10 THEN 'many' ELSE 'few' END AS t FROM people", 1)
    assert answer.intervals == ((None,),) and "made of noisy numbers" in (answer.reasons[0] or "")


def test_what_is_read_of_another_release_is_said(db: dpsql.Database) -> None:
    answer = db.run("SELECT COUNT(*) AS n FROM people WHERE x > (SELECT AVG(x) FROM people)", 1)
    assert answer.intervals[0][0] is not None
    assert "conditions on noisy numbers are taken as they were told" in str(answer)
    assert "taken as they were told" not in str(db.run("SELECT COUNT(*) AS n FROM people", 1))


def test_confidences_grow(db: dpsql.Database) -> None:
    answer = db.run(f"SELECT SUM(n) AS v FROM {COUNTS} AS c", 0.2)
    found = [answer.interval("v", c)[0] for c in (0.5, 0.8, 0.95, 0.99, 0.999)]
    assert all(w is not None for w in found) and found == sorted(found)  # type: ignore[type-var]
    assert answer.interval("v") == (answer.intervals[0][0],)


DRAWS = 60


@pytest.mark.deep
@pytest.mark.parametrize("sql", FAMILIES[:3])
def test_coverage(db: dpsql.Database, sql: str) -> None:
    """Of numbers that are linear in their noise, or nearly: five standard deviations, as if each
    answer had one number, since those of one share their noise. 80 % and less would be caught.
    """
    seen = held(db, known_all(db, sql, Fraction(1, 10)), DRAWS)
    off = [pair for (name, _), pairs in seen.items() if name == "v" for pair in pairs]
    inside = sum(width is not None and o <= width for o, width in off) / len(off)
    assert inside > 0.95 - 5 * math.sqrt(0.95 * 0.05 / DRAWS)


BOUNDED = """
unit: people.pid
budget: {eps: 10}
tables:
  people: {access: private, key: [pid], columns: {pid: {type: INTEGER}}}
  visits:
    access: private
    columns:
      pid: {type: INTEGER, references: people.pid, max_rows: 5}
      x: {type: INTEGER, bounds: [0, 20], nullable: false}
"""


@pytest.mark.parametrize(
    ("sql", "cut"),
    [
        ("SELECT COUNT(*) FROM people", []),
        ("SELECT COUNT(*) FROM visits", ["at most 5 rows of each unit count"]),
        (
            "SELECT SUM(x) FROM visits",
            ["at most 5 rows of each unit count", "x is clamped to [0, 20]"],
        ),
        ("SELECT MEDIAN(x) FROM visits", ["at most 5 rows of each unit count"]),
        ("SELECT COUNT(*) FROM visits WHERE x > 3", ["at most 5 rows of each unit count"]),
    ],
)
def test_what_is_cut_is_said(sql: str, cut: list[str]) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE people AS SELECT 1::INTEGER AS pid")
    connection.execute("CREATE TABLE visits AS SELECT 1::INTEGER AS pid, 7::INTEGER AS x")
    with dpsql.connect(connection, dpsql.Policy.parse(BOUNDED)) as opened:
        answer = opened.run(sql, 1)
        said = [part for release in answer.explanation.releases for part in release.cut]
        assert list(dict.fromkeys(said)) == cut
        assert (f"{'; '.join(cut)}: what that cuts off is in no ±" in str(answer)) == bool(cut)


@pytest.mark.parametrize("kind", ["TINYINT", "INTEGER", "BIGINT", "HUGEINT", "UBIGINT", "DECIMAL"])
@pytest.mark.parametrize("end", [0, 1])
def test_the_most_of_a_type_is_of_that_type(kind: str, end: int) -> None:
    """2^63 - 1 is no float, and the float nearest to it is no BIGINT."""
    of = Type("DECIMAL", 38, 2) if kind == "DECIMAL" else Type(kind)
    limits = of.limits()
    assert limits is not None
    found = redrawn._inside(limits[end])
    assert abs(limits[end]) * (1 - Fraction(1, 2**49)) <= abs(found) <= abs(limits[end])
    with Scratch() as scratch:
        scratch.load("t", [("x", str(of))], [(round(found) if of.is_integer else found,)])
        assert len(scratch.run("SELECT x FROM t").rows) == 1
