"""A drawn plan shows each node once, and tells columns of one name apart."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dpsql.compile import ReleasedQuery
from dpsql.core.plan.expr import Column, Ref
from dpsql.core.plan.nodes import Join, Plan, Project, nodes
from dpsql.errors import Rejected
from dpsql.front.bind import bind
from dpsql.front.parse import parse
from tests.support import grammar
from tests.support.effort import sampled
from tests.support.grammar import Case
from tests.support.plan_printer import Printer, drawn
from tests.support.policies import load

NODES = re.compile(
    r"^ *(scan|filter|project|join|apply|with|union|aggregate|window|sort|limit|released|one)"
)


def bound(case: Case) -> Plan | None:
    try:
        return bind(parse(case.query, "duckdb"), load(case.policy).schema)[0].plan
    except Rejected:
        return None


def test_each_node_is_a_line() -> None:
    kinds = set()
    for case in (c for c in grammar.every() if sampled(c.name, 4)):
        plan = bound(case)
        for found in () if plan is None else (plan, *resolved(case)):
            lines = drawn(found)
            assert len(lines) == sum(1 for _ in nodes(found))
            for line in lines:
                said = NODES.match(line)
                assert said, line
                kinds.add(said.group(1))
    assert len(kinds) == 13


def resolved(case: Case) -> list[Plan]:
    if not grammar.accepted(case):
        return []
    query = grammar.compiled(case).query
    if not isinstance(query, ReleasedQuery):
        return []
    return [query.plan, *(point.aggregate for point in query.releases)]


def test_columns_of_one_name_are_told_apart() -> None:
    printer, found = Printer(), []
    for number in range(3):
        found.append(printer.column(Column(number, "x", None)))  # type: ignore[arg-type]
    assert found == ["x", "x#2", "x#3"]
    assert printer.column(Column(1, "x", None)) == "x#2"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "sql", ["SELECT a.id FROM customers a JOIN customers b ON b.id = a.region"]
)
def test_another_column_of_that_name_is_another_text(sql: str) -> None:
    plan = bind(parse(sql, "duckdb"), load("shop").schema)[0].plan
    assert isinstance(plan, Project)
    (join,) = (node for node in nodes(plan) if isinstance(node, Join))
    other = next(c for c in join.right.columns if c.name == "id")
    ((column, _),) = plan.items
    assert drawn(replace(plan, items=((column, Ref(other)),))) != drawn(plan)


def test_what_a_reader_sees() -> None:
    case = next(c for c in grammar.every() if c.name == "subquery_scalar/public-lookup")
    (plan,) = resolved(case)[1:]
    assert drawn(plan) == [
        "aggregate: count = count(*)",
        "  filter (price > price#2)",
        "    join left on (id = product)",
        "      scan lines (order_id, product, price)",
        "      scan products (id, price#2)",
    ]
