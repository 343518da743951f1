"""NOT IN as plain equality, between rows of the same unit and where there is no NULL.

    o.customer NOT IN (SELECT id FROM customers)     mark under (customer = id) IS NOT FALSE
                                                     mark under  customer = id

Claim: where both columns are homes with the same anchor, the two marks agree on every row that
belongs to somebody, when rows of nobody are no rows of the subquery. Why: they differ only where a
column is NULL, and a row whose home is NULL belongs to nobody. The second is tied to one unit.

They agree as well where both columns are known to have no NULL. The engine then looks each row up,
where it would compare it with every row of the subquery. A declaration of that which is not true
makes an answer wrong, as elsewhere: what is proven and run is the plan with the equality.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.infer.keys import plain_column
from dpsql.core.infer.properties import Properties
from dpsql.core.plan.expr import Call, Expr, Literal, conjunction, conjuncts
from dpsql.core.plan.nodes import Join


def open_equality(term: Expr) -> Expr | None:
    """The equality of a term `equality IS NOT FALSE`; None for any other term."""
    if not (isinstance(term, Call) and term.function == "not"):
        return None
    (inner,) = term.args
    if not (isinstance(inner, Call) and inner.function == "is_not_distinct"):
        return None
    test, value = inner.args
    false = isinstance(value, Literal) and value.value is False
    return test if false and isinstance(test, Call) and test.function == "eq" else None


def has_open_equality(plan: Join) -> bool:
    """Whether a look at the sides' properties is worth it."""
    terms = [] if plan.condition is None else conjuncts(plan.condition)
    return any(open_equality(term) is not None for term in terms)


def closed(plan: Join, left: Properties, right: Properties) -> Join:
    """The mark join with plain equality where the columns are homes of the same anchor, or have no
    NULL.
    """
    assert plan.condition is not None
    terms: list[Expr] = []
    for term in conjuncts(plan.condition):
        test = open_equality(term)
        terms.append(test if test is not None and _plain(test, left, right) else term)
    return replace(plan, condition=conjunction(terms))


def _plain(test: Expr, left: Properties, right: Properties) -> bool:
    assert isinstance(test, Call)
    a, b = (plain_column(arg) for arg in test.args)
    if a is None or b is None:
        return False
    if a not in left.columns:
        a, b = b, a
    if a not in left.columns or b not in right.columns:
        return False
    if not (left.claimed[a].nullable or right.claimed[b].nullable):
        return True
    return a in left.home and b in right.home and left.anchors[a] == right.anchors[b]
