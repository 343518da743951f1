"""How long the analysis of each TPC-H query takes, beside sqlglot's parse + qualify of its text.

    python benchmarks/analysis.py

CPU time of this process, the least of some runs; both with the same sqlglot. No data is needed.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import sqlglot
from sqlglot.optimizer.qualify import qualify

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dpsql.compile import compile_query  # noqa: E402
from dpsql.errors import Rejected  # noqa: E402
from dpsql.policy import Policy, resolve  # noqa: E402
from tests.tpch.data import query  # noqa: E402

RUNS = 15


def least(work: Callable[[], object]) -> float:
    """The least CPU time of some runs, in milliseconds."""
    times: list[float] = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(1000 * (time.process_time() - start))
    return min(times)


def main() -> None:
    """Print a line for each query."""
    schema = resolve(Policy.load(ROOT / "tests" / "tpch" / "policy.yaml"), None, None)
    columns: dict[str, object] = {
        t.name: {c.name: str(c.type) for c in t.columns} for t in schema.tables.values()
    }
    print("| query | analysis_ms | parse_qualify_ms | ratio |\n|---|---|---|---|")
    ours: list[float] = []
    ratios: list[float] = []
    for number in range(1, 23):
        text = query(number)

        def analyse(text: str = text) -> None:
            with suppress(Rejected):
                compile_query(text, schema, Fraction(1))

        def parse(text: str = text) -> None:
            qualify(
                sqlglot.parse_one(text, dialect="duckdb"), schema=dict(columns), dialect="duckdb"
            )

        a, b = least(analyse), least(parse)
        ours.append(a)
        ratios.append(a / b)
        print(f"| {number} | {a:.1f} | {b:.1f} | {a / b:.2f} |")
    print(f"| median | {statistics.median(ours):.1f} | | {statistics.median(ratios):.2f} |")
    print(f"| most | {max(ours):.1f} | | {max(ratios):.2f} |")


if __name__ == "__main__":
    main()
