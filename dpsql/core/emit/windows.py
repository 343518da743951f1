"""A window function -> SQL: what is called, and over which frame."""

from __future__ import annotations

from sqlglot import exp

from dpsql.core.functions.spec import cast
from dpsql.core.plan.nodes import Frame, WindowCall
from dpsql.types import HUGEINT

_OF_VALUES: dict[str, type[exp.Expr]] = {
    "lag": exp.Lag,
    "lead": exp.Lead,
    "first_value": exp.FirstValue,
    "last_value": exp.LastValue,
    "nth_value": exp.NthValue,
}
"""Those of which the printer knows IGNORE NULLS."""


def called(call: WindowCall, arguments: list[exp.Expr]) -> exp.Expr:
    """What stands before OVER."""
    if not call.without_nulls:
        return exp.Anonymous(this=call.function, expressions=arguments)
    given = dict(zip(("this", "offset", "default"), arguments, strict=False))
    return exp.IgnoreNulls(this=_OF_VALUES[call.function](**given))


def frame_sql(frame: Frame) -> exp.WindowSpec:
    """The frame, with both of its ends."""

    def end(value: tuple[int | None, str]) -> tuple[object, object]:
        rows, side = value
        if rows is None:
            return "UNBOUNDED", side.upper()
        if side == "current":
            return "CURRENT ROW", None
        number: exp.Expr = exp.Literal.number(rows)
        if frame.unit == "months":
            return exp.Interval(this=number, unit=exp.var("MONTH")), side.upper()
        return (cast(number, HUGEINT) if frame.unit == "range" else number), side.upper()

    (start, start_side), (stop, end_side) = end(frame.start), end(frame.end)
    kind = "ROWS" if frame.unit == "rows" else "RANGE"
    return exp.WindowSpec(
        kind=kind, start=start, start_side=start_side, end=stop, end_side=end_side
    )
