"""Units in time: what a policy of them becomes, and what it may not say."""

from __future__ import annotations

import pytest

from dpsql.errors import PolicyError
from dpsql.platform.policy import Policy, resolve
from dpsql.platform.policy.data_identity import identity, rivals

TEXT = """
unit: customers.id per month(orders.at)
budget: {eps: 10, delta: 1e-6}
tables:
  customers:
    access: private
    key: [id]
    columns: {id: {type: BIGINT}, segment: {type: VARCHAR}}
  orders:
    access: private
    key: [id]
    one_unit: {basket: [basket]}
    columns:
      id: {type: BIGINT}
      customer: {type: BIGINT, references: customers.id, max_rows: 40}
      product: {type: BIGINT, references: products.id}
      basket: {type: BIGINT}
      at: {type: DATE}
  lines:
    access: private
    columns:
      order_id: {type: BIGINT, references: orders.id, max_rows: 5}
      buyer: {type: BIGINT, references: customers.id}
    owner: order_id
  calls:
    access: private
    columns: {caller: {type: BIGINT, references: customers.id, max_rows: 7}, at: {type: DATE}}
  products: {access: public, key: [id], columns: {id: {type: BIGINT}}}
"""


def parsed(unit: str, text: str = TEXT) -> Policy:
    return Policy.parse(text.replace("customers.id per month(orders.at)", unit))


def test_rows_are_of_the_unit_of_the_row_that_says_when() -> None:
    policy = parsed("customers.id per month(orders.at)")
    schema = resolve(policy, None, None)
    assert schema.unit == "customers.id per month(orders.at)"
    assert (schema.unit_table, schema.unit_column) == ("orders", "id_month")
    # No row of customers or of calls says in which month it is.
    assert list(schema.tables) == ["orders", "lines", "products"]
    orders, lines = schema.tables["orders"], schema.tables["lines"]
    assert (orders.owner, orders.key, orders.one_unit) == (
        *("id_month", ("id",)),
        {"row of orders": ("id",)} if not orders.key else {},
    )
    unit, customer = orders.column("id_month"), orders.column("customer")
    assert unit is not None and customer is not None
    assert (str(unit.type), unit.max_rows, unit.references) == ("VARCHAR", 40, None)
    assert (customer.max_rows, customer.references) == (None, None)
    assert orders.column("product").references is not None  # type: ignore[union-attr]
    assert lines.owner == "order_id"
    assert lines.column("buyer").references is None  # type: ignore[union-attr]
    assert policy.time is not None
    assert policy.time.base == parsed("customers.id")


def test_several_tables_may_say_when() -> None:
    policy = parsed("customers.id per Week ( orders.at , calls.at )")
    schema = resolve(policy, None, None)
    assert [schema.tables[low].owner for low in ("orders", "calls")] == ["id_week", "id_week"]
    assert schema.tables["calls"].column("id_week").max_rows == 7  # type: ignore[union-attr]
    assert schema.next_owner(schema.tables["calls"]) is None


def test_the_table_of_a_unit_may_say_when() -> None:
    text = """
unit: visits.person per day(visits.at)
budget: {eps: 1}
tables:
  visits:
    access: private
    columns: {person: {type: VARCHAR, max_rows: 3}, at: {type: TIMESTAMP}}
  notes: {access: private, columns: {person: {type: VARCHAR, references: visits.person}}}
"""
    schema = resolve(Policy.parse(text), None, None)
    assert list(schema.tables) == ["visits"]
    assert schema.tables["visits"].owner == "person_day"


def test_persons_need_no_table() -> None:
    text = """
unit: person per day(clicks.at)
budget: {eps: 1}
tables:
  clicks:
    access: private
    owner: visitor
    columns: {visitor: {type: BIGINT, max_rows: 3}, at: {type: TIMESTAMP}}
  calls: {access: private, owner: caller, columns: {caller: {type: BIGINT}}}
"""
    schema = resolve(Policy.parse(text), None, None)
    assert list(schema.tables) == ["clicks"]
    assert schema.tables["clicks"].owner == "visitor_day"


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        ("customers.id per month(lines.at)", "a row of lines must say itself whose it is"),
        ("customers.id per month(sales.at)", "sales is not listed"),
        ("customers.id per month(orders)", "a time is a column, such as orders.COLUMN"),
        ("customers.id per month()", "is not listed"),
        ("customers.id per month(orders.at, Orders.id)", "a row of Orders says once when it was"),
        ("customers.id per hour(orders.at)", "per day, week, month, quarter or year, not per hour"),
    ],
)
def test_what_no_unit_in_time_is(unit: str, message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        parsed(unit)
    assert message in str(caught.value)
    assert caught.value.line is not None


def test_persons_are_named_by_a_column() -> None:
    text = """
unit: visits per day(visits.at)
budget: {eps: 1}
tables: {visits: {access: private, columns: {at: {type: DATE}}}}
"""
    with pytest.raises(PolicyError, match="a unit in time is that of persons that a column names"):
        Policy.parse(text)


def test_a_unit_in_time_comes_or_goes() -> None:
    with pytest.raises(PolicyError, match="a unit in time comes or goes: neighbours: add_remove"):
        Policy.parse(TEXT + "neighbours: replace\n")


def test_a_column_with_the_name_of_the_units() -> None:
    text = TEXT.replace("basket: {type: BIGINT}", "basket: {type: BIGINT}\n      ID_month: {}")
    with pytest.raises(PolicyError, match=r"tables\.orders: id_month is the name of its units"):
        Policy.parse(text)


def test_another_period_is_another_promise() -> None:
    month = resolve(parsed("customers.id per month(orders.at)"), None, None)
    found = [identity(month, name, time) for name in (None, "x") for time in (None, "day", "month")]
    assert len(set(found)) == 6
    assert set(rivals(month, "x", "month")) >= {identity(month, "x"), identity(month, "x", "day")}
    assert identity(month, "x", "month") not in rivals(month, "x", "month")
    assert identity(month, "x", "month") in rivals(month, "x")
