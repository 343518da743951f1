"""How often answers are within their printed 95 % half-widths, and how far they are off.

    python benchmarks/coverage.py [--draws 10000] [--eps 1] [--only demo|tpch|small|computed]

The exact cells of each query are read once; then noise, values and half-widths are made again and
again by the code that answers. Discrete noise alone covers a little more than 95 %: *expected* is
its exact coverage. Of queries with more than six groups, six are taken, from the smallest to the
largest; groups without rows are left out. *Value*, *mean error* and *±* (the median half-width) are
those of the group in the middle, *least* and *most* the coverage over the groups, in percent.

`small`: groups of few rows, and rows that noise selects, counted by what is shown. *Shown* is how
many rows an answer has, *all* how many of the shown rows hold, *least* how many of one group that
at least one of twenty answers shows.

`computed`: numbers that are computed of several noisy rows, whose half-widths are found by drawing
the noise again; at most 500 draws, and five times as many where an answer is one number. *Numbers*
are those of one answer, *least* the one that holds least often, *all* all of them, and *none* how
many had no half-width.
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
from dpsql.core.account.amount import Cost  # noqa: E402
from dpsql.core.calibrate.options import Noise, Options  # noqa: E402
from dpsql.platform.ledger.memory_ledger import MemoryLedger  # noqa: E402
from tests.support.draws import (  # noqa: E402
    Known,
    answers,
    expected,
    held,
    known,
    known_all,
    repeated,
)
from tests.tpch.data import database, query  # noqa: E402

DELTA = Fraction(1, 10**6)
GROUPS = 6
CHUNK = 40_000
"""Rows at once."""

DEMO = {
    "tour": demo.QUERY,
    "sums": "SELECT channel, COUNT(*) AS n, SUM(shipping) AS s, AVG(shipping) AS a, "
    "SUM(shipping) / COUNT(*) AS ratio FROM orders GROUP BY channel",
    "whole sums": "SELECT segment, COUNT(*) AS n, SUM(birth_year) AS s, AVG(birth_year) AS a, "
    "COUNT(*) * 2 AS twice FROM customers GROUP BY segment",
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
        found = known(db, sql, eps, Options(delta, noise, "declared"))
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


COMPUTED = {
    "LAG": "SELECT g, LAG(COUNT(*)) OVER (ORDER BY g) AS v FROM {t} GROUP BY g",
    "difference to LAG": "SELECT g, COUNT(*) - LAG(COUNT(*)) OVER (ORDER BY g) AS v "
    "FROM {t} GROUP BY g",
    "running sum": "SELECT g, SUM(COUNT(*)) OVER (ORDER BY g) AS v FROM {t} GROUP BY g",
    "share of the total": "SELECT g, COUNT(*) / SUM(COUNT(*)) OVER () AS v FROM {t} GROUP BY g",
    "mean less LAG": "SELECT g, AVG(x) - LAG(AVG(x)) OVER (ORDER BY g) AS v FROM {t} GROUP BY g",
    "ROLLUP": "SELECT g, COUNT(*) AS v FROM {t} GROUP BY ROLLUP (g)",
    "SUM of counts": "SELECT SUM(n) AS v FROM (SELECT g, COUNT(*) AS n FROM {t} GROUP BY g) AS c",
    "ratio of two releases": "SELECT (SELECT SUM(x) FROM {t}) / (SELECT COUNT(*) FROM {t} "
    "WHERE x > 50) AS v",
    "GREATEST(n - 45, 0)": "SELECT g, GREATEST(COUNT(*) - 45, 0) AS v FROM {t} GROUP BY g",
    "RANK": "SELECT g, RANK() OVER (ORDER BY COUNT(*) DESC) AS v FROM {t} GROUP BY g",
    "MAX of counts": "SELECT MAX(n) AS v FROM (SELECT g, COUNT(*) AS n FROM {t} GROUP BY g) AS c",
    "SUM of the 3 largest": "SELECT SUM(n) AS v FROM (SELECT g, COUNT(*) AS n FROM {t} GROUP BY g "
    "ORDER BY n DESC LIMIT 3) AS c",
    "SUM of counts > 45": "SELECT SUM(n) AS v FROM (SELECT g, COUNT(*) AS n FROM {t} GROUP BY g "
    "HAVING COUNT(*) > 45) AS c",
    "join of two releases": "SELECT a.g, n / m AS v FROM (SELECT g, COUNT(*) AS n FROM {t} "
    "WHERE x > 50 GROUP BY g) AS a JOIN (SELECT g, COUNT(*) AS m FROM {t} GROUP BY g) AS b "
    "ON a.g = b.g",
    "left join of two releases": "SELECT b.g, COALESCE(n, 0) + m AS v FROM (SELECT g, "
    "COUNT(*) AS m FROM {t} GROUP BY g) AS b LEFT JOIN (SELECT g, COUNT(*) AS n FROM {t} "
    "WHERE x > 50 GROUP BY g) AS a ON a.g = b.g",
    "UNION ALL of releases": "SELECT g, 0 AS b, COUNT(*) AS v FROM {t} WHERE x > 50 GROUP BY g "
    "UNION ALL SELECT g, 1, COUNT(*) FROM {t} WHERE x <= 50 GROUP BY g",
    "SUM of a UNION ALL": "SELECT SUM(n) AS v FROM (SELECT COUNT(*) AS n FROM {t} WHERE x > 50 "
    "UNION ALL SELECT COUNT(*) FROM {t} WHERE x < 20) AS c",
}
"""What is computed of noisy rows: half-widths by drawing the noise again."""


def computed(draws: int, eps: Fraction, noise: Noise) -> None:
    """Of each family, over groups of 5 to 5,000 rows, and over ten that are about the same."""
    options = Options(DELTA if noise == "gaussian" else Fraction(0), noise)
    print(
        f"\n{noise} noise\n\n| computed | groups | numbers | ± | least | all | none |"
        f"\n|{'---|' * 7}"
    )
    for made, name in ((people, "people"), (alike, "alike")):
        data, declared = made()
        ledger = MemoryLedger(Cost(Fraction(10**9), Fraction(1)))
        with dpsql.connect(data, declared, ledger=ledger) as db:
            for family, text in COMPUTED.items():
                # Of queries with one number it takes more answers to tell.
                times = 1 if text.startswith("SELECT g") else 5
                seen = held(db, known_all(db, text.format(t=name), eps, options), times * draws)
                mine = [s for (column, _), s in seen.items() if column == "v"]
                hits = [[o <= w * (1 + 1e-9) for o, w in s if w is not None] for s in mine]
                parts = [100 * statistics.fmean(h) for h in hits if h]
                every = [hit for h in hits for hit in h]
                widths = [w for s in mine for _, w in s if w is not None]
                if not widths:
                    print(f"| {family} | {name} | {len(mine)} | – | | | all |", flush=True)
                    continue
                none = sum(w is None for s in mine for _, w in s)
                print(
                    f"| {family} | {name} | {len(mine)} | {statistics.median(widths):,.3g} | "
                    f"{min(parts):.1f} | {100 * statistics.fmean(every):.1f} | {none:,} |",
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

SIZES = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
FUNCTIONS = (
    "COUNT(*)",
    "AVG(x)",
    "AVG(z)",
    "SUM(y) / SUM(x)",
    "VAR_POP(x)",
    "VAR_POP(z)",
    "STDDEV(x)",
    "STDDEV(z)",
    "COVAR_POP(y, x)",
    "CORR(y, x)",
    "REGR_SLOPE(y, x)",
    "REGR_R2(y, x)",
    "REGR_R2(z, x)",
)


def people() -> tuple[duckdb.DuckDBPyConnection, dict[str, object]]:
    """A group of each size; x is nearly uniform on 0 … 100, y half of it and half another, and z is
    from 90 to 100 but for one in ten, which is 0.
    """
    made = duckdb.connect()
    union = " UNION ALL ".join(f"SELECT {n} AS g, i FROM range({n}) AS r(i)" for n in SIZES)
    made.execute(
        "CREATE TABLE people AS SELECT (row_number() OVER ())::INTEGER AS pid, g::INTEGER AS g, "
        "(i * 37 % 101)::INTEGER AS x, ((i * 37 % 101 + i * 53 % 101) // 2)::INTEGER AS y, "
        "(CASE WHEN i % 10 = 7 THEN 0 ELSE 90 + i % 11 END)::INTEGER AS z "
        f"FROM ({union})"
    )
    number = {"type": "INTEGER", "nullable": False, "bounds": [0, 100]}
    columns = {
        "pid": {"type": "INTEGER"},
        "g": {"type": "INTEGER", "values": list(SIZES), "nullable": False},
        "x": number,
        "y": number,
        "z": number,
    }
    table = {"access": "private", "key": ["pid"], "columns": columns}
    return made, {"unit": "people.pid", "budget": {"eps": 10}, "tables": {"people": table}}


def sizes(draws: int, eps: Fraction, noise: Noise) -> None:
    print(f"\n{noise} noise\n\n| rows · ε | " + " | ".join(FUNCTIONS) + " |")
    print("|" + "---|" * (len(FUNCTIONS) + 1))
    data, declared = people()
    columns: list[list[str]] = []
    ledger = MemoryLedger(Cost(Fraction(10**9), Fraction(1)))
    options = Options(DELTA if noise == "gaussian" else Fraction(0), noise)
    with dpsql.connect(data, declared, ledger=ledger) as db:
        for function in FUNCTIONS:
            sql = f"SELECT g, {function} AS v FROM people GROUP BY g"
            found = known(db, sql, eps, options)
            _, seen = watched(db, found, list(range(len(SIZES))), draws)
            column = []
            for group in range(len(SIZES)):
                one = seen.get((group, 1), Seen())
                none = 100 - 100 * one.total / draws
                text = f"{100 * one.inside / one.total:.1f}" if one.total else "–"
                column.append(f"{text} ({none:.0f} % none)" if none >= 0.5 else text)
            columns.append(column)
    for place, size in enumerate(SIZES):
        print(f"| {float(size * eps):g} | " + " | ".join(c[place] for c in columns) + " |")


# --- sums of few, and rows that noise selects ---------------------------------------------------

ALIKE = tuple(range(40, 50))
"""The sizes of groups that noise of scale 10 can hardly tell apart."""
SELECTIONS = {
    "largest of 10": ("SELECT g, COUNT(*) AS v FROM alike GROUP BY g ORDER BY v DESC LIMIT 1", 0.1),
    "largest mean of 10": (
        "SELECT g, AVG(x) AS v FROM alike GROUP BY g ORDER BY v DESC LIMIT 1",
        0.5,
    ),
    "HAVING n > 45": ("SELECT g, COUNT(*) AS v FROM alike GROUP BY g HAVING COUNT(*) > 45", 0.1),
    "HAVING n > 70": ("SELECT g, COUNT(*) AS v FROM alike GROUP BY g HAVING COUNT(*) > 70", 0.1),
}


def alike() -> tuple[duckdb.DuckDBPyConnection, dict[str, object]]:
    """Ten groups of about the same size; `name` is the group, too, and is private."""
    made = duckdb.connect()
    union = " UNION ALL ".join(f"SELECT {n} AS g, i FROM range({n}) AS r(i)" for n in ALIKE)
    made.execute(
        "CREATE TABLE alike AS SELECT (row_number() OVER ())::INTEGER AS pid, g::INTEGER AS g, "
        "g::INTEGER AS name, i::INTEGER AS i, (i * 37 % 101)::INTEGER AS x "
        f"FROM ({union})"
    )
    columns = {
        "pid": {"type": "INTEGER"},
        "g": {"type": "INTEGER", "values": list(ALIKE), "nullable": False},
        "name": {"type": "INTEGER", "nullable": False},
        "i": {"type": "INTEGER", "nullable": False, "bounds": [0, 50]},
        "x": {"type": "INTEGER", "nullable": False, "bounds": [0, 100]},
    }
    table = {"access": "private", "key": ["pid"], "columns": columns}
    return made, {"unit": "alike.pid", "budget": {"eps": 10}, "tables": {"alike": table}}


def shown(db: dpsql.Database, found: Known, draws: int, together: int = 1) -> dict[object, Seen]:
    """What was seen of the second column, by the first, where each answer shows what it selects."""
    seen: dict[object, Seen] = {}
    for _ in range(draws // together):
        made = answers(db, found.query, repeated(found.exact, together))
        for (key, value), (_, width) in zip(made.rows, made.intervals, strict=True):
            place = seen.setdefault(key, Seen())
            place.total += 1
            place.off.append((value, width))  # type: ignore[arg-type]
    return seen


def selected(draws: int, noise: Noise) -> None:
    """Of rows that are shown: how many hold; the least of one group that is shown once in 20."""
    print(f"\n| {noise} | ε | shown | all | least | median ± |\n|{'---|' * 6}")
    data, declared = alike()
    ledger = MemoryLedger(Cost(Fraction(10**9), Fraction(1)))
    options = Options(DELTA if noise == "gaussian" else Fraction(0), noise)
    with dpsql.connect(data, declared, ledger=ledger) as db:
        for name, (sql, eps) in SELECTIONS.items():
            found = known(db, sql, Fraction(eps).limit_denominator(1000), options)
            expression = "AVG(x)" if "AVG" in sql else "COUNT(*)"
            truth = dict(data.execute(f"SELECT g, {expression} FROM alike GROUP BY g").fetchall())
            told(name, eps, shown(db, found, draws), truth, draws)
        private = Options(DELTA, noise)
        for eps in (0.3, 0.32):
            sql = "SELECT name, COUNT(*) AS v FROM alike GROUP BY name"
            found = known(db, sql, Fraction(eps).limit_denominator(1000), private)
            name = f"private, shown from {found.query.planned[0].threshold} on"
            seen = shown(db, found, 10 * draws, together=draws)  # each group is shown by itself
            told(name, eps, seen, {n: n for n in ALIKE}, 10 * draws)
        for few in range(2, 6):
            for eps in (1, 2, 5):
                text = " + ".join(f"COUNT(*) FILTER (WHERE i % 5 = {n})" for n in range(few))
                sql = f"SELECT g, {text} AS v FROM alike GROUP BY g"
                found = known(db, sql, Fraction(eps), options)
                _, places = watched(db, found, [0], 8 * draws)
                one = places[0, 1]
                part = 100 * one.inside / one.total
                width = statistics.median(one.width)
                print(f"| sum of {few} counts | {eps} | 1 | {part:.1f} | | {width:.3g} |")


def told(
    name: str, eps: float, seen: dict[object, Seen], truth: dict[object, float], draws: int
) -> None:
    inside = total = 0
    parts, widths = [100.0], []
    for key, one in seen.items():
        pairs = [(v, w) for v, w in one.off if w is not None]  # type: ignore[misc]
        held = sum(abs(float(v) - float(truth[key])) <= w * (1 + 1e-9) for v, w in pairs)
        inside, total = inside + held, total + len(pairs)
        widths += [w for _, w in pairs]
        if len(pairs) >= draws / 20:
            parts.append(100 * held / len(pairs))
    print(
        f"| {name} | {eps:g} | {total / draws:.2g} | {100 * inside / total:.1f} | "
        f"{min(parts):.1f} | {statistics.median(widths):.3g} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=10_000)
    parser.add_argument("--eps", type=Fraction, default=Fraction(1))
    parser.add_argument("--scale", default="1")
    parser.add_argument("--only", choices=("demo", "tpch", "small", "computed"))
    args = parser.parse_args()
    if args.only in (None, "demo"):
        demos(args.draws, args.eps)
    if args.only in (None, "tpch"):
        tpch(args.draws, args.eps, args.scale)
    if args.only in (None, "small"):
        for noise in ("laplace", "gaussian"):
            sizes(args.draws, args.eps, noise)  # type: ignore[arg-type]
            selected(args.draws // 2, noise)  # type: ignore[arg-type]
    if args.only in (None, "computed"):
        for noise in ("laplace", "gaussian"):
            computed(min(args.draws, 500), args.eps, noise)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
