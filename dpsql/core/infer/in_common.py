"""Listed keys of which not all combinations of values occur.

    GROUP BY year(d), month(d)           the months of the days that d can be
    GROUP BY age, age >= 65              each age once
    WHERE (a, b) IN ((1, 2), (3, 4)) GROUP BY a, b

Of keys that are made of one column its values are tried one by one; of dates and timestamps the
first moment of each month, day, hour or minute, within which no key changes. Of keys that are
columns, and that a condition has in common, their combinations are tried.

Claim: no row within what is declared has another combination. Why: the column has one of the tried
values, or one of which the keys are the same; and a value, or a combination, of which a condition
is not TRUE is no row's. Nothing private hangs on it: what is listed is made of the text and the
policy; each key by itself is tested for membership (`enforce.members`), and a row of another
combination is counted in a cell that nobody asks for. What one unit can do is bounded by the
product of the lists, as if all combinations were listed (`release.in_groups`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product

from dpsql.core.emit.evaluate import Undefined, evaluate
from dpsql.core.functions.date_format import unit_written
from dpsql.core.functions.date_parts import PARTS
from dpsql.core.functions.moments import MONTHS, as_moment, canonical, starts, truncate
from dpsql.core.infer.image import Options, at_each
from dpsql.core.infer.ranges import Environment
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref, children, columns_of, walk
from dpsql.core.plan.values import Values, comparable, enumerate_interval
from dpsql.types import DATE, Scalar, Type

MAX_POINTS = 50_000
"""Values of a column, or combinations, that are tried: the days of 137 years."""


@dataclass(frozen=True, slots=True)
class ListedKey:
    """One key whose values are known from the policy and the query; None stands for NULL."""

    column: Column
    expr: Expr
    values: Options


@dataclass(frozen=True, slots=True)
class Together:
    """Listed keys, and which of their values occur together."""

    columns: tuple[Column, ...]
    rows: tuple[Options, ...]


def in_common(
    listed: Sequence[ListedKey], terms: Mapping[int, Sequence[Expr]], env: Environment
) -> tuple[tuple[ListedKey, ...], tuple[Together, ...]]:
    """The keys, with those of their values that are in a combination; and the combinations, where
    they are fewer than the product.

    Args:
        listed: the keys.
        terms: by key, what is TRUE on every row.
        env: what the columns can be.
    """
    of: dict[frozenset[int], list[ListedKey]] = {}
    for key in listed:
        of.setdefault(columns_of(key.expr), []).append(key)
    kept, found = {key.column.id: key for key in listed}, list[Together]()
    for used, keys in of.items():
        if len(used) != 1 or len(keys) < 2:
            continue
        ref = next(n for n in walk(keys[0].expr) if isinstance(n, Ref))
        said = dict.fromkeys(t for key in keys for t in terms.get(key.column.id, ()))
        own = [term for term in said if columns_of(term) == used]
        rows = _rows(ref, keys, own, env[ref.column.id])
        if not rows or len(rows) == math.prod(len(key.values) for key in keys):
            continue
        found.append(Together(tuple(key.column for key in keys), rows))
        kept |= _left(keys, rows)
    met = {key.column.id for part in found for key in listed if key.column in part.columns}
    for keys, conditions in _sharing([k for c, k in kept.items() if c not in met], terms):
        rows = _fulfilling(keys, conditions)
        if rows and len(rows) < math.prod(len(key.values) for key in keys):
            found.append(Together(tuple(key.column for key in keys), rows))
            kept |= _left(keys, rows)
    return tuple(kept.values()), tuple(found)


def _left(keys: Sequence[ListedKey], rows: Sequence[Options]) -> dict[int, ListedKey]:
    """The keys with the values that are in a combination."""
    found: dict[int, ListedKey] = {}
    for key, seen in zip(keys, zip(*rows, strict=True), strict=True):
        left = set(seen)
        found[key.column.id] = replace(key, values=tuple(v for v in key.values if v in left))
    return found


def _sharing(
    keys: Sequence[ListedKey], terms: Mapping[int, Sequence[Expr]]
) -> Iterator[tuple[list[ListedKey], list[Expr]]]:
    """Keys that are columns, with the conditions that speak of several of them and of nothing else;
    those that a chain of conditions ties are together.
    """
    of = {key.expr.column.id: key for key in keys if isinstance(key.expr, Ref)}
    every = dict.fromkeys(t for key in of.values() for t in terms.get(key.column.id, ()))
    parts: list[tuple[frozenset[int], list[Expr]]] = []
    for term in every:
        used = columns_of(term)
        if len(used) < 2 or not used <= of.keys():
            continue
        tied = [part for part in parts if part[0] & used]
        parts = [part for part in parts if not part[0] & used]
        parts.append((used.union(*(p[0] for p in tied)), [*(t for p in tied for t in p[1]), term]))
    for used, said in parts:
        yield [key for column, key in of.items() if column in used], said


def _fulfilling(keys: Sequence[ListedKey], terms: Sequence[Expr]) -> tuple[Options, ...]:
    """The combinations of which all conditions are TRUE; none where they are too many to try."""
    if math.prod(len(key.values) for key in keys) > MAX_POINTS:
        return ()
    rows = tuple(product(*(key.values for key in keys)))
    columns = tuple(key.expr.column for key in keys if isinstance(key.expr, Ref))
    for term in terms:
        with suppress(Undefined):  # of one of them: then it takes none away
            held = evaluate(term, rows, columns)
            rows = tuple(row for row, h in zip(rows, held, strict=True) if h is True)
    return rows


def _rows(
    ref: Ref, keys: Sequence[ListedKey], terms: Sequence[Expr], values: Values
) -> tuple[Options, ...] | None:
    """The combinations, in the order of the keys' values; None where they are not found."""
    tried = _tried(ref, [key.expr for key in keys], terms, values)
    if tried is None:
        return None
    points, told = tried
    for term in told:
        with suppress(Undefined):  # of one of them: then it takes none away
            held = at_each(term, ref.column, points)
            points = tuple(p for p, h in zip(points, held, strict=True) if h is True)
    try:
        made = [at_each(key.expr, ref.column, points) for key in keys]
    except Undefined:
        return None
    places = [{_same(v): n for n, v in enumerate(key.values)} for key in keys]
    rows = {
        tuple(place.get(_same(v), -1) for place, v in zip(places, row, strict=True))
        for row in zip(*made, strict=True)
    }
    return tuple(
        tuple(key.values[n] for key, n in zip(keys, row, strict=True))
        for row in sorted(rows)
        if -1 not in row  # none that a key's own list lacks
    )


def _same(value: Scalar | None) -> Scalar | None:
    """A date is the midnight that the engine may make of it."""
    return None if value is None else comparable(value)


# --- the values that are tried -------------------------------------------------------------------

_UNITS = ("second", "minute", "hour", "day", "month")
_SAME = frozenset({"in_calendar", "clamp"})
"""What changes no moment but those far out."""

Tried = tuple[Options, list[Expr]]


def _tried(ref: Ref, keys: Sequence[Expr], terms: Sequence[Expr], values: Values) -> Tried | None:
    """Values of a column, and the terms that are the same of all values between two of them."""
    kind = ref.type
    every = None if kind.name == "DATE" else enumerate_interval(values, kind)
    if values.finite is not None:
        every = values.finite
    if every is not None:
        return ((*every, None), [*terms]) if len(every) <= MAX_POINTS else None
    if not kind.is_temporal or not values.bounded:
        return None
    own = [_unit(key, kind) for key in keys]
    if None in own:
        return None
    units = {term: unit for term in terms if (unit := _unit(term, kind)) is not None}
    needed = {unit for unit in own if unit is not None}
    for unit in (_finest(needed | {*units.values()}), _finest(needed)):
        if (points := _starts(unit, values, kind)) is not None:
            told = [t for t, of in units.items() if _UNITS.index(of) >= _UNITS.index(unit)]
            return (*points, None), told
    return None


def _finest(units: set[str]) -> str:
    return min(units, key=_UNITS.index)


def _starts(unit: str, values: Values, kind: Type) -> Options | None:
    """The first moment of each unit."""
    low, high = as_moment(values.low), as_moment(values.high)
    first = truncate(unit, low)
    later = None if first is None else starts(unit, first, high, MAX_POINTS)
    if later is None:
        return None
    points = (low, *later[1:])
    return tuple(p.date() for p in points) if kind == DATE else points


def _unit(expr: Expr, kind: Type) -> str | None:
    """The longest unit within which an expression of one moment does not change; None where none
    is known, or it does.
    """
    if isinstance(expr, Call) and (place := _moment(expr)) is not None:
        return _unit_of(expr, place, kind)
    if isinstance(expr, Ref):
        return "day" if kind == DATE else None
    units = [_unit(part, kind) for part in children(expr)]
    known = {unit for unit in units if unit is not None}
    if len(units) > units.count(None) or not units:
        return None if None in units else _finest(known | {_UNITS[-1]})
    return None


def _moment(call: Call) -> int | None:
    """Which argument is the moment itself."""
    for place, arg in enumerate(call.args):
        while isinstance(arg, Call) and arg.function in _SAME:
            arg = arg.args[0]
        if isinstance(arg, Ref):
            return place
    return None


def _unit_of(call: Call, place: int, kind: Type) -> str | None:
    name, others = call.function, [a for n, a in enumerate(call.args) if n != place]
    if not all(isinstance(a, Literal) for a in others):
        return None
    constant = next((a.value for a in others if isinstance(a, Literal)), None)
    if name in ("date_trunc", "date_diff"):
        return _as_unit(canonical(str(constant)), kind)
    if name in PARTS:
        return _as_unit(name, kind)
    if name == "strftime":
        return _as_unit(unit_written(str(constant)), kind)
    if name in ("monthname", "dayname", "last_day"):
        return "day" if name == "dayname" else "month"
    return "day" if kind == DATE or (name in ("cast", "coerce") and call.type == DATE) else None


def _as_unit(name: str, kind: Type) -> str | None:
    """The unit in which a part, or the start of a unit, changes."""
    if name in MONTHS or name == "era":
        return "month"
    if name in ("second", "minute", "hour"):
        return "day" if kind == DATE else name
    fine = name in ("millisecond", "microsecond", "epoch", "julian")
    return None if fine and kind != DATE else "day"
