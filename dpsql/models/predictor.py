"""b₀ + Σ b·x of a row: as SQL, and of a frame. The b are those of terms, the rows the analyst's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpsql.errors import InvalidArgument
from dpsql.models.columns import Columns
from dpsql.models.estimates import column_of, numbers_of, where
from dpsql.models.literals import cases, double, quoted

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Predictor:
    """A linear function of the columns.

    Attributes:
        columns: the features.
        intercept: b₀.
        coefficients: of each term, by its name.
    """

    columns: Columns
    intercept: float
    coefficients: Mapping[str, float]

    def sql(self) -> str:
        """As an expression of plain SQL over the columns: a DOUBLE; NULL where a column is NULL, or
        has a value that is not declared.
        """
        parts = [double(self.intercept)]
        for column, terms in self.columns.by_column.items():
            if column not in self.columns.values:
                parts.append(f"{double(self.coefficients[terms[0].name])} * {quoted(column)}")
                continue
            made = {term.level: self.coefficients[term.name] for term in terms}
            every = self.columns.values[column]
            parts.append(cases(quoted(column), [(v, double(made.get(v, 0.0))) for v in every]))
        return "(" + " + ".join(parts) + ")"

    def values(self, frame: Any) -> Array:
        """Of the rows of a frame, or of a mapping of columns.

        Raises:
            InvalidArgument: a column is missing, is none of numbers, or has another number of rows.
        """
        found: Array | None = None
        for column, terms in self.columns.by_column.items():
            if column not in self.columns.values:
                own = numbers_of(frame, column) * self.coefficients[terms[0].name]
            else:
                values = column_of(frame, column)
                own = np.full(len(values), np.nan)
                made = {term.level: self.coefficients[term.name] for term in terms}
                for value in self.columns.values[column]:
                    own[where(values, value)] = made.get(value, 0.0)
            if found is not None and len(found) != len(own):
                raise InvalidArgument(f"the column {column} has another number of rows")
            found = own if found is None else found + own
        assert found is not None
        return found + self.intercept
