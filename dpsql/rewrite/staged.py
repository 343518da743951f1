"""What is dear is computed first, whether or not a row is there that asks for it.

    SELECT COUNT(*) FROM customers
    WHERE email = 'a@b.c' AND birth_year > 1965
      AND id IN (SELECT customer FROM orders WHERE regexp_matches(note, '7.*8.*9'))

An engine that joins few rows with many begins with the few: where there are none, it does not look
at the others at all; where there is one, it looks for that one's partners alone. So one unit can
switch on, or off, work that is not its own: a regular expression over all others' orders, a product
of public tables. `analyze.work` counts what a unit's own rows cause, and not that.

    WITH stage1 AS MATERIALIZED (SELECT … FROM orders WHERE regexp_matches(note, '7.*8.*9'))
    SELECT … IN (SELECT c1 FROM stage1)
    UNION ALL SELECT NULL FROM stage1 HAVING COUNT(c1) > 9000000000000000000

Claim: what stands in a stage is computed to its end in every run, whatever the other rows are. Why:
the last SELECT counts the stage's rows and values, and no plan of the statement has its result
without that count; it is never as large, so that it adds no row. The stage is computed once
(MATERIALIZED), and nothing of the other sources is in it, by which the engine could shorten it.

A stage is a part that reads public and released rows alone, or one table of private rows; joins of
private rows with anything stay outside, where a unit pays for its own rows. What is left to be
switched is reading stored or staged rows, and comparing and hashing them, a few nanoseconds each
(docs/figures.md). What takes no more than that is no stage, nor is anything in a statement in which
no other rows could be missing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from dpsql.analyze.kind import kind_of
from dpsql.analyze.public_work import public_steps
from dpsql.plan.expr import Call, Expr, Literal, columns_of, conjunction, conjuncts, walk
from dpsql.plan.kind import Kind
from dpsql.plan.nodes import (
    Filter,
    Join,
    Limit,
    OneRow,
    Plan,
    Project,
    Released,
    Scan,
    expressions,
    inputs,
    nodes,
    with_inputs,
)
from dpsql.sql.emit import Source, column, identifier, nested, output_name, table

SMALL = 9_999
"""Steps of public rows that may depend on a unit: fewer than those of a table of unknown size."""

MANY = 32
"""Operations on a row that are as dear as a function of a text."""

READ = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "in", "is_null", "is_not_distinct"})
PLAIN = READ | {"coerce", "cut", "and", "or", "not"}
"""What looks at a text for a moment."""

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
    """The plan with its dear parts taken out, and these.

    Args:
        plan: the private rows of a statement.
    """
    stager = _Stager(sum(map(_narrows, nodes(plan))), [])
    return stager.visit(plan), tuple(stager.stages)


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
    total = counts[0]
    for count in counts[1:]:
        total = exp.Greatest(this=total, expressions=[count])
    select = exp.Select().from_(table(stage.name), copy=False)
    select = select.select(*(exp.Null() for _ in range(width)), copy=False)
    return select.having(exp.GT(this=total, expression=exp.Literal.number(NEVER)), copy=False)


@dataclass(slots=True)
class _Stager:
    """Takes parts out of one plan, in which `narrowing` nodes could leave rows out."""

    narrowing: int
    stages: list[Stage]

    def visit(self, plan: Plan) -> Plan:
        if kind_of(plan) is not Kind.TRACKED:
            return self.stage(plan) if _public_dear(plan) else plan
        base = _base(plan)
        if isinstance(base, Scan):
            own = sum(map(_narrows, nodes(plan)))
            dear = any(_dear(e) for node in nodes(plan) for e in expressions(node))
            return self.stage(plan) if dear and self.narrowing > own else plan
        if isinstance(plan, Join):
            plan = _lowered(plan)
        return with_inputs(plan, tuple(self.visit(child) for child in inputs(plan)))

    def stage(self, plan: Plan) -> Released:
        found = Stage(f"stage{len(self.stages) + 1}", plan)
        self.stages.append(found)
        fields = tuple(output_name(c.id) for c in plan.columns)
        return Released(found.name, plan.columns, fields)


def _lowered(join: Join) -> Join:
    """The join with the dear conditions on its right rows alone below it, where they do as much."""
    if join.condition is None or join.kind == "full":
        return join
    here = {c.id for c in join.right.columns}
    terms = conjuncts(join.condition)
    low = [t for t in terms if columns_of(t) <= here and _dear(t)]
    if not low:
        return join
    condition = conjunction(low)
    assert condition is not None
    rest = conjunction([t for t in terms if t not in low])
    return replace(join, right=Filter(join.right, condition), condition=rest)


def _base(plan: Plan) -> Plan:
    while isinstance(plan, Filter | Project):
        plan = plan.input
    return plan


def _public_dear(plan: Plan) -> bool:
    """Whether a part without private rows is more than a scan of what is stored."""
    if isinstance(_base(plan), Scan | Released | OneRow):
        return any(_dear(e) for node in nodes(plan) for e in expressions(node))
    return public_steps(plan)[0] > SMALL


def _dear(expr: Expr) -> bool:
    """Whether it takes much longer than reading a value."""
    calls = [node for node in walk(expr) if isinstance(node, Call)]
    return len(calls) > MANY or any(map(_reads_text, calls))


def _reads_text(call: Call) -> bool:
    texts = (a for a in call.args if a.type.is_string and not isinstance(a, Literal))
    return call.function not in PLAIN and any(True for _ in texts)


def _narrows(plan: Plan) -> bool:
    """Whether a node could leave out the rows of all units but one, or of all."""
    if isinstance(plan, Join):
        terms = [] if plan.condition is None else conjuncts(plan.condition)
        return any(not (isinstance(t, Call) and t.function == "eq") for t in terms)
    if isinstance(plan, Scan | Released):
        return kind_of(plan) is not Kind.TRACKED
    return isinstance(plan, Filter | Limit | OneRow)
