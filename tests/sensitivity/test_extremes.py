"""Aggregates at the ends of what a DOUBLE holds, and of values finer than the grid of squares."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpsql.compile import ReleasedQuery, compile_query
from dpsql.errors import Rejected
from dpsql.plan.expr import Call, walk
from dpsql.policy import Policy, resolve
from dpsql.policy.schema import Schema
from dpsql.rewrite.lattice import MAX_STEPS

POLICY = """
unit: people.id
budget: {{eps: 10}}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {{type: INTEGER}}
      x: {{type: DOUBLE, bounds: [-{end}, {end}]}}
      n: {{type: INTEGER, bounds: [0, 2000000000]}}
"""


def schema(end: int) -> Schema:
    return resolve(Policy.parse(POLICY.format(end=end)), None, None)


MOMENTS = ("VAR_POP(x)", "STDDEV_SAMP(x)", "COVAR_POP(x, n)", "CORR(x, n)", "REGR_INTERCEPT(n, x)")


@pytest.mark.parametrize("moment", MOMENTS)
def test_squares_that_no_double_holds_are_rejected(moment: str) -> None:
    with pytest.raises(Rejected) as caught:
        compile_query(f"SELECT {moment} AS m FROM people", schema(2**250 + 2**200), Fraction(1))
    assert [d.code for d in caught.value.diagnostics] == ["DP305"]
    assert compile_query(f"SELECT {moment} AS m FROM people", schema(2**250), Fraction(1)).cost.eps


@pytest.mark.parametrize("end", [10**75, 10**300])
def test_sums_of_large_values_keep_to_the_lattice(end: int) -> None:
    for call in ("SUM(x)", "AVG(x)", "SUM(DISTINCT x)"):
        query = compile_query(f"SELECT {call} AS m FROM people", schema(end), Fraction(1)).query
        assert isinstance(query, ReleasedQuery)
        summed = max(query.releases[0].measures, key=lambda m: m.sensitivity.l1)
        assert end <= summed.sensitivity.l1 * summed.unit <= end * (1 + Fraction(2, MAX_STEPS))


def test_distinct_values_are_counted_as_they_are() -> None:
    """Not on the coarse grid on which their squares are added."""
    text = "SELECT COUNT(DISTINCT n) AS d, VAR_POP(n) AS v FROM people"
    query = compile_query(text, schema(1), Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    ((pairs, _),) = query.releases[0].pairs
    assert pairs.value is not None
    assert not [n for n in walk(pairs.value) if isinstance(n, Call) and n.function == "steps"]
