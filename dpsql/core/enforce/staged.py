"""What is dear is computed first, whether or not a row is there that asks for it.

    SELECT COUNT(*) FROM customers
    WHERE email = 'a@b.c' AND birth_year > 1965
      AND id IN (SELECT customer FROM orders WHERE regexp_matches(note, '7.*8.*9'))

An engine that joins few rows with many begins with the few: where there are none, it does not look
at the others at all; where there is one, it looks for that one's partners alone. So one unit can
switch on, or off, work that is not its own: a regular expression over all others' orders, a product
of public tables. `infer.work` counts what a unit's own rows cause, and not that.

    WITH stage1 AS MATERIALIZED (SELECT … FROM orders WHERE regexp_matches(note, '7.*8.*9'))
    SELECT … IN (SELECT c1 FROM stage1)
    UNION ALL SELECT NULL FROM stage1 HAVING COUNT(c1) > 9000000000000000000

Claim: what stands in a stage is computed to its end in every run, whatever the other rows are. Why:
the last SELECT counts the stage's rows and values, and no plan of the statement has its result
without that count; it is never as large, so that it adds no row. The stage is computed once
(MATERIALIZED), and nothing of the other sources is in it, by which the engine could shorten it.

A stage is a part below a join: what reads public and released rows alone, or filters, projections,
windows and groups of private rows; joins of these stay outside, where a unit pays for its own rows.
A condition on one side of a join is brought below it first, as the engine would do. What is left
to be switched is reading stored or staged rows, comparing and hashing them (as measured in
docs/figures.md), and conditions on the right rows above a LEFT JOIN. What takes no more is no
stage, nor is anything in a statement without a join.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from dpsql.core.emit.plans import Source, column, identifier, nested, output_name, table
from dpsql.core.infer.public_work import public_steps
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import (
    Call,
    Expr,
    Literal,
    columns_of,
    conjunction,
    conjuncts,
    substitute,
    walk,
)
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    Filter,
    Join,
    OneRow,
    Plan,
    Project,
    Released,
    Scan,
    Window,
    expressions,
    filtered,
    inputs,
    with_inputs,
)

SMALL = 9_999
"""Steps of public rows that may depend on a unit: fewer than those of a table of unknown size."""

MANY = 32
"""Operations on a row that are as dear as a function of a text."""

SLOWER = 4
"""Operations that a function of numbers or moments stands for, unless it is known to be quick."""

PLAIN = frozenset(
    {
        *("eq", "ne", "lt", "le", "gt", "ge", "in", "is_null", "is_not_distinct"),
        *("coerce", "cut", "and", "or", "not"),
    }
)
"""What looks at a text for a moment."""

QUICK = PLAIN | {
    *("add", "sub", "mul", "abs", "sign", "cast", "coalesce", "nullif", "least", "greatest"),
    *("clamp", "inside", "in_calendar", "steps", "isnan", "isinf", "isfinite"),
    *("bit_and", "bit_or", "bit_xor", "bit_not"),
}
"""What takes a nanosecond or two; whatever else there is, or comes, is taken for slower."""

NEVER = 9 * 10**18
"""Rows that no table has."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a plan that is computed by itself.

    Attributes:
        name: of its rows in the statement.
        plan: what makes them.
    """

    name: str
    plan: Plan


def staged(plan: Plan) -> tuple[Plan, tuple[Stage, ...]]:
    """The plan with its dear parts taken out, and these, each after those that it reads.

    Args:
        plan: the private rows of a statement.
    """
    stager = _Stager([])
    return stager.visit(plan, below=False), tuple(stager.stages)


def with_stages(query: exp.Query, stages: tuple[Stage, ...], source: Source) -> exp.Query:
    """A statement that reads the stages by their names, with them."""
    if not stages:
        return query
    before = [] if query.args.get("with_") is None else query.args["with_"].expressions
    query.set("with_", None)
    width = len(query.selects)
    ctes = []
    for stage in stages:
        alias = exp.TableAlias(this=identifier(stage.name))
        body = nested(stage.plan, source)
        ctes.append(exp.CTE(this=body, alias=alias, materialized=True))
        query = exp.union(query, _anchor(stage, width), distinct=False, copy=False)
    query.set("with_", exp.With(expressions=[*ctes, *before]))
    return query


def _anchor(stage: Stage, width: int) -> exp.Select:
    """SELECT NULL, … FROM the stage, if it has more rows than there can be."""
    counts: list[exp.Expr] = [
        exp.Anonymous(this="count", expressions=[column(stage.name, output_name(c.id))])
        for c in stage.plan.columns
    ]
    counts = counts or [exp.Anonymous(this="count", expressions=[exp.Star()])]
    # Not exp.Greatest: its print tests each argument for NULL, and so doubles with each in turn.
    total = exp.Anonymous(this="greatest", expressions=counts) if counts[1:] else counts[0]
    select = exp.Select().from_(table(stage.name), copy=False)
    select = select.select(*(exp.Null() for _ in range(width)), copy=False)
    return select.having(exp.GT(this=total, expression=exp.Literal.number(NEVER)), copy=False)


@dataclass(slots=True)
class _Stager:
    """Takes parts out of one plan."""

    stages: list[Stage]

    def visit(self, plan: Plan, *, below: bool) -> Plan:
        """The plan without its dear parts; `below` a join."""
        if kind_of(plan) is not Kind.TRACKED:
            return self.stage(plan) if below and _public_dear(plan) else plan
        plan = _sunk(plan)
        chain, base = _chain(plan)
        joins = isinstance(base, Join)
        dear = isinstance(base, Window | Aggregate) or _weight([*chain, base]) > MANY
        taken = below and dear and not joins
        under = joins or (below and not taken)
        base = with_inputs(base, tuple(self.visit(n, below=under) for n in inputs(base)))
        for node in reversed(chain):
            base = with_inputs(node, (base,))
        return self.stage(base) if taken else base

    def stage(self, plan: Plan) -> Released:
        found = Stage(f"stage{len(self.stages) + 1}", plan)
        self.stages.append(found)
        fields = tuple(output_name(c.id) for c in plan.columns)
        return Released(found.name, plan.columns, fields)


def _chain(plan: Plan) -> tuple[list[Plan], Plan]:
    """The filters and projections at the top of a plan, and what is below them."""
    found: list[Plan] = []
    while isinstance(plan, Filter | Project):
        found.append(plan)
        plan = plan.input
    return found, plan


def _sunk(plan: Plan) -> Plan:
    """The plan with dear conditions, and those of dear public rows, on one side of a join below it,
    where they do as much.

    Claim: it has the same rows. Why: a condition on the left rows alone leaves out the same results
    before and after a join that keeps or repeats them; one on the right rows alone does so in an
    inner join, and where it stands in the join's own condition in every join but a full one.
    """
    if isinstance(plan, Filter) and isinstance(plan.input, Filter):
        terms = [*conjuncts(plan.input.predicate), *conjuncts(plan.predicate)]
        return _sunk(filtered(plan.input.input, terms))
    if isinstance(plan, Filter) and isinstance(plan.input, Join):
        join, terms = plan.input, conjuncts(plan.predicate)
        if join.kind == "full":
            return plan
        left, terms = _taken(terms, join.left)
        right, terms = _taken(terms, join.right) if join.kind == "inner" else ([], terms)
        join = replace(join, left=filtered(join.left, left), right=filtered(join.right, right))
        return filtered(_sunk(join), terms)
    if isinstance(plan, Filter) and isinstance(plan.input, Project):
        items = {c.id: e for c, e in plan.input.items}
        dear, terms = _taken(conjuncts(plan.predicate), plan.input)
        below = filtered(plan.input.input, [substitute(term, items) for term in dear])
        return filtered(replace(plan.input, input=_sunk(below)), terms)
    if isinstance(plan, Filter | Project):
        return with_inputs(plan, (_sunk(plan.input),))
    if isinstance(plan, Join) and plan.condition is not None and plan.kind != "full":
        terms = conjuncts(plan.condition)
        right, terms = _taken(terms, plan.right)
        left, terms = _taken(terms, plan.left) if plan.kind == "inner" else ([], terms)
        if left or right:
            return replace(
                plan,
                left=filtered(plan.left, left),
                right=filtered(plan.right, right),
                condition=conjunction(terms),
            )
    return plan


def _taken(terms: list[Expr], side: Plan) -> tuple[list[Expr], list[Expr]]:
    """The dear terms that read nothing but one side's columns, and the others. Of public rows that
    are computed first all are taken: so fewer are kept.
    """
    here = {c.id for c in side.columns}
    all_of_it = kind_of(side) is not Kind.TRACKED and _public_dear(side)
    found = [t for t in terms if columns_of(t) <= here and (all_of_it or _operations(t) > MANY)]
    return found, [t for t in terms if t not in found]


def _public_dear(plan: Plan) -> bool:
    """Whether a part without private rows is more than a scan of what is stored."""
    chain, base = _chain(plan)
    if isinstance(base, Scan | Released | OneRow):
        return _weight([*chain, base]) > MANY
    return public_steps(plan)[0] > SMALL


def _weight(plans: list[Plan]) -> int:
    """The operations on a row of all of them."""
    return sum(_operations(e) for node in plans for e in expressions(node))


def _operations(expr: Expr) -> int:
    calls = [node for node in walk(expr) if isinstance(node, Call)]
    if any(map(_reads_text, calls)):
        return MANY + 1
    return sum(1 if call.function in QUICK else SLOWER for call in calls)


def _reads_text(call: Call) -> bool:
    """Whether it looks at all of a text."""
    texts = (a for a in call.args if a.type.is_string and not isinstance(a, Literal))
    return call.function not in PLAIN and any(True for _ in texts)
