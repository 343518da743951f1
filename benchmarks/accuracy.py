"""How far answers are off: sums over joins of TPC-H, sums of skewed data, averages of units that
are cut (with one clip and two), counts beside sums and averages of one column (measured together
and apart), distinct values; and what `alternatives` has.

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
import time
from collections.abc import Callable, Iterator, Sequence
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

import dpsql  # noqa: E402
from dpsql.core.account.amount import Cost  # noqa: E402
from dpsql.core.calibrate import choosing  # noqa: E402
from dpsql.core.calibrate.options import Options  # noqa: E402
from dpsql.core.noise.adaptive import AdaptiveLaplace  # noqa: E402
from dpsql.core.noise.laplace import DiscreteLaplace  # noqa: E402
from dpsql.core.release import decode  # noqa: E402
from dpsql.core.release import release as releasing  # noqa: E402
from dpsql.execution.noise import add_noise  # noqa: E402
from dpsql.platform.ledger.memory_ledger import MemoryLedger  # noqa: E402
from tests.support.draws import Known, known, repeated  # noqa: E402
from tests.tpch.data import database  # noqa: E402

EPS = Fraction(4, 5)
Table = dict[str, object]


@dataclass(frozen=True, slots=True)
class Query:
    """A scalar query, and the most that its mean error should be, in percent."""

    unit: str
    sql: str
    published: float
    adaptive: float
    static: float


ORDERS = "customer JOIN orders ON c_custkey = o_custkey"
LINES = f"{ORDERS} JOIN lineitem ON l_orderkey = o_orderkey"
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


def policy(unit: str, *, fan_outs: bool) -> dict[str, object]:
    """The tables that belong to a unit, with TPC-H's own bounds of values; with or without how
    many rows there are at most beside each key.
    """

    def to(kind: str, target: str, most: int) -> dict[str, object]:
        bound = {"max_rows": most} if fan_outs else {}
        return {"type": kind, "nullable": False, "references": target, **bound}

    key: dict[str, object] = {"type": "BIGINT", "nullable": False}
    date = {"type": "DATE", "nullable": False}
    quantity = {"type": "DECIMAL(15,2)", "nullable": False, "bounds": [1, 50]}
    lines: dict[str, object] = {"l_quantity": quantity, "l_shipdate": date}
    tables: dict[str, dict[str, object]]
    if unit == "customer":
        tables = {
            "customer": {"c_custkey": key},
            "orders": {
                "o_orderkey": key,
                "o_custkey": to("BIGINT", "customer.c_custkey", 50),
                "o_orderdate": date,
            },
            "lineitem": {"l_orderkey": to("BIGINT", "orders.o_orderkey", 7), **lines},
        }
    elif unit == "orders":
        tables = {
            "orders": {"o_orderkey": key},
            "lineitem": {"l_orderkey": to("BIGINT", "orders.o_orderkey", 7), **lines},
        }
    else:
        cost = {"type": "DECIMAL(15,2)", "nullable": False, "bounds": [1, 1000]}
        stock = {"type": "INTEGER", "nullable": False, "bounds": [1, 9999]}
        tables = {
            "supplier": {"s_suppkey": key},
            "partsupp": {
                "ps_suppkey": to("BIGINT", "supplier.s_suppkey", 80),
                "ps_supplycost": cost,
                "ps_availqty": stock,
            },
            "lineitem": {"l_suppkey": to("BIGINT", "supplier.s_suppkey", 700), **lines},
        }
    keys = {"customer": "c_custkey", "orders": "o_orderkey", "supplier": "s_suppkey"}
    made: dict[str, dict[str, object]] = {}
    for name, columns in tables.items():
        made[name] = {"access": "private", "columns": columns}
        if name in keys:
            made[name]["key"] = [keys[name]]
    return {"unit": f"{unit}.{keys[unit]}", "budget": {"eps": 1000}, "tables": made}


def opened(data: object, declared: dict[str, object]) -> dpsql.Database:
    ledger = MemoryLedger(Cost(Fraction(10**9)))
    return dpsql.connect(data, declared, ledger=ledger, memory_limit="2GB")  # type: ignore[arg-type]


def drawn(found: Known, draws: int) -> Iterator[Fraction]:
    """The answer, again and again."""
    (output,) = found.query.releases[0].outputs
    for _ in range(draws):
        (noisy,) = add_noise(found.query, 0, found.exact).noisy
        value = decode.value(output.formula, noisy)
        assert isinstance(value, Fraction)
        yield value


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
ROWS = {
    "pid": {"type": "BIGINT", "nullable": False},
    "x": {"type": "BIGINT", "nullable": False, "bounds": [0, 2**40]},
}
ONE_TABLE: dict[str, object] = {
    "unit": "people.pid",
    "budget": {"eps": 1000},
    "tables": {"people": {"access": "private", "key": ["pid"], "columns": ROWS}},
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


# --- counts and sums of one column --------------------------------------------------------------

PEOPLE = 10_000
BESIDE = {
    "COUNT, SUM, AVG of [0, 100], uniform": ("COUNT(*), SUM(x), AVG(x)", 0, 100, 1.0),
    "COUNT, SUM, AVG of [0, 100], near 0": ("COUNT(*), SUM(x), AVG(x)", 0, 100, 8.0),
    "COUNT, SUM, AVG of [20, 100], uniform": ("COUNT(*), SUM(x), AVG(x)", 20, 100, 1.0),
    "COUNT, SUM, AVG of [90, 100], uniform": ("COUNT(*), SUM(x), AVG(x)", 90, 100, 1.0),
    "AVG of [0, 100], uniform": ("AVG(x)", 0, 100, 1.0),
    "AVG of [0, 100], near 0": ("AVG(x)", 0, 100, 8.0),
    "COUNT and three averages": ("COUNT(*), AVG(x), AVG(y), AVG(2 * x + y)", 0, 100, 1.0),
}


def beside(draws: int, seed: int) -> None:
    """Standard errors of each column, measured together and apart; relative to the value."""
    print("| asked | column | as it is answered | apart | apart / as answered |")
    print("|---|---|---|---|---|")
    for name, (items, low, high, power) in BESIDE.items():
        generator = np.random.default_rng([seed, low, high])
        x = np.rint(low + (high - low) * generator.random(PEOPLE) ** power).astype(np.int64)
        y = generator.integers(0, 10, PEOPLE)
        listed = {"pid": np.arange(PEOPLE), "x": x, "y": y}  # read by its name, by DuckDB
        plain = duckdb.connect()
        plain.register("listed", listed)
        plain.execute("CREATE TABLE people AS SELECT * FROM listed")
        plain.unregister("listed")
        columns = {
            "pid": {"type": "BIGINT", "nullable": False},
            "x": {"type": "BIGINT", "nullable": False, "bounds": [low, high]},
            "y": {"type": "BIGINT", "nullable": False, "bounds": [0, 10]},
        }
        table = {"access": "private", "key": ["pid"], "columns": columns}
        declared = {**ONE_TABLE, "tables": {"people": table}}
        sql = f"SELECT {items} FROM people"
        truth = plain.execute(sql).fetchone() or ()
        with opened(plain, declared) as db:
            ours = _deviations(known(db, sql, EPS), truth, draws)
            with patch.object(choosing, "_tried", lambda pairs: ()):
                theirs = _deviations(known(db, sql, EPS), truth, draws)
        for column, one, other in zip(items.split(", "), ours, theirs, strict=True):
            cells = f"{100 * one:.3f} % | {100 * other:.3f} % | {other / one:.2f}"
            print(f"| {name} | {column} | {cells} |", flush=True)


def _deviations(found: Known, truth: tuple[object, ...], draws: int) -> list[float]:
    """The root of the mean square of each column's relative error, where it has a value."""
    squares, made = [0.0] * len(truth), [0] * len(truth)
    outputs = found.query.releases[0].outputs
    for noisy in add_noise(found.query, 0, repeated(found.exact, draws)).noisy:
        for place, (output, true) in enumerate(zip(outputs, truth, strict=True)):
            value = decode.value(output.formula, noisy)
            if value is not None:
                squares[place] += float(value / Fraction(float(true)) - 1) ** 2  # type: ignore[arg-type, operator]
                made[place] += 1
    return [math.sqrt(square / n) for square, n in zip(squares, made, strict=True)]


# --- moments ----------------------------------------------------------------------------------

MOMENTS = (
    *("VAR_POP(x)", "STDDEV_POP(x)", "COUNT(*), AVG(x), STDDEV_POP(x)", "VAR_POP(x), VAR_POP(y)"),
    *("COVAR_POP(y, x)", "CORR(y, x)", "REGR_SLOPE(y, x)", "REGR_R2(y, x)"),
)


def shapes(
    generator: np.random.Generator,
) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Values in [0, 1]."""
    return {
        "uniform": generator.random(PEOPLE),
        "central": generator.normal(0.5, 0.1, PEOPLE).clip(0, 1),
        "skewed": generator.exponential(0.05, PEOPLE).clip(0, 1),
        "narrow": generator.normal(0.75, 0.03, PEOPLE).clip(0, 1),
    }


def moments(draws: int, seed: int) -> None:
    """Root mean squares of what functions of moments are off by, as they are answered and apart."""
    print("| values | asked | column | as it is answered | apart | apart / as answered |")
    print("|---|---|---|---|---|---|")
    columns = {
        "pid": {"type": "BIGINT", "nullable": False},
        **{c: {"type": "BIGINT", "nullable": False, "bounds": [0, 1000]} for c in "xy"},
    }
    table = {"access": "private", "key": ["pid"], "columns": columns}
    generator = np.random.default_rng(seed)
    others = shapes(generator)
    for name, x in shapes(generator).items():
        y = 0.6 * x + 0.4 * others[name]
        listed = {
            "pid": np.arange(PEOPLE),
            "x": np.rint(1000 * x).astype(np.int64),
            "y": np.rint(1000 * y).astype(np.int64),
        }  # read by its name, by DuckDB
        plain = duckdb.connect()
        plain.register("listed", listed)
        plain.execute("CREATE TABLE people AS SELECT * FROM listed")
        plain.unregister("listed")
        with opened(plain, {**ONE_TABLE, "tables": {"people": table}}) as db:
            for items in MOMENTS:
                sql = f"SELECT {items} FROM people"
                truth = plain.execute(sql).fetchone() or ()
                ours = _deviations(known(db, sql, EPS), truth, draws)
                with patch.object(choosing, "_tried", lambda joints: ()):
                    theirs = _deviations(known(db, sql, EPS), truth, draws)
                split = items.split(", ") if "(y, x)" not in items else [items]
                for column, one, other in zip(split, ours, theirs, strict=True):
                    cells = f"{100 * one:.3f} % | {100 * other:.3f} % | {other / one:.2f}"
                    print(f"| {name} | {items} | {column} | {cells} |", flush=True)


# --- distinct values --------------------------------------------------------------------------

VALUES = {
    "parts": f"SELECT COUNT(DISTINCT l_partkey) AS n FROM {LINES}",
    "suppliers": f"SELECT COUNT(DISTINCT l_suppkey) AS n FROM {LINES}",
    "order dates": f"SELECT COUNT(DISTINCT o_orderdate) AS n FROM {ORDERS}",
    "clerks": f"SELECT COUNT(DISTINCT o_clerk) AS n FROM {ORDERS}",
    "comments": f"SELECT COUNT(DISTINCT l_comment) AS n FROM {LINES}",
    "parts of one supplier": f"SELECT COUNT(DISTINCT l_partkey) AS n FROM {LINES} "
    "WHERE l_suppkey = 1",
}
BETA = 0.05
LEVELS = (Fraction(1, 10), EPS, Fraction(5))


def generalised(
    capacities: Sequence[int], found: Sequence[int], draws: int, generator: np.random.Generator
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The answers of Knop and Steinke (2023), of the same matchings: half of ε chooses ℓ by the
    generalised exponential mechanism, the other half adds noise to C(ℓ).
    """
    eps, ell = float(EPS), np.array(capacities, dtype=float)
    count = np.array(found, dtype=float)
    low = count - 2 * ell / eps * math.log(1 / (2 * BETA))
    shifted = low - 4 * ell / eps * math.log(len(ell) / BETA)
    score = np.min((shifted[:, None] - shifted[None, :]) / (ell[:, None] + ell[None, :]), axis=1)
    weight = np.exp(eps / 4 * (score - score.max()))
    place = generator.choice(len(ell), draws, p=weight / weight.sum())
    return count[place] + generator.laplace(0, 2 * ell[place] / eps)


def timed(db: dpsql.Database, sql: str, options: Options) -> tuple[Known, float]:
    """The exact cells, and the least of three times that it took to compile and read them."""
    took = math.inf
    for _ in range(3):
        start = time.perf_counter()
        found = known(db, sql, EPS, options)
        took = min(took, time.perf_counter() - start)
    return found, took


def covered(found: Known, truth: int, draws: int) -> float:
    """How often the truth is within the half-width of the noise, at 95 %."""
    held = 0
    for _ in range(draws):
        made = add_noise(found.query, 0, found.exact)
        (noise, _), (row,) = made.noises[0], made.noisy
        held += abs(row.measures[0] - truth) <= noise.interval(0.95)
    return held / draws


def distinct(scale: str, draws: int, seed: int) -> None:
    head = "matched: mean | 95th | seconds | declared: mean | seconds | Knop, Steinke: mean"
    levels = " | ".join(f"within ± at ε = {float(eps):g}" for eps in LEVELS)
    print(f"| distinct | truth | {head} | {levels} |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    data, generator = database(scale), np.random.default_rng(seed)
    declared = policy("customer", fan_outs=True)
    more = {
        "orders": {"o_clerk": {"type": "VARCHAR", "nullable": False}},
        "lineitem": {
            "l_partkey": {"type": "BIGINT", "nullable": False},
            "l_suppkey": {"type": "BIGINT", "nullable": False},
            "l_comment": {"type": "VARCHAR", "nullable": False},
        },
    }
    for table, columns in more.items():
        declared["tables"][table]["columns"].update(columns)  # type: ignore[index]
    for name, sql in VALUES.items():
        with duckdb.connect(str(data), read_only=True) as plain:
            (truth,) = plain.execute(sql).fetchone() or (0,)
        with opened(data, declared) as db:
            found, took = timed(db, sql, Options())
            usual, usually = timed(db, sql, Options(clipping="declared"))
            within = [covered(known(db, sql, eps), truth, draws) for eps in LEVELS]
        off = [abs(float(value - truth)) for value in drawn(found, draws)]
        theirs = [abs(float(value - truth)) for value in drawn(usual, draws)]
        adapted = found.exact.clips[0]
        capacities = adapted.grid.thresholds
        taken, _ = adapted.evidence(len(capacities))
        other = np.abs(generalised(capacities, taken, 10_000, generator) - truth)
        ours = f"{statistics.fmean(off):,.1f} | {np.quantile(off, 0.95):,.1f} | {took:.2f}"
        rest = f"{statistics.fmean(theirs):,.1f} | {usually:.2f} | {float(np.mean(other)):,.1f}"
        held = " | ".join(f"{100 * part:.1f} %" for part in within)
        print(f"| {name} | {truth:,} | {ours} | {rest} | {held} |", flush=True)


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
        beside(100 * args.draws, args.seed)
    if args.only in (None, "moments"):
        print()
        moments(20 * args.draws, args.seed)
    if args.only in (None, "distinct"):
        print()
        distinct(args.scale, args.draws, args.seed)
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
