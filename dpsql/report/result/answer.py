"""The answer to one query, and to several that were declared together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

from dpsql.execution.accuracy import Accuracy
from dpsql.execution.loaded import CONFIDENCE
from dpsql.execution.processing import Reused
from dpsql.platform.policy.messages import did_you_mean
from dpsql.report import page, plaintext
from dpsql.report.document import Document, Said
from dpsql.report.explanation import Explanation, QueryCost
from dpsql.report.figures import shortened
from dpsql.report.result import frames
from dpsql.report.result.answer_document import COLUMNS, document, looked_at

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from matplotlib.figure import Figure


LISTED, LONG_NAME = 20, 60
"""So many columns, and so many characters of a name, an error shows."""


class ColumnError(KeyError):
    """There is no such column in the answer. Its text is not quoted, as that of a KeyError is."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Answer:
    """The answer to a query.

    Attributes:
        columns: the output columns' names.
        rows: their values; noisy where `intervals` says so.
        intervals: for each value its 95 % half-width in the value's unit, of moments, times of day
            and differences of them in seconds; None for keys, for exact
            values, and where it is not known.
        types: the columns' SQL types.
        cost: what the ledger was charged; nothing where a stored answer was given again.
        explanation: why that is private.
        reused: the stored answer that it was made from, at no cost; None where noise was drawn.
        accuracy: what the half-widths are made of; None where all is public.
        notes: where rows are made of the numbers that were released, what is to be known of them;
            None where they are these numbers.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    intervals: tuple[tuple[float | None, ...], ...]
    types: tuple[str, ...]
    cost: QueryCost
    explanation: Explanation
    reused: Reused | None = None
    accuracy: Accuracy | None = None
    notes: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def __getitem__(self, column: str) -> tuple[Any, ...]:
        """The values of a column; of the first, where several have the name.

        Raises:
            KeyError: there is no such column.
        """
        position = self._position(column)
        return tuple(row[position] for row in self.rows)

    def interval(
        self, column: str, confidence: float | Decimal = CONFIDENCE
    ) -> tuple[float | None, ...]:
        """The half-widths of a column: how far off each of its values is at most, with that
        probability.

        Exact for the discrete noise of sums and counts: the smallest half-width that holds.
        Approximate for what is not linear in its noise, such as averages and ratios. Of rows that
        noise has selected, by HAVING or by ORDER BY with LIMIT, those of all groups at once.

        Args:
            column: its name; the first, where several have it.
            confidence: between 0 and 1.

        Returns:
            One for each row, in the column's unit; None for keys, for exact values, and where it is
            not known. At 0.95 those of `intervals`.

        Raises:
            KeyError: there is no such column.
            TypeError: the confidence is no number.
            ValueError: the confidence is not between 0 and 1.
        """
        position, wanted = self._position(column), _confidence(confidence)
        stored = tuple(line[position] for line in self.intervals)
        if wanted == CONFIDENCE or all(width is None for width in stored):
            return stored
        if self.accuracy is None:
            raise ValueError("of an answer made by hand only the 95 % half-widths are known")
        return self.accuracy.widths(position, wanted)

    @property
    def noisy(self) -> tuple[bool, ...]:
        """Of each column whether it may hold noise; what holds none is exact."""
        if self.accuracy is not None:
            return self.accuracy.noisy
        places = range(len(self.columns))
        return tuple(any(line[i] is not None for line in self.intervals) for i in places)

    @property
    def reasons(self) -> tuple[str | None, ...]:
        """Of each column why half-widths are not known, in a few words; None where they are, where
        there is no noise, or where there is too much.
        """
        told = () if self.accuracy is None else self.accuracy.why
        return told or (None,) * len(self.columns)

    def plot(self, *measures: str) -> Figure:
        """A picture: bars or a line of each measure, with its 95 % intervals.

        Columns without noise are keys, one or two of them: of texts and truths there are bars, of
        numbers and dates a line; a second key makes bars side by side, or a line each.

        Args:
            measures: the numeric columns to draw; by default all that may hold noise, or else all
                that are no keys.

        Raises:
            ValueError: there is nothing to draw, or it has more than two keys.
            KeyError: there is no such column.
            ImportError: matplotlib is missing (`pip install "dpsql[plot]"`).
        """
        from dpsql.report.result.chart import picture

        return picture(self, tuple(self._position(name) for name in measures))

    def to_arrow(self, *, intervals: bool = False) -> pyarrow.Table:
        """The rows as an Arrow table, typed by `types`; a repeated name `n` becomes `n_2`.

        Args:
            intervals: whether each number n that may hold noise is followed by the ends of its 95 %
                interval, n_low and n_high: DOUBLEs, NULL where they are not known.

        Raises:
            ImportError: pyarrow is missing (`pip install "dpsql[arrow]"`).
        """
        return frames.to_arrow(self, intervals)

    def to_pandas(self, *, intervals: bool = False) -> pandas.DataFrame:
        """The rows as a pandas frame; whole numbers and booleans stay so beside NULLs.

        Args:
            intervals: see `to_arrow`.

        Raises:
            ImportError: pandas or pyarrow is missing (`pip install "dpsql[pandas]"`).
        """
        return frames.to_pandas(self, intervals)

    def to_polars(self, *, intervals: bool = False) -> polars.DataFrame:
        """The rows as a polars frame.

        Args:
            intervals: see `to_arrow`.

        Raises:
            ImportError: polars or pyarrow is missing (`pip install "dpsql[polars]"`).
        """
        return frames.to_polars(self, intervals)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows for any library that speaks Arrow's C stream interface."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __str__(self) -> str:
        return plaintext.text(document(self))

    def __repr__(self) -> str:
        return plaintext.text(document(self, looked_at(self)))

    def _repr_html_(self) -> str:
        """The answer as an HTML table, for notebooks; every text is escaped."""
        return page.fragment(document(self, looked_at(self), COLUMNS))

    def _position(self, column: str) -> int:
        if column in self.columns:
            return self.columns.index(column)
        raise ColumnError(_unknown(column, self.columns))


@dataclass(frozen=True, slots=True)
class Batch:
    """The answers to queries that were declared together, in their order.

    Attributes:
        answers: each says its own cost.
        cost: of all together: what the ledger was charged.
    """

    answers: tuple[Answer, ...]
    cost: QueryCost

    def __len__(self) -> int:
        return len(self.answers)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.answers)

    def __getitem__(self, number: int) -> Answer:
        """An answer, from 0.

        Raises:
            IndexError: there are not so many.
        """
        return self.answers[number]

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.answers), self._total])

    def __repr__(self) -> str:
        return "\n\n".join([*map(repr, self.answers), self._total])

    def _repr_html_(self) -> str:
        """All answers, for notebooks."""
        every = (document(answer, looked_at(answer), COLUMNS) for answer in self.answers)
        return page.fragment(*every, Document("", (Said(self._total),)))

    @property
    def _total(self) -> str:
        return f"({len(self)} answers, {self.cost})"


def _unknown(column: object, columns: tuple[str, ...]) -> str:
    """What there is instead of a column."""
    names = [shortened(name, LONG_NAME) for name in columns]
    if isinstance(column, str):
        said = f"no column {shortened(column, LONG_NAME)}"
        said += did_you_mean(column[:LONG_NAME], reversed(names))
    else:
        said = "a column is asked for by its name, a row by answer.rows[number]"
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"{said} (the columns are {', '.join(names[:LISTED])}{more})"


def _confidence(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        raise TypeError("a confidence is a number between 0 and 1")
    try:
        found = float(value)
    except (ValueError, OverflowError):  # a signalling NaN; more than a float can be
        found = 0.0
    if not 0 < found < 1:
        raise ValueError("a confidence is between 0 and 1, such as 0.95")
    return found
