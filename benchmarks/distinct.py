"""Counts of distinct values over the joins of TPC-H, matched and declared, beside Knop and Steinke.

python benchmarks/accuracy.py --only distinct
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Sequence
from fractions import Fraction

import duckdb
import numpy as np
from redrawn import EPS, LINES, ORDERS, drawn, opened, policy

import dpsql
from dpsql.core.calibrate.options import Options
from dpsql.execution.noise import add_noise
from tests.support.draws import Known, known
from tests.tpch.data import database

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
