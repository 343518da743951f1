"""ORDER BY, LIMIT and OFFSET: of a SELECT, and around a set operation or parentheses."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpsql.core.plan.expr import Expr, Literal, Ref
from dpsql.core.plan.nodes import Limit, Plan, Sort, SortKey
from dpsql.front import structs
from dpsql.front.bind_expr import ExpressionBinder
from dpsql.front.parse import only, reject, span_of
from dpsql.front.scope import Scope, fold


def order_keys(
    query: exp.Expr, outputs: list[tuple[str, Expr]], bind: Callable[[exp.Expr], Expr]
) -> list[SortKey]:
    """The keys of ORDER BY over the expressions of the output columns."""
    clause = query.args.get("order")
    if clause is None:
        return []
    only(clause, "expressions")
    keys: list[SortKey] = []
    for part in clause.expressions:
        only(part, "this", "desc", "nulls_first")
        node, descending = part.this, bool(part.args.get("desc"))
        # DuckDB: NULLS LAST unless written otherwise, whatever the direction.
        first = bool(part.args.get("nulls_first"))
        plain = isinstance(node, exp.Var) or (isinstance(node, exp.Column) and not node.table)
        if plain and fold(node.name) == "all":
            structs.refuse((name for name, _ in outputs), "which has no order", query)
            keys += [SortKey(e, descending, first) for _, e in outputs]
            continue
        keys.append(SortKey(order_key(node, outputs, bind), descending, first))
    return keys


def order_key(
    node: exp.Expr, outputs: list[tuple[str, Expr]], bind: Callable[[exp.Expr], Expr]
) -> Expr:
    """One of them: an output by its number or its name, or an expression of its own."""
    position = position_of(node)
    if position is not None:
        names = [name for name, _ in outputs]
        places = structs.at(names, position)
        if places is None:
            raise reject("DP202", f"ORDER BY {position}: there is no such column", node)
        structs.refuse(names[places.start : places.stop], "which has no order", node)
        return outputs[places.start][1]
    if isinstance(node, exp.Column) and not node.table:
        named = [e for name, e in outputs if fold(name) == fold(node.name)]
        if named:
            return named[0]
    return bind(node)


def ordered(query: exp.Expr, plan: Plan, names: tuple[str, ...]) -> Plan:
    """ORDER BY and LIMIT around a set operation or a query in parentheses: over its columns."""
    outputs: list[tuple[str, Expr]] = [
        (name, Ref(column)) for name, column in zip(names, plan.columns, strict=True)
    ]

    def bind(node: exp.Expr) -> Expr:
        raise reject("DP202", "ORDER BY here takes output columns", node, "use its name or number")

    keys = order_keys(query, outputs, bind)
    if keys:
        plan = Sort(plan, tuple(keys), span_of(query.args["order"]) or span_of(query))
    return limited(query, plan)


def limited(query: exp.Expr, plan: Plan) -> Plan:
    """LIMIT and OFFSET."""
    count, offset = _count(query, "limit"), _count(query, "offset")
    if count is None and offset is None:
        return plan
    clauses = (query.args.get("limit"), query.args.get("offset"))
    place = next((span_of(c) for c in clauses if c is not None), None)
    return Limit(plan, count, offset or 0, place or span_of(query))


def _count(query: exp.Expr, key: str) -> int | None:
    clause = query.args.get(key)
    if clause is None:
        return None
    if isinstance(clause, exp.Fetch):
        only(clause, "count", "direction", "limit_options")
        value = clause.args.get("count")
        options = clause.args.get("limit_options")
        if options is not None and options.args.get("with_ties"):
            raise reject("DP104", "WITH TIES is not supported", clause, "leave out WITH TIES")
    else:
        only(clause, "expression")
        value = clause.expression
    if value is None:
        raise reject("DP104", f"{key.upper()} takes a constant", clause, "write a whole number")
    bound = ExpressionBinder(Scope()).bind(value)
    if not isinstance(bound, Literal) or not isinstance(bound.value, int):
        raise reject("DP104", f"{key.upper()} takes a constant", clause, "write a whole number")
    if bound.value < 0 or bound.value > 2**31:
        raise reject("DP104", f"{key.upper()} is out of range", clause)
    return bound.value


def position_of(node: exp.Expr) -> int | None:
    """The position that a whole number stands for; 0 where it is longer than any position."""
    if not isinstance(node, exp.Literal) or node.is_string or not str(node.this).isdigit():
        return None
    digits = str(node.this)
    return int(digits) if len(digits) < 10 and digits.isascii() else 0
