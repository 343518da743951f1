"""BOOL_OR, BOOL_AND and HISTOGRAM: counts of the rows for which something is true.

BOOL_OR(x) is asked of a noisy count: is it larger than noise alone makes it? With the half-width w
of the count at 95 %, the answer TRUE is given for counts above w: nothing is taken for something in
2.5 % of the answers, and more than 2w rows for nothing in 2.5 %. One person more or less can turn
the exact answer, so no private answer can be better than a count. BOOL_AND(x) is the opposite of
BOOL_OR(NOT x).

HISTOGRAM(x, bins) is a count for each bin. Claim: all bins together have the sensitivity of one
count. Why: a row is in one bin at most, so that a unit's rows are split over them. Where its rows
are cut down to R, so are its counts in all bins and groups together (see `enforce.quota_sql`).
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.functions.build import make, negated
from dpsql.core.functions.spec import coerce
from dpsql.core.plan.expr import Expr, Literal, null_unless
from dpsql.core.plan.values import Values
from dpsql.core.release.formulas import Bins, Exceeds
from dpsql.core.release.labels import number_text
from dpsql.core.release.measures import Argument, Measurements
from dpsql.types import DOUBLE, INTEGER, Scalar


def any_true(measurements: Measurements, index: int) -> Exceeds:
    """The formula of BOOL_OR(x)."""
    x = measurements.arguments[index]
    counted = measurements.count(measurements.derived(_where(x, x.expr, x.text)))
    return Exceeds(counted, negated=False)


def all_true(measurements: Measurements, index: int) -> Exceeds:
    """The formula of BOOL_AND(x)."""
    x = measurements.arguments[index]
    test = negated(x.expr, None)
    counted = measurements.count(measurements.derived(_where(x, test, f"NOT {x.text}")))
    return Exceeds(counted, negated=True)


def histogram(measurements: Measurements, index: int, ends: tuple[Scalar, ...]) -> Bins:
    """The formula of HISTOGRAM(x, bins): a bin is what is above the end before and not above its
    own. Values above the last end are in no bin.
    """
    x = measurements.arguments[index]
    ordered = sorted(set(ends))
    value = coerce(x.expr, DOUBLE) if x.expr.type.is_decimal else x.expr  # as the engine does
    derived: list[int] = []
    for number, end in enumerate(ordered):
        test = make("le", (value, Literal(end, value.type)), None)
        text = f"{x.text} <= {number_text(end)}"
        if number:
            above = make("gt", (value, Literal(ordered[number - 1], value.type)), None)
            test = make("and", (above, test), None)
            text = f"{number_text(ordered[number - 1])} < {text}"
        derived.append(measurements.derived(_where(x, test, text)))
    return Bins(tuple(ordered), tuple(measurements.bins(derived)))


def _where(x: Argument, test: Expr, text: str) -> Argument:
    """1 where the test is TRUE, else NULL: what COUNT counts."""
    expr = null_unless(test, Literal(1, INTEGER))
    return replace(
        x,
        expr=expr,
        lattice=None,
        nullable=True,
        counted_apart=True,
        text=text,
        values=Values(1, 1, True),
        options=None,
        of_unit=False,
    )
