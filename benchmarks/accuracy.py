"""How far answers are off: sums over joins of TPC-H, sums of skewed data, averages of units that
are cut (with one clip and two); and what `columns`, `distinct` and `alternatives` have.

    python benchmarks/accuracy.py [--scale 1] [--draws 200] [--samples 60] [--seed 2] [--only tpch]

ε = 0.8, δ = 0. The exact cells are read once; then the very mechanisms of the compiled query choose
the clip and draw the noise again and again, so that the error has the choice of the clip, what it
cuts off, and the noise.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

import duckdb
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "benchmarks"))

import alternatives  # noqa: E402
import columns  # noqa: E402
import distinct  # noqa: E402
from redrawn import EPS, LINES, ONE_TABLE, ORDERS, drawn, opened, policy  # noqa: E402

from dpsql.core.calibrate.options import Options  # noqa: E402
from dpsql.core.noise.adaptive import AdaptiveLaplace  # noqa: E402
from dpsql.core.noise.laplace import DiscreteLaplace  # noqa: E402
from dpsql.core.release import decode  # noqa: E402
from dpsql.core.release import release as releasing  # noqa: E402
from dpsql.execution.noise import add_noise  # noqa: E402
from tests.support.draws import Known, known  # noqa: E402
from tests.tpch.data import database  # noqa: E402

Table = dict[str, object]


@dataclass(frozen=True, slots=True)
class Query:
    """A scalar query, and the most that its mean error should be, in percent."""

    unit: str
    sql: str
    published: float
    adaptive: float
    static: float


QUERIES = {
    "3": Query(
        "customer",
        f"SELECT COUNT(*) FROM {LINES} "
        "WHERE o_orderdate < DATE '1997-01-01' AND l_shipdate > DATE '1994-01-01'",
        0.254,
        0.02,
        0.016,
    ),
    "10": Query("customer", f"SELECT COUNT(*) FROM {ORDERS}", 0.174, 0.01, 0.005),
    "11": Query(
        "supplier",
        "SELECT SUM(ps_supplycost * ps_availqty) FROM supplier JOIN partsupp "
        "ON s_suppkey = ps_suppkey",
        1.82,
        0.05,
        0.05,
    ),
    "12": Query(
        "orders",
        "SELECT COUNT(*) FROM orders JOIN lineitem ON l_orderkey = o_orderkey",
        0.023,
        0.001,
        0.0005,
    ),
    "18": Query("customer", f"SELECT SUM(l_quantity) FROM {LINES}", 0.132, 0.02, 0.016),
    "20": Query(
        "supplier",
        "SELECT COUNT(*) FROM supplier JOIN lineitem ON s_suppkey = l_suppkey",
        0.58,
        0.05,
        0.02,
    ),
}


def errors(found: Known, truth: Fraction, draws: int) -> list[float]:
    """Relative errors, in percent."""
    return [100 * float(abs(value - truth) / truth) for value in drawn(found, draws)]


def tpch(scale: str, draws: int) -> None:
    head = "adaptive: mean | 95th | at most | static: mean | 95th | at most | expected"
    print(f"| query | R2T | {head} |")
    print("|---|---|---|---|---|---|---|---|---|")
    data = database(scale)
    for name, query in QUERIES.items():
        with duckdb.connect(str(data), read_only=True) as plain:
            (exact,) = plain.execute(query.sql).fetchone() or (0,)
        cells = [name, f"{query.published} %"]
        for fan_outs, most in ((False, query.adaptive), (True, query.static)):
            with opened(data, policy(query.unit, fan_outs=fan_outs)) as db:
                found = known(db, query.sql, EPS)
            clipped = isinstance(found.query.planned[0].noise[0], AdaptiveLaplace)
            assert clipped != fan_outs
            off = errors(found, Fraction(exact), draws)
            cells += [f"{statistics.fmean(off):.5f} %", f"{np.quantile(off, 0.95):.5f} %"]
            cells += [f"{most:g} %"]
        # E|Z| of the static query's noise, which is all that its answer is off by.
        (noise,), unit = found.query.planned[0].noise, found.query.releases[0].measures[0].unit
        assert isinstance(noise, DiscreteLaplace)
        usual = float(unit) / math.sinh(1 / noise.scale) / float(exact)
        cells += [f"{100 * usual:.5f} %"]
        print("| " + " | ".join(cells) + " |", flush=True)


# --- skewed totals ----------------------------------------------------------------------------

UNITS = 100_000
MOST = 10**6
Draw = Callable[[np.random.Generator], "np.ndarray[tuple[int], np.dtype[np.int64]]"]


def zipf(exponent: float) -> Draw:
    """P(k) ∝ k^-exponent on 1 … 10^6, independent, by the inverse of the distribution function."""
    cumulated = np.cumsum(np.arange(1, MOST + 1, dtype=float) ** -exponent)

    def draw(generator: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return 1 + np.searchsorted(cumulated, generator.random(UNITS) * cumulated[-1])

    return draw


def lognormal(generator: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """exp(σZ) with σ = 2 and the median 100, rounded up."""
    return np.ceil(100 * np.exp(2 * generator.standard_normal(UNITS))).astype(np.int64)


SKEWED: dict[str, tuple[Draw, float]] = {
    "Zipf(1.5)": (zipf(1.5), 10),
    "Zipf(2)": (zipf(2.0), 25),
    "lognormal(σ = 2)": (lognormal, 5.5),
}


def best_clip(totals: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
    """The least mean error of a clip, were it known without looking: all of ε for the noise.

    E|b + Z| = |b| + s·exp(−|b|/s) for Laplace noise of scale s = τ/ε and the cut-off part b.
    """
    ordered = np.sort(totals).astype(float)
    below = np.concatenate(([0.0], np.cumsum(ordered)))
    grid = np.unique(2 ** np.arange(0, math.log2(ordered[-1]) + 0.01, 0.01))
    place = np.searchsorted(ordered, grid, side="right")
    lost = below[-1] - below[place] - (len(ordered) - place) * grid
    scale = grid / float(EPS)
    return float(np.min(lost + scale * np.exp(-lost / scale)) / below[-1] * 100)


def clipped(totals: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Known:
    """The sum of the totals of units, where each is clipped as the data says."""
    plain = duckdb.connect()
    listed = {"pid": np.arange(len(totals)), "x": totals}  # read by its name, by DuckDB
    plain.register("listed", listed)
    plain.execute("CREATE TABLE people AS SELECT * FROM listed")
    plain.unregister("listed")
    with opened(plain, ONE_TABLE) as db:
        return known(db, "SELECT SUM(x) FROM people", EPS, Options(clipping="adaptive"))


def skewed(draws: int, samples: int, seed: int) -> None:
    print("| totals | adaptive: mean | standard error | 95th | at most | best clip: mean |")
    print("|---|---|---|---|---|---|")
    for name, (draw, most) in SKEWED.items():
        means, every, best = [], [], []
        for sample in range(samples):
            totals = draw(np.random.default_rng([seed, sample]))
            off = errors(clipped(totals), Fraction(int(totals.sum())), draws)
            means.append(statistics.fmean(off))
            every += off
            best.append(best_clip(totals))
        spread = statistics.stdev(means) / math.sqrt(samples)
        print(
            f"| {name} | {statistics.fmean(means):.2f} % | {spread:.2f} | "
            f"{np.quantile(every, 0.95):.1f} % | {most:g} % | {statistics.fmean(best):.2f} % |",
            flush=True,
        )


# --- averages of units that are cut ---------------------------------------------------------------

Integers = np.ndarray[tuple[int], np.dtype[np.int64]]
Errors = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Shape = tuple[int, Callable[[np.random.Generator, int], Integers], str, int]
"""How many units, how many rows each has, what a row is worth, and at most."""


def pareto(generator: np.random.Generator, units: int) -> Integers:
    """Rows of units with a heavy tail: P(at least k) = k^-1.2, at most 2,000."""
    return np.minimum(generator.random(units) ** (-1 / 1.2), 2_000).astype(np.int64)


def twenty(_: np.random.Generator, units: int) -> Integers:
    return np.full(units, 20, dtype=np.int64)


AVERAGES: dict[str, Shape] = {
    "60 units, 20 rows, 40,000": (60, twenty, "40000", 500_000),
    "300 units, 20 rows, 40,000": (300, twenty, "40000", 500_000),
    "1,000 units, 20 rows, 40,000": (1_000, twenty, "40000", 500_000),
    "300 units, heavy tail, uniform": (300, pareto, "hash(i) % 501", 500),
    "1,000 units, heavy tail, uniform": (1_000, pareto, "hash(i) % 501", 500),
    "10,000 units, heavy tail, uniform": (10_000, pareto, "hash(i) % 501", 500),
    "10,000 units, heavy tail, near the middle": (10_000, pareto, "245 + hash(i) % 11", 500),
    "10,000 units, heavy tail, near 0": (10_000, pareto, "hash(i) % 11", 500),
}
CUT = ("COUNT(*)", "SUM(x)", "AVG(x)")


def averages(draws: int, seed: int) -> None:
    """Medians and 95th percentiles of the relative errors, with one clip for both and with two."""
    print("| rows | column | one clip: median | 95th | a clip each: median | 95th |")
    print("|---|---|---|---|---|---|")
    for name, (units, rows, value, high) in AVERAGES.items():
        off: dict[str, list[Errors]] = {"": [], "apart": []}
        for sample in range(5):
            sizes = rows(np.random.default_rng([seed, units, sample]), units)
            for way in off:
                off[way].append(_averaged(sizes, value, high, draws // 5, apart=bool(way)))
        found = [np.concatenate(parts) for parts in off.values()]
        for place, column in enumerate(CUT):
            cells = [f"{np.quantile(f[:, place], q):.1f} %" for f in found for q in (0.5, 0.95)]
            print(f"| {name} | {column} | {' | '.join(cells)} |", flush=True)


def _averaged(sizes: Integers, value: str, high: int, draws: int, *, apart: bool) -> Errors:
    plain = duckdb.connect()
    listed = {"pid": np.arange(len(sizes)), "n": sizes}  # read by its name, by DuckDB
    plain.register("listed", listed)
    plain.execute("CREATE TABLE people AS SELECT pid FROM listed")
    each = "SELECT pid, unnest(generate_series(1, n)) AS j FROM listed"
    rows = f"SELECT pid, 10000 * pid + j AS i FROM ({each})"
    plain.execute(f"CREATE TABLE visits AS SELECT pid, CAST({value} AS BIGINT) AS x FROM ({rows})")
    plain.unregister("listed")
    columns = {
        "pid": {"type": "BIGINT", "references": "people.pid"},
        "x": {"type": "BIGINT", "nullable": False, "bounds": [0, high]},
    }
    visits = {"visits": {"access": "private", "columns": columns}}
    one = {"people": {"access": "private", "key": ["pid"], "columns": {"pid": {"type": "BIGINT"}}}}
    declared = {"unit": "people.pid", "budget": {"eps": 1000}, "tables": {**one, **visits}}
    sql = f"SELECT {', '.join(CUT)} FROM visits"
    truth = plain.execute(sql).fetchone() or ()
    with opened(plain, declared) as db:
        found = known(db, sql, EPS)
        if apart:
            with patch.object(releasing, "with_one_clip", lambda *given: given[:2]):
                found = known(db, sql, EPS)
    assert len({m.family for m in found.query.releases[0].measures}) == 1 + apart
    formulas = [o.formula for o in found.query.releases[0].outputs]
    off = np.empty((draws, len(CUT)))
    for n in range(draws):
        (noisy,) = add_noise(found.query, 0, found.exact).noisy
        off[n] = [
            100 * abs(float(decode.number(f, noisy)) / float(t) - 1)  # type: ignore[arg-type]
            for f, t in zip(formulas, truth, strict=True)
        ]
    return off


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", default="1")
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--seed", type=int, default=2)
    rows = ("tpch", "skewed", "averages", "beside", "moments", "distinct")
    parser.add_argument("--only", choices=(*rows, "gaussian", "clip", "totals"))
    args = parser.parse_args()
    if args.only in (None, "tpch"):
        tpch(args.scale, args.draws)
    if args.only in (None, "skewed"):
        print()
        skewed(args.draws, args.samples, args.seed)
    if args.only in (None, "averages"):
        print()
        averages(args.draws, args.seed)
    if args.only in (None, "beside"):
        print()
        columns.beside(100 * args.draws, args.seed)
    if args.only in (None, "moments"):
        print()
        columns.moments(20 * args.draws, args.seed)
    if args.only in (None, "distinct"):
        print()
        distinct.distinct(args.scale, args.draws, args.seed)
    if args.only in (None, "gaussian"):
        print()
        alternatives.gaussian()
    if args.only in (None, "clip"):
        print()
        alternatives.clip(
            lambda totals: (float(value) for value in drawn(clipped(totals), args.draws)),
            args.draws,
            args.samples,
            args.seed,
        )
    if args.only in (None, "totals"):
        print()
        alternatives.totals()


if __name__ == "__main__":
    main()
