"""Quantiles that are written with ROW_NUMBER, as the quantiles that they are.

    SELECT MIN(CASE WHEN place >= 0.25 * total THEN x END)           QUANTILE_DISC(x, 0.25)
    FROM (SELECT x, ROW_NUMBER() OVER (ORDER BY x) AS place, COUNT(*) OVER () AS total FROM t)

    MIN(CASE WHEN place < 0.25 * total THEN 9999 ELSE x END)         LEAST(…, 9999)

    SELECT x … WHERE place = CAST(0.25 * total AS INTEGER)           SELECT QUANTILE_DISC(x, 0.25)

    MIN(CASE WHEN place < 0.25 * total THEN 9999 ELSE f(x) END)      the same, of f(x)

Claim: both are the same where x is never NULL, or NULLs come last (`nulls_last`), and f rises
(`rising`). Why: of n rows, those from p·n on begin with the one at ⌈p·n⌉, at least 1, which has the
least x of them, and so the least f(x); QUANTILE_DISC is that x. Before p·n there is a row, and 9999
with it, unless p·n <= 1: only then, and of an x above 9999, they differ. The row at p·n, rounded in
any way, and perhaps the one after it, are taken for one row, that at ⌈p·n⌉, at least 1: at most one
row away, which is within what a quantile's noise does. Conditions on what the total leaves when it
is divided are of alternatives of which one always holds; else there may be no row.

The rows that are aggregated must be those that are numbered, each once, and the groups the
partitions, apart from aggregates over these, which have one value in each; the total must count
just these: COUNT(*) over the same partition, or a total that is joined (`numbered_rows`). What is
anything else stays as it is, a window over rows of several units.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.core.functions.build import TURNED, make
from dpsql.core.functions.spec import coerce
from dpsql.core.infer.ranges import Environment, infer
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
    walk,
)
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Filter,
    Plan,
    Project,
    Scan,
    SortKey,
    WindowCall,
    each,
    expressions,
    inputs,
    with_inputs,
)
from dpsql.core.plan.values import Values
from dpsql.front.resolve.fresh_copy import fresh_copy
from dpsql.front.resolve.nulls_last import Taken, beyond
from dpsql.front.resolve.numbered_rows import (
    Rows,
    is_number_of,
    known_values,
    rows_below,
    without,
)
from dpsql.front.resolve.rising import plain, rises
from dpsql.front.resolve.whole_partitions import is_whole
from dpsql.front.resolve.window_groups import (
    groups_for_rows,
    is_constant,
    is_fixed,
    numbers_rows,
    partition_of,
    rows_for_groups,
)


def by_place(plan: Plan, ids: Ids) -> Plan:
    """The plan with such quantiles; what a WITH query is used for several times stays one. What
    reads public tables alone is exact, and stays as it is.
    """
    if not any(isinstance(node, Scan) and node.table.private for node in each(plan)):
        return plan
    made: dict[int, Plan] = {}

    def visit(node: Plan) -> Plan:
        if id(node) not in made:
            new = with_inputs(node, tuple(visit(i) for i in inputs(node)))
            if isinstance(new, Project | Aggregate) and isinstance(new.input, Filter):
                new = _row_at(new, new.input, ids)
            made[id(node)] = _aggregate(new, ids) if isinstance(new, Aggregate) else new
        return made[id(node)]

    return visit(plan)


@dataclass(frozen=True, slots=True)
class Place:
    """MIN(CASE WHEN place >= fraction * total THEN value ELSE below END); `below` None for NULL."""

    place: Ref
    total: Ref
    fraction: Fraction
    value: Expr
    below: Expr | None


def _aggregate(plan: Aggregate, ids: Ids) -> Plan:
    rows = rows_for_groups(plan)
    if rows is not plan:
        return rows
    found = groups_for_rows(plan, ids)
    if found is None:
        return _quantiles(plan, ids)
    groups, items = found
    return Project(_quantiles(groups, ids), items)


def _quantiles(plan: Aggregate, ids: Ids) -> Plan:
    found = {c.id: p for c, call in plan.calls if (p := place_of(call)) is not None}
    if not found:
        return plan
    rows = rows_below(plan.input)
    groups = {substitute(e, rows.defined) for _, e in plan.keys}
    taken = {c: t for c, p in found.items() if (t := _taken(p, rows, groups)) is not None}
    found = {c: p for c, p in found.items() if c in taken}
    gone = {
        inner.column.id
        for p in found.values()
        for ref in (p.place, p.total)
        if isinstance(inner := rows.defined[ref.column.id], Ref)
    }
    stripped, dead = without(plan.input, gone, ids)
    calls: list[tuple[Column, AggregateCall]] = []
    items: list[tuple[Column, Expr]] = [(c, Ref(c)) for c, _ in plan.keys]
    for column, call in plan.calls:
        place = found.get(column.id)
        if place is None:
            calls.append((column, call))
            items.append((column, Ref(column)))
            continue
        of = taken[column.id]
        own = ids.column(column.name, of.value.type)
        calls.append((own, of.quantile(place.fraction, call.span)))
        result = of.found(Ref(own))
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
    rows, ways = rows_below(at.input), [conjuncts(t) for t in _alternatives(at.predicate)]
    found = {_term_at(way, rows) for way in ways}
    place = found.pop() if len(found) == 1 and _is_one_true(ways) else None
    key = None if place is None else _ordered_by(place[0], place[1], rows, set())
    if place is None or key is None:
        return plan
    value, last = key.expr, _last(key, rows) if may_be_null(key.expr, rows) else None
    gone = {e.column.id for ref in place[:2] if isinstance(e := rows.defined[ref.column.id], Ref)}
    stripped, _ = without(at.input, gone, ids)
    own = next((c for c in stripped.columns if rows.defined[c.id] == value), None)
    read = {c for e in expressions(plan) for c in columns_of(e)}
    if own is None:
        return plan
    made, taken = ids.column(own.name, own.type), Taken(Ref(own), last)
    items = [
        (c, transform(rows.defined[c.id], lambda e: taken.found(Ref(made)) if e == value else e))
        for c in at.columns
        if c.id in read
    ]
    if not all(columns_of(e) <= {made.id} for _, e in items):
        return plan
    copy, names = fresh_copy(stripped, lambda c: ids.column(c.name, c.type))
    call = Taken(Ref(names.get(own.id, own)), last).quantile(place[2], value.span)
    return replace(plan, input=Project(Aggregate(copy, (), ((made, call),)), tuple(items)))


def _term_at(terms: list[Expr], rows: Rows) -> tuple[Ref, Ref, Fraction] | None:
    """The place, the total, and the part of it that is asked for: place = CAST(total / 4 AS
    INTEGER), or + 1, beside conditions on the total.
    """
    found: tuple[Ref, Ref, Fraction] | None = None
    others, beyond = set[int](), False
    for term in terms:
        sides = term.args if isinstance(term, Call) and term.function == "eq" else ()
        for place, rank in (sides, sides[::-1]) if sides else ():
            place, scaled = plain(place), _scaled(_rounded(rank))
            if found is None and isinstance(place, Ref) and scaled is not None:
                number = rows.defined.get(place.column.id)  # None of a query around this one
                if isinstance(number, Ref) and number.column.id in rows.windows:
                    beyond = any(isinstance(e, Call) and e.function == "add" for e in walk(rank))
                    found, term = (place, scaled[1], scaled[0]), scaled[1]
        if not (isinstance(term, Ref) or _remainders(term)):
            return None
        others |= columns_of(term)
    # One more than all rows is no place.
    there = found is not None and (found[2] < 1 or (found[2] == 1 and not beyond))
    return found if found is not None and there and others == {found[1].column.id} else None


Remainders = tuple[Expr, int, frozenset[int]]


def _remainders(term: Expr) -> Remainders | None:
    """total % 2 = 1, FLOOR(total / 2) = total / 2: of which total it is asked, of some or all, and
    not how great it is. What is divided, by what, and which remainders it may have: of the second
    form none, 0, or one, 1. In T-SQL, where total / 2 is whole, both of its sides are the same.
    """
    if not isinstance(term, Call) or term.function not in TURNED:
        return None
    sides = [plain(a) for a in term.args]
    turned = TURNED[term.function]
    for function, (side, other) in ((term.function, sides), (turned, sides[::-1])):
        if not isinstance(side, Call):
            continue
        if side == other and function in ("eq", "ne"):
            return side, 1, frozenset({0} if function == "eq" else ())
        if side.function == "mod" and isinstance(other, Literal):
            by = plain(side.args[1])
            size = by.value if isinstance(by, Literal) else None
            if isinstance(size, int) and isinstance(other.value, int) and 0 < size <= _MOST_PARTS:
                holds: Callable[[int, int], bool] = getattr(operator, function)
                left = (r for r in range(size) if holds(r, other.value))
                return side, size, frozenset(left)
        same = side.function in _ROUNDINGS and plain(side.args[0]) == other
        if same and function in ("eq", "ne"):
            return side, 2, frozenset({int(function == "ne")})
    return None


def _is_one_true(ways: Sequence[Sequence[Expr]]) -> bool:
    """Whether one of several alternatives holds whatever remainder the total has."""
    found = [[r for t in way if (r := _remainders(t)) is not None] for way in ways]
    if not all(found):
        return True
    if any(len(rests) > 1 for rests in found) or len({rests[0][:2] for rests in found}) > 1:
        return False
    return len(frozenset().union(*(rests[0][2] for rests in found))) == found[0][0][1]


def _alternatives(term: Expr) -> list[Expr]:
    if isinstance(term, Call) and term.function == "or":
        return [one for arg in term.args for one in _alternatives(arg)]
    return [term]


AMONG = frozenset({"avg", "min", "max"})
"""Aggregates that lie among what they are of, however many these are."""

_MOST_PARTS = 10_000
_ROUNDINGS = frozenset({"cast", "coerce", "floor", "ceil", "round", "trunc"})


def _rounded(rank: Expr) -> Expr:
    """What is rounded, and perhaps one more."""
    rank = plain(rank)
    if isinstance(rank, Call) and rank.function == "add":
        left, right = map(plain, rank.args)
        if isinstance(right, Literal) and right.value == 1:
            rank = left
    while isinstance(rank, Call) and rank.function in _ROUNDINGS and len(rank.args) == 1:
        if not rank.type.is_numeric:
            break
        rank = rank.args[0]
    if isinstance(rank, Case):  # CASE WHEN x < 0 THEN CEIL(x) ELSE FLOOR(x) END
        ways = {_rounded(e) for e in (*(value for _, value in rank.branches), rank.default)}
        rank = ways.pop() if len(ways) == 1 else rank
    if isinstance(rank, Call) and rank.function == "intdiv":  # of which the rest is cut off
        rank = replace(rank, function="div")
    return rank


def place_of(call: AggregateCall) -> Place | None:
    """What a call asks as a quantile by place; None for other calls."""
    case = None if call.argument is None else plain(call.argument)
    if call.function != "min" or not isinstance(case, Case) or len(case.branches) != 1:
        return None
    ((condition, value),) = case.branches
    if not isinstance(condition, Call) or condition.function not in ("lt", "le", "gt", "ge"):
        return None
    function, (left, right) = condition.function, map(plain, condition.args)
    if function in ("le", "gt"):  # 0.25 * total <= place
        function, left, right = "ge" if function == "le" else "lt", right, left
    below: Expr | None = None
    if function == "lt":
        value, below = case.default, value
        if columns_of(below) or infer(below, {}).nullable:
            return None
    elif not (isinstance(case.default, Literal) and case.default.value is None):
        return None
    scaled = _scaled(right)
    if scaled is None or not isinstance(left, Ref) or not 0 <= scaled[0] <= 1:
        return None
    return Place(left, scaled[1], scaled[0], plain(value), below)


def _scaled(expr: Expr) -> tuple[Fraction, Ref] | None:
    """A fraction of a column."""
    if isinstance(expr, Call) and expr.function in ("mul", "div"):
        one, other = map(plain, expr.args)
        if isinstance(one, Literal) and expr.function == "mul":
            one, other = other, one
        number = other.value if isinstance(other, Literal) else None
        if isinstance(one, Ref) and isinstance(number, int | Fraction) and number > 0:
            return Fraction(number) if expr.function == "mul" else 1 / Fraction(number), one
    return None


def _taken(found: Place, rows: Rows, groups: set[Expr]) -> Taken | None:
    """What a quantile is asked of; None where none is asked."""
    value = substitute(found.value, rows.defined)
    key = _ordered_by(found.place, found.total, rows, groups)
    if key is None or not rises(value, key.expr, rows, groups):
        return None
    if not infer(value, _known(rows)).nullable:
        return Taken(found.value, None)
    return Taken(found.value, _last(key, rows)) if value == key.expr else None


def _ordered_by(place: Ref, total: Ref, rows: Rows, groups: set[Expr]) -> SortKey | None:
    """What the rows of each group are numbered by, from the least on, where a column is that number
    and another one how many there are, and NULL has a known place; else None.
    """
    key = numbered_by(place, rows, groups)
    if key is None or (may_be_null(key.expr, rows) and _last(key, rows) is None):
        return None
    return key if is_their_number(total, place, rows, groups) else None


def _last(key: SortKey, rows: Rows) -> Literal | None:
    """What NULLs, which come last, are taken for; None where that is not known."""
    return None if key.nulls_first else beyond(key.expr, _known(rows))


def numbered_by(place: Ref, rows: Rows, groups: set[Expr]) -> SortKey | None:
    """What the rows of each group are numbered by, from the least on; None if they are not."""
    number = _number(place, rows)
    if number is None or not numbers_rows(number):
        return None
    partition = partition_of(number)
    order = [key for key in number.order if key.expr not in partition]
    if partition != _apart(groups, rows, partition) or len(order) != 1 or order[0].descending:
        return None
    return order[0]


def _number(place: Ref, rows: Rows) -> WindowCall | None:
    at = rows.defined.get(place.column.id)
    return rows.windows.get(at.column.id) if isinstance(at, Ref) else None


def _apart(groups: set[Expr], rows: Rows, partition: set[Expr]) -> set[Expr]:
    """The keys that tell the groups apart."""
    return {g for g in groups if not is_fixed(g, rows, partition)}


def may_be_null(value: Expr, rows: Rows) -> bool:
    """Whether a value of the rows is not known to be there in each."""
    env = _known(rows)
    return not columns_of(value) <= env.keys() or infer(value, env).nullable


def is_their_number(total: Ref, place: Ref, rows: Rows, groups: set[Expr]) -> bool:
    """Whether a total is the number of the rows that are numbered, in each group."""
    number, of = _number(place, rows), rows.defined.get(total.column.id)
    if number is None or not isinstance(of, Ref):
        return False
    groups = _apart(groups, rows, partition_of(number))
    count = rows.windows.get(of.column.id)
    if count is None:
        counted = rows.totals.get(of.column.id)
        return counted is not None and is_number_of(counted, rows.base, groups)
    counts = count.function == "count" and is_whole(count) and not count.distinct
    counts = counts and all(map(is_constant, count.arguments))
    return counts and partition_of(count) == groups


def _known(rows: Rows) -> Environment:
    """What the columns of the rows and their aggregates over partitions can be."""
    env = {**known_values(rows.base)}
    for column, call in rows.windows.items():  # those below come first
        if is_whole(call):
            env[column] = _value(call, env)
    return env


def _value(call: WindowCall, env: Environment) -> Values:
    """What an aggregate of a partition can be: a row of it is there."""
    value = infer(call.arguments[0], env)
    if call.function in ("min", "max"):
        return value
    return Values(nullable=call.function != "count" and value.nullable)
