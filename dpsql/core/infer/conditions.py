"""What the conditions on every row leave of a key's values.

    WHERE year(ts) = 2024 GROUP BY date_trunc('month', ts)             the months of 2024
    WHERE date_diff('day', a, b) < 21 GROUP BY date_diff('day', a, b) // 7

Claim: a group without one of these values has no row. By cases, for a condition that is TRUE on
each row:
- it reads the key alone: it is TRUE of the key's value, which is tried.
- it narrows an expression that the key is made of: the key is what it is of that.
- it compares a constant with what rises, or falls, with one column: where it holds is an interval
  of it, whose ends are searched for.
It is a matter of the answer, not of privacy: whatever the list is, it is made of the text and the
policy, and rows of other groups are dropped (`enforce.members`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any

from dpsql.core.emit.evaluate import Undefined, evaluate
from dpsql.core.infer.image import image
from dpsql.core.infer.ranges import Environment, infer, narrow
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref, columns_of, transform, walk
from dpsql.core.plan.values import Values
from dpsql.types import Scalar

Options = tuple[Scalar | None, ...]

STEPS = 256
"""Points of a range that are tried at once."""


def left(key: Expr, options: Options, terms: Sequence[Expr], env: Environment) -> Options:
    """The values of a key that the conditions leave; all of them where that would be none.

    Args:
        key: over columns of `env`.
        options: its values.
        terms: TRUE on every row.
        env: what the columns can be.
    """
    read, narrowed = columns_of(key), dict(env)
    terms = [term for term in terms if columns_of(term) & read]
    for term in terms:
        with suppress(Undefined):
            _risen(term, narrowed)
    made = list(_of_parts(key, terms, narrowed))
    if any(narrowed[c] is not env[c] for c in read):
        made.append((key, narrowed))
    for over, within in made:
        if (found := image(over, within)) is not None:
            options = _among(options, found)
    column = Column(-1, "key", key.type)
    for term in terms:
        moved = _moved(term, key, column)
        if columns_of(moved) == {column.id}:
            with suppress(Undefined):
                held = _held(moved, column, options)
                options = tuple(v for v, kept in zip(options, held, strict=True) if kept) or options
    return options


def _among(options: Options, found: Options) -> Options:
    known = set(found)
    return tuple(v for v in options if v in known) or options


def _moved(expr: Expr, part: Expr, column: Column) -> Expr:
    def stand_in(node: Expr) -> Expr:
        return Ref(column) if node == part and node.type == part.type else node

    return transform(expr, stand_in)


def _of_parts(
    key: Expr, terms: Sequence[Expr], env: Environment
) -> Iterator[tuple[Expr, Environment]]:
    """The key over one of its parts that conditions narrow, and what that can be."""
    parts = [n for n in walk(key) if isinstance(n, Call) and n is not key and columns_of(n)]
    for number, part in enumerate(dict.fromkeys(parts)):
        column = Column(-1 - number, "part", part.type)
        moved = [m for t in terms if column.id in columns_of(m := _moved(t, part, column))]
        if moved:
            before = infer(part, env)
            within: Environment = {**env, column.id: before}
            for term in moved:
                within = narrow(term, within)
            if within[column.id] != before:
                yield _moved(key, part, column), within


def _held(term: Expr, column: Column, options: Sequence[Scalar | None]) -> list[bool]:
    """Of which of the values a condition is TRUE.

    Raises:
        Undefined: the engine has no answer for one of them.
    """
    return [v is True for v in evaluate(term, [(v,) for v in options], (column,))]


# --- what rises or falls with a column -----------------------------------------------------------

_WAYS = {
    **{name: {0: 1} for name in ("year", "isoyear", "decade", "floor", "ceil", "intdiv")},
    **{name: {0: 1} for name in ("clamp", "inside", "plus_interval")},
    "add": {0: 1, 1: 1},
    "sub": {0: 1, 1: -1},
    "date_trunc": {1: 1},
    "date_diff": {1: -1, 2: 1},
}
"""Functions that rise (1) or fall (-1) with an argument where the others are constants, above 0 in
a division; or are NULL of it.
"""
_ENDS = {"eq": "both", "ge": "low", "gt": "low", "le": "high", "lt": "high"}
_FLIP = {"eq": "eq", "ge": "le", "gt": "lt", "le": "ge", "lt": "gt"}


def _risen(term: Expr, env: dict[int, Values]) -> None:
    """Narrow the column with which an operand of the condition rises or falls."""
    if not isinstance(term, Call) or term.function not in _ENDS:
        return
    (a, b), function = term.args, term.function
    if isinstance(a, Literal):
        a, b, function = b, a, _FLIP[function]
    root = _root(a)
    if root is None or isinstance(a, Ref) or not isinstance(b, Literal) or b.value is None:
        return
    ref, way = root
    before = env[ref.column.id]
    scale = _scale(ref, before)
    if scale is None:
        return
    plain, *ends = scale
    low, high = sorted(way * end for end in ends)

    def to(number: int) -> Any:
        return plain(way * number)

    column = Column(-1, "x", ref.type)
    over = transform(a, lambda node: Ref(column) if node == ref else node)
    strict = function in ("gt", "lt")
    if _ENDS[function] != "high":
        reached = Call("gt" if strict else "ge", (over, b), term.type)
        found = _first(lambda ns: _held(reached, column, [to(n) for n in ns]), low, high)
        low = high + 1 if found is None else found
    if _ENDS[function] != "low":
        passed = Call("ge" if strict else "gt", (over, b), term.type)
        found = _first(lambda ns: _held(passed, column, [to(n) for n in ns]), low, high)
        high = high if found is None else found - 1
    if low <= high:
        first, last = sorted((to(low), to(high)))
        env[ref.column.id] = before.but(low=first, high=last, nullable=False)


def _root(expr: Expr) -> tuple[Ref, int] | None:
    """The column with which an expression rises or falls, and which of these."""
    way = 1
    while isinstance(expr, Call):
        place = next((i for i, a in enumerate(expr.args) if columns_of(a)), 0)
        if expr.function in ("coerce", "cast"):
            kinds = (expr.type, expr.args[0].type)
            days = {k.name for k in kinds} <= {"DATE", "TIMESTAMP"}
            turn = int(days or all(k.is_numeric for k in kinds))
        else:
            turn = _WAYS.get(expr.function, {}).get(place, 0)
        others = [a for i, a in enumerate(expr.args) if i != place]
        if not turn or not all(isinstance(a, Literal) for a in others):
            return None
        if expr.function == "intdiv" and not _is_above_zero(others[0]):
            return None
        expr, way = expr.args[place], way * turn
    return (expr, way) if isinstance(expr, Ref) else None


def _is_above_zero(expr: Expr) -> bool:
    return isinstance(expr, Literal) and isinstance(expr.value, int) and expr.value > 0


def _scale(ref: Ref, values: Values) -> tuple[Callable[[int], Any], int, int] | None:
    """A column's range as whole numbers, and the value of each."""
    if not values.bounded or values.finite is not None:
        return None
    low, high, start = values.low, values.high, datetime(1, 1, 1)
    if ref.type.is_integer:
        return int, int(low), int(high)
    if ref.type.name == "DATE":
        return date.fromordinal, low.toordinal(), high.toordinal()
    if ref.type.name == "TIMESTAMP":
        tick = timedelta(microseconds=1)
        return lambda n: start + n * tick, (low - start) // tick, (high - start) // tick
    return None


def _first(held: Callable[[Sequence[int]], list[bool]], low: int, high: int) -> int | None:
    """The first number from which on a condition holds; None where it does not hold at the last."""
    if low > high or not held([high])[0]:
        return None
    while low < high:  # it holds at high
        step = max(1, (high - low) // STEPS)
        points = list(range(low, high, step))
        place = next((i for i, h in enumerate(held(points)) if h), len(points))
        high = points[place] if place < len(points) else high
        low = high if place == 0 else points[place - 1] + 1
    return high
