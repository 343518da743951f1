"""What structs of structs may grow to, and names that only look like those of fields."""

from __future__ import annotations

from time import perf_counter

import pytest

from dpsql.errors import Rejected
from tests.support.answers import home

SECONDS = 20


def verdict(query: str) -> str:
    """The codes of a rejection, or none."""
    try:
        home("shop").session.explain(query, eps=1)
    except Rejected as rejected:
        return " ".join(problem.code for problem in rejected.diagnostics)
    return ""


def doubled(times: int) -> str:
    """A struct that has the one before it twice, so many times."""
    query = "SELECT {'a': age, 'b': age} AS s FROM customers"
    for _ in range(times):
        query = f"SELECT {{'a': s, 'b': s}} AS s FROM ({query})"
    return query


@pytest.mark.parametrize(
    ("query", "code"),
    [
        (f"SELECT AVG(s.a.a.a.b) AS x FROM ({doubled(3)})", ""),
        (f"SELECT COUNT(*) AS n FROM ({doubled(30)})", "DP103"),
        (f"SELECT AVG(s{'.a' * 9000}) AS x FROM ({doubled(2)})", "DP103"),
        (f"SELECT AVG(s{'.a' * 40}) AS x FROM ({doubled(2)})", "DP202"),
        (
            f"SELECT COUNT(*) AS n FROM (SELECT {', '.join(['s'] * 3000)} FROM ({doubled(5)}))",
            "DP103",
        ),
        ("SELECT AVG(" + "{'a': " * 30 + "age" + "}.a" * 30 + ") AS x FROM customers", ""),
    ],
)
def test_work_is_bounded(query: str, code: str) -> None:
    begun = perf_counter()
    assert verdict(query) == code
    assert perf_counter() - begun < SECONDS


@pytest.mark.parametrize(
    "query",
    [
        "SELECT AVG(\"s.x\") AS a FROM (SELECT {'x': age} AS s FROM customers)",
        "SELECT AVG(\"x\") AS a FROM (SELECT {'x': age} AS s FROM customers)",
        "SELECT AVG(s['x.y']) AS a FROM (SELECT {'x': {'y': age}} AS s FROM customers)",
    ],
)
def test_a_text_is_no_path(query: str) -> None:
    assert verdict(query) == "DP202"


def test_names_with_points_are_names() -> None:
    assert not verdict("SELECT AVG(s['x.y']) AS a FROM (SELECT {'x.y': age} AS s FROM customers)")
    inner = "SELECT age AS \"s.x\", {'x': balance} AS s FROM customers"
    assert not verdict(f'SELECT AVG(s.x) AS a, AVG("s.x") AS b FROM ({inner})')
