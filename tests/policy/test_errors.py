# ruff: noqa: E501  (the cases are a table)
"""Every mistake in a policy is one clear error, with the file and the line."""

from __future__ import annotations

import pytest

from dpsql.errors import PolicyError
from dpsql.platform.policy import Policy, resolve

from .shop import SHOP


def error(text: str) -> PolicyError:
    """The error of reading the text and using it without a database."""
    with pytest.raises(PolicyError) as caught:
        resolve(Policy.parse(text, "shop.yaml"), None, None)
    assert caught.value.file == "shop.yaml"
    assert str(caught.value).startswith("shop.yaml:")
    return caught.value


def edited(*edits: tuple[str, str]) -> str:
    text = SHOP
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def test_the_shop_itself_is_right() -> None:
    resolve(Policy.parse(SHOP), None, None)


CASES = {
    "unknown top key": ("neighbours:", "neighbors:", 2, "unknown key; did you mean neighbours?"),
    "unknown budget key": (", delta:", ", dleta:", 3, "budget.dleta: unknown key; did you mean delta"),
    "unknown table key": ("    key: [id]\n    columns:\n      id: {type: BIGINT}\n      age",
                          "    keys: [id]\n    columns:\n      id: {type: BIGINT}\n      age",
                          7, "tables.customer.keys: unknown key; did you mean key?"),
    "column key of a table": ("    key: [id]\n    columns:\n      id: {type: BIGINT}\n      age",
                              "    max_rows: 3\n    columns:\n      id: {type: BIGINT}\n      age",
                              7, "max_rows: unknown key; max_rows is said of a column, under columns"),
    "unknown column key": ("max_rows: 5", "maxrows: 5", 18, "did you mean max_rows?"),
    "missing unit": ("unit: customer.id\n", "", 1, "the key unit is missing"),
    "missing eps": ("eps: 10, ", "", 3, "budget: the key eps is missing"),
    "access": ("    access: public", "    access: publik", 26, "expected private or public, not 'publik'"),
    "neighbours": ("add_remove", "both", 2, "expected add_remove or replace, not 'both'"),
    "eps zero": ("eps: 10", "eps: 0", 3, "eps must be above 0, not 0"),
    "eps negative": ("eps: 10", "eps: -0.5", 3, "eps must be above 0, not -0.5"),
    "eps nan": ("eps: 10", "eps: .nan", 3, "NaN is not a finite number"),
    "eps inf": ("eps: 10", "eps: .inf", 3, "Infinity is not a finite number"),
    "eps text": ("eps: 10", "eps: ten", 3, "budget.eps: 'ten' is not a number"),
    "eps boolean": ("eps: 10", "eps: true", 3, "budget.eps: true is not a number"),
    "eps huge": ("eps: 10", "eps: 1e99999", 3, "the number has too many digits"),
    "eps long": ("eps: 10", "eps: " + "9" * 500, 3, "the number has too many digits"),
    "delta one": ("1e-5", "1", 3, "delta must be at least 0 and below 1, not 1"),
    "delta negative": ("1e-5", "-1e-9", 3, "delta must be at least 0 and below 1"),
    "tables a list": ("tables:\n", "tables: [1]\nx:\n", 4, "tables: expected a mapping, not a list"),
    "key text": ("key: [id]\n    columns:\n      id: {type: BIGINT}\n      age",
                 "key: id\n    columns:\n      id: {type: BIGINT}\n      age",
                 7, "tables.customer.key: expected a list, not 'id'"),
    "unit number": ("unit: customer.id", "unit: 7", 1, "unit: expected text, not 7; put it in quotes"),
    "nullable text": ("max_rows: 5", "nullable: yes", 18, "expected true or false, not 'yes'"),
    "max_rows zero": ("max_rows: 5", "max_rows: 0", 18, "max_rows: must be at least 1, not 0"),
    "max_rows negative": ("max_rows: 5", "max_rows: -3", 18, "must be at least 1, not -3"),
    "max_rows fraction": ("max_rows: 5", "max_rows: 1.5", 18, "max_rows: expected a whole number"),
    "type malformed": ('"DECIMAL(15,2)"', '"DECIMAL(99,2)"', 20, "precision <= 38"),
    "type number": ("{type: DATE", "{type: 3", 19, "type: expected the name of a SQL type"),
    "references malformed": ("land.id", "land", 12, "references: expected table.column"),
    "references unknown": ("land.id", "lnd.id", 12, "the table lnd is not listed; did you mean land?"),
    "references unknown column": ("land.id", "land.idd", 12,
                                  "the table land has no column idd; did you mean id?"),
    "references a non-key": ("references: orders.id", "references: orders.buyer", 24,
                             "orders.buyer is not the key of its table; a reference needs "
                             "`key: [buyer]` at orders"),
    "references of another type": ("land: {type: INTEGER", "land: {type: VARCHAR", 12,
                                   "land is VARCHAR, but land.id is INTEGER"),
    "unit unlisted": ("unit: customer.id", "unit: custmer.id", 1,
                      "the table custmer is not listed; did you mean customer?"),
    "unit column": ("unit: customer.id", "unit: customer.idd", 1,
                    "the table customer has no column idd; did you mean id?"),
    "unit dangling": ("unit: customer.id", "unit: customer.", 1, "expected table.column"),
    "unit public": ("unit: customer.id", "unit: land.id", 1, "the table land is public"),
    "unit a row": ("unit: customer.id", "unit: customer", 14, "no other table is private"),
    "bounds wrong way": ("[18, 99]", "[99, 18]", 10,
                         "bounds: the lower bound 99 is above the upper bound 18"),
    "dates wrong way": ("[1992-01-01, 1998-12-31]", "[1998-12-31, 1992-01-01]", 19,
                        "the lower bound 1998-12-31 is above the upper bound 1992-01-01"),
    "bounds one": ("[18, 99]", "[18]", 10, "bounds: expected two values: [low, high]"),
    "bounds scalar": ("[18, 99]", "18", 10, "bounds: expected a list"),
    "bounds null": ("[18, 99]", "[18, null]", 10, "bounds: NULL is not a value"),
    "bounds infinite": ("[18, 99]", "[18, .inf]", 10, "Infinity is not a finite number"),
    "bounds type": ("[18, 99]", "[18, old]", 10, "bounds[1]: 'old' is not a value of INTEGER"),
    "bounds boolean": ("[18, 99]", "[false, true]", 10, "false is not a value of INTEGER"),
    "bounds fraction": ("[18, 99]", "[18, 99.5]", 10, "99.5 is not a whole number"),
    "bounds too large": ("[18, 99]", "[18, 3000000000]", 10, "3000000000 does not fit into INTEGER"),
    "bounds too fine": ("[0, 0.05]", "[0, 0.005]", 20, "0.005 has more decimals than DECIMAL(15,2)"),
    "bounds of text": ("values: [Graz, Linz]", "bounds: [a, z]", 11, "VARCHAR has no bounds"),
    "bounds no day": ("1998-12-31]", "1998-02-31]", 19, "there is no such day or time: 1998-02-31"),
    "values empty": ("[Graz, Linz]", "[]", 11, "list at least one value, or leave `values` out"),
    "values null": ("[Graz, Linz]", "[Graz, ~]", 11, "values: NULL is not a value"),
    "values twice": ("[Graz, Linz]", "[Graz, Linz, Graz]", 11, "values[2]: the value 'Graz' is there twice"),
    "values type": ("[Graz, Linz]", "[Graz, 07]", 11, "7 is not a value of VARCHAR; put it in quotes"),
    "values outside": ("bounds: [18, 99]", "bounds: [18, 99], values: [18, 100]", 10,
                       "values[1]: the value 100 is outside the bounds [18, 99]"),
    "values long": ("values: [Graz, Linz]", "values: [Graz, Leoben], max_length: 4", 11,
                    "values[1]: the value 'Leoben' has more than 4 characters"),
    "length of a number": ("bounds: [18, 99]", "max_length: 2", 10,
                           "columns.age.max_length: INTEGER has no length; only VARCHAR has one"),
    "values opaque": ("VARCHAR, values", "BLOB, values", 11, "BLOB has no values"),
    "enum label": ("type: VARCHAR", "type: \"ENUM('Graz')\"", 11, "'Linz' is not a label of ENUM('Graz')"),
    "mixed, no type": ("{type: INTEGER, bounds: [18, 99]}", "{bounds: [18, old]}", 10,
                       "the values are not of one type"),
    "no type": ("{type: INTEGER, bounds: [18, 99]}", "{bounds: [18, 99]}", 10,
                "without a database the column age needs a type"),
    "table twice, case": ("  land:\n", "  Orders:\n    access: public\n  land:\n", 25,
                          "the same table as orders"),
    "column twice, case": ("      age:", "      ID: {type: BIGINT}\n      age:", 10,
                           "the same column as id"),
    "key twice": ("    key: [id]\n    columns:\n      id: {type: INTEGER}",
                  "    key: [id, ID]\n    columns:\n      id: {type: INTEGER}", 27,
                  "key[1]: the column ID is there twice"),
    "table of four parts": (
        "  land:\n", "  a.b.c.d: {access: public}\n  land:\n", 25, "database.schema.table"
    ),
    "table with an empty part": (
        "  land:\n", "  a..b: {access: public}\n  land:\n", 25, "database.schema.table"
    ),
    "view that is a table": ("tables:\n", "views: [LAND]\ntables:\n", 4, "as a table, too"),
    "rows, add_remove": ("    access: private\n    key: [id]\n    columns:\n      id: {type: BIGINT}\n      age",
                         "    access: private\n    rows: 9\n    key: [id]\n    columns:\n"
                         "      id: {type: BIGINT}\n      age", 7, "only with neighbours: replace"),
    "owner of a public table": ("    access: public", "    access: public\n    owner: id", 27,
                                "a public table has no owner"),
    "owner of the unit": ("    key: [id]\n    columns:\n      id: {type: BIGINT}\n      age",
                          "    owner: age\n    key: [id]\n    columns:\n      id: {type: BIGINT}\n      age",
                          7, "the unit customer.id owns the rows of its own table"),
    "no path": (", references: orders.id", "", 21,
                "tables.lines: a private table without a path to the unit customer.id"),
    "no path further on": (", references: customer.id, max_rows: 5", "", 13,
                           "tables.orders: a private table without a path to the unit"),
    "owner without reference": ("  lines:\n    access: private\n",
                                "  lines:\n    access: private\n    owner: x\n", 23,
                                "x does not lead to the unit customer.id; it needs `references:`"),
    "owner to a public table": ("order_id: {type: BIGINT, references: orders.id}",
                                "order_id: {type: BIGINT, references: orders.id}\n"
                                "      l: {type: INTEGER, references: land.id}\n    owner: l", 26,
                                "l leads to the public table land, not to the unit"),
    "ambiguous": ("      day:", "      payer: {type: BIGINT, references: customer.id}\n      day:", 13,
                  "the path to the unit customer.id is ambiguous; say which reference owns a row: "
                  "owner: buyer or owner: payer"),
    "ambiguous by detour": ("order_id: {type: BIGINT, references: orders.id}",
                            "order_id: {type: BIGINT, references: orders.id}\n"
                            "      who: {type: BIGINT, references: customer.id}", 21,
                            "owner: order_id or owner: who"),
    "public to private": ("    key: [id]\n    columns:\n      id: {type: INTEGER}",
                          "    key: [id]\n    columns:\n      id: {type: INTEGER}\n"
                          "      king: {type: BIGINT, references: customer.id}", 30,
                          "a public table cannot refer to the private table customer"),
    "duplicate key": ("      day:", "      buyer: {}\n      day:", 19,
                      "the key buyer is there twice (first on line 18)"),
    "duplicate table": ("  land:\n", "  orders: {access: public}\n  land:\n", 25,
                        "the key orders is there twice (first on line 13)"),
    "syntax": ("bounds: [18, 99]}", "bounds: [18, 99}", 10, "not YAML"),
    "tab": ("      day:", "\tday:", 19, "not YAML"),
    "alias": ("bounds: [18, 99]", "bounds: &b [18, 99]", 10, "anchors and aliases"),
    "alias key": ("bounds: [18, 99]", "&b bounds: [18, 99]", 10, "a key must be plain text"),
    "merge key": ("bounds: [18, 99]", "<<: {}", 10, "unknown key"),
    "tag": ("bounds: [18, 99]", "bounds: !!python/tuple [18, 99]", 10, "are not allowed in a policy"),
    "two documents": ("  land:\n", "---\n  land:\n", 25, "one YAML document"),
    "nul": ("Graz", '"a\\0b"', 11, "a character that is not allowed"),
    "surrogate": ("Graz", '"\\ud800"', 11, "a character that is not allowed"),
    "control": ("Graz", "a\x01b", 11, "a character that is not allowed"),
    "complex key": ("bounds: [18, 99]", "? [a] : 1", 10, "a key must be plain text"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_message_and_line(name: str) -> None:
    old, new, line, message = CASES[name]
    caught = error(edited((old, new)))
    assert message in caught.message
    assert caught.line == line


def test_a_cycle() -> None:
    text = edited(
        (
            "buyer: {type: BIGINT, references: customer.id, max_rows: 5}",
            "buyer: {type: BIGINT, references: lines.id}",
        ),
        ("    columns:\n      order_id", "    key: [id]\n    columns:\n      order_id"),
    )
    caught = error(text)
    assert "the owner path goes in a circle: orders -> lines -> orders" in caught.message
    assert caught.line == 13
    with pytest.raises(PolicyError, match="circle"):
        Policy.parse(text)


def test_rows_of_another_table() -> None:
    text = edited(
        ("add_remove", "replace"),
        ("  lines:\n    access: private\n", "  lines:\n    access: private\n    rows: 3\n"),
    )
    caught = error(text)
    assert "only the unit's may declare its number of rows" in caught.message
    assert caught.line == 23


def test_rows_where_a_unit_has_several() -> None:
    text = """\
unit: people.pid
neighbours: replace
budget: {eps: 1}
tables:
  people:
    access: private
    rows: 1000
    columns:
      pid: {type: INTEGER, max_rows: 3}
"""
    caught = error(text)
    assert "`rows` needs one row for each unit: `key: [pid]` at people" in caught.message
    assert caught.line == 7


def test_the_unit_column_must_be_a_key_where_others_refer_to_it() -> None:
    caught = error(SHOP.replace("    key: [id]\n", "", 1))
    assert caught.message == (
        "tables.orders.columns.buyer.references: customer.id is not the key of its table; a reference needs `key: [id]` at customer; if a "
        "unit has several rows there, write `unit: id`, without a table, and at each table "
        "`owner:` with the column that names a unit"
    )
    assert caught.line == 17


def test_all_problems_are_told_at_once() -> None:
    caught = error(edited(("[18, 99]", "[99, 18]"), ("max_rows: 5", "max_rows: 0")))
    assert caught.line == 18  # what is not even a policy comes before what it says
    caught = error(edited(("[18, 99]", "[99, 18]"), ("[Graz, Linz]", "[Graz, Graz]")))
    assert caught.line == 10
    assert "\nline 11: tables.customer.columns.city.values[1]" in caught.message


def test_oversize() -> None:
    assert "larger than 1000000 bytes" in str(_fails(" " * 1_000_001))
    assert "larger than 1000000 bytes" in str(_fails("é" * 500_001))


def test_nesting() -> None:
    assert "nested too deeply" in str(_fails("[" * 100_000))
    assert "nested too deeply" in str(_fails("- " * 1000 + "1"))


@pytest.mark.parametrize("text", ["", "# nothing", "---\n", "null"])
def test_empty(text: str) -> None:
    assert "the policy is empty" in str(_fails(text))


def test_not_a_mapping() -> None:
    assert "a policy is a mapping" in str(_fails("[1]"))


def _fails(text: str) -> PolicyError:
    with pytest.raises(PolicyError) as caught:
        Policy.parse(text)
    return caught.value
