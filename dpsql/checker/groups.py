"""Grouping, windows, unions and projections of relations.

group   Private rows may be grouped by keys with a home among them: the rows of a group are one
        unit's then (or nobody's, where it is NULL). Each group is a row of that unit: no more than
        it had rows, and one of each combination of keys, of which there are no more than of the
        parts that tell them.
window  The same for PARTITION BY. A value is a function of the partition; where it depends on the
        order, or on the place in a frame of rows, this must tell all rows apart, as far as anything
        of them is used.
order   What is made of rows is a function of them, in whatever order the engine reads them: where
        an aggregate's value hangs on the order, it sees them in one of all its arguments, and rows
        with equal arguments are the same to it. Else public rows would be other ones on neighbours.
union   The rows of all branches: a column is a home where it is one in each, of the same anchor. A
        unit has as many rows as in all branches together; where no unit is in two of them, as in
        the branch where it has most. Values are made of one type, that of a branch without rows or
        of NULLs too: a column keeps its anchor, and counts rows, where none become equal by that. A
        unit has as many values of a home as it has rows where that is anchored, in all branches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from dpsql.checker.facts import Facts
from dpsql.checker.joins import bare
from dpsql.checker.proof import Refused, Step
from dpsql.checker.quotas import added_up
from dpsql.checker.relation import (
    MANY,
    UNIT,
    Anchor,
    Numbers,
    Relation,
    Tally,
    choices,
    least,
    settled,
    times,
    units_keys,
)
from dpsql.checker.scalars import World, value
from dpsql.checker.tree import Expr, Meaning, columns, words
from dpsql.checker.values import TRUTH, Value, hull, keeps

Items = Sequence[tuple[int, Expr]]
MANY_ROWS = 2**62
"""No relation has so many rows."""

AGGREGATES = words(
    """
    count count_star sum min max avg bool_and bool_or any_value median mode quantile_cont
    quantile_disc stddev stddev_samp stddev_pop variance var_samp var_pop corr covar_pop covar_samp
    list string_agg arg_min arg_max first last product bit_and bit_or bit_xor regr_slope regr_count
    regr_intercept regr_r2 regr_avgx regr_avgy regr_sxx regr_sxy regr_syy skewness kurtosis entropy
    kurtosis_pop mad approx_count_distinct histogram
    """
)
CERTAIN = words("count count_star sum avg min max bool_and bool_or bit_and bit_or bit_xor")
"""Functions of what the rows have, in whatever order they come, as VALUED; sums not of floats."""

VALUED = words("median quantile_cont quantile_disc mad histogram approx_count_distinct")
ORDERED = words("row_number lag lead first_value last_value nth_value ntile")
RANKED = frozenset({"rank", "dense_rank", "percent_rank", "cume_dist"})


def group_rows(made: Relation, exprs: Sequence[Expr]) -> int | None:
    """How many rows of one unit are in one group: no more than of the other columns that tell rows
    apart there are combinations, times as many as share one. A cast column is as good as that.
    """
    keys = frozenset(e[1] for e in (bare(e, made) for e in exprs) if e[0] == "column") & made.every
    solid = {c for c in made.fixed | keys if c in made.units or not made.at(c).null}
    told = [of for of in made.per if of in made.sure or not any(made.at(c).null for c in of)]
    other = (times(made.per[of], combined([("column", c) for c in of - keys], made)) for of in told)
    shared = made.most(solid | (keys & made.homes), made.fixed | keys)
    return least(made.rows, shared, *other)  # type: ignore[no-any-return]


def many(exprs: Sequence[Expr], made: Relation) -> int | None:
    """How many groups keys can make."""
    options = (value(expr, made.known).options for expr in exprs)
    return reduce(times, options, 1)


def own(exprs: Sequence[Expr], made: Relation) -> int | None:
    """How many of them one unit can be in: keys that it fixes have one value."""
    return many([e for e in exprs if not columns(e) <= made.fixed], made)


def combined(exprs: Sequence[Expr], made: Relation) -> int | None:
    """How many combinations of values one unit has, by what its rows were joined of."""
    left = frozenset().union(*(columns(e) for e in exprs)) - made.fixed
    found: int | None = 1
    for of, most in sorted(made.parts.items(), key=lambda part: part[1]):
        if of & left:
            found, left = times(found, most), left - of
    return None if left else found


def told(items: Sequence[tuple[int, Expr]], made: Relation) -> dict[frozenset[int], int]:
    """The parts, with what their columns tell."""
    found: dict[frozenset[int], int] = {}
    for of, most in made.parts.items():
        new = of | {n for n, e in items if columns(e) <= of | made.fixed}
        found[new] = min(most, found.get(new, most))
    return found


def aggregate(call: Expr, made: Relation, most: int | None, sure: bool) -> Value:
    """What an aggregate of one unit's rows, one or more, can be; `sure` if it is theirs alone."""
    name, distinct, args = call[1], call[2], [a for a in call[3:] if a[0] != "order"]
    if made.private and len(args) != len(call[3:]):
        raise Refused("an order in an aggregate of private rows is not followed")
    values = [value(a, made.known) for a in args]
    if name == "list" and args[0][:2] == ("call", "hash"):
        return Value(kind="list")
    floats = name in ("sum", "avg") and values[0].kind not in ("whole", "exact")
    told = {a for a in args if columns(a)} <= {a[2] for a in call[3:] if a[0] == "order"}
    if sure and not told and (floats or name not in CERTAIN | VALUED):
        raise Refused(f"{name} may depend on the order of the rows")
    most = MANY_ROWS if most is None else max(most, 1)
    if name in ("count", "count_star"):
        sure = not values or not values[0].null
        return Value(Fraction(int(sure)), Fraction(most), False, "whole")
    if name in ("min", "max", "any_value", "first", "last", "mode", "arg_min", "arg_max"):
        return values[0].but(null=values[0].null or name not in ("min", "max"))
    if name == "sum" and values[0].kind in ("whole", "exact") and not distinct:
        a = values[0]
        low = None if a.low is None else min(a.low, a.low * most)
        high = None if a.high is None else max(a.high, a.high * most)
        return Value(low, high, a.null, a.kind)
    if name in ("bool_and", "bool_or"):
        return TRUTH
    return Value()


def grouped(made: Relation, keys: Items, calls: Items, facts: Facts, sure: bool = True) -> Relation:
    """One row for each group; `keys` and `calls` with the numbers of their columns.

    Raises:
        Refused: the rows of a group may be several units'.
    """
    if made.mixed is not None:
        added_up(made, [e for _, e in keys], [c for _, c in calls])
    numbers, made = frozenset(n for n, _ in keys), recast(made, keys)
    labels = {n: m for n, m in made.meaning.items() if n in numbers and m[0] == "label"}
    if made.private and not numbers & made.homes:
        if len(labels) != 1 or not _added(calls, made):
            raise Refused("private rows are grouped without their unit")
        unit = min(made.units)
        every = grouped(made, [*keys, (unit, ("column", unit))], calls, facts, sure)
        step = Step("mixed", "units that the label does not name are one row", (every.step,))
        return replace(every, mixed=frozenset(n for n, _ in calls), step=step)
    exprs = [e for _, e in keys]
    most = group_rows(made, exprs) if made.private else made.rows
    known = World({("column", n): value(e, made.known) for n, e in keys})
    inputs: dict[Expr, int] = {}
    meaning: dict[int, Meaning] = {}
    for number, call in calls:
        found = aggregate(call, made, most, sure)
        if not exprs:
            counts = call[1] in ("count", "count_star")
            found = replace(found, low=Fraction(0), null=False) if counts else found.but(null=True)
        known[("column", number)] = found
        if call[2]:
            continue
        of_unit = [e for e in exprs if e[0] == "column" and made.anchors.get(e[1]) == UNIT]
        whole = made.origin if of_unit and len(exprs) == 1 else ""
        if call[1] == "count_star":
            meaning[number] = ("size", whole) if whole else ("size",)
        elif call[1] == "sum" and whole and (line := _absolute(call[3], made)):
            meaning[number] = ("norm", whole, line)
        elif call[1] == "list" and call[3][:2] == ("call", "hash"):
            meaning[number] = ("hashes",)
        elif call[1] in ("count", "sum"):
            index = inputs.setdefault(call[3], len(inputs))
            meaning[number] = (call[1], index) if call[1] == "count" else ("sum", index, "own")
        meaning.setdefault(number, ())
    most_of = (own(exprs, made), combined(exprs, made)) if made.private else (many(exprs, made),)
    rows = least(made.rows, *most_of)
    per = {of: n for of, n in made.per.items() if of <= numbers}
    per[numbers] = 1
    fixed, units = frozenset(n for n, e in keys if columns(e) <= made.fixed), numbers & made.units
    solid = {numbers, *(of for of in made.sure if of <= numbers)}
    if units:  # of one, the other fixed keys have one value
        per[short := numbers - (fixed - units)] = 1
        solid |= set() if all(made.at(c).null for c in units) else {short}
    listed = tuple((e, value(e, made.known)) for e in inputs)
    by = "by the unit and" if made.private else "by"
    text = f"{by} {len(keys)} keys; {made.bound(rows, 'groups')}"
    result = Relation(
        private=made.private,
        names=(),
        known=known,
        anchors={n: a for n, a in made.anchors.items() if n in numbers},
        homes=made.homes & numbers,
        owned=made.owned,
        rows=rows if exprs else 1,
        per=per,
        fixed=fixed,
        complete=made.complete and made.rows == 1,
        step=Step("group", text, (made.step,)),
        units_of=made.units_of,
        meaning={n: m for n, m in meaning.items() if m} | labels,
        tally=Tally(listed, made, made.rows, most) if made.private else None,
        sure=frozenset(solid),
        parts={of & numbers: n for of, n in told(keys, made).items()},
    )
    return settled(result, facts)


def _absolute(expr: Expr, made: Relation) -> Meaning:
    return made.means(expr[3]) if expr[:2] == ("call", "abs") else ()


def _added(calls: Items, made: Relation) -> bool:
    """Whether the values of several groups add up to that of all their rows."""
    return all(
        call[1] in ("count_star", "count")
        or (call[1] == "sum" and value(call[3], made.known).kind in ("whole", "exact"))
        for _, call in calls
    ) and not any(call[2] for _, call in calls)


def windowed(made: Relation, calls: Items, used: frozenset[int], certain: bool) -> Relation:
    """The rows with a column more for each window function; `used` are columns that are read above.

    Raises:
        Refused: a partition may be several units', or the order is not certain.
    """
    known, meaning = World(made.known), dict(made.meaning)
    fixed, per, sure = set(made.fixed), dict(made.per), set(made.sure)
    for number, call in calls:
        call = (*call[:3], tuple(bare(e, made) for e in call[3]), *call[4:])
        _, name, args, partition, order, frame = call
        parts = frozenset(e[1] for e in partition if e[0] == "column")
        if made.private and not parts & made.homes:
            raise Refused("a window is not partitioned by the unit")
        most = group_rows(made, partition) if made.private else made.rows
        if certain and not _certain(made, call, used):
            raise Refused("which row comes first in a window is not certain")
        known[("column", number)] = _window_value(name, args, made, most)
        if name == "row_number" and all(e[0] == "column" for e in partition):
            meaning[number] = ("place", parts)
            # No two rows of a partition have the same place; NULL makes one like other values.
            per[parts | {number}] = 1
            sure.add(parts | {number})
        plain = len(frame) == 3  # no end is an expression
        whole = plain and not order and not any(f.endswith("_ROWS") for f in frame[1:3])
        if _sizes(call, made) and whole:
            meaning[number] = ("unit total", made.part_of)
        elif _sizes(call, made) and frame[1:] == ("UNBOUNDED_PRECEDING", "CURRENT_ROW_ROWS"):
            meaning[number] = ("prefix", made.part_of)
        if name in CERTAIN and whole and frozenset().union(*map(columns, partition)) <= fixed:
            fixed.add(number)
    step = Step("window", "partitioned by the unit", (made.step,)) if made.private else made.step
    made = replace(made, known=known, meaning=meaning, fixed=frozenset(fixed), step=step)
    return replace(made, per=per, sure=frozenset(sure), origin="", part_of="")


def _certain(made: Relation, call: Expr, used: frozenset[int]) -> bool:
    """Whether a window's value is a function of the rows as they are used: of their order too,
    where it counts. What is unique where it is not NULL tells no rows apart that have NULL there.
    """
    _, name, args, partition, order, frame = call
    base = name.rstrip("*")
    exact = base not in ("sum", "avg") or value(args[0], made.known).kind in ("whole", "exact")
    ordered = name[-1] == "!" or (base in CERTAIN | VALUED and exact)  # "!" orders rows itself
    if name in RANKED or (ordered and not any(f.endswith("_ROWS") for f in frame[1:3])):
        return True
    told = frozenset(e[1] for e in (*partition, *(e for _, e in order)) if e[0] == "column")
    solid = {c for c in told if not made.at(c).null}
    apart = any(n <= 1 and of <= (told if of in made.sure else solid) for of, n in made.per.items())
    read = used | frozenset().union(*(columns(a) for a in args))
    return apart or read <= told


def _sizes(call: Expr, made: Relation) -> bool:
    """SUM(size) OVER (PARTITION BY unit …): of all its rows, or ROWS up to here in some order."""
    _, name, args, partition, *_ = call
    of_unit = partition in {(("column", c),) for c in made.units}
    return of_unit and name == "sum" and made.means(args[0])[:1] == ("size",)


def _window_value(name: str, args: Sequence[Expr], made: Relation, most: int | None) -> Value:
    if name in ("row_number", "rank", "dense_rank"):
        return Value(Fraction(1), Fraction(MANY_ROWS if most is None else most), False, "whole")
    if name == "ntile":
        return Value(Fraction(1), value(args[0], made.known).high, False, "whole")
    if name in ("percent_rank", "cume_dist"):
        return Value(Fraction(0), Fraction(1), False, "float")
    if name in ("lag", "lead", "first_value", "last_value"):
        ways = hull(value(a, made.known) for a in (*args[:1], *args[2:]))
        sure = len(args) > 2 and not value(args[1], made.known).null
        return ways.but(ways.null or not sure)
    if name not in AGGREGATES:
        if name in ORDERED or name in RANKED or not made.private:
            return Value()
        raise Refused(f"the window function {name} is not known")
    call = ("call", name if args else "count_star", False, *args)
    found = aggregate(call, made, most, made.private)
    if name in ("count", "count_star"):
        return replace(found, low=Fraction(0))
    return found.but(null=True)  # of an empty frame


def recast(made: Relation, items: Items) -> Relation:
    """A column that is cast and keeps its values, NULL where it was, is what it was to its unit,
    and tells as many rows apart: equal values were equal before.
    """
    if not (cast := {n: e for n, e in items if bare(e, made) != e}):
        return made if isinstance(made.known, World) else replace(made, known=World(made.known))
    same = {n: bare(e, made)[1] for n, e in cast.items()}
    anchors = {**made.anchors, **{n: made.anchors[c] for n, c in same.items() if c in made.anchors}}
    homes = made.homes | {n for n, c in same.items() if c in made.homes}
    known = World(made.known) | {("column", n): value(e, made.known) for n, e in cast.items()}
    per, sure = dict(made.per), made.sure
    for n, c in same.items():
        new = {of - {c} | {n}: of for of in per if c in of and n not in of}
        sure |= {also for also, of in new.items() if of in sure and also not in per}
        per = {also: per[of] for also, of in new.items()} | per
    return replace(made, known=World(known), per=per, sure=sure, homes=homes, anchors=anchors)


def projected(made: Relation, items: Sequence[tuple[str, int, Expr]], facts: Facts) -> Relation:
    """The named expressions; each with a number, a column's being its own."""
    made = recast(made, [(n, e) for _, n, e in items])
    known, fixed = World(made.known), set(made.fixed)
    for _, number, expr in items:
        if expr != ("column", number):
            known[("column", number)] = value(expr, made.known)
            found = choices(expr, made) if made.private else {MANY}
            once = len(found) <= 1 and MANY not in found and not known[("column", number)].null
            fixed |= {number} if once or (columns(expr) <= made.fixed and made.private) else set()
    names = tuple(("", name, number) for name, number, _ in items)
    parts = told([(n, e) for _, n, e in items], made)
    made = replace(made, known=known, fixed=frozenset(fixed), names=names, origin="", part_of="")
    return settled(replace(made, parts=parts), facts)


def distinct(made: Relation, facts: Facts) -> Relation:
    """Each row once: its columns are together unique."""
    numbers = made.numbers
    if made.private and not made.homes & numbers:
        raise Refused("private rows are told apart without their unit")
    step = Step("distinct", "each row of a unit once", (made.step,))
    once = grouped(made, [(n, ("column", n)) for n in sorted(numbers)], (), facts)
    return replace(once, names=made.names, tally=None, step=step)


def union(branches: Sequence[Relation], numbers: Numbers, facts: Facts) -> Relation:
    """UNION ALL of branches with equally many columns.

    Raises:
        Refused: some are private and some public, or their units are not in one column.
    """
    real = [b for b in branches if b.rows != 0 or b.private] or list(branches[:1])
    if len({b.private for b in real}) > 1:
        raise Refused("private and public rows are laid together")
    names = zip(*(b.names for b in branches), strict=True)
    lines = [[(b, c) for b, (_, _, c) in zip(branches, of, strict=True)] for of in names]
    if all(b.units for b in branches):
        lines.append([(b, min(b.units)) for b in branches])
    every: Columns = {next(numbers): of for of in lines}
    known = {("column", n): hull([b.at(c) for b, c in of]) for n, of in every.items()}
    kept = {n for n, of in every.items() if all(keeps(b.at(c), known["column", n]) for b, c in of)}
    at: Columns = {n: [(b, c) for b, c in of if b in real] for n, of in every.items()}
    anchors: dict[int, Anchor] = {}
    homes: set[int] = set()
    for n, of in at.items():
        filled = [(b, c) for b, c in of if b.at(c).count != 0] or of
        places = {b.anchors.get(c) for b, c in filled}
        if n in kept and len(places) == 1 and (place := places.pop()) is not None:
            anchors[n] = place
            homes |= {n} if all(c in b.homes for b, c in of) else set()
    if (private := real[0].private) and not homes:
        raise Refused("the units of a union's branches are not in one column")
    apart = _apart(real)
    counts = [b.rows for b in real if b.rows is not None]  # of one branch alone, where apart
    rows = None if len(counts) < len(real) else (max if apart else sum)(counts)
    per, sure = _union_per(real, {n: of for n, of in at.items() if n in kept}, apart)
    text = f"of {len(real)} branches" + (", no unit in two of them" if apart else "")
    text += f"; {real[0].bound(rows)}" if private else ""
    made = Relation(
        private=private,
        names=tuple(("", name, n) for n, (_, name, _) in zip(at, branches[0].names)),  # noqa: B905
        known=known,
        step=Step("union", text, tuple(b.step for b in real)),
        rows=rows,
        per=per,
        anchors=anchors,
        homes=frozenset(homes),
        owned=all(b.owned for b in real),
        fixed=frozenset(n for n, of in at.items() if apart and all(c in b.fixed for b, c in of)),
        sure=sure,
        parts={frozenset([n]): most for n in homes if (most := units_keys(anchors[n], facts))},
    )
    return settled(made, facts)


Columns = Mapping[int, Sequence[tuple[Relation, int]]]
"""Of each column of a union, where it is from."""


def _apart(branches: Sequence[Relation]) -> bool:
    """Whether no unit has rows in two branches."""
    return all(
        any((of, not whole) in b.units_of for of, whole in a.units_of)
        for i, a in enumerate(branches)
        for b in branches[:i]
    )


def _union_per(
    branches: Sequence[Relation], at: Columns, apart: bool
) -> tuple[dict[frozenset[int], int], frozenset[frozenset[int]]]:
    """Sets of columns that bound rows in every branch: together, or of a unit that is in one alone,
    as there.
    """
    found: dict[frozenset[int], int] = {}
    sure: set[frozenset[int]] = set()
    sides: list[dict[frozenset[int], tuple[int, bool]]] = []
    for i, branch in enumerate(branches):
        new = {of[i][1]: n for n, of in at.items()}
        kept = [of for of in branch.per if of <= new.keys()]
        renamed = {of: frozenset(new[c] for c in of) for of in kept}
        sides.append({renamed[of]: (branch.per[of], of not in branch.sure) for of in kept})
    units = {n for n, of in at.items() if of[0][1] in branches[0].units}
    for target in sides[0]:
        bounds = [[bound for of, bound in side.items() if of <= target] for side in sides]
        if all(bounds):
            most = [min(bound) for bound in bounds]
            one = apart and bool(target & units)
            found[target] = (max if one else sum)(n for n, _ in most)
            sure |= set() if any(unsure for _, unsure in most) else {target}
    return found, frozenset(sure)
