"""What was fitted as rows of SQL: which columns they have, and how far off their numbers are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any

import numpy as np

from dpsql.models.clusters.fitted import KMeansModel
from dpsql.models.estimates import Estimate
from dpsql.models.factors.fitted import FactorModel
from dpsql.models.trees.fitted import Tree
from dpsql.report.figures import cell
from dpsql.types import Scalar

AT_95 = "how far it is off is known at 95 % alone"
GRIDS = "lost in noise in the last query, and the grid's; or at another confidence than 95 %"
SAMPLING = "the half-width at 95 % of the sampling error, made of noisy numbers"
QUESTIONS = "made of questions that noisy numbers chose"
MOST_OFTEN = "the class that noisy numbers have most of"
ABOVE = "noise hides the leaf, which says what is said above it; or at another confidence"
ROUNDS = "made of noisy sums of several rounds, and held back where noise hides it"
KEPT = "the part of the variance that is no noise"

TYPES: Mapping[type, str] = {
    bool: "BOOLEAN",
    int: "BIGINT",
    str: "VARCHAR",
    date: "DATE",
    datetime: "TIMESTAMP",
}
"""Of columns of values that are of one type."""
MOST = 2**63

Value = Estimate | Scalar | float | None


@dataclass(frozen=True, slots=True)
class Table:
    """A fitted model as rows; its keys stand before these columns.

    Attributes:
        columns: each with its type; and of one that holds noise, why a half-width is not known
            where none is, such as at another confidence.
        rows: with the key of the group before the values; None is NULL.
        notes: what is to be known.
    """

    columns: tuple[tuple[str, str, str | None], ...]
    rows: tuple[tuple[tuple[object, ...], tuple[Value, ...]], ...]
    notes: tuple[str, ...]


def coefficients(found: Any) -> Table:
    """A row for each term of a regression, or of each group's."""
    models = [*found.groups.values()] if hasattr(found, "groups") else [found]
    columns = (
        ("term", "VARCHAR", None),
        ("coefficient", "DOUBLE", AT_95),
        ("sampling", "DOUBLE", SAMPLING),
        ("rows", "DOUBLE", AT_95),
    )
    rows = []
    notes: dict[str, list[str]] = {}
    for one in models:
        first = {} if one.intercept is None else {"intercept": one.intercept}
        for term, made in [*first.items(), *one.coefficients.items()]:
            rows.append((one.key, (term, made, made.sampling, one.rows)))
        for note in one.notes:
            notes.setdefault(note, []).append(" ".join(cell(part, None)[0] for part in one.key))
    of_all = len(models)
    said = (n if len(of) == of_all else f"{', '.join(of)}: {n}" for n, of in notes.items())
    return Table(columns, tuple(rows), tuple(said))


def centres(found: KMeansModel) -> Table:
    """A row for each feature of each cluster."""
    columns = (
        ("cluster", "INTEGER", None),
        ("term", "VARCHAR", None),
        ("centre", "DOUBLE", GRIDS),
        ("rows", "DOUBLE", AT_95),
    )
    rows = tuple(
        ((), (one.number, term, made, one.size))
        for one in found.clusters
        for term, made in one.centre.items()
    )
    return Table(columns, rows, found.notes)


def leaves(found: Tree) -> Table:
    """A row for each leaf: what holds of its rows, as SQL over the columns, and what it says."""
    kind, told = typed(found.classes)
    said = (("class", kind, MOST_OFTEN), ("share", "DOUBLE", ABOVE)) if found.classes else ()
    columns = (
        ("leaf", "INTEGER", None),
        ("condition", "VARCHAR", QUESTIONS),
        *(said or (("mean", "DOUBLE", ABOVE),)),
        ("rows", "DOUBLE", AT_95),
    )
    rows: list[tuple[tuple[object, ...], tuple[Value, ...]]] = []
    pairs = zip(found.leaves, found.conditions, strict=True)
    for number, (node, condition) in enumerate(pairs):
        mean = max(node.shares) if node.shares else float(node.value)  # type: ignore[arg-type]
        own = (told(node.value),) if found.classes else ()
        values = (number, condition, *own, Estimate(mean, node.error), node.rows)
        rows.append(((), values))
    return Table(columns, tuple(rows), found.notes)


def factors(found: FactorModel) -> Table:
    """A row for each item: a user's rating of it is `bias`, and the factors times the user's."""
    kind, told = typed(found.items)
    wide = found.factors.shape[1]
    columns = (
        ("item", kind, None),
        ("bias", "DOUBLE", ROUNDS),
        *((f"factor{place + 1}", "DOUBLE", ROUNDS) for place in range(wide)),
        ("seen", "DOUBLE", KEPT),
        ("ratings", "DOUBLE", AT_95),
    )
    biases = found.biases + float(found._columns.target.centre)
    each = np.column_stack([biases, found.factors, found.seen]).tolist()
    ratings = [Estimate(float(many), found.noise) for many in found.ratings]
    rows = tuple(
        ((), (told(item), *numbers, many))
        for item, numbers, many in zip(found.items, each, ratings, strict=True)
    )
    return Table(columns, rows, found.notes)


def typed(values: Sequence[Scalar]) -> tuple[str, Callable[[Any], Any]]:
    """The type of a column of such values, and what is told of one; of mixed ones, their text."""
    kinds = {type(value) for value in values}
    if any(isinstance(value, int) and not -MOST <= value < MOST for value in values):
        return "VARCHAR", str
    if len(kinds) == 1 and (kind := TYPES.get(kinds.copy().pop())):
        return kind, lambda value: value
    return ("DOUBLE", float) if Fraction in kinds <= {int, Fraction} else ("VARCHAR", str)
