"""Expressions, calls and ranges of a plan in a few words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from dpsql.core.emit.plans import scalar
from dpsql.core.plan.expr import Call, Case, Column, Expr, transform
from dpsql.core.plan.nodes import AggregateCall, Frame, SortKey, WindowCall
from dpsql.core.plan.values import Values, of_type
from dpsql.core.release.labels import number_text, unclamped
from dpsql.core.schema import Randomized
from dpsql.report.explanation.step_names import StepNames

MAX_TEXT = 300
"""How many letters of an expression are shown; an ellipsis says that there is more."""

MAX_LISTED = 6
"""How many values are listed; of more, how many there are."""

_JOINED = exp.And | exp.Or
_PLAIN = exp.Predicate | exp.Not | exp.Var | exp.Boolean


def expression(expr: Expr, names: StepNames) -> str:
    """An expression, without the clamps, types and parentheses that make it safe."""
    try:
        return shortened(_text(expr, names))
    except RecursionError:
        return "… (nested too deeply to be shown)"


def _cut(expr: Expr) -> Expr:
    """Of long lists what may be seen of them: every part has a letter, and two before the next."""

    def visit(node: Expr) -> Expr:
        if isinstance(node, Call) and len(node.args) > MAX_TEXT // 2:
            return replace(node, args=node.args[: MAX_TEXT // 2])
        if isinstance(node, Case) and len(node.branches) > MAX_TEXT // 2:
            return replace(node, branches=node.branches[: MAX_TEXT // 2])
        return node

    return transform(expr, visit)


def _text(expr: Expr, names: StepNames) -> str:
    # A copy, since it will be changed.
    root = exp.Paren(this=scalar(_cut(unclamped(expr)), names.columns)).copy()
    for cast in list(root.find_all(exp.Cast)):
        text = _constant(cast)
        if text is not None:
            cast.replace(exp.Var(this=text))
    for paren in list(root.find_all(exp.Paren)):
        above, inner = paren.parent, paren.this
        same = isinstance(above, exp.And) and isinstance(inner, exp.And)
        if (
            isinstance(above, exp.Paren)
            or same
            or (isinstance(above, _JOINED) and isinstance(inner, _PLAIN))
        ):
            paren.replace(inner)
    shown: str = root.this.sql(dialect="duckdb")
    return shown


def expressions(exprs: Iterable[Expr], names: StepNames) -> str:
    """Expressions with commas."""
    return shortened(", ".join(expression(e, names) for e in exprs))


def aggregate(call: AggregateCall, names: StepNames) -> str:
    """An aggregate."""
    pair = [e for e in (call.argument, call.second) if e is not None]
    found = [expressions(pair, names) if pair else "*", *map(_value, call.parameters)]
    inner = f"{'distinct ' if call.distinct else ''}{shortened(', '.join(found))}"
    ordered = f" order by {order(call.order, names)}" if call.order else ""
    where = "" if call.where is None else f" where {expressions([call.where], names)}"
    return f"{call.function}({inner}{ordered}){where}"


def window(call: WindowCall, names: StepNames) -> str:
    """A window function."""
    over: list[str] = []
    if call.partition:
        over.append(f"partition by {expressions(call.partition, names)}")
    if call.order:
        over.append(f"order by {order(call.order, names)}")
    if call.frame is not None:
        over.append(_frame(call.frame))
    given = "distinct " * call.distinct + expressions(call.arguments, names)
    given += " ignore nulls" * call.without_nulls
    return f"{call.function}({given}) over ({' '.join(over)})"


def order(keys: Iterable[SortKey], names: StepNames) -> str:
    """The terms of ORDER BY."""
    found = (
        f"{expression(k.expr, names)}{' desc' if k.descending else ''}"
        f"{' nulls first' if k.nulls_first else ''}"
        for k in keys
    )
    return shortened(", ".join(found))


def _frame(frame: Frame) -> str:
    def end(count: int | None, side: str) -> str:
        if side == "current":
            return "current row"
        months = " months" if frame.unit == "months" else ""
        return f"{'unbounded' if count is None else f'{count}{months}'} {side}"

    unit = "rows" if frame.unit == "rows" else "range"
    return f"{unit} between {end(*frame.start)} and {end(*frame.end)}"


def values(column: Column, found: Values) -> str:
    """What a column can be; nothing where its type says as much."""
    any_value = of_type(column.type)
    if found.finite is not None and found.finite != any_value.finite:
        if not found.finite:
            return "always NULL"
        if len(found.finite) > MAX_LISTED:
            return f"one of {len(found.finite):,} values"
        return shortened(f"one of {', '.join(map(_value, found.finite))}")
    low = None if found.low == any_value.low else found.low
    high = None if found.high == any_value.high else found.high
    if low is not None and high is not None:
        return f"in [{number_text(low)}, {number_text(high)}]"
    if low is not None:
        return f"at least {number_text(low)}"
    return "" if high is None else f"at most {number_text(high)}"


def coins(found: Randomized) -> str:
    """How a column was randomized."""
    truth, yes = number_text(found.truth), number_text(found.yes)
    return f"is randomized, declared: the truth with probability {truth}, else TRUE with {yes}"


def shortened(text: str) -> str:
    """The first letters of a long text."""
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1].rstrip() + "…"


def _value(value: object) -> str:
    if isinstance(value, str):
        return exp.Literal.string(value).sql(dialect="duckdb")
    return str(value).lower() if isinstance(value, bool) else number_text(value)


def _constant(cast: exp.Cast) -> str | None:
    """A constant with its type, as short as people write it."""
    if isinstance(cast, exp.TryCast):  # of a text that may be no number
        return None
    inner, kind = cast.this, cast.to.sql(dialect="duckdb")
    if isinstance(inner, exp.Null):
        return "NULL"
    negative = isinstance(inner, exp.Paren) and isinstance(inner.this, exp.Neg)
    number = inner.this.this if negative else inner
    if not isinstance(number, exp.Literal):
        return None
    if number.is_string and kind in ("DATE", "TIMESTAMP", "TIMESTAMPTZ", "TIME"):
        return f"{kind} {number.sql(dialect='duckdb')}"
    if kind.startswith("DECIMAL") or cast.to.is_type(*exp.DataType.NUMERIC_TYPES):
        return f"{'-' if negative else ''}{number.this}"
    return None
