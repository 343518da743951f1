"""Types of columns are known to the rules only where a name can mean nothing else."""

from __future__ import annotations

import pytest

from dpsql.core.frozen import FrozenMap
from dpsql.errors import Rejected
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
    ("SELECT a.i / 2 FROM t AS a JOIN (SELECT 1.5 AS i) AS b ON true", "a.i // 2"),
    ("SELECT x FROM t WHERE i / 2 > 1", "i // 2"),
    ("SELECT SUM(n) / 2 FROM u", "SUM(n) / 2"),
    ("SELECT SUM(i) / 2 FROM t", "SUM(i) // 2"),
    ("SELECT SUM(SUM(i)) OVER () / 2 FROM t", "SUM(SUM(i)) OVER () / 2"),
    ("SELECT COALESCE(i, n) / NULLIF(i, 0) FROM t, u", "COALESCE(i, n) // NULLIF(i, 0)"),
]

UNSURE = [
    "SELECT k / 2 FROM t JOIN u ON i = n",
    "SELECT i / 2 FROM t, (SELECT 1 AS a) AS b",
    "SELECT b.i / 2 FROM t AS a JOIN (SELECT 1.5 AS i) AS b ON true",
    "WITH t AS (SELECT 1.5 AS i) SELECT i / 2 FROM t",
    "SELECT i / 2 FROM t AS a(x, i, y)",
    "SELECT x AS i FROM t GROUP BY x HAVING i / 2 > 1",
    "SELECT nothing / 2 FROM t",
    "SELECT i / 2 FROM v",
    "SELECT (SELECT i / 2 FROM u) FROM t",
    "SELECT COALESCE(i, nothing) / 2 FROM t",
]


@pytest.mark.parametrize(("text", "printed"), SURE)
def test_sure(text: str, printed: str) -> None:
    assert printed in parse(text, "postgres", TABLES).sql(dialect="duckdb")
    with pytest.raises(Rejected):
        parse(text, "postgres", NO_TABLES)


@pytest.mark.parametrize("text", UNSURE)
def test_unsure(text: str) -> None:
    with pytest.raises(Rejected) as caught:
        parse(text, "postgres", TABLES)
    assert "may be whole" in caught.value.message
