from __future__ import annotations

import copy
import pickle
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsql.core.sqltypes import parse_type
from dpsql.errors import PolicyError
from dpsql.platform.policy import Policy, Reference
from dpsql.platform.policy.scalars import decimal_text, number, show
from dpsql.types import Type

from .shop import SHOP


def test_numbers_are_exact() -> None:
    policy = Policy.parse(SHOP.replace("eps: 10", "eps: 0.1"))
    assert policy.budget.eps == Fraction(1, 10)
    assert policy.budget.delta == Fraction(1, 100_000)
    assert policy.tables["orders"].columns["price"].bounds == (0, Fraction(5, 100))
    assert policy.tables["orders"].columns["day"].bounds == (date(1992, 1, 1), date(1998, 12, 31))
    assert policy.tables["customer"].columns["land"].references == Reference("land", "id")


def test_delta_defaults_to_zero() -> None:
    assert Policy.parse(SHOP.replace(", delta: 1e-5", "")).budget.delta == 0


def test_it_is_frozen_and_can_be_copied() -> None:
    policy = Policy.parse(SHOP, "a.yaml")
    assert policy == Policy.parse(SHOP + "# a remark\n", "b.yaml")
    assert copy.deepcopy(policy) == policy == pickle.loads(pickle.dumps(policy))
    with pytest.raises(pydantic.ValidationError):
        policy.unit = "x"  # type: ignore[misc]
    with pytest.raises(TypeError):
        policy.tables["x"] = policy.tables["land"]  # type: ignore[index]


def test_made_in_python_it_is_checked_too() -> None:
    tables = {
        "people": {"access": "private", "columns": {"age": {"type": "INT", "bounds": [9, 1]}}}
    }
    with pytest.raises(pydantic.ValidationError, match="the lower bound 9 is above"):
        Policy.model_validate({"unit": "people", "budget": {"eps": 0.1}, "tables": tables})
    tables["people"]["columns"]["age"]["bounds"] = [0.1, 9]  # type: ignore[index]
    with pytest.raises(pydantic.ValidationError, match=r"0\.1 is not a whole number"):
        Policy.model_validate({"unit": "people", "budget": {"eps": 0.1}, "tables": tables})


def test_words_that_other_yaml_readers_bend() -> None:
    text = """\
unit: people
budget: {eps: 1}
tables:
  people:
    access: private
    columns:
      country: {type: TEXT, values: [NO, SE, on, 12:30, 1_000, "01"]}
      null: {type: BOOL, values: [true, false]}
      2020-01-01: {type: TIMESTAMP, bounds: [2020-01-01, 2020-01-01T12:30:00.5]}
      010: {type: DOUBLE, bounds: [010, 1.]}
      empty:
"""
    columns = Policy.parse(text.replace("[010, 1.]", "[-1e1, 010]")).tables["people"].columns
    assert columns["country"].values == ("NO", "SE", "on", "12:30", "1_000", "01")
    assert columns["null"].values == (True, False)
    low_high = (date(2020, 1, 1), datetime(2020, 1, 1, 12, 30, 0, 500_000))
    assert columns["2020-01-01"].bounds == low_high
    assert columns["010"].bounds == (-10, 10)
    assert columns["empty"].type is None


def test_unit_of_a_row() -> None:
    policy = Policy.parse("unit: p\nbudget: {eps: 1}\ntables: {p: {access: private}}")
    assert (policy.unit_table, policy.unit_column) == ("p", None)


def test_load(tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text("\ufeff" + SHOP, encoding="utf-8")
    assert Policy.load(path).file == str(path)
    path.write_bytes(SHOP.encode() + b"# \xff")
    with pytest.raises(PolicyError, match="not UTF-8") as caught:
        Policy.load(path)
    assert caught.value.line == SHOP.count("\n") + 1
    with pytest.raises(PolicyError, match="No such file") as caught:
        Policy.load(tmp_path / "none.yaml")
    assert caught.value.file == str(tmp_path / "none.yaml")
    with pytest.raises(PolicyError, match="cannot read"):
        Policy.load(tmp_path)
    with pytest.raises(PolicyError, match="cannot read"):
        Policy.load("a\0b")
    path.write_bytes(b"\xc3\xa9" * 600_000)
    with pytest.raises(PolicyError, match="larger than"):
        Policy.load(path)


TYPES = {
    "int": "INTEGER",
    "INT8": "BIGINT",
    "long": "BIGINT",
    "uint16": "USMALLINT",
    "numeric(7, 1)": "DECIMAL(7,1)",
    "DECIMAL": "DECIMAL(18,3)",
    "Decimal(5)": "DECIMAL(5,0)",
    "FLOAT8": "DOUBLE",
    "double  precision": "DOUBLE",
    "real": "FLOAT",
    "STRING": "VARCHAR",
    "VARCHAR(10)": "VARCHAR",
    "character varying(3)": "VARCHAR",
    "bool": "BOOLEAN",
    "datetime": "TIMESTAMP",
    "TIMESTAMP_NS": "TIMESTAMP",
    "TIMESTAMP(3)": "TIMESTAMP",
    "TIMESTAMP WITHOUT TIME ZONE": "TIMESTAMP",
    "timestamptz": "TIMESTAMP WITH TIME ZONE",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP WITH TIME ZONE",
    "ENUM( 'a','b''c' )": "ENUM('a', 'b''c')",
    "INTEGER[]": "INTEGER[]",
    "STRUCT(a INTEGER)": "STRUCT(a INTEGER)",
    "uuid": "UUID",
}


@pytest.mark.parametrize("text", TYPES)
def test_types(text: str) -> None:
    assert str(parse_type(text)) == TYPES[text]
    assert parse_type(str(parse_type(text))) == parse_type(text)


def test_opaque_types() -> None:
    for text in ("uuid", "BLOB", "timestamptz", "INTEGER[]", "NULL", "UHUGEINT", "JSON"):
        assert parse_type(text).is_opaque
    assert parse_type("ENUM('a', 'b')") == Type("ENUM", values=("a", "b"))


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "ENUM", "ENUM()", "ENUM('a', 'a')", "ENUM(a)", "ENUM('a',)", "DECIMAL(0)"),
        *("DECIMAL(3,4)", "DECIMAL(39)", "INTEGER(4)", "DOUBLE(3)", "VARCHAR(1,2)", "STRUCT(a"),
        "9",
    ],
)
def test_malformed_types(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_type(text)


@given(st.fractions(max_denominator=10**6))
def test_decimal_text_is_exact(value: Fraction) -> None:
    text = decimal_text(value)
    assert text is None or Fraction(text) == value
    assert show(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_stand_for_their_text(value: float) -> None:
    assert float(number(value)) == value
