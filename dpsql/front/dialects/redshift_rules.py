"""What Redshift means otherwise than PostgreSQL, from which it is: see `dialects`.

    DATEADD(m, 1, x)               one minute later: the names of parts are those it lists
    DATEDIFF(hour, a, b)           the hours that begin between two moments
    ADD_MONTHS(d, 1)               from the last day of a month to the last day of one
    TRUNC(x)                       the day of a moment, or a number cut off: the type of x tells
    NVL2(x, a, b)                  CASE WHEN NOT x IS NULL THEN a ELSE b END
    DECODE(x, 1, a, NULL, b, c)    CASE WHEN x = 1 THEN a WHEN x IS NULL THEN b ELSE c END
    CAST(2.5 AS INT)               refused: a setting says whether it rounds; write ROUND or TRUNC
    ROUND(x), x a DOUBLE           refused: where a half goes is not said
    x = 'a '                       refused: blanks at the end do not count there, and count here

Its documentation is the source: "Date parts for date or timestamp functions", "DATEADD",
"DATEDIFF", "ADD_MONTHS", "TRUNC", "NVL2", "DECODE", "enable_numeric_rounding", "ROUND" and
"Character types". What is released with noise is at no half but by chance, so that ROUND of it is
read.
"""

from __future__ import annotations

import re

from sqlglot import exp

from dpsql.errors import Rejected
from dpsql.front.dialects.column_types import absent, type_of
from dpsql.front.dialects.date_texts import short_date
from dpsql.front.dialects.number_kinds import INTEGERS, TEXTS, fraction, numeric, textual, whole
from dpsql.front.dialects.words import (
    OF_MOMENTS,
    Rule,
    constant,
    copied,
    operand,
    place,
    refuse,
)

_REDSHIFT = "redshift"

READ: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.Nvl2: ("this", "true", "false"),
    exp.DecodeCase: ("expressions",),
}

_ABBREVIATED = {
    "YEAR": "YEARS Y YR YRS",
    "QUARTER": "QUARTERS QTR QTRS",
    "MONTH": "MONTHS MON MONS",
    "WEEK": "WEEKS W",
    "DAY": "DAYS D",
    "HOUR": "HOURS H HR HRS",
    "MINUTE": "MINUTES M MIN MINS",
    "SECOND": "SECONDS S SEC SECS",
    "DAYOFWEEK": "DOW DW WEEKDAY",
    "DAYOFYEAR": "DOY DY YEARDAY",
}
_PARTS = {name: part for part, names in _ABBREVIATED.items() for name in (part, *names.split())}
"""What a part is called, for each of its names; of the rest some are other parts, some are none."""

_OF_UNITS = (exp.DateAdd, exp.DateDiff, exp.TimestampTrunc)
_MOMENTS = (
    *(exp.CurrentDate, exp.CurrentTimestamp, exp.DateAdd, exp.AddMonths, exp.LastDay),
    *(exp.TimestampTrunc, exp.Date),
)
_SAME = (exp.Paren, exp.Min, exp.Max, exp.Window, exp.Filter, exp.Coalesce, exp.Nullif)
_TYPES = (exp.DType.DATE, exp.DType.TIMESTAMP)
_COMPARED = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ),
    *(exp.Between, exp.In, exp.Nullif, exp.Least, exp.Greatest, exp.Case, exp.DecodeCase),
)


def check(tree: exp.Expr) -> None:
    """Give parts of dates one name each, and refuse what means something else, once columns have
    their types.

    Raises:
        Rejected: DP104.
    """
    for node in reversed(list(tree.walk())):  # children first, since some are put elsewhere
        try:
            _check(node)
        except Rejected as refused:
            raise absent(node) or refused from None


def _check(node: exp.Expr) -> None:
    if isinstance(node, _OF_UNITS):
        unit = node.text("unit").upper()
        node.set("unit", exp.Var(this=_PARTS.get(unit, unit)))
    if isinstance(node, (*_OF_UNITS, exp.AddMonths, exp.LastDay)):
        _dated(node)
    if isinstance(node, exp.DateDiff):
        node.meta[OF_MOMENTS] = moment(node.this) and moment(node.expression)
    elif isinstance(node, exp.DateAdd | exp.AddMonths):
        _check_count(node)
        if isinstance(node, exp.AddMonths):
            _months_later(node)
    elif isinstance(node, exp.Extract):
        _extracted(node)
    elif isinstance(node, exp.Trunc) and node.args.get("decimals") is None:
        _truncated(node)
    elif isinstance(node, exp.Round):
        _check_half(node)
    elif isinstance(node, exp.Cast):
        _check_cast(node)
    elif isinstance(node, _COMPARED):
        _compared(node)
    elif isinstance(node, exp.Is) and isinstance(node.this, exp.DPipe):
        # In PostgreSQL 8, from which it is, IS binds more tightly than ||.
        raise refuse(node.this, _REDSHIFT, "|| beside IS", "write parentheses")


_MOMENT = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{1,6})?)?", re.ASCII)


def _dated(node: exp.Expr) -> None:
    """A constant text where a moment is taken is that date, or that moment."""
    for key in ("this", "expression") if isinstance(node, exp.DateDiff) else ("this",):
        part = node.args.get(key)
        if isinstance(part, exp.Literal) and part.is_string:
            found = _MOMENT.fullmatch(part.name)
            kind = exp.DataType.build("TIMESTAMP" if found and found[1] else "DATE")
            made = exp.Cast(this=part.copy(), to=kind) if found else short_date(part, _REDSHIFT)
            if made is None:
                what, help = "this text as a date", "write '2024-12-31' or '2024-12-31 23:59:59'"
                raise refuse(part, _REDSHIFT, what, help)
            node.set(key, place(made, part))


def _check_count(node: exp.Expr) -> None:
    """The count is an integer: what another number would become is not said."""
    count = node.args.get("expression")
    if count is None or not whole(count, _REDSHIFT):
        what = "a shift by what may be no whole number"
        raise refuse(node, _REDSHIFT, what, "write CAST(FLOOR(x) AS INT)")


def _months_later(node: exp.Expr) -> None:
    """ADD_MONTHS(x, n): a TIMESTAMP; from the last day of a month to the last day of one."""
    day, months = node.this, node.expression
    if not _is_day(day) or sum(1 for _ in day.walk()) > 200:  # it is there four times
        help = "write ADD_MONTHS(CAST(x AS DATE), n); DATEADD goes from 30 April to 30 May"
        raise refuse(node, _REDSHIFT, "ADD_MONTHS of what may be no date", help)
    day = operand(day)
    later = exp.DateAdd(this=copied(day), expression=months, unit=exp.Var(this="MONTH"))
    last = exp.EQ(this=copied(day), expression=exp.LastDay(this=copied(day)))
    branch = exp.If(this=place(last, node), true=exp.LastDay(this=later))
    other = exp.Cast(this=copied(later), to=exp.DataType.build("DATE"))
    made = exp.Case(ifs=[branch], default=other)
    node.replace(place(exp.Cast(this=made, to=exp.DataType.build("TIMESTAMP")), node))


def _is_day(node: exp.Expr) -> bool:
    """Whether an expression is surely a DATE."""
    if isinstance(node, exp.Cast):
        return bool(node.args["to"].this == exp.DType.DATE)
    found = type_of(node) if isinstance(node, exp.Column) else None
    days = isinstance(node, exp.CurrentDate | exp.LastDay | exp.Date)
    return days or (found is not None and found.name == "DATE")


def _extracted(node: exp.Expr) -> None:
    part, value = node.this.name.upper(), node.expression.unnest()
    node.set("this", exp.Var(this=_PARTS.get(part, part)))
    if part in ("SECOND", *_ABBREVIATED["SECOND"].split()) and not whole(node, _REDSHIFT):
        raise refuse(node, _REDSHIFT, "DATE_PART of seconds", "write EXTRACT(second FROM x)")
    if isinstance(value, exp.Sub) and moment(value.expression):
        raise refuse(node, _REDSHIFT, "a part of a difference", "use DATEDIFF(day, a, b)")


def _truncated(node: exp.Expr) -> None:
    """TRUNC(x) of a moment is a DATE, and of a number the number without its fraction."""
    value = node.this
    if moment(value):
        day = exp.Cast(this=value.copy(), to=exp.DataType.build("DATE", dialect="duckdb"))
        node.replace(place(day, node))
    elif not (whole(value, _REDSHIFT) or fraction(value, _REDSHIFT)):
        help = "write CAST(x AS DATE) of a moment, or TRUNC(x, 0) of a number"
        raise refuse(node, _REDSHIFT, "TRUNC of what may be a moment or a number", help)


def moment(node: exp.Expr | None) -> bool:
    """Whether an expression is surely a DATE or a TIMESTAMP."""
    if isinstance(node, exp.Column):
        found = type_of(node)
        return found is not None and found.name in ("DATE", "TIMESTAMP")
    if isinstance(node, exp.Cast):
        return node.args["to"].this in _TYPES
    if isinstance(node, exp.Add | exp.Sub):
        sides = (node.this, node.expression)
        shifted = isinstance(node.expression.unnest(), exp.Interval) or whole(sides[1], _REDSHIFT)
        return shifted and moment(node.this)
    if isinstance(node, _SAME):
        return moment(node.this)
    return isinstance(node, _MOMENTS)


def _check_half(node: exp.Expr) -> None:
    """A NUMERIC is a decimal fraction, whose half goes away from zero."""
    value = node.this
    if numeric(value, _REDSHIFT) or value.find(exp.AggFunc) is not None:
        return
    what = "ROUND of what may be a float, of which a half may go down"
    raise refuse(node, _REDSHIFT, what, "write FLOOR(x * 100 + 0.5) / 100")


_WHOLE = (exp.Floor, exp.Ceil)
"""What leaves no fraction."""


def _check_cast(node: exp.Expr) -> None:
    """A cast to fewer digits rounds or cuts off, as `enable_numeric_rounding` says."""
    value, target = node.this, node.args["to"]
    if target.this in TEXTS or whole(value, _REDSHIFT) or isinstance(value, exp.Null):
        return
    if target.this in INTEGERS:
        if textual(value, _REDSHIFT) and not isinstance(value, exp.Literal):
            return  # an error there where it is no whole number
        places = 0
    elif target.this == exp.DType.DECIMAL:
        sizes = target.expressions
        places = int(sizes[1].name) if len(sizes) > 1 and constant(sizes[1].this, 0) else 0
    else:
        return
    most = _places(value)
    if most is None or most > places:
        digits = f", {places}" if places else ""
        what = f"a cast to {target.sql(dialect=_REDSHIFT)} that a setting lets round or cut off"
        help = f"write CAST(ROUND(x{digits}) AS …), or TRUNC(x, {places}) for ROUND"
        raise refuse(node, _REDSHIFT, what, help)


def _places(node: exp.Expr | None) -> int | None:
    """The most digits behind the point that a number has; None where that is not sure."""
    if node is None or isinstance(node, exp.Null) or whole(node, _REDSHIFT):
        return 0
    if isinstance(node, exp.Literal):
        plain = node.name.replace(".", "", 1).removeprefix("-").isdigit()
        return len(node.name.partition(".")[2]) if plain else None
    if isinstance(node, exp.Column):
        found = type_of(node)
        return found.scale if found is not None and found.is_decimal else None
    if isinstance(node, _WHOLE):
        return 0
    if isinstance(node, exp.Round | exp.Trunc):
        digits = node.args.get("decimals")
        if digits is None:
            return 0
        return int(digits.name) if constant(digits, 0) else None
    if isinstance(node, exp.Cast) and node.args["to"].this == exp.DType.DECIMAL:
        sizes = node.args["to"].expressions
        return int(sizes[1].name) if len(sizes) > 1 and sizes[1].name.isdigit() else 0
    if isinstance(node, (*_SAME, exp.Neg, exp.Abs, exp.Sum)):
        parts = [node.this, *node.expressions] if isinstance(node, exp.Coalesce) else [node.this]
        found_ = [_places(part) for part in parts]
        known = [places for places in found_ if places is not None]
        return max(known) if len(known) == len(found_) else None
    return None


def _compared(node: exp.Expr) -> None:
    """Of texts that are compared blanks at the end do not count; beside a moment '20241231' is
    one.
    """
    parts = [node.this, *(node.args.get(k) for k in ("expression", "low", "high"))]
    parts += node.expressions
    if isinstance(node, exp.DecodeCase):
        value, *rest = node.expressions
        parts = [value, *rest[: len(rest) // 2 * 2 : 2]]
    if isinstance(node, exp.Case):  # CASE x WHEN y
        parts = [] if node.this is None else [node.this, *(p.this for p in node.args["ifs"])]
    dated = any(moment(part) for part in parts if isinstance(part, exp.Expr))
    for part in parts:
        day = short_date(part, _REDSHIFT) if dated else None
        if day is not None:
            part.replace(place(day, part))
            continue
        text = part.unnest() if isinstance(part, exp.Expr) else None
        if isinstance(text, exp.Literal) and text.is_string and text.name.endswith(" "):
            what = "a comparison with a text that ends in a blank, which does not count there"
            raise refuse(text, _REDSHIFT, what, "leave the blank out, and compare RTRIM(x)")


# --- what is chosen by a value ---


def _nvl2(node: exp.Expr, dialect: str) -> exp.Expr:
    """NVL2(x, a, b): a where x is not NULL, and b where it is."""
    if dialect != _REDSHIFT or node.args.get("false") is None:
        raise refuse(node, dialect)
    test = exp.Not(this=place(exp.Is(this=operand(node.this), expression=exp.Null()), node))
    branch = exp.If(this=place(test, node), true=node.args["true"])
    return exp.Case(ifs=[branch], default=node.args["false"])


def _decode(node: exp.Expr, dialect: str) -> exp.Expr:
    """DECODE(x, a, b, …, other): b where x is a, of which NULL is NULL; without `other` it is
    NULL.
    """
    value, *rest = node.expressions
    if dialect != _REDSHIFT or len(rest) < 2:
        raise refuse(node, dialect)
    pairs, default = [*zip(rest[::2], rest[1::2], strict=False)], rest[-1]
    other = next((sought for sought, _ in pairs if not _known(sought)), None)
    if other is not None:
        help = "write CASE WHEN a = b OR (a IS NULL AND b IS NULL) THEN …"
        raise refuse(other, dialect, "DECODE of what is no constant", help)
    if sum(1 for _ in value.walk()) * len(pairs) > 2_000:  # it is there for each of them
        raise refuse(node, dialect, "DECODE of so long an expression")
    branches = []
    for sought, result in pairs:
        null = isinstance(sought.unnest(), exp.Null)
        test = (exp.Is if null else exp.EQ)(this=operand(copied(value)), expression=sought)
        branches.append(exp.If(this=place(test, node), true=result))
    return exp.Case(ifs=branches, default=default if len(rest) % 2 else None)


def _known(node: exp.Expr) -> bool:
    """Whether it is a constant, also a date or a moment."""
    inner = node.unnest()
    inner = inner.this if isinstance(inner, exp.Cast | exp.Neg) else inner
    return isinstance(inner, exp.Literal | exp.Null | exp.Boolean)


RULES: dict[type[exp.Expr], Rule] = {exp.Nvl2: _nvl2, exp.DecodeCase: _decode}
