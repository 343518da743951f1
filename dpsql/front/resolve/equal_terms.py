"""Conditions that say in other words that two columns are equal, as equalities.

    a IS NOT DISTINCT FROM b       a = b     where one of them is never NULL
    a = b OR (a IS NULL AND b IS NULL)       a IS NOT DISTINCT FROM b
    a <= b AND b <= a              a = b     also a BETWEEN b AND b

Claim: the rows are the same. Why: where one side is not NULL, both say that the other is that
value; the second is true of the rows of which the first is. Of two values of an ordered type that
are each no greater than the other none is greater; of NULL neither comparison is true. It is done
where TRUE alone counts: in WHERE, and in ON of an inner or a left join. That a column is never NULL
is what the policy says, or the query: it is of a key, or `nullable: false`.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.infer.keys import plain_column
from dpsql.core.infer.ranges import Environment, infer
from dpsql.core.plan.expr import Call, Expr, columns_of, conjunction, conjuncts
from dpsql.core.plan.nodes import Filter, Join, Plan, inputs, with_inputs
from dpsql.front.resolve.numbered_rows import known_values


def with_equalities(plan: Plan) -> Plan:
    """The plan with such conditions as equalities; a WITH query that is used twice stays one."""
    made: dict[int, Plan] = {}

    def visit(node: Plan) -> Plan:
        if id(node) not in made:
            made[id(node)] = _said(with_inputs(node, tuple(visit(i) for i in inputs(node))))
        return made[id(node)]

    return visit(plan)


def _said(plan: Plan) -> Plan:
    if isinstance(plan, Filter):
        predicate = _equal(plan.predicate, plan.input)
        return plan if predicate is None else replace(plan, predicate=predicate)
    if isinstance(plan, Join) and plan.kind in ("inner", "left") and plan.condition is not None:
        condition = _equal(plan.condition, plan.left, plan.right)
        return plan if condition is None else replace(plan, condition=condition)
    return plan


def _equal(condition: Expr, *sides: Plan) -> Expr | None:
    """A condition on rows of these plans, with equalities; None where there is none to find."""
    terms = [_null_safe(term) for term in conjuncts(condition)]
    columns = [t for t in terms if isinstance(t, Call) and all(_is_column(a) for a in t.args)]
    same = [t for t in columns if t.function == "is_not_distinct"]
    ordered = {p: t for t in columns if (p := _ordered(t)) is not None}
    env: Environment = {c: v for side in sides if same for c, v in known_values(side).items()}
    new: dict[Expr, Expr | None] = {
        t: replace(t, function="eq")
        for t in same
        if t.args[0].type == t.args[1].type and any(_is_there(a, env) for a in t.args)
    }
    for (low, high), term in ordered.items():
        other = ordered.get((high, low))
        if other is not None and term not in new:
            new |= {other: None, term: replace(term, function="eq")}
    made = [new.get(t, t) for t in terms]
    return conjunction([t for t in made if t is not None]) if new else None


def _null_safe(term: Expr) -> Expr:
    """a = b OR (a IS NULL AND b IS NULL), in any order, as one comparison; others as they are."""
    if not isinstance(term, Call) or term.function != "or" or len(term.args) != 2:
        return term
    for equal, nulls in (term.args, term.args[::-1]):
        if isinstance(equal, Call) and equal.function == "eq" and _are_null(equal.args, nulls):
            return replace(equal, function="is_not_distinct")
    return term


def _are_null(values: tuple[Expr, ...], condition: Expr) -> bool:
    tests = conjuncts(condition)
    null = [t.args[0] for t in tests if isinstance(t, Call) and t.function == "is_null"]
    return len(null) == len(tests) == 2 and set(null) == set(values) and all(map(_is_column, null))


def _is_column(expr: Expr) -> bool:
    return plain_column(expr) is not None


def _is_there(expr: Expr, env: Environment) -> bool:
    """Whether it is never NULL; of an outer row of a subquery nothing is known."""
    return columns_of(expr) <= env.keys() and not infer(expr, env).nullable


def _ordered(term: Call) -> tuple[Expr, Expr] | None:
    """The operands of <= and >=, the one that is no greater first."""
    if term.function not in ("le", "ge") or term.args[0] == term.args[1]:
        return None
    low, high = term.args if term.function == "le" else term.args[::-1]
    return low, high
