"""pandas reads it as any other DB-API connection."""

from __future__ import annotations

import datetime
import re
from fractions import Fraction

import pandas
import pytest

from dpsql import dbapi

WARNING = re.escape("pandas only supports SQLAlchemy connectable")
QUERY = "SELECT city, COUNT(*) AS n, AVG(size) AS size FROM people GROUP BY city ORDER BY city"


def test_read_sql(connection: dbapi.Connection) -> None:
    connection.eps = 1
    before = connection.database.budget.spent.exact.eps
    with pytest.warns(UserWarning, match=WARNING):
        frame = pandas.read_sql(QUERY, connection)
    assert list(frame.columns) == ["city", "n", "size"]
    assert list(frame["city"]) == ["O'Hare", "Rome"]
    assert (frame["n"].dtype, frame["size"].dtype) == ("int64", "float64")
    answer = connection.execute(QUERY).answer  # again, for free
    assert answer is not None
    assert list(frame.itertuples(index=False, name=None)) == list(answer.rows)
    assert connection.database.budget.spent.exact.eps - before == Fraction(1)


def test_read_sql_with_parameters_and_in_chunks(connection: dbapi.Connection) -> None:
    with pytest.warns(UserWarning, match=WARNING):
        chunks = list(
            pandas.read_sql(
                "SELECT city, COUNT(*) AS n FROM people WHERE born < ? GROUP BY city ORDER BY city",
                connection,
                params=[datetime.date(2000, 1, 11)],
                chunksize=1,
                index_col="city",
            )
        )
    assert [chunk["n"].to_dict() for chunk in chunks] == [{"O'Hare": 3}, {"Rome": 7}]


def test_read_sql_of_a_rejected_query(connection: dbapi.Connection) -> None:
    with (
        pytest.warns(UserWarning, match=WARNING),
        pytest.raises(dbapi.ProgrammingError, match="rows of individuals"),
    ):
        pandas.read_sql("SELECT id FROM people", connection)
