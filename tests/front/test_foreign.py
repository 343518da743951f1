"""A text of another database's SQL is told whose it may be; named so, it is answered."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpsql.compile import compile_query
from dpsql.errors import Rejected
from tests.support.policies import load

TEXTS = [
    ("SELECT TOP 3 status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY n", "tsql"),
    ("SELECT DISTINCT TOP 2 status FROM orders ORDER BY status", "tsql"),
    ("SELECT status, COUNT(*) FROM orders GROUP BY status WITH ROLLUP", "mysql"),
    ("SELECT `status`, COUNT(*) FROM orders GROUP BY 1", "mysql"),
    ("SELECT COUNT(*) FROM `orders`", "mysql"),
    ("SELECT status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY n LIMIT 1, 2", "mysql"),
]


@pytest.mark.parametrize(("text", "dialect"), TEXTS)
def test_it_is_told_whose_it_may_be(text: str, dialect: str) -> None:
    schema = load("shop").schema
    with pytest.raises(Rejected) as caught:
        compile_query(text, schema, Fraction(1))
    assert caught.value.code == "DP101"
    assert f'dialect="{dialect}"' in str(caught.value.diagnostics[0].help)
    compile_query(text, schema, Fraction(1), dialect=dialect)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT COUNT(* FROM orders",
        "SELECT COUNT(*) FROM orders LIMIT 1 2",
        "SELECT COUNT(*) FROM orders WITH x",
        "SELECT COUNT(*) AS top 3 FROM orders",
    ],
)
def test_of_what_is_nobodys_nothing_is_told(text: str) -> None:
    with pytest.raises(Rejected) as caught:
        compile_query(text, load("shop").schema, Fraction(1))
    assert "dialect" not in str(caught.value)
