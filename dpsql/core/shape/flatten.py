"""Flatten a plan into one block: what is joined, the conjunction over it, and what its columns are.

    SELECT SUM(y) FROM (SELECT x * 2 AS y FROM t WHERE z > 1) s WHERE y < 9
    sources (t), terms (z > 1, x * 2 < 9), definitions y := x * 2

Sound because filters commute with projections and inner joins, a projection is a definition of its
columns, and a mark depends on its left row alone, whatever that is joined with. Two spellings of
one meaning become one block, and with it one sensitivity. What does not commute (outer joins,
groups, unions, windows, limits) is a source of the block above it, and has blocks of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dpsql.core.plan.expr import Call, Column, Expr, Ref, conjuncts, substitute, too_large
from dpsql.core.plan.nodes import Filter, Join, OneRow, Plan, Project, Sort
from dpsql.errors import Diagnostic, Rejected, Span


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark join of the block with `right`, which is a plan of its own."""

    column: Column
    right: Plan
    condition: Expr | None
    span: Span | None


@dataclass(frozen=True, slots=True)
class Block:
    """Inner joins of sources under one conjunction. `terms` are in the order of the text."""

    sources: tuple[Plan, ...]
    terms: tuple[Expr, ...]
    marks: tuple[Mark, ...]
    definitions: Mapping[int, Expr]

    def inline(self, expr: Expr) -> Expr:
        """An expression over the block's output, over its sources' columns."""
        return _inline(expr, self.definitions)


def flatten(plan: Plan) -> Block:
    """The block of a resolved plan.

    Raises:
        Rejected: DP103 for expressions that grow too large.
    """
    if isinstance(plan, OneRow):
        return Block((), (), (), {})
    if isinstance(plan, Filter):
        block = flatten(plan.input)
        term = block.inline(plan.predicate)
        return replace(block, terms=block.terms + tuple(conjuncts(term)))
    if isinstance(plan, Project):
        block = flatten(plan.input)
        return replace(block, definitions={c.id: block.inline(e) for c, e in plan.items})
    if isinstance(plan, Join) and plan.kind == "inner":
        left, right = flatten(plan.left), flatten(plan.right)
        definitions = {**left.definitions, **right.definitions}
        terms = left.terms + right.terms
        if plan.condition is not None:
            terms += tuple(conjuncts(_inline(plan.condition, definitions)))
        sources, marks = left.sources + right.sources, left.marks + right.marks
        return Block(sources, terms, marks, definitions)
    if isinstance(plan, Join) and plan.mark is not None:
        block = flatten(plan.left)
        condition = None if plan.condition is None else block.inline(plan.condition)
        mark = Mark(plan.mark, plan.right, condition, plan.span)
        definitions = {**block.definitions, plan.mark.id: Ref(plan.mark)}
        return replace(block, marks=(*block.marks, mark), definitions=definitions)
    if isinstance(plan, Sort):
        return flatten(plan.input)  # what is counted and joined is the same in every order
    return Block((plan,), (), (), {c.id: Ref(c) for c in plan.columns})


def _inline(expr: Expr, definitions: Mapping[int, Expr]) -> Expr:
    result = substitute(expr, definitions)
    if too_large(result):
        message = "an expression is too large once its subqueries are inlined"
        raise Rejected(Diagnostic("DP103", message, expr.span))
    return result


def factor(term: Expr) -> list[Expr]:
    """`(a AND b) OR (a AND c)` as `a` and `b OR c`: what every alternative demands comes out.

    TPC-H's Q19 has its join condition inside each alternative. Sound in three-valued logic: AND
    and OR distribute over each other there too.
    """
    if not (isinstance(term, Call) and term.function == "or"):
        return [term]
    alternatives = [_deduplicated(conjuncts(arg)) for arg in term.args]
    shared = [e for e in alternatives[0] if all(e in other for other in alternatives[1:])]
    if not shared:
        return [term]
    rest: list[Expr] = []
    for alternative in alternatives:
        left = [e for e in alternative if e not in shared]
        if not left:
            return shared  # one alternative demands nothing more
        rest.append(left[0] if len(left) == 1 else replace(term, function="and", args=tuple(left)))
    return [*shared, replace(term, args=tuple(rest))]


def _deduplicated(terms: list[Expr]) -> list[Expr]:
    return list(dict.fromkeys(terms))
