"""What privacy costs in time: dpsql against plain DuckDB on the same connection, in one process.

    python benchmarks/overhead.py [--scale 1] [--runs 5] [--json FILE] [--broken]

For each query: CPU time of `Database.run` over CPU time of the plain query, unverified and with a
verification record; median of paired runs, in turn, after one warm-up. Then the static analysis
beside sqlglot's own parse + qualify (the ratio is of these two), and the peak memory of a process
that only answers beside one that only runs plain DuckDB. With --broken: on data in which one
customer in a hundred breaks every claim, enforced by each query, and prepared, with what preparing
took.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import dpsql  # noqa: E402
from benchmarks.forgetting import forget  # noqa: E402
from dpsql.compile import compile_query, engine_sql  # noqa: E402
from dpsql.core.account.amount import Cost  # noqa: E402
from dpsql.platform.ledger.memory_ledger import MemoryLedger  # noqa: E402
from tests.tpch.data import database, query  # noqa: E402

POLICY = ROOT / "tests" / "tpch" / "policy.yaml"
PRIORITY = "SELECT o_orderpriority, COUNT(*), SUM(o_totalprice) FROM orders GROUP BY 1"
QUERIES = {f"Q{n}": query(n) for n in (1, 5, 6, 12, 14, 19)} | {"priority": PRIORITY}


def cpu(work: object) -> float:
    """CPU seconds of the process, all threads."""
    start = time.process_time()
    work()  # type: ignore[operator]
    return time.process_time() - start


def geometric(values: list[float]) -> float:
    return math.exp(statistics.fmean(math.log(v) for v in values))


def opened(path: Path) -> dpsql.Database:
    budget = Cost(Fraction(10**9))
    # In this process, where its CPU time is seen.
    return dpsql.connect(path, POLICY, ledger=MemoryLedger(budget), workers=0)


def overhead(db: dpsql.Database, runs: int) -> dict[str, dict[str, float]]:
    """For each query the plain and the private CPU time, in ms, and the median of their ratios."""
    plain = db._engine._connection.cursor()  # type: ignore[attr-defined]
    result: dict[str, dict[str, float]] = {}
    for name, text in QUERIES.items():
        plain_times, private_times = [], []
        for _ in range(runs + 1):
            plain_times.append(cpu(lambda t=text: plain.execute(t).fetchall()))
            private_times.append(cpu(lambda t=text: db.run(t, 1, fresh=True)))
        ratios = [b / a for a, b in zip(plain_times[1:], private_times[1:], strict=True)]
        result[name] = {
            "plain_ms": 1000 * statistics.median(plain_times[1:]),
            "private_ms": 1000 * statistics.median(private_times[1:]),
            "ratio": statistics.median(ratios),
        }
    return result


def analysis(db: dpsql.Database, runs: int) -> dict[str, dict[str, float]]:
    """Milliseconds of the analysis (verdict, sensitivities, noise, cost), of printing its SQL, and
    of sqlglot's own parse + qualify of the same text.
    """
    import sqlglot
    from sqlglot.optimizer.qualify import qualify

    schema = {t.name: {c.name: str(c.type) for c in t.columns} for t in db.schema.tables.values()}
    result: dict[str, dict[str, float]] = {}
    for name, text in QUERIES.items():
        ours, printing, theirs = [], [], []
        compiled = compile_query(text, db.schema, Fraction(1))
        for _ in range(runs * 4):
            forget()
            ours.append(cpu(lambda t=text: compile_query(t, db.schema, Fraction(1))))
            printing.append(cpu(lambda c=compiled: engine_sql(c)))
            theirs.append(
                cpu(
                    lambda t=text: qualify(
                        sqlglot.parse_one(t, dialect="duckdb"), schema=schema, dialect="duckdb"
                    )
                )
            )
        a, b = 1000 * statistics.median(ours), 1000 * statistics.median(theirs)
        c = 1000 * statistics.median(printing)
        result[name] = {
            "analysis_ms": a,
            "printing_ms": c,
            "parse_qualify_ms": b,
            "ratio": a / b,
        }
    return result


def memory(path: Path, private: bool) -> float:
    """Peak resident memory, in MB, of a process that runs every query once."""
    flag = "--peak-private" if private else "--peak-plain"
    command = [sys.executable, __file__, flag, str(path)]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(out.strip())


def peak(path: Path, private: bool) -> None:
    db = opened(path)
    plain = db._engine._connection.cursor()  # type: ignore[attr-defined]
    for text in QUERIES.values():
        if private:
            db.run(text, 1, fresh=True)
        else:
            plain.execute(text).fetchall()
    # Not getrusage: its peak is inherited from the process that started this one.
    status = Path("/proc/self/status").read_text()
    print(int(status.partition("VmHWM:")[2].split()[0]) / 1024)


def show(title: str, table: dict[str, dict[str, float]]) -> None:
    columns = list(next(iter(table.values())))
    print(f"\n{title}\n| query | " + " | ".join(columns) + " |")
    print("|---|" + "---|" * len(columns))
    for name, row in table.items():
        print(f"| {name} | " + " | ".join(f"{row[c]:.2f}" for c in columns) + " |")
    print(f"| geometric mean | {'| ' * (len(columns) - 1)}", end="")
    print(f"{geometric([row['ratio'] for row in table.values()]):.2f} |")


BREAKING = (
    # 60 orders more of one customer in a hundred, at ten times the price, with nine lines each
    "CREATE TEMP TABLE more AS SELECT o.* REPLACE (o_orderkey + k * 1000000000 AS o_orderkey, "
    "o_totalprice * 10 AS o_totalprice) FROM orders AS o, range(1, 61) AS t(k) WHERE o_orderkey IN "
    "(SELECT min(o_orderkey) FROM orders WHERE o_custkey % 100 = 3 GROUP BY o_custkey)",
    "INSERT INTO lineitem SELECT l.* REPLACE (o_orderkey AS l_orderkey, k AS l_linenumber, "
    "l_quantity * 100 AS l_quantity, l_extendedprice * 100 AS l_extendedprice, "
    "l_discount + 1 AS l_discount) FROM more, range(1, 10) AS t(k), "
    "(FROM lineitem WHERE l_linenumber = 1 LIMIT 1) AS l",
    "INSERT INTO orders FROM more",
)


def broken(path: Path, copy: Path, args: argparse.Namespace) -> dict[str, dict[str, object]]:
    """Enforced by each query, and prepared; and what preparing took."""
    import duckdb

    with duckdb.connect(path) as data:
        for statement in BREAKING:
            data.execute(statement)
    with opened(path) as db:
        assert not db.verify().clean
        enforced = overhead(db, args.runs)
    start, wall = time.process_time(), time.perf_counter()
    dpsql.prepare(path, POLICY, copy, memory_limit=args.memory)
    peak = int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024
    print(
        f"prepared in {time.perf_counter() - wall:.1f} s, {time.process_time() - start:.1f} s CPU; "
        f"peak memory until then {peak:,.0f} MB"
    )
    with opened(copy) as db:
        assert db.verified
        return {"enforced": enforced, "prepared": overhead(db, args.runs)}  # type: ignore[dict-item]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", default="1")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--broken", action="store_true")
    parser.add_argument("--memory", help="what preparing may use, such as 4GB")
    parser.add_argument("--peak-private", type=Path)
    parser.add_argument("--peak-plain", type=Path)
    args = parser.parse_args()
    if args.peak_private or args.peak_plain:
        peak(args.peak_private or args.peak_plain, args.peak_private is not None)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tpch.duckdb"
        shutil.copy(database(args.scale), path)
        results: dict[str, object] = {}
        if args.broken:
            results.update(broken(path, Path(folder) / "copy", args))
            for title, table in results.items():
                show(f"{title}, SF {args.scale}, broken", table)  # type: ignore[arg-type]
            if args.json:
                args.json.write_text(json.dumps(results, indent=1))
            return
        with opened(path) as db:
            results["unverified"] = overhead(db, args.runs)
            results["analysis"] = analysis(db, args.runs)
            report = db.verify()
            print(f"verification: {'clean' if report.clean else 'claims are violated'}")
        with opened(path) as db:
            assert db.verified
            results["verified"] = overhead(db, args.runs)
        results["memory_mb"] = {
            "plain": memory(path, private=False),
            "private": memory(path, private=True),
        }
        for title in ("unverified", "verified", "analysis"):
            show(f"{title}, SF {args.scale}", results[title])  # type: ignore[arg-type]
        print(f"\npeak memory, MB: {results['memory_mb']}")
        if args.json:
            args.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
