"""How fast an audit is, on the data of the demo: CPU seconds of each of its three parts.

`python benchmarks/auditing.py`
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

from dpsql import audit, connect, demo
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.memory_ledger import MemoryLedger

QUERIES = {
    "count": "SELECT COUNT(*) AS n FROM orders",
    "average by channel": "SELECT channel, AVG(shipping) AS mean FROM orders GROUP BY channel",
}


def timed(work: Callable[[], audit.Report]) -> tuple[float, audit.Report]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data, policy = demo.save(Path(folder))
        ledger = MemoryLedger(Cost(Fraction(10), Fraction(1, 10**6)))
        print("| query | units | CPU s | databases | CPU s | answers | CPU s | ε seen |")
        print("|---|---|---|---|---|---|---|---|")
        with connect(data, policy, ledger=ledger, threads=1) as db:
            for name, sql in QUERIES.items():
                removing, a = timed(partial(audit.check, db, sql, worlds=0, samples=0))
                searching, b = timed(partial(audit.check, db, sql, units=0, samples=0))
                drawing, c = timed(partial(audit.check, db, sql, units=0))
                assert a.holds and b.holds and c.holds and c.estimate is not None
                print(
                    f"| {name} | {a.removed:,} | {removing:.1f} "
                    f"| {b.databases:,} | {searching:.1f} "
                    f"| {2 * c.estimate.samples:,} | {max(0.0, drawing - searching):.1f} "
                    f"| {c.estimate.eps:.2f} of 1 |"
                )


if __name__ == "__main__":
    main()
