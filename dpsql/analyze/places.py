"""Where a comparison with constants puts a value: among some values, or between two ends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpsql.plan.expr import Call, Expr, Literal
from dpsql.sql.build import TURNED


@dataclass(frozen=True, slots=True)
class Place:
    """Where a condition puts the value of `expr`: among some values, or between two ends.

    Attributes:
        values: None for a range.
        told: of the values what tells them from others in any database; None where nothing does.
        low, high: (the end, whether it is in the range); None for no end.
    """

    expr: Expr
    values: frozenset[Literal] | None = None
    told: frozenset[tuple[type, object]] | None = None
    low: tuple[Any, bool] | None = None
    high: tuple[Any, bool] | None = None

    def misses(self, other: Place) -> bool:
        """Whether one value cannot be in both places."""
        if self.expr != other.expr:
            return False
        if self.values is not None and other.values is not None:
            return self._differs(other)
        if self.values is not None:
            return self._outside(other)
        return other._outside(self) if other.values is not None else self._beside(other)

    def _differs(self, other: Place) -> bool:
        """Whether no database takes a value of one for a value of the other."""
        if not self.values or not other.values:
            return True
        if self.told is None or other.told is None:
            return False
        kinds = {kind for kind, _ in (*self.told, *other.told)}
        return len(kinds) == 1 and self.told.isdisjoint(other.told)

    def _outside(self, other: Place) -> bool:
        assert self.values is not None
        if self.expr.type.is_string:
            return False
        ends = [(v.value, True) for v in self.values]
        points = [Place(self.expr, low=end, high=end) for end in ends]
        return all(point._beside(other) for point in points)

    def _beside(self, other: Place) -> bool:
        """Of two ranges: whether one ends before the other begins."""
        for below, above in ((self.high, other.low), (other.high, self.low)):
            if below is None or above is None or not _comparable(below[0], above[0]):
                continue
            if below[0] < above[0] or (below[0] == above[0] and not (below[1] and above[1])):
                return True
        return False


def _told(values: frozenset[Literal]) -> frozenset[tuple[type, object]] | None:
    """Constants that differ here are equal in no database. Texts could be compared without regard
    to case, accents or signs: only their ASCII letters and digits count.
    """
    found: set[tuple[type, object]] = set()
    for literal in values:
        value = literal.value
        if isinstance(value, str):
            if not value.isascii():
                return None
            value = "".join(filter(str.isalnum, value.casefold()))
        kind = Fraction if type(value) is int else type(value)
        found.add((kind, value))
    return frozenset(found)


def _comparable(a: object, b: object) -> bool:
    numbers = (int, Fraction)
    return type(a) is type(b) or (type(a) in numbers and type(b) in numbers)


def place(condition: Expr) -> Place | None:
    """What a comparison with constants of one exact type says; of floating-point numbers nothing,
    since two constants may be one number there.
    """
    if not isinstance(condition, Call) or len(condition.args) < 2:
        return None
    function, (value, *constants) = condition.function, condition.args
    if isinstance(value, Literal) and function in TURNED:
        function, (constants, value) = TURNED[function], ([value], constants[0])
    kind = value.type
    simple = kind.is_exact or kind.is_string or kind.is_temporal or kind.is_boolean
    found = [c for c in constants if isinstance(c, Literal)]
    if not simple or isinstance(value, Literal) or len(found) < len(constants):
        return None
    if function in ("eq", "is_not_distinct", "in"):
        known = frozenset(c for c in found if c.value is not None)
        same = all(c.type == kind for c in known)
        has_null = len(known) < len(found) and function == "is_not_distinct"
        return None if has_null or not same else Place(value, known, _told(known))
    (end,) = found[:1]
    if len(found) != 1 or end.value is None or end.type != kind or kind.is_string:
        return None
    if function in ("lt", "le"):
        return Place(value, high=(end.value, function == "le"))
    if function in ("gt", "ge"):
        return Place(value, low=(end.value, function == "ge"))
    return None
