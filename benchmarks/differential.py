"""Random expressions and queries: DuckDB on what was written against DuckDB on what is printed.

    python benchmarks/differential.py                 50,000 expressions and 5,000 queries
    python benchmarks/differential.py --expressions 1000 --queries 100 --seed 3

Exits with 1 where a text is answered, and not by what DuckDB answers.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.differential.compare import expressions, public


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--expressions", type=int, default=50_000)
    parser.add_argument("--queries", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    differ = 0
    for name, work, count in (
        ("expressions", expressions, given.expressions),
        ("queries over public tables", public, given.queries),
    ):
        begun = time.monotonic()
        tally = work(count, given.seed) if count else None
        if tally is None:
            continue
        differ += len(tally.differ)
        print(f"{name}: {tally.report()}")
        print(f"  rejected: {', '.join(f'{c} {n:,}' for c, n in tally.codes.most_common())}")
        print(f"  {time.monotonic() - begun:.0f} s", flush=True)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
