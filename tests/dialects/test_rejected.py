"""What could mean something else is rejected, with the part to blame."""

from __future__ import annotations

import pytest

import dpsql
from dpsql.front.dialects import DIALECTS
from tests.dialects.rejected import REJECTED
from tests.dialects.shop import compiled
from tests.dialects.test_same import SAME


@pytest.mark.parametrize(
    ("dialect", "text", "blamed"), [(d, *pair) for d, pairs in REJECTED.items() for pair in pairs]
)
def test_what_could_mean_something_else(dialect: str, text: str, blamed: str | None) -> None:
    with pytest.raises(dpsql.Rejected) as caught:
        compiled(text, dialect)
    assert caught.value.code == "DP104"
    assert "without doubt" not in caught.value.message
    span = caught.value.span
    assert span is not None
    if blamed is not None:
        assert text[span.start : span.end] == blamed


def test_there_are_enough_of_each() -> None:
    assert set(SAME) == set(REJECTED) == set(DIALECTS) - {"duckdb"}
    assert min(map(len, [*SAME.values(), *REJECTED.values()])) >= 12


def test_bindings_own_errors_point_into_the_analysts_text() -> None:
    text = "SELECT TOP 3 COUNT(*) AS n FROM [orders] WHERE [shiping] > 3"
    with pytest.raises(dpsql.Rejected) as caught:
        compiled(text, "tsql")
    assert caught.value.code == "DP202"
    assert caught.value.span is not None
    assert text[caught.value.span.start : caught.value.span.end] == "[shiping]"


@pytest.mark.parametrize("dialect", ["bigquery", "tsql"])
def test_a_text_is_no_number_where_a_cast_gives_null(dialect: str) -> None:
    cast = "SAFE_CAST(email AS INT64)" if dialect == "bigquery" else "TRY_CAST(email AS INT)"
    with pytest.raises(dpsql.Rejected) as caught:
        compiled(f"SELECT SUM({cast}) FROM customers", dialect)
    assert caught.value.code == "DP205"


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("duckdb", "TS_OR_DS_TO_DATE_STR()"),
        ("duckdb", "UNIX_TO_TIME(shipping, 'a')"),
        ("mysql", "WIDTH_BUCKET(shipping)"),
        ("spark", "WIDTH_BUCKET(shipping, 1, 5)"),
        ("bigquery", "LENGTH(channel, 2)"),
        ("mysql", "DATEDIFF(ordered_on, '2024-01-01', 3)"),
        ("mysql", "SUBSTRING_INDEX(channel, '', 1)"),
        ("mysql", "SUBSTRING_INDEX(channel, 'e', 2)"),
        ("postgres", "LENGTH(channel, 'UTF8', 2)"),
        ("redshift", "DATEADD(day, 1, ordered_on, 2)"),
        *((dialect, "CHAR_LENGTH(channel, 'a')") for dialect in ("postgres", "redshift", "spark")),
        *((dialect, "COUNT_IF(gift, 2)") for dialect in ("bigquery", "redshift", "snowflake")),
        *((dialect, "TRUNC(shipping, 1, rating)") for dialect in ("bigquery", "postgres")),
        *((dialect, "SUBSTRING(channel, 1, 2, 3)") for dialect in ("postgres", "redshift")),
        *((dialect, "LEFT(channel, 1, 2)") for dialect in ("postgres", "redshift")),
        ("redshift", "RIGHT(channel, 1, 2)"),
        ("postgres", "LOG10()"),
        ("redshift", "TRUNC(shipping, 1, rating)"),
        ("redshift", "LOG2()"),
        ("redshift", "DATE_PART_YEAR(ordered_on, 2)"),
        ("redshift", "RATIO_TO_REPORT(rating)"),
        ("snowflake", "ADD_MONTHS(ordered_on, 1)"),
        ("snowflake", "LPAD(channel, 2, 'x', 3)"),
        ("snowflake", "RATIO_TO_REPORT(rating)"),
        ("spark", "percentile(rating, 0.5, 2)"),
        ("tsql", "LOG10(shipping, 2)"),
        ("tsql", "CHOOSE()"),
        ("tsql", "CONVERT()"),
        ("tsql", "CONVERT(INT)"),
    ],
)
def test_arguments_that_are_missing_too_many_or_none_that_there_are(
    dialect: str, text: str
) -> None:
    with pytest.raises(dpsql.Rejected) as caught:
        compiled(f"SELECT MAX({text}) FROM orders", dialect)
    assert caught.value.code in ("DP104", "DP205")


@pytest.mark.parametrize(
    ("text", "help"),
    [
        (
            "SELECT CAST(o.chanel AS VARCHAR(9)) AS c, COUNT(*) FROM orders AS o GROUP BY o.chanel",
            "did you mean channel?",
        ),
        ("SELECT SUM(rated / 2) FROM (SELECT rating AS r FROM orders) AS t", None),
    ],
)
def test_a_column_that_there_is_not_is_to_blame(text: str, help: str | None) -> None:
    """And not that its type is not known."""
    with pytest.raises(dpsql.Rejected) as caught:
        compiled(text, "tsql")
    assert (caught.value.code, caught.value.help) == ("DP202", help)
