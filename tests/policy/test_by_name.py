"""References that are guessed by names and types, and what is never drafted as public."""

from __future__ import annotations

import random

import pytest

from dpsql.errors import PolicyError
from dpsql.platform.policy import (
    Catalog,
    CatalogColumn,
    CatalogTable,
    ForeignKey,
    Policy,
    draft,
    parse_type,
    resolve,
)


def catalog(text: str, *, keyed: bool = False) -> Catalog:
    """Tables without a key: "orders: order_id customer_id:VARCHAR", one a line."""
    tables = []
    for line in text.strip().splitlines():
        name, _, columns = line.strip().partition(": ")
        parts = [column.partition(":") for column in columns.split()]
        found = tuple(CatalogColumn(c, parse_type(kind or "BIGINT"), keyed) for c, _, kind in parts)
        tables.append(CatalogTable(name, found, ((parts[0][0],),) if keyed else ()))
    return Catalog(tuple(tables))


SHOP = """
customers: customer_id region_id
orders: order_id customer_id:INTEGER
order_lines: order_id product_id
products: product_id
regions: region_id
"""
TPCH = """
customer: c_custkey c_nationkey
orders: o_orderkey o_custkey
lineitem: l_orderkey l_partkey
part: p_partkey p_name:VARCHAR
nation: n_nationkey n_name:VARCHAR
"""
BARE = """
people: id name:VARCHAR
visits: id people_id clinic_id
clinics: id
"""


@pytest.mark.parametrize(
    ("tables", "unit", "listed"),
    [
        (SHOP, "customers.customer_id", ["customers", "orders", "order_lines"]),
        (TPCH, "customer.c_custkey", ["customer", "orders", "lineitem"]),
        (BARE, "people.id", ["people", "visits"]),
    ],
)
def test_tables_without_keys_are_linked(tables: str, unit: str, listed: list[str]) -> None:
    known = catalog(tables)
    for given in (unit, None):
        text = draft(known, given)
        policy = Policy.parse(text)
        assert (policy.unit, list(policy.tables)) == (unit, listed)
        resolve(policy, known, None)
        assert "a guess; tested when the data is opened" in text
        assert "a guess by the column's name" in text


def test_a_foreign_key_is_not_guessed_again() -> None:
    [people, visits, clinics] = catalog(BARE, keyed=True).tables
    linked = CatalogTable(
        visits.name, visits.columns, visits.keys, (ForeignKey("people_id", "people", "id"),)
    )
    text = draft(Catalog((people, linked, clinics)))
    assert "people_id: " in text and "references: people.id" in text and "a guess by" not in text


def test_of_two_ways_the_owner_chooses() -> None:
    text = draft(catalog("customers: customer_id\ncalls: customer customer_id"), "customers")
    assert list(Policy.parse(text).tables) == ["customers"]
    assert "(owner: customer or owner: customer_id):\n  # calls:\n  #   access: private" in text


@pytest.mark.parametrize(
    "column",
    ["customer_id:VARCHAR", "paying_customer_id", "customer:VARCHAR", "payer_customer:VARCHAR"],
)
def test_what_may_lead_to_the_unit_is_not_drafted_as_public(column: str) -> None:
    text = draft(catalog(f"customers: customer_id\nnotes: {column} text:VARCHAR"), "customers")
    assert "# notes:\n  #   access: private" in text


def test_what_leads_there_through_others_is_not_drafted_as_public() -> None:
    tables = "customers: customer_id\ncards: card_id customer_id:VARCHAR\nbills: card_id x"
    text = draft(catalog(tables), "customers.customer_id")
    assert "# cards:\n  #   access: private" in text and "# bills:\n  #   access: private" in text


def test_nothing_that_names_the_unit_is_public_in_any_draft() -> None:
    rng = random.Random(1)
    words = ["customer_id", "order_id", "id", "customer", "cust", "x", "orders_id", "note"]
    for _ in range(300):
        lines = [
            f"{name}: {' '.join(rng.sample(words, rng.randint(1, 4)))}"
            for name in ("customers", "orders", "notes", "facts")
        ]
        known = catalog("\n".join(lines), keyed=rng.random() < 0.5)
        try:
            text = draft(known, rng.choice([None, "customers"]))
        except PolicyError:
            continue
        policy = Policy.parse(text)
        resolve(policy, known, None)
        unit = policy.unit_column
        for block in text.split("\n  #\n")[1:]:
            named = unit if unit != "id" else f"{policy.unit_table.removesuffix('s')}_id"
            if named is not None and f" {named}:" in block:
                assert "access: private" in block, text
