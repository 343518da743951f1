"""What hangs on how wide a whole number is: BIT_COUNT and >> of negative ones, ~ of unsigned ones.

    BIT_COUNT(x + 1)   x a SMALLINT      BIT_COUNT(CAST(x + 1 AS SMALLINT))

Elsewhere a number may be of a wider type than in DuckDB, so that it never overflows: the value is
the same. Here it is brought to DuckDB's own type, as far as it is known; where it is not, and the
number may be one of those, the query is rejected.
"""

from __future__ import annotations

from collections.abc import Iterable

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import fits
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Call, Case, Column, Expr, Literal, Ref, children, transform, walk
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Apply,
    Filter,
    Join,
    Limit,
    Named,
    OneRow,
    Plan,
    Project,
    Released,
    Scan,
    Sort,
    Union,
    Window,
    WindowCall,
    inputs,
    map_expressions,
    with_inputs,
)
from dpsql.core.plan.values import of_type
from dpsql.errors import Diagnostic, Rejected
from dpsql.types import BIGINT, HUGEINT, INTEGER_BITS, Type

_NEGATIVE = {"bit_count": "BIT_COUNT", "shr": ">>"}
_SAME = frozenset({"abs", "bit_not", "nullif"})
_COMMON = frozenset(
    {"add", "sub", "mul", "intdiv", "mod", "coalesce", "least", "greatest"}
    | {"bit_and", "bit_or", "bit_xor", "shl", "shr"}
)
_CHOSEN = frozenset(
    {"min", "max", "first", "last", "any_value", "mode", "arg_min", "arg_max", "quantile_disc"}
    | {"lag", "lead", "first_value", "last_value", "nth_value"}
)

Types = dict[int, Type | None]
"""DuckDB's type of each column that is a whole number, None where it is not known."""


def with_widths(plan: Plan) -> Plan:
    """The plan with numbers as wide as in DuckDB where it matters.

    Raises:
        Rejected: DP205 where it matters, and is not known.
    """
    made: dict[int, Plan] = {}
    types: Types = {}
    stored: set[int] = set()  # columns of tables, which are as wide as there

    def visit(node: Plan) -> Plan:
        if id(node) not in made:
            below = with_inputs(node, tuple(visit(i) for i in inputs(node)))
            known = map_expressions(
                below, lambda e: transform(e, lambda n: _wide(n, types, stored))
            )
            if isinstance(known, Scan):
                stored.update(c.id for c in known.columns)
            types.update((c.id, t) for c, t in _typed(known, types))
            made[id(node)] = known
        return made[id(node)]

    return visit(plan)


def _wide(node: Expr, types: Types, stored: set[int]) -> Expr:
    if not isinstance(node, Call) or node.function not in {*_NEGATIVE, "bit_not"}:
        return node
    number = node.args[0]
    while isinstance(number, Call) and number.function == "coerce":
        number = number.args[0]
    kind = _type(number, types)
    if isinstance(number, Ref) and number.column.id in stored:
        return node
    if node.function in _NEGATIVE:
        columns = {n.column for n in walk(number) if isinstance(n, Ref)}
        env = {c.id: of_type(c.type) for c in columns}
        least = infer(number, env).low
        if least is not None and least >= 0:
            return node
    elif any(isinstance(n, Ref) and n.type.name in INTEGER_BITS for n in walk(number)):
        return node  # one signed number makes all of them signed
    if kind is None:
        name = _NEGATIVE.get(node.function, "~")
        message = f"the value of {name} hangs on how many bits a number has, which is not sure here"
        help = "write CAST(x AS INTEGER) around the number, or the type that is meant"
        raise Rejected(Diagnostic("DP205", message, number.span or node.span, help))
    own = make("as_wide_as", (number, Literal(0, kind)), number.span)
    return make(node.function, (own, *node.args[1:]), node.span)


def _typed(plan: Plan, types: Types) -> Iterable[tuple[Column, Type | None]]:
    """The columns that a node makes, with their types."""
    match plan:
        case Scan():
            return ((c, c.type) for c in plan.columns)
        case Project():
            return ((c, _type(e, types)) for c, e in plan.items)
        case Aggregate():
            keys = ((c, _type(e, types)) for c, e in plan.keys)
            return (*keys, *((c, _of(call, c.type, types)) for c, call in plan.calls))
        case Window():
            return ((c, _of(call, c.type, types)) for c, call in plan.calls)
        case Named():
            return zip(plan.columns, (types.get(c.id) for c in plan.query.columns), strict=True)
        case Union():
            every = zip(*((types.get(c.id) for c in b.columns) for b in plan.branches), strict=True)
            return zip(plan.columns, map(_widest, every), strict=True)
        case Apply() if plan.column is not None and plan.kind == "scalar":
            return ((plan.column, types.get(plan.subquery.columns[0].id)),)
        case Apply() | Filter() | Join() | Limit() | OneRow() | Released() | Sort():
            return ()


def _of(call: AggregateCall | WindowCall, kind: Type, types: Types) -> Type | None:
    """The type of an aggregate or a window function."""
    if call.function in _CHOSEN:
        return _type(call.arguments[0], types)
    return kind if kind in (BIGINT, HUGEINT) else None


def _type(expr: Expr, types: Types) -> Type | None:
    """DuckDB's type of a whole number, None where it is not known."""
    match expr:
        case Ref():
            return types.get(expr.column.id)
        case Literal():
            return expr.type if expr.type.is_integer else None
        case Case():
            return _common((*(v for _, v in expr.branches), expr.default), types)
        case Call(function="cast" | "try_cast"):
            return expr.type
        case Call() if expr.function in _SAME:
            return _common(expr.args[:1], types)
        case Call() if expr.function in _COMMON:
            return _common(expr.args, types)
        case Call():
            return expr.type if expr.type == BIGINT else None


def _common(operands: tuple[Expr, ...], types: Types) -> Type | None:
    """The type to which operands are brought: a constant to that of what it meets, if it fits."""
    own: list[Type | None] = []
    constants: list[Literal] = []
    for operand in operands:
        while isinstance(operand, Call) and operand.function == "coerce":
            (operand,) = children(operand)
        if isinstance(operand, Literal):
            constants += [operand] * (operand.value is not None)
        else:
            own.append(_type(operand, types))
    kind = _widest(own) if own else None
    for constant in constants if kind is not None or not own else ():
        assert constant.value is not None
        if kind is None or not fits(constant.value, kind):
            kind = _widest([_type(constant, types), *([kind] * bool(own))])
    return kind


def _widest(kinds: Iterable[Type | None]) -> Type | None:
    """The wider of signed types; of others none is known, unless they are the same."""
    found = list(dict.fromkeys(kinds))
    if len(found) == 1:
        return found[0]
    if all(t is not None and t.name in INTEGER_BITS for t in found):
        return max(filter(None, found), key=lambda t: INTEGER_BITS[t.name])
    return None
