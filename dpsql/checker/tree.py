"""A statement as DuckDB itself parses it, as tuples that can be compared.

An expression is a tuple whose first item says what it is; each JSON node has one form, and whatever
stands in it beyond that form (a FILTER, an ORDER BY in an aggregate, a SAMPLE) is refused, so that
nothing is passed over in silence.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import duckdb

from dpsql.checker.proof import Refused

Expr = tuple[Any, ...]
Node = dict[str, Any]
Meaning = tuple[Any, ...]
"""What a column is to the rules of quotas: what it is called there, and what it is of."""

COMPARED = {
    "COMPARE_EQUAL": "=",
    "COMPARE_NOTEQUAL": "<>",
    "COMPARE_LESSTHAN": "<",
    "COMPARE_GREATERTHAN": ">",
    "COMPARE_LESSTHANOREQUALTO": "<=",
    "COMPARE_GREATERTHANOREQUALTO": ">=",
    "COMPARE_NOT_DISTINCT_FROM": "is",
}
OPERATORS = {
    "OPERATOR_IS_NULL": "null",
    "OPERATOR_IS_NOT_NULL": "notnull",
    "OPERATOR_NOT": "not",
    "OPERATOR_COALESCE": "coalesce",
    "COMPARE_IN": "in",
    "ARRAY_EXTRACT": "at",
}
PLACE = ("query_location", "query_location_length")
IGNORED = frozenset({"qualified_name", "alias", "is_operator", *PLACE})
USUAL = {
    "aggregate_handling": "STANDARD_HANDLING",
    "exclude_clause": "NO_OTHER",
    "nearest_count": 1,
    "nearest_order_type": "ASCENDING",
    "comparison_type": "INVALID",
    "syntax_type": "LAMBDA_KEYWORD",
    "limit_type": "ROW_COUNT",
}
"""What says nothing."""

_LOCK = threading.Lock()


@lru_cache(maxsize=1)
def _parser() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(":memory:", config={"enable_external_access": "false", "threads": 1})


def parsed(text: str) -> Node:
    """The tree of a statement.

    Raises:
        Refused: DuckDB does not read it, or it is not one query.
    """
    with _LOCK:
        row = _parser().execute("SELECT json_serialize_sql(?)", [text]).fetchone()
    assert row is not None
    found = json.loads(row[0])
    if found.get("error") or len(found["statements"]) != 1:
        raise Refused("DuckDB does not read the statement")
    node: Node = found["statements"][0]["node"]
    return node


def placeless(node: Any) -> Any:
    """A node without where its parts stand, so that what is written twice is equal."""
    if isinstance(node, dict):
        return {name: placeless(part) for name, part in node.items() if name not in PLACE}
    return [placeless(part) for part in node] if isinstance(node, list) else node


def fields(node: Node, *names: str) -> list[Any]:
    """The parts of a node; whatever else is in it must be empty, or say nothing.

    Raises:
        Refused: there is more to it.
    """
    for name, value in node.items():
        if name in names or name in IGNORED or name in ("class", "type"):
            continue
        if name == "order_bys" and value == {"type": "ORDER_MODIFIER", "orders": []}:
            continue
        if not value or value == {"map": []} or USUAL.get(name) == value:
            continue
        raise Refused(f"{name} of {node.get('class') or node.get('type')} is not followed")
    return [node.get(name) for name in names]


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


Subquery = Callable[[Node], Expr]
"""What EXISTS of a query is, in an expression."""


def expression(node: Node, subquery: Subquery) -> Expr:
    """The expression of a JSON node; names are not resolved.

    Raises:
        Refused: it is of no known form.
    """

    def below(inner: Node) -> Expr:
        return expression(inner, subquery)

    kind, sort = node["class"], node["type"]
    if kind == "COLUMN_REF":
        (names,) = fields(node, "column_names")
        return ("name", tuple(n.lower() for n in names))
    if kind == "CONSTANT":
        (literal,) = fields(node, "literal")
        return ("literal", literal["kind"], literal["text"])
    if kind == "CAST":
        child, tried, to = fields(node, "child", "try_cast", "type_expr")
        return ("cast", type_name(to), bool(tried), below(child))
    if kind == "CASE":
        checks, default = fields(node, "case_checks", "else_expr")
        found = tuple((below(c["when_expr"]), below(c["then_expr"])) for c in checks)
        return ("case", found, below(default))
    if kind == "COMPARISON" and sort in COMPARED:
        left, right = fields(node, "left", "right")
        return (COMPARED[sort], below(left), below(right))
    if kind == "CONJUNCTION":
        (children,) = fields(node, "children")
        return ("and" if sort == "CONJUNCTION_AND" else "or", *map(below, children))
    if kind == "OPERATOR" and sort in OPERATORS:
        (children,) = fields(node, "children")
        return (OPERATORS[sort], *map(below, children))
    if kind == "FUNCTION":
        names = ("function_name", "distinct", "arguments", "order_bys")
        name, distinct, arguments, order = fields(node, *names)
        args = tuple(_argument(a, below) for a in arguments or ())
        order = _order((order or {}).get("orders"), below)
        return ("call", name.lower(), bool(distinct), *args, *(("order", *o) for o in order))
    if kind == "WINDOW":
        return _window(node, below)
    if kind == "PARAMETER":
        return ("parameter", fields(node, "identifier")[0])
    if kind == "LAMBDA":
        name, body = fields(node, "lhs", "expr")
        return ("lambda", below(name), below(body))
    if kind == "SUBQUERY":
        sort, inner = fields(node, "subquery_type", "subquery")
        if sort == "EXISTS":
            return subquery(inner["node"])
    raise Refused(f"{kind} {sort} is not followed")


def _argument(node: Node, below: Callable[[Node], Expr]) -> Expr:
    name, inner = fields(node, "name", "expression")
    if name:
        raise Refused("an argument by name is not followed")
    return below(inner)


def _window(node: Node, below: Callable[[Node], Expr]) -> Expr:
    names = ("function_name", "arguments", "partitions", "orders", "start", "end", "distinct")
    name, arguments, partitions, orders, start, end, once, own, first, last = fields(
        node, *names, "arg_orders", "start_expr", "end_expr"
    )
    frame = ("frame", start, end, *(below(e) for e in (first, last) if e))
    args = tuple(_argument(a, below) for a in arguments or ())
    parts, order = tuple(map(below, partitions or ())), _order(orders, below)
    whole = own and {a for a in args if a[0] != "literal"} <= {e for _, e in _order(own, below)}
    mark = "!" if whole else "*" * bool(once or own)
    return ("window", name.lower() + mark, args, parts, order, frame)


def _order(items: list[Node] | None, below: Callable[[Node], Expr]) -> tuple[Expr, ...]:
    found = ((i["type"], *fields(i, "expression", "null_order")) for i in items or ())
    return tuple((f"{way} {nulls[-5:]}", below(expr)) for way, expr, nulls in found)


def type_name(node: Node) -> str:
    """A type in DuckDB's words: BIGINT, DECIMAL(12,2), TEXT[]."""
    name, children = fields(node, "type_name", "children")
    inner = children or []
    if name == "list":
        return f"{type_name(inner[0])}[]"
    digits = [c["literal"]["text"] for c in inner]
    return f"{name.upper()}({','.join(digits)})" if digits else str(name.upper())


def conjuncts(expr: Expr) -> list[Expr]:
    """The conditions that hold where the expression is TRUE; last, alternatives."""
    found = [p for e in expr[1:] for p in conjuncts(e)] if expr[0] == "and" else [expr]
    return sorted(found, key=lambda e: bool(e[0] == "or"))


def parts(expr: Expr) -> list[Expr]:
    """The direct parts of an expression."""
    found: list[Expr] = []
    for item in () if expr[0] in LEAVES else expr[1:]:
        if isinstance(item, tuple):
            found += [item] if item and isinstance(item[0], str) else parts(("", *item))
    return found


def mapped(expr: Expr, visit: Callable[[Expr], Expr]) -> Expr:
    """The expression with `visit` applied to its direct parts."""

    def into(item: Any) -> Any:
        if not isinstance(item, tuple):
            return item
        if item and isinstance(item[0], str) and item[0] not in ORDERS:
            return visit(item)
        return tuple(into(i) for i in item)

    return expr if expr[0] in LEAVES else (expr[0], *(into(item) for item in expr[1:]))


LEAVES = frozenset({"name", "column", "literal", "parameter"})
WAYS, NULLS = words("ASCENDING DESCENDING ORDER_DEFAULT"), ("FAULT", "FIRST", " LAST")
ORDERS = frozenset({*(f"{way} {nulls}" for way in WAYS for nulls in NULLS), "frame"})


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and all its parts."""
    stack = [expr]
    while stack:
        yield (part := stack.pop())
        stack += parts(part)[::-1]


@lru_cache(maxsize=4096)
def columns(expr: Expr) -> frozenset[int]:
    """The columns that an expression reads."""
    return frozenset([e[1] for e in walk(expr) if e[0] == "column"])


def replaced(expr: Expr, new: Mapping[Expr, Expr]) -> Expr:
    """The expression with others in the place of some of its parts."""
    return new[expr] if expr in new else mapped(expr, lambda e: replaced(e, new))
