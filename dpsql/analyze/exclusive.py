"""Conditions of which no row can satisfy two.

    COUNT(*) FILTER (WHERE paid), COUNT(*) FILTER (WHERE NOT paid)
    SUM(x) FILTER (WHERE region = 'N'), SUM(y) FILTER (WHERE region = 'S' AND z > 3)

Everything here is one-sided: what is not seen to exclude each other is taken to overlap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpsql.plan.expr import Call, Case, Expr, Literal, conjuncts, rebuild, too_large
from dpsql.sql.build import TURNED, negated

Conditions = tuple[Expr, ...]

NULL_OF_NULL = frozenset(
    {"add", "sub", "mul", "clamp", "coerce", "steps", "not", "eq", "ne", "lt", "le", "gt", "ge"}
)
"""Functions that are NULL where any of their arguments is."""

MAX_CONDITION = 200
"""Nodes of a condition that is still looked at."""


def demands(expr: Expr) -> Conditions:
    """Conditions that are TRUE on each row where the expression is not NULL."""
    if isinstance(expr, Case):
        if len(expr.branches) > 1 or not _is_null(expr.default):
            return ()
        ((condition, value),) = expr.branches
        return (*conjuncts(condition), *demands(value))
    if isinstance(expr, Call) and expr.function in NULL_OF_NULL:
        return tuple(dict.fromkeys(found for arg in expr.args for found in demands(arg)))
    return ()


def nulled(expr: Expr) -> Expr:
    """NULL instead of the 0 of CASE WHEN … ELSE 0 END: a sum is the same, and its rows are told
    from others.
    """
    if isinstance(expr, Call) and expr.function in ("coerce", "steps"):
        return rebuild(expr, (nulled(expr.args[0]), *expr.args[1:]))
    if isinstance(expr, Case) and isinstance(expr.default, Literal) and expr.default.value == 0:
        return replace(expr, default=replace(expr.default, value=None))
    return expr


def exclusive(one: Conditions, other: Conditions) -> bool:
    """Whether no row can satisfy all of both. Claim: where this is True, on each row some condition
    is not TRUE. Why: two of them cannot be TRUE together (see `_apart`); or one is a disjunction of
    which each alternative excludes the others.
    """
    if any(too_large(e, MAX_CONDITION) for e in (*one, *other)):
        return False
    if any(_apart(a, b) for a in one for b in other):
        return True
    return _alternatives(one, other) or _alternatives(other, one)


def _alternatives(one: Conditions, other: Conditions) -> bool:
    found = [e for e in one if isinstance(e, Call) and e.function == "or"]
    return any(all(exclusive(tuple(conjuncts(a)), other) for a in e.args) for e in found)


def _apart(a: Expr, b: Expr) -> bool:
    """Whether two conditions cannot both be TRUE: one is the opposite of the other; one says that
    something is NULL which the other needs; or they put one value in two places.
    """
    here, there = _place(a), _place(b)
    if here is not None and there is not None and here.misses(there):
        return True
    if a == negated(b, None) or b == negated(a, None):
        return True
    for test, needed in ((a, b), (b, a)):
        if isinstance(test, Call) and test.function == "is_null" and test.args[0] in _known(needed):
            return True
    return False


def _known(condition: Expr) -> set[Expr]:
    """What is not NULL where the condition is TRUE."""
    if isinstance(condition, Call) and condition.function == "not":
        (inner,) = condition.args
        if isinstance(inner, Call) and inner.function == "is_null":
            return _parts(inner.args[0])
    return _parts(condition)


def _parts(expr: Expr) -> set[Expr]:
    """The expression, and what is not NULL where it is not."""
    found = {expr}
    if isinstance(expr, Call) and expr.function in NULL_OF_NULL:
        for arg in expr.args:
            found |= _parts(arg)
    return found


def _is_null(expr: Expr) -> bool:
    return isinstance(expr, Literal) and expr.value is None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a condition puts the value of `expr`: among some values, or between two ends.

    Attributes:
        values: None for a range.
        low, high: (the end, whether it is in the range); None for no end.
    """

    expr: Expr
    values: frozenset[Literal] | None = None
    low: tuple[Any, bool] | None = None
    high: tuple[Any, bool] | None = None

    def misses(self, other: _Place) -> bool:
        """Whether one value cannot be in both places."""
        if self.expr != other.expr:
            return False
        if self.values is not None and other.values is not None:
            return all(_differ(a, b) for a in self.values for b in other.values)
        if self.values is not None:
            return self._outside(other)
        return other._outside(self) if other.values is not None else self._beside(other)

    def _outside(self, other: _Place) -> bool:
        assert self.values is not None
        if self.expr.type.is_string:
            return False
        points = [_Place(self.expr, None, (v.value, True), (v.value, True)) for v in self.values]
        return all(point._beside(other) for point in points)

    def _beside(self, other: _Place) -> bool:
        """Of two ranges: whether one ends before the other begins."""
        for below, above in ((self.high, other.low), (other.high, self.low)):
            if below is None or above is None or not _comparable(below[0], above[0]):
                continue
            if below[0] < above[0] or (below[0] == above[0] and not (below[1] and above[1])):
                return True
        return False


def _differ(a: Literal, b: Literal) -> bool:
    """Whether no database takes the two constants for equal. Texts could be compared without regard
    to case, accents or signs: they must differ in their ASCII letters and digits.
    """
    if isinstance(a.value, str) and isinstance(b.value, str):
        if not (a.value.isascii() and b.value.isascii()):
            return False
        one, other = ("".join(filter(str.isalnum, v.casefold())) for v in (a.value, b.value))
        return one != other
    return _comparable(a.value, b.value) and a.value != b.value


def _comparable(a: object, b: object) -> bool:
    numbers = (int, Fraction)
    return type(a) is type(b) or (type(a) in numbers and type(b) in numbers)


def _place(condition: Expr) -> _Place | None:
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
        return None if has_null or not same else _Place(value, known)
    (end,) = found[:1]
    if len(found) != 1 or end.value is None or end.type != kind or kind.is_string:
        return None
    if function in ("lt", "le"):
        return _Place(value, None, None, (end.value, function == "le"))
    if function in ("gt", "ge"):
        return _Place(value, None, (end.value, function == "ge"), None)
    return None
