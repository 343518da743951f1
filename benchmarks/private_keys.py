"""How many groups with private keys are shown: the 1,000 clerks of TPC-H at scale 0.1.

    python benchmarks/private_keys.py [--scale 0.1] [--draws 50]

ε = 1, δ = 10⁻⁶, by the most orders that the policy lets a customer have. A clerk has some 150 of as
many customers, and a customer with orders is with some 15 clerks. *Units* is the threshold: so many
customers, each with one clerk alone, are enough. *Shown* is the mean over draws.
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import dpsql  # noqa: E402
from dpsql.core.account.amount import Cost  # noqa: E402
from dpsql.core.calibrate.options import Noise, Options  # noqa: E402
from dpsql.execution.noise import add_noise  # noqa: E402
from dpsql.platform.ledger.memory_ledger import MemoryLedger  # noqa: E402
from tests.support.draws import known  # noqa: E402
from tests.tpch.data import database  # noqa: E402

DELTA = Fraction(1, 10**6)
QUERIES = {
    "which": "SELECT o_clerk FROM orders GROUP BY o_clerk",
    "COUNT(*)": "SELECT o_clerk, COUNT(*) AS n FROM orders GROUP BY o_clerk",
    "COUNT(DISTINCT o_custkey)": "SELECT o_clerk, COUNT(DISTINCT o_custkey) AS n FROM orders "
    "GROUP BY o_clerk",
}


def measured(db: dpsql.Database, sql: str, noise: Noise, draws: int) -> tuple[float, str, float]:
    """The threshold in units, the noise that decides, and the groups shown in the mean."""
    found = known(db, sql, Fraction(1), Options(DELTA, noise))
    (release,) = found.query.releases
    assert release.units is not None
    threshold, measure = found.query.planned[0].threshold, release.measures[release.units]
    assert threshold is not None
    shown = [len(add_noise(found.query, 0, found.exact).groups) for _ in range(draws)]
    kind = found.query.planned[0].noise[release.units].kind  # type: ignore[union-attr]
    weighed = "" if measure.norm is None else ", weighed"
    return float(threshold * measure.unit), f"{kind}{weighed}", sum(shown) / draws


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", default="0.1")
    parser.add_argument("--draws", type=int, default=50)
    args = parser.parse_args()
    policy = yaml.safe_load((ROOT / "tests" / "tpch" / "policy.yaml").read_text(encoding="utf-8"))
    policy["budget"]["delta"] = 0.01
    ledger = MemoryLedger(Cost(Fraction(10**9), Fraction(1, 10)))
    print("| max_rows | query | noise | units | shown | Laplace noise: units | shown |")
    print("|---|---|---|---|---|---|---|")
    for rows in (10, 20, 50, 350):
        policy["tables"]["orders"]["columns"]["o_custkey"]["max_rows"] = rows
        with dpsql.connect(database(args.scale), policy, ledger=ledger, memory_limit="2GB") as db:
            for name, sql in QUERIES.items():
                ours, theirs = (measured(db, sql, n, args.draws) for n in ("auto", "laplace"))
                print(
                    f"| {rows} | {name} | {ours[1]} | {ours[0]:,.1f} | {ours[2]:,.0f} | "
                    f"{theirs[0]:,.1f} | {theirs[2]:,.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
