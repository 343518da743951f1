"""Policies from other tools' metadata, and the record of one for a registry."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
import yaml

import dpsql
from dpsql import demo
from dpsql.errors import PolicyError
from dpsql.platform.policy import Policy, resolve
from dpsql.platform.policy.imports import from_csvw, from_smartnoise
from dpsql.session.for_owners import registered

CSVW: dict[str, Any] = {
    "@context": "http://www.w3.org/ns/csvw",
    "tables": [
        {
            "url": "data/people.csv",
            "tableSchema": {
                "primaryKey": "id",
                "columns": [
                    {"name": "id", "datatype": "integer"},
                    {"titles": "town"},
                    {"name": "v", "virtual": True},
                ],
            },
        },
        {
            "url": "visits.csv",
            "tableSchema": {
                "columns": [
                    {"name": "who", "datatype": "integer", "required": True},
                    {"name": "cost", "datatype": {"base": "float", "minimum": 0, "maximum": "9.5"}},
                    {"name": "day", "datatype": {"base": "date", "minInclusive": "2020-01-01",
                                                 "maxInclusive": "2020-12-31"}},
                    {"name": "rest", "datatype": {"base": "int", "minimum": 3}},
                ],
                "foreignKeys": [
                    {"columnReference": "who",
                     "reference": {"resource": "data/people.csv", "columnReference": "id"}}
                ],
            },
        },
    ],
}  # fmt: skip


def test_csvw() -> None:
    text = from_csvw(json.dumps(CSVW), None)
    assert "# A draft from CSVW metadata; no data was read." in text
    policy = Policy.parse(text)
    assert policy.unit == "people.id" and list(policy.tables) == ["people", "visits"]
    visits = policy.tables["visits"].columns
    assert visits["cost"].bounds == (0, Fraction(19, 2)) and visits["rest"].bounds is None
    assert visits["who"].nullable is False and list(policy.tables["people"].columns) == [
        "id",
        "town",
    ]
    assert str(visits["day"].bounds[0]) == "2020-01-01"  # type: ignore[index]
    schema = resolve(policy, None, None)
    assert dpsql.explain("SELECT SUM(cost) FROM visits", policy=policy).kind == "released"
    # What other metadata say is claimed, and proven by nobody.
    assert not schema.tables["visits"].column("cost").bounds_proven  # type: ignore[union-attr]
    assert not schema.tables["visits"].owner_proven
    one = from_csvw(json.dumps(CSVW["tables"][0]), None)
    assert list(Policy.parse(one).tables) == ["people"]


SMARTNOISE = """
"":
  clinic:
    people:
      max_ids: 1
      pid: {type: int, private_id: True}
      age: {type: int, lower: 0, upper: 120, nullable: False}
    visits:
      max_ids: 5
      clamp_counts: True
      pid: {type: int, private_id: True}
      cost: {type: float, lower: 0.5, upper: 99.25}
      ward: {type: string}
      seen: {type: datetime}
"""


def test_smartnoise() -> None:
    policy = Policy.parse(from_smartnoise(SMARTNOISE))
    assert policy.own_units == {"people": "pid", "visits": "pid"}
    people, visits = policy.tables["people"].columns, policy.tables["visits"].columns
    assert (people["pid"].max_rows, visits["pid"].max_rows) == (1, 5)
    assert people["age"].bounds == (0, 120) and people["age"].nullable is False
    assert visits["cost"].bounds == (Fraction(1, 2), Fraction(397, 4))
    found = dpsql.explain("SELECT COUNT(*) AS n FROM visits", policy=policy)
    assert found.releases[0].l1 == 5  # max_ids rows of each private_id


def test_rows_of_smartnoise_that_are_units() -> None:
    text = "db:\n  s:\n    t:\n      row_privacy: True\n      x: {type: int, lower: 0, upper: 9}\n"
    policy = Policy.parse(from_smartnoise(text))
    assert (policy.unit, policy.unit_column) == ("t", None)
    assert dpsql.explain("SELECT SUM(x) FROM t", policy=policy).releases[0].l1 == 9


@pytest.mark.parametrize(
    "text",
    ["", "[]", "a: 1", "a: {b: 1}", "a: {b: {t: {x: {type: int}}}}", "a: {b: {t: {x: {}}}}",
     "a: {b: {t: {row_privacy: True, x: {type: int}}, u: {p: {type: int, private_id: True}}}}",
     "a: {b: {t: {p: {type: int, private_id: True}}}, c: {t: {p: {type: int, private_id: True}}}}",
     "a: {b: {t: {p: {type: int, private_id: True}, q: {type: int, private_id: True}}}}",
     "a: {b: {t: {max_ids: .inf, p: {type: int, private_id: True}}}}",
     "a: {b: {t: {max_ids: 1.5, p: {type: int, private_id: True}}}}",
     "a: {b: {t: {max_ids: 0, p: {type: int, private_id: True}}}}",
     "a: {b: {t: {max_ids: many, p: {type: int, private_id: True}}}}", "a: {}", "\x00", "a: &b c"],
)  # fmt: skip
def test_what_is_no_metadata_of_smartnoise(text: str) -> None:
    with pytest.raises(PolicyError) as caught:
        from_smartnoise(text, "m.yaml")
    assert caught.value.file == "m.yaml"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", "null", '{"tables": [{}]}', '{"url": 1, "tableSchema": {"columns": []}}',
     '{"url": "t", "tableSchema": {"columns": [{"name": 1}]}}', "[" * 100_000, '{"tables": 3}',
     '{"url": "t", "tableSchema": {"columns": [{"name": "x", "datatype": {"base": "date", '
     '"minimum": "no", "maximum": "no"}}]}}'],
)  # fmt: skip
def test_what_is_no_csvw(text: str) -> None:
    with pytest.raises(PolicyError):
        from_csvw(text, None, "m.json")


def test_the_record_of_a_policy() -> None:
    text = registered(demo.policy())
    told = yaml.safe_load(text)["deployment"]
    assert told["privacy_loss"]["privacy_parameters"] == {"epsilon": 10.0, "delta": 1e-06}
    assert told["privacy_loss"]["privacy_unit"] == "customers.customer_id"
    assert told["dp_flavor"]["name"] == "Approximate DP"
    assert told["accounting"]["composition"].startswith("Basic composition")
    assert "products" in told["dp_flavor"]["unprotected_quantities"]
    other = """
unit: t
neighbours: replace
budget: {eps: 0.1, accountant: zcdp, delta: 1e-9, renews: 30 days, caps: {"*": {eps: 0.01}}}
tables: {t: {access: private, columns: {x: {type: INTEGER}}}}
"""
    told = yaml.safe_load(registered(other))["deployment"]
    assert told["accounting"]["composition"].startswith("Zero-concentrated DP")
    assert "every 30 days" in told["accounting"]["composition"]
    assert "The number of units" in told["dp_flavor"]["unprotected_quantities"]
    assert told["privacy_loss"]["privacy_parameters"]["epsilon"] == 0.1
