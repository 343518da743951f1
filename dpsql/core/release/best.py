"""ARG_MAX and ARG_MIN over groups of private rows: which group is best, and nothing else.

    SELECT ARG_MAX(product, n) FROM (SELECT product, COUNT(*) AS n FROM sales GROUP BY product)
    SELECT ARG_MAX(price, price * n) FROM (SELECT p.price, COUNT(*) AS n
        FROM prices p JOIN bids b ON b.bid >= p.price GROUP BY p.price)

The groups are public candidates, a count or sum of their rows is the score, and report-noisy-max
tells the best. Claim: it costs what the largest change of a single score asks for, however many
groups one unit is in. Why: see `noise.noisy_max`; a unit moves the score of one group by at
most C·m, C its rows in the group and m the largest value of one row. C is found by taking the
group's key for a constant; where it is a claim, a unit's rows in each group are cut down to it. To
release the scores themselves would cost as much as a unit moves all of them together.

A score price·COUNT(*) is SUM(price), with the price in each row: the key of a group is the same in
all of its rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpsql.core.functions.build import make
from dpsql.core.functions.typing import sum_type
from dpsql.core.infer.domain import Domain
from dpsql.core.infer.evidence import Evidence
from dpsql.core.infer.properties import rows_in_group
from dpsql.core.plan.expr import Call, Expr, Ref, columns_of, null_unless, substitute
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Aggregate, AggregateCall, Plan, Project
from dpsql.core.release import sums
from dpsql.core.release.arguments import inputs_of
from dpsql.core.release.effort import checked
from dpsql.core.release.formulas import Output, Picked
from dpsql.core.release.measures import Measurements
from dpsql.core.release.picks import Best
from dpsql.core.release.release import Release, analysed, released_node
from dpsql.core.schema import Schema
from dpsql.errors import Rejected
from dpsql.types import BIGINT

FUNCTIONS = {"arg_max": True, "arg_min": False}


@dataclass(frozen=True, slots=True)
class Question:
    """An ARG_MAX over groups.

    Attributes:
        above: the projections between the groups and the ARG_MAX, outermost first.
        groups: the aggregate whose best group is asked for.
    """

    above: tuple[Project, ...]
    groups: Aggregate


def question(plan: Aggregate) -> Question | None:
    """Whether an aggregate may be an ARG_MAX over groups, by its form."""
    if plan.keys or len(plan.calls) != 1 or plan.calls[0][1].function not in FUNCTIONS:
        return None
    above: list[Project] = []
    below: Plan = plan.input
    while isinstance(below, Project):
        above.append(below)
        below = below.input
    if not isinstance(below, Aggregate) or len(below.keys) != 1:
        return None
    return Question(tuple(above), below)


def scored(plan: Aggregate, asked: Question) -> Aggregate | None:
    """The groups with the score as their only aggregate; None where it is no single count or sum.

    Args:
        plan: the ARG_MAX.
        asked: its `question`, over resolved rows.
    """
    call = plan.calls[0][1]
    assert call.argument is not None and call.second is not None
    key, by = call.argument, call.second
    for project in asked.above:
        here = {c.id: e for c, e in project.items}
        key, by = substitute(key, here), substitute(by, here)
    column, expr = asked.groups.keys[0]
    if not isinstance(key, Ref) or key.column != column:
        return None
    found = _score(by, {c.id: c_call for c, c_call in asked.groups.calls}, {column.id: expr})
    if found is None:
        return None
    kind = BIGINT if found.argument is None else sum_type(found.argument.type)
    score = replace(plan.calls[0][0], name=found.function, type=kind)
    return replace(asked.groups, calls=((score, found),))


def _score(
    by: Expr, calls: dict[int, AggregateCall], keys: dict[int, Expr]
) -> AggregateCall | None:
    """A count or a sum, maybe times an expression of the key, as one call over the rows."""
    if isinstance(by, Ref):
        call = calls.get(by.column.id)
        plain = call is not None and call.function in ("count", "sum") and not call.distinct
        return call if plain else None
    if not isinstance(by, Call):
        return None
    if by.function == "coerce":
        return _score(by.args[0], calls, keys)
    if by.function != "mul":
        return None
    for weight, rest in (by.args, by.args[::-1]):
        if columns_of(weight) and columns_of(weight) <= keys.keys():
            found = _score(rest, calls, keys)
            return None if found is None else _weighted(found, substitute(weight, keys))
    return None


def _weighted(call: AggregateCall, weight: Expr) -> AggregateCall:
    """weight·COUNT(*), weight·COUNT(x) or weight·SUM(x) as a SUM."""
    if call.argument is None:
        value = weight
    elif call.function == "count":
        known = make("not", (make("is_null", (call.argument,), None),), None)
        value = null_unless(known, weight)
    else:
        value = make("mul", (weight, call.argument), call.span)
    return AggregateCall("sum", value, call.span)


def best(plan: Aggregate, groups: Aggregate, schema: Schema, ids: Ids, table: str) -> Release:
    """The release of an ARG_MAX over groups of private rows.

    Args:
        plan: the ARG_MAX.
        groups: the groups with their score, see `scored`.
        schema: what is public.
        ids: new columns.
        table: what its answer is called.

    Raises:
        Rejected: DP3xx and DP4xx.
    """
    found = analysed(groups, schema, ids, thresholds=False, clipping="auto")
    keys = (e for _, e in found.keys)
    at_once = rows_in_group(found.builder.plan, keys, found.properties, schema)
    if at_once.claimed is None:
        assert found.setting.unbounded is not None
        raise Rejected(found.setting.unbounded)
    setting = replace(
        found.setting,
        rows=at_once.claimed,
        groups=1,
        one_group=True,
        own=1,
        cell=None,
        public_rows=None,
        adaptive=False,
    )
    measurements = Measurements(setting, found.arguments)
    column, call = found.aggregate.calls[0]
    index = found.places[column.id][0] if column.id in found.places else None
    if call.function == "count":
        sums.count(measurements, index)
    else:
        assert index is not None
        sums.total(measurements, index)
    (measure,) = measurements.measures
    arguments = tuple(measurements.arguments)
    contribution = measure.contribution
    one_way = contribution.low >= 0 or contribution.high <= 0
    answer, function = plan.calls[0][0], plan.calls[0][1].function
    key = found.keys[0][0]
    nowhere = Domain((), ())
    pick = Best(
        greatest=FUNCTIONS[function],
        domain=found.domain,
        key=key,
        cells=found.builder.cells(inputs_of(arguments, (measure,)), at_once=at_once),
        measure=measure,
        monotone=one_way and setting.neighbours == "add_remove",
        arguments=arguments,
        setting=replace(
            found.setting,
            rows=at_once.claimed,
            cell=None,
            enforced=at_once.proven != at_once.claimed,
            rows_why=Evidence("in one group"),
        ),
    )
    made = answer if answer.type == key.type else replace(answer, type=key.type)
    return Release(
        table=table,
        node=released_node(table, (made,), (), nowhere, found.properties),
        domain=nowhere,
        picks=(pick,),
        outputs=(Output(made, Picked(0, (0,), listed=False)),),
        setting=setting,
        aggregate=found.aggregate,
        work=checked(found.work, 1, found.aggregate, schema),
    )
