"""What cutting heavy units does to answers: bias, spread and coverage, for several `max_rows`.

    python benchmarks/bounding.py [--scale 0.1] [--draws 2000] [--salts 16] [--only tpch|census]

*best* is what a sample of R rows of each heavy unit gives in the mean: every row of a unit with T
rows weighs R/T. *cut* is what dpsql counts, without noise. Which rows are kept is decided by a hash
of the unit; with other salts it keeps others. *bias* is how far the mean over the salts is from the
best, of the group that is furthest; *spread* how far one of them is, root mean square, and *random*
the same of samples that the engine draws, all in percent. *inside* is how often 95 % intervals, at
ε = 1, hold the cut truth.

The census (`tests/data/census/PUMS_dup.csv`, 1,948 rows of 1,000 people) is a part of the public
sample of California with people in it several times.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import dpsql  # noqa: E402
from dpsql.core.account.amount import Cost  # noqa: E402
from dpsql.core.enforce import quota_sql  # noqa: E402
from dpsql.platform.ledger.memory_ledger import MemoryLedger  # noqa: E402
from tests.support.draws import Known, answers, known, repeated  # noqa: E402
from tests.tpch.data import database  # noqa: E402

CENSUS = ROOT / "tests" / "data" / "census" / "PUMS_dup.csv"
MOMENTS = "SUM(w * {0}) / SUM(w)"


def mean(x: str) -> str:
    """The weighted mean of an expression."""
    return MOMENTS.format(x)


def variance(x: str) -> str:
    return f"({mean(f'{x} * {x}')} - ({mean(x)}) ** 2)"


def correlation(y: str, x: str) -> str:
    covariance = f"({mean(f'{x} * {y}')} - {mean(x)} * {mean(y)})"
    return f"{covariance} / sqrt({variance(x)} * {variance(y)})"


@dataclass(frozen=True)
class Asked:
    """One question: as dpsql has it, and over rows with a weight w.

    Attributes:
        table: the rows, with the unit as `u`.
        where: the same for dpsql.
        rows: R for a `max_rows` of one.
        keys: of the groups.
        sql: the aggregate.
        best: the same with weights.
    """

    table: str
    where: str
    rows: int
    keys: str
    sql: str
    best: str


ORDERS = "(SELECT o_custkey AS u, CAST(o_totalprice AS DOUBLE) AS p, * FROM orders)"
LINES = (
    "(SELECT o_custkey AS u, CAST(l_quantity AS DOUBLE) AS q, CAST(l_extendedprice AS DOUBLE) AS p "
    "FROM orders JOIN lineitem ON l_orderkey = o_orderkey)"
)
TPCH = {
    "AVG(o_totalprice)": Asked(ORDERS, "orders", 1, "", "AVG(o_totalprice)", mean("p")),
    "STDDEV_POP(o_totalprice)": Asked(
        ORDERS, "orders", 1, "", "STDDEV_POP(o_totalprice)", f"sqrt({variance('p')})"
    ),
    "CORR(l_quantity, l_extendedprice)": Asked(
        LINES, "lineitem", 7, "", "CORR(l_quantity, l_extendedprice)", correlation("q", "p")
    ),
    "share of status P": Asked(
        ORDERS,
        "orders",
        1,
        "",
        "COUNT(*) FILTER (WHERE o_orderstatus = 'P') / COUNT(*)",
        mean("(o_orderstatus = 'P')::INTEGER"),
    ),
    "COUNT(*) by status": Asked(ORDERS, "orders", 1, "o_orderstatus", "COUNT(*)", "SUM(w)"),
    "AVG(o_totalprice) by status": Asked(
        ORDERS, "orders", 1, "o_orderstatus", "AVG(o_totalprice)", mean("p")
    ),
    "COUNT(*) by month": Asked(
        ORDERS, "orders", 1, "date_trunc('month', o_orderdate)", "COUNT(*)", "SUM(w)"
    ),
}
PEOPLE = "(SELECT pid AS u, * FROM people)"
PERSONS = {
    "AVG(age)": Asked(PEOPLE, "people", 1, "", "AVG(age)", mean("age")),
    "STDDEV_POP(age)": Asked(
        PEOPLE, "people", 1, "", "STDDEV_POP(age)", f"sqrt({variance('age')})"
    ),
    "CORR(income, educ)": Asked(
        PEOPLE, "people", 1, "", "CORR(income, educ)", correlation("income", "educ")
    ),
    "share of married": Asked(
        PEOPLE, "people", 1, "", "COUNT(*) FILTER (WHERE married = 1) / COUNT(*)", mean("married")
    ),
    "COUNT(*) by sex": Asked(PEOPLE, "people", 1, "sex", "COUNT(*)", "SUM(w)"),
    "COUNT(*) by educ": Asked(PEOPLE, "people", 1, "educ", "COUNT(*)", "SUM(w)"),
}


def weighted(con: duckdb.DuckDBPyConnection, asked: Asked, quota: int) -> dict[Any, float]:
    """What the best sample gives in the mean, by group."""
    rows = f"SELECT *, LEAST(1.0, {quota} / COUNT(*) OVER (PARTITION BY u)) AS w FROM {asked.table}"
    return _found(con, f"({rows})", asked.keys, asked.best)


def sampled(con: duckdb.DuckDBPyConnection, asked: Asked, quota: int) -> dict[Any, float]:
    """One random sample of that many rows of each unit."""
    drawn = f"(SELECT *, random() AS r FROM {asked.table})"
    ranked = f"(SELECT *, ROW_NUMBER() OVER (PARTITION BY u ORDER BY r) AS i FROM {drawn})"
    kept = f"(SELECT *, 1.0 AS w FROM {ranked} WHERE i <= {quota})"
    return _found(con, kept, asked.keys, asked.best)


def _found(
    con: duckdb.DuckDBPyConnection, rows: str, keys: str, aggregate: str
) -> dict[Any, float]:
    group = f" GROUP BY {keys}" if keys else ""
    found = con.execute(f"SELECT {keys or 'NULL'}, {aggregate} FROM {rows} AS t{group}").fetchall()
    return {key: float(value) for key, value in found}


def cut(db: dpsql.Database, asked: Asked) -> tuple[dict[Any, float], Known]:
    """What dpsql counts, without noise."""
    keys = f"{asked.keys} AS g, " if asked.keys else ""
    group = " GROUP BY g" if asked.keys else ""
    asked_for = known(db, f"SELECT {keys}{asked.sql} AS v FROM {asked.where}{group}", Fraction(1))
    made = answers(db, asked_for.query, asked_for.exact, noise=False)
    rows = [row if asked.keys else (None, *row) for row in made.rows]
    return {key: float(value) for key, value in rows if value is not None}, asked_for  # type: ignore[arg-type]


def inside(db: dpsql.Database, found: Known, truth: dict[Any, float], draws: int) -> float:
    """How often intervals hold what is counted, of groups that have rows."""
    held = total = 0
    size = len(found.exact.groups)
    left = draws
    while left > 0:
        now = min(left, max(1, 20_000 // size))
        left -= now
        made = answers(db, found.query, repeated(found.exact, now))
        for row, widths in zip(made.rows, made.intervals, strict=True):
            true = truth.get(row[0] if len(row) > 1 else None)
            value, width = row[-1], widths[-1]
            if true is None or value is None or width is None:
                continue
            total += 1
            held += abs(float(value) - true) <= width * (1 + 1e-9)  # type: ignore[arg-type]
    return 100 * held / total if total else math.nan


def biased(drawn: list[dict[Any, float]], best: dict[Any, float]) -> float:
    """How far the mean is from the best, in percent, of the worst group."""
    parts = [
        100 * (statistics.fmean(found.get(key, 0.0) for found in drawn) / value - 1)
        for key, value in best.items()
        if value
    ]
    return max(parts, key=abs)


def spread(drawn: list[dict[Any, float]], best: dict[Any, float]) -> float:
    """How far one is from the best, in percent: root mean square over all groups."""
    parts = [
        100 * (found.get(key, 0.0) / value - 1)
        for found in drawn
        for key, value in best.items()
        if value
    ]
    return math.sqrt(statistics.fmean(p * p for p in parts))


@contextmanager
def salted(number: int) -> Iterator[None]:
    """Other rows are kept."""
    hashed = quota_sql._hashed
    with patch.object(
        quota_sql, "_hashed", lambda unit, salt, size: hashed(unit, f"{salt} {number}", size)
    ):
        yield


HEAD = "| max_rows | question | best | cut | bias, % | spread, % | random, % | inside, % |"


def report(
    con: duckdb.DuckDBPyConnection,
    opened: Callable[[int], dpsql.Database],
    questions: dict[str, Asked],
    limits: tuple[int, ...],
    draws: int,
    salts: int,
) -> None:
    print(f"{HEAD}\n|{'---|' * 8}")
    for limit in limits:
        with opened(limit) as db:
            for name, asked in questions.items():
                quota = limit * asked.rows
                best = weighted(con, asked, quota)
                here, found = cut(db, asked)
                drawn = [here]
                for number in range(1, salts):
                    with salted(number):
                        drawn.append(cut(db, asked)[0])
                random = [sampled(con, asked, quota) for _ in range(salts)]
                place = max(best, key=lambda key: best[key])
                print(
                    f"| {limit} | {name} | {best[place]:,.5g} | {here.get(place, 0):,.5g} | "
                    f"{biased(drawn, best):+.2f} | {spread(drawn, best):.2f} | "
                    f"{spread(random, best):.2f} | {inside(db, found, here, draws):.1f} |",
                    flush=True,
                )


def ledger() -> MemoryLedger:
    return MemoryLedger(Cost(Fraction(10**9)))


def tpch(scale: str, draws: int, salts: int) -> None:
    path = database(scale)
    declared = yaml.safe_load((ROOT / "tests" / "tpch" / "policy.yaml").read_text(encoding="utf-8"))

    def opened(limit: int) -> dpsql.Database:
        declared["tables"]["orders"]["columns"]["o_custkey"]["max_rows"] = limit
        return dpsql.connect(path, declared, ledger=ledger())

    declared["budget"]["delta"] = 0.00001  # 1e-5 is a text to this parser
    with duckdb.connect() as con:
        con.execute(f"ATTACH '{path}' AS data (READ_ONLY); USE data")
        report(con, opened, TPCH, (5, 10, 20, 50), draws, salts)


def census(draws: int, salts: int) -> None:
    con = duckdb.connect()
    con.execute("CREATE TABLE people AS FROM read_csv(?)", [str(CENSUS)])
    number = {"type": "BIGINT", "nullable": False}
    columns: dict[str, object] = {
        "age": number | {"bounds": [18, 93]},
        "sex": number | {"values": [0, 1]},
        "educ": number | {"values": list(range(1, 17))},
        "race": number | {"values": list(range(1, 7))},
        "income": number | {"bounds": [0, 420_500]},
        "married": number | {"values": [0, 1]},
    }

    def opened(limit: int) -> dpsql.Database:
        pid = {"pid": {"type": "BIGINT", "max_rows": limit}}
        table = {"access": "private", "columns": columns | pid}
        policy = {"unit": "people.pid", "budget": {"eps": 10}, "tables": {"people": table}}
        return dpsql.connect(con, policy, ledger=ledger())

    report(con, opened, PERSONS, (1, 2, 3, 5), draws, salts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", default="0.1")
    parser.add_argument("--draws", type=int, default=2_000)
    parser.add_argument("--salts", type=int, default=16)
    parser.add_argument("--only", choices=("tpch", "census"))
    args = parser.parse_args()
    if args.only in (None, "tpch"):
        tpch(args.scale, args.draws, args.salts)
    if args.only in (None, "census"):
        census(args.draws, args.salts)


if __name__ == "__main__":
    main()
