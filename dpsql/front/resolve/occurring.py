"""Public rows that private ones decide about: which values occur is released, and then asked.

    SELECT name FROM products p WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.product = p.id
                                                  AND o.amount > 50)
    … WHERE NOT EXISTS (SELECT 1 FROM (SELECT DISTINCT product FROM orders WHERE amount > 50) d
                        WHERE d.product = p.id)

Claim: both say the same. Why: whether there is a row of which a condition is true hangs on the
values of the columns that the condition reads, and so on which combinations of these there are.
What is read is a release then, and the join is post-processing of it; groups in which no row is
seem to be left out as of any other DISTINCT, see `presence`.

NOT IN is empty where the subquery has a NULL. Noise must not decide about that: where the column
can be NULL it is refused.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.infer.kind import kind_of
from dpsql.core.plan.expr import Expr, Ref, columns_of, conjunction, conjuncts, substitute, walk
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Aggregate, Filter, Join, Plan
from dpsql.errors import Diagnostic, Rejected
from dpsql.front.resolve.distinct_rows import may_be_null
from dpsql.front.resolve.groups import grouped
from dpsql.front.resolve.not_in import open_equality
from dpsql.front.resolve.state import Resolution


def among_occurring(state: Resolution, plan: Join) -> Join:
    """A mark of public rows, of whether there are such private rows, as one of released values.

    Args:
        state: of the query.
        plan: a mark join, its sides resolved: of public or released rows, with private ones.

    Raises:
        Rejected: DP402 where no value ties them, where values are of one unit each, and for NOT IN
            where there may be a NULL.
    """
    terms = [] if plan.condition is None else conjuncts(plan.condition)
    inside = {c.id: c for c in plan.right.columns}
    own = [term for term in terms if columns_of(term) <= inside.keys()]
    tied = [term for term in terms if term not in own]
    read = [node for term in tied for node in walk(term) if isinstance(node, Ref)]
    values = {ref.column.id: ref for ref in read if ref.column.id in inside}
    if not values:
        raise _refused(plan, "count them: (SELECT COUNT(*) …) > 0")
    condition = conjunction(own)
    rows = plan.right if condition is None else Filter(plan.right, condition)
    _check_null(state, plan, tied, rows)
    keys = {i: state.ids.column(ref.column.name, ref.column.type) for i, ref in values.items()}
    state.counted |= {c.id for c in keys.values()}
    by = tuple((keys[i], ref) for i, ref in values.items())
    groups = grouped(state, Aggregate(rows, by, (), plan.span))
    if kind_of(groups) is Kind.TRACKED:
        raise _refused(plan, "join on the unit, and aggregate")
    here = {i: Ref(c) for i, c in keys.items()}
    condition = conjunction([substitute(term, here) for term in tied])
    made = state.renewed(replace(plan, right=groups, condition=condition))
    assert isinstance(made, Join)
    return made


def _check_null(state: Resolution, plan: Join, tied: list[Expr], rows: Plan) -> None:
    own = {c.id for c in rows.columns}
    for term in tied:
        read = columns_of(term) & own if open_equality(term) is not None else frozenset[int]()
        for column in rows.columns:
            if column.id in read and may_be_null(state, rows, Ref(column)):
                raise _refused(plan, f"write NOT EXISTS, or … WHERE {column.name} IS NOT NULL")


def _refused(plan: Join, help: str) -> Rejected:
    message = "whether private rows exist would decide which public rows are shown"
    return Rejected(Diagnostic("DP402", message, plan.span, help))
