"""A policy as text, as a page, as plain data and as a flow chart."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.dom.minidom import parseString

import duckdb
import pytest

import dpsql
from dpsql import demo
from dpsql.session.for_owners import show

ODD = """
unit: "pe<o>ple.i\\"d"
budget: {eps: 1}
tables:
  "pe<o>ple":
    access: private
    key: ['i"d']
    columns: {'i"d': {type: BIGINT}, 'to;wn #1 | x': {type: VARCHAR, values: ['<b>', '"]']}}
  visits: {access: private, columns: {who: {type: BIGINT, references: 'pe<o>ple.i"d'}}}
"""
TWO = """
units: [customers.id, suppliers.id]
budget: {eps: 10}
tables:
  customers: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  suppliers: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  sales:
    access: private
    columns:
      customer: {type: INTEGER, references: customers.id, max_rows: 20}
      supplier: {type: INTEGER, references: suppliers.id}
"""


def test_the_demos_policy_as_a_tree() -> None:
    found = show(demo.policy())
    text = str(found)
    assert "unit: customers.customer_id\n├─ customers, by customer_id, one row each" in text
    assert "└─ orders, by customer_id, at most 40 rows each" in text
    assert "   └─ order_lines, by order_id, at most 5 rows each" in text
    assert "shipping: 0 to 20 (enforced)" in text and "\npublic: regions\n" in text
    told = json.loads(found.to_json())
    lines = next(t for t in told["tables"] if t["name"] == "order_lines")
    assert lines["above"] == "orders" and lines["path"][0] == "order_lines.order_id"


@pytest.mark.parametrize("policy", [demo.policy(), ODD, TWO], ids=["demo", "odd", "two"])
def test_drawings_are_whole_and_escaped(policy: dpsql.Policy | str) -> None:
    found = show(policy)
    page = found.to_html()
    svg = parseString(page[page.index("<svg") : page.index("</svg>") + 6])
    arrows = svg.getElementsByTagName("path")
    assert len(arrows) == sum(1 for t in found.tables if t.unit is not None)
    assert "<b>" not in page and "pe<o>" not in page
    chart = found.to_mermaid()
    for line in chart.splitlines()[1:]:
        node = r't\d+\["[^"]*"\]|u\d+\(\["[^"]*"\]\)'
        edge = r't\d+ -->(\|"[^"]*"\|)? [tu]\d+'
        assert re.fullmatch(rf"  ({node}|{edge})", line), line
        inner = line.replace("<br/>", "")
        assert not set("<>;|&") & set(re.sub(r"#\d+;|-->|\|\"|\"\|", "", inner)), line
    assert chart.count(" -->") == len(arrows)


def test_of_several_kinds_a_table_stands_below_each() -> None:
    text = str(show(TWO))
    assert "unit: customers.id\n" in text and "unit: suppliers.id\n" in text
    assert text.count("sales, by ") == 2 and "sales, by supplier, any number of rows each" in text


def test_what_was_verified_shows(tmp_path: Path) -> None:
    data, policy = demo.save(tmp_path)
    with duckdb.connect(str(data)) as con:
        con.execute("UPDATE orders SET shipping = 90 WHERE order_id = 1")
    assert "trust: 0 to 1 (enforced)" in str(show(policy, data))
    dpsql.verify(data, policy)
    told = str(show(policy, data))
    assert "trust: 0 to 1 (proven)" in told and "shipping: 0 to 20 (enforced)" in told
    with dpsql.connect(data, policy) as db:
        assert db.verified
