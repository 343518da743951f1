"""What an expression can be, from what its columns can be; and how a predicate narrows columns.

`infer` folds the range rules of the function table over an expression. `narrow` reads a predicate
that is known to be TRUE: `x < 5` bounds x, `x IN (…)` makes it finite, and any comparison that is
TRUE says that its operands are not NULL.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from operator import is_
from typing import Any, TypeGuard, TypeVar

from dpsql.core.functions import BY_NAME
from dpsql.core.functions.string_length import length
from dpsql.core.infer.keys import plain_column
from dpsql.core.plan.expr import Call, Case, Column, Expr, Literal, Ref, columns_of, conjuncts
from dpsql.core.plan.values import Values, comparable, of_constant, of_type, union
from dpsql.types import Type

Environment = Mapping[int, Values]
"""What each plan column can be, by id."""


def infer(expr: Expr, env: Environment, known: Mapping[int, Values] | None = None) -> Values:
    """The possible values of `expr`.

    Args:
        expr: over columns of `env`.
        env: what each column can be.
        known: what some parts of it were found to be under `env`, by their identity.
    """
    if known is not None and id(expr) in known:
        return known[id(expr)]
    if isinstance(expr, Ref):
        return env[expr.column.id]
    if isinstance(expr, Literal):
        if expr.value is None:
            return of_type(expr.type).but(nan=False, finite=())
        return of_constant(expr.value)
    if isinstance(expr, Case):
        return _case(expr, env)
    return applied(expr, tuple(infer(a, env, known) for a in expr.args))


def as_said(env: Environment, columns: Iterable[Column]) -> Environment:
    """What somebody has said of each column: the limits of its type are no bounds, unless they are
    declared. They prove that arithmetic cannot overflow, but noise that hides a number of 64 bits
    hides everything.
    """
    found = dict(env)
    for column in columns:
        limits, value = column.type.limits(), found[column.id]
        if limits is not None and value.finite is None and not value.said:
            low = None if value.low == limits[0] < 0 else value.low  # 0 is an end like any other
            high = None if value.high == limits[1] else value.high
            found[column.id] = value.but(low=low, high=high)
    return found


def open_columns(expr: Expr, env: Environment) -> list[Column]:
    """The columns whose bounds the value of a number, a date or a text lacks, as the text has
    them: not those of conditions in it, nor those that have bounds in `env`.
    """
    found: list[Ref] = []
    pending: list[Expr] = [expr]
    while pending:
        node = pending.pop()
        if isinstance(node, Case):
            pending += [value for _, value in node.branches] + [node.default]
        elif isinstance(node, Call) and not node.type.is_boolean:
            pending += node.args
        elif isinstance(node, Ref) and node.column.id in env and not env[node.column.id].bounded:
            found.append(node)
    found.sort(key=lambda ref: 0 if ref.span is None else ref.span.start)
    return list(dict.fromkeys(ref.column for ref in found))


def applied(expr: Call, args: tuple[Values, ...]) -> Values:
    """The possible values of a call, from those of its arguments."""
    function = BY_NAME[expr.function]
    result = function.values(expr, args)
    if expr.type.is_string:
        result = result.but(length=length(expr, args))
    if function.strict and any(a.nullable for a in args):
        result = result.but(nullable=True)
    if not _plain(expr.type):
        of_number = expr.function == "coerce" and _plain(expr.args[0].type)
        shows = expr.function in _SHOWING and not of_number
        result = result.but(made=not shows or any(a.made for a in args))
    return result


_SHOWING = frozenset({"clamp", "cut", "in_calendar", "coerce", "coalesce", "least", "greatest"})
"""The ends of what they make are those of their operands."""


def _plain(kind: Type) -> bool:
    return kind.is_numeric or kind.is_boolean


def _case(expr: Case, env: Environment) -> Values:
    """The union of the branches, each under its own condition, and where those before it fail."""
    parts: list[Values] = []
    for condition, value in expr.branches:
        parts.append(infer(value, narrow(condition, env)))
        env = failed(condition, env)
    parts.append(infer(expr.default, env))
    return union(parts)


def failed(condition: Expr, env: Environment) -> Environment:
    """What the columns can be in a row for which `condition` is not TRUE.

    Claim: where x < 5 is not TRUE, x >= 5 is, or x is NULL; NaN is above all numbers. Where
    an OR is not TRUE, none of its parts is.
    """
    result = dict(env)
    parts = condition.args if _is(condition, "or") else (condition,)
    for part in parts:
        if _is(part, "or"):
            result = dict(failed(part, result))
        elif isinstance(part, Call) and part.function in _OPPOSITE:
            a, b = part.args
            constant = any(isinstance(e, Literal) and e.value is not None for e in (a, b))
            column = plain_column(b if isinstance(a, Literal) else a)
            if constant and column is not None:
                opposite = replace(part, function=_OPPOSITE[part.function])
                nullable = result[column].nullable
                result[column] = narrow(opposite, result)[column].but(nullable=nullable)
    return result


_OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


def _is(expr: Expr, function: str) -> TypeGuard[Call]:
    return isinstance(expr, Call) and expr.function == function


def narrow(predicate: Expr, env: Environment) -> Environment:
    """What the columns can be in a row for which `predicate` is TRUE."""
    result = dict(env)
    for term in conjuncts(predicate):
        _apply(term, result)
    _restore(result, env)
    return result


def _restore(result: dict[int, Values], env: Environment) -> None:
    """A column that no row can have is any of none, whichever of the terms came last."""
    for column, value in result.items():
        before = env[column]
        if value.finite == () and None not in (before.low, before.high):
            result[column] = value.but(low=before.low, high=before.high)


def each_narrowed(predicate: Expr, environments: Sequence[Environment]) -> list[Environment]:
    """`narrow` under each of them. Where one says the very same of a term's columns as one before,
    so does the term: it reads and narrows these alone.
    """
    results = [dict(env) for env in environments]
    for term in conjuncts(predicate):
        columns = columns_of(term) & environments[0].keys()  # all, but of a query around this one
        done = list[tuple[list[Values], dict[int, Values]]]()
        for result in results:
            before = [result[c] for c in columns]
            if (same := _alike(before, done)) is None:
                _apply(term, result)
                done.append((before, result))
            else:
                result.update((c, same[c]) for c in columns)
    for result, env in zip(results, environments, strict=True):
        _restore(result, env)
    return [*results]


def each_inferred(expr: Expr, environments: Sequence[Environment]) -> list[Values]:
    """`infer` under each of them; once for those that say the very same of its columns."""
    if isinstance(expr, Ref):
        return [env[expr.column.id] for env in environments]
    columns, done = columns_of(expr), list[tuple[list[Values], Values]]()
    results: list[Values] = []
    for env in environments:
        before = [env[c] for c in columns]
        found = _alike(before, done)
        results.append(infer(expr, env) if found is None else found)
        done.append((before, results[-1]))
    return results


T = TypeVar("T")


def _alike(before: list[Values], done: list[tuple[list[Values], T]]) -> T | None:
    return next((t for b, t in done if all(map(is_, b, before))), None)


_FLIP = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq"}


def _apply(term: Expr, env: dict[int, Values]) -> None:
    if not isinstance(term, Call):
        return
    if term.function == "or":
        _either(term, env)
    elif term.function in _FLIP:
        for operand, operator, other in (
            (term.args[0], term.function, term.args[1]),
            (term.args[1], _FLIP[term.function], term.args[0]),
        ):
            column = plain_column(operand)
            if column is not None:
                limit = _strict(operator, infer(other, env), other.type)
                env[column] = _compared(operator, env[column], limit)
    elif term.function == "in" and (column := plain_column(term.args[0])) is not None:
        options = union([infer(a, env) for a in term.args[1:]])
        env[column] = _compared("eq", env[column], options)
    elif term.function == "not":
        (inner,) = term.args
        if isinstance(inner, Call) and inner.function == "is_null":
            (operand,) = inner.args
            if isinstance(operand, Ref):
                env[operand.column.id] = env[operand.column.id].but(nullable=False)
        elif isinstance(inner, Call) and inner.function == "in" and isinstance(inner.args[0], Ref):
            for option in inner.args[1:]:
                _without(inner.args[0], option, env)
    elif term.function == "is_null" and isinstance(term.args[0], Ref):
        column = term.args[0].column.id
        env[column] = env[column].but(nan=False, finite=())  # none, where it is never NULL
    elif term.function == "ne":
        for operand, other in (term.args, term.args[::-1]):
            if isinstance(operand, Ref):
                _without(operand, other, env)
    elif term.function in ("like", "ilike"):
        operand = term.args[0]
        if isinstance(operand, Call) and operand.function == "cut":
            operand = operand.args[0]
        if isinstance(operand, Ref):
            env[operand.column.id] = env[operand.column.id].but(nullable=False)


def _without(operand: Ref, other: Expr, env: dict[int, Values]) -> None:
    """`operand <> other` is TRUE: not NULL, and not that constant."""
    value = env[operand.column.id].but(nullable=False)
    if isinstance(other, Literal):  # x <> 0 with x in [0, 9]: x may be divided by
        value = value.other_than(other.value, operand.type)
    env[operand.column.id] = value


def _strict(operator: str, limit: Values, kind: Type) -> Values:
    """`x < 5` is `x <= 4` for whole numbers; for dates a day less, for timestamps a microsecond."""
    step: Any = 1 if kind.is_integer else _STEPS.get(kind.name)
    try:
        if operator == "gt" and step is not None and limit.low is not None:
            return limit.but(low=limit.low + step)
        if operator == "lt" and step is not None and limit.high is not None:
            return limit.but(high=limit.high - step)
    except OverflowError:  # at the ends of Python's calendar
        pass
    return limit


_STEPS = {"DATE": timedelta(days=1), "TIMESTAMP": timedelta(microseconds=1)}


def _either(term: Call, env: dict[int, Values]) -> None:
    """One of the alternatives holds: a column is what it can be under any of them."""
    alternatives = [narrow(arg, env) for arg in term.args]
    for column, before in env.items():
        options = [a[column] for a in alternatives]
        if any(o != before for o in options):
            env[column] = union(options)


def _compared(operator: str, value: Values, other: Values) -> Values:
    """`value` given that `value operator other` is TRUE, hence neither is NULL."""
    low, high, nan, finite = value.low, value.high, value.nan, value.finite
    if operator in ("eq", "gt", "ge") and other.low is not None:
        low = other.low if low is None else max(low, other.low)
    if operator in ("eq", "lt", "le") and not other.nan:
        # NaN sorts above every number, so x <= 5 and x = 5 exclude it; x >= 5 does not.
        nan = False
        if other.high is not None:
            high = other.high if high is None else min(high, other.high)
    if operator == "eq" and other.finite is not None:
        keep = set(other.finite)
        finite = tuple(v for v in finite if v in keep) if finite is not None else other.finite
    if low is not None and high is not None and comparable(low) > comparable(high):
        # No number passes, though NaN may. An empty range has no use below; what was known before
        # is an interval.
        low, high = (high, low) if None in (value.low, value.high) else (value.low, value.high)
        finite = None if nan else ()
    if finite is not None and low is not None and high is not None:
        finite = _clip(finite, low, high)
    length = value.longest
    if operator == "eq" and other.longest is not None:
        length = other.longest if length is None else min(length, other.longest)
    return Values(low, high, False, nan, finite, length)


def _clip(finite: tuple[Any, ...], low: Any, high: Any) -> tuple[Any, ...]:
    if any(isinstance(v, bool | str) for v in finite):
        return finite
    first, last = comparable(low), comparable(high)
    return tuple(v for v in finite if first <= comparable(v) <= last)
