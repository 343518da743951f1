"""An answer as a table of Arrow, pandas or polars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from dpsql.core.sqltypes import parse_type

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from dpsql.report.result.answer import Answer


def to_arrow(answer: Answer, intervals: bool) -> pyarrow.Table:
    """See `Answer.to_arrow`."""
    with _needed("to_arrow", "pyarrow", "arrow"):
        import pyarrow  # noqa: F401
    from dpsql.report.arrow import table

    names, types, rows = answer.columns, answer.types, answer.rows
    if intervals:
        names, types, rows = with_ends(answer)
    return table(_distinct(names), types, rows)


def with_ends(
    answer: Answer,
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[object, ...], ...]]:
    """The columns' names, their types and the rows, each number that may hold noise followed by the
    ends of its 95 % interval.
    """
    pairs = zip(answer.types, answer.noisy, strict=True)
    ends = [may and parse_type(kind).is_numeric for kind, may in pairs]

    def beside(parts: Iterable[tuple[object, ...]]) -> tuple[Any, ...]:
        pairs = zip(parts, ends, strict=True)
        return tuple(part for own, wanted in pairs for part in (own if wanted else own[:1]))

    rows = zip(answer.rows, answer.intervals, strict=True)
    return (
        beside((name, f"{name}_low", f"{name}_high") for name in answer.columns),
        beside((kind, "DOUBLE", "DOUBLE") for kind in answer.types),
        tuple(
            beside((value, *reach(value, width)) for value, width in zip(*row, strict=True))
            for row in rows
        ),
    )


def reach(value: Any, width: float | None) -> tuple[float | None, float | None]:
    """The ends of a number's interval, where it is known."""
    if value is None or width is None:
        return None, None
    return float(value) - width, float(value) + width


def to_pandas(answer: Answer, intervals: bool) -> pandas.DataFrame:
    """See `Answer.to_pandas`."""
    with _needed("to_pandas", "pandas", "pandas"):
        import pandas
    with _needed("to_pandas", "pyarrow", "pandas"):
        made = to_arrow(answer, intervals)
    frame: pandas.DataFrame = made.to_pandas()
    for name, column in zip(made.column_names, made.columns, strict=True):
        kind = str(column.type)
        if column.null_count and kind.startswith(("int", "uint", "bool")):
            dtype = "boolean" if kind == "bool" else kind.replace("i", "I").replace("uI", "UI")
            frame[name] = pandas.array(column.to_pylist(), dtype=dtype)
    return frame


def to_polars(answer: Answer, intervals: bool) -> polars.DataFrame:
    """See `Answer.to_polars`."""
    with _needed("to_polars", "polars", "polars"):
        import polars
    with _needed("to_polars", "pyarrow", "polars"):
        made = to_arrow(answer, intervals)
    frame = polars.from_arrow(made)
    assert isinstance(frame, polars.DataFrame)
    return frame


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
