"""An answer as a table of Arrow, pandas or polars."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from dpsql.report.result.answer import Answer


def to_arrow(answer: Answer) -> pyarrow.Table:
    """See `Answer.to_arrow`."""
    with _needed("to_arrow", "pyarrow", "arrow"):
        import pyarrow  # noqa: F401
    from dpsql.report.arrow import table

    return table(_distinct(answer.columns), answer.types, answer.rows)


def to_pandas(answer: Answer) -> pandas.DataFrame:
    """See `Answer.to_pandas`."""
    with _needed("to_pandas", "pandas", "pandas"):
        import pandas
    with _needed("to_pandas", "pyarrow", "pandas"):
        made = to_arrow(answer)
    frame: pandas.DataFrame = made.to_pandas()
    for name, column in zip(made.column_names, made.columns, strict=True):
        kind = str(column.type)
        if column.null_count and kind.startswith(("int", "uint", "bool")):
            dtype = "boolean" if kind == "bool" else kind.replace("i", "I").replace("uI", "UI")
            frame[name] = pandas.array(column.to_pylist(), dtype=dtype)
    return frame


def to_polars(answer: Answer) -> polars.DataFrame:
    """See `Answer.to_polars`."""
    with _needed("to_polars", "polars", "polars"):
        import polars
    with _needed("to_polars", "pyarrow", "polars"):
        made = to_arrow(answer)
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
