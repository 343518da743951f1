"""The tables of a shop, what is claimed of statements over them, and that it is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpsql.checker.certificate import certify
from dpsql.checker.facts import Column, Facts, Measure, Sums, Table
from dpsql.checker.proof import Refused

F = Fraction


def table(name: str, *columns: Column, private: bool = True, **rest: object) -> Table:
    return Table(("main", name), name, private, {c.name: c for c in columns}, **rest)  # type: ignore[arg-type]


CUSTOMERS = table(
    "customers",
    Column("id", "BIGINT", False, max_rows=1),
    Column("age", "INTEGER", True, F(18), F(99)),
    Column("wild", "INTEGER"),
    Column("score", "DOUBLE"),
    Column("small", "REAL"),
    Column("segment", "TEXT", True, F(4), F(6), frozenset({"home", "office"})),
    Column("region", "INTEGER", True, references=("regions", "id")),
    key=("id",),
    owner="id",
    owned=True,
)
ORDERS = table(
    "orders",
    Column("id", "BIGINT", False, max_rows=1),
    Column("customer", "BIGINT", True, references=("customers", "id"), max_rows=3),
    Column("friend", "BIGINT", True, references=("customers", "id"), max_rows=3),
    Column("units", "INTEGER", False, F(1), F(9)),
    key=("id",),
    owner="customer",
    owned=True,
)
LINES = table(
    "lines",
    Column("order_id", "BIGINT", True, references=("orders", "id"), max_rows=2),
    Column("returned", "BOOLEAN", False, F(0), F(1)),
    owner="order_id",
    owned=True,
)
FREE = table(
    "free",
    Column("number", "BIGINT", False, max_rows=1),
    Column("ticket", "BIGINT", True, max_rows=1),
    Column("customer", "BIGINT", False, references=("customers", "id")),
    Column("units", "INTEGER", False, F(1), F(9)),
    owner="customer",
    owned=True,
)
NOBODY = table(
    "nobody",
    Column("customer", "BIGINT", True, references=("customers", "id"), max_rows=3),
    owner="customer",
)
RATED = table(
    "rated",
    Column("customer", "BIGINT", False, references=("customers", "id"), max_rows=3),
    Column("region", "INTEGER", False, references=("regions", "id")),
    key=("customer", "region"),
    owner="customer",
    owned=True,
)
REGIONS = table(
    "regions",
    Column("id", "INTEGER", False, max_rows=1),
    Column("name", "TEXT"),
    private=False,
    key=("id",),
    rows=3,
)
WIDE = table("wide", Column("id", "BIGINT", False, max_rows=1), private=False, key=("id",))
TABLES = (CUSTOMERS, ORDERS, LINES, FREE, NOBODY, RATED, REGIONS, WIDE)
SHOP = Facts(TABLES, ("customers", "id"), replace=False)
REPLACED = Facts(TABLES, ("customers", "id"), replace=True)


def claim(
    text: str, l1: int, *, l0: int = 1, linf: int | None = None, keys: int = 0, weight: int = 1
) -> Sums:
    most = l1 if linf is None else linf
    one = Measure("it", ((keys, F(weight)),), l0, l1, l1 * most, most, 0)
    return Sums(text, keys, (one,))


def refused(made: object, facts: Facts = SHOP) -> None:
    with pytest.raises(Refused):
        certify(made, facts)  # type: ignore[arg-type]
