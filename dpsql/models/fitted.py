"""A fitted model: noisy parameters, and what can be made of them anywhere, at no cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpsql.errors import InvalidArgument
from dpsql.models import told
from dpsql.models.columns import Columns
from dpsql.models.literals import cases, constant, double, quoted
from dpsql.models.specification import LinearRegression
from dpsql.models.terms import Term
from dpsql.report.document import Document
from dpsql.report.figures import QueryCost
from dpsql.report.forms import Documented, Plain, plain
from dpsql.report.result import Answer

if TYPE_CHECKING:
    from sklearn.linear_model import LinearRegression as OfSklearn


@dataclass(frozen=True, slots=True)
class Estimate(Plain):
    """A number with its errors, in its own unit.

    Attributes:
        value: with noise.
        noise: the 95 % half-width of the noise: how far it is from the number that the same rows
            give without noise; None where it is not known.
        sampling: that of the sampling error: how far that number is from the one of all that the
            rows were drawn from; None where it is not known.
    """

    value: float
    noise: float | None
    sampling: float | None = None

    @property
    def low(self) -> float | None:
        """The lower end of the 95 % interval for both errors."""
        return None if self.both is None else self.value - self.both

    @property
    def high(self) -> float | None:
        """The upper end of the 95 % interval for both errors."""
        return None if self.both is None else self.value + self.both

    @property
    def both(self) -> float | None:
        """The half-width for both: they are independent, so their squares add up."""
        if self.noise is None or self.sampling is None:
            return None
        return float(np.hypot(self.noise, self.sampling))


class Fitted(Documented):
    """What is made of an answer, which is no part of its plain data."""

    __slots__ = ()

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        named = (f.name for f in fields(self) if f.name != "answer" and f.name[0] != "_")  # type: ignore[arg-type]
        return {name: plain(_keyed(getattr(self, name))) for name in named}


def _keyed(value: object) -> object:
    """A key as plain data has it."""
    usual = str | int | float | None
    if isinstance(value, tuple):
        return [part if isinstance(part, usual) else str(part) for part in value]
    if isinstance(value, Mapping):
        return {", ".join(map(str, k)) if isinstance(k, tuple) else k: v for k, v in value.items()}
    return value


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LinearModel(Fitted):
    """A linear regression with noisy parameters.

    Attributes:
        model: what was wanted.
        key: the group that it is of; nothing where there are none.
        intercept: b₀; None where there is none.
        coefficients: of each term, in order: a column, or `column = value` of a text.
        rows: how many rows it was fitted to.
        r2, rmse: of those rows: the part of the target's variance that is explained, and the root
            of the mean square that is left; None where noise leaves nothing of them.
        notes: what is to be known of it.
        answer: of the query that it is made of.
    """

    model: LinearRegression
    key: tuple[Any, ...]
    intercept: Estimate | None
    coefficients: Mapping[str, Estimate]
    rows: Estimate
    r2: Estimate | None
    rmse: Estimate | None
    notes: tuple[str, ...]
    answer: Answer = field(compare=False)
    _columns: Columns = field(compare=False)

    @property
    def coef(self) -> dict[str, float]:
        """The coefficients' values, by term."""
        return {name: found.value for name, found in self.coefficients.items()}

    @property
    def cost(self) -> QueryCost:
        """What the ledger was charged, for all groups together."""
        return self.answer.cost

    def to_sql(self) -> str:
        """The prediction as an expression of plain SQL over the columns: a DOUBLE; NULL where a
        column is NULL, or has a value that is not declared.
        """
        first = 0.0 if self.intercept is None else self.intercept.value
        parts = [double(first)]
        for column, terms in _by_column(self._columns):
            if column not in self._columns.values:
                parts.append(f"{double(self.coefficients[terms[0].name].value)} * {quoted(column)}")
                continue
            made = {term.level: self.coefficients[term.name].value for term in terms}
            every = self._columns.values[column]
            parts.append(cases(quoted(column), [(v, double(made.get(v, 0.0))) for v in every]))
        return "(" + " + ".join(parts) + ")"

    def predict(self, frame: Any) -> NDArray[np.float64]:
        """The predictions for the rows of a frame, or of a mapping of columns.

        Raises:
            InvalidArgument: a column is missing.
        """
        first = 0.0 if self.intercept is None else self.intercept.value
        found: NDArray[np.float64] | None = None
        for column, terms in _by_column(self._columns):
            values = column_of(frame, column)
            if column not in self._columns.values:
                own = values.astype(float) * self.coefficients[terms[0].name].value
            else:
                own = np.full(len(values), np.nan)
                made = {term.level: self.coefficients[term.name].value for term in terms}
                for value in self._columns.values[column]:
                    own[values == value] = made.get(value, 0.0)
            found = own if found is None else found + own
        assert found is not None
        return found + first

    def to_sklearn(self) -> OfSklearn:
        """A scikit-learn LinearRegression with these parameters; its features are the terms.

        Raises:
            ImportError: scikit-learn is missing (`pip install scikit-learn`).
        """
        from sklearn.linear_model import LinearRegression as OfSklearn

        made = OfSklearn(fit_intercept=self.intercept is not None)
        made.coef_ = np.array(list(self.coef.values()))
        made.intercept_ = 0.0 if self.intercept is None else self.intercept.value
        made.n_features_in_ = len(made.coef_)
        made.feature_names_in_ = np.array(list(self.coef), dtype=object)
        return made

    def _document(self) -> Document:
        return told.model(self)

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LinearModels(Fitted):
    """A linear regression for each group.

    Attributes:
        model: what was wanted.
        groups: the models, by their keys: tuples of the values of `by`.
        answer: of the query that they are made of.
    """

    model: LinearRegression
    groups: Mapping[tuple[Any, ...], LinearModel]
    answer: Answer = field(compare=False)
    _columns: Columns = field(compare=False)

    def __len__(self) -> int:
        return len(self.groups)

    def __iter__(self) -> Iterator[LinearModel]:
        return iter(self.groups.values())

    def __getitem__(self, key: object) -> LinearModel:
        """The model of a group: by its value, or by a tuple of several.

        Raises:
            KeyError: there is no such group.
        """
        return self.groups[key if isinstance(key, tuple) else (key,)]

    @property
    def cost(self) -> QueryCost:
        """What the ledger was charged."""
        return self.answer.cost

    def to_sql(self) -> str:
        """The prediction of each row's own group as an expression of plain SQL; NULL for others."""
        parts = []
        for key, found in self.groups.items():
            pairs = zip(self.model.by, key, strict=True)
            if any(value is None for value in key):
                continue
            own = " AND ".join(f"{quoted(name)} = {constant(value)}" for name, value in pairs)
            parts.append(f"WHEN {own} THEN {found.to_sql()}")
        return f"CASE {' '.join(parts)} END"

    def predict(self, frame: Any) -> NDArray[np.float64]:
        """The predictions for the rows of a frame; NaN for groups that are none.

        Raises:
            InvalidArgument: a column is missing.
        """
        keys = [column_of(frame, name) for name in self.model.by]
        made = np.full(len(keys[0]), np.nan)
        for key, found in self.groups.items():
            rows = np.logical_and.reduce([c == v for c, v in zip(keys, key, strict=True)])
            made[rows] = found.predict(frame)[rows]
        return made

    def _document(self) -> Document:
        return told.models(self)

    def __repr__(self) -> str:
        return str(self)


def column_of(frame: Any, name: str) -> NDArray[Any]:
    """A column of a frame, or of a mapping.

    Raises:
        InvalidArgument: it has none.
    """
    try:
        return np.asarray(frame[name])
    except (KeyError, IndexError, TypeError, ValueError):
        pass
    raise InvalidArgument(f"the rows have no column {name}")


def _by_column(columns: Columns) -> list[tuple[str, list[Term]]]:
    found: dict[str, list[Term]] = {}
    for term in columns.terms:
        found.setdefault(term.column, []).append(term)
    return list(found.items())
