"""How far sums of rows of two kinds of unit are off, and how long they take beyond the join.

    python benchmarks/two_kinds.py [--scale 1] [--draws 30] [--only 5]

TPC-H with customers and suppliers both private, ε = 0.8, δ = 0; the queries as R2T has them
(Dong et al., SIGMOD 2022): without groups, 5, 8 and 21 counted. Beside the error stands 1/ε of the
least threshold that cuts nothing, as a part of the answer: what it would be if that were known.

The time beyond the join is that of the exact numbers and one draw, less that of the plain query on
the same engine.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import duckdb
import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import dpsql  # noqa: E402
from dpsql.core.account.amount import Cost  # noqa: E402
from dpsql.core.release import decode  # noqa: E402
from dpsql.core.release.statements import statements  # noqa: E402
from dpsql.execution import cells  # noqa: E402
from dpsql.execution.heavy_units import Truncated  # noqa: E402
from dpsql.execution.noise import add_noise  # noqa: E402
from dpsql.execution.reading import engine_source, public_groups  # noqa: E402
from dpsql.platform.ledger.memory_ledger import MemoryLedger  # noqa: E402
from tests.support.draws import Known, known  # noqa: E402
from tests.tpch.data import database  # noqa: E402

EPS = Fraction(4, 5)
ALL = "customer, orders, lineitem, supplier"
TIED = "c_custkey = o_custkey AND l_orderkey = o_orderkey AND l_suppkey = s_suppkey"
QUERIES = {
    "5": f"SELECT COUNT(*) FROM {ALL}, nation, region WHERE {TIED} AND c_nationkey = s_nationkey "
    "AND s_nationkey = n_nationkey AND n_regionkey = r_regionkey",
    "7": f"SELECT SUM(l_extendedprice * (1 - l_discount)) FROM {ALL}, nation n1, nation n2 "
    f"WHERE {TIED} AND s_nationkey = n1.n_nationkey AND c_nationkey = n2.n_nationkey "
    "AND ((n1.n_name = 'FRANCE' AND n2.n_name = 'GERMANY') "
    "OR (n1.n_name = 'GERMANY' AND n2.n_name = 'FRANCE')) "
    "AND l_shipdate BETWEEN DATE '1995-01-01' AND DATE '1996-12-31'",
    "8": f"SELECT COUNT(*) FROM part, {ALL} WHERE {TIED} AND p_partkey = l_partkey "
    "AND o_orderdate BETWEEN DATE '1995-01-01' AND DATE '1996-12-31'",
    "21": f"SELECT COUNT(*) FROM {ALL}, nation WHERE {TIED} AND s_nationkey = n_nationkey",
}


def policy() -> dict[str, object]:
    """The tests' policy with suppliers as a second kind of unit."""
    text = (ROOT / "tests" / "tpch" / "policy.yaml").read_text(encoding="utf-8")
    found: dict[str, object] = yaml.safe_load(text)
    del found["unit"]
    found["units"] = ["customer.c_custkey", "supplier.s_suppkey"]
    found["budget"] = {"eps": 1000}
    tables = found["tables"]
    assert isinstance(tables, dict)
    for name in ("supplier", "partsupp"):
        tables[name]["access"] = "private"
    return found


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """The seconds of the quickest of three runs, and the least CPU seconds, of all threads."""
    found = []
    for _ in range(3):
        start = time.perf_counter(), time.process_time()
        work()
        found.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return min(wall for wall, _ in found), min(spent for _, spent in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scale", default="1")
    parser.add_argument("--draws", type=int, default=30)
    parser.add_argument("--only")
    options = parser.parse_args()
    connection = duckdb.connect(str(database(options.scale)), read_only=True)
    ledger = MemoryLedger(Cost(Fraction(1000), Fraction(0)))
    db = dpsql.connect(connection, policy(), ledger=ledger)
    print(
        "query        answer  mean error  lossless/ε  rows of two heavy  join s (CPU)  "
        "beyond s (CPU)  unsure"
    )
    for name, sql in QUERIES.items():
        if options.only not in (None, name):
            continue
        ((value,),) = connection.execute(sql).fetchall()
        found = known(db, sql, EPS)
        (release,) = found.query.releases
        measured = found.exact.clips[0]
        assert isinstance(measured, Truncated)
        errors, unsure = [], 0
        for _ in range(options.draws):
            noisy = add_noise(found.query, 0, found.exact)
            answer = decode.value(release.outputs[0].formula, noisy.noisy[0])
            assert isinstance(answer, float | Fraction | int)
            errors.append(abs(float(answer) - float(value)) / float(value))
            unsure += bool(noisy.unsure)
        (units,) = measured.groups.values()
        lossless = units.ends[max(place for kind in units.between for place in kind)]
        step = float(release.measures[0].unit)
        least = lossless * step / float(EPS) / float(value)
        join = timed(lambda sql=sql: connection.execute(sql).fetchall())
        whole = timed(lambda found=found: _answered(db, found))
        print(
            f"{name:>5} {float(value):>13,.0f} {100 * statistics.mean(errors):>10.3f}% "
            f"{100 * least:>10.3f}% {sum(map(len, units.shared.values())):>18,} "
            f"{join[0]:>7.2f} ({join[1]:.2f}) "
            f"{whole[0] - join[0]:>9.2f} ({whole[1] - join[1]:.2f}) "
            f"{unsure:>4} of {options.draws}"
        )


def _answered(db: dpsql.Database, found: Known) -> None:
    """Read the exact numbers, and draw noise."""
    (release,) = found.query.releases
    source = engine_source(db._engine)
    with db._engine.snapshot() as snapshot:
        groups = public_groups(release, snapshot, source)
        add_noise(
            found.query, 0, cells.read(release, groups, snapshot, statements(release, source))
        )


if __name__ == "__main__":
    main()
