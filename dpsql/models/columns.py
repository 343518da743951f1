"""What is public of the columns of a relation: types, bounds, values.

All is asked for as any analyst may: DESCRIBE is free, and `explain` reads no private row. So bounds
are those that dpsql itself infers for a sum, and a column without is rejected in its own words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpsql.compile import ReleasedQuery
from dpsql.core.plan.expr import Ref
from dpsql.errors import InvalidArgument
from dpsql.models.literals import constant, quoted
from dpsql.models.model_queries import Asked, shown_in
from dpsql.models.terms import Term, levels, number, truth
from dpsql.models.wanted import Specification
from dpsql.proven import PublicQuery
from dpsql.report.explanation import Explanation
from dpsql.types import INTEGER_BITS, UNSIGNED_BITS, Scalar, Type

MOST_LEVELS = 50
"""Values of a text that get terms; the sums grow with the square of the terms."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The features of a model.

    Attributes:
        terms: the x, in the order of the features.
        values: of each feature with levels all of them, the first one too.
        conditions: SQL, of the rows that count.
    """

    terms: tuple[Term, ...]
    values: Mapping[str, tuple[Scalar, ...]]
    conditions: tuple[str, ...]

    @property
    def by_column(self) -> dict[str, list[Term]]:
        """The terms of each feature."""
        found: dict[str, list[Term]] = {}
        for term in self.terms:
            found.setdefault(term.column, []).append(term)
        return found


@dataclass(frozen=True, slots=True)
class Supervised(Columns):
    """Features, and a target that is a number.

    Attributes:
        target: y.
    """

    target: Term


@dataclass(frozen=True, slots=True)
class Labelled(Columns):
    """Features, and a target that is one of some values.

    Attributes:
        label: the column.
        classes: its values.
    """

    label: str
    classes: tuple[Scalar, ...]


def columns_of(db: Asked, sql: str, wanted: Specification[object]) -> Columns:
    """What is public of the features in a relation.

    Raises:
        Rejected: the relation is not accepted, or a number has no bounds.
        InvalidArgument: a column is not there, or cannot be a feature.
    """
    kinds = _types(db, sql)
    made, values, conditions = _read(db, sql, kinds, wanted.features, wanted)
    return Columns(tuple(t for found in made.values() for t in found), values, conditions)


def supervised(db: Asked, sql: str, target: str, wanted: Specification[object]) -> Supervised:
    """The same, with a target.

    Raises:
        Rejected, InvalidArgument: see `columns_of`; or a target that is no number.
    """
    kinds = _types(db, sql)
    name = _found(target, kinds)
    if not (_counts(name, kinds) or kinds[name.lower()][1].is_boolean):
        raise InvalidArgument(f"{name} is no number, and cannot be the target")
    made, values, conditions = _read(db, sql, kinds, (target, *wanted.features), wanted)
    (y,) = made.pop(name)
    terms = tuple(t for found in made.values() for t in found)
    return Supervised(terms, values, conditions, y)


def targeted(
    db: Asked,
    sql: str,
    target: str,
    wanted: Specification[object],
    classes: tuple[Scalar, ...] | None,
) -> Supervised | Labelled:
    """The same, with a target that is a number; or a class, where it is a truth, a text, or named
    in `categorical`, or where classes are given, which are its values then.
    """
    kinds = _types(db, sql)
    name = _found(target, kinds)
    grouped = {one.lower() for one in wanted.categorical}
    if classes is None and _counts(name, kinds) and name.lower() not in grouped:
        return supervised(db, sql, target, wanted)
    own = (target,) if classes is None else ()
    made, values, conditions = _read(db, sql, kinds, (*own, *wanted.features), wanted)
    made.pop(name, None)
    terms = tuple(t for found in made.values() for t in found)
    if classes is None:
        return Labelled(terms, values, conditions, name, values[name])
    listed = ", ".join(map(constant, classes))
    conditions += (f"{quoted(name)} IN ({listed})",)
    return Labelled(terms, values, conditions, name, classes)


def _read(
    db: Asked,
    sql: str,
    kinds: Mapping[str, tuple[str, Type]],
    wanted: Sequence[str],
    model: Specification[object],
) -> tuple[dict[str, tuple[Term, ...]], dict[str, tuple[Scalar, ...]], tuple[str, ...]]:
    """The terms of columns, the values of those that have levels, and the rows that count."""
    names = [_found(name, kinds) for name in wanted]
    for name in model.by:
        _found(name, kinds)
    grouped = {name.lower() for name in model.categorical}
    bounds = _bounds(db, sql, [n for n in names if _counts(n, kinds) and n.lower() not in grouped])
    made: dict[str, tuple[Term, ...]] = {}
    values: dict[str, tuple[Scalar, ...]] = {}
    conditions: list[str] = []
    for name in names:
        if name in bounds:
            made[name] = (_number(name, kinds[name.lower()][1], bounds[name]),)
            finite = kinds[name.lower()][1].is_float
            conditions += [f"{quoted(name)} IS NOT NULL"]
            conditions += [f"isfinite({quoted(name)})"] if finite else []
        elif kinds[name.lower()][1].is_boolean and name.lower() not in grouped:
            made[name], values[name] = (truth(name),), (False, True)
            conditions.append(f"{quoted(name)} IS NOT NULL")
        else:
            values[name] = _levels(db, sql, name, kinds[name.lower()][1], name.lower() in grouped)
            made[name] = levels(name, values[name])
            listed = ", ".join(map(constant, values[name]))
            conditions.append(f"{quoted(name)} IN ({listed})")
    called = Counter(term.name for terms in made.values() for term in terms)
    if twice := [name for name, number in called.items() if number > 1]:
        raise InvalidArgument(f"two terms are called {twice[0]!r}: rename a column with AS")
    return made, values, tuple(conditions)


def is_public(explained: Explanation) -> bool:
    """Whether no private row is read: the answer is exact, and free."""
    return isinstance(explained._compiled.query, PublicQuery)


def released(explained: Explanation) -> ReleasedQuery:
    """The query over private rows that is explained.

    Raises:
        InvalidArgument: it reads none, or reads numbers that were released before.
    """
    query = explained._compiled.query
    if isinstance(query, PublicQuery) or not query.releases:
        raise InvalidArgument("all of it is public: any library may read it, and fit to it")
    if len(query.releases) != 1 or query.trace is None:
        raise InvalidArgument("a model is fitted to rows, not to numbers that have noise already")
    return query


def type_of(db: Asked, sql: str, column: str) -> Type:
    """The type of a column of a relation.

    Raises:
        Rejected: the relation is not accepted.
        InvalidArgument: it is not there.
    """
    kinds = _types(db, sql)
    return kinds[_found(column, kinds).lower()][1]


def _types(db: Asked, sql: str) -> dict[str, tuple[str, Type]]:
    """The columns, by their names in small letters: as they are written, and their types."""
    asked = f"DESCRIBE {sql}"
    with shown_in(sql, asked):
        rows = db.run(asked, 1).rows
    found: dict[str, tuple[str, Type]] = {}
    for row in rows:
        name = str(row[0])
        if name.lower() in found:
            raise InvalidArgument(f"two columns of the query are called {name}")
        found[name.lower()] = (name, _type(str(row[1])))
    return found


def _type(text: str) -> Type:
    name, _, inner = text.partition("(")
    if name == "DECIMAL":
        precision, scale = inner.rstrip(")").split(",")
        return Type(name, int(precision), int(scale))
    return Type(name)


def _found(name: str, kinds: Mapping[str, tuple[str, Type]]) -> str:
    if name.lower() not in kinds:
        there = ", ".join(known for known, _ in kinds.values())
        raise InvalidArgument(f"the query has no column {name}; it has {there}")
    return kinds[name.lower()][0]


def _counts(name: str, kinds: Mapping[str, tuple[str, Type]]) -> bool:
    kind = kinds[name.lower()][1]
    return kind.is_float or kind.is_decimal or kind.name in {*INTEGER_BITS, *UNSIGNED_BITS}


def _bounds(db: Asked, sql: str, names: list[str]) -> dict[str, tuple[Fraction, Fraction]]:
    """Of each number where it is, as dpsql infers it for a sum."""
    if not names:
        return {}
    sums = ", ".join(f"SUM({quoted(name)})" for name in names)
    asked = f"SELECT {sums} FROM (\n{sql}\n) AS r"
    with shown_in(sql, asked):
        query = released(db.explain(asked, 1, clipping="declared"))
    (point,) = query.releases
    assert query.trace is not None
    places = {Ref(output.column): output.argument for output in point.outputs}
    found: dict[str, tuple[Fraction, Fraction]] = {}
    for name, made in zip(names, query.trace.outputs, strict=True):
        place = places.get(made) if isinstance(made, Ref) else None
        if place is None:  # a type that a cast makes of it
            raise InvalidArgument(f"the bounds of {name} are not found; cast it to DOUBLE")
        values = point.arguments[place].values
        found[name] = Fraction(values.low), Fraction(values.high)
    return found


def _number(name: str, kind: Type, bounds: tuple[Fraction, Fraction]) -> Term:
    if not bounds[0] < bounds[1]:
        raise InvalidArgument(f"{name} has one value, by its bounds: leave it out")
    return number(name, kind, *bounds)


def _levels(db: Asked, sql: str, name: str, kind: Type, grouped: bool) -> tuple[Scalar, ...]:
    """The public values of a column."""
    if not (grouped or kind.is_string):
        help = "write a number, such as EXTRACT(year FROM x), or name it in categorical"
        raise InvalidArgument(f"{name} is a {kind.name}, which is no number: {help}")
    asked = f"SELECT {quoted(name)}, COUNT(*) FROM (\n{sql}\n) AS r GROUP BY 1"
    with shown_in(sql, asked):
        query = released(db.explain(asked, 1, 0, clipping="declared"))
    listed = query.releases[0].domain.listed
    if not listed:
        help = f"CASE {name} WHEN 'a' THEN 'a' WHEN 'b' THEN 'b' END AS {name}"
        raise InvalidArgument(f"the values of {name} are not listed: write {help} in the query")
    values = tuple(value for value in listed[0].values if value is not None)
    if not 2 <= len(values) <= MOST_LEVELS:
        raise InvalidArgument(
            f"the values of {name} are {len(values)} here: a feature has 2 to {MOST_LEVELS}"
        )
    return values
