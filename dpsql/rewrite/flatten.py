"""Flatten what is below an aggregate into one block: scans, the conjunction over them, and the
aggregate's own expressions over scan columns.

    SELECT SUM(y) FROM (SELECT x * 2 AS y FROM t WHERE z > 1) s WHERE y < 9
    scans (t), terms (z > 1, x * 2 < 9), calls (SUM(x * 2))

Sound because filters commute with projections and inner joins, and a projection is a definition of
its columns. Two spellings of one meaning become one block, and with it one sensitivity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dpsql.errors import Diagnostic, Rejected
from dpsql.plan.expr import Call, Expr, Ref, conjuncts, substitute, too_large
from dpsql.plan.nodes import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    OneRow,
    Plan,
    Project,
    Scan,
    Sort,
)


@dataclass(frozen=True, slots=True)
class Block:
    """Inner joins of scans under one conjunction. `terms` are in the order of the text."""

    scans: tuple[Scan, ...]
    terms: tuple[Expr, ...]
    definitions: Mapping[int, Expr]

    def inline(self, expr: Expr) -> Expr:
        """An expression over the block's output, over its scan columns."""
        return substitute(expr, self.definitions)


def flatten(plan: Plan) -> Block:
    """The block of a select-project-join plan.

    Raises:
        Rejected: DP405, DP406 and DP104 for nodes that are no such thing, DP103 for size.
    """
    if isinstance(plan, Scan):
        return Block((plan,), (), {c.id: Ref(c) for c in plan.columns})
    if isinstance(plan, OneRow):
        return Block((), (), {})
    if isinstance(plan, Filter):
        block = flatten(plan.input)
        term = _inline(plan.predicate, block.definitions)
        return replace(block, terms=block.terms + tuple(conjuncts(term)))
    if isinstance(plan, Project):
        block = flatten(plan.input)
        defined = {c.id: _inline(e, block.definitions) for c, e in plan.items}
        return replace(block, definitions=defined)
    if isinstance(plan, Join):
        left, right = flatten(plan.left), flatten(plan.right)
        definitions = {**left.definitions, **right.definitions}
        terms = left.terms + right.terms
        if plan.condition is not None:
            terms += tuple(conjuncts(_inline(plan.condition, definitions)))
        return Block(left.scans + right.scans, terms, definitions)
    if isinstance(plan, Sort):
        return flatten(plan.input)  # counts and sums are the same in every order
    raise _refused(plan)


def _refused(plan: Plan) -> Rejected:
    if isinstance(plan, Limit | Distinct):
        word = {Limit: "LIMIT", Distinct: "DISTINCT"}[type(plan)]
        message = f"{word} below an aggregate: which rows it keeps depends on other units' rows"
        return Rejected(Diagnostic("DP405", message, plan.span, f"remove {word} from the subquery"))
    span = plan.span if isinstance(plan, Aggregate) else None
    message = "an aggregate inside a subquery that is aggregated again is not supported yet"
    return Rejected(Diagnostic("DP406", message, span))


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
