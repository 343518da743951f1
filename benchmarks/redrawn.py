"""What the benchmarks of accuracy share: databases that are asked, and answers drawn anew over
exact cells that were read once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import dpsql  # noqa: E402
from dpsql.core.account.amount import Cost  # noqa: E402
from dpsql.core.release import decode  # noqa: E402
from dpsql.execution.noise import add_noise  # noqa: E402
from dpsql.platform.ledger.memory_ledger import MemoryLedger  # noqa: E402
from tests.support.draws import Known  # noqa: E402

EPS = Fraction(4, 5)
ROWS = {
    "pid": {"type": "BIGINT", "nullable": False},
    "x": {"type": "BIGINT", "nullable": False, "bounds": [0, 2**40]},
}
ORDERS = "customer JOIN orders ON c_custkey = o_custkey"
LINES = f"{ORDERS} JOIN lineitem ON l_orderkey = o_orderkey"
ONE_TABLE: dict[str, object] = {
    "unit": "people.pid",
    "budget": {"eps": 1000},
    "tables": {"people": {"access": "private", "key": ["pid"], "columns": ROWS}},
}


def policy(unit: str, *, fan_outs: bool) -> dict[str, object]:
    """The tables that belong to a unit, with TPC-H's own bounds of values; with or without how
    many rows there are at most beside each key.
    """

    def to(kind: str, target: str, most: int) -> dict[str, object]:
        bound = {"max_rows": most} if fan_outs else {}
        return {"type": kind, "nullable": False, "references": target, **bound}

    key: dict[str, object] = {"type": "BIGINT", "nullable": False}
    date = {"type": "DATE", "nullable": False}
    quantity = {"type": "DECIMAL(15,2)", "nullable": False, "bounds": [1, 50]}
    lines: dict[str, object] = {"l_quantity": quantity, "l_shipdate": date}
    tables: dict[str, dict[str, object]]
    if unit == "customer":
        tables = {
            "customer": {"c_custkey": key},
            "orders": {
                "o_orderkey": key,
                "o_custkey": to("BIGINT", "customer.c_custkey", 50),
                "o_orderdate": date,
            },
            "lineitem": {"l_orderkey": to("BIGINT", "orders.o_orderkey", 7), **lines},
        }
    elif unit == "orders":
        tables = {
            "orders": {"o_orderkey": key},
            "lineitem": {"l_orderkey": to("BIGINT", "orders.o_orderkey", 7), **lines},
        }
    else:
        cost = {"type": "DECIMAL(15,2)", "nullable": False, "bounds": [1, 1000]}
        stock = {"type": "INTEGER", "nullable": False, "bounds": [1, 9999]}
        tables = {
            "supplier": {"s_suppkey": key},
            "partsupp": {
                "ps_suppkey": to("BIGINT", "supplier.s_suppkey", 80),
                "ps_supplycost": cost,
                "ps_availqty": stock,
            },
            "lineitem": {"l_suppkey": to("BIGINT", "supplier.s_suppkey", 700), **lines},
        }
    keys = {"customer": "c_custkey", "orders": "o_orderkey", "supplier": "s_suppkey"}
    made: dict[str, dict[str, object]] = {}
    for name, columns in tables.items():
        made[name] = {"access": "private", "columns": columns}
        if name in keys:
            made[name]["key"] = [keys[name]]
    return {"unit": f"{unit}.{keys[unit]}", "budget": {"eps": 1000}, "tables": made}


def opened(data: object, declared: dict[str, object]) -> dpsql.Database:
    ledger = MemoryLedger(Cost(Fraction(10**9)))
    return dpsql.connect(data, declared, ledger=ledger, memory_limit="2GB")  # type: ignore[arg-type]


def drawn(found: Known, draws: int) -> Iterator[Fraction]:
    """The answer, again and again."""
    (output,) = found.query.releases[0].outputs
    for _ in range(draws):
        (noisy,) = add_noise(found.query, 0, found.exact).noisy
        value = decode.value(output.formula, noisy)
        assert isinstance(value, Fraction)
        yield value
