"""What the analyst gets: noisy rows, how far each may be off, and what they cost."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpsql.explanation import Explanation, QueryCost

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The answer to a query.

    Attributes:
        columns: the output columns' names.
        rows: their values; noisy where `intervals` says so.
        intervals: for each value its 95 % half-width in the value's unit; None for keys, for exact
            values, and where it is not known.
        types: the columns' SQL types.
        cost: what the ledger was charged.
        explanation: why that is private.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    intervals: tuple[tuple[float | None, ...], ...]
    types: tuple[str, ...]
    cost: QueryCost
    explanation: Explanation

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def __getitem__(self, column: str) -> tuple[Any, ...]:
        """The values of a column.

        Raises:
            KeyError: there is no such column.
        """
        if column not in self.columns:
            raise KeyError(column)
        position = self.columns.index(column)
        return tuple(row[position] for row in self.rows)

    def to_arrow(self) -> pyarrow.Table:
        """The rows as an Arrow table. Needs pyarrow (`pip install dpsql[arrow]`)."""
        import pyarrow

        names = _distinct(self.columns)
        arrays = [pyarrow.array([row[i] for row in self.rows]) for i in range(len(names))]
        return pyarrow.table(arrays, names=names)

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a pandas frame. Needs pandas (`pip install dpsql[pandas]`)."""
        import pandas

        return pandas.DataFrame(list(self.rows), columns=_distinct(self.columns))

    def to_polars(self) -> polars.DataFrame:
        """The rows as a polars frame. Needs polars (`pip install dpsql[polars]`)."""
        import polars

        frame = polars.from_arrow(self.to_arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows for any library that speaks Arrow's C stream interface."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __str__(self) -> str:
        return "\n".join([*table_lines(self), f"({len(self.rows)} rows, {self.cost})"])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(c)}</th>" for c in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>"
            for line in cells(self)
        )
        note = html.escape(f"{len(self.rows)} rows, {self.cost}; ± at 95 %")
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{note}</p>"


def cells(answer: Answer) -> list[list[str]]:
    """Every value as text, with its half-width."""
    return [
        [cell(value, width) for value, width in zip(row, widths, strict=True)]
        for row, widths in zip(answer.rows, answer.intervals, strict=True)
    ]


def cell(value: object, width: float | None) -> str:
    """One value as text; a noisy number is rounded for show to the size of its half-width."""
    if value is None:
        return "NULL"
    if width is None or isinstance(value, bool | str):
        return f"{value:g}" if isinstance(value, float) else str(value)
    places = 0 if isinstance(value, int) or width >= 10 else 2 if width >= 0.1 else 6
    number = float(value) if not isinstance(value, int) else value  # type: ignore[arg-type]
    return f"{number:,.{places}f} ± {width:,.{places}f}"


def table_lines(answer: Answer) -> list[str]:
    """The answer as an aligned text table."""
    body = cells(answer)
    widths = [
        max([len(name), *(len(line[i]) for line in body)]) for i, name in enumerate(answer.columns)
    ]
    head = "  ".join(n.ljust(w) for n, w in zip(answer.columns, widths, strict=True)).rstrip()
    rule = "  ".join("-" * w for w in widths)
    lines = ["  ".join(c.rjust(w) for c, w in zip(line, widths, strict=True)) for line in body]
    return [head, rule, *lines]


def _distinct(names: tuple[str, ...]) -> list[str]:
    """Names without repetition: the second `n` is `n_2`."""
    result: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in result:
            number += 1
            candidate = f"{name}_{number}"
        result.append(candidate)
    return result
