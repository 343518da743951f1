"""What the analyst gets: noisy rows, how far each may be off, and what they cost."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from dpsql.execution.processing import Reused
from dpsql.explanation import Explanation, QueryCost
from dpsql.policy.sqltypes import parse_type

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
        cost: what the ledger was charged; nothing where a stored answer was given again.
        explanation: why that is private.
        reused: the stored answer that it was made from, at no cost; None where noise was drawn.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    intervals: tuple[tuple[float | None, ...], ...]
    types: tuple[str, ...]
    cost: QueryCost
    explanation: Explanation
    reused: Reused | None = None

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
        """The rows as an Arrow table, typed by `types`; a repeated name `n` becomes `n_2`.

        Raises:
            ImportError: pyarrow is missing (`pip install "dpsql[arrow]"`).
        """
        with _needed("to_arrow", "pyarrow", "arrow"):
            import pyarrow  # noqa: F401
        from dpsql.arrow import table

        return table(_distinct(self.columns), self.types, self.rows)

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a pandas frame; whole numbers and booleans stay so beside NULLs.

        Raises:
            ImportError: pandas or pyarrow is missing (`pip install "dpsql[pandas]"`).
        """
        with _needed("to_pandas", "pandas", "pandas"):
            import pandas
        with _needed("to_pandas", "pyarrow", "pandas"):
            made = self.to_arrow()
        frame: pandas.DataFrame = made.to_pandas()
        for name, column in zip(made.column_names, made.columns, strict=True):
            kind = str(column.type)
            if column.null_count and kind.startswith(("int", "uint", "bool")):
                dtype = "boolean" if kind == "bool" else kind.replace("i", "I").replace("uI", "UI")
                frame[name] = pandas.array(column.to_pylist(), dtype=dtype)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """The rows as a polars frame.

        Raises:
            ImportError: polars or pyarrow is missing (`pip install "dpsql[polars]"`).
        """
        with _needed("to_polars", "polars", "polars"):
            import polars
        with _needed("to_polars", "pyarrow", "polars"):
            made = self.to_arrow()
        frame = polars.from_arrow(made)
        assert isinstance(frame, polars.DataFrame)
        return frame

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows for any library that speaks Arrow's C stream interface."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __str__(self) -> str:
        return "\n".join([*table_lines(self), f"({_count(self)}, {price(self)})"])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """The answer as an HTML table, for notebooks; every text is escaped."""
        head = "".join(f"<th>{html.escape(c)}</th>" for c in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>"
            for line in cells(self)
        )
        note = html.escape(f"{_count(self)}, {price(self)}; ± at 95 %")
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{note}</p>"


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
        return "\n\n".join([*map(str, self.answers), f"({len(self)} answers, {self.cost})"])

    __repr__ = __str__


def price(answer: Answer) -> str:
    """What it cost: ε, or from which charge it is made again for free."""
    if answer.reused is None:
        return str(answer.cost)
    return f"free: {AGAIN[answer.reused.kind]} charge {answer.reused.number}"


AGAIN = {
    "retry": "the answer of",
    "repeat": "the answer of",
    "subset": "groups of",
    "total": "the total of",
    "rollup": "sums of groups of",
}
"""How a stored answer came to be this one."""


def cells(answer: Answer, *, widths: bool = True) -> list[list[str]]:
    """Every value as text, rounded for show; followed by its half-width if `widths`."""
    return [
        ["".join(pair if widths else pair[:1]) for pair in map(cell, row, line)]
        for row, line in zip(answer.rows, answer.intervals, strict=True)
    ]


def cell(value: object, width: float | None) -> tuple[str, str]:
    """A value and its half-width (" ± 3", or "") as text; a noisy number is rounded for show."""
    if value is None:
        return "NULL", ""
    if isinstance(value, bool):
        return ("true" if value else "false"), ""
    if not isinstance(value, int | float | Decimal) or not math.isfinite(value):
        return str(value), ""
    if not width:
        return (f"{value:g}" if isinstance(value, float) else str(value)), ""
    places = 0 if isinstance(value, int) else _places(width)
    return f"{value:,.{places}f}", f" ± {width:,.{places}f}"


def _places(width: float) -> int:
    """The decimal places worth showing: two significant digits of the half-width."""
    return min(12, max(0, 1 - math.floor(math.log10(width))))


def table_lines(answer: Answer) -> list[str]:
    """The answer as an aligned text table: numbers to the right, all else to the left."""
    heads = [one_line(name) for name in answer.columns]
    body = [[one_line(text) for text in line] for line in cells(answer)]
    sizes = [max([len(name), *(len(line[i]) for line in body)]) for i, name in enumerate(heads)]
    right = [parse_type(kind).is_numeric for kind in answer.types]

    def aligned(line: list[str]) -> str:
        parts = zip(line, sizes, right, strict=True)
        return "  ".join(t.rjust(n) if r else t.ljust(n) for t, n, r in parts).rstrip()

    return [aligned(heads), "  ".join("-" * n for n in sizes), *map(aligned, body)]


def one_line(text: str) -> str:
    """`text` with its line ends and control characters escaped: they cannot break a table."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _count(answer: Answer) -> str:
    return "1 row" if len(answer) == 1 else f"{len(answer):,} rows"


@contextmanager
def _needed(what: str, library: str, extra: str) -> Iterator[None]:
    """An ImportError that says which extra brings the library."""
    try:
        yield
    except ImportError as error:
        message = f'{what} needs {library}: pip install "dpsql[{extra}]"'
        raise ImportError(message, name=library) from error


def _distinct(names: tuple[str, ...]) -> list[str]:
    """Names without repetition: the second `n` is `n_2`, or the next that no column has."""
    result: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in result or (number > 1 and candidate in names):
            number += 1
            candidate = f"{name}_{number}"
        result.append(candidate)
    return result
