"""Ranges of a single hard value: an end that is off by a unit in the last place fails here."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from dpsql.core.enforce.secure import secure
from dpsql.core.functions.build import cast, make
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Column, Expr, Ref
from dpsql.core.plan.values import Values
from dpsql.errors import Rejected
from dpsql.types import BIGINT, DOUBLE, HUGEINT, INTEGER, Type, decimal
from tests.functions.draw_numbers import BASES, EXPONENTS, constant
from tests.functions.engine import CONNECTION, Cell, Table, exact, inside


def _near(value: float) -> list[float]:
    return [math.nextafter(value, -math.inf), value, math.nextafter(value, math.inf)]


_TURNS = [0.5, 1.0, math.pi / 2, math.pi, 2 * math.pi, 22.0, 1e15 + 0.5, 2.0**53]
_MIDDLES = [0.5, 1.5, 2.5, 0.005, 0.285, 1.005, 2.675, 99.995, 1e22 / 3, 4503599627370497.5, 1250.0]
_LIMITS = [127.0, 127.5, 255.5, 32767.5, 2.0**31 - 0.5, 2.0**31, 2.0**63, 2.0**64, 2.0**127, 1e38]
_LIMITS += [9.995, 99.99, 999.5, 99999999999999.985, 1e18, 999999999999999.9, 1e-18]
_SMALL = [5e-324, 2.2250738585072014e-308, 1e-310, 1e-17, 2.0**-54, 0.1, 0.7]
_LARGE = [3.4028234663852886e38, 1e100, 1e300, 709.0, 745.0, 20.0]

HARD = sorted(
    {
        s * v
        for base in _TURNS + _MIDDLES + _LIMITS + _SMALL + _LARGE
        for v in _near(base)
        for s in (1, -1)
    }
)

ONE = ["sqrt", "cbrt", "ln", "log2", "log10", "exp", "sin", "cos", "tan", "cot", "asin", "acos"]
ONE += ["atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "degrees", "radians", "sign"]
ONE += ["even", "floor", "ceil", "round", "trunc", "abs", "single", "try_single"]

X = Column(0, "c0", DOUBLE)


def hold(values: list[float], *exprs: Expr) -> None:
    """Each expression of each value lies in what is inferred of that value alone."""
    rows = tuple((Cell(f"'{v!r}'::DOUBLE", Fraction(v)),) for v in values)
    everything = Values(nullable=False, nan=True)
    table = Table((X,), rows, {0: everything}, {0: everything})
    table.create()
    for expr in exprs:
        safe: list[tuple[float, Expr, Values]] = []
        for value in values:
            alone = {0: Values(Fraction(value), Fraction(value), False)}
            try:
                secured = secure(expr, alone, alone, value=True)
            except Rejected:  # a plain cast of what does not fit
                continue
            safe.append((value, secured, infer(secured, alone)))
        by_sql: dict[str, list[tuple[float, Expr, Values]]] = {}
        for item in safe:
            by_sql.setdefault(table.sql(item[1]), []).append(item)
        for sql, items in by_sql.items():
            wanted = ", ".join(str(values.index(value)) for value, _, _ in items)
            query = f"SELECT {sql} FROM t WHERE id IN ({wanted}) ORDER BY id"
            found = [row[0] for row in CONNECTION.execute(query).fetchall()]
            items.sort(key=lambda item: values.index(item[0]))
            for result, (value, secured, admitted) in zip(found, items, strict=True):
                label = f"{sql} of {value!r} is {result!r}, not in {admitted}"
                assert inside(exact(result, secured.type), admitted, secured.type), label


@pytest.mark.parametrize("name", ONE)
@pytest.mark.one_in(3)
def test_one_value(name: str) -> None:
    hold(HARD, make(name, (Ref(X),), None))


@pytest.mark.parametrize("name", ["round", "trunc"])
def test_digits(name: str) -> None:
    hold(HARD, *(make(name, (Ref(X), constant(str(n))), None) for n in range(-15, 16)))


def test_powers() -> None:
    hold(HARD, *(make("pow", (Ref(X), constant(e)), None) for e in EXPONENTS))
    hold(HARD, *(make("pow", (constant(b), Ref(X)), None) for b in BASES))


def test_logarithms() -> None:
    hold(HARD, *(make("log", (constant(b), Ref(X)), None) for b in BASES))


TARGETS = [Type(n) for n in ("TINYINT", "UTINYINT", "SMALLINT", "USMALLINT", "UINTEGER", "UBIGINT")]
TARGETS += [INTEGER, BIGINT, HUGEINT]
TARGETS += [
    decimal(p, s)
    for p, s in (
        (1, 0),
        (4, 2),
        (4, 4),
        (9, 2),
        (15, 2),
        (16, 2),
        (18, 3),
        (18, 18),
        (38, 2),
        (38, 38),
    )
]


@pytest.mark.parametrize("kind", TARGETS, ids=str)
@pytest.mark.parametrize("name", ["cast", "try_cast"])
@pytest.mark.one_in(3)
def test_casts(name: str, kind: Type) -> None:
    hold(HARD, cast(name, Ref(X), kind, None))


@pytest.mark.parametrize("kind", TARGETS, ids=str)
def test_try_cast_is_duckdbs_but_at_the_limits(kind: Type) -> None:
    """What fits is what DuckDB makes of it; only what it rounds to a limit may be NULL instead."""
    limits = kind.limits()
    assert limits is not None
    free = Values(nullable=False, nan=True)
    sql = Table((X,), (), {0: free}, {0: free}).sql
    safe = secure(cast("try_cast", Ref(X), kind, None), {0: free}, {0: free}, value=True)
    values = ", ".join(f"({n}, '{v!r}'::DOUBLE)" for n, v in enumerate(HARD))
    CONNECTION.execute("CREATE OR REPLACE TEMP TABLE t (id INTEGER, c0 DOUBLE)")
    CONNECTION.execute(f"INSERT INTO t VALUES {values}")
    query = f"SELECT c0, {sql(safe)}, TRY_CAST(c0 AS {kind}) FROM t ORDER BY id"
    for value, found, own in CONNECTION.execute(query).fetchall():
        if found is None and own is not None:
            assert min(abs(Fraction(own) - e) for e in limits) <= abs(Fraction(own)) / 2**47, value
        else:
            assert found == own, value
