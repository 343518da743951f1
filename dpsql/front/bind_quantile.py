"""The constants of quantiles and histograms: fractions, and the upper ends of bins.

A fraction is kept exactly as it is written, 0.1 as one tenth. An end is a value of the type in
which DuckDB compares it: 0.1 is the DOUBLE nearest to a tenth beside a DOUBLE.

HISTOGRAM(x, [a, b]) counts x <= a under a, a < x <= b under b, and what is above under the greatest
value of the type (INTEGER 2147483647, DOUBLE infinity), a key that is there only where something is
above. NaN, which is neither above nor below, is counted in the first bin. The ends may be in any
order, and twice. NULLs do not count; of no value at all the histogram is NULL. Values and ends are
brought to one type (TINYINT and 3 to INTEGER), and DECIMALs are compared as DOUBLEs.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from dpsql.core.functions.constants import converted
from dpsql.core.functions.moments import as_moment
from dpsql.core.functions.spec import coerce, fits
from dpsql.core.functions.typing import common_numeric
from dpsql.core.plan.expr import Expr, Literal
from dpsql.front.parse import only, reject, set_span, span_of
from dpsql.types import DOUBLE, Scalar, Type, counts_of

MAX_CONSTANTS = 1_000
"""Fractions of one quantile, or bins of one histogram."""

_MAX_LENGTH = 40
"""Characters of a fraction; DuckDB keeps 38 digits."""


def fractions(node: exp.Expr | None, call: exp.Expr) -> tuple[tuple[Fraction, ...], bool]:
    """The fractions of a quantile, and whether they are a list.

    Args:
        node: one constant, or a list of them.
        call: the quantile.

    Raises:
        Rejected: DP205 for anything but constants from 0 to 1.
    """
    if node is None:
        help = "write QUANTILE_CONT(x, 0.5)"
        raise reject("DP205", "a quantile takes a value and a fraction", call, help)
    if not isinstance(node, exp.Array):
        return (_fraction(node, call),), False
    return tuple(_fraction(part, call) for part in _members(node, call)), True


def _placed(node: exp.Expr, call: exp.Expr) -> exp.Expr:
    """The node if it has a place in the text, which NULL has not."""
    return call if span_of(node) is None else node


def _members(node: exp.Array, call: exp.Expr) -> list[exp.Expr]:
    only(node, "expressions")
    members: list[exp.Expr] = node.expressions
    if not members:
        raise reject("DP205", "an empty list", _placed(node, call))
    if len(members) > MAX_CONSTANTS:
        raise reject("DP103", f"a list of more than {MAX_CONSTANTS:,} constants", node)
    return members


def _fraction(node: exp.Expr, call: exp.Expr) -> Fraction:
    inner = node.unnest()
    help = "write the number itself, such as 0.25"
    if not isinstance(inner, exp.Literal) or inner.is_string:
        message = "a quantile's fraction must be a constant from 0 to 1"
        raise reject("DP205", message, _placed(node, call), help)
    text = str(inner.this)
    if len(text) > _MAX_LENGTH:
        raise reject("DP205", "the fraction has too many digits", node)
    if "e" in text.lower():  # a DOUBLE; its shortest text is what was written
        text = repr(float(text))
    value = Fraction(Decimal(text)) if text != "inf" else Fraction(2)
    if value > 1:
        help = "write 0.25 for the value that a quarter of the rows does not exceed"
        raise reject("DP205", "a quantile's fraction must be from 0 to 1", node, help)
    return value


def binned(
    value: Expr, node: exp.Expr, call: exp.Expr, bind: Callable[[exp.Expr], Expr]
) -> tuple[Expr, Type, tuple[Scalar, ...]]:
    """What is counted, as it is compared with the ends; the type of the histogram; and the upper
    ends, ascending.

    Args:
        value: what is counted.
        node: the list of ends.
        call: the histogram.
        bind: binds a constant.

    Raises:
        Rejected: DP205 for anything but constants that are values of such a type.
    """
    kind = value.type
    if not (kind.is_numeric or kind.is_temporal):
        help = "HISTOGRAM(x) counts each value"
        raise reject(
            "DP205", f"bins of numbers and dates, not of {kind}", _placed(node, call), help
        )
    constants = "bins are a list of constants"
    node = _written_out(node, call, bind)
    if not isinstance(node, exp.Array):
        raise reject("DP205", constants, _placed(node, call), "write [10, 20, 30]")
    found: list[tuple[exp.Expr, Literal]] = []
    for member in _members(node, call):
        end = bind(member)
        if not isinstance(end, Literal) or end.value is None:
            raise reject("DP205", constants, _placed(member, call), "write [10, 20, 30]")
        found.append((member, end))
    kind = _compared(kind, [end.type for _, end in found])
    key = DOUBLE if kind.is_decimal else kind
    ends: set[Scalar] = set()
    for member, literal in found:
        made = _end(literal, key)
        if made is None:
            raise reject("DP205", f"this end of a bin is no {key}", member, f"write a {key}")
        ends.add(made)
    return coerce(value, kind), counts_of(key), tuple(sorted(ends))


def _written_out(node: exp.Expr, call: exp.Expr, bind: Callable[[exp.Expr], Expr]) -> exp.Expr:
    """The list of RANGE(0, 101, 10) or GENERATE_SERIES(0, 100, 10), if it is of whole constants."""
    if not isinstance(node, exp.GenerateSeries):
        return node
    only(node, "start", "end", "step", "is_end_exclusive")
    given = [bind(part) for name in ("start", "end", "step") if (part := node.args.get(name))]
    ends = [e.value for e in given if isinstance(e, Literal) and type(e.value) is int]
    if len(ends) < len(given) or not ends or (len(ends) == 3 and not ends[2]):
        return node
    first, last, step = (0, *ends, 1) if len(ends) == 1 else (*ends, 1)[:3]
    found = range(
        first, last + (0 if node.args.get("is_end_exclusive") else (step > 0) * 2 - 1), step
    )
    if len(found) > MAX_CONSTANTS:
        raise reject("DP103", f"a list of more than {MAX_CONSTANTS:,} constants", node)
    span, members = span_of(call), []
    for value in found:
        member: exp.Expr = exp.Literal.number(abs(value))
        member = exp.Neg(this=member) if value < 0 else member
        for part in member.walk():
            if span is not None:
                set_span(part, span)
        members.append(member)
    return exp.Array(expressions=members)


def _compared(kind: Type, ends: Sequence[Type]) -> Type:
    """The type in which values and ends are compared: that of the values where it may be."""
    for end in ends:
        if kind.is_numeric and end.is_numeric and not kind.is_decimal:
            kind = common_numeric(kind, end) if kind.name != "FLOAT" or end == DOUBLE else kind
        elif end.name == "TIMESTAMP" and kind.is_temporal:
            kind = end
    return kind


def _end(literal: Literal, key: Type) -> Scalar | None:
    """The constant as a value of the type; None where it is none."""
    if literal.type.is_string:
        found = converted(literal, key)
        return None if found is None else _end(found, key)
    value = literal.value
    if isinstance(value, date):  # a datetime is a date
        moment = value if isinstance(value, datetime) else as_moment(value)
        if key.name == "TIMESTAMP":
            return moment
        return moment.date() if key.name == "DATE" and moment.time() == time() else None
    if not literal.type.is_numeric or not isinstance(value, int | Fraction):
        return None
    if key.is_integer:
        return int(value) if fits(value, key) else None
    if key.name == "FLOAT":
        return _single(value)
    return Fraction(float(value)) if key.is_float else None


def _single(value: int | Fraction) -> Fraction | None:
    """The nearest FLOAT, as DuckDB rounds: to a DOUBLE first."""
    try:
        (single,) = struct.unpack("f", struct.pack("f", float(value)))
    except OverflowError:
        return None
    return Fraction(single) if math.isfinite(single) else None
