from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.schema import Reference
from dpsql.errors import PolicyError
from dpsql.platform.policy import (
    SCHEMA_FILE,
    Catalog,
    CatalogColumn,
    CatalogTable,
    ForeignKey,
    Policy,
    draft,
    json_schema,
    key_checks,
    parse_type,
    resolve,
)
from dpsql.types import DOUBLE, INTEGER, TIMESTAMP, VARCHAR, Scalar, Type

from .test_resolve import RICH


def test_round_trip() -> None:
    text = draft(RICH)
    assert text.startswith(f"# yaml-language-server: $schema={SCHEMA_FILE}\n")
    assert "A GUESS" in text
    policy = Policy.parse(text)
    assert policy.unit == "customer.id"
    assert list(policy.tables) == ["customer", "orders", "lines"]
    assert "  # land:\n  #   access: public\n" in text
    assert "to dpsql they do not exist" in text
    assert "references: land.id, once land is listed" in text
    resolve(policy, None, None)
    schema = resolve(policy, RICH, None)
    assert key_checks(policy, RICH) == ()
    assert all(schema.tables[name].owner_proven for name in schema.tables)
    assert policy.tables["orders"].columns["price"].bounds == (0, 1)
    assert "max_rows: N" in next(line for line in text.splitlines() if " buyer:" in line)


def test_uncommenting_the_public_table() -> None:
    lines = draft(RICH).splitlines()
    start = lines.index("  # land:")
    text = "\n".join([*lines[:start], *(line.replace("# ", "", 1) for line in lines[start:])])
    policy = Policy.parse(text)
    assert policy.tables["land"].access == "public"
    assert resolve(policy, RICH, None).tables["customer"].column("land").references is not None  # type: ignore[union-attr]


def test_comments_are_comments() -> None:
    """Of one line, whatever is in them."""
    said = "a\n  b: {type: X}\r\x85c\u2028 # é" + "x" * 500
    table, *others = RICH.tables
    columns = (replace(table.columns[0], comment=said), *table.columns[1:])
    known = replace(RICH, tables=(replace(table, columns=columns, comment=said), *others))
    drafted = draft(known)
    added = [line for line in drafted.splitlines() if line not in draft(RICH).splitlines()]
    assert all(line.lstrip(" #").startswith("a b: {type: X} c # éx") for line in added)
    assert len(added) == 2 and all(len(line) < 220 for line in added)
    assert Policy.parse(drafted) == Policy.parse(draft(RICH))
    assert known == RICH


def test_given_unit() -> None:
    assert "A GUESS" not in draft(RICH, "customer")
    assert Policy.parse(draft(RICH, "customer")).unit == "customer.id"
    policy = Policy.parse(draft(RICH, "ORDERS.id"))
    assert policy.unit == "orders.id"
    assert list(policy.tables) == ["orders", "lines"]
    with pytest.raises(PolicyError, match="no table custmer; did you mean customer"):
        draft(RICH, "custmer.id")
    with pytest.raises(PolicyError, match="has no column it"):
        draft(RICH, "customer.it")


def _table(name: str, columns: str, key: str = "", **links: str) -> CatalogTable:
    found = tuple(CatalogColumn(c, parse_type("BIGINT"), c == key) for c in columns.split())
    keys = tuple(ForeignKey(column, *to.split(".")) for column, to in links.items())
    return CatalogTable(name, found, ((key,),) if key else (), keys)


def test_guess_by_references_and_by_name() -> None:
    hub, leaf = _table("hub", "id", "id"), _table("leaf", "id hub", "id", hub="hub.id")
    assert Policy.parse(draft(Catalog((leaf, hub)))).unit == "hub.id"
    region = _table("region", "id", "id")
    patients = _table("Patients", "id region", "id", region="region.id")
    visit = _table("visit", "pid", pid="Patients.id")
    text = draft(Catalog((region, patients, visit)))
    assert Policy.parse(text).unit == "Patients.id"
    assert list(Policy.parse(text).tables) == ["Patients", "visit"]


def test_one_table() -> None:
    assert Policy.parse(draft(Catalog((_table("data", "id x", "id"),)))).unit == "data.id"
    assert Policy.parse(draft(Catalog((_table("data", "x"),)))).unit == "data"


def test_nothing_to_guess_from() -> None:
    with pytest.raises(PolicyError, match="name the unit"):
        draft(Catalog((_table("a", "id", "id"), _table("b", "id", "id"))))
    with pytest.raises(PolicyError, match="no table"):
        draft(Catalog(()))


def test_a_table_of_two_owners_is_left_to_the_owner() -> None:
    account = _table("account", "id", "id")
    transfer = _table("transfer", "id a b", "id", a="account.id", b="account.id")
    fee = _table("fee", "t", t="transfer.id")
    text = draft(Catalog((account, transfer, fee)))
    assert list(Policy.parse(text).tables) == ["account"]
    assert "(owner: a or owner: b):\n  # transfer:\n  #   access: private" in text
    assert "  # fee:\n  #   access: private" in text


def test_tables_of_several_schemas_and_views() -> None:
    def placed(table: CatalogTable, schema: str) -> CatalogTable:
        return replace(table, place=("shop", schema))

    person = placed(_table("person", "id", "id"), "main")
    patients = placed(_table("person", "id", "id"), "clinic")
    visit = placed(_table("visit", "pid", pid="person.id"), "clinic")  # in its own schema
    view = ("shop", "clinic", "recent")
    catalog = Catalog((person, patients, visit), ("shop", "main"), {view: "a view"}, {view: ""})
    text = draft(catalog, "clinic.person.id")
    policy = Policy.parse(text)
    assert policy.unit == "clinic.person.id"
    assert list(policy.tables) == ["clinic.person", "visit"]
    assert policy.tables["visit"].refers("pid") == Reference("clinic.person", "id")
    assert "\n  # person:\n" in text and "\n# views: [recent]\n" in text
    schema = resolve(policy, catalog, None)
    assert schema.tables["visit"].path == ("shop", "clinic", "visit")
    assert schema.tables["clinic.person"].key == ("id",)


_NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc",)), min_size=1, max_size=6)
_TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=5)
_VALUES = st.one_of(
    st.lists(_TEXT, min_size=1, unique=True),
    st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, unique=True),
    st.lists(st.dates(), min_size=1, unique=True),
)


@settings(deadline=None)
@given(
    table=_NAMES.filter(lambda s: "." not in s),
    columns=st.lists(_NAMES, min_size=1, max_size=5, unique_by=str.lower),
    values=_VALUES,
    labels=st.lists(_TEXT, min_size=1, unique=True),
)
def test_odd_names_and_values(
    table: str, columns: list[str], values: list[Scalar], labels: list[str]
) -> None:
    kind = parse_type({str: "VARCHAR", int: "INTEGER", date: "DATE"}[type(values[0])])
    labelled = Type("ENUM", values=tuple(labels))
    catalog = Catalog(
        (
            CatalogTable(
                table,
                (
                    CatalogColumn("pk", parse_type("UUID"), True),
                    *(CatalogColumn(f"_{name}", kind, values=tuple(values)) for name in columns),
                    CatalogColumn("e", labelled),
                ),
                (("pk",),),
            ),
        )
    )
    policy = Policy.parse(draft(catalog))
    assert list(policy.tables) == [table]
    assert resolve(policy, catalog, None).tables[table.lower()].name == table
    declared = policy.tables[table].columns
    assert declared[f"_{columns[0]}"].values == tuple(values)
    assert declared["e"].type == labelled


def test_constraints_that_a_policy_cannot_say() -> None:
    third, one = Fraction(1, 3), Fraction(1)
    columns = (
        CatalogColumn("pk", parse_type("BIGINT"), True),
        CatalogColumn("t", TIMESTAMP, bounds=(datetime(2000, 1, 1, 1), datetime(2001, 1, 1))),
        CatalogColumn("d", DOUBLE, bounds=(third, one)),
        CatalogColumn("v", VARCHAR, bounds=("a", "b")),
        CatalogColumn("i", INTEGER, bounds=(third, Fraction(11, 2)), values=(1, 2, 9)),
        CatalogColumn("w", INTEGER, values=("a",)),
    )
    catalog = Catalog((CatalogTable("odd", columns, (("pk",),)),))
    policy = Policy.parse(draft(catalog))
    declared = policy.tables["odd"].columns
    assert declared["t"].bounds == ("2000-01-01T01:00:00", "2001-01-01T00:00:00")
    assert (declared["d"].bounds, declared["v"].bounds, declared["w"].values) == (None, None, None)
    assert (declared["i"].bounds, declared["i"].values) == ((1, 5), (1, 2))
    schema = resolve(policy, catalog, None)
    assert schema.tables["odd"].column("t").bounds_proven  # type: ignore[union-attr]
    enforced = schema.tables["odd"].column("d").bounds  # type: ignore[union-attr]
    assert enforced is not None
    assert third - Fraction(1, 2**50) < enforced[0] < third  # type: ignore[operator]
    assert enforced[1] == one


def test_json_schema() -> None:
    schema = json.loads(json.dumps(json_schema()))
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == {"budget", "tables"}
    assert schema["oneOf"] == [{"required": ["unit"]}, {"required": ["units"]}]
    assert set(schema["$defs"]["ColumnPolicy"]["properties"]) == {
        *("type", "bounds", "values", "nullable", "references", "max_rows"),
        *("max_length", "randomized", "clip", "clip_rows"),
    }
    assert schema["$defs"]["BudgetPolicy"]["properties"]["delta"]["default"] == 0
