"""Digests of plans: the same for the same rows in other words, others for other rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from dpsql.core.plan.canonical import Canonical, digest
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Filter,
    Join,
    OneRow,
    Plan,
    Project,
    Scan,
    Union,
)
from dpsql.core.schema import Column as Field
from dpsql.core.schema import Table
from dpsql.types import BIGINT, BOOLEAN, INTEGER, VARCHAR

TABLE = Table("T", private=True, columns=(Field("a", INTEGER), Field("b", INTEGER)))


def scan(first: int, *fields: str, table: Table = TABLE) -> Scan:
    columns = tuple(Column(first + n, f"x{n}", INTEGER) for n in range(len(fields)))
    return Scan(table, columns, fields, alias="what it is called")


def ref(number: int) -> Ref:
    return Ref(Column(number, "any", INTEGER))


def call(function: str, *args: Expr) -> Call:
    return Call(function, args, BOOLEAN)


FIVE = Literal(5, INTEGER)


def rows(plan: Plan) -> str:
    return Canonical().plan(plan)


def test_names_numbers_and_unread_columns_do_not_matter() -> None:
    one = Filter(scan(1, "a"), call("eq", ref(1), FIVE))
    other = Filter(
        replace(scan(70, "B", "A"), table=replace(TABLE, name="t")), call("eq", ref(71), FIVE)
    )
    assert rows(one) == rows(other)


def test_the_order_of_conditions_does_not_matter_and_which_they_are_does() -> None:
    terms = [call("eq", ref(1), FIVE), call("gt", ref(2), FIVE), call("gt", ref(1), FIVE)]

    def filtered(*numbers: int) -> str:
        plan: Plan = scan(1, "a", "b")
        for n in numbers:
            plan = Filter(plan, terms[n])
        return rows(plan)

    assert filtered(0, 1) == filtered(1, 0) == filtered(0, 1, 0)
    assert rows(Filter(scan(1, "a", "b"), Call("and", tuple(terms[:2]), BOOLEAN))) == filtered(0, 1)
    assert len({filtered(0), filtered(1), filtered(2), filtered(0, 1), filtered(0, 2)}) == 5


@pytest.mark.parametrize(
    "other",
    [
        Literal(6, INTEGER),
        Literal(5, BIGINT),
        Literal("5", VARCHAR),
        Literal(True, BOOLEAN),
        Literal(None, INTEGER),
    ],
)
def test_constants_have_a_value_and_a_type(other: Literal) -> None:
    found = Canonical()
    assert found.expr(FIVE) != found.expr(other)
    assert found.expr(FIVE) == found.expr(Literal(5, INTEGER))


def test_two_scans_of_a_table_are_told_apart() -> None:
    both = Join(scan(1, "a", "b"), scan(3, "a", "b"), None)
    same = Filter(both, call("eq", ref(1), ref(2)))
    crossed = Filter(both, call("eq", ref(1), ref(4)))
    assert len({rows(both), rows(same), rows(crossed)}) == 3


def test_a_projection_is_what_it_computes() -> None:
    double = call("add", ref(1), ref(1))
    made = Column(9, "d", INTEGER)
    above = Filter(Project(scan(1, "a"), ((made, double),)), call("eq", Ref(made), FIVE))
    assert rows(above) == rows(Filter(scan(1, "a"), call("eq", double, FIVE)))


def test_a_function_below_an_outer_join_is_not_the_same_above_it() -> None:
    """coalesce(x, 0) below is NULL for a row without a match; above it is 0."""
    zero = Literal(0, INTEGER)
    value = call("coalesce", ref(3), zero)
    made = Column(9, "d", INTEGER)
    left, right = scan(1, "a"), scan(3, "a")
    match = call("eq", ref(1), ref(3))
    below = Join(
        left, Project(right, ((Column(3, "a", INTEGER), ref(3)), (made, value))), match, kind="left"
    )
    above = Join(left, right, match, kind="left")
    one, other = Canonical(), Canonical()
    assert one.plan(below) == other.plan(above)
    assert one.expr(Ref(made)) != other.expr(value)
    # The same expression, seen before the join and after it.
    seen = Canonical()
    seen.plan(right)
    before = seen.expr(value)
    seen.plan(above)
    assert seen.expr(value) != before


@pytest.mark.parametrize("kind", ["left", "full"])
def test_the_kind_of_a_join_matters(kind: str) -> None:
    plain = Join(scan(1, "a"), scan(3, "a"), call("eq", ref(1), ref(3)))
    assert rows(plain) != rows(replace(plain, kind=kind))  # type: ignore[arg-type]


def test_marks_say_what_is_looked_for() -> None:
    def marked(constant: int, *, negated: bool = False) -> str:
        inner = Filter(scan(3, "a"), call("eq", ref(3), Literal(constant, INTEGER)))
        mark = Column(9, "m", BOOLEAN)
        plan = Join(scan(1, "a"), inner, call("eq", ref(1), ref(3)), kind="mark", mark=mark)
        found: Expr = Ref(mark)
        return rows(Filter(plan, call("not", found) if negated else found))

    assert len({marked(1), marked(2), marked(1, negated=True)}) == 3


def test_unions_and_groups_are_what_they_are_made_of() -> None:
    parts = (scan(1, "a"), scan(3, "b"))
    out = Column(9, "u", INTEGER)

    def union(*branches: Plan) -> str:
        return rows(Filter(Union(branches, (out,)), call("eq", Ref(out), FIVE)))

    assert len({union(*parts), union(parts[1], parts[0]), union(parts[0], parts[0])}) >= 2

    def grouped(key: Expr, argument: Expr | None, *, distinct: bool = False) -> str:
        k, n = Column(10, "k", INTEGER), Column(11, "n", BIGINT)
        asked = AggregateCall("count", argument, distinct=distinct)
        plan = Aggregate(scan(1, "a", "b"), ((k, key),), ((n, asked),), per_unit=True)
        return rows(Filter(plan, call("gt", Ref(n), FIVE)))

    found = {
        grouped(ref(1), None),
        grouped(ref(2), None),
        grouped(ref(1), ref(2)),
        grouped(ref(1), ref(2), distinct=True),
    }
    assert len(found) == 4


def test_lists_of_texts_are_told_apart() -> None:
    assert len({digest("ab"), digest("a", "b"), digest("", "ab"), digest("ab", "")}) == 4


def test_what_is_not_known_is_refused() -> None:
    @dataclass(frozen=True)
    class Holder:
        value: object

    found = Canonical()
    assert found.of(Holder(1)) != found.of(Holder(True))
    with pytest.raises(TypeError):
        found.of(Holder(object()))
    left_out = Canonical(left_out=frozenset({"Holder.value"}))
    assert left_out.of(Holder(1)) == left_out.of(Holder(object()))


def test_one_row_has_no_source() -> None:
    assert Canonical().block(OneRow()).sources == ()
