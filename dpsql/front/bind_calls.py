"""An aggregate's syntax -> an AggregateCall over the rows, and the type of its value.

    PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x DESC)    quantile_cont(x; 1/10)
    ARG_MAX(k, n) FILTER (WHERE c)                         arg_max(CASE WHEN c THEN k END, …)

The aggregates that are constants beside one column, quantiles and histograms, are read by
`bind_quantile`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from dpsql.core.functions.aggregates import (
    AGGREGATES,
    FURTHER,
    HISTOGRAM,
    INSTEAD,
    LISTING,
    MODE,
    NAMED,
    PAIRS,
    QUANTILES,
    SEEING_NULLS,
    AggregateFunction,
    approximate_type,
)
from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.told_apart import has_text, told_apart
from dpsql.core.plan.expr import Expr, Literal, null_unless
from dpsql.core.plan.nodes import AggregateCall, SortKey
from dpsql.errors import Diagnostic, Rejected
from dpsql.front.bind_quantile import binned, fractions
from dpsql.front.parse import only, reject, span_of
from dpsql.front.unknown import unknown_function
from dpsql.front.written import called, words
from dpsql.types import (
    BIGINT,
    DATE,
    INTEGER,
    INTERVAL,
    NULL,
    TIME,
    TIMESTAMP,
    Scalar,
    Type,
    list_of,
)

Bind = Callable[[exp.Expr], Expr]
"""Binds an expression over the rows."""

Bound = tuple[AggregateCall, Type]

_ONE = Literal(1, INTEGER)
_DISTINCT = "DISTINCT takes one expression in COUNT, SUM, AVG, VAR and STDDEV"


def is_aggregate(node: exp.Expr) -> bool:
    """Whether the node is an aggregate, with WITHIN GROUP or IGNORE NULLS around it or not."""
    if isinstance(node, exp.WithinGroup | exp.IgnoreNulls | exp.RespectNulls):
        return isinstance(node.this, exp.AggFunc)
    named = isinstance(node, exp.Anonymous) and str(node.this).lower() in NAMED
    return isinstance(node, exp.AggFunc) or is_histogram(node) or named


def is_histogram(node: exp.Expr) -> bool:
    """Whether the node is HISTOGRAM(…), which has no syntax node of its own."""
    return isinstance(node, exp.Anonymous) and str(node.this).lower() == "histogram"


def aggregate(node: exp.Expr, bind: Bind, condition: Expr | None) -> Bound:
    """The call, and its type.

    Args:
        node: for which `is_aggregate` holds.
        bind: binds its arguments.
        condition: of FILTER.

    Raises:
        Rejected: DP104, DP204 and DP205.
    """
    if isinstance(node, exp.WithinGroup):
        return _ordered_set(node, bind, condition)
    if isinstance(node, exp.CountIf):
        return _count_if(node, bind, condition)
    if isinstance(node, exp.ApproxDistinct):
        only(node, "this")
        value = _filtered(_argument(node.this, bind), condition)
        return AggregateCall("count", value, span_of(node), distinct=True), BIGINT
    if type(node) in QUANTILES:
        only(node, "this", "expression", "quantile")
        parts = node.args.get("expression") or node.args.get("quantile")
        return _quantile(node, node.this, parts, bind, condition)
    if type(node) in PAIRS:
        return _pair(node, bind, condition)
    if is_histogram(node):
        return _histogram(node, bind, condition)
    if isinstance(node, exp.IgnoreNulls) and isinstance(node.this, exp.AnyValue):
        node = node.this  # as the parser has it without these words
    if type(node) in LISTING:
        return _listing(node, bind, condition)
    return _single(node, bind, condition)


def _count_if(node: exp.CountIf, bind: Bind, condition: Expr | None) -> Bound:
    only(node, "this")
    test = bind(node.this)
    if not test.type.is_boolean:
        raise reject("DP205", f"needs a condition, not {test.type}", node.this)
    both = test if condition is None else make("and", (condition, test), None)
    return AggregateCall("count", null_unless(both, _ONE), span_of(node)), BIGINT


def _single(node: exp.Expr, bind: Bind, condition: Expr | None) -> Bound:
    """An aggregate of one argument."""
    inner, function = node.this, AGGREGATES.get(type(node)) or FURTHER.get(type(node))
    if isinstance(node, exp.Mode):
        function = MODE
    elif isinstance(node, exp.Anonymous) and (function := NAMED.get(str(node.this).lower())):
        only(node, "this", "expressions")
        if len(node.expressions) != 1:
            raise reject("DP205", f"{function.name.upper()} needs one argument", node)
        (inner,) = node.expressions
    if function is None:
        raise _unknown(node)
    if not isinstance(node, exp.Anonymous):
        only(node, "this", "big_int")
    if inner is None and function.name == "count":  # COUNT() is COUNT(*)
        inner = exp.Star()
    if inner is None:
        raise reject("DP205", f"{function.name.upper()} needs an argument", node)
    if isinstance(inner, exp.Star):
        if function.name != "count":
            raise reject("DP205", "a star can stand only in COUNT(*)", inner)
        only(inner)
        counted = None if condition is None else null_unless(condition, _ONE)
        return AggregateCall("count", _countable(counted), span_of(node)), BIGINT
    distinct = isinstance(inner, exp.Distinct)
    if distinct:
        only(inner, "expressions")
        if len(inner.expressions) == 1 and (parts := _row(inner.expressions[0])) is not None:
            return _count_rows(node, function, parts, bind, condition)
        if not function.distinct or len(inner.expressions) != 1:
            row = function.name == "count"
            help = "write COUNT(DISTINCT (a, b))" if row else "leave out DISTINCT"
            raise reject("DP104", _DISTINCT, inner, help)
        inner = inner.expressions[0]
        distinct = function.distinct == "kept"
    value = _argument(inner, bind, function)
    kind = function.result(value.type)
    value = _filtered(value, condition)
    if function.name == "count" and not distinct:
        return AggregateCall("count", _countable(value), span_of(node)), kind
    return AggregateCall(function.name, value, span_of(node), distinct), kind


def _row(node: exp.Expr) -> list[exp.Expr] | None:
    """The parts of (a, b) and of ROW(a, b)."""
    called = isinstance(node, exp.Anonymous) and str(node.this).lower() == "row"
    if not called and not isinstance(node, exp.Tuple):
        return None
    only(node, "this", "expressions") if called else only(node, "expressions")
    return node.expressions or None


def _count_rows(
    node: exp.Expr,
    function: AggregateFunction,
    parts: list[exp.Expr],
    bind: Bind,
    condition: Expr | None,
) -> Bound:
    """COUNT(DISTINCT (a, b)): rows are never NULL, whatever is in them."""
    if function.name != "count":
        raise reject("DP104", f"{function.name.upper()} takes no row", node, "write one expression")
    values = [_argument(part, bind) for part in parts]
    for part, value in zip(parts, values, strict=True):
        if not has_text(value.type):
            message = f"needs a number, a text, a condition or a date, not {value.type}"
            raise reject("DP205", message, part)
    value = _filtered(told_apart(values), condition)
    return AggregateCall("count", value, span_of(node), distinct=True), BIGINT


def _listing(node: exp.Expr, bind: Bind, condition: Expr | None) -> Bound:
    """LIST, STRING_AGG, FIRST, LAST and ANY_VALUE, of the rows as they come or of ORDER BY."""
    function = LISTING[type(node)]
    only(node, "this", "separator", "big_int")
    inner, order = node.this, tuple[SortKey, ...]()
    if isinstance(inner, exp.Order):
        order, inner = sort_keys(bind, inner), inner.this
    if inner is None:
        raise reject("DP205", f"{function.name.upper()} needs an argument", node)
    distinct = isinstance(inner, exp.Distinct)
    if distinct:
        only(inner, "expressions")
        if len(inner.expressions) != 1 or not function.distinct:
            raise reject("DP104", _DISTINCT, inner, "leave out DISTINCT")
        (inner,) = inner.expressions
        distinct = function.distinct == "kept"
    value = _argument(inner, bind, function)
    if distinct:
        order = order or (SortKey(value, False, False),)
        if any(key.expr != value for key in order):
            raise reject("DP104", "DISTINCT is sorted by the value alone", node)
    kind, where = function.result(value.type), None
    if function.name in SEEING_NULLS:
        where = condition
    else:
        value = _filtered(value, condition)
        order = tuple(replace(k, expr=value) if distinct else k for k in order)
    between: tuple[Scalar, ...] = ()
    if function.name == "string_agg":
        between = (_between(node.args.get("separator")),)
    return AggregateCall(
        function.name, value, span_of(node), distinct, None, between, order, where
    ), kind


def _between(node: exp.Expr | None) -> str:
    """What stands between the texts of STRING_AGG."""
    if node is not None and not (isinstance(node, exp.Literal) and node.is_string):
        raise reject("DP205", "what stands between texts is a constant", node)
    return "," if node is None else str(node.this)


def _countable(value: Expr | None) -> Expr | None:
    """COUNT(1) is COUNT(*)."""
    constant = isinstance(value, Literal) and value.value is not None
    return None if constant else value


def _pair(node: exp.Expr, bind: Bind, condition: Expr | None) -> Bound:
    """An aggregate of two arguments. A row in which either is NULL does not count."""
    function, name = PAIRS[type(node)], called(node)
    if node.args.get("count"):
        help = f"write {name}(key, by) for one of them"
        raise reject("DP104", f"{name} of several rows is not supported", node, help)
    only(node, "this", "expression")
    if node.expression is None:
        raise reject("DP205", f"{name} needs two arguments", node)
    first, second = (_argument(n, bind, function) for n in (node.this, node.expression))
    kind = function.result(first.type)
    first, second = _filtered(first, condition), _filtered(second, condition)
    return AggregateCall(function.name, first, span_of(node), second=second), kind


def _quantile(
    node: exp.Expr,
    column: exp.Expr,
    parts: exp.Expr | None,
    bind: Bind,
    condition: Expr | None,
    descending: bool = False,
) -> Bound:
    """One quantile, or a list of them."""
    function = QUANTILES[type(node)]
    found, several = fractions(parts, node)
    value = _argument(column, bind, function)
    if isinstance(node, exp.ApproxQuantile):
        value = coerce(value, approximate_type(value.type, several))
    if descending:
        found = tuple(1 - q for q in found)
    kind = function.result(value.type)
    call = AggregateCall(
        function.name, _filtered(value, condition), span_of(node), parameters=found
    )
    return call, list_of(kind) if several else kind


def _ordered_set(node: exp.WithinGroup, bind: Bind, condition: Expr | None) -> Bound:
    """PERCENTILE_CONT, PERCENTILE_DISC and MODE with WITHIN GROUP (ORDER BY x). Where NULLs go does
    not matter: they do not count. From the other end, the quantile between values is that of 1 - q;
    the one that is a value is not, where q falls between two.
    """
    only(node, "this", "expression")
    function, order = node.this, node.expression
    if not isinstance(function, exp.PercentileCont | exp.PercentileDisc | exp.Mode):
        raise _unknown(function)
    keys = order.expressions if isinstance(order, exp.Order) else []
    if len(keys) != 1:
        raise reject("DP104", "WITHIN GROUP takes ORDER BY of one expression", node)
    (key,) = keys
    only(order, "expressions")
    only(key, "this", "desc", "nulls_first")
    descending = bool(key.args.get("desc"))
    if descending and not isinstance(function, exp.PercentileCont):
        raise reject(
            "DP104", f"{called(function)} in descending order", key, "write ORDER BY x alone"
        )
    if isinstance(function, exp.Mode):
        only(function)
        value = _argument(key.this, bind, MODE)
        kind = MODE.result(value.type)
        return AggregateCall(MODE.name, _filtered(value, condition), span_of(node)), kind
    only(function, "this")
    call, kind = _quantile(function, key.this, function.this, bind, condition, descending)
    return AggregateCall(
        call.function, call.argument, span_of(node), parameters=call.parameters
    ), kind


def _histogram(node: exp.Expr, bind: Bind, condition: Expr | None) -> Bound:
    only(node, "this", "expressions")
    if not 1 <= len(node.expressions) <= 2:
        raise reject("DP205", "HISTOGRAM takes a value, and the upper ends of bins", node)
    value = _argument(node.expressions[0], bind, HISTOGRAM)
    kind = HISTOGRAM.result(value.type)
    ends: tuple[Scalar, ...] = ()
    if len(node.expressions) == 2:
        value, kind, ends = binned(value, node.expressions[1], node, bind)
    return AggregateCall(
        "histogram", _filtered(value, condition), span_of(node), parameters=ends
    ), kind


def _argument(node: exp.Expr, bind: Bind, function: AggregateFunction | None = None) -> Expr:
    """An argument of a type that the function takes."""
    if isinstance(node, exp.Distinct):
        raise reject("DP104", _DISTINCT, node, "leave out DISTINCT")
    value = bind(node)
    kind, takes = value.type, "any" if function is None else function.takes
    if takes == "number" and not kind.is_numeric:
        raise reject("DP205", f"needs a number, not {kind}", node, number_of_kind(kind))
    if takes == "integer" and not kind.is_integer:
        raise reject("DP205", f"needs a whole number, not {kind}", node)
    if takes == "plain" and (kind.is_opaque or kind == NULL):
        raise reject("DP205", f"needs a number, a text, a condition or a date, not {kind}", node)
    if takes == "text" and not kind.is_string:
        value = make("concat", (value,), span_of(node))  # of a number its text
    if takes == "boolean" and not kind.is_boolean:
        raise reject("DP205", f"needs a condition, not {kind}", node)
    lies = kind.is_numeric or kind.is_temporal or kind in (TIME, NULL)
    if takes == "mean" and not (lies or kind == INTERVAL):
        raise reject("DP205", f"needs a number, not {kind}", node, number_of_kind(kind))
    if takes == "mean" and kind == DATE:
        return coerce(value, TIMESTAMP)  # of days DuckDB's mean is a moment
    if takes == "continuous" and not lies:
        help = "QUANTILE_DISC gives one of the values"
        help = "use MEDIAN, or QUANTILE_DISC of one fraction" if kind == INTERVAL else help
        raise reject("DP205", f"needs a number or a date, not {kind}", node, help)
    return coerce(value, INTEGER) if kind == NULL else value  # as DuckDB takes it


def number_of_kind(kind: Type) -> str | None:
    """How a number is made of such a value."""
    if kind.name == "INTERVAL":
        return "use its seconds: EXTRACT(epoch FROM a - b)"
    if kind.is_temporal:
        return "use MIN, MAX or MEDIAN, or days since one: DATE_DIFF('day', DATE '2024-01-01', x)"
    if kind.is_boolean:
        return "write COUNT_IF(x), or CAST(x AS INTEGER)"
    return "write COUNT(x), or TRY_CAST(x AS INTEGER)" if kind.is_string else None


def _filtered(value: Expr, condition: Expr | None) -> Expr:
    """What FILTER lets an aggregate see: NULL where the condition is not TRUE."""
    return value if condition is None else null_unless(condition, value)


def _unknown(node: exp.Expr) -> Rejected:
    """DP204 for an aggregate that is not one of the language."""
    while isinstance(node, exp.IgnoreNulls | exp.RespectNulls):
        node = node.this
    if type(node) in AGGREGATES:
        around = node.parent or node
        message = f"{words(around, around.key)} is not supported"
        return Rejected(Diagnostic("DP204", message, span_of(node), f"write {words(node, '')}"))
    help = INSTEAD.get(type(node))
    if help is None or not isinstance(node, exp.Func):
        return unknown_function(node)
    message = f"the aggregate {called(node).lower()} is not supported"
    return Rejected(Diagnostic("DP204", message, span_of(node), help))


def sort_keys(bind: Callable[[exp.Expr], Expr], clause: exp.Expr) -> tuple[SortKey, ...]:
    """The terms of an ORDER BY that stands in an aggregate or a window."""
    only(clause, "this", "expressions")
    keys: list[SortKey] = []
    for part in clause.expressions:
        only(part, "this", "desc", "nulls_first")
        descending, first = bool(part.args.get("desc")), bool(part.args.get("nulls_first"))
        keys.append(SortKey(bind(part.this), descending, first))
    return tuple(keys)
