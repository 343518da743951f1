"""Policies with several kinds of unit: what is wrong with one, and the schema of each kind."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpsql.compile import compile_query
from dpsql.errors import PolicyError, Rejected
from dpsql.platform.policy import Catalog, Policy, Schema, claims_digest, key_checks, resolve
from dpsql.platform.policy.catalog import CatalogColumn, CatalogTable, ForeignKey
from dpsql.platform.policy.data_identity import identity
from dpsql.types import INTEGER

TEXT = """\
units: [buyers.id, sellers.id]
budget: {eps: 10}
tables:
  buyers: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  sellers: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  orders:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      buyer: {type: INTEGER, references: buyers.id}
  lines:
    access: private
    owner: order_id
    columns:
      order_id: {type: INTEGER, references: orders.id}
      seller: {type: INTEGER, references: sellers.id}
  towns: {access: public, key: [name], columns: {name: {type: VARCHAR}}}
"""

BUYER = "      buyer: {type: INTEGER, references: buyers.id}\n"
AGENTS = TEXT.replace(BUYER, f"{BUYER}      agent: {{type: INTEGER, references: sellers.id}}\n")
AGENTS = AGENTS.replace("owner: order_id", "owner: seller")
"""An order has an agent, who need not be the seller of its lines."""

WRONG = {
    "neither": ("units: [buyers.id, sellers.id]\n", "", "the key unit is missing; or units"),
    "both": ("units:", "unit: buyers.id\nunits:", "units: a policy has a unit, or several units"),
    "one": (", sellers.id", "", "units: one kind of unit is written unit: buyers.id"),
    "twice": ("sellers.id]", "Buyers.ID]", "units[1]: Buyers.ID is there twice"),
    "not listed": ("sellers.id]", "seller.id]", "the table seller is not listed; did you mean"),
    "public": ("sellers.id]", "towns.name]", "the table towns is public; the unit's must be"),
    "no column": ("sellers.id]", "sellers]", "of several kinds of unit each is named by table.co"),
    "wrong column": ("sellers.id]", "sellers.no]", "the table sellers has no column no"),
    "replace": ("budget:", "neighbours: replace\nbudget:", "neighbours: add_remove"),
    "orphan": (
        "references: buyers.id}",
        "}",
        "tables.orders: a private table without a path to a unit of any kind",
    ),
    "ambiguous": (
        "      seller: {type: INTEGER, references: sellers.id}",
        "      seller: {type: INTEGER, references: sellers.id}\n"
        "      other: {type: INTEGER, references: sellers.id}",
        "tables.lines: the path to the unit sellers.id is ambiguous",
    ),
}


def edited(old: str, new: str) -> str:
    assert TEXT.count(old) == 1
    return TEXT.replace(old, new)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong(name: str) -> None:
    old, new, message = WRONG[name]
    with pytest.raises(PolicyError) as caught:
        resolve(Policy.parse(edited(old, new)), None, None)
    assert message in str(caught.value)


def schema(text: str = TEXT) -> Schema:
    return resolve(Policy.parse(text), None, None)


def test_each_kind_has_its_own_schema() -> None:
    found = schema()
    assert found.unit == "buyers.id, sellers.id"
    buyers, sellers = found.kinds
    assert (buyers.unit, sellers.unit) == ("buyers.id", "sellers.id")
    private = [{low for low, t in k.tables.items() if t.private} for k in found.kinds]
    assert private == [{"buyers", "orders", "lines"}, {"sellers", "lines"}]
    hidden = [{low for low, t in k.tables.items() if t.hidden} for k in found.kinds]
    assert hidden == [{"sellers"}, {"buyers", "orders"}]
    assert {low for low, t in found.tables.items() if not t.private} == {"towns"}
    assert [k.tables["lines"].owner for k in found.kinds] == ["order_id", "seller"]
    assert [k.tables["lines"].others for k in found.kinds] == [("seller",), ("order_id",)]
    assert set(sellers.alone().tables) == {"sellers", "lines", "towns"}


def test_a_policy_of_one_kind_is_as_before() -> None:
    found = schema(edited("units: [buyers.id, sellers.id]", "unit: buyers.id").replace(
        "sellers: {access: private", "sellers: {access: public"
    ))  # fmt: skip
    assert found.kinds == () and not any(t.hidden or t.others for t in found.tables.values())


def test_a_table_is_of_every_kind_that_it_leads_to() -> None:
    """Whatever its owner is: else its rows would be of nobody's kind but one's."""
    found = schema(AGENTS)
    assert [k.tables["orders"].owner for k in found.kinds] == ["buyer", "agent"]
    assert [k.tables["lines"].owner for k in found.kinds] == ["order_id", "seller"]


def test_a_table_on_the_way_to_one_kind_may_be_of_another_unit_of_the_other() -> None:
    """Where an agent goes, his orders go, and with them the way from lines of others to buyers."""
    with pytest.raises(Rejected) as caught:
        compile_query("SELECT COUNT(*) FROM lines", schema(AGENTS), Fraction(1))
    assert caught.value.code == "DP402"
    compile_query("SELECT COUNT(*) FROM lines", schema(), Fraction(1))


def test_references_of_the_catalog_lead_to_kinds_too() -> None:
    columns = (CatalogColumn("id", INTEGER, not_null=True),)
    lines = tuple(CatalogColumn(n, INTEGER) for n in ("order_id", "seller"))
    orders = (*columns, CatalogColumn("buyer", INTEGER))
    keyed = [CatalogTable(n, columns, keys=(("id",),)) for n in ("buyers", "sellers")]
    catalog = Catalog((
        *keyed,
        CatalogTable("orders", orders, keys=(("id",),)),
        CatalogTable("lines", lines, foreign_keys=(ForeignKey("seller", "sellers", "id"),)),
    ))  # fmt: skip
    text = TEXT[: TEXT.index("  towns")]
    text = text.replace("seller: {type: INTEGER, references: sellers.id}", "seller: {}")
    found = resolve(Policy.parse(text), catalog, None)
    assert [k.tables["lines"].private for k in found.kinds] == [True, True]


def test_keys_on_the_paths_of_all_kinds_are_checked() -> None:
    checks = key_checks(Policy.parse(TEXT), None)
    assert {c.table for c in checks} == {"buyers", "sellers", "orders", "towns"}
    assert len(checks) == 4


def test_the_kinds_say_which_data_set_and_which_claims_it_is() -> None:
    one = edited("units: [buyers.id, sellers.id]", "unit: buyers.id").replace(
        "sellers: {access: private", "sellers: {access: public"
    )
    turned = edited("[buyers.id, sellers.id]", "[sellers.id, buyers.id]")
    digests = {claims_digest(Policy.parse(text)) for text in (TEXT, one, turned)}
    assert len(digests) == 3
    assert identity(schema(), None) != identity(schema(one), None)
    assert identity(schema(), None) == identity(schema(turned), None)
