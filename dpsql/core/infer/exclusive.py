"""Conditions of which no row can satisfy two.

    COUNT(*) FILTER (WHERE paid), COUNT(*) FILTER (WHERE NOT paid)
    SUM(x) FILTER (WHERE region = 'N'), SUM(y) FILTER (WHERE region = 'S' AND z > 3)

Everything here is one-sided: what is not seen to exclude each other is taken to overlap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpsql.core.functions.build import TURNED, make, negated
from dpsql.core.plan.expr import Call, Case, Expr, Literal, conjuncts, rebuild, walk


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


Conditions = tuple[Expr, ...]

NULL_OF_NULL = frozenset(
    {"add", "sub", "mul", "clamp", "coerce", "steps", "not", "eq", "ne", "lt", "le", "gt", "ge"}
)
"""Functions that are NULL where any of their arguments is."""

MAX_CONDITION = 200
"""Nodes of conditions that are still looked at, together."""


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


def counted(expr: Expr) -> Expr:
    """A condition that is TRUE where the expression is not NULL, and not TRUE where it is."""
    match expr:
        case Case(((condition, Literal(value=value)),), Literal(value=None)) if value is not None:
            return condition
    return negated(make("is_null", (expr,), None), None)


@dataclass(frozen=True, slots=True)
class _Test:
    """One condition, and what comparing it with others needs.

    Attributes:
        expr: the condition.
        opposite: its negation.
        place: where it puts a value, if it does.
        null: what it says is NULL, if it does.
        known: what is not NULL where it is TRUE.
    """

    expr: Expr
    opposite: Expr
    place: Place | None
    null: Expr | None
    known: frozenset[Expr]


@dataclass(frozen=True, slots=True)
class Region:
    """The rows on which all of some conditions are TRUE, in a form that many can be compared in.

    Attributes:
        tests: the conditions.
        choices: of each disjunction among them its alternatives.
        says: what another region can be told by, and `heeds` what of another this one is told by:
            of two that exclude each other, each heeds something that the other says.
    """

    tests: tuple[_Test, ...]
    choices: tuple[tuple[Region, ...], ...]
    says: frozenset[tuple[str, Expr]]
    heeds: frozenset[tuple[str, Expr]]

    @property
    def work(self) -> int:
        """The tests, those of alternatives counted."""
        return len(self.tests) + sum(r.work for found in self.choices for r in found)


def region(conditions: Conditions) -> Region | None:
    """The rows on which all conditions are TRUE; None where they are too many to look at."""
    left = MAX_CONDITION
    for condition in conditions:
        for _ in walk(condition):
            left -= 1
            if left < 0:
                return None
    return _region(conditions)


def _region(conditions: Conditions) -> Region:
    tests = tuple(_Test(e, negated(e, None), place(e), _nulled(e), _known(e)) for e in conditions)
    choices = tuple(
        tuple(_region(tuple(conjuncts(a))) for a in e.args)
        for e in conditions
        if isinstance(e, Call) and e.function == "or"
    )
    says: set[tuple[str, Expr]] = set()
    heeds: set[tuple[str, Expr]] = set()
    for test in tests:
        says |= {("is", test.expr), ("is not", test.opposite)}
        heeds |= {("is not", test.expr), ("is", test.opposite)}
        says |= {("known", e) for e in test.known}
        heeds |= {("null", e) for e in test.known}
        if test.null is not None:
            says.add(("null", test.null))
            heeds.add(("known", test.null))
        if test.place is not None:
            says.add(("place", test.place.expr))
            heeds.add(("place", test.place.expr))
    for found in choices:
        for part in found:
            says |= part.says
            heeds |= part.heeds
    return Region(tests, choices, frozenset(says), frozenset(heeds))


def exclusive(one: Region, other: Region) -> bool:
    """Whether no row can satisfy all of both. Claim: where this is True, on each row some condition
    is not TRUE. Why: two of them cannot be TRUE together (see `_apart`); or one is a disjunction of
    which each alternative excludes the others.
    """
    if any(_apart(a, b) for a in one.tests for b in other.tests):
        return True
    return _alternatives(one, other) or _alternatives(other, one)


def _alternatives(one: Region, other: Region) -> bool:
    return any(all(exclusive(part, other) for part in found) for found in one.choices)


def _apart(a: _Test, b: _Test) -> bool:
    """Whether two conditions cannot both be TRUE: one is the opposite of the other; one says that
    something is NULL which the other needs; or they put one value in two places.
    """
    if a.place is not None and b.place is not None and a.place.misses(b.place):
        return True
    if a.expr == b.opposite or b.expr == a.opposite:
        return True
    if a.null is not None and a.null in b.known:
        return True
    return b.null is not None and b.null in a.known


def _nulled(condition: Expr) -> Expr | None:
    """What the condition says is NULL."""
    is_null = isinstance(condition, Call) and condition.function == "is_null"
    return condition.args[0] if is_null and isinstance(condition, Call) else None


def _known(condition: Expr) -> frozenset[Expr]:
    """What is not NULL where the condition is TRUE."""
    if isinstance(condition, Call) and condition.function == "not":
        (inner,) = condition.args
        if isinstance(inner, Call) and inner.function == "is_null":
            return frozenset(null_with(inner.args[0]))
    return frozenset(null_with(condition))


def null_with(expr: Expr) -> set[Expr]:
    """The expression, and what is not NULL where it is not: it is NULL where one of them is."""
    found = {expr}
    if isinstance(expr, Call) and expr.function in NULL_OF_NULL:
        for arg in expr.args:
            found |= null_with(arg)
    return found


def _is_null(expr: Expr) -> bool:
    return isinstance(expr, Literal) and expr.value is None
