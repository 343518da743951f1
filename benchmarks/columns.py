"""Counts, sums, averages and moments of the columns of one table, measured together and apart.

python benchmarks/accuracy.py --only beside | moments
"""

from __future__ import annotations

import math
from fractions import Fraction
from unittest.mock import patch

import duckdb
import numpy as np
from redrawn import EPS, ONE_TABLE, opened

from dpsql.core.calibrate import choosing
from dpsql.core.release import decode
from dpsql.execution.noise import add_noise
from tests.support.draws import Known, known, repeated

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
