"""How often answers are within their printed 95 % half-widths, and how far they are off.

    python benchmarks/coverage.py [--draws 10000] [--eps 1] [--only demo|tpch|sizes]

The exact cells of each query are read once; then noise, values and half-widths are made again and
again by the code that answers. Discrete noise alone covers a little more than 95 %: *expected* is
its exact coverage. Of queries with more than six groups, six are taken, from the smallest to the
largest; groups without rows are left out. *Value*, *mean error* and *±* (the median half-width) are
those of the group in the middle, *least* and *most* the coverage over the groups, in percent.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import dpsql  # noqa: E402
from dpsql import demo  # noqa: E402
from dpsql.accounting.amount import Cost  # noqa: E402
from dpsql.accounting.memory_ledger import MemoryLedger  # noqa: E402
from dpsql.options import Noise, Options  # noqa: E402
from tests.support.draws import Known, answers, expected, known, repeated  # noqa: E402
from tests.tpch.data import database, query  # noqa: E402

DELTA = Fraction(1, 10**6)
GROUPS = 6
CHUNK = 40_000
"""Rows at once."""

DEMO = {
    "tour": demo.QUERY,
    "sums": "SELECT channel, COUNT(*) AS n, SUM(shipping) AS s, AVG(shipping) AS a, "
    "SUM(shipping) / COUNT(*) AS ratio FROM orders GROUP BY channel",
    "distinct": "SELECT channel, COUNT(DISTINCT customer_id) AS customers, "
    "COUNT(DISTINCT rating) AS ratings FROM orders GROUP BY channel",
    "spread": "SELECT region_id, VAR_POP(birth_year) AS v, STDDEV(birth_year) AS d FROM customers "
    "GROUP BY region_id",
    "covar": "SELECT segment, COVAR_POP(trust, birth_year) AS c FROM customers GROUP BY segment",
    "corr": "SELECT CORR(trust, birth_year) AS c FROM customers",
    "slope": "SELECT REGR_SLOPE(trust, birth_year) AS s, REGR_INTERCEPT(trust, birth_year) AS i "
    "FROM customers",
}
NUMBERS = (1, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 19, 20, 21)
PRIORITY = "SELECT o_orderpriority, COUNT(*), SUM(o_totalprice) FROM orders GROUP BY 1"


@dataclass(slots=True)
class Seen:
    """One column of one group: what is true, how often the answer was within its half-width, of
    how many, its errors and half-widths.
    """

    true: float = 0.0
    inside: int = 0
    total: int = 0
    off: list[float] = field(default_factory=list)
    width: list[float] = field(default_factory=list)


Place = tuple[int, int]
"""A group's number and a column's."""


def taken(found: Known) -> list[int]:
    """The groups that are looked at: with rows, from few to many."""
    size = {i: abs(found.exact.values[0][i]) for i in range(len(found.exact.groups))}
    full = [i for i in size if any(values[i] for values in found.exact.values)]
    full.sort(key=lambda i: size[i])
    if len(full) <= GROUPS:
        return full
    return [full[round(k * (len(full) - 1) / (GROUPS - 1))] for k in range(GROUPS)]


def watched(
    db: dpsql.Database, found: Known, places: list[int], draws: int
) -> tuple[dict[int, tuple[object, ...]], dict[Place, Seen]]:
    """What is true of each group, and what was seen of each of its columns."""
    exact = answers(db, found.query, repeated(found.exact, 1, places), noise=False)
    truth = dict(zip(exact.groups, exact.rows, strict=True))
    seen: dict[Place, Seen] = {}
    left = draws
    while left:
        now = min(left, max(1, CHUNK // len(places)))
        left -= now
        made = answers(db, found.query, repeated(found.exact, now, places))
        for number, row, widths in zip(made.groups, made.rows, made.intervals, strict=True):
            group = number % len(places)
            for column, (value, width) in enumerate(zip(row, widths, strict=True)):
                true = truth.get(group, row)[column]
                if width is None or not isinstance(true, int | float | Fraction | Decimal):
                    continue
                place = seen.setdefault((group, column), Seen(float(true)))
                place.total += 1
                if value is None:  # NULL, beside an interval: counted as outside
                    continue
                off = abs(float(value) - float(true))  # type: ignore[arg-type]
                place.inside += off <= width * (1 + 1e-9)
                place.off.append(off)
                place.width.append(width)
    return truth, seen


def report(
    db: dpsql.Database, name: str, sql: str, draws: int, eps: Fraction, noise: Noise
) -> None:
    """A line of the table for each column that has an interval."""
    delta = DELTA if noise == "gaussian" else Fraction(0)
    try:
        found = known(db, sql, eps, Options(delta, noise))
    except ValueError:  # several releases: what is read from another has no interval
        print(f"| {name} | – | {noise} | | no intervals | | | | | |", flush=True)
        return
    if found.query.trace is None:
        print(f"| {name} | – | {noise} | | no intervals | | | | | |", flush=True)
        return
    places = taken(found)
    _, seen = watched(db, found, places, draws)
    for column, (text, wanted) in enumerate(
        zip(found.query.names, expected(found.query), strict=True)
    ):
        mine = [s for (_, c), s in sorted(seen.items()) if c == column and s.off]
        if not mine:
            continue
        parts = [100 * s.inside / s.total for s in mine]
        middle = sorted(mine, key=lambda s: s.true)[len(mine) // 2]
        off, width = statistics.fmean(middle.off), statistics.median(middle.width)
        print(
            f"| {name} | {text} | {noise} | {len(mine)} | {middle.true:,.5g} | {off:,.3g} | "
            f"{width:,.3g} | "
            f"{100 * wanted:.1f} | {min(parts):.1f} | {max(parts):.1f} |",
            flush=True,
        )


HEAD = "| query | column | noise | groups | value | mean error | ± | expected | least | most |"


def demos(draws: int, eps: Fraction) -> None:
    print(f"{HEAD}\n|{'---|' * 10}")
    with demo.database() as db:
        for noise in ("laplace", "gaussian"):
            for name, sql in DEMO.items():
                report(db, name, sql, draws, eps, noise)  # type: ignore[arg-type]


def tpch(draws: int, eps: Fraction, scale: str) -> None:
    policy = dpsql.Policy.load(ROOT / "tests" / "tpch" / "policy.yaml")
    print(f"{HEAD}\n|{'---|' * 10}")
    texts = {f"Q{n}": query(n) for n in NUMBERS} | {"priority": PRIORITY}
    ledger = MemoryLedger(Cost(Fraction(10**9)))
    with dpsql.connect(database(scale), policy, ledger=ledger, memory_limit="2GB") as db:
        for name, text in texts.items():
            # LIMIT keeps some rows of each answer: all are looked at here.
            sql = re.sub(r"(?is)\bLIMIT\s+\d+\s*;?\s*$", "", text)
            report(db, name, sql, draws, eps, "laplace")


# --- small groups -----------------------------------------------------------------------------

SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
FUNCTIONS = (
    "COUNT(*)",
    "AVG(x)",
    "SUM(y) / SUM(x)",
    "VAR_POP(x)",
    "STDDEV(x)",
    "COVAR_POP(y, x)",
    "CORR(y, x)",
    "REGR_SLOPE(y, x)",
)


def people() -> tuple[duckdb.DuckDBPyConnection, dict[str, object]]:
    """A group of each size; x is nearly uniform on 0 … 100, and y half of it and half another."""
    made = duckdb.connect()
    union = " UNION ALL ".join(f"SELECT {n} AS g, i FROM range({n}) AS r(i)" for n in SIZES)
    made.execute(
        "CREATE TABLE people AS SELECT (row_number() OVER ())::INTEGER AS pid, g::INTEGER AS g, "
        "(i * 37 % 101)::INTEGER AS x, ((i * 37 % 101 + i * 53 % 101) // 2)::INTEGER AS y "
        f"FROM ({union})"
    )
    number = {"type": "INTEGER", "nullable": False, "bounds": [0, 100]}
    columns = {
        "pid": {"type": "INTEGER"},
        "g": {"type": "INTEGER", "values": list(SIZES), "nullable": False},
        "x": number,
        "y": number,
    }
    table = {"access": "private", "key": ["pid"], "columns": columns}
    return made, {"unit": "people.pid", "budget": {"eps": 10}, "tables": {"people": table}}


def sizes(draws: int, eps: Fraction) -> None:
    print("| rows · ε | " + " | ".join(FUNCTIONS) + " |")
    print("|" + "---|" * (len(FUNCTIONS) + 1))
    data, declared = people()
    columns: list[list[str]] = []
    ledger = MemoryLedger(Cost(Fraction(10**9)))
    with dpsql.connect(data, declared, ledger=ledger) as db:
        for function in FUNCTIONS:
            sql = f"SELECT g, {function} AS v FROM people GROUP BY g"
            found = known(db, sql, eps)
            _, seen = watched(db, found, list(range(len(SIZES))), draws)
            column = []
            for group in range(len(SIZES)):
                one = seen.get((group, 1), Seen())
                none = 100 - 100 * one.total / draws
                text = f"{100 * one.inside / one.total:.1f}" if one.total else "–"
                column.append(f"{text} ({none:.0f} % NULL)" if none >= 0.5 else text)
            columns.append(column)
    for place, size in enumerate(SIZES):
        print(f"| {float(size * eps):g} | " + " | ".join(c[place] for c in columns) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=10_000)
    parser.add_argument("--eps", type=Fraction, default=Fraction(1))
    parser.add_argument("--scale", default="1")
    parser.add_argument("--only", choices=("demo", "tpch", "sizes"))
    args = parser.parse_args()
    if args.only in (None, "demo"):
        demos(args.draws, args.eps)
    if args.only in (None, "tpch"):
        tpch(args.draws, args.eps, args.scale)
    if args.only in (None, "sizes"):
        sizes(args.draws, args.eps)


if __name__ == "__main__":
    main()
