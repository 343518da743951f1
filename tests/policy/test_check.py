"""What is odd about a policy: each rule, on both sides of where it begins."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.report.policies.check import MOST_VALUES, PAGE, RULES

ROOT = Path(dpsql.__file__).parents[1]
FINE = """
unit: people.id
neighbours: add_remove
budget: {eps: 10, delta: 1e-5}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      name: {type: VARCHAR}
      town: {type: VARCHAR, values: [Graz, Linz]}
  visits:
    access: private
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 5}
      cost: {type: INTEGER, bounds: [0, 500]}
  regions:
    access: public
    key: [id]
    columns: {id: {type: INTEGER}, size: {type: INTEGER}}
"""
ROWS = f"[{', '.join(map(str, range(MOST_VALUES)))}]"
MORE = f"[{', '.join(map(str, range(MOST_VALUES + 1)))}]"


def found(text: str, data: object = None) -> list[tuple[str, int | None]]:
    return [(r.rule, r.line) for r in dpsql.check(text, data).remarks]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []),
        ("eps: 10", "eps: 10.01", [("large-epsilon", 4)]),
        ("1e-5", "0.000011", [("large-delta", 4)]),
        (", delta: 1e-5", "", [("unusable-column", 11)]),
        (", max_rows: 5", "", [("no-max-rows", 16)]),
        (", max_rows: 5", ", clip_rows: 5", []),
        ("bounds: [0, 500]", "clip: [0, 500]", []),
        ("bounds: [0, 500]", f"values: {ROWS}", []),
        ("bounds: [0, 500]", f"values: {MORE}", [("large-domain", 17)]),
        ("INTEGER, bounds: [0, 500]", "BLOB", [("unusable-column", 17)]),
        ("id: {type: BIGINT}", "id: {type: BIGINT, bounds: [0, 9]}", [("unused-bounds", 10)]),
        ("max_rows: 5", "max_rows: 5, clip: [0, 9]", [("unused-bounds", 16)]),
        ("size: {type: INTEGER}", "size: {type: INTEGER, bounds: [0, 9]}", [("unused-bounds", 21)]),
        ("[0, 500]", "[0, 500], values: [1, 2]", [("unused-bounds", 17)]),
        ("[0, 500]", "[500, 0]", [("invalid", 17)]),
        (", references: people.id, max_rows: 5", "", [("needs-data", 13)]),
        ("{type: INTEGER, bounds", "{bounds", [("needs-data", 17)]),
        ("unit: people.id", "unit: [", [("invalid", 4)]),
    ],
)
def test_each_rule_where_it_begins(old: str, new: str, expected: list[tuple[str, int]]) -> None:
    assert old in FINE
    assert found(FINE.replace(old, new, 1)) == expected


def test_the_number_of_units_is_compared_with_delta(tmp_path: Path) -> None:
    path = tmp_path / "d.duckdb"
    text = FINE.replace("delta: 1e-5", "delta: 0.01")
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE people (id BIGINT, name VARCHAR, town VARCHAR)")
        con.execute("CREATE TABLE visits (person BIGINT, cost INTEGER)")
        con.execute("CREATE TABLE regions (id INTEGER, size INTEGER)")
        con.execute("INSERT INTO people SELECT i, 'n', 'Graz' FROM range(99) t(i)")
    messages = []
    for more in (None, 99):
        if more is not None:
            with duckdb.connect(str(path)) as con:
                con.execute("INSERT INTO people VALUES (99, 'n', 'Graz')")
        [remark] = dpsql.check(text, path).remarks
        assert remark.rule == "large-delta" and "100" not in remark.message
        messages.append("at least one in the number of units" in remark.message)
    assert messages == [False, True]
    replaced = text.replace("add_remove", "replace").replace(
        "key: [id]", "key: [id]\n    rows: %d", 1
    )
    for rows, least in ((99, False), (100, True)):
        [remark] = dpsql.check(replaced % rows).remarks
        assert ("at least one in" in remark.message) is least


def test_units_without_a_table_are_counted_in_all(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "d.duckdb")) as con:
        con.execute("CREATE TABLE a (who INT); INSERT INTO a VALUES (1), (2), (2), (NULL)")
        con.execute("CREATE TABLE b (who INT); INSERT INTO b VALUES (2), (3)")
    text = "unit: person\nbudget: {eps: 1, delta: %s}\ntables:\n" + "".join(
        f"  {t}: {{access: private, owner: who, columns: {{who: {{max_rows: 2}}}}}}\n" for t in "ab"
    )
    for delta, least in (("0.34", True), ("0.33", False)):
        [remark] = dpsql.check(text % delta, tmp_path / "d.duckdb").remarks
        assert ("at least one in" in remark.message) is least


def test_what_the_database_enforces_needs_no_bounds(tmp_path: Path) -> None:
    path = tmp_path / "d.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE people (id BIGINT PRIMARY KEY, name VARCHAR, town VARCHAR)")
        con.execute(
            "CREATE TABLE visits (person BIGINT, cost INTEGER CHECK (cost BETWEEN 1 AND 9))"
        )
        con.execute("CREATE TABLE regions (id INTEGER, size INTEGER)")
    assert found(FINE, path) == [("unused-bounds", 17)]
    with duckdb.connect(str(path)) as con:
        con.execute("DROP TABLE regions")
    assert found(FINE, path) == [("invalid", 18)]


def test_every_rule_has_its_place_on_the_page() -> None:
    headings = set(re.findall(r"^## (.+)$", (ROOT / PAGE).read_text(encoding="utf-8"), re.M))
    assert headings == {*RULES, "invalid", "needs-data"}


def test_as_text_as_json_and_as_a_page(tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(FINE.replace("eps: 10", "eps: 11").replace("[Graz", "['<b>'"))
    check = dpsql.check(file)
    assert not check.clean and str(check).startswith(f"{file}:4: warning large-epsilon: ")
    told = json.loads(check.to_json())
    assert told["remarks"][0]["page"] == "docs/reference/checks.md#large-epsilon"
    assert "large-epsilon" in check.to_html() and "<b>" not in check.to_html()
    file.write_text(FINE)
    assert dpsql.check(file).clean and str(dpsql.check(file)) == "nothing is odd"


def test_the_demos_policy_has_no_warning() -> None:
    assert dpsql.check(dpsql.Policy.load(ROOT / "dpsql" / "data" / "demo.yaml")).clean
