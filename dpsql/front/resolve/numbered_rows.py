"""Rows that are numbered and counted: by windows, and by totals that are joined to them.

    FROM t JOIN (SELECT k, COUNT(*) AS total FROM t GROUP BY k) AS n ON n.k = t.k

Claim: a total is the number of the rows if it is COUNT(*) of the same WITH query, or of the same
tables under the same conditions, joined on the keys that both are grouped by. Why: each row meets
the count of its own group, which is of the same rows. Of groups of one key that is never NULL it
may also be the COUNT(DISTINCT key) of what is grouped: there is a group for each value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dpsql.core.infer.properties import claimed_values
from dpsql.core.infer.ranges import Environment, infer, narrow
from dpsql.core.plan.expr import (
    Call,
    Column,
    Expr,
    Literal,
    Ref,
    columns_of,
    conjuncts,
    substitute,
)
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    Apply,
    Filter,
    Join,
    Named,
    Plan,
    Project,
    Scan,
    Window,
    WindowCall,
    inputs,
    with_inputs,
)
from dpsql.core.plan.values import Values, of_type
from dpsql.front.resolve.fresh_copy import fresh_copy


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows below an aggregate.

    Attributes:
        base: the rows, before they are numbered.
        defined: each column, over those of the base and of `windows` and `totals`.
        windows: the functions of the rows.
        totals: what a single number counts.
    """

    base: Plan
    defined: Mapping[int, Expr]
    windows: Mapping[int, WindowCall]
    totals: Mapping[int, Total]


@dataclass(frozen=True, slots=True)
class Total:
    """The number of some rows, of those where `counted` is not NULL, or of the values that `values`
    has in them; in groups of `keys`, to which `ties` of the rows are equal where it is joined.
    """

    of: Plan
    values: Expr | None = None
    counted: Expr | None = None
    keys: tuple[Expr, ...] = ()
    ties: tuple[Expr, ...] = ()


def rows_below(plan: Plan) -> Rows:
    """What the rows are; from a node on that takes or adds some they are a base."""
    if isinstance(plan, Project):
        below = rows_below(plan.input)
        return replace(below, defined={c.id: substitute(e, below.defined) for c, e in plan.items})
    if isinstance(plan, Named):
        below = rows_below(plan.query)
        pairs = zip(plan.columns, plan.query.columns, strict=True)
        return replace(below, defined={new.id: below.defined[old.id] for new, old in pairs})
    if isinstance(plan, Window):
        below = rows_below(plan.input)
        own: dict[int, Expr] = {c.id: Ref(c) for c, _ in plan.calls}
        calls = {c.id: _inlined(call, below.defined) for c, call in plan.calls}
        return replace(below, defined={**below.defined, **own}, windows={**below.windows, **calls})
    side = _single(plan)
    if side is not None:
        rest, columns, totals = side
        below, own = rows_below(rest), {c.id: Ref(c) for c in columns}
        totals = {
            c: replace(t, ties=tuple(substitute(e, below.defined) for e in t.ties))
            for c, t in totals.items()
        }
        return replace(below, defined={**below.defined, **own}, totals={**below.totals, **totals})
    return Rows(plan, {c.id: Ref(c) for c in plan.columns}, {}, {})


def _single(plan: Plan) -> tuple[Plan, tuple[Column, ...], Mapping[int, Total]] | None:
    """Rows to which one row of counts is joined: the rows, its columns, and what each counts."""
    if isinstance(plan, Apply) and plan.kind == "scalar" and plan.column is not None:
        counted = _counts(plan.subquery)
        found = None if counted is None else counted[1].get(plan.subquery.columns[0].id)
        whole = counted is not None and not counted[0]
        return (plan.input, (plan.column,), {plan.column.id: found}) if found and whole else None
    if isinstance(plan, Join) and plan.kind == "inner":
        for rest, side in ((plan.left, plan.right), (plan.right, plan.left)):
            counted = _counts(side)
            ties = None if counted is None else _ties(plan.condition, counted[0])
            if counted is not None and ties is not None:
                return rest, side.columns, {c: replace(t, ties=ties) for c, t in counted[1].items()}
    return None


def _ties(condition: Expr | None, keys: tuple[int, ...]) -> tuple[Expr, ...] | None:
    """What a condition says that each key is equal to, if it says nothing else."""
    terms = [] if condition is None else [t for t in conjuncts(condition) if not _is_true(t)]
    found: dict[int, Expr] = {}
    for term in terms:
        sides = term.args if isinstance(term, Call) and term.function == "eq" else ()
        for key, other in (sides, sides[::-1]) if sides else ():
            if isinstance(key, Ref) and key.column.id in keys:
                found[key.column.id] = other
    whole = len(found) == len(terms) and found.keys() == set(keys)
    return tuple(found[k] for k in keys) if whole else None


def _is_true(condition: Expr) -> bool:
    return isinstance(condition, Literal) and condition.value is True


def _counts(plan: Plan) -> tuple[tuple[int, ...], dict[int, Total]] | None:
    """The keys of a plan that has a row for each group, and what its other columns count; None for
    other plans.
    """
    if isinstance(plan, Aggregate):
        rows, found = rows_below(plan.input), dict[int, Total]()
        keys = tuple(substitute(e, rows.defined) for _, e in plan.keys)
        for c, call in plan.calls:
            of = None if call.argument is None else substitute(call.argument, rows.defined)
            if call.function == "count" and not call.distinct:
                found[c.id] = Total(rows.base, counted=of, keys=keys)
            elif call.function == "count" and of is not None:
                found[c.id] = Total(rows.base, values=of, keys=keys)
        return tuple(c.id for c, _ in plan.keys), found
    below = (
        _counts(plan.input if isinstance(plan, Project) else plan.query)
        if isinstance(plan, Project | Named)
        else None
    )
    if below is None:
        return None
    if isinstance(plan, Named):
        names = {o.id: n.id for n, o in zip(plan.columns, plan.query.columns, strict=True)}
    else:
        assert isinstance(plan, Project)
        names = {e.column.id: c.id for c, e in plan.items if isinstance(e, Ref)}
    if not names.keys() >= set(below[0]):
        return None
    return tuple(names[k] for k in below[0]), {
        names[c]: t for c, t in below[1].items() if c in names
    }


def _inlined(call: WindowCall, defined: Mapping[int, Expr]) -> WindowCall:
    return replace(
        call,
        arguments=tuple(substitute(a, defined) for a in call.arguments),
        partition=tuple(substitute(p, defined) for p in call.partition),
        order=tuple(replace(k, expr=substitute(k.expr, defined)) for k in call.order),
        within=tuple(replace(k, expr=substitute(k.expr, defined)) for k in call.within),
    )


def is_number_of(total: Total, rows: Plan, groups: set[Expr]) -> bool:
    """Whether a total is the number of the rows, in each of their groups."""
    if total.values is None:
        columns = _same(total.of, rows)
        if columns is None:
            return False
        known, of = known_values(rows), total.counted
        keys = [substitute(key, columns) for key in total.keys]
        counts = of is None or not infer(substitute(of, columns), known).nullable
        return counts and (
            list(total.ties) == keys
            and set(keys) == groups
            and not any(infer(key, known).nullable for key in keys)
        )
    if groups or total.keys or not isinstance(rows, Aggregate) or len(rows.keys) != 1:
        return False
    below, ((_, key),) = rows_below(rows.input), rows.keys
    same, key = _same(total.of, below.base), substitute(key, below.defined)
    if same is None or substitute(total.values, same) != key:
        return False
    return not infer(key, known_values(below.base)).nullable


def _same(a: Plan, b: Plan) -> dict[int, Expr] | None:
    """The columns of `a` as those of `b` where both are the same rows: of one WITH query, or of the
    same table under the same conditions; None of others.
    """
    if a is b:
        return {c.id: Ref(c) for c in b.columns}
    if isinstance(a, Scan) and isinstance(b, Scan) and a.table == b.table:
        theirs = dict(zip(b.fields, b.columns, strict=True))
        pairs = zip(a.fields, a.columns, strict=True)
        return {c.id: Ref(theirs[f]) for f, c in pairs if f in theirs}
    if isinstance(a, Filter) and isinstance(b, Filter):
        found = _same(a.input, b.input)
        if found is not None and substitute(a.predicate, found) == b.predicate:
            return found
    if isinstance(a, Join) and isinstance(b, Join) and a.kind == b.kind == "inner":
        sides = _same(a.left, b.left), _same(a.right, b.right)
        if sides[0] is not None and sides[1] is not None:
            both = {**sides[0], **sides[1]}
            condition = None if a.condition is None else substitute(a.condition, both)
            return both if condition == b.condition else None
    return None


def known_values(plan: Plan) -> Environment:
    """Of which columns NULL is excluded: declared, asked for, or by what computes them."""
    if isinstance(plan, Scan):
        return {c.id: _of_field(plan, c, f) for c, f in zip(plan.columns, plan.fields, strict=True)}
    if isinstance(plan, Filter):
        return narrow(plan.predicate, known_values(plan.input))
    if isinstance(plan, Project):
        below = known_values(plan.input)
        return {c.id: infer(e, below) for c, e in plan.items}
    if isinstance(plan, Named):
        below = known_values(plan.query)
        pairs = zip(plan.columns, plan.query.columns, strict=True)
        return {new.id: below[old.id] for new, old in pairs}
    if isinstance(plan, Join) and plan.kind == "inner":
        both = {**known_values(plan.left), **known_values(plan.right)}
        return both if plan.condition is None else narrow(plan.condition, both)
    env = {c.id: of_type(c.type) for c in plan.columns}
    if isinstance(plan, Apply) and plan.column is not None:
        return {**env, **known_values(plan.input)}
    if isinstance(plan, Aggregate):
        below = known_values(plan.input)
        env |= {c.id: infer(e, below) for c, e in plan.keys}
        for c, call in plan.calls:
            kept = call.function in ("min", "max", "sum", "avg") and bool(plan.keys)
            if call.function == "count" or (
                kept and call.argument is not None and not infer(call.argument, below).nullable
            ):
                env[c.id] = of_type(c.type, nullable=False)
    return env


def _of_field(scan: Scan, column: Column, field: str) -> Values:
    """What is declared of a column; one of the key is not NULL."""
    said = scan.table.column(field)
    found = of_type(column.type) if said is None else claimed_values(said)
    keyed = field.lower() in {k.lower() for k in scan.table.key}
    return found.but(nullable=False) if keyed else found


def without(plan: Plan, gone: set[int], ids: Ids) -> tuple[Plan, set[int]]:
    """The rows without some windows and totals, and the columns that are not there any more. A WITH
    query of which something goes is written out, with columns of its own.
    """
    if isinstance(plan, Project):
        below, dead = without(plan.input, gone, ids)
        kept = tuple((c, e) for c, e in plan.items if not columns_of(e) & dead)
        if below is plan.input and not dead:
            return plan, set()
        return Project(below, kept), {c.id for c, _ in plan.items} - {c.id for c, _ in kept}
    if isinstance(plan, Named):
        query, dead = without(plan.query, gone, ids)
        if query is plan.query:
            return plan, set()
        copy, names = fresh_copy(query, lambda c: ids.column(c.name, c.type))
        pairs = list(zip(plan.columns, plan.query.columns, strict=True))
        items = tuple((new, Ref(names.get(o.id, o))) for new, o in pairs if o.id not in dead)
        return Project(copy, items), {new.id for new, old in pairs if old.id in dead}
    if isinstance(plan, Window):
        below, dead = without(plan.input, gone, ids)
        calls = tuple((c, call) for c, call in plan.calls if c.id not in gone)
        if below is plan.input and calls == plan.calls:
            return plan, dead
        dead = dead | {c.id for c, _ in plan.calls} & gone
        return (replace(plan, input=below, calls=calls) if calls else below), dead
    side = _single(plan)
    if side is not None:
        rest, columns, totals = side
        below, dead = without(rest, gone, ids)
        if totals.keys() & gone:
            return below, dead | {c.id for c in columns}
        return with_inputs(plan, tuple(below if i is rest else i for i in inputs(plan))), dead
    return plan, set()
