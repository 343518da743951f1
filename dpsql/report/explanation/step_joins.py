"""What matters of a join: whose rows it keeps, and how many rows one row meets."""

from __future__ import annotations

from dpsql.core.infer.joins import oriented
from dpsql.core.infer.keys import compared, covers, equalities
from dpsql.core.infer.multiplicity import fan_out
from dpsql.core.infer.properties import Properties
from dpsql.core.plan.expr import conjuncts
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Filter, Join, Plan, Project, Released, Scan
from dpsql.report.explanation import step_words as words
from dpsql.report.explanation.step_names import StepNames

_KINDS = {
    "inner": "join",
    "left": "left join",
    "full": "full join",
    "mark": "mark the rows with a match",
    "matched": "join",
}


def join_words(
    plan: Join, names: StepNames, left: Properties, right: Properties
) -> tuple[str, tuple[str, ...]]:
    """What a join does, and what matters of it.

    Args:
        plan: the join.
        names: of the plan.
        left, right: of its sides.
    """
    on = "" if plan.condition is None else f" on {words.expression(plan.condition, names)}"
    text = f"{_KINDS[plan.kind]}{on}"
    if plan.condition is None:
        text += " of every pair"
    terms = [] if plan.condition is None else conjuncts(plan.condition)
    pairs = oriented(equalities(terms), left, right)
    why: list[str] = []
    private = left.kind is Kind.TRACKED, right.kind is Kind.TRACKED
    if all(private):
        why.append(f"the same unit on both sides{_by(plan, names, left, right, pairs)}")
    elif any(private):
        why.append("keeps the unit")
    if plan.kind == "mark":
        why.append("each row stays once")
        return text, tuple(why)
    first, second = (_called(side, names) for side in (plan.left, plan.right))
    first, second = first or "the first part", second or "the second part"
    if private[0]:
        columns = compared(terms, right.columns, left.columns)
        met = _met(plan.right, right, columns, names, second)
        why.append(f"a row of {first} meets {met}")
    if private[1]:
        columns = compared(terms, left.columns, right.columns)
        met = _met(plan.left, left, columns, names, first)
        why.append(f"a row of {second} meets {met}")
    return text, tuple(why)


def _met(
    other: Plan, met: Properties, columns: frozenset[int], names: StepNames, there: str
) -> str:
    """How many rows of the other side one row meets."""
    once = covers(columns, met.keys)
    fan = fan_out(columns, once, met.per_value, met.table_rows)
    if fan.claimed is None:
        return f"any number of {there}"
    if once:
        ids = {c.id: c for c in other.columns}
        key = next(k for k in met.keys if k <= columns)
        named = names.of(*(ids[c] for c in sorted(key) if c in ids))
        return f"one of {there} at most" + (f", by its key {named}" if named else "")
    how = "proven" if fan.claimed == fan.proven else "declared"
    return f"at most {fan.claimed:,} of {there}, {how}"


def _by(
    plan: Join, names: StepNames, left: Properties, right: Properties, pairs: list[tuple[int, int]]
) -> str:
    """The equality from which it follows."""
    ids = {c.id: c for side in (plan.left, plan.right) for c in side.columns}
    for a, b in pairs:
        if a in left.anchors and left.anchors[a] == right.anchors.get(b):
            return f": {names.of(ids[a])} = {names.of(ids[b])}"
    return ""


def _called(plan: Plan, names: StepNames) -> str:
    """A side by its table where it is one, else nothing."""
    while isinstance(plan, Filter | Project):
        plan = plan.input
    return names.tables[id(plan)] if isinstance(plan, Scan | Released) else ""
