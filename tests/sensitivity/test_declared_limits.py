"""Bounds that are the ends of a column's type: declared, they are bounds; else they are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpsql.errors import Rejected
from dpsql.session.costs import explain

POLICY = """
unit: t.id
budget: {{eps: 1}}
tables:
  t:
    access: private
    key: [id]
    columns: {{id: {{type: BIGINT}}, x: {{type: "{type}"{bounds}}}}}
"""
ENDS = [
    ("TINYINT", "0, 127"),
    ("TINYINT", "-128, 100"),
    ("TINYINT", "-128, 127"),
    ("UTINYINT", "0, 255"),
    ("SMALLINT", "0, 32767"),
    ("INTEGER", "0, 2147483647"),
    ("DECIMAL(5,2)", "0, 999.99"),
    ("DECIMAL(3,2)", "-9.99, 5"),
    ("DECIMAL(4,0)", "0, 9999"),
]
CALLS = ["SUM(x)", "AVG(x)", "STDDEV(x)", "MEDIAN(x)", "MAX(x)"]


@pytest.mark.parametrize(("kind", "ends"), ENDS)
def test_declared_ends_of_a_type_are_bounds(tmp_path: Path, kind: str, ends: str) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY.format(type=kind, bounds=f", bounds: [{ends}]"))
    for call in CALLS:
        assert explain(f"SELECT {call} FROM t", 1, policy).certificate


@pytest.mark.parametrize("kind", sorted({kind for kind, _ in ENDS}))
@pytest.mark.parametrize("where", ["", " WHERE x > 3"])
def test_those_of_which_nothing_is_said_are_none(tmp_path: Path, kind: str, where: str) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY.format(type=kind, bounds=""))
    with pytest.raises(Rejected, match="DP301: nothing bounds what SUM adds up"):
        explain(f"SELECT SUM(x) FROM t{where}", 1, policy)
