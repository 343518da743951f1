"""Which file answers which aggregate: from the calls of a query to formulas over measurements.

Counts come first, then averages and moments, then sums: a sum uses a count that is there anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from fractions import Fraction

from dpsql.core.plan.nodes import Aggregate, AggregateCall
from dpsql.core.release import distinct, indicators, second_moments, sums
from dpsql.core.release.affine import Made, applied, made_of_others
from dpsql.core.release.arguments import ORDERED, PAIRED, SPREADS, Places
from dpsql.core.release.formulas import Formula, Linear, Picked, Term
from dpsql.core.release.measures import Argument, Measurements
from dpsql.core.release.picks import HIGHEST, LOWEST, Grid, listed_grid, ordered_grid
from dpsql.errors import Diagnostic, Problems, Rejected

Family = Callable[[Measurements, int], Formula]

_SUMS: dict[str, Family] = {"count": sums.count, "avg": sums.average, "sum": sums.total}
_DISTINCT: dict[str, Family] = {
    "count": distinct.count,
    "sum": distinct.total,
    "avg": distinct.average,
}
_BOOLEAN: dict[str, Family] = {
    "bool_or": indicators.any_true,
    "bool_and": indicators.all_true,
}
_PLAIN = _SUMS.keys() | _BOOLEAN.keys() | {"mode", "histogram"}

HELP = {
    "arg_max": "ask for the largest total: SELECT ARG_MAX(x, n) FROM (SELECT x, SUM(y) AS n … "
    "GROUP BY x)",
    "arg_min": "ask for the smallest total: SELECT ARG_MIN(x, n) FROM (SELECT x, SUM(y) AS n … "
    "GROUP BY x)",
    **dict.fromkeys(("list", "string_agg"), "rows cannot be listed: GROUP BY the value"),
    **dict.fromkeys(("first", "last", "any_value"), "use MIN, MAX or MODE"),
    "skewness": "write AVG(POW(x - (SELECT AVG(x) FROM t), 3)) / POW(STDDEV_POP(x), 3)",
    **dict.fromkeys(
        ("kurtosis", "kurtosis_pop"),
        "write AVG(POW(x - (SELECT AVG(x) FROM t), 4)) / POW(STDDEV_POP(x), 4) - 3",
    ),
    "entropy": "count the values: SELECT -SUM(p * LOG2(p)) FROM (SELECT n / SUM(n) OVER () AS p "
    "FROM (SELECT x, COUNT(*) AS n … GROUP BY x)) WHERE p > 0",
    "mad": "write MEDIAN(ABS(x - (SELECT MEDIAN(x) FROM t)))",
    "product": "write EXP(SUM(LN(GREATEST(x, low)))), of numbers from low on, above 0",
    **dict.fromkeys(("bit_and", "bit_or", "bit_xor"), "count a bit: COUNT_IF(x & 4 > 0)"),
}
"""What to write instead of an aggregate that is not answered of private rows."""

_FIRST = ("count", *_BOOLEAN, "histogram", "avg", *sorted(SPREADS), *sorted(PAIRED), "sum")


def known(distinct_values: bool) -> Set[str]:
    """The functions that are answered of private rows."""
    return (
        _DISTINCT.keys() | SPREADS
        if distinct_values
        else _PLAIN | SPREADS | PAIRED.keys() | ORDERED
    )


@dataclass(slots=True)
class AskedPick:
    """What is picked by one argument."""

    kind: str
    shares: tuple[Fraction, ...] = ()


@dataclass(slots=True)
class PickRequests:
    """The picks of a release: one for each argument and mechanism."""

    _asked: dict[tuple[int, str], AskedPick] = field(default_factory=dict)

    def ask(self, index: int, kind: str, shares: tuple[Fraction, ...]) -> None:
        """Ask for some quantiles of an argument, or for its mode."""
        request = self._asked.setdefault((index, kind), AskedPick(kind))
        request.shares = tuple(sorted({*request.shares, *shares}))

    def number(self, index: int, kind: str) -> int:
        """Which pick it is."""
        return list(self._asked).index((index, kind))

    def places(self, index: int, shares: tuple[Fraction, ...]) -> tuple[int, ...]:
        """Where the quantiles stand among those of the argument."""
        every = self._asked[index, "quantiles"].shares
        return tuple(every.index(share) for share in shares)

    def found(self, arguments: tuple[Argument, ...]) -> Iterator[tuple[int, AskedPick, Grid]]:
        """Each argument, what is picked by it, and on which grid."""
        for (index, kind), request in self._asked.items():
            grid = listed_grid if kind == "mode" else ordered_grid
            yield index, request, grid(arguments[index])


def formulas(
    aggregate: Aggregate,
    of_unit: frozenset[int],
    places: Places,
    measurements: Measurements,
    requests: PickRequests,
) -> dict[int, Formula]:
    """The formula of each call, by its column's id.

    Args:
        aggregate: the calls.
        of_unit: those whose argument is the unit.
        places: which arguments they have.
        measurements: collects what is measured.
        requests: collects what is picked.

    Raises:
        Rejected: DP301, DP302, DP303 of every call.
    """
    found: dict[int, Formula] = {}
    problems = Problems()
    measurements.averaged |= {
        places[column.id][0]
        for column, call in aggregate.calls
        if call.distinct and call.function != "count" and column.id in places
    }
    made = _made(aggregate, places, measurements)
    ordered = sorted(aggregate.calls, key=lambda item: _rank(item[1]))
    for column, call in ordered:
        if call.function in ORDERED or call.function == "mode":
            continue
        try:
            if column.id in of_unit and call.distinct and call.function == "count":
                found[column.id] = Linear((measurements.units(),), Fraction(0))
            else:
                found[column.id] = _formula(call, places.get(column.id), measurements, made)
        except Rejected as rejected:
            problems.add(rejected)
    problems.check()
    picked = [(c, call) for c, call in aggregate.calls if c.id not in found]
    for column, call in picked:
        index = places[column.id][0]
        requests.ask(index, _kind(call), _shares(call))
    for column, call in picked:
        index, shares = places[column.id][0], _shares(call)
        where = requests.places(index, shares) if shares else (0,)
        listed = column.type.name == "LIST"
        found[column.id] = Picked(requests.number(index, _kind(call)), where, listed)
    return found


def _rank(call: AggregateCall) -> int:
    return _FIRST.index(call.function) if call.function in _FIRST else len(_FIRST)


def _kind(call: AggregateCall) -> str:
    return "mode" if call.function == "mode" else "quantiles"


def _shares(call: AggregateCall) -> tuple[Fraction, ...]:
    """The parts of the rows below the wanted values; none for a mode."""
    fixed = {"min": LOWEST, "max": HIGHEST, "median": Fraction(1, 2)}
    if call.function in fixed:
        return (fixed[call.function],)
    return tuple(Fraction(p) for p in call.parameters if isinstance(p, int | Fraction))


def _made(aggregate: Aggregate, places: Places, measurements: Measurements) -> dict[int, Made]:
    """The arguments whose sums are made of those of another one, which are measured."""
    asked = {
        places[column.id][0]: call.argument
        for column, call in aggregate.calls
        if call.function in _SUMS and call.argument is not None and not call.distinct
    }
    if measurements.setting.adaptive:
        return {}
    made = made_of_others(asked, tuple(measurements.arguments))
    for of in {how.of: None for how in made.values() if how.offset}:
        members = {index: how for index, how in made.items() if how.of == of}
        if _counted(aggregate, places, members, measurements) or _no_worse(members, measurements):
            measurements.centred(of)
            measurements.count(of)
        else:
            made = {index: how for index, how in made.items() if index not in members}
    return made


def _counted(
    aggregate: Aggregate, places: Places, members: Mapping[int, Made], measurements: Measurements
) -> bool:
    """Whether their number is asked for, too, or an average."""
    every = not any(measurements.arguments[index].counted_apart for index in members)
    return any(
        places[column.id][0] in members and call.function != "sum"
        if column.id in places
        else every and call.function == "count"
        for column, call in aggregate.calls
    )


def _no_worse(members: Mapping[int, Made], measurements: Measurements) -> bool:
    """Whether no sum is further off than by itself: with Laplace noise, for L1 with 1/n of ε, and
    with Gaussian noise, for L2 with 1/n of ρ.
    """
    tried = Measurements(measurements.setting, tuple(measurements.arguments))
    summed = [index for index in members if tried.arguments[index].lattice is not None]
    own = {index: _wide(tried.total(index), tried) for index in summed}
    of = members[summed[0]].of
    centred, counted = (_wide(term, tried) for term in (tried.centred(of), tried.count(of)))
    base = tried.arguments[of].lattice
    assert base is not None
    middle = Fraction(base.low + base.high, 2) * base.step
    for index in summed:
        slope, at = members[index].slope, members[index].slope * middle + members[index].offset
        l1, l2 = (slope**2 * c + at**2 * n for c, n in zip(centred, counted, strict=True))
        alone = own[index]
        if 4 * l1 > len(summed) ** 2 * alone[0] or 2 * l2 > len(summed) * alone[1]:
            return False
    return True


def _wide(term: Term, measurements: Measurements) -> tuple[Fraction, Fraction]:
    """The squares of the L1 and the L2 sensitivity of a measure, in the unit of its number."""
    measure = measurements.measures[term.measure]
    moved, unit = measure.sensitivity, measure.unit
    return (moved.l1 * unit) ** 2, moved.l2_squared * unit**2


def _formula(
    call: AggregateCall,
    place: tuple[int, int | None] | None,
    measurements: Measurements,
    made: Mapping[int, Made],
) -> Formula:
    name = call.function
    if place is None:
        return sums.count(measurements, None)
    index, second = place
    if name in _SUMS and not call.distinct and index in made:
        how = made[index]
        found = _SUMS[name](measurements, how.of)
        if name == "count":
            return found
        return applied(how, found, measurements.count(how.of) if how.offset else None)
    if call.distinct and name in SPREADS:
        return distinct.spread(measurements, name, index)
    if call.distinct:
        return _DISTINCT[name](measurements, index)
    if second is not None:
        return second_moments.pair(measurements, name, index, second)
    if name in SPREADS:
        return second_moments.spread(measurements, name, index)
    if name == "histogram":
        if not call.parameters:
            help = "name the upper ends of the bins: HISTOGRAM(x, [10, 20, 30])"
            message = "the bins of a histogram of private rows must be public"
            raise Rejected(Diagnostic("DP303", message, call.span, help))
        return indicators.histogram(measurements, index, call.parameters)
    if name in _BOOLEAN:
        return _BOOLEAN[name](measurements, index)
    return _SUMS[name](measurements, index)
