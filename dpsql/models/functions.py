"""The functions of SQL that are models: what they take, and what was fitted as rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from dpsql.models.clusters.fitted import KMeansModel
from dpsql.models.clusters.specification import KMeans
from dpsql.models.estimates import Estimate
from dpsql.models.generalised.specification import LogisticRegression, PoissonRegression
from dpsql.models.linear.specification import LinearRegression
from dpsql.models.wanted import Specification
from dpsql.report.figures import cell

AT_95 = "how far it is off is known at 95 % alone"
GRIDS = "lost in noise in the last query, and the grid's; or at another confidence than 95 %"
SAMPLING = "the half-width at 95 % of the sampling error, made of noisy numbers"


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
    rows: tuple[tuple[tuple[object, ...], tuple[Estimate | str | float | None, ...]], ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Function:
    """A function that is a model.

    Attributes:
        wanted: makes its specification.
        arguments: the names of what it takes, in order; `features` is a list.
        table: what was fitted, as rows.
        grouped: whether there is a model for each group.
    """

    wanted: Callable[..., Specification[Any]]
    arguments: tuple[str, ...]
    table: Callable[[Any], Table]
    grouped: bool = True

    @property
    def options(self) -> tuple[str, ...]:
        """What it takes by name."""
        named = (field.name for field in fields(self.wanted))  # type: ignore[arg-type]
        return tuple(name for name in named if name not in {*self.arguments, "by"})


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


FUNCTIONS: Mapping[str, Function] = {
    "dp_kmeans": Function(KMeans, ("features",), centres, grouped=False),
    "dp_linear_regression": Function(LinearRegression, ("target", "features"), coefficients),
    "dp_logistic_regression": Function(LogisticRegression, ("target", "features"), coefficients),
    "dp_poisson_regression": Function(PoissonRegression, ("target", "features"), coefficients),
}
"""By their names in SQL."""
