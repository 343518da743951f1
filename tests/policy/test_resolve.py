# ruff: noqa: E501  (the cases are a table)
"""What counts as proven, and what stays a claim."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from dpsql.errors import PolicyError
from dpsql.platform.policy import (
    Catalog,
    CatalogColumn,
    CatalogTable,
    Column,
    ForeignKey,
    KeyCheck,
    Policy,
    Reference,
    RowCheck,
    Schema,
    Verification,
    claims_digest,
    key_checks,
    parse_type,
    resolve,
    row_checks,
)

from .shop import SHOP


def column(name: str, type_: str, **facts: object) -> CatalogColumn:
    return CatalogColumn(name, parse_type(type_), **facts)  # type: ignore[arg-type]


BARE = Catalog(
    (
        CatalogTable(
            "Customer",
            (
                column("Id", "BIGINT"),
                column("age", "INTEGER"),
                column("city", "VARCHAR"),
                column("land", "INTEGER"),
                column("note", "BLOB"),
            ),
        ),
        CatalogTable(
            "orders",
            (
                column("id", "BIGINT"),
                column("buyer", "BIGINT"),
                column("day", "DATE"),
                column("price", "DECIMAL(15,2)"),
            ),
        ),
        CatalogTable("lines", (column("order_id", "BIGINT"),)),
        CatalogTable("land", (column("id", "INTEGER"),)),
        CatalogTable("secret", (column("id", "INTEGER"),)),
    )
)
RICH = Catalog(
    (
        CatalogTable(
            "customer",
            (
                column("id", "BIGINT", not_null=True),
                column("age", "INTEGER", not_null=True, bounds=(18, 70)),
                column("city", "VARCHAR", values=("Linz", "Graz")),
                column("land", "INTEGER"),
            ),
            keys=(("id",),),
            foreign_keys=(ForeignKey("land", "land", "id"),),
        ),
        CatalogTable(
            "orders",
            (
                column("id", "BIGINT", not_null=True),
                column("buyer", "BIGINT", not_null=True),
                column("day", "DATE", bounds=(date(1980, 1, 1), date(1995, 1, 1))),
                column("price", "DECIMAL(15,2)", bounds=(0, 1)),
                column("kind", "ENUM('b', 'a')"),
                column("size", "INTEGER", bounds=(Fraction(-1, 2), Fraction(11, 2))),
            ),
            keys=(("id",),),
            foreign_keys=(ForeignKey("buyer", "customer", "id"),),
        ),
        CatalogTable(
            "lines",
            (column("order_id", "BIGINT", not_null=True),),
            foreign_keys=(ForeignKey("order_id", "orders", "id"),),
        ),
        CatalogTable("land", (column("id", "INTEGER", not_null=True),), keys=(("id",),)),
    )
)
# The database says it, so the policy need not.
TERSE = """\
unit: customer.id
budget: {eps: 1}
tables:
  customer: {access: private}
  orders: {access: private, columns: {buyer: {max_rows: 5}}}
  lines: {access: private}
  land: {access: public}
"""


def at(schema: Schema, name: str) -> Column:
    table, _, column_name = name.partition(".")
    found = schema.tables[table].column(column_name)
    assert found is not None
    return found


def test_without_a_catalog_all_is_claimed_but_keys() -> None:
    schema = resolve(Policy.parse(SHOP), None, None)
    assert (schema.unit_table, schema.unit_column) == ("customer", "id")
    assert (schema.eps, schema.delta) == (10, Fraction(1, 100_000))
    customer, orders, lines = (schema.tables[t] for t in ("customer", "orders", "lines"))
    assert (customer.key, customer.owner, customer.owner_proven) == (("id",), "id", True)
    assert (orders.key, orders.owner, orders.owner_proven) == (("id",), "buyer", False)
    assert (lines.key, lines.owner, lines.owner_proven) == ((), "order_id", False)
    assert schema.next_owner(orders) is None
    assert schema.next_owner(lines) == Reference("orders", "id")
    assert not at(schema, "customer.id").nullable
    assert at(schema, "customer.id").max_rows == 1
    assert at(schema, "customer.id").max_rows_proven
    age = at(schema, "customer.age")
    assert (age.bounds, age.bounds_proven, age.nullable) == ((18, 99), False, True)
    buyer = at(schema, "orders.buyer")
    assert (buyer.max_rows, buyer.max_rows_proven) == (5, False)
    assert at(schema, "customer.city").values == ("Graz", "Linz")
    assert not at(schema, "customer.city").values_proven


def test_key_checks_without_enforcement() -> None:
    expected = (
        KeyCheck("customer", ("id",)),
        KeyCheck("orders", ("id",)),
        KeyCheck("land", ("id",)),
    )
    assert key_checks(Policy.parse(SHOP), None) == expected
    assert key_checks(Policy.parse(SHOP), BARE)[0] == KeyCheck("Customer", ("Id",))
    assert key_checks(Policy.parse(SHOP), RICH) == ()


def test_key_off_the_path_is_dropped() -> None:
    text = SHOP.replace("  lines:\n", "  lines:\n    key: [order_id]\n")
    assert resolve(Policy.parse(text), None, None).tables["lines"].key == ()
    assert all(check.table != "lines" for check in key_checks(Policy.parse(text), None))
    order = at(resolve(Policy.parse(text), None, None), "lines.order_id")
    assert (order.max_rows, order.max_rows_proven, order.nullable) == (1, False, True)


@pytest.mark.parametrize(
    ("key", "said", "rows"),
    [
        ("[order_id]", "", 1),  # one row of each order, hence of its unit: a claim, enforced
        ("[order_id]", "max_rows: 7", 7),  # what is said of the column itself counts
        ("[order_id]", "clip_rows: 7", 7),
        ("[order_id, Qty]", "", None),
        ("[Qty]", "", None),  # of no row's unit does it say anything
    ],
)
def test_a_claimed_key_that_leads_to_the_unit_bounds_its_rows(
    key: str, said: str, rows: int | None
) -> None:
    text = SHOP.replace("  lines:\n", f"  lines:\n    key: {key}\n")
    column = "order_id: {type: BIGINT, references: orders.id"
    more = f", {said}" if said else ""
    text = text.replace(f"{column}}}", f"{column}{more}}}\n      Qty: {{type: INTEGER}}")
    schema = resolve(Policy.parse(text), None, None)
    order = at(schema, "lines.order_id")
    assert (order.max_rows, order.max_rows_proven) == (rows, False)
    assert at(schema, "lines.Qty").max_rows is None
    assert schema.tables["lines"].key == ()


def test_reference_to_a_dropped_key_is_dropped() -> None:
    text = SHOP.replace("  lines:\n", "  lines:\n    key: [order_id]\n").replace(
        "      day:", "      line: {type: BIGINT, references: lines.order_id}\n      day:"
    )
    text = text.replace("    columns:\n      id: {type: BIGINT}\n      buyer",
                        "    owner: buyer\n    columns:\n      id: {type: BIGINT}\n      buyer")  # fmt: skip
    schema = resolve(Policy.parse(text), None, None)
    assert at(schema, "orders.line").references is None
    assert at(schema, "orders.buyer").references == Reference("customer", "id")


def test_every_catalog_column_of_a_listed_table_exists() -> None:
    schema = resolve(Policy.parse(SHOP), BARE, None)
    assert at(schema, "customer.note").type.is_opaque
    assert schema.tables["customer"].name == "Customer"
    assert schema.unit_column == "Id"
    assert "secret" not in schema.tables
    assert at(schema, "orders.buyer").references == Reference("Customer", "Id")


def test_enforced_constraints_are_proof() -> None:
    schema = resolve(Policy.parse(SHOP), RICH, None)
    assert all(schema.tables[t].owner_proven for t in ("customer", "orders", "lines"))
    age = at(schema, "customer.age")
    assert (age.bounds, age.bounds_proven, age.nullable) == ((18, 70), True, False)
    city = at(schema, "customer.city")
    assert (city.values, city.values_proven) == (("Graz", "Linz"), True)  # the owner's order
    day = at(schema, "orders.day")  # neither range holds the other: the declared is a claim
    assert (day.bounds, day.bounds_proven) == ((date(1992, 1, 1), date(1998, 12, 31)), False)
    price = at(schema, "orders.price")  # the declared is tighter
    assert (price.bounds, price.bounds_proven) == ((0, Fraction(5, 100)), False)
    kind = at(schema, "orders.kind")
    assert (kind.values, kind.values_proven) == (("b", "a"), True)
    size = at(schema, "orders.size")
    assert (size.bounds, size.bounds_proven) == ((0, 5), True)
    assert not at(schema, "orders.buyer").max_rows_proven


def test_what_the_catalog_says_need_not_be_declared() -> None:
    schema = resolve(Policy.parse(TERSE), RICH, None)
    assert schema.tables["lines"].owner == "order_id"
    assert schema.tables["lines"].owner_proven
    assert schema.tables["orders"].key == ("id",)
    assert at(schema, "customer.land").references == Reference("land", "id")
    assert key_checks(Policy.parse(TERSE), RICH) == ()
    with pytest.raises(PolicyError, match="without a database the column buyer needs a type"):
        resolve(Policy.parse(TERSE), None, None)
    with pytest.raises(PolicyError, match=r"tables\.orders: a private table without a path"):
        resolve(Policy.parse(TERSE), BARE, None)


def test_owner_proof_needs_every_step() -> None:
    def nullable_buyer(table: CatalogTable) -> CatalogTable:
        columns = (*table.columns[:1], column("buyer", "BIGINT"), *table.columns[2:])
        return CatalogTable(table.name, columns, table.keys, table.foreign_keys)

    catalog = Catalog(tuple(nullable_buyer(t) if t.name == "orders" else t for t in RICH.tables))
    schema = resolve(Policy.parse(SHOP), catalog, None)
    assert not schema.tables["orders"].owner_proven
    assert not schema.tables["lines"].owner_proven
    record = Verification(
        "1", claims_digest(Policy.parse(SHOP)), owners=frozenset({"orders.buyer"})
    )
    schema = resolve(Policy.parse(SHOP), catalog, record)
    assert schema.tables["lines"].owner_proven
    assert not at(schema, "orders.buyer").nullable


def test_a_declared_key_is_one_where_a_record_says_so() -> None:
    lines = "  lines:\n    access: private\n"
    text = SHOP.replace(lines, f"{lines}    key: [order_id, Qty]\n").replace(
        "references: orders.id}\n", "references: orders.id}\n      Qty: {type: INTEGER}\n"
    )
    policy = Policy.parse(text)
    plain = resolve(policy, None, None)
    assert plain.tables["lines"].key == () and at(plain, "lines.Qty").nullable
    for name, key in (("lines.order_id, qty", ("order_id", "Qty")), ("lines.qty", ())):
        record = Verification("1", claims_digest(policy), keys=frozenset({name}))
        schema = resolve(policy, None, record)
        assert schema.tables["lines"].key == key
        assert at(schema, "lines.Qty").nullable is not bool(key)
        assert at(schema, "lines.order_id").max_rows is None


def test_a_declared_key_of_one_column_is_in_one_row_of_each_value() -> None:
    lines = "  lines:\n    access: private\n"
    policy = Policy.parse(SHOP.replace(lines, f"{lines}    key: [order_id]\n"))
    claimed = at(resolve(policy, None, None), "lines.order_id")
    assert (claimed.max_rows, claimed.max_rows_proven) == (1, False)
    record = Verification("1", claims_digest(policy), keys=frozenset({"lines.order_id"}))
    column = at(resolve(policy, None, record), "lines.order_id")
    assert (column.max_rows, column.max_rows_proven) == (1, True)


def test_a_record_proves_what_it_covers() -> None:
    text = SHOP.replace("bounds: [18, 99]", "bounds: [18, 99], nullable: false")
    policy = Policy.parse(text)
    record = Verification(
        version="1",
        policy_digest=claims_digest(policy),
        bounds=frozenset({"customer.age"}),
        values=frozenset({"customer.city"}),
        fanouts=frozenset({"orders.buyer", "orders.day"}),
        not_null=frozenset({"customer.age", "customer.city"}),
        owners=frozenset({"orders.buyer"}),
    )
    schema = resolve(policy, BARE, record)
    age, city, buyer = (at(schema, c) for c in ("customer.age", "customer.city", "orders.buyer"))
    assert age.bounds_proven
    assert not age.nullable
    assert city.values_proven
    assert city.nullable  # without a NULL today, but not so declared
    assert (buyer.max_rows, buyer.max_rows_proven, buyer.nullable) == (5, True, False)
    day = at(schema, "orders.day")
    assert (day.bounds_proven, day.max_rows, day.max_rows_proven) == (False, None, False)
    assert schema.tables["orders"].owner_proven
    assert not schema.tables["lines"].owner_proven
    other = resolve(Policy.parse(text.replace("99]", "98]")), BARE, record)
    assert not at(other, "customer.age").bounds_proven
    assert not other.tables["orders"].owner_proven


def test_a_nullable_claim_alone_proves_nothing() -> None:
    policy = Policy.parse(SHOP.replace("bounds: [18, 99]", "nullable: false"))
    age = at(resolve(policy, BARE, None), "customer.age")
    assert (age.nullable, age.declared_nullable) == (True, False)
    assert at(resolve(policy, BARE, None), "customer.city").declared_nullable is None


def test_units_with_several_rows() -> None:
    text = """\
unit: people.pid
budget: {eps: 1}
tables:
  people:
    access: private
    columns: {pid: {type: INTEGER, max_rows: 3}, age: {type: INTEGER}}
"""
    schema = resolve(Policy.parse(text), None, None)
    assert (schema.tables["people"].owner, schema.tables["people"].owner_proven) == ("pid", False)
    assert (at(schema, "people.pid").max_rows, at(schema, "people.pid").max_rows_proven) == (
        3,
        False,
    )
    assert key_checks(Policy.parse(text), None) == ()


def test_each_row_a_unit() -> None:
    text = """\
unit: people
neighbours: replace
budget: {eps: 1}
tables:
  people: {access: private, rows: 4, columns: {age: {type: INTEGER}}}
  land: {access: public, rows: 2, columns: {id: {type: INTEGER}}}
"""
    policy = Policy.parse(text)
    people = resolve(policy, None, None).tables["people"]
    assert (people.owner, people.owner_proven, people.rows) == (None, True, 4)
    assert resolve(policy, None, None).unit_column is None
    assert row_checks(policy) == (RowCheck("people", 4), RowCheck("land", 2))


def test_unit_that_is_not_the_referenced_key() -> None:
    text = SHOP.replace("unit: customer.id", "unit: customer.home").replace(
        "      age:", "      home: {type: INTEGER, max_rows: 6}\n      age:"
    )
    schema = resolve(Policy.parse(text), None, None)
    assert schema.tables["customer"].owner == "home"
    assert schema.next_owner(schema.tables["orders"]) == Reference("customer", "id")
    assert schema.next_owner(schema.tables["customer"]) is None


def test_keys_prefer_what_is_enforced() -> None:
    def key(declared: str, *enforced: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
        text = f"""\
unit: p.u
budget: {{eps: 1}}
tables: {{p: {{access: private, key: {declared}, columns: {{u: {{}}}}}}}}
"""
        columns = (column("u", "INTEGER"), column("y", "INTEGER"), column("z", "INTEGER"))
        catalog = Catalog((CatalogTable("p", columns, enforced),))
        policy = Policy.parse(text)
        return resolve(policy, catalog, None).tables["p"].key, len(key_checks(policy, catalog))

    assert key("[u, y]") == (("u", "y"), 1)
    assert key("[u, y]", ("Y", "u")) == (("u", "y"), 0)
    assert key("[u, y]", ("y",)) == (("y",), 0)
    assert key("[u, y]", ("z",)) == (("u", "y"), 1)
    assert key("[]", ("y", "z"), ("u",)) == (("u",), 0)


CONTRADICTIONS = {
    "table": (SHOP.replace("  land:\n", "  lend: {access: public}\n  land:\n"), 25,
              "the database has no table lend"),
    "column": (SHOP.replace("      day:", "      dai:"), 19,
               "the database's table orders has no column dai; did you mean day?"),
    "key": (SHOP.replace("    key: [id]\n    columns:\n      id: {type: INTEGER}", "    key: [idd]"), 27,
            "the database's table land has no column idd; did you mean id?"),
    "type": (SHOP.replace("buyer: {type: BIGINT", "buyer: {type: INT"), 18,
             "declared as INTEGER, but the database has BIGINT"),
    "bounds": (SHOP.replace("age: {type: INTEGER, bounds: [18, 99]", "age: {bounds: [18, 99.5]"), 10,
               "99.5 is not a whole number"),
    "unit": (SHOP.replace("unit: customer.id", "unit: customer.idd"), 1,
             "the table customer has no column idd; did you mean id?"),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_contradictions(name: str) -> None:
    text, line, message = CONTRADICTIONS[name]
    with pytest.raises(PolicyError) as caught:
        resolve(Policy.parse(text, "shop.yaml"), RICH, None)
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line) == ("shop.yaml", line)


def test_unlisted_tables_are_not_named() -> None:
    text = SHOP.replace("  land:\n", "  secrat: {access: public}\n  land:\n")
    with pytest.raises(PolicyError) as caught:
        resolve(Policy.parse(text), BARE, None)
    assert "secret" not in str(caught.value)


def test_public_table_that_the_database_ties_to_a_private_one() -> None:
    land = CatalogTable(
        "land",
        (column("id", "INTEGER"), column("king", "BIGINT")),
        foreign_keys=(ForeignKey("king", "customer", "id"),),
    )
    catalog = Catalog((*RICH.tables[:3], land))
    with pytest.raises(PolicyError, match="the public table's column king refers to the private"):
        resolve(Policy.parse(SHOP), catalog, None)


def test_the_database_makes_a_path_ambiguous() -> None:
    orders = RICH.tables[1]
    both = CatalogTable(
        "orders",
        (*orders.columns, column("payer", "BIGINT")),
        orders.keys,
        (*orders.foreign_keys, ForeignKey("payer", "customer", "id")),
    )
    catalog = Catalog((RICH.tables[0], both, *RICH.tables[2:]))
    with pytest.raises(PolicyError, match=r"ambiguous; .* owner: buyer or owner: payer"):
        resolve(Policy.parse(SHOP), catalog, None)
    text = SHOP.replace("  orders:\n", "  orders:\n    owner: BUYER\n")
    assert resolve(Policy.parse(text), catalog, None).tables["orders"].owner == "buyer"


def test_a_check_on_a_double_is_as_loose_as_the_engine_reads_it() -> None:
    def of(kind: str, **facts: object) -> Column:
        catalog = Catalog((CatalogTable("p", (column("x", kind, **facts),)),))
        text = "unit: p\nbudget: {eps: 1}\ntables: {p: {access: private}}"
        return at(resolve(Policy.parse(text), catalog, None), "p.x")

    bounds = of("DOUBLE", bounds=(Fraction(-1, 2), Fraction(1, 10))).bounds
    assert bounds is not None
    assert bounds[0] == Fraction(-1, 2)
    assert bounds[1] > Fraction(0.1) > Fraction(1, 10)  # type: ignore[operator]
    assert of("DECIMAL(5,2)", bounds=(0, Fraction(1, 10))).bounds == (0, Fraction(1, 10))
    assert of("DOUBLE", values=(Fraction(1, 10), 1)).values is None
    assert of("DOUBLE", values=(Fraction(1, 2), 1)).values == (Fraction(1, 2), 1)
    assert of("INTEGER", values=(1, Fraction(3, 2))).values == (1,)
    assert of("INTEGER", values=(1, "2")).values is None
    assert of("ENUM('a', 'b')", values=("b",)).values == ("b",)
    assert of("ENUM('a', 'b')", values=(1,)).values == ("a", "b")
