"""How long the analysis of each TPC-H query takes, beside sqlglot's parse + qualify of its text;
and how long it then takes to bind, on empty tables, what would be run.

    python benchmarks/analysis.py
    python benchmarks/analysis.py suites
    python benchmarks/analysis.py hostile [SHAPE …]

CPU time of this process, the least of some runs; parsed by the same sqlglot. No data is needed.
With `suites`, how long `explain` takes of each query of TPC-DS, ClickBench and the Star Schema
Benchmark, as an analyst asks for it: with the checker's proof, and what of public tables is looked
up for it. With `hostile`, each shape of `tests/support/hostile.py` grows until it is rejected: the
size, the CPU time of explaining and of binding it and the memory where that was the most, each size
in a process of its own that is stopped after `LIMIT` seconds.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import sqlglot
from sqlglot import exp
from sqlglot.optimizer.qualify import qualify

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import dpsql  # noqa: E402
from benchmarks.forgetting import forget  # noqa: E402
from dpsql.compile import ReleasedQuery, compile_query  # noqa: E402
from dpsql.core.emit.plans import table as sql_table  # noqa: E402
from dpsql.core.release.statements import statements  # noqa: E402
from dpsql.core.schema import Schema, Table  # noqa: E402
from dpsql.errors import Rejected  # noqa: E402
from dpsql.execution.binding import bind_statements  # noqa: E402
from dpsql.platform.engine.empty import Empty  # noqa: E402
from dpsql.platform.policy import Policy, resolve  # noqa: E402
from tests.suites.test_suites import SUITES, data, queries  # noqa: E402
from tests.support.answers import Home  # noqa: E402
from tests.support.hostile import SHAPES  # noqa: E402
from tests.support.policies import load  # noqa: E402
from tests.tpch.data import query  # noqa: E402

RUNS = 15
LIMIT = 60
"""Seconds of CPU time for one query."""


def least(work: Callable[[], object]) -> float:
    """The least CPU time of some runs, in milliseconds."""
    times: list[float] = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(1000 * (time.process_time() - start))
    return min(times)


def source(table: Table) -> exp.Expr:
    """Where a table would be in a database in memory."""
    return sql_table("memory", "main", table.name)


def binding(text: str, schema: Schema, empty: Empty) -> Callable[[], object] | None:
    """What binds the statements of a query; None for one that is public or rejected."""
    with suppress(Rejected):
        found = compile_query(text, schema, Fraction(1)).query
        if isinstance(found, ReleasedQuery):
            texts = tuple(statements(release, source) for release in found.releases)
            return lambda: bind_statements(found, texts, source, empty)
    return None


def measured(text: str) -> tuple[float, float, int, str]:
    """Seconds for explaining a query and for binding it, MB, and what became of it."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(told)
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
        session, start = Home(load("shop")).session, time.process_time()
        explained, bound, verdict = 0.0, 0.0, "accepted"
        try:
            found = session.explain(text, eps=1)
            str(found), found.tree
            explained = time.process_time() - start
            session._analysis.ready(session, text, 1, None, {})[0].bind()
            bound = time.process_time() - start - explained
        except Rejected as problem:
            explained = explained or time.process_time() - start
            verdict = problem.diagnostics[0].code
        os.write(tell, json.dumps([explained, bound, verdict]).encode())
        os._exit(0)
    os.close(tell)
    with open(told) as pipe:
        line = pipe.read()
    _, _, used = os.wait4(child, 0)
    explained, bound, verdict = json.loads(line) if line else (LIMIT, 0.0, "stopped")
    return explained, bound, used.ru_maxrss // 1024, verdict


def hostile(names: list[str]) -> None:
    """Print a line for each shape, the slowest first."""
    load("shop")
    rows: list[tuple[float, str]] = []
    for name in names or SHAPES:
        worst, size, rejected = (0.0, ""), 8, 0
        while size <= 60_000 and rejected < 2:
            explained, bound, memory, verdict = measured(SHAPES[name](size))
            line = f"| {name} | {size:,} | {explained:.2f} | {bound:.2f} | {memory} | {verdict} |"
            worst = max(worst, (explained + bound, line))
            rejected = rejected + 1 if verdict != "accepted" else 0
            size = size * 2 if size > 100 else size * 3 // 2
        rows.append(worst)
    print("| shape | size | explain_s | bind_s | memory_mb | verdict |\n|---|---|---|---|---|---|")
    print("\n".join(line for _, line in sorted(rows, reverse=True)))


def explained(suite: str) -> None:
    """Print the median of a suite's queries, and the slowest of them, in milliseconds."""
    times: list[tuple[float, str]] = []
    for asked in (q for q in queries() if q.suite == suite):
        with dpsql.connect(data(suite), ROOT / "tests" / "suites" / suite / "policy.yaml") as db:
            least_of = []
            for _ in range(3):
                forget(db)
                start = time.process_time()
                with suppress(Rejected):
                    db.explain(asked.text, 1)
                least_of.append(1000 * (time.process_time() - start))
        times.append((min(least_of), asked.number))
    times.sort(reverse=True)
    slowest = ", ".join(f"{number} {ms:.0f}" for ms, number in times[:4])
    middle = statistics.median(ms for ms, _ in times)
    print(f"| {suite} | {len(times)} | {middle:.1f} | {slowest} |")


def main() -> None:
    """Print a line for each query."""
    if sys.argv[1:2] == ["suites"]:
        for suite in SUITES:
            explained(suite)
        return
    if sys.argv[1:2] == ["hostile"]:
        hostile(sys.argv[2:])
        return
    schema = resolve(Policy.load(ROOT / "tests" / "tpch" / "policy.yaml"), None, None)
    columns: dict[str, object] = {
        t.name: {c.name: str(c.type) for c in t.columns} for t in schema.tables.values()
    }
    empty = Empty(
        {
            ("memory", "main", t.name): [(c.name, c.type) for c in t.columns]
            for t in schema.tables.values()
        }
    )
    print("| query | analysis_ms | parse_qualify_ms | ratio | bind_ms |\n|---|---|---|---|---|")
    ours: list[float] = []
    bound: list[float] = []
    ratios: list[float] = []
    for number in range(1, 23):
        text = query(number)

        def analyse(text: str = text) -> None:
            forget()
            with suppress(Rejected):
                compile_query(text, schema, Fraction(1))

        def parse(text: str = text) -> None:
            qualify(
                sqlglot.parse_one(text, dialect="duckdb"), schema=dict(columns), dialect="duckdb"
            )

        a, b = least(analyse), least(parse)
        ours.append(a)
        ratios.append(a / b)
        bind = binding(text, schema, empty)
        if bind is not None:
            bound.append(least(bind))
        shown = "" if bind is None else f"{bound[-1]:.1f} "
        print(f"| {number} | {a:.1f} | {b:.1f} | {a / b:.2f} | {shown}|")
    middle = tuple(map(statistics.median, (ours, ratios, bound)))
    print("| median | {:.1f} | | {:.2f} | {:.1f} |".format(*middle))
    print(f"| most | {max(ours):.1f} | | {max(ratios):.2f} | {max(bound):.1f} |")


if __name__ == "__main__":
    main()
