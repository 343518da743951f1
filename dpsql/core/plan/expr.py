"""Typed scalar expressions over plan columns.

A `Column` is an identity, not a name: two columns are the same only if their `id` is. Names are
kept for people. Expressions compare by structure, so `year(d)` in SELECT and in GROUP BY are equal
exactly when they are built from the same column; spans never take part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import assert_never

from dpsql.errors import Span
from dpsql.types import BOOLEAN, Scalar, Type


@dataclass(frozen=True, slots=True)
class Column:
    """A column of one plan node. Equality is by `id` alone."""

    id: int
    name: str = field(compare=False)
    type: Type = field(compare=False)


@dataclass(frozen=True, slots=True)
class Ref:
    """The value of a plan column."""

    column: Column
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def type(self) -> Type:
        """The column's type."""
        return self.column.type


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant; `value` None is NULL."""

    value: Scalar | None
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)

    # 1 == True == Fraction(1) in Python; the type keeps them apart.


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the allow-list applied to arguments. Operators and casts are calls too."""

    function: str
    args: tuple[Expr, ...]
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Case:
    """CASE WHEN condition THEN value … ELSE default END; the searched form only."""

    branches: tuple[tuple[Expr, Expr], ...]
    default: Expr
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


Expr = Ref | Literal | Call | Case


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct operands, in order."""
    match expr:
        case Call():
            return expr.args
        case Case():
            return (*(part for branch in expr.branches for part in branch), expr.default)
        case Ref() | Literal():
            return ()
        case _:
            assert_never(expr)


def rebuild(expr: Expr, parts: tuple[Expr, ...]) -> Expr:
    """The same expression with other operands (as `children` orders them)."""
    if all(new is old for new, old in zip(parts, children(expr), strict=True)):
        return expr  # by identity: equal columns may differ in type
    match expr:
        case Call():
            return Call(expr.function, parts, expr.type, expr.span)
        case Case():
            pairs = tuple(zip(parts[0:-1:2], parts[1:-1:2], strict=True))
            return Case(pairs, parts[-1], expr.type, expr.span)
        case Ref() | Literal():
            return expr
        case _:
            assert_never(expr)


def transform(expr: Expr, visit: Callable[[Expr], Expr]) -> Expr:
    """`visit` applied to every node, operands first."""
    below = children(expr)
    if below:
        expr = rebuild(expr, tuple(transform(child, visit) for child in below))
    return visit(expr)


def substitute(expr: Expr, by_id: Mapping[int, Expr]) -> Expr:
    """Column references replaced by what defines them; each keeps its own place in the text."""

    def visit(node: Expr) -> Expr:
        found = by_id.get(node.column.id) if isinstance(node, Ref) else None
        if found is None:
            return node
        if node.span is None or node.span is found.span:
            return found
        if isinstance(found, Ref):  # as most are
            return Ref(found.column, node.span)
        return replace(found, span=node.span)

    return transform(expr, visit)


def walk(expr: Expr) -> Iterator[Expr]:
    """Every node of the expression, outermost first."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(children(node))


def columns_of(expr: Expr) -> frozenset[int]:
    """The ids of the columns that the expression reads."""
    if isinstance(expr, Ref):  # as most are
        return frozenset((expr.column.id,))
    found: set[int] = set()
    stack = [*children(expr)]
    while stack:
        node = stack.pop()
        if isinstance(node, Ref):
            found.add(node.column.id)
        elif not isinstance(node, Literal):
            stack += children(node)
    return frozenset(found)


def null_unless(condition: Expr, value: Expr) -> Case:
    """CASE WHEN condition THEN value END: NULL where the condition is false or unknown."""
    return Case(((condition, value),), Literal(None, value.type), value.type, value.span)


MAX_SIZE = 20_000
"""Nodes of one expression, shared ones counted as often as they occur; beyond it: too large."""


def too_large(expr: Expr, limit: int = MAX_SIZE) -> bool:
    """Whether the expression has more than `limit` nodes; never walks further than that."""
    return next(islice(walk(expr), limit, None), None) is not None


def conjuncts(expr: Expr) -> list[Expr]:
    """The terms of a conjunction, left to right."""
    found: list[Expr] = []
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, Call) and node.function == "and":
            stack.extend(reversed(node.args))
        else:
            found.append(node)
    return found


def conjunction(terms: list[Expr]) -> Expr | None:
    """The conjunction of terms; None for none."""
    if not terms:
        return None
    if len(terms) == 1:
        return terms[0]
    return Call("and", tuple(terms), BOOLEAN, terms[0].span)
