"""Window functions -> a WindowCall below, and a reference to its column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from dpsql.core.functions.aggregates import MODE, SHOWING
from dpsql.core.functions.constants import exactly
from dpsql.core.functions.spec import coerce
from dpsql.core.plan.expr import Expr, Literal, Ref, columns_of
from dpsql.core.plan.nodes import SortKey, WindowCall
from dpsql.front.bind_calls import aggregate, is_aggregate, sort_keys
from dpsql.front.bind_frame import by_groups, framed
from dpsql.front.parse import only, reject, span_of
from dpsql.front.scope import fold
from dpsql.front.written import called, name_of, words
from dpsql.types import BIGINT, DOUBLE, INTEGER, NULL, VARCHAR, Type

if TYPE_CHECKING:
    from dpsql.front.bind_expr import ExpressionBinder

_RANKS: dict[type[exp.Expr], tuple[str, Type]] = {
    exp.RowNumber: ("row_number", BIGINT),
    exp.Rank: ("rank", BIGINT),
    exp.DenseRank: ("dense_rank", BIGINT),
    exp.PercentRank: ("percent_rank", DOUBLE),
    exp.CumeDist: ("cume_dist", DOUBLE),
}

_VALUES: dict[type[exp.Expr], str] = {
    exp.Lag: "lag",
    exp.Lead: "lead",
    exp.FirstValue: "first_value",
    exp.LastValue: "last_value",
    exp.NthValue: "nth_value",
}

MAX_OFFSET = 1_000_000


def window(binder: ExpressionBinder, node: exp.Window) -> Expr:
    """f(…) OVER (…)."""
    place = binder.place
    if place is None or not place.windows:
        raise reject("DP207", "a window function cannot stand here", node, "filter it with QUALIFY")
    only(node, "this", "partition_by", "order", "spec", "over", "alias")
    definition = _definition(place.named, node)
    place.windows = False  # not inside one another
    try:
        made, kind = _call(binder, node.this)
        partition = tuple(binder.bind(p) for p in definition.args.get("partition_by") or [])
        clause = definition.args.get("order")
        order = () if clause is None else sort_keys(binder.bind, clause)
    finally:
        place.windows = True
    within = made.within
    if made.function in SHOWING and not made.distinct:
        # In the order of the rows; of those that it does not tell apart, by the value.
        within = (*(within or order), SortKey(made.arguments[0], False, False))
    call = replace(made, partition=partition, order=order, within=within, span=span_of(node))
    spec = definition.args.get("spec")
    call = framed(binder, by_groups(place, call, spec), spec)
    column = place.window(call, place.ids.column(call.function, kind))
    return Ref(column, span_of(node))


def named_windows(query: exp.Expr) -> dict[str, exp.Window]:
    """What a query's WINDOW clause defines, by folded name; each may refine one before it.

    Raises:
        Rejected: DP202 for a name that none before has, DP104 for a part that is there already.
    """
    named: dict[str, exp.Window] = {}
    for window in query.args.get("windows") or []:
        named[fold(window.name)] = _definition(named, window)
    return named


_REFINED = ("partition_by", "order", "spec")


def _definition(named: Mapping[str, exp.Window], node: exp.Window) -> exp.Window:
    alias = node.args.get("alias")
    if alias is None:
        return node
    found = named.get(fold(alias.name))
    if found is None:
        raise reject("DP202", f"no window {alias.name}", node)
    own = {part: value for part, value in node.copy().args.items() if part in _REFINED and value}
    if not own:
        return found
    if found.args.get("spec") or any(found.args.get(part) for part in own):
        raise reject("DP104", "a named window that is refined so is not supported", node)
    made = found.copy()
    for part, value in own.items():
        made.set(part, value)
    return made


def _call(binder: ExpressionBinder, node: exp.Expr) -> tuple[WindowCall, Type]:
    """The function, over nothing yet, and its type."""
    condition: Expr | None = None
    if isinstance(node, exp.Filter):
        condition = binder.condition(node.expression.this)
        node = node.this
    around = node
    if isinstance(node, exp.IgnoreNulls | exp.RespectNulls) and type(node.this) in _VALUES:
        node = node.this
    if type(node) in _RANKS:
        only(node)
        _unfiltered(condition, node)
        name, kind = _RANKS[type(node)]
        return _of(name), kind
    if (isinstance(node, exp.Ntile) or type(node) in _VALUES) and node.this is None:
        raise reject("DP205", f"{called(node)} needs an argument", node)
    if isinstance(node, exp.Ntile):
        only(node, "this")
        _unfiltered(condition, node)
        return _of("ntile", _constant(binder, node.this, 1)), BIGINT
    if type(node) in _VALUES:
        only(node, "this", "offset", "default")
        _unfiltered(condition, node)
        value = _typed(binder.bind(node.this))
        arguments: list[Expr] = [value]
        offset, default = node.args.get("offset"), node.args.get("default")
        nth = isinstance(node, exp.NthValue)
        if nth and offset is None:
            raise reject("DP205", "NTH_VALUE needs a place", node)
        if offset is not None:
            arguments.append(_constant(binder, offset, int(nth)))
        if default is not None:
            arguments.append(coerce(binder.bind(default), value.type))
        call = _of(_VALUES[type(node)], *arguments)
        return replace(call, without_nulls=isinstance(around, exp.IgnoreNulls)), value.type
    return _aggregate(binder, node, condition)


def _of(name: str, *arguments: Expr) -> WindowCall:
    return WindowCall(name, arguments, (), (), None)


def _aggregate(
    binder: ExpressionBinder, node: exp.Expr, condition: Expr | None
) -> tuple[WindowCall, Type]:
    """An aggregate, with what it takes as arguments: the fraction of a quantile, too. MODE takes of
    values that are equally frequent the least.
    """
    any_value = isinstance(node, exp.IgnoreNulls) and isinstance(node.this, exp.AnyValue)
    nulls = isinstance(node, exp.IgnoreNulls | exp.RespectNulls) and not any_value
    if nulls:
        help = "leave NULLs out before: FROM (SELECT … WHERE x IS NOT NULL)"
        raise reject("DP104", "IGNORE NULLS of this function is not supported", node, help)
    if not is_aggregate(node):
        name = (name_of(node) or words(node, node.key)).lower()
        raise reject("DP204", f"{name} is no window function that dpsql knows", node)
    call, kind = aggregate(node, binder.bind, condition)
    several = call.parameters and call.function != "string_agg" and kind.of is not None
    if call.function == "histogram" or several:
        raise reject("DP104", "a list is no value of a window function here", node)
    if call.where is not None:
        name = call.function.upper()
        raise reject("DP104", f"FILTER of {name} as a window is not supported", node)
    first = Literal(1, BIGINT) if call.argument is None else call.argument
    second = () if call.second is None else (call.second,)
    of_text = call.function == "string_agg"
    further = [Literal(p, VARCHAR) if of_text else exactly(p) for p in call.parameters]
    within = call.order
    if call.function == MODE.name and columns_of(first):
        within = (SortKey(first, False, False),)
    made = _of(call.function, first, *second, *further)
    return replace(made, distinct=call.distinct, within=within), kind


def _unfiltered(condition: Expr | None, node: exp.Expr) -> None:
    if condition is not None:
        raise reject("DP104", "FILTER belongs to an aggregate", node)


def _typed(value: Expr) -> Expr:
    """A NULL of no type as DuckDB takes it."""
    return coerce(value, INTEGER) if value.type == NULL else value


def _constant(binder: ExpressionBinder, node: exp.Expr, least: int) -> Literal:
    value = binder.bind(node)
    if not (isinstance(value, Literal) and type(value.value) is int):
        raise reject("DP205", "needs a constant whole number", node)
    if not least <= value.value <= MAX_OFFSET:
        raise reject("DP205", f"needs a number from {least} to {MAX_OFFSET:,}", node)
    return value
