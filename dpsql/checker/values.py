"""What an expression can be: an interval of exact numbers, NULL or not, how many values.

An interval speaks of the values that are not NULL. NaN is beyond every number, as DuckDB orders it,
so that an interval with an upper end has none. Dates
and times are numbers of days. The interval of a text is that of its length, in characters.

Rounding to the nearest, of a float or to a number of digits, never turns an order round, and leaves
what need not be rounded; so the interval of what is rounded is that of its rounded ends.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from typing import Any

Number = Fraction | None
Way = Callable[[Fraction], Any]


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression can be.

    Attributes:
        low, high: of its values; None for none.
        null: whether it can be NULL.
        kind: "whole", "exact" (whole or decimal), "float", "date", "time", "text", or ""
            for others.
        type: in DuckDB's words, where it is known.
        among: its values, where they can be listed, each as anything that stands for that value
            alone; None for many.
    """

    low: Number = None
    high: Number = None
    null: bool = True
    kind: str = ""
    among: frozenset[object] | None = None
    type: str = ""

    @property
    def count(self) -> int | None:
        """How many values it can have at most, apart from NULL; None for many."""
        return None if self.among is None else len(self.among)

    @property
    def options(self) -> int | None:
        """How many values it can have, with NULL; None for many."""
        found = self.count
        if self.kind in ("whole", "date") and self.low is not None and self.high is not None:
            between = max(0, math.floor(self.high) - math.ceil(self.low) + 1)
            found = between if found is None else min(found, between)
        return None if found is None else found + self.null

    @property
    def listed(self) -> frozenset[object] | None:
        """Its values, with those of an interval of few days."""
        if self.among is None and self.kind == "date" and (self.options or DAYS) < DAYS:
            first, last = (int(e or 0) for e in (self.low, self.high))
            return frozenset(map(Fraction, range(first, last + 1)))
        return self.among

    @property
    def bounded(self) -> bool:
        """Whether both ends are known."""
        return self.low is not None and self.high is not None

    @property
    def unsigned(self) -> bool:
        """Whether it may be a whole number of a type without negative ones."""
        return self.kind == "whole" and self.type.startswith(UNSIGNED)

    @property
    def small(self) -> bool:
        """Whether it is a whole number that every float of 64 bits holds exactly."""
        ends = (self.low, self.high)
        return self.kind == "whole" and all(e is not None and abs(e) <= 2**53 for e in ends)

    @property
    def holds_zero(self) -> bool:
        """Whether 0 is in its interval."""
        return (self.low is None or self.low <= 0) and (self.high is None or self.high >= 0)

    def clipped(self, low: Number, high: Number) -> Value:
        """The same within an interval; where that leaves no value, it has none."""
        low, high = _tighter(max, self.low, low), _tighter(min, self.high, high)
        if self.kind == "whole":
            low = low if low is None or low.denominator == 1 else Fraction(math.ceil(low))
            high = high if high is None or high.denominator == 1 else Fraction(math.floor(high))
        if low is not None and high is not None and low > high:
            end = self.high if self.high is not None else self.low
            return replace(self, low=end, high=end, among=NONE)
        among = self.among
        if among is not None and self.kind in EXACT:  # as they are: none is rounded
            among = frozenset(
                v
                for v in among
                if type(v) is not Fraction or _tighter(max, v, low) == v == _tighter(min, v, high)
            )
        if low is self.low and high is self.high and among is self.among:
            return self
        return Value(low, high, self.null, self.kind, among, self.type)

    def but(self, null: bool) -> Value:
        """The same, NULL or not."""
        return self if null == self.null else replace(self, null=null)

    def of(self, among: frozenset[object] | None) -> Value:
        """The same, with other values listed."""
        return self if among is self.among else replace(self, among=among)


def _tighter(pick: object, a: Number, b: Number) -> Number:
    if a is b or a is None or b is None:
        return b if a is None else a
    return pick(a, b)  # type: ignore[operator,no-any-return]


def told(a: Value) -> frozenset[object] | None:
    """Its values for what reads them as they are written: 1 is not 1.0 there, nor a day. None where
    some of them are two: 0 and -0, NaN and -NaN, a decimal of more digits or of fewer.
    """
    two = a.kind == "exact" and not a.type
    if a.kind == "float":
        two = a.holds_zero or a.high is None
    return None if two or a.listed is None else frozenset((a.kind, a.type, v) for v in a.listed)


ANY = Value()
ZERO, ONE = Fraction(0), Fraction(1)
UNSIGNED = "U"
"""The type of whole numbers of which one was of a type that is called so, and a literal took it."""
NONE: frozenset[object] = frozenset()
MANY, DAYS = 10_000, 1000
"""More values are not listed, nor so many days."""
EXACT = frozenset({"whole", "exact", "date", "time"})
TRUTH = Value(Fraction(0), Fraction(1), True, "", frozenset({Fraction(0), Fraction(1)}), "BOOLEAN")


def one(value: object) -> frozenset[object]:
    """A list of one value."""
    return frozenset({value})


BITS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64}
WHOLE = {f"{UNSIGNED}{name}": (0, 2**bits - 1) for name, bits in BITS.items()}
BITS |= {"INT": 32, "INT128": 128, "HUGEINT": 128}
WHOLE |= {name: (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for name, bits in BITS.items()}

KINDS = {"DOUBLE": "float", "REAL": "float", "FLOAT": "float", "DATE": "date", "TIMESTAMP": "time"}
KINDS |= dict.fromkeys(("TEXT", "VARCHAR", "ENUM"), "text")


def scale(kind: str) -> int | None:
    """The digits after the point of a DECIMAL; None of another type."""
    if not kind.startswith("DECIMAL("):
        return None
    return int(kind[:-1].partition(",")[2] or 0)


def digits(kind: str) -> tuple[int, int] | None:
    """The digits before and after the point that numbers of a type have; None of another type."""
    if kind in WHOLE:
        return len(str(WHOLE[kind][1])), 0
    after = scale(kind)
    return None if after is None else (int(kind[8:-1].partition(",")[0]) - after, after)


@lru_cache(maxsize=256)
def of_type(kind: str) -> Value:
    """All values of a type."""
    if kind in WHOLE:
        low, high = WHOLE[kind]
        return Value(Fraction(low), Fraction(high), True, "whole", None, kind)
    if kind.startswith("DECIMAL("):
        width, digits = (int(d) for d in (*kind[8:-1].split(","), "0")[:2])
        most = Fraction(10**width - 1, 10**digits)
        return Value(-most, most, True, "exact", None, kind)
    if kind == "BOOLEAN":
        return TRUTH
    name = kind.partition("(")[0]
    found = Value(kind=KINDS.get(name, ""))
    short = name in ("REAL", "FLOAT")
    return replace(found, type="REAL" if short else "" if found.kind else kind)


@lru_cache(maxsize=4096)
def of_literal(kind: str, text: str) -> Value:
    """One constant."""
    if kind == "NULL_LITERAL":
        return Value(null=True, among=NONE)
    if kind == "BOOLEAN":
        number = Fraction(text.lower() == "true")
        return replace(TRUTH, low=number, high=number, null=False, among=one(number))
    if kind in ("INTEGER", "NUMERIC"):
        written = Fraction(text)
        if "e" in text.lower():
            number = Fraction(float(text))
            return Value(number, number, False, "float", one(number))
        digits = len(text.partition(".")[2])
        of = ("whole", "") if kind == "INTEGER" else ("exact", f"DECIMAL(38,{digits})")
        return Value(written, written, False, of[0], one(written), of[1])
    size = Fraction(len(text))
    return Value(size, size, False, "text", one(text))


def of_moment(kind: str, text: str) -> Value:
    """A date, or a time, that is written down; of one beyond Python's years nothing is known."""
    try:
        day = BEYOND[text] if text in BEYOND else days(datetime.fromisoformat(text))
    except ValueError:
        return Value(null=False, kind=kind, among=one(text))
    day = Fraction(math.floor(day)) if kind == "date" else day
    return Value(day, day, False, kind, one(day))


TICK = Fraction(1, 86_400_000_000)
"""A microsecond."""
BEYOND = {"0001-12-31 (BC)": Fraction(0), "10000-01-01": Fraction(date.max.toordinal() + 1)}
BEYOND["0001-12-31 (BC) 23:59:59.999999"] = 1 - TICK
BEYOND["10000-01-01 00:00:00"] = BEYOND["10000-01-01"]


def days(moment: datetime) -> Fraction:
    """A time as a number of days."""
    passed = moment - datetime.combine(moment, time())
    return moment.toordinal() + passed // timedelta(microseconds=1) * TICK


def rounded(low: Number, high: Number, *, short: bool) -> tuple[Number, Number]:
    """The ends of numbers that are rounded to floats, where one may be of 32 bits to these."""
    ends = [(to_float(low), to_short(low)), (to_float(high), to_short(high))]
    if not short:
        return ends[0][0], ends[1][0]
    lows, highs = ([e for e in pair if e is not None] for pair in ends)
    return (min(lows) if len(lows) == 2 else None, max(highs) if len(highs) == 2 else None)


def hull(values: Iterable[Value]) -> Value:
    """What is one of these."""
    found = list(values)
    real = [v for v in found if v.count != 0]  # NULL alone has no value
    typed = [v for v in found if v.count != 0 or v.kind or v.type] or found[:1]  # but a type
    low = None if any(v.low is None for v in real) else min((v.low for v in real), default=None)  # type: ignore[type-var]
    high = None if any(v.high is None for v in real) else max((v.high for v in real), default=None)  # type: ignore[type-var]
    lists = [v.among for v in real]
    known = None if None in lists else frozenset[object]().union(*(a or () for a in lists))
    types, kinds = {v.type for v in typed}, {v.kind for v in typed}
    kind, type_ = common(kinds), next(iter(types)) if len(types) == 1 else ""
    if len(types) > 1 and kind == "whole" and any(v.unsigned for v in typed):
        type_ = UNSIGNED
    if kind == "float":
        type_ = "REAL" if "REAL" in types else type_
        if len(kinds) > 1:
            low, high = rounded(low, high, short=type_ == "REAL")
            known = renamed(known, type_ or "DOUBLE")
    elif not kind and len(kinds) > 1:  # whatever that makes of them
        low = high = known = None
    return Value(low, high, any(v.null for v in found), kind, known, type_)


def never(a: Value) -> Value:
    """Of a's type, and never there: a branch that is not taken says what the others are made."""
    type_ = a.type or ("" if a.kind or a.count == 0 else "unknown")
    return replace(a, null=False, among=NONE, type=type_)


def keeps(a: Value, b: Value) -> bool:
    """Whether different values of a are different ones of b, which it is one of."""
    if a.kind == b.kind:
        return a.kind != "" or a.count == 0 or a.type == b.type != ""
    return {a.kind, b.kind} <= {"whole", "exact"} or (a.kind, b.kind) == ("date", "time")


def common(kinds: Set[str]) -> str:
    """The kind of values of several kinds."""
    if len(kinds) == 1:
        return next(iter(kinds))
    made = (({"whole", "exact"}, "exact"), (NUMBERS, "float"), ({"date", "time"}, "time"))
    return next((kind for of, kind in made if kinds <= of), "")


ULPS = 4


def outward(low: Any, high: Any, ulps: int = ULPS) -> tuple[Number, Number]:
    """Ends that a library may have rounded by a few units in the last place."""
    for _ in range(ulps):
        low, high = math.nextafter(low, -math.inf), math.nextafter(high, math.inf)
    ends = [None if x in (math.inf, -math.inf) else Fraction(x) for x in (low, high)]
    return ends[0], ends[1]


def to_float(number: Number, size: str = "d") -> Number:
    """Rounded to the nearest float, of 32 bits if the size is "f"; None where that is none."""
    if number is None:
        return None
    try:
        return Fraction(struct.unpack(size, struct.pack(size, float(number)))[0])
    except OverflowError:
        return None


to_short = partial(to_float, size="f")


def floated(a: Value, *, short: bool) -> Value:
    """An exact number as a float, which it is made before it meets one."""
    if a.kind not in ("whole", "exact"):
        return a
    return Value(*rounded(a.low, a.high, short=short), a.null, "float")


ALIKE = frozenset({"BOOLEAN", "BLOB", "TIME", "UUID"})
"""Types whose equal values are the same; an INTERVAL of a month is one of 30 days."""


def single(a: Value, b: Value) -> bool:
    """Whether a = b leaves a one value for one of b, but for 0 and -0: nothing rounds it, or reads
    it from a text, before it is compared.
    """
    if a.kind in ("whole", "exact", "float"):
        return b.kind in ("whole", "exact", "float") and (a.kind == "float") == (b.kind == "float")
    if a.kind in ("date", "time"):
        return b.kind in ("date", "time")
    return a.kind == b.kind and (a.kind == "text" or a.type == b.type in ALIKE)


def tells(a: Value, b: Value) -> bool:
    """The same, with no float among them that may be 0; or NaN, which has a sign."""
    inside = a.clipped(b.low, b.high)
    return single(a, b) and (a.kind != "float" or not (inside.holds_zero or inside.high is None))


NUMBERS = frozenset({"whole", "exact", "float"})


def corners(
    ways: Sequence[Callable[..., Any]],
    args: Sequence[Value],
    kind: str,
    turns: Sequence[Fraction] = (),
    ulps: int = 0,
) -> Value:
    """What one of several functions can be; NULL where it is None.

    Each rises or falls in each argument, whatever the others are, between its turns. So it is least
    and greatest where each argument is at an end or a turn. An end that is not known is infinite.
    Nothing is known where a function is not defined there, or is NaN: it is a pole. Nor where
    floats may be infinite among several, as these may make NaN; and NaN of one float is NaN.
    """
    bounds = [
        (-math.inf if a.low is None else a.low, math.inf if a.high is None else a.high)
        for a in args
    ]
    axes = [[low, high, *(t for t in turns if low < t < high)] for low, high in bounds]
    odd = [a for a in args if a.kind == "float" and not a.bounded]
    try:
        at = [way(*point) for way in ways for point in product(*axes)]
    except (ArithmeticError, ValueError):
        return Value(kind=kind)
    found = [n for n in at if n is not None]
    if any(n != n for n in found) or not found or (odd and len(args) > 1):
        return Value(kind=kind)
    low, high = outward(min(found), max(found), ulps)
    if kind == "float":
        low, high = to_float(low), to_float(high)
    high = None if any(a.high is None for a in odd) else high
    return Value(low, high, len(found) < len(at) or any(a.null for a in args), kind)


def renamed(among: frozenset[object] | None, by: str) -> frozenset[object] | None:
    """What becomes of listed values; those stay what they are that a type holds, and of a moment
    the day.
    """
    way: Any = (_into(by) or (None,))[0] if by in HOLDING else None
    if among is None or way is None or any(type(v) is not Fraction for v in among):
        return None if among is None else frozenset((by, v) for v in among)
    made = {v: way(v) for v in among}
    days = by == "DATE"
    return frozenset(made[v] if days or made[v] == v else (by, v) for v in made)


HOLDING = frozenset({*WHOLE, "DOUBLE", "DATE", "TIMESTAMP"})


def _into(to: str) -> tuple[Way, Way] | None:
    """How an end becomes one of another type, downwards and upwards."""
    if to in WHOLE:
        half = Fraction(1, 2)
        return (lambda x: Fraction(math.ceil(x - half))), (lambda x: Fraction(math.floor(x + half)))
    if (digits := scale(to)) is not None:
        part = Fraction(1, 10**digits)
        return (lambda x: math.floor(x / part) * part), (lambda x: math.ceil(x / part) * part)
    same: dict[str, Way] = {"DOUBLE": to_float, "TIMESTAMP": Fraction}
    same["DATE"] = lambda x: Fraction(math.floor(x))  # of a moment its day, before 1970 too
    same |= dict.fromkeys(("REAL", "FLOAT"), to_short)
    return (same[to], same[to]) if to in same else None


def cast(a: Value, to: str, tried: bool) -> Value:
    """a as another type: rounded where it must be, an error (or NULL) where it does not fit."""
    null, every, truth = a.null or tried, of_type(to), a.type == "BOOLEAN"
    if a.count == 0:
        return replace(every, null=True, among=NONE)
    if a.kind == every.kind == "text" or (to == "BOOLEAN" and truth):
        return a.but(null)
    kinds = {a.kind, every.kind}
    same = len(kinds) == 1 or kinds == {"date", "time"} or kinds <= NUMBERS
    if not same and not (truth and every.kind in NUMBERS):
        return every.but(null).of(every.among or renamed(told(a), to))
    if (ways := _into(to)) is None:
        return every.but(null)
    low, high = (e if e is None else way(e) for way, e in zip(ways, (a.low, a.high), strict=True))
    clipped = every.clipped(low, high)
    return clipped.but(null).of(renamed(a.listed if to == "TIMESTAMP" else a.among, to))
