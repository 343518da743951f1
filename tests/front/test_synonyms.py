"""Aggregates that are others by a second name, or that are made of others."""

from __future__ import annotations

from fractions import Fraction

import duckdb
import pytest

from dpsql.compile import compile_query
from dpsql.errors import Rejected
from dpsql.front.synonyms import NAMES
from tests.differential.converge import both, plain
from tests.support.answers import Home
from tests.support.policies import load
from tests.support.small_shop import small_shop

CALLS = (
    "MEAN(units)",
    "mean(DISTINCT units)",
    "MEAN(units) FILTER (WHERE paid)",
    "FAVG(weight)",
    "FSUM(amount)",
    "KAHAN_SUM(DISTINCT units)",
    "SumKahan(weight) FILTER (WHERE paid)",
    "GEOMEAN(units)",
    "GEOMETRIC_MEAN(units + 1)",
    "WAVG(amount, units)",
    "WEIGHTED_AVG(amount + 1, units)",
    "SEM(units)",
    "2 * sem(units) + mean(units)",
)


@pytest.fixture(scope="module")
def filled() -> Home:
    return small_shop()


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("grouped", ["", "status, "])
def test_they_are_the_engines(filled: Home, call: str, grouped: str) -> None:
    by = f" GROUP BY {grouped[:-2]}" if grouped else ""
    mine, theirs = both(filled, f"SELECT {grouped}{call} FROM orders{by}")
    found = sorted(map(plain, mine))
    assert all(row in found for row in map(plain, theirs))
    # A group of no row is there, with nothing in it.
    assert len(mine) == (4 if grouped else 1)


def test_of_public_rows_they_are_the_engines(filled: Home) -> None:
    rows = "(VALUES (1, 2.5), (2, NULL), (4, 7.0)) AS t(w, x)"
    for call in ("MEAN(x)", "FSUM(x)", "GEOMEAN(w)", "WAVG(x, w)", "SEM(x)", "MEAN(x) OVER ()"):
        mine, theirs = both(filled, f"SELECT {call} FROM {rows}")
        assert mine == theirs


@pytest.mark.parametrize("name", NAMES)
def test_a_column_is_called_as_it_was_written(filled: Home, name: str) -> None:
    arguments = ", ".join(["units", "units"][: NAMES[name][0]])
    text = f"SELECT {name}({arguments}) FROM orders"
    compiled = compile_query(text, load("shop").schema, Fraction(1))
    described = filled.connection.execute(text).description
    assert compiled.query.names == (described[0][0],)


@pytest.mark.parametrize("name", NAMES)
def test_the_engine_has_them_all(name: str) -> None:
    found = duckdb.execute(
        "SELECT COUNT(*) FROM duckdb_functions() WHERE function_name = ?", [name]
    )
    assert found.fetchall() != [(0,)]


@pytest.mark.parametrize(
    "call",
    ["GEOMEAN(units) FILTER (WHERE paid)", "SEM(DISTINCT units)", "WAVG(amount, units) OVER ()"],
)
def test_what_is_made_of_several_stands_alone(call: str) -> None:
    with pytest.raises(Rejected, match="takes no FILTER, OVER or DISTINCT") as caught:
        compile_query(f"SELECT {call} FROM orders", load("shop").schema, Fraction(1))
    (problem,) = caught.value.diagnostics
    assert problem.code == "DP104" and problem.help is not None and problem.span is not None
    other = problem.help.removeprefix("write what it is made of: ")
    assert compile_query(f"SELECT {other} FROM orders", load("shop").schema, Fraction(1))


@pytest.mark.parametrize("call", ["MEAN()", "MEAN(units, units)", "WAVG(units)", "MEAN(*)"])
def test_other_arguments_are_none_of_theirs(call: str) -> None:
    with pytest.raises(Rejected):
        compile_query(f"SELECT {call} FROM orders", load("shop").schema, Fraction(1))
