"""Released rows that private ones decide about: which values occur is released, and then asked.

    SELECT segment FROM customers INTERSECT SELECT segment FROM customers WHERE vip
    SELECT … FROM (SELECT DISTINCT segment FROM customers) a WHERE EXISTS (SELECT 1 FROM
        (SELECT DISTINCT segment FROM customers WHERE vip) b WHERE a.segment = b.segment)

Claim: both say the same. Why: whether there is a row of which a condition is true hangs on the
values of the columns that the condition reads, and so on which combinations of these there are.
What is read is a release then, and the join is post-processing of it; groups that seem to have no
row are left out as of any other DISTINCT, see `presence`.

Public rows could be asked likewise. There it is refused, and the DISTINCT named: who lists public
rows may not see that private ones choose among them, with noise and at a price.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Ref, columns_of, conjunction, conjuncts, substitute, walk
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Aggregate, Filter, Join, Window
from dpsql.errors import Diagnostic, Rejected
from dpsql.front.resolve.group_by import grouped
from dpsql.front.resolve.state import Resolution


def among_occurring(state: Resolution, plan: Join) -> Join:
    """A mark of released rows, of whether there are such private rows, as one of released values.

    Args:
        state: of the query.
        plan: a mark join, its sides resolved: of public or released rows, with private ones.

    Raises:
        Rejected: DP402 of public rows, where no value ties them, and where values are of one unit
            each.
    """
    terms = [] if plan.condition is None else conjuncts(plan.condition)
    inside = {c.id for c in plan.right.columns}
    own = [term for term in terms if columns_of(term) <= inside]
    tied = [term for term in terms if term not in own]
    read = [node for term in tied for node in walk(term) if isinstance(node, Ref)]
    values = {ref.column.id: ref for ref in read if ref.column.id in inside}
    if not values:
        raise _refused(plan, "count them: (SELECT COUNT(*) …) > 0")
    if kind_of(plan.left) is Kind.PUBLIC:
        numbered = plan.right.calls[-1][1] if isinstance(plan.right, Window) else None
        if numbered is not None and numbered.clause:
            raise _refused(plan, numbered.help)
        names = ", ".join(ref.column.name for ref in values.values())
        raise _refused(plan, f"release which there are, with noise: SELECT DISTINCT {names} there")
    condition = conjunction(own)
    rows = plan.right if condition is None else Filter(plan.right, condition)
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


def _refused(plan: Join, help: str) -> Rejected:
    shown = "public" if kind_of(plan.left) is Kind.PUBLIC else "released"
    message = f"whether private rows exist would decide which {shown} rows are shown"
    return Rejected(Diagnostic("DP402", message, plan.span, help))
