"""`Answer.interval`: half-widths at any confidence, against the exact distribution of the noise."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import duckdb
import pytest

import dpsql
from dpsql.compile import ReleasedQuery
from dpsql.core.account.amount import Cost
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.execution.accuracy import accuracy
from dpsql.execution.loaded import load
from dpsql.execution.noise import add_noise
from dpsql.execution.summed import Summed
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.result.made import answer
from tests.support.draws import known, repeated

POLICY = """
unit: people.pid
budget: {eps: 10, delta: 1e-4}
tables:
  people:
    access: private
    key: [pid]
    columns:
      pid: {type: INTEGER}
      grp: {type: VARCHAR, values: [a, b, c, d]}
      name: {type: VARCHAR}
      x: {type: INTEGER, bounds: [0, 100], nullable: false}
      y: {type: DOUBLE, bounds: [-1, 2], nullable: false}
      coin: {type: BOOLEAN, nullable: false, randomized: {truth: 0.5, yes: 0.5}}
"""
CONFIDENCES = [0.5, 0.9, 0.95, 0.99]


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE people AS SELECT i::INTEGER AS pid, ['a', 'b', 'c', 'd'][1 + i % 4] AS grp, "
        "'n' || (i % 3) AS name, (i * 7 % 101)::INTEGER AS x, (i * 13 % 300) / 100 - 1 AS y, "
        "i % 2 = 0 AS coin FROM range(4000) t(i)"
    )
    ledger = MemoryLedger(Cost(Fraction(10**9), Fraction(1)))
    policy = dpsql.Policy.parse(POLICY)
    with dpsql.connect(connection, policy, ledger=ledger, version="1") as opened:
        yield opened


def steps(kind: str, scale: float, confidence: float) -> int:
    """The least t with P(|Z| ≤ t) ≥ confidence, by adding up the masses."""

    def mass(z: int) -> float:
        return math.exp(-z / scale if kind == "laplace" else -z * z / (2 * scale * scale))

    far = math.ceil(60 * scale) if kind == "laplace" else math.ceil(12 * scale)
    masses = [mass(z) for z in range(far)]
    whole = 2 * math.fsum(masses) - masses[0]
    t, inside = 0, masses[0]
    while inside < confidence * whole:
        t += 1
        inside += 2 * masses[t]
    return t


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_it_is_exact_for_discrete_noise(db: dpsql.Database, kind: Any, confidence: float) -> None:
    for eps in (0.1, 0.7):
        for expression, factor in (("COUNT(*)", 1), ("5 - 2 * COUNT(*)", 2), ("SUM(x)", 1)):
            sql = f"SELECT grp, {expression} AS v FROM people GROUP BY grp"
            found = db.run(sql, eps, 1e-7, noise=kind, fresh=True)
            (release,) = found.explanation.releases
            assert (release.mechanism, release.step) == (kind, 1) and release.scale is not None
            t = factor * steps(kind, release.scale, confidence)
            assert found.interval("v", confidence) == (float(t),) * 4


def test_noise_that_is_mostly_nothing(db: dpsql.Database) -> None:
    """What is 0 at 95 % is not at 99.9 %: the number is not exact, and is not said to be."""
    found = db.run("SELECT COUNT(*) AS n FROM people", 5, fresh=True)
    assert found.intervals == ((0.0,),) and found.interval("n", 0.999) == (1.0,)
    assert found.noisy == (True,) and " ± 0\n" in str(found)


@pytest.mark.parametrize("text", ["COUNT(*)::VARCHAR", "CAST(AVG(x) AS VARCHAR)"])
def test_the_text_of_a_number_is_marked(db: dpsql.Database, text: str) -> None:
    found = db.run(f"SELECT {text} AS t FROM people", 1, fresh=True)
    assert found.noisy == (True,) and found.intervals == ((None,),)
    assert "\n≈ t: " in str(found)


QUERY = (
    "SELECT grp, 7 AS c, COUNT(*) AS n, AVG(x) AS mean, STDDEV(x) AS sd, SUM(x) / COUNT(*) AS q, "
    "MEDIAN(x) AS m FROM people GROUP BY grp ORDER BY grp DESC LIMIT 3"
)


def test_at_95_it_is_what_is_stored(db: dpsql.Database) -> None:
    found = db.run(QUERY, 1, fresh=True)
    assert found.accuracy is not None
    for place, name in enumerate(found.columns):
        stored = tuple(line[place] for line in found.intervals)
        assert found.interval(name) == found.interval(name, Decimal("0.95")) == stored
        # It would be computed the same.
        assert found.accuracy.widths(place, 0.95) == stored
    assert found.interval("grp", 0.9) == found.interval("c", 0.5) == (None,) * 3
    assert found.interval("m", 0.9) == (None,) * 3
    assert found.noisy == (False, False, True, True, True, True, True)


def test_it_grows_with_the_confidence(db: dpsql.Database) -> None:
    found = db.run(QUERY, 1, fresh=True)
    for name in ("n", "mean", "sd", "q"):
        columns = [found.interval(name, c) for c in (0.01, *CONFIDENCES, 1 - 2**-53)]
        for widths in zip(*columns, strict=True):
            assert list(widths) == sorted(widths) and widths[0] < widths[-1]  # type: ignore[type-var, operator]
    # An average is never further off than its range.
    assert all(w is not None and w <= 100 for w in found.interval("mean", 1 - 2**-53))


@pytest.mark.deep
@pytest.mark.parametrize("expression", ["AVG(x)", "SUM(x) / COUNT(*)", "STDDEV(y)"])
def test_coverage(db: dpsql.Database, expression: str) -> None:
    """Of 2,000 draws: 5 standard deviations are 5.6 points at 50 %, 1.1 at 99 %."""
    draws = 500
    held = known(db, f"SELECT grp, {expression} AS v FROM people GROUP BY grp", Fraction(1))
    query = held.query
    assert isinstance(query, ReleasedQuery)
    noisy = add_noise(query, 0, repeated(held.exact, draws))
    with db._scratches.take() as scratch:
        load(query, 0, noisy, scratch)
        rows = scratch.run(query.post_sql).rows
    connection = db._engine._connection  # type: ignore[attr-defined]
    truth = dict(
        connection.execute(f"SELECT grp, {expression} FROM people GROUP BY grp").fetchall()
    )
    widths = accuracy(query, [noisy], rows)
    for confidence in CONFIDENCES:
        reach = widths.widths(1, confidence)
        inside = sum(
            abs(float(row[1]) - truth[row[0]]) <= w  # type: ignore[arg-type, index, operator]
            for row, w in zip(rows, reach, strict=True)
        )
        spread = math.sqrt(confidence * (1 - confidence) / len(rows))
        assert abs(inside / len(rows) - confidence) < 5 * spread + 0.004, confidence


def test_coins_are_in_it(db: dpsql.Database) -> None:
    found = db.run("SELECT COUNT(*) AS n FROM people WHERE coin", 10**6)
    ((stored,),) = found.intervals
    assert stored is not None
    for confidence in (0.5, 0.99):
        ratio = NormalDist().inv_cdf((1 + confidence) / 2) / NormalDist().inv_cdf(0.975)
        assert found.interval("n", confidence) == (pytest.approx(stored * ratio, rel=1e-3),)


def test_a_clip_that_the_data_gives_is_in_it(db: dpsql.Database) -> None:
    found = db.run("SELECT SUM(x) AS s FROM people", 1, clipping="adaptive", fresh=True)
    ((stored,),) = found.intervals
    (half,), (more,) = found.interval("s", 0.5), found.interval("s", 0.99)
    assert half is not None and stored is not None and more is not None
    assert 0 < half < stored < more
    # Of Laplace noise the widths are as the logarithms of what is left out.
    assert more / stored == pytest.approx(math.log(0.01) / math.log(0.05), rel=0.02)


def test_stored_answers_have_it_too(db: dpsql.Database) -> None:
    fine = "SELECT grp, COUNT(*) AS k FROM people WHERE x > 3 GROUP BY grp ORDER BY grp"
    first, again = db.run(fine, 0.5), db.run(fine, 0.25)
    assert again.reused is not None and again.reused.kind == "repeat"
    one = DiscreteLaplace(2.0)
    subset = db.run("SELECT COUNT(*) AS k FROM people WHERE x > 3 AND grp = 'b'", 0.1)
    two = db.run("SELECT COUNT(*) AS k FROM people WHERE x > 3 AND grp IN ('a', 'b')", 0.1)
    assert subset.reused is not None and two.reused is not None
    for confidence in CONFIDENCES:
        widths = (float(one.interval(confidence)),) * 4
        assert first.interval("k", confidence) == again.interval("k", confidence) == widths
        assert subset.interval("k", confidence) == widths[:1]
        wide = float(Summed(one, 2).interval(confidence))
        assert two.interval("k", confidence) == (wide,) and wide > widths[0]


def test_a_copy_has_it_too(db: dpsql.Database) -> None:
    found = db.run("SELECT grp, COUNT(*) AS n FROM people GROUP BY grp", 0.3)
    for twin in (copy.copy(found), copy.deepcopy(found)):
        assert twin.interval("n", 0.9) == found.interval("n", 0.9)


@pytest.mark.parametrize("value", [0, 1, -0.1, 1.5, 95, math.nan, math.inf, -math.inf, 10**400])
def test_a_confidence_that_is_none(value: Any) -> None:
    made = answer(("BIGINT",), (1,), widths=(3.0,))
    for wrong in (value, Decimal(value)):
        with pytest.raises(ValueError, match=r"^a confidence is between 0 and 1, such as 0\.95$"):
            made.interval("c0", wrong)


@pytest.mark.parametrize("value", [True, False, "0.9", None, b"1", 1j, [0.9], Decimal])
def test_a_confidence_that_is_no_number(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^a confidence is a number between 0 and 1$"):
        answer(("BIGINT",), (1,), widths=(3.0,)).interval("c0", value)


def test_a_confidence_may_be_any_kind_of_number(db: dpsql.Database) -> None:
    found = db.run("SELECT COUNT(*) AS n FROM people", 0.3)
    wanted = found.interval("n", 0.5)
    assert found.interval("n", Fraction(1, 2)) == found.interval("n", Decimal("0.5")) == wanted  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="between 0 and 1"):
        found.interval("n", Decimal("sNaN"))


def test_answers_without_noise_rows_or_source(db: dpsql.Database) -> None:
    assert answer(("VARCHAR",), ("a",)).interval("c0", 0.5) == (None,)
    assert answer(("BIGINT",)).interval("c0", 0.5) == ()
    none = db.run("SELECT grp, COUNT(*) AS n FROM people GROUP BY grp HAVING COUNT(*) < -9999", 1)
    assert none.interval("n", 0.5) == none.interval("n") == ()
    assert none.noisy == (False, True)
    by_hand = answer(("BIGINT",), (1,), widths=(3.0,))
    assert by_hand.interval("c0") == (3.0,)
    with pytest.raises(ValueError, match="only the 95 % half-widths are known"):
        by_hand.interval("c0", 0.5)


NOISY: list[tuple[str, tuple[bool, ...]]] = [
    (
        "WITH a AS (SELECT grp, COUNT(*) AS n FROM people GROUP BY grp), "
        "b AS (SELECT grp, SUM(x) AS s FROM people GROUP BY grp) "
        "SELECT a.grp, s / n, 3, upper(a.grp) FROM a JOIN b ON a.grp = b.grp",
        (False, True, False, False),
    ),
    (
        "SELECT grp, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*)) FROM people GROUP BY grp",
        (False, True, True),
    ),
    ("SELECT MAX(n) FROM (SELECT grp, COUNT(*) AS n FROM people GROUP BY grp)", (True,)),
    (
        "SELECT grp, n FROM (SELECT grp, COUNT(*) AS n FROM people GROUP BY grp "
        "UNION ALL SELECT 'all', COUNT(*) FROM people)",
        (False, True),
    ),
    ("SELECT grp FROM people GROUP BY grp", (False,)),
    (
        "SELECT grp, COUNT(*) FROM people WHERE x > (SELECT AVG(x) FROM people) GROUP BY grp",
        (True, True),  # of a release that reads another nothing is known to be exact
    ),
]


@pytest.mark.parametrize(("sql", "noisy"), NOISY)
def test_which_columns_may_hold_noise(
    db: dpsql.Database, sql: str, noisy: tuple[bool, ...]
) -> None:
    assert db.run(sql, 1).noisy == noisy


def test_private_groups_are_exact_and_some_are_left_out(db: dpsql.Database) -> None:
    found = db.run("SELECT name, COUNT(*) AS n FROM people GROUP BY name", 1, 1e-6)
    assert found.noisy == (False, True)
    assert "\nleft out: groups of fewer than " in str(found)
    assert str(found).endswith("; exact: name)")


def test_what_is_the_same_on_all_neighbours_is_exact() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT i::INTEGER AS id, i % 7 AS x FROM range(10) r(i)")
    policy = dpsql.Policy.parse(
        "{unit: t.id, neighbours: replace, budget: {eps: 9}, tables: {t: {access: private, "
        "key: [id], rows: 10, columns: {id: {type: INTEGER}, x: {type: BIGINT, bounds: [0, 6], "
        "nullable: false}}}}}"
    )
    with dpsql.connect(connection, policy) as db:
        found = db.run("SELECT COUNT(*) AS n, SUM(x) AS s FROM t", 1)
    assert found["n"] == (10,) and found.interval("n", 0.999) == (0.0,)
    assert found.noisy == (False, True)
    assert str(found).endswith("; exact: n)")
