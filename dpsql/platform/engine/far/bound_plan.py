"""A statement as DuckDB has bound it: every name is a place, every function is chosen, every cast
is written out, every part has its type. This is what another engine is asked to compute.

Claim: what is read here is all that DuckDB would do, or the statement is refused. Why: DuckDB gives
its own unoptimized plan (`json_serialize_plan`); of each operator and expression the parts that
are known are read, and one that is unknown, or is not as it usually is, is `Unsupported`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from dpsql.platform.engine.far.operators import (
    ONE_ROW,
    AggregateCall,
    Call,
    Constant,
    Distinct,
    Expr,
    Filtered,
    Get,
    Grouped,
    Joined,
    Named,
    Operator,
    Parameter,
    Projected,
    Ref,
    Rows,
    United,
    Unsupported,
    WindowCall,
    Windowed,
    With,
    below,
    types,
)
from dpsql.types import BOOLEAN, NULL, VARCHAR, Type, decimal, list_of

_NOT_JSON = re.compile(r"(?<=:)-?(NAN|INF)(?=[,}])")
"""How a DOUBLE that is no number is written."""


_COMPARED = {
    "COMPARE_EQUAL": "=",
    "COMPARE_NOTEQUAL": "!=",
    "COMPARE_LESSTHAN": "<",
    "COMPARE_LESSTHANOREQUALTO": "<=",
    "COMPARE_GREATERTHAN": ">",
    "COMPARE_GREATERTHANOREQUALTO": ">=",
    "COMPARE_DISTINCT_FROM": "IS DISTINCT FROM",
    "COMPARE_NOT_DISTINCT_FROM": "IS NOT DISTINCT FROM",
}
_OPERATORS = {
    "OPERATOR_IS_NULL": "is null",
    "OPERATOR_IS_NOT_NULL": "is not null",
    "OPERATOR_NOT": "not",
    "OPERATOR_COALESCE": "coalesce",
    "COMPARE_IN": "in",
    "COMPARE_NOT_IN": "not in",
}
_WINDOWS = {
    "WINDOW_ROW_NUMBER": "row_number",
    "WINDOW_RANK": "rank",
    "WINDOW_RANK_DENSE": "dense_rank",
    "WINDOW_LAG": "lag",
    "WINDOW_FIRST_VALUE": "first_value",
    "WINDOW_AGGREGATE": "",
}
_ENDS = {"CURRENT_ROW_ROWS": True, "CURRENT_ROW_RANGE": False}


def mentioned(text: str) -> Iterator[tuple[str, ...]]:
    """The tables that a plan reads, whatever else is in it."""
    pending: list[Any] = [json.loads(_NOT_JSON.sub("null", text))]
    while pending:
        node = pending.pop()
        if isinstance(node, dict) and isinstance(node.get("function_data"), dict):
            path = node["function_data"].get("qualified_name", {}).get("path")
            if path:
                yield tuple(path)
        pending.extend(node.values() if isinstance(node, dict) else node)
        pending = [n for n in pending if isinstance(n, dict | list)]


def read(text: str) -> Operator:
    """The plan in what DuckDB's `json_serialize_plan` gives.

    Raises:
        Unsupported: it has a part that is not known here.
    """
    try:
        found = json.loads(text)
    except ValueError:
        found = None  # a NaN or an infinity among the constants
    if found is None or found["error"] or len(found["plans"]) != 1:
        raise Unsupported("a constant that is no number" if found is None else "the statement")
    plan = _operator(found["plans"][0])
    _check(plan)
    return plan


def _check(plan: Operator) -> None:
    """Each column that is read has the type that its reader expects: no place is mistaken."""
    left, *right = [types(part) for part in below(plan)] or [()]
    sides = (left, right[0] if right else ())
    for expr in _read_by(plan):
        for ref in _refs(expr):
            columns = sides[1] if ref.right else sides[0] + sides[1] * isinstance(plan, Joined)
            if ref.place >= len(columns) or columns[ref.place] != ref.type:
                raise Unsupported("a column that is none of its table's")
    for part in below(plan):
        _check(part)


def _read_by(plan: Operator) -> tuple[Expr, ...]:
    """The expressions of an operator."""
    match plan:
        case Filtered() | Joined():
            return plan.conditions
        case Projected():
            return plan.items
        case Grouped():
            return (*plan.keys, *(a for item in plan.items for a in item.args))
        case Windowed():
            every = (
                (*w.args, *w.partitions, *(expr for expr, _, _ in w.orders)) for w in plan.items
            )
            return tuple(expr for exprs in every for expr in exprs)
    return ()


def _refs(expr: Expr) -> Iterator[Ref]:
    if isinstance(expr, Ref):
        yield expr
    for inner in expr.args if isinstance(expr, Call) else ():
        yield from _refs(inner)


def _usual(node: Mapping[str, Any], **parts: object) -> None:
    """Refuse a node of which a part is not as it usually is."""
    for name, usual in parts.items():
        if node.get(name) != usual:
            raise Unsupported(f"{str(node['type']).lower()} with {name}")


def _operator(node: Mapping[str, Any]) -> Operator:
    found = _OPERATOR.get(node["type"])
    if found is None:
        raise Unsupported(str(node["type"]).removeprefix("LOGICAL_").lower().replace("_", " "))
    return found(node)


def _only(node: Mapping[str, Any]) -> Operator:
    (child,) = node["children"]
    return _operator(child)


def _get(node: Mapping[str, Any]) -> Get:
    if node["qname"]["path"] != ["seq_scan"]:
        raise Unsupported("a table function")
    _usual(node, children=[], projection_ids=[], parameters=[], named_parameters=[], at_clause=None)
    _usual(node, table_filters={"filters": [], "multi_column_filters": []}, projected_input=[])
    _usual(node, source_ordinality="WITHOUT_ORDINALITY", has_pushed_projection=False)
    if node["extra_info"]["sample_options"] is not None:
        raise Unsupported("a sample")
    columns, types = list[str | None](), list[Type]()
    for index in node["column_indexes"]:
        if index["child_indexes"] or index["index_type"] != "FULL_READ":
            raise Unsupported("a part of a column")
        place = index["index"]
        there = place < len(node["names"])
        columns.append(node["names"][place] if there else None)
        types.append(_type(node["returned_types"][place]) if there else NULL)
    path = node["function_data"]["qualified_name"]["path"]
    return Get(tuple(path), tuple(columns), tuple(types))


def _filter(node: Mapping[str, Any]) -> Operator:
    _usual(node, projection_map=[])
    return Filtered(_only(node), _exprs(node["expressions"]))


def _projection(node: Mapping[str, Any]) -> Operator:
    return Projected(_only(node), _exprs(node["expressions"]))


def _aggregate(node: Mapping[str, Any]) -> Operator:
    keys = _exprs(node["groups"])
    _usual(node, grouping_functions=[])
    if node["grouping_sets"] not in ([], [list(range(len(keys)))]):
        raise Unsupported("grouping sets")
    return Grouped(_only(node), keys, tuple(_aggregated(e) for e in node["expressions"]))


def _window(node: Mapping[str, Any]) -> Operator:
    return Windowed(_only(node), tuple(_windowed(e) for e in node["expressions"]))


def _cross(node: Mapping[str, Any]) -> Operator:
    left, right = (_operator(child) for child in node["children"])
    return Joined("inner", left, right, ())


def _join(node: Mapping[str, Any]) -> Operator:
    _usual(node, left_projection_map=[], right_projection_map=[])
    left, right = (_operator(child) for child in node["children"])
    kind = node["join_type"].lower()
    if kind not in ("inner", "left", "semi", "anti", "mark"):
        raise Unsupported(f"a join of the kind {kind}")
    if node["type"] == "LOGICAL_ANY_JOIN":
        return Joined(kind, left, right, (_expr(node["condition"]),))
    _usual(node, duplicate_eliminated_columns=[], delim_flipped=False)
    conditions = list[Expr]()
    for condition in node["conditions"]:
        if condition["comparison"] == "INVALID" and condition["right"] is None:
            conditions.append(_expr(condition["left"]))  # of the columns of both sides
            continue
        name = _COMPARED[condition["comparison"]]
        sides = (_expr(condition["left"]), _expr(condition["right"], right=True))
        conditions.append(Call(name, sides, BOOLEAN))
    return Joined(kind, left, right, tuple(conditions))


def _union(node: Mapping[str, Any]) -> Operator:
    return United(tuple(_operator(child) for child in node["children"]), node["setop_all"])


def _distinct(node: Mapping[str, Any]) -> Operator:
    _usual(node, distinct_type="DISTINCT", order_by=None)
    inner = _only(node)
    places = [t.get("index") for t in node["distinct_targets"]]
    if places != list(range(len(types(inner)))):
        raise Unsupported("DISTINCT ON")
    return Distinct(inner)


def _dummy(node: Mapping[str, Any]) -> Operator:
    return ONE_ROW


def _values(node: Mapping[str, Any]) -> Operator:
    if _only(node) != ONE_ROW:
        raise Unsupported("VALUES of other rows")
    kinds = tuple(_type(t) for t in node["expr_types"])
    return Rows(tuple(_exprs(row) for row in node["expressions"]), kinds)


def _unnest(node: Mapping[str, Any]) -> Operator:
    """Lists side by side are rows: those of a release have the same length."""
    items = []
    for item in node["expressions"]:
        _usual(item, expression_class="BOUND_UNNEST")
        child, kind = item["child"], _type(item["return_type"])
        while child.get("type") == "OPERATOR_CAST":  # of a list to its own type
            (child,) = child["children"]
        if child.get("expression_class") != "BOUND_PARAMETER":
            raise Unsupported("unnest")
        items.append(Parameter(child["identifier"], kind))
    if _only(node) != ONE_ROW:
        raise Unsupported("unnest of other rows")
    rows = Rows((tuple(items),), tuple(i.type for i in items))
    return Joined("inner", ONE_ROW, rows, ())


def _with(node: Mapping[str, Any]) -> Operator:
    part, body = (_operator(child) for child in node["children"])
    return With(node["table_index"], part, body)


def _named(node: Mapping[str, Any]) -> Operator:
    _usual(node, is_recurring=False)
    return Named(node["cte_index"], tuple(_type(t) for t in node["chunk_types"]))


_OPERATOR: dict[str, Callable[[Mapping[str, Any]], Operator]] = {
    "LOGICAL_GET": _get,
    "LOGICAL_FILTER": _filter,
    "LOGICAL_PROJECTION": _projection,
    "LOGICAL_AGGREGATE_AND_GROUP_BY": _aggregate,
    "LOGICAL_WINDOW": _window,
    "LOGICAL_CROSS_PRODUCT": _cross,
    "LOGICAL_COMPARISON_JOIN": _join,
    "LOGICAL_ANY_JOIN": _join,
    "LOGICAL_UNION": _union,
    "LOGICAL_DISTINCT": _distinct,
    "LOGICAL_DUMMY_SCAN": _dummy,
    "LOGICAL_EXPRESSION_GET": _values,
    "LOGICAL_UNNEST": _unnest,
    "LOGICAL_MATERIALIZED_CTE": _with,
    "LOGICAL_CTE_REF": _named,
}


def _exprs(nodes: Sequence[Mapping[str, Any]]) -> tuple[Expr, ...]:
    return tuple(_expr(node) for node in nodes)


def _expr(node: Mapping[str, Any], *, right: bool = False) -> Expr:
    def inner(nodes: Sequence[Mapping[str, Any]]) -> tuple[Expr, ...]:
        return tuple(_expr(n, right=right) for n in nodes)

    match node["expression_class"]:
        case "BOUND_REF":
            return Ref(node["index"], _type(node["return_type"]), right)
        case "BOUND_CONSTANT":
            value = node["value"]
            return Constant(None if value["is_null"] else value["value"], _type(value["type"]))
        case "BOUND_CASE":
            parts = [c[k] for c in node["case_checks"] for k in ("when_expr", "then_expr")]
            args = inner([*parts, node["else_expr"]])
            return Call("case", args, _type(node["return_type"]))
        case "BOUND_CONJUNCTION":
            name = {"CONJUNCTION_AND": "and", "CONJUNCTION_OR": "or"}[node["type"]]
            return Call(name, inner(node["children"]), BOOLEAN)
        case "BOUND_OPERATOR" if node["type"] in _OPERATORS:
            name = _OPERATORS[node["type"]]
            return Call(name, inner(node["children"]), _type(node["return_type"]))
        case "BOUND_FUNCTION":
            name, kind = node["qname"]["path"][-1], _type(node["return_type"])
            if name == "__cast":
                name = "try_cast" if node["function_data"]["try_cast"] else "cast"
            return Call(name, inner(node["children"]), kind)
    raise Unsupported(str(node["type"]).lower().replace("_", " "))


def _aggregated(node: Mapping[str, Any]) -> AggregateCall:
    name = str(node["qname"]["path"][-1])
    _usual(node, expression_class="BOUND_AGGREGATE", filter=None, state_export="NONE")
    if (node["order_bys"] or {}).get("orders"):
        raise Unsupported(f"{name} in an order")
    kinds = {"NON_DISTINCT": False, "DISTINCT": True}
    distinct = kinds[node["aggregate_type"]]
    return AggregateCall(name, _exprs(node["children"]), _type(node["return_type"]), distinct)


def _windowed(node: Mapping[str, Any]) -> WindowCall:
    _usual(node, expression_class="BOUND_WINDOW", filters=None, ignore_nulls=False, distinct=False)
    _usual(node, start="UNBOUNDED_PRECEDING", start_expr=None, end_expr=None, offset_expr=None)
    _usual(node, default_expr=None, exclude_clause="NO_OTHER", arg_orders=[])
    name = _WINDOWS.get(node["type"])
    if name is None or node["end"] not in _ENDS:
        raise Unsupported(f"{str(node['type']).lower()} over these rows")
    orders = tuple(
        (_expr(o["expression"]), o["type"] == "DESCENDING", o["null_order"] == "NULLS FIRST")
        for o in node["orders"]
    )
    return WindowCall(
        name or str(node["qname"]["path"][-1]),
        _exprs(node["children"]),
        _type(node["return_type"]),
        _exprs(node["partitions"]),
        orders,
        _ENDS[node["end"]],
    )


def _type(node: Mapping[str, Any]) -> Type:
    info = node.get("type_info") or {}
    if node["id"] == "DECIMAL":
        return decimal(info["width"], info["scale"])
    if node["id"] == "LIST":
        return list_of(_type(info["child_type"]))
    if node["id"] == "VARCHAR" and info.get("collation"):
        raise Unsupported("a collation")
    return VARCHAR if node["id"] == "VARCHAR" else Type(node["id"])
