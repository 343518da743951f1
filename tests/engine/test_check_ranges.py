"""Ranges out of CHECK constraints: what is claimed must be what DuckDB enforces."""

from __future__ import annotations

from datetime import date, datetime
from fractions import Fraction

import duckdb
import pytest

from dpsql.core.sqltypes import parse_type
from dpsql.platform.engine.check_ranges import bounds, values

CASES = [
    ("INTEGER", "x BETWEEN -5 AND 10", (-5, 10)),
    ("INTEGER", "10 >= x AND -5 <= x", (-5, 10)),
    ("INTEGER", "x > 0", (0, 2**31 - 1)),
    ("INTEGER", "x <= 10.5 AND x >= -0.5", (0, 10)),
    ("INTEGER", "x BETWEEN 0 AND 10 OR x = 99", None),
    ("INTEGER", "NOT (x BETWEEN 0 AND 10)", None),
    ("INTEGER", "x NOT BETWEEN 0 AND 10", None),
    ("INTEGER", "x + 1 BETWEEN 0 AND 10", None),
    ("INTEGER", "x >= 1e3 AND x <= 1e4", None),
    ("INTEGER", "x BETWEEN y AND 10", (-(2**31), 10)),
    ("INTEGER", "y BETWEEN 0 AND 10", None),
    ("INTEGER", "x >= 0 AND (y > 3 AND x <= 9)", (0, 9)),
    ("INTEGER", "abs(x) <= 5", None),
    ("DECIMAL(5,2)", "x >= 0.005 AND x <= 1.5", (Fraction(1, 200), Fraction(3, 2))),
    ("DECIMAL(38,2)", "x >= 0.0005 AND x <= 1.5", (-Fraction(10**38 - 1, 100), Fraction(3, 2))),
    ("DOUBLE", "x >= 0 AND x <= 0.1", (0, Fraction(0.1))),
    ("DOUBLE", "x >= 0", None),
    ("FLOAT", "x >= 0 AND x <= 0.1", None),
    ("FLOAT", "x >= 0 AND x <= 10", (0, 10)),
    ("DATE", "x BETWEEN '2020-01-01' AND DATE '2021-01-01'", (date(2020, 1, 1), date(2021, 1, 1))),
    (
        "TIMESTAMP",
        "x BETWEEN '2020-01-01' AND TIMESTAMP '2021-01-01 10:00'",
        (datetime(2020, 1, 1), datetime(2021, 1, 1, 10)),
    ),
    ("DATE", "x BETWEEN TIMESTAMP '2020-01-01' AND TIMESTAMP '2021-01-01'", None),
    ("VARCHAR", "x BETWEEN 'a' AND 'b'", None),
    ("HUGEINT", "x BETWEEN 0 AND 100000000000000000000", (0, 10**20)),
]


@pytest.mark.parametrize(("type_", "check", "expected"), CASES)
def test_bounds(type_: str, check: str, expected: object) -> None:
    with duckdb.connect() as con:  # the text as DuckDB stores it
        con.execute(f"CREATE TABLE t (x {type_}, y INTEGER, CHECK ({check}))")
        [[text]] = con.execute("SELECT expression FROM duckdb_constraints()").fetchall()
    assert bounds([text], "X", parse_type(type_)) == expected


def test_double_bounds_are_what_the_engine_enforces() -> None:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t (x DOUBLE CHECK (x >= 0 AND x <= 0.1))")
        con.execute("INSERT INTO t VALUES (0.1::DOUBLE), (NULL)")  # above 1/10
        for value in ("'nan'", "'inf'", "0.1000000000000001", "-1e-300"):
            with pytest.raises(duckdb.ConstraintException):
                con.execute(f"INSERT INTO t VALUES ({value}::DOUBLE)")


def test_several_checks_meet() -> None:
    assert bounds(["(x >= 0)", "(x <= 9)", "(x >= 3)"], "x", parse_type("INTEGER")) == (3, 9)
    assert bounds(["(x >= 5)", "(x <= 4)"], "x", parse_type("INTEGER")) is None


def test_values() -> None:
    varchar, integer = parse_type("VARCHAR"), parse_type("INTEGER")
    assert values(["(x IN ('a', 'b', 'a'))"], "x", varchar) == ("a", "b")
    assert values(["((y > 0) AND (x IN (1, -2)))"], "x", integer) == (1, -2)
    assert values(["(x NOT IN ('a'))"], "x", varchar) is None
    assert values(["((x IN ('a')) OR (y = 1))"], "x", varchar) is None
    assert values(["(x IN (1, 2.5))"], "x", integer) is None
    assert values(["(lower(x) IN ('a'))"], "x", varchar) is None
    assert values(["not sql ((("], "x", varchar) is None
