"""Quantiles that are written with ROW_NUMBER, as the quantiles that they are.

    SELECT MIN(CASE WHEN place >= 0.25 * total THEN x END)           QUANTILE_DISC(x, 0.25)
    FROM (SELECT x, ROW_NUMBER() OVER (ORDER BY x) AS place, COUNT(*) OVER () AS total FROM t)

    MIN(CASE WHEN place < 0.25 * total THEN 9999 ELSE x END)         LEAST(…, 9999)

    SELECT x … WHERE place = CAST(0.25 * total AS INTEGER)           SELECT QUANTILE_DISC(x, 0.25)

Claim: both are the same where x is never NULL. Why: of n rows, those from p·n on begin with the one
at ⌈p·n⌉, at least 1, which has the least x of them; QUANTILE_DISC is that x. Before p·n there is a
row, and 9999 with it, unless p·n <= 1: only then, and of an x above 9999, they differ. The row at
p·n, rounded in any way, and perhaps the one after it, are taken for one row, that at ⌈p·n⌉: at most
one row away, which is within what a quantile's noise does.

The rows that are aggregated must be those that are numbered, each once, and the groups the
partitions, apart from aggregates over these, which have one value in each; the total must count
just these: COUNT(*) over the same partition, or of the same WITH query, or of the same tables under
the same conditions, joined on the keys that both are grouped by. Of groups of one key that is never
NULL it may also be the COUNT(DISTINCT key) of what is grouped: there is a group for each value.
What is anything else stays as it is, a window over rows of several units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.infer.properties import claimed_values
from dpsql.core.infer.ranges import Environment, infer, narrow
from dpsql.core.plan.copy import fresh_copy
from dpsql.core.plan.expr import (
    Call,
    Case,
    Column,
    Expr,
    Literal,
    Ref,
    columns_of,
    conjuncts,
    substitute,
    transform,
)
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Apply,
    Filter,
    Frame,
    Join,
    Named,
    Plan,
    Project,
    Scan,
    Window,
    WindowCall,
    expressions,
    inputs,
    with_inputs,
)
from dpsql.core.plan.values import Values, of_type
from dpsql.front.resolve.totals import WHOLE


def by_place(plan: Plan, ids: Ids) -> Plan:
    """The plan with such quantiles; what a WITH query is used for several times stays one."""
    made: dict[int, Plan] = {}

    def visit(node: Plan) -> Plan:
        if id(node) not in made:
            new = with_inputs(node, tuple(visit(i) for i in inputs(node)))
            if isinstance(new, Project | Aggregate) and isinstance(new.input, Filter):
                new = _row_at(new, new.input, ids)
            made[id(node)] = _quantiles(new, ids) if isinstance(new, Aggregate) else new
        return made[id(node)]

    return visit(plan)


@dataclass(frozen=True, slots=True)
class _Rows:
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
    totals: Mapping[int, _Total]


@dataclass(frozen=True, slots=True)
class _Total:
    """The number of some rows, of those where `counted` is not NULL, or of the values that `values`
    has in them; in groups of `keys`, to which `ties` of the rows are equal where it is joined.
    """

    of: Plan
    values: Expr | None = None
    counted: Expr | None = None
    keys: tuple[Expr, ...] = ()
    ties: tuple[Expr, ...] = ()


def _rows(plan: Plan) -> _Rows:
    """What the rows are; from a node on that takes or adds some they are a base."""
    if isinstance(plan, Project):
        below = _rows(plan.input)
        return replace(below, defined={c.id: substitute(e, below.defined) for c, e in plan.items})
    if isinstance(plan, Named):
        below = _rows(plan.query)
        pairs = zip(plan.columns, plan.query.columns, strict=True)
        return replace(below, defined={new.id: below.defined[old.id] for new, old in pairs})
    if isinstance(plan, Window):
        below = _rows(plan.input)
        own: dict[int, Expr] = {c.id: Ref(c) for c, _ in plan.calls}
        calls = {c.id: _inlined(call, below.defined) for c, call in plan.calls}
        return replace(below, defined={**below.defined, **own}, windows={**below.windows, **calls})
    side = _single(plan)
    if side is not None:
        rest, columns, totals = side
        below, own = _rows(rest), {c.id: Ref(c) for c in columns}
        totals = {
            c: replace(t, ties=tuple(substitute(e, below.defined) for e in t.ties))
            for c, t in totals.items()
        }
        return replace(below, defined={**below.defined, **own}, totals={**below.totals, **totals})
    return _Rows(plan, {c.id: Ref(c) for c in plan.columns}, {}, {})


def _single(plan: Plan) -> tuple[Plan, tuple[Column, ...], Mapping[int, _Total]] | None:
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


def _counts(plan: Plan) -> tuple[tuple[int, ...], dict[int, _Total]] | None:
    """The keys of a plan that has a row for each group, and what its other columns count; None for
    other plans.
    """
    if isinstance(plan, Aggregate):
        rows, found = _rows(plan.input), dict[int, _Total]()
        keys = tuple(substitute(e, rows.defined) for _, e in plan.keys)
        for c, call in plan.calls:
            of = None if call.argument is None else substitute(call.argument, rows.defined)
            if call.function == "count" and not call.distinct:
                found[c.id] = _Total(rows.base, counted=of, keys=keys)
            elif call.function == "count" and of is not None:
                found[c.id] = _Total(rows.base, values=of, keys=keys)
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


def _is_constant(expr: Expr) -> bool:
    return isinstance(expr, Literal) and expr.value is not None


def _inlined(call: WindowCall, defined: Mapping[int, Expr]) -> WindowCall:
    return replace(
        call,
        arguments=tuple(substitute(a, defined) for a in call.arguments),
        partition=tuple(substitute(p, defined) for p in call.partition),
        order=tuple(replace(k, expr=substitute(k.expr, defined)) for k in call.order),
    )


# --- the quantiles -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    """MIN(CASE WHEN place >= fraction * total THEN value ELSE below END); `below` None for NULL."""

    place: Ref
    total: Ref
    fraction: Fraction
    value: Expr
    below: Expr | None


def _quantiles(plan: Aggregate, ids: Ids) -> Plan:
    found = {c.id: p for c, call in plan.calls if (p := _place(call)) is not None}
    if not found:
        return plan
    rows = _rows(plan.input)
    groups = {substitute(e, rows.defined) for _, e in plan.keys}
    found = {c: p for c, p in found.items() if _is_quantile(p, rows, groups)}
    gone = {
        inner.column.id
        for p in found.values()
        for ref in (p.place, p.total)
        if isinstance(inner := rows.defined[ref.column.id], Ref)
    }
    stripped, dead = _without(plan.input, gone, ids)
    calls: list[tuple[Column, AggregateCall]] = []
    items: list[tuple[Column, Expr]] = [(c, Ref(c)) for c, _ in plan.keys]
    for column, call in plan.calls:
        place = found.get(column.id)
        if place is None:
            calls.append((column, call))
            items.append((column, Ref(column)))
            continue
        own = ids.column(column.name, place.value.type)
        value, fraction = place.value, (place.fraction,)
        calls.append((own, AggregateCall("quantile_disc", value, call.span, parameters=fraction)))
        result: Expr = Ref(own)
        if place.below is not None:
            result = make("least", (result, place.below), call.span)
        items.append((column, coerce(result, column.type)))
    read = [*(e for _, e in plan.keys), *(a for _, call in calls for a in call.arguments)]
    if not found or any(columns_of(e) & dead for e in read):
        return plan
    return Project(replace(plan, input=stripped, calls=tuple(calls)), tuple(items))


def _row_at(plan: Project | Aggregate, at: Filter, ids: Ids) -> Project | Aggregate:
    """What reads the row at a place: the quantile there, where it reads nothing but what that is
    made of, and does not count or add up what may be two rows.
    """
    if isinstance(plan, Aggregate) and any(c.function not in AMONG for _, c in plan.calls):
        return plan
    rows = _rows(at.input)
    found = {_term_at(conjuncts(t), rows) for t in _alternatives(at.predicate)}
    place = found.pop() if len(found) == 1 else None
    value = None if place is None else _ordered_by(place[0], place[1], rows, set())
    if place is None or value is None:
        return plan
    gone = {e.column.id for ref in place[:2] if isinstance(e := rows.defined[ref.column.id], Ref)}
    stripped, _ = _without(at.input, gone, ids)
    own = next((c for c in stripped.columns if rows.defined[c.id] == value), None)
    read = {c for e in expressions(plan) for c in columns_of(e)}
    if own is None:
        return plan
    made = ids.column(own.name, own.type)
    items = [
        (c, transform(rows.defined[c.id], lambda e: Ref(made) if e == value else e))
        for c in at.columns
        if c.id in read
    ]
    if not all(columns_of(e) <= {made.id} for _, e in items):
        return plan
    copy, names = fresh_copy(stripped, lambda c: ids.column(c.name, c.type))
    own = names.get(own.id, own)
    call = AggregateCall("quantile_disc", Ref(own), value.span, parameters=(place[2],))
    return replace(plan, input=Project(Aggregate(copy, (), ((made, call),)), tuple(items)))


def _term_at(terms: list[Expr], rows: _Rows) -> tuple[Ref, Ref, Fraction] | None:
    """The place, the total, and the part of it that is asked for: place = CAST(total / 4 AS
    INTEGER), or + 1, beside conditions on the total.
    """
    found: tuple[Ref, Ref, Fraction] | None = None
    others: set[int] = set()
    for term in terms:
        sides = term.args if isinstance(term, Call) and term.function == "eq" else ()
        for place, rank in (sides, sides[::-1]) if sides else ():
            place, scaled = _plain(place), _scaled(_rounded(rank))
            if found is None and isinstance(place, Ref) and scaled is not None:
                number = rows.defined[place.column.id]
                if isinstance(number, Ref) and number.column.id in rows.windows:
                    found, term = (place, scaled[1], scaled[0]), scaled[1]
        others |= columns_of(term)
    whole = found is not None and others == {found[1].column.id} and found[2] <= 1
    return found if whole else None


def _alternatives(term: Expr) -> list[Expr]:
    if isinstance(term, Call) and term.function == "or":
        return [one for arg in term.args for one in _alternatives(arg)]
    return [term]


AMONG = frozenset({"avg", "min", "max"})
"""Aggregates that lie among what they are of, however many these are."""

_ROUNDINGS = frozenset({"cast", "coerce", "floor", "ceil", "round", "trunc"})


def _rounded(rank: Expr) -> Expr:
    """What is rounded, and perhaps one more."""
    rank = _plain(rank)
    if isinstance(rank, Call) and rank.function == "add":
        left, right = map(_plain, rank.args)
        if isinstance(right, Literal) and right.value == 1:
            rank = left
    while isinstance(rank, Call) and rank.function in _ROUNDINGS:
        rank = rank.args[0]
    return rank


def _plain(expr: Expr) -> Expr:
    """Without conversions that the binder inserted."""
    while isinstance(expr, Call) and expr.function == "coerce":
        expr = expr.args[0]
    return expr


def _place(call: AggregateCall) -> _Place | None:
    case = None if call.argument is None else _plain(call.argument)
    if call.function != "min" or not isinstance(case, Case) or len(case.branches) != 1:
        return None
    ((condition, value),) = case.branches
    if not isinstance(condition, Call) or condition.function not in ("lt", "le", "gt", "ge"):
        return None
    function, (left, right) = condition.function, map(_plain, condition.args)
    if function in ("le", "gt"):  # 0.25 * total <= place
        function, left, right = "ge" if function == "le" else "lt", right, left
    below: Expr | None = None
    if function == "lt":
        value, below = case.default, value
        if not _is_constant(_plain(below)):
            return None
    elif not (isinstance(case.default, Literal) and case.default.value is None):
        return None
    scaled = _scaled(right)
    if scaled is None or not isinstance(left, Ref) or not 0 <= scaled[0] <= 1:
        return None
    return _Place(left, scaled[1], scaled[0], _plain(value), below)


def _scaled(expr: Expr) -> tuple[Fraction, Ref] | None:
    """A fraction of a column."""
    if isinstance(expr, Call) and expr.function in ("mul", "div"):
        one, other = map(_plain, expr.args)
        if isinstance(one, Literal) and expr.function == "mul":
            one, other = other, one
        number = other.value if isinstance(other, Literal) else None
        if isinstance(one, Ref) and isinstance(number, int | Fraction) and number > 0:
            return Fraction(number) if expr.function == "mul" else 1 / Fraction(number), one
    return None


def _is_quantile(found: _Place, rows: _Rows, groups: set[Expr]) -> bool:
    value = substitute(found.value, rows.defined)
    return _ordered_by(found.place, found.total, rows, groups) == value


def _ordered_by(place: Ref, total: Ref, rows: _Rows, groups: set[Expr]) -> Expr | None:
    """What the rows of each group are numbered by, from the least on, where a column is that number
    and another one how many there are, and it is never NULL; else None.
    """
    at, of = rows.defined[place.column.id], rows.defined[total.column.id]
    number = rows.windows.get(at.column.id) if isinstance(at, Ref) else None
    if number is None or not _numbers(number) or not isinstance(of, Ref):
        return None
    partition = {e for e in number.partition if not _is_constant(e)}
    groups = {g for g in groups if not _fixed(g, rows, partition)}
    order = [key for key in number.order if key.expr not in partition]
    if partition != groups or len(order) != 1 or order[0].descending:
        return None
    env = {**_known(rows.base)}
    for column, call in rows.windows.items():  # those below come first
        if _is_whole(call):
            env[column] = _value(call, env)
    value = order[0].expr
    if not columns_of(value) <= env.keys() or infer(value, env).nullable:
        return None
    count = rows.windows.get(of.column.id)
    if count is None:
        counted = rows.totals.get(of.column.id)
        return value if counted is not None and _counted(counted, rows.base, groups) else None
    counts = count.function == "count" and _is_whole(count)
    counts = counts and all(map(_is_constant, count.arguments))
    return (
        value if counts and {e for e in count.partition if not _is_constant(e)} == groups else None
    )


def _numbers(call: WindowCall) -> bool:
    """ROW_NUMBER, or a running SUM(1) or COUNT(*) of rows."""
    if call.function == "row_number":
        return True
    running = Frame("rows", (None, "preceding"), (0, "current"))
    ones = [a.value for a in call.arguments if isinstance(a, Literal)] == [1]
    return call.function in ("sum", "count") and ones and call.frame == running


def _is_whole(call: WindowCall) -> bool:
    """Whether it is an aggregate of its partition."""
    return call.function in WHOLE and not call.order and call.frame is None


def _fixed(group: Expr, rows: _Rows, partition: set[Expr]) -> bool:
    """Whether it is an aggregate of partitions, and so has one value in each."""
    call = rows.windows.get(group.column.id) if isinstance(group, Ref) else None
    return call is not None and _is_whole(call) and set(call.partition) <= partition


def _value(call: WindowCall, env: Environment) -> Values:
    """What an aggregate of a partition can be: a row of it is there."""
    value = infer(call.arguments[0], env)
    if call.function in ("min", "max"):
        return value
    return Values(nullable=call.function != "count" and value.nullable)


def _counted(total: _Total, rows: Plan, groups: set[Expr]) -> bool:
    """Whether a total is the number of the rows, in each of their groups."""
    if total.values is None:
        columns = _same(total.of, rows)
        if columns is None:
            return False
        known, of = _known(rows), total.counted
        keys = [substitute(key, columns) for key in total.keys]
        counts = of is None or not infer(substitute(of, columns), known).nullable
        return counts and (
            list(total.ties) == keys
            and set(keys) == groups
            and not any(infer(key, known).nullable for key in keys)
        )
    if groups or total.keys or not isinstance(rows, Aggregate) or len(rows.keys) != 1:
        return False
    below, ((_, key),) = _rows(rows.input), rows.keys
    same, key = _same(total.of, below.base), substitute(key, below.defined)
    if same is None or substitute(total.values, same) != key:
        return False
    return not infer(key, _known(below.base)).nullable


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


def _known(plan: Plan) -> Environment:
    """Of which columns NULL is excluded: declared, asked for, or by what computes them."""
    if isinstance(plan, Scan):
        said = ((c, plan.table.column(f)) for c, f in zip(plan.columns, plan.fields, strict=True))
        return {c.id: of_type(c.type) if s is None else claimed_values(s) for c, s in said}
    if isinstance(plan, Filter):
        return narrow(plan.predicate, _known(plan.input))
    if isinstance(plan, Project):
        below = _known(plan.input)
        return {c.id: infer(e, below) for c, e in plan.items}
    if isinstance(plan, Named):
        below = _known(plan.query)
        pairs = zip(plan.columns, plan.query.columns, strict=True)
        return {new.id: below[old.id] for new, old in pairs}
    if isinstance(plan, Join) and plan.kind == "inner":
        both = {**_known(plan.left), **_known(plan.right)}
        return both if plan.condition is None else narrow(plan.condition, both)
    env = {c.id: of_type(c.type) for c in plan.columns}
    if isinstance(plan, Apply) and plan.column is not None:
        return {**env, **_known(plan.input)}
    if isinstance(plan, Aggregate):
        below = _known(plan.input)
        env |= {c.id: infer(e, below) for c, e in plan.keys}
        for c, call in plan.calls:
            kept = call.function in ("min", "max", "sum", "avg") and bool(plan.keys)
            if call.function == "count" or (
                kept and call.argument is not None and not infer(call.argument, below).nullable
            ):
                env[c.id] = of_type(c.type, nullable=False)
    return env


def _without(plan: Plan, gone: set[int], ids: Ids) -> tuple[Plan, set[int]]:
    """The rows without some windows and totals, and the columns that are not there any more. A WITH
    query of which something goes is written out, with columns of its own.
    """
    if isinstance(plan, Project):
        below, dead = _without(plan.input, gone, ids)
        kept = tuple((c, e) for c, e in plan.items if not columns_of(e) & dead)
        if below is plan.input and not dead:
            return plan, set()
        return Project(below, kept), {c.id for c, _ in plan.items} - {c.id for c, _ in kept}
    if isinstance(plan, Named):
        query, dead = _without(plan.query, gone, ids)
        if query is plan.query:
            return plan, set()
        copy, names = fresh_copy(query, lambda c: ids.column(c.name, c.type))
        pairs = list(zip(plan.columns, plan.query.columns, strict=True))
        items = tuple((new, Ref(names.get(o.id, o))) for new, o in pairs if o.id not in dead)
        return Project(copy, items), {new.id for new, old in pairs if old.id in dead}
    if isinstance(plan, Window):
        below, dead = _without(plan.input, gone, ids)
        calls = tuple((c, call) for c, call in plan.calls if c.id not in gone)
        if below is plan.input and calls == plan.calls:
            return plan, dead
        dead = dead | {c.id for c, _ in plan.calls} & gone
        return (replace(plan, input=below, calls=calls) if calls else below), dead
    side = _single(plan)
    if side is not None:
        rest, columns, totals = side
        below, dead = _without(rest, gone, ids)
        if totals.keys() & gone:
            return below, dead | {c.id for c in columns}
        return with_inputs(plan, tuple(below if i is rest else i for i in inputs(plan))), dead
    return plan, set()
