"""Where released values lie, whatever the noise: later releases that read them rest on it.

Claim: a released value, where it is not NULL, is in the range that is said here. Why: order
statistics are points of a public grid, or between two of them; a mean is moved into the range of
what it is of, and a spread or a correlation into its own (see `decode`). What a query over private
rows reads of it is moved there once more, where it is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpsql.core.plan.values import Values, outward
from dpsql.core.release.arguments import ORDERED
from dpsql.core.release.decode import limits
from dpsql.core.release.formulas import Output, Picked
from dpsql.core.release.measures import Argument
from dpsql.core.release.picks import points_of


def released_range(function: str, output: Output, arguments: Sequence[Argument]) -> Values | None:
    """The range of an aggregate; None where it is that of its type."""
    kind = output.column.type
    if isinstance(output.formula, Picked):
        if function not in ORDERED or output.formula.listed or output.argument is None:
            return None
        argument = arguments[output.argument]
        found = points_of(argument)
        if not kind.is_float:
            return found if kind == argument.expr.type else None
        return Values(*outward(found.low, found.high), True)
    ends = limits(output.formula) if kind.is_float else None
    return None if ends is None else Values(*outward(*map(Fraction, ends)), True)
