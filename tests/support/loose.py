"""Aggregates with more than one right answer: the values that they are of, and what fits these.

A quantile is right at the rank that was asked for: no more rows lie below it than that, and no
fewer are at or below it. MIN and MAX are asked a row from the end. A mode is one of the most
frequent values. Of no rows any value is right. A histogram has no bin for the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import isinf
from typing import Any

from sqlglot import exp

from tests.support.trees import tree_of

ROW = 1.0
"""How many rows MIN, MAX and quantiles that are answered by several cuts are off."""

MIDNIGHT = "24:00:00"
"""What DuckDB's client makes of a time that Python has not."""

EXACTLY = 1e-3
"""How many rows a quantile is off by rounding."""

HALF = 0.5 + 1e-6
"""How many steps of its grid the nearest point is off, and what a DOUBLE loses."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """The engine's values in ascending order, and the shares that were asked for; how many rows
    an answer is off, and how far a number is from its point of the grid.
    """

    values: Sequence[Any]
    shares: tuple[float, ...]
    listed: bool
    off: float
    step: float

    def allows(self, mine: object) -> bool:
        """Whether this answer is right, too; of no values the engine's own is NULL."""
        if mine is None:
            return not self.values
        if self.listed:
            found = mine if isinstance(mine, list) else []
            ordered = len(found) == len(self.shares)
            return ordered and all(map(self._fits, self.shares, found))
        return self._fits(self.shares[0], mine)

    def _fits(self, share: float, mine: object) -> bool:
        if mine is None or not self.values:
            return mine is not None
        if isinstance(mine, str) and mine not in (*self.values, MIDNIGHT):
            return True  # the order of an ENUM is not told by its values
        below, reached = self._ranks(mine)
        wanted, off = share * len(self.values), ROW if share in (0, 1) else self.off
        return below <= wanted + off and reached >= wanted - off

    def _ranks(self, mine: Any) -> tuple[int, int]:
        """How many values are below, and how many are at most this one."""
        if isinstance(mine, str) and mine != MIDNIGHT:
            first = list(self.values).index(mine)
            return first, first + list(self.values).count(mine)
        values, near = [_comparable(v) for v in self.values], _near(self.values, self.step)
        here = _comparable(mine)
        return sum(v < here - near for v in values), sum(v <= here + near for v in values)


@dataclass(frozen=True, slots=True)
class Modes:
    """The values that a mode is of."""

    values: Sequence[Any]

    def allows(self, mine: object) -> bool:
        """Whether this answer is right, too."""
        if not self.values:
            return True  # NULL, as the engine's, or whatever was picked
        counts = [list(self.values).count(v) for v in self.values]
        return list(self.values).count(mine) == max(counts)


@dataclass(frozen=True, slots=True)
class Truth:
    """BOOL_OR and BOOL_AND: of no rows FALSE or TRUE."""

    value: bool | None

    def allows(self, mine: object) -> bool:
        """Whether this answer is right, too."""
        return isinstance(mine, bool) and mine == (mine if self.value is None else self.value)


@dataclass(frozen=True, slots=True)
class Counts:
    """A histogram: of no rows all 0."""

    bins: Mapping[object, int] | None

    def allows(self, mine: object) -> bool:
        """Whether this answer is right, too."""
        if mine is None:
            return self.bins is None
        known = self.bins or {}
        return isinstance(mine, dict) and all(known.get(k, 0) == n for k, n in mine.items())


@dataclass(frozen=True, slots=True)
class Divided:
    """What is divided by zero, or by as little noise as is left."""

    def allows(self, mine: object) -> bool:
        """Whether it is NULL, or a number: very large, or the mean of the other rows."""
        return mine is None or isinstance(mine, float)


Loose = Ranks | Modes | Truth | Counts | Divided
"""An answer of the engine that others may stand for."""

Wrap = tuple[str, tuple[float, ...], bool]
"""The kind of an aggregate, the shares that it asks for, and whether as a list."""


def counted(text: str) -> str:
    """The query with a COUNT_IF of no row, or of NULLs, that is 0; the engine's is NULL."""
    tree = tree_of(text)
    for found in list(tree.find_all(exp.CountIf)):
        whole: exp.Expr = found
        while isinstance(whole.parent, exp.Filter | exp.Window):
            whole = whole.parent
        if not whole.find_ancestor(exp.Pivot):
            zero = exp.Coalesce(this=whole.copy(), expressions=[exp.Literal.number(0)])
            whole.replace(zero)
    return tree.sql(dialect="duckdb")


def loosened(text: str) -> tuple[str, list[Wrap | None]]:
    """The query with LIST(x) in the place of quantiles and modes in its SELECT list; and for each
    of its columns what became of it.
    """
    tree = tree_of(text)
    if not isinstance(tree, exp.Select):
        return text, []
    wraps = [_loosened(item) for item in tree.expressions]
    changed = any(wrap and wrap[0] in ("ranks", "modes") for wrap in wraps)
    return tree.sql(dialect="duckdb") if changed else text, wraps


def wrapped(row: tuple[object, ...], wraps: list[Wrap | None], step: float) -> tuple[object, ...]:
    """The engine's row of a loosened query, whose numbers are read with that step."""
    if not any(wraps):
        return row  # of a star there may be more columns than expressions
    asked = sum(len(wrap[1]) for wrap in wraps if wrap)
    return tuple(_wrapped(v, w, asked, step) for v, w in zip(row, wraps, strict=True))


def divided(value: object) -> object:
    """A value of the engine's, or what stands for it where it was divided by zero."""
    return Divided() if isinstance(value, float) and isinf(value) else value


def _wrapped(value: Any, wrap: Wrap | None, asked: int, step: float) -> object:
    if wrap is None:
        return value
    kind, shares, listed = wrap
    if kind == "ranks":
        return Ranks(_known(value), shares, listed, EXACTLY if asked <= 2 else ROW, step)
    if kind == "modes":
        return Modes(_known(value))
    return Truth(value) if kind == "truth" else Counts(value)


def _known(values: list[Any] | None) -> list[Any]:
    return [v for v in values or [] if v is not None]


def _loosened(item: exp.Expr) -> Wrap | None:
    outer = item.unalias()
    call = outer.this if isinstance(outer, exp.Filter) else outer
    within = call if isinstance(call, exp.WithinGroup) else None
    found = _asked(call if within is None else call.this, within)
    if found is None:
        return None
    wrap, argument = found
    if argument is not None:
        ordered = exp.Ordered(this=argument.copy(), nulls_first=True)
        listed = exp.Order(this=argument.copy(), expressions=[ordered])
        # DuckDB puts nothing in the order of a constant.
        plain = isinstance(argument, exp.Literal | exp.Boolean | exp.Null)
        call.replace(exp.Anonymous(this="list", expressions=[argument.copy() if plain else listed]))
    return wrap


def _asked(call: exp.Expr, within: exp.WithinGroup | None) -> tuple[Wrap, exp.Expr | None] | None:
    """What an aggregate asks for, and of what, where values are needed."""
    if isinstance(call, exp.LogicalOr | exp.LogicalAnd):
        return ("truth", (), False), None
    if isinstance(call, exp.Anonymous) and str(call.this).lower() == "histogram":
        return ("counts", (), False), None
    argument = call.this
    if isinstance(argument, exp.Distinct):
        return None
    if within is not None:
        (ordered,) = within.expression.expressions
        argument = ordered.this
    if isinstance(call, exp.Mode):
        return ("modes", (), False), argument
    fixed: tuple[tuple[type[exp.Expr], float], ...] = (
        (exp.Min, 0),
        (exp.Max, 1),
        (exp.Median, 0.5),
    )
    for kind, share in fixed:
        if isinstance(call, kind):
            return ("ranks", (share,), False), argument
    if not isinstance(call, exp.PercentileCont | exp.PercentileDisc | exp.ApproxQuantile):
        return None
    node = call.this if within is not None else call.args.get("expression") or call.args["quantile"]
    listed = isinstance(node, exp.Array)
    shares = tuple(float(p.name) for p in (node.expressions if listed else [node]))
    if within is not None and within.expression.expressions[0].args.get("desc"):
        shares = tuple(1 - p for p in shares)
    return ("ranks", shares, listed), argument


def _comparable(value: Any) -> Any:
    if value == MIDNIGHT:
        return 86_400e6
    if isinstance(value, timedelta | time):
        return micros(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    return float(value) if isinstance(value, Decimal) else value


def _near(values: Sequence[Any], step: float) -> Any:
    """How far from a value its point of the grid is: a second, or half a step, where the nearest
    one is; of wide ranges, what is lost in a DOUBLE.
    """
    if isinstance(values[0], date):
        return timedelta(seconds=1)
    most = max(abs(float(_comparable(v))) for v in values)
    fine = isinstance(values[0], int | Decimal) and most < 2**20
    return max(HALF * step, 1e-9 if fine else 1e-5 * max(1.0, most))


def micros(span: timedelta | time) -> float:
    """A span, or a time of day, in microseconds, as the steps of its grid are."""
    if isinstance(span, time):
        span = datetime.combine(date.min, span) - datetime.min
    return span / timedelta(microseconds=1)
