"""MODE of values that public tables list: the best of their groups.

    SELECT MODE(x) FROM t
    SELECT ARG_MAX(x, n) FROM (SELECT x, COUNT(*) AS n FROM t WHERE x IS NOT NULL GROUP BY x)

    SELECT k, MODE(x), COUNT(*) FROM t GROUP BY k
    the same for each k, of groups of k and x, joined by k to what else is asked of k

A MODE whose values the policy lists is picked by itself. What is in public tables is read when the
query runs, as it is for groups.

Claim: the answers are the same. Why: the mode is the value that most rows have, NULL apart, and
these are the rows of its group; of values that as many have it may be any. A group k in which no
value shows through the noise has none, NULL here; and is not listed where nothing else is asked.
"""

from __future__ import annotations

from dpsql.core.functions.build import make
from dpsql.core.infer.domain import listed_values
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Case, Column, Expr, Literal, Ref, conjunction
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Aggregate, AggregateCall, Filter, Join, Plan, Project
from dpsql.core.release.best import Question
from dpsql.core.release.picks import MAX_OPTIONS
from dpsql.core.release.release import analysed
from dpsql.errors import Rejected
from dpsql.front.resolve.fresh_copy import fresh_copy
from dpsql.front.resolve.group_by import determines_unit, grouped, told_alone
from dpsql.front.resolve.state import Resolution
from dpsql.types import BIGINT


def modes(state: Resolution, plan: Aggregate) -> Plan | None:
    """An aggregate with such a MODE, over resolved rows; None for others."""
    if state.schema.kinds or plan.per_unit or kind_of(plan.input) is not Kind.TRACKED:
        return None
    asked = [(c, call) for c, call in plan.calls if call.function == "mode"]
    if not asked or (plan.keys and determines_unit(state, plan)):
        return None
    found = [(c, call, g) for c, call in asked if (g := _groups(state, plan, call)) is not None]
    if not found:
        return None
    gone = {column.id for column, _, _ in found}
    rest = tuple((c, call) for c, call in plan.calls if c.id not in gone)
    result: Plan | None = None
    if rest:
        result = grouped(state, Aggregate(plan.input, plan.keys, rest, plan.span))
    keys = tuple(c for c, _ in plan.keys)
    for column, call, groups in found:
        if result is None:
            result = _mode(state, groups, column, call, keys)
            continue
        others = tuple(state.ids.column(c.name, c.type) for c in keys)
        mode = _mode(state, _copied(state, groups), column, call, others)
        result = _beside(result, mode, len(keys), plan)
    assert result is not None
    here = {c.id: c for c in result.columns}
    return Project(result, tuple((c, Ref(here[c.id])) for c in plan.columns))


def _groups(state: Resolution, plan: Aggregate, call: AggregateCall) -> Aggregate | None:
    """The groups of the keys and the values of a MODE, each with its number of rows; None where no
    public table lists the values, the policy does, or the keys are not known.
    """
    assert call.argument is not None
    terms, value = _apart(call.argument)
    known = make("not", (make("is_null", (value,), None),), None)
    rows = Filter(plan.input, conjunction([*terms, known]) or known)
    keys = tuple((state.ids.column(c.name, c.type), e) for c, e in plan.keys)
    name = value.column.name if isinstance(value, Ref) else "value"
    key = state.ids.column(name, value.type)
    count = (state.ids.column("count", BIGINT), AggregateCall("count", None, call.span))
    groups = Aggregate(rows, (*keys, (key, value)), (count,), call.span)
    try:
        found = analysed(groups, state.schema, state.ids, thresholds=False, clipping=state.clipping)
    except Rejected:
        return None  # what is wrong is said of the MODE itself
    if not any(key in part.columns for part in found.domain.public):
        return None
    listed = listed_values(found.keys[-1][1], found.properties.expected)
    return None if listed is not None and len(listed) <= MAX_OPTIONS else groups


def _apart(argument: Expr) -> tuple[list[Expr], Expr]:
    """What FILTER, or a CASE without ELSE, asks of the rows; and the value."""
    terms: list[Expr] = []
    while isinstance(argument, Case) and len(argument.branches) == 1:
        if not isinstance(argument.default, Literal) or argument.default.value is not None:
            break
        ((term, argument),) = argument.branches
        terms.append(term)
    return terms, argument


def _copied(state: Resolution, groups: Aggregate) -> Aggregate:
    message = "the query is too large: rows are written out once more for each MODE"
    state.count_copy(groups.input, message, groups.span)
    copy, _ = fresh_copy(groups, lambda c: state.ids.column(c.name, c.type))
    assert isinstance(copy, Aggregate)
    return copy


def _mode(
    state: Resolution,
    groups: Aggregate,
    column: Column,
    call: AggregateCall,
    keys: tuple[Column, ...],
) -> Plan:
    """The most frequent value, for each of `keys`."""
    value, (count, _) = groups.keys[-1][0], groups.calls[0]
    best = AggregateCall("arg_max", Ref(value), call.span, second=Ref(count))
    if not keys:
        plan = Aggregate(groups, (), ((column, best),), call.span)
        alone = told_alone(state, plan, Question((), groups))
        assert alone is not None
        return alone
    state.counted |= {count.id}  # of values without rows none is the mode
    rows = grouped(state, groups)
    named = tuple((k, Ref(c)) for k, (c, _) in zip(keys, groups.keys, strict=False))
    renewed = state.renewed(Aggregate(rows, named, ((column, best),), call.span))
    assert isinstance(renewed, Aggregate)
    return grouped(state, renewed)


def _beside(result: Plan, mode: Plan, keys: int, plan: Aggregate) -> Join:
    """Each group with its mode."""
    here = {c.id: c for c in result.columns}
    same = [
        make("is_not_distinct", (Ref(here[c.id]), Ref(other)), plan.span)
        for (c, _), other in zip(plan.keys, mode.columns[:keys], strict=True)
    ]
    if not same:  # one row beside one
        return Join(result, mode, None, plan.span)
    return Join(result, mode, conjunction(same), plan.span, kind="left")
