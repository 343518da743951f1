"""What resolves a query may be wrong: the answer is then to another question, but nothing leaks.

Each test breaks a rule of `front.resolve` and asks what would leak by it. Nothing is accepted: the
proof refuses the plan, since it derives all that it rests on from that plan.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import dpsql
from dpsql import proven as proving
from dpsql.compile import compile_query
from dpsql.core.plan.invariants import InvariantError
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Aggregate, Plan, nodes
from dpsql.errors import Rejected
from dpsql.front.resolve import group_by, points
from dpsql.front.resolve.state import Resolution
from tests.support.answers import home
from tests.support.policies import load


def refused(sql: str) -> Exception:
    """Why a query is not accepted. That it is not is all that matters: a bug may say it in any
    words, and nothing is read or charged.
    """
    try:
        compile_query(sql, load("shop").schema, Fraction(1))
    except Exception as error:
        return error
    raise AssertionError(f"accepted: {sql}")


def ruled(patch: pytest.MonkeyPatch, name: str, apply: Callable[[Resolution, Any], Plan]) -> None:
    """Break the rule of that name."""
    assert any(rule.name == name for rule in points.RULES)
    rules = (replace(r, apply=apply) if r.name == name else r for r in points.RULES)
    patch.setattr(points, "RULES", tuple(rules))


def without(patch: pytest.MonkeyPatch, name: str) -> None:
    assert any(rule.name == name for rule in points.RULES)
    patch.setattr(points, "RULES", tuple(rule for rule in points.RULES if rule.name != name))


GROUPS = """
    SELECT n, COUNT(*) FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) GROUP BY n
"""


def test_nothing_is_broken_here() -> None:
    compile_query(GROUPS, load("shop").schema, Fraction(1))


def test_groups_of_many_units_are_no_private_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if each region were one unit."""

    def grouped(state: Resolution, plan: Aggregate) -> Plan:
        if any(isinstance(node, Aggregate) for node in nodes(plan.input)):
            return group_by.grouped(state, plan)
        return replace(plan, per_unit=True)

    ruled(monkeypatch, "groups", grouped)
    error = refused(GROUPS)
    assert isinstance(error, InvariantError) and "of one unit each" in str(error)


def test_an_aggregate_that_is_not_released_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "groups")
    refused("SELECT COUNT(*) FROM customers")
    refused("SELECT region, COUNT(*) FROM customers GROUP BY region")


@pytest.mark.parametrize("sql", ["SELECT id FROM customers", "SELECT COUNT(*) FROM customers"])
def test_private_rows_above_the_releases_are_refused(
    sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if every plan were post-processing."""
    without(monkeypatch, "groups")
    monkeypatch.setattr(points, "kind_of", lambda _: Kind.RELEASED)
    assert isinstance(refused(sql), InvariantError)


def test_a_subquery_that_is_left_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "subquery")
    refused("SELECT COUNT(*) FROM orders WHERE customer IN (SELECT id FROM customers)")


@pytest.mark.parametrize("kind", ["left", "full"])
def test_public_rows_without_a_match_are_no_private_ones(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A public row without a match would come and go with a unit's rows, and belong to nobody."""
    ruled(monkeypatch, "join", lambda _, plan: replace(plan, kind=kind))
    refused("SELECT COUNT(*) FROM regions r LEFT JOIN customers c ON c.region = r.id")


def test_a_join_across_units_is_refused_wherever_it_comes_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As if a condition had been lost on the way."""
    ruled(monkeypatch, "join", lambda _, plan: replace(plan, condition=None))
    error = refused("SELECT COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer")
    assert isinstance(error, Rejected) and error.diagnostics[0].code in ("DP402", "DP403")


def test_a_private_query_that_is_taken_for_a_public_one_reads_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As if a table were not known to be private."""
    sql = "SELECT COUNT(*) FROM customers"
    session = home("shop").session
    customers = session.schema.table("customers")
    monkeypatch.setattr(proving, "public_tables", lambda *_: (customers,))
    session._analysis.kept.clear()
    before = session.budget.spent
    with pytest.raises(dpsql.InternalError):
        session.run(sql, 1)
    session._analysis.kept.clear()
    assert session.budget.spent == before
