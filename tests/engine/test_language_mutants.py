"""A language that is wrong in one thing is caught: by the values that DuckDB has."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from dpsql.platform.engine.far import spark_language, spark_texts, spark_words
from dpsql.platform.engine.far.spark_language import CALLS
from tests.support import spark
from tests.support.languages import database, different, lend, said

Change = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture(scope="module")
def source(sail: str) -> str:
    """A table of the database, and of the server."""
    spark.use(sail)
    database().execute(
        "CREATE TABLE mutated AS SELECT x, CAST(x AS DECIMAL(20, 0)) AS h, d, t, z FROM (VALUES "
        "(9223372036854775807, 0.000000001, 'a\\b', 0.5), "
        "(9223372036854775807, 1.000000001, 'a$b', 2.5), "
        "(7, 3.000000007, '${x}', -0.5)) AS v(x, d, t, z)"
    )
    database().execute("ALTER TABLE mutated ALTER z TYPE DOUBLE")
    lend("mutated")
    return "mutated"


def _sum_in_its_own_width(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(spark_language, "cast", lambda value, kind: value)


def _lost_scale(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(spark_language, "cast", lambda value, kind: f"CAST({value} AS DECIMAL(38, 0))")


def _halves_away_from_zero(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(CALLS, "cast", lambda node, args: f"CAST(round({args[0]}) AS BIGINT)")


def _plain_backslash(patch: pytest.MonkeyPatch) -> None:
    quoted: Callable[[str], str] = lambda value: "'" + value.replace("'", "\\'") + "'"  # noqa: E731
    patch.setattr(spark_words, "text", quoted)
    patch.setattr(spark_texts, "text", quoted)


@pytest.mark.parametrize(
    ("sql", "change"),
    [
        ("SELECT SUM(x) AS s FROM mutated", _sum_in_its_own_width),
        ("SELECT SUM(d) AS s FROM mutated", _lost_scale),
        ("SELECT CAST(z AS BIGINT) AS r FROM mutated", _halves_away_from_zero),
        (r"SELECT COUNT(*) AS n FROM mutated WHERE t = 'a\b'", _plain_backslash),
    ],
)
def test_it_is_caught(
    sql: str, change: Change, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert different(sql) == ""
    change(monkeypatch)
    assert different(sql) != ""


def test_a_product_that_would_lose_digits_is_refused(source: str) -> None:
    """Spark has 38 digits, and drops those after the point for those before."""
    product = "CAST(d AS DECIMAL(28, 10)) * CAST(d AS DECIMAL(20, 9))"
    assert not said(f"SELECT {product} AS p FROM mutated")
    assert said("SELECT CAST(d AS DECIMAL(18, 9)) * CAST(d AS DECIMAL(12, 5)) AS p FROM mutated")


def test_no_text_has_a_variable_in_it() -> None:
    """Spark puts them in before it reads a statement."""
    assert "${" not in spark_words.text("${env:HOME} and $")
    assert re.findall(r"\\u0024", spark_words.text("${env:HOME} and $")) == ["\\u0024"] * 2
