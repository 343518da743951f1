"""Types of columns are known to the rules only where a name can mean nothing else."""

from __future__ import annotations

import pytest
from sqlglot import exp

from dpsql.core.frozen import FrozenMap
from dpsql.errors import Rejected
from dpsql.front.dialects import column_types
from dpsql.front.parse import NO_TABLES, parse
from dpsql.types import BIGINT, DOUBLE, INTEGER

TABLES = FrozenMap(
    {
        "t": FrozenMap({"i": INTEGER, "x": DOUBLE, "k": INTEGER}),
        "u": FrozenMap({"n": BIGINT, "k": DOUBLE}),
    }
)

SURE = [
    ("SELECT i / 2 FROM t", "i // 2"),
    ("SELECT I / 2 FROM T AS a, u", "I // 2"),
    ("SELECT x / 2 FROM t", "x / 2"),
    ("SELECT t.k / 2 FROM t JOIN u ON i = n", "t.k // 2"),
    ("SELECT u.k / 2 FROM t JOIN u ON i = n", "u.k / 2"),
    ("SELECT n / 2 FROM t JOIN u JOIN t AS v ON v.k = n ON t.i = n", "n // 2"),
    ("SELECT u.k / 2 FROM t JOIN (u JOIN t AS v ON v.k = n) ON t.i = n", "u.k / 2"),
    ("SELECT v.k / 2 FROM t JOIN (u JOIN t AS v ON v.k = n) ON t.i = n", "v.k // 2"),
    ("SELECT 1 FROM t JOIN u JOIN t AS v ON v.k / 2 = n ON t.i = n", "v.k // 2"),
    ("SELECT 1 FROM (u JOIN t AS v ON v.k / 2 = n) JOIN t ON t.i = n", "v.k // 2"),
    ("SELECT n / 2 FROM (SELECT i FROM t) AS a JOIN u JOIN t ON t.i = n ON a.i = n", "n // 2"),
    ("SELECT a.i / 2 FROM t AS a JOIN (SELECT 1.5 AS i) AS b ON true", "a.i // 2"),
    ("SELECT x FROM t WHERE i / 2 > 1", "i // 2"),
    ("SELECT SUM(n) / 2 FROM u", "SUM(n) / 2"),
    ("SELECT SUM(i) / 2 FROM t", "SUM(i) // 2"),
    ("SELECT SUM(SUM(i)) OVER () / 2 FROM t", "SUM(SUM(i)) OVER () / 2"),
    ("SELECT COALESCE(i, n) / NULLIF(i, 0) FROM t, u", "COALESCE(i, n) // NULLIF(i, 0)"),
    ("SELECT i / 2 FROM t, (SELECT 1 AS a) AS b", "i // 2"),
    ("WITH t AS (SELECT x AS i FROM t) SELECT i / 2 FROM t", "i / 2"),
    ("WITH a AS (SELECT * FROM t), b AS (SELECT a.* FROM a) SELECT i / 2 FROM b", "i // 2"),
    ("WITH a AS (SELECT i AS n FROM t) SELECT (SELECT MAX(n) FROM a) / 2 FROM u", ") // 2"),
    ("SELECT a / 2 FROM (SELECT i AS a FROM t UNION SELECT k FROM t) AS b", "a // 2"),
    ("SELECT MAX(i / 2) AS i FROM t", "MAX(i // 2)"),
    ("WITH a(i, j) AS (SELECT k, x FROM t) SELECT i / 2 FROM a", "i // 2"),
    ("WITH a(i, j) AS (SELECT k, x FROM t) SELECT j / 2 FROM a", "j / 2"),
    ("WITH a(i, j, l) AS (SELECT t.k, x AS k, n FROM t, u) SELECT l / 2 FROM a", "l // 2"),
    ("SELECT a / 2 FROM (SELECT i FROM t) AS b(a)", "a // 2"),
    ("SELECT n FROM u WHERE EXISTS (SELECT 1 FROM t WHERE u.n / 2 = x)", "u.n // 2"),
    ("SELECT i FROM t AS u WHERE EXISTS (SELECT 1 FROM u WHERE u.k / 2 > 1)", "u.k / 2"),
    ("SELECT y.a / 2 FROM t, LATERAL (SELECT t.i AS a) AS y", "y.a // 2"),
    ("SELECT y.a / 2 FROM t JOIN LATERAL (SELECT t.x / u.n AS a FROM u) AS y ON true", "y.a / 2"),
]

OF_THE_QUERY = [
    ("SELECT b.i / 2 FROM t AS a JOIN (SELECT i * 1.5 AS i FROM t) AS b ON true", "b.i / 2"),
    ("SELECT a / 2 FROM (SELECT COUNT(*) AS a FROM t) AS b", "a // 2"),
    ("SELECT a / 2 FROM (SELECT RANK() OVER (ORDER BY i) AS a FROM t) AS b", "a // 2"),
    ("SELECT a / 2 FROM (SELECT a FROM (SELECT 7 / 2 AS a) AS c) AS b", "a // 2"),
]
OF_T_SQL = [
    ("SELECT AVG(a) FROM (SELECT COUNT(*) AS a FROM t) AS b", "CAST(TRUNC(AVG(a)) AS BIGINT)"),
    (
        "SELECT AVG(a) OVER () AS m FROM (SELECT AVG(DATEDIFF(day, d, e)) AS a FROM t) AS b",
        "CAST(TRUNC(AVG(a) OVER ()) AS BIGINT)",
    ),
    ("SELECT AVG(a) FROM (SELECT 1.0 * COUNT(*) AS a FROM t) AS b", "SELECT AVG(a)"),
    ("SELECT a / 2 FROM (SELECT SIGN(FLOOR(7 / 2)) AS a) AS b", "a // 2"),
]
OF_REDSHIFT = [
    ("SELECT AVG(n) FROM u", "CAST(TRUNC(AVG(n)) AS BIGINT)"),
    ("SELECT AVG(a) FROM (SELECT SUM(i) AS a FROM t) AS b", "CAST(TRUNC(AVG(a)) AS BIGINT)"),
    ("SELECT AVG(a) FROM (SELECT AVG(i) AS a FROM t) AS b", "CAST(TRUNC(AVG(a)) AS BIGINT)"),
    ("SELECT AVG(a * 0.5) FROM (SELECT SUM(n) AS a FROM u) AS b", "SELECT AVG(a * 0.5)"),
    ("SELECT a / 2 FROM (SELECT SUM(n) AS a FROM u) AS b", "a / 2"),
    ("SELECT a / 2 FROM (SELECT SUM(i) AS a FROM t) AS b", "a // 2"),
    ("SELECT SUM(a) / 2 FROM (SELECT AVG(i) AS a FROM t) AS b", "SUM(a) / 2"),
    ("SELECT SUM(LEN('a')) / 2 FROM t", "SUM(LENGTH('a')) // 2"),
    ("SELECT a / 2 FROM (SELECT EXTRACT(y FROM GETDATE()) AS a FROM t) AS b", "a // 2"),
    ("SELECT a / 2 FROM (SELECT DATE_PART(y, GETDATE()) AS a FROM t) AS b", "a / 2"),
    ("SELECT AVG(i) OVER () FROM t", "CAST(TRUNC(AVG(i) OVER ()) AS BIGINT)"),
]
NOT_SURE_OF_REDSHIFT = [
    "SELECT AVG(a) FROM (SELECT SUM(n) AS a FROM u) AS b",
    "SELECT AVG(COALESCE(a, 0)) FROM (SELECT SUM(n) AS a FROM u) AS b",
    "SELECT AVG(a) FROM (SELECT SUM(COUNT(*)) OVER () AS a FROM u) AS b",
    "SELECT AVG(CAST(i AS DECIMAL(9))) FROM t",
    "SELECT AVG(n) OVER () FROM u",
    "SELECT AVG(a) FROM (SELECT k AS a FROM t UNION ALL SELECT k FROM u) AS b",
]

UNSURE = [
    "SELECT n FROM u WHERE EXISTS (SELECT 1 FROM (SELECT 1 AS a) AS b WHERE n / 2 = a)",
    "SELECT i FROM t WHERE EXISTS (SELECT 1 FROM u AS t, t WHERE t.i / 2 > 1)",
    "SELECT k / 2 FROM t JOIN u ON i = n",
    "SELECT k / 2 FROM t AS a JOIN t JOIN u ON i = n ON TRUE",
    "SELECT u.k / 2 FROM t AS a JOIN v AS u JOIN u AS b ON a.i = b.n ON TRUE",
    "SELECT n / 2 FROM t JOIN (u JOIN t AS v ON v.k = n) AS j ON t.i = n",
    "SELECT i / 2 FROM t, (SELECT * FROM v) AS b",
    "SELECT b.i / 2 FROM t AS a JOIN (SELECT i FROM v) AS b ON true",
    "WITH t AS (SELECT nothing AS i FROM t) SELECT i / 2 FROM t",
    "WITH a(i) AS (SELECT k, i FROM t) SELECT i / 2 FROM a",
    "WITH a(i, j) AS (SELECT k, i, x FROM t) SELECT i / 2 FROM a",
    "WITH a AS (SELECT k, x AS k FROM t) SELECT k / 2 FROM a",
    "SELECT a / 2 FROM (SELECT i AS a FROM t UNION SELECT x FROM t) AS b",
    "SELECT i / 2 FROM (SELECT t.i, v.i FROM t, v) AS b",
    "SELECT i / 2 FROM t AS a(x, i, y)",
    "SELECT x AS i FROM t GROUP BY x HAVING i / 2 > 1",
    "SELECT i / 2 FROM v",
    "SELECT (SELECT i / 2 FROM u) FROM t",
]
ABSENT = ["SELECT nothing / 2 FROM t", "SELECT COALESCE(i, nothing) / 2 FROM t"]


@pytest.mark.parametrize(("text", "printed"), SURE)
def test_sure(text: str, printed: str) -> None:
    assert printed in parse(text, "postgres", TABLES).sql(dialect="duckdb")
    with pytest.raises(Rejected):
        parse(text, "postgres", NO_TABLES)


@pytest.mark.parametrize(("text", "printed"), OF_THE_QUERY)
def test_sure_without_tables(text: str, printed: str) -> None:
    assert printed in parse(text, "postgres", NO_TABLES).sql(dialect="duckdb")


@pytest.mark.parametrize(("text", "printed"), OF_T_SQL)
def test_means_of_whole_numbers(text: str, printed: str) -> None:
    assert printed in parse(text, "tsql", NO_TABLES).sql(dialect="duckdb")


@pytest.mark.parametrize(("text", "printed"), OF_REDSHIFT)
def test_numbers_of_redshift(text: str, printed: str) -> None:
    assert printed in parse(text, "redshift", TABLES).sql(dialect="duckdb")


@pytest.mark.parametrize("text", NOT_SURE_OF_REDSHIFT)
def test_means_without_digits_are_not_read(text: str) -> None:
    with pytest.raises(Rejected, match="AVG of numbers that may be whole") as caught:
        parse(text, "redshift", TABLES)
    assert caught.value.help == "write AVG(CAST(x AS FLOAT))"


@pytest.mark.parametrize("text", UNSURE)
def test_unsure(text: str) -> None:
    with pytest.raises(Rejected) as caught:
        parse(text, "postgres", TABLES)
    assert "may be whole" in caught.value.message


@pytest.mark.parametrize("text", ABSENT)
def test_of_no_column(text: str) -> None:
    with pytest.raises(Rejected) as caught:
        parse(text, "postgres", TABLES)
    assert caught.value.message == "no column nothing"


def test_a_query_in_from_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark's FROM FROM t is a query in another one, without parentheses."""
    read = list[object]()
    query = column_types._Notes.query

    def counted(self: column_types._Notes, node: exp.Expr, *args: object) -> object:
        read.append(node)
        return query(self, node, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(column_types._Notes, "query", counted)
    parse(f"SELECT SUM(x) {'FROM ' * 30}(SELECT rating AS x FROM orders) AS t", "spark")
    assert len(read) < 100
