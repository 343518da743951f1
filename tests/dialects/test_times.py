"""Times of day of other dialects: casts to them mean the same where the text is plain."""

from __future__ import annotations

import pytest

from dpsql.errors import Rejected
from dpsql.front.parse import NO_TABLES, parse

READ = [
    ("postgres", "a::time >= TIME '12:30'", "CAST(a AS TIME) >= CAST('12:30' AS TIME)"),
    ("bigquery", "a < TIME '12:30:00.5'", "a < CAST('12:30:00.5' AS TIME)"),
    ("bigquery", "TIME_TRUNC(a, HOUR) = b", "MAKE_TIME(HOUR(a) % 24, 0, 0) = b"),
    ("bigquery", "TIME_TRUNC(a, SECOND) = b", "MAKE_TIME(HOUR(a) % 24, MINUTE(a), SECOND(a)) = b"),
    ("redshift", "a::time >= TIME '12:30'", "CAST(a AS TIME) >= CAST('12:30' AS TIME)"),
    ("snowflake", "CAST(a AS TIME) = b", "CAST(a AS TIME) = b"),
    ("tsql", "CAST(a AS TIME) > '12:30:00'", "CAST(a AS TIME) > '12:30:00'"),
]
REFUSED = [
    ("postgres", "a > TIME 'allballs'"),
    ("postgres", "a > TIME '12:30:00 PM'"),
    ("postgres", "a > TIME(0) '12:30:00.7'"),
    ("redshift", "a > TIME '040506'"),
    ("tsql", "a > CAST('9:30' AS TIME)"),
    ("bigquery", "TIME_TRUNC(a, MILLISECOND) = b"),
]


@pytest.mark.parametrize(("dialect", "condition", "printed"), READ)
def test_read(dialect: str, condition: str, printed: str) -> None:
    text = f"SELECT COUNT(*) AS n FROM t WHERE {condition}"
    assert parse(text, dialect, NO_TABLES).sql(dialect="duckdb").endswith(f"WHERE {printed}")


@pytest.mark.parametrize(("dialect", "condition"), REFUSED)
def test_refused(dialect: str, condition: str) -> None:
    with pytest.raises(Rejected) as caught:
        parse(f"SELECT COUNT(*) AS n FROM t WHERE {condition}", dialect, NO_TABLES)
    assert caught.value.code == "DP104"
