"""Typed calls from untyped ones: implicit conversions, constants folded, arguments checked."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time

from sqlglot import exp

from dpsql.core.functions import BY_NAME, SPELLINGS, Function
from dpsql.core.functions.constants import beyond_numbers, converted, fold
from dpsql.core.functions.spec import Args, TypeMismatch, coerce, fits
from dpsql.core.functions.times import constant, microseconds
from dpsql.core.functions.typing import common
from dpsql.core.plan.expr import Call, Case, Expr, Literal
from dpsql.errors import Diagnostic, Rejected, Span
from dpsql.types import BOOLEAN, DATE, DOUBLE, INTEGER, TIME, TIMESTAMP, VARCHAR, Type

COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "is_not_distinct", "in"})
_CONVERTING = COMPARISONS | {"add", "sub", "mul", "div", "coalesce", "nullif", "least", "greatest"}


def make(function: str, args: tuple[Expr, ...], span: Span | None) -> Expr:
    """A call of the allow-list, with its arguments brought to the types that it takes.

    Raises:
        Rejected: DP205, at the argument to blame.
    """
    entry = BY_NAME[function]
    if any(a.type == TIME for a in args) and function in COMPARISONS:
        args = _times(args, span)
    if function in _CONVERTING:
        # NULLIF('3', 5) is a text in DuckDB: its first operand stays what it is.
        own = args[:1] if function == "nullif" and isinstance(args[0], Literal) else ()
        args = own + _convert_strings(args, function != "in")[len(own) :]
    if function in COMPARISONS:
        if function != "is_not_distinct":  # 2 IS TRUE is true, where 2 = TRUE is not
            args = _truths(args)
        args = _fitted(_dates_for_midnights(args))
    try:
        coerced, kind = entry.bind(args)
    except TypeMismatch as mismatch:
        raise mismatched(function, mismatch, args, span) from None
    if function == "nullif" and not _the_same(kind, args[0].type):
        # What is compared is converted; what is given back is the first operand as it was.
        nothing = Literal(None, args[0].type)
        return Case(((make("eq", args, span), nothing),), args[0], args[0].type, span)
    parts = tuple(fold(a) for a in coerced)
    if function in TURNED and isinstance(parts[0], Literal) and not isinstance(parts[1], Literal):
        function, parts = TURNED[function], parts[::-1]  # 3 < x is x > 3
    return fold(Call(function, parts, kind, span))


def _the_same(kind: Type, own: Type) -> bool:
    """Whether a value of a type looks the same in the wider one."""
    whole = kind.is_integer and own.is_integer
    changed = kind.is_numeric and (kind.scale != own.scale or kind.is_float != own.is_float)
    return whole or not (changed or (kind.is_temporal and kind != own))


TURNED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
"""What a comparison is with its operands the other way round."""
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}
_DUAL = {"and": "or", "or": "and"}


def negated(expr: Expr, span: Span | None) -> Expr:
    """NOT, pushed down to the tests: NOT (a < b OR c) is a >= b AND NOT c, so that what a condition
    says of a column is found however it is spelled. The same in three-valued logic too (De Morgan;
    comparisons are of a total order, in which NaN is the greatest).
    """
    if isinstance(expr, Call) and expr.function == "not":
        return expr.args[0]
    if isinstance(expr, Call) and expr.function in _OPPOSITE:
        return replace(expr, function=_OPPOSITE[expr.function], span=span)
    if isinstance(expr, Call) and expr.function in _DUAL:
        terms = tuple(negated(term, term.span) for term in expr.args)
        return make(_DUAL[expr.function], terms, span)
    return make("not", (expr,), span)


def mismatched(
    name: str, mismatch: TypeMismatch, args: tuple[Expr, ...], span: Span | None
) -> Rejected:
    """The diagnostic of arguments that do not fit."""
    help = mismatch.help
    called = "" if span is None else span.called.lower()
    if mismatch.argument is not None and mismatch.argument < len(args):
        blamed = args[mismatch.argument]
        span = blamed.span or span
        if help is None and name in _SYMBOLS:
            help = _numeric(name, args)
    said = mismatch.message.replace(name.upper(), called.upper()) if called else mismatch.message
    message = f"{called or _SYMBOLS.get(name, name)}: {said}"
    return Rejected(Diagnostic("DP205", message, span, help))


_SYMBOLS = {
    "eq": "=",
    "ne": "<>",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "intdiv": "//",
    "mod": "%",
    "neg": "-",
    "bit_and": "&",
    "bit_or": "|",
    **dict.fromkeys(("plus_days", "plus_months", "plus_seconds"), "+"),
    "is_not_distinct": "IS",
    "in": "IN",
    "like_escape": "LIKE",
}
"""How a query writes what it does not call by a name."""


def _numeric(name: str, args: Args) -> str | None:
    """What to write where numbers are needed, or operands of one type."""
    kinds = [a.type for a in args]
    if any(k.name == "INTERVAL" for k in kinds):
        return "use its seconds: EXTRACT(epoch FROM a - b)"
    if any(k.is_temporal for k in kinds) and name not in COMPARISONS:
        if any(k.is_integer for k in kinds):
            return "write x + INTERVAL 3 DAY to move it, or DATE_DIFF('day', a, b) for days between"
        return "write DATE_DIFF('day', a, b) for the days between two"
    texts, numbers = any(k.is_string for k in kinds), any(k.is_numeric for k in kinds)
    if texts and (numbers or name not in COMPARISONS):
        return "write TRY_CAST(x AS INTEGER) for the text, or a constant in quotes"
    if any(k.is_boolean for k in kinds) and numbers:
        return "write CAST(x AS INTEGER) for the condition"
    if name == "intdiv":
        return "write CAST(FLOOR(x / y) AS BIGINT)"
    return None


def cast(function: str, value: Expr, kind: Type, span: Span | None) -> Expr:
    """CAST or TRY_CAST; a string constant becomes a constant of the type.

    Raises:
        Rejected: DP205 where the string is no such constant or no such cast is modelled.
    """
    from dpsql.core.functions.casts import convertible
    from dpsql.core.functions.typing import double_text, no_text, really_double, really_whole

    if isinstance(value, Literal) and value.value is None:
        if kind.is_opaque and kind.name not in exp.DataType.Type.__members__:
            raise Rejected(Diagnostic("DP205", f"there is no type {kind}", span))
        return replace(value, type=kind)
    if kind.is_boolean and value.type.is_boolean:
        return value
    if kind == TIME and value.type == TIMESTAMP:
        return make("time_of_day", (value,), span)
    if isinstance(value, Literal) and isinstance(value.value, str) and kind == TIME:
        try:
            return constant(value)
        except TypeMismatch as mismatch:
            raise Rejected(Diagnostic("DP205", mismatch.message, span)) from None
    if isinstance(value, Literal) and isinstance(value.value, str):
        made = converted(value, kind)
        if made is not None:
            return replace(made, span=span)
        beyond = beyond_numbers(value, kind, span)
        if beyond is not None:
            return beyond
    if value.type == DOUBLE and kind == VARCHAR and really_double(value):
        return double_text(value)
    if not convertible(value.type, kind) or (kind.is_string and not really_whole(value)):
        known = no_text(value) if kind.is_string else None
        message, help = known or (f"CAST from {value.type} to {kind} is not modelled", None)
        raise Rejected(Diagnostic("DP205", message, span, help))
    return fold(Call(function, (value,), kind, span))


def case(branches: list[tuple[Expr, Expr]], default: Expr | None, span: Span | None) -> Expr:
    """CASE with its results brought to one type.

    Raises:
        Rejected: DP205 where they have none.
    """
    results = [value for _, value in branches] + ([default] if default is not None else [])
    try:
        kind = common(tuple(results), "CASE")
    except TypeMismatch as mismatch:
        raise mismatched("CASE", mismatch, tuple(results), span) from None
    for condition, _ in branches:
        if condition.type != BOOLEAN:
            message = f"WHEN needs a condition, not {condition.type}"
            raise Rejected(Diagnostic("DP205", message, condition.span or span))
    last = Literal(None, kind) if default is None else coerce(default, kind)
    pairs = tuple((condition, coerce(value, kind)) for condition, value in branches)
    return Case(pairs, last, kind, span)


def spelled(name: str) -> Function | None:
    """The function that SQL text calls `name`, or None."""
    return SPELLINGS.get(name.lower())


def _convert_strings(args: tuple[Expr, ...], beyond: bool) -> tuple[Expr, ...]:
    """`d < '1995-01-01'` compares dates: a string constant takes the type of what it meets; with
    `beyond` also where that is 'NaN', no constant then.
    """
    kinds = [
        a.type
        for a in args
        if not (isinstance(a, Literal) and isinstance(a.value, str)) and a.type.name != "NULL"
    ]
    target = next((k for k in kinds if not k.is_string), None)
    if target is None:
        return args
    result: list[Expr] = []
    for arg in args:
        if isinstance(arg, Literal) and isinstance(arg.value, str):
            constant: Expr | None = converted(arg, target)
            if constant is None and target == DATE:
                constant = _day(converted(arg, TIMESTAMP))
            if constant is None and beyond:
                constant = beyond_numbers(arg, target, arg.span)
            if constant is None:
                message, help = f"the constant cannot be read as {target}", None
                if target in (DATE, TIMESTAMP):
                    help = "write it as '2024-12-31'"
                elif beyond_numbers(arg, target, arg.span) is not None:
                    help = f"compare with it by itself: x = '{arg.value}' OR x IN (…)"
                raise Rejected(Diagnostic("DP205", message, arg.span, help))
            arg = constant
        result.append(arg)
    return tuple(result)


def _day(moment: Literal | None) -> Literal | None:
    """The day of a timestamp, which is what DuckDB reads where it expects a date."""
    if moment is None or not isinstance(moment.value, datetime):
        return None
    return replace(moment, value=moment.value.date(), type=DATE)


def _truths(args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """`paid = 1` asks for TRUE, and `n = TRUE` for 1: DuckDB makes 0 and 1 of conditions where a
    whole number meets them, in which order and equality are those of FALSE and TRUE.
    """
    if not any(a.type.is_boolean for a in args):
        return args
    truths = tuple(
        replace(a, value=bool(a.value), type=BOOLEAN)
        if isinstance(a, Literal) and a.type.is_integer and a.value in (0, 1)
        else a
        for a in args
    )
    if not any(a.type.is_integer for a in truths):
        return truths
    return tuple(cast("cast", a, INTEGER, a.span) if a.type.is_boolean else a for a in args)


def _fitted(args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """`price > 3` compares prices: a number takes the exact type of the column it meets, if it is
    such a number, so that the column itself needs no conversion.
    """
    kinds = {a.type for a in args if not isinstance(a, Literal)}
    if len(kinds) != 1:
        return args
    (kind,) = kinds
    return tuple(
        replace(a, type=kind)
        if isinstance(a, Literal) and a.type.is_exact and kind.is_exact and fits(a.value, kind)
        else a
        for a in args
    )


def _times(args: tuple[Expr, ...], span: Span | None) -> tuple[Expr, ...]:
    """Times by their microseconds since midnight; a string constant is one of them."""

    def one(arg: Expr) -> Expr:
        if isinstance(arg, Literal) and isinstance(arg.value, str):
            arg = cast("cast", arg, TIME, arg.span)
        return microseconds(arg) if arg.type == TIME else arg

    return tuple(map(one, args))


def _dates_for_midnights(args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """A date compared with midnight is compared with that date: the same, and cheaper."""
    constants = [a for a in args if isinstance(a, Literal) and a.type == TIMESTAMP]
    others = [a for a in args if not isinstance(a, Literal)]
    midnight = all(isinstance(c.value, datetime) and c.value.time() == time() for c in constants)
    if not constants or not midnight or any(o.type != DATE for o in others):
        return args
    return tuple(
        replace(a, value=a.value.date(), type=DATE)
        if isinstance(a, Literal) and isinstance(a.value, datetime)
        else a
        for a in args
    )
