"""What is offered at the cursor, which is `|` in the texts here."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpsql
from dpsql import Policy
from dpsql.core.frozen import FrozenMap
from dpsql.core.schema import View
from dpsql.platform.policy import resolve
from dpsql.repl.commands import COMMANDS
from dpsql.repl.completion.proposal import Proposal
from dpsql.repl.completion.suggest import proposals

POLICY = Policy.parse("""
unit: people.id
budget: {eps: 1}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      "first name": {type: VARCHAR, values: ["O'Brien", Ann]}
      order: {type: INTEGER, values: [1, 2]}
      born: {type: DATE, values: [2000-01-02]}
      height: {type: "DECIMAL(5,2)", bounds: [0, 250]}
      member: {type: BOOLEAN}
      size: {type: "ENUM('small', 'large')"}
  visits:
    access: private
    owner: person
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 5}
      buddy: {type: BIGINT, references: people.id}
      place: {type: INTEGER, references: places.id}
      why: {type: VARCHAR, values: [work, fun]}
  places:
    access: public
    key: [id]
    columns:
      id: {type: INTEGER}
      Town: {type: VARCHAR}
  "group":
    access: public
    columns:
      n: {type: INTEGER}
""")


SCHEMA = resolve(POLICY, None, None)


def offered(marked: str) -> tuple[Proposal, ...]:
    """The proposals at the mark."""
    before, _, after = marked.partition("|")
    return proposals(before + after, len(before), SCHEMA, COMMANDS)


def texts(marked: str) -> list[str]:
    return [one.text for one in offered(marked)]


def first(marked: str) -> str:
    """The text after the first candidate is taken."""
    before, _, after = marked.partition("|")
    one = offered(marked)[0]
    return before[: one.start] + one.text + after


TABLES = ["people", "visits", "places", '"group"']


@pytest.mark.parametrize(
    "marked",
    [
        "SELECT * FROM |",
        "SELECT * FROM people, |",
        "SELECT * FROM people JOIN |",
        "SELECT * FROM people p LEFT JOIN |",
        "SELECT * FROM (people CROSS JOIN |)",
        "SELECT * FROM people p JOIN visits v ON p.id = v.person JOIN |",
        "SELECT * FROM people WHERE id IN (SELECT person FROM |)",
        "FROM |",
        "SELECT 1; SELECT * FROM |; SELECT 2",
        "SELECT ';' FROM |",
        "-- FROM it\nSELECT * FROM |",
    ],
)
def test_tables_come_where_a_table_is_expected(marked: str) -> None:
    assert texts(marked)[:4] == TABLES


def test_names_of_several_parts_and_views() -> None:
    """What is offered is what a query can say: each part in quotes of its own."""
    tables = {
        **SCHEMA.tables,
        "old ward.visits": replace(SCHEMA.tables["places"], name="Old Ward.visits"),
    }
    views = {"w.recent": View("w.recent", ("a", "w", "recent"), "")}
    schema = replace(SCHEMA, tables=FrozenMap(tables), views=FrozenMap(views))

    def found(text: str) -> list[str]:
        return [one.text for one in proposals(text, len(text), schema, COMMANDS)]

    assert found("SELECT * FROM ")[4:6] == ['"Old Ward".visits', "w.recent"]
    sql = 'SELECT v. FROM "Old Ward".visits v'
    assert [one.text for one in proposals(sql, 9, schema, COMMANDS)] == ["id", "Town"]


def test_queries_of_with_come_before_tables() -> None:
    assert texts("WITH a AS (SELECT 1 AS x), b AS (SELECT 2) SELECT * FROM |")[:3] == [
        *("a", "b", "people")
    ]
    assert texts("WITH a AS (SELECT 1), b AS (SELECT * FROM |) SELECT 1")[:2] == ["a", "people"]
    assert "a" not in texts("WITH a AS (SELECT * FROM |) SELECT 1")
    assert "a" not in texts("WITH a AS (SELECT 1) SELECT * FROM a; SELECT * FROM |")


def columns(marked: str) -> list[str]:
    """The proposals that are no words of the language."""
    return [one.text for one in offered(marked) if not one.spoken]


VISITS = ["person", "buddy", "place", "why"]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("SELECT | FROM visits", [*VISITS, "visits.", "*"]),
        ("SELECT * FROM visits WHERE |", [*VISITS, "visits."]),
        ("SELECT * FROM visits v WHERE why = 'fun' AND |", [*VISITS, "v."]),
        ("SELECT why FROM visits GROUP BY |", ["why", "person", "buddy", "place", "visits."]),
        ("SELECT why AS reason, COUNT(*) n FROM visits ORDER BY |",
         ["reason", "n", *VISITS, "visits."]),
        ("SELECT SUM(|) FROM visits", [*VISITS, "visits.", "*"]),
        ("SELECT * FROM visits WHERE id IN (SELECT | FROM places)",
         ["id", "Town", *VISITS, "places.", "visits.", "*"]),
        ("FROM visits SELECT |", [*VISITS, "visits.", "*"]),
        ("SELECT * FROM visits a JOIN visits b USING (|", VISITS),
        ("SELECT x.| FROM (SELECT why AS reason, place FROM visits) x", ["reason", "place"]),
        ("SELECT x.| FROM (SELECT * FROM visits) AS x(a, b)", ["a", "b", "place", "why"]),
        ("SELECT x.| FROM (SELECT v.*, 1 AS one FROM visits v) x", [*VISITS, "one"]),
        ("WITH c(a) AS (SELECT why FROM visits) SELECT c.| FROM c", ["a"]),
        ("WITH c AS (SELECT why w FROM visits) SELECT | FROM c", ["w", "c.", "*"]),
        ("SELECT v.| FROM visits v, people p", VISITS),
        ('SELECT "v".| FROM visits "v"', VISITS),
        ("SELECT nobody.| FROM visits v", []),
        ("SELECT v.pe| FROM visits v", ["person"]),
        ("SELECT * FROM people p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.person = p.|)",
         ["id", '"first name"', '"order"', "born", "height", "member", "size"]),
        ("SELECT 1 FROM visits UNION ALL SELECT | FROM places", ["id", "Town", "places.", "*"]),
        ("SELECT COUNT(pe| FROM visits", ["person"]),
        ("SELECT EXTRACT(year FROM |) FROM visits", [*VISITS, "visits.", "*"]),
        ("SELECT * FROM visits WHERE why IS DISTINCT FROM |",
         ["'work'", "'fun'", *VISITS, "visits."]),
        ("SELECT * FROM nobody WHERE |", ["nobody."]),
    ],
)  # fmt: skip
def test_columns_of_what_is_in_scope(marked: str, expected: list[str]) -> None:
    assert columns(marked) == expected


def test_an_ambiguous_column_is_qualified() -> None:
    found = columns("SELECT | FROM people p JOIN places l ON TRUE")
    assert "p.id" in found and "l.id" in found and "id" not in found
    assert "Town" in found
    inner = columns("SELECT * FROM people p WHERE EXISTS (SELECT | FROM places)")
    assert inner[0] == "id" and "p.id" in inner


def test_before_there_is_a_from_every_column_is_offered() -> None:
    found = texts("SELECT hei|")
    assert found == ["height"]
    assert offered("SELECT hei|")[0].meta == "people: DECIMAL(5,2) [0, 250]"


def test_prefix_first_then_the_middle_in_any_case() -> None:
    found = texts("SELECT * FROM visits WHERE P|")
    assert found[:2] == ["person", "place"]
    assert found.index("POW(") < found.index("EXP(")  # p at its beginning, then in its middle
    assert texts("SELECT town| FROM places") == ["Town"]
    assert texts("SELECT WHY| FROM visits") == ["why"]
    assert texts("SELECT udd| FROM visits") == ["buddy"]


def test_words_follow_the_case_of_what_is_typed() -> None:
    assert texts("sel|") == ["select"]
    assert texts("SEL|") == ["SELECT"]
    assert texts("SELECT * FROM visits wh|") == ["where"]
    assert "count(*)" in texts("select cou| from visits")
    assert texts("SELECT substri| FROM visits") == ["substring("]


def test_functions_show_how_they_are_called() -> None:
    found = {one.text: one.meta for one in offered("SELECT |")}
    assert found["SUBSTRING("] == "substring(string, start[, length])"
    assert found["COUNT(*)"] == "the number of rows"
    assert found["ROW_NUMBER()"] == "row_number()"
    where = texts("SELECT * FROM visits WHERE |")
    assert "ABS(" in where and "SUM(" not in where and "LAG(" not in where


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("SELECT * FROM visits WHERE why = '|", ["work'", "fun'"]),
        ("SELECT * FROM visits WHERE why = '|'", ["work", "fun"]),
        ("SELECT * FROM visits WHERE why = 'f|", ["fun'"]),
        ("SELECT * FROM visits WHERE why <> 'F|", ["fun'"]),
        ("SELECT * FROM visits v WHERE v.why != '|", ["work'", "fun'"]),
        ("SELECT * FROM visits WHERE why IN ('work', '|", ["work'", "fun'"]),
        ("SELECT * FROM visits WHERE why NOT IN ('|", ["work'", "fun'"]),
        ("SELECT * FROM visits WHERE why IS NOT DISTINCT FROM '|", ["work'", "fun'"]),
        ("SELECT CASE why WHEN '| FROM visits", ["work'", "fun'"]),
        ("SELECT CASE v.why WHEN 'fun' THEN 1 WHEN '| FROM visits v", ["work'", "fun'"]),
        ("SELECT CASE WHEN why = '| FROM visits", ["work'", "fun'"]),
        ("WITH c AS (SELECT why AS w FROM visits) SELECT * FROM c WHERE w = '|", ["work'", "fun'"]),
        ("SELECT * FROM people WHERE size = '|", ["small'", "large'"]),
        ('SELECT * FROM people WHERE "first name" = \'o|', ["O''Brien'"]),
        ("SELECT * FROM people WHERE \"first name\" = 'O''|", ["O''Brien'"]),
        ('SELECT * FROM people WHERE "order" = \'|', []),
        ("SELECT * FROM places WHERE Town = '|", []),  # public rows are not read either
        ("SELECT * FROM visits WHERE why LIKE '|", []),
        ("SELECT '|", []),
        ("SELECT * FROM visits WHERE why = 'work' AND '|", []),
        ("SELECT CASE WHEN TRUE THEN '| FROM visits", []),
    ],
)
def test_declared_values_inside_quotes(marked: str, expected: list[str]) -> None:
    assert texts(marked) == expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ('SELECT * FROM people WHERE "order" = |', ["1", "2"]),
        ("SELECT * FROM people WHERE born IN (|", ["DATE '2000-01-02'"]),
        ("SELECT * FROM people WHERE member = |", ["true", "false"]),
        ("SELECT * FROM people WHERE size = |", ["'small'", "'large'"]),
    ],
)
def test_declared_values_before_a_quote(marked: str, expected: list[str]) -> None:
    assert texts(marked)[: len(expected)] == expected


def test_what_is_shown_cannot_steer_the_terminal() -> None:
    one = offered('WITH "x\x1b[31m" AS (SELECT 1) SELECT * FROM x|')[0]
    assert one.text == '"x\x1b[31m"'
    assert one.display == '"x\\x1b[31m"'


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("SELECT * FROM people p JOIN visits v ON |", "p.id = v.person"),
        ("SELECT * FROM visits JOIN people ON |", "visits.person = people.id"),
        ("SELECT * FROM visits a JOIN visits b ON |", "a.person = b.person"),
        ("SELECT * FROM people a JOIN people b ON |", "a.id = b.id"),
        ("SELECT * FROM visits v JOIN places ON |", "v.place = places.id"),
        ("SELECT * FROM places l JOIN visits v ON v.place = l.id JOIN people p ON |",
         "v.person = p.id"),
        ("SELECT * FROM (SELECT person AS who FROM visits) s JOIN people p ON |", "s.who = p.id"),
    ],
)  # fmt: skip
def test_the_first_condition_of_a_join_leads_to_the_unit(marked: str, expected: str) -> None:
    assert texts(marked)[0] == expected
    public = expected == "v.place = places.id"
    assert offered(marked)[0].meta == ("a reference" if public else "leads to the unit")


def test_a_join_across_units_is_not_offered() -> None:
    found = texts("SELECT * FROM people p JOIN visits v ON |")
    assert "p.id = v.buddy" not in found  # buddy names another unit than the row's own
    for condition in [text for text in found if " = " in text]:
        sql = f"SELECT COUNT(*) FROM people p JOIN visits v ON {condition}"
        assert dpsql.explain(sql, 1, policy=POLICY).kind == "released"


def test_half_a_condition_is_completed() -> None:
    assert texts("SELECT * FROM people p JOIN visits v ON v.|")[0] == "person = p.id"
    assert texts("SELECT * FROM people p JOIN visits v ON p.|")[0] == "id = v.person"
    assert first("SELECT * FROM people p JOIN visits v ON v.per|").endswith("ON v.person = p.id")


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("|", ["SELECT", "WITH", "FROM"]),
        ("SELECT * FROM people |", ["JOIN", "LEFT JOIN"]),
        ("SELECT * FROM people p JOIN visits v |", ["ON", "USING ("]),
        ("SELECT * FROM people GROUP |", ["BY"]),
        ("SELECT * FROM people LEFT |", ["JOIN"]),
        ("SELECT id |", ["FROM", "AS"]),
        ("SELECT * FROM people WHERE id |", ["AND", "OR", "IN ("]),
        ("SELECT * FROM people WHERE id IS |", ["NULL", "NOT NULL"]),
        ("SELECT * FROM people ORDER BY id |", ["DESC", "ASC"]),
        ("SELECT id FROM people UNION |", ["ALL", "SELECT"]),
        ("SELECT CASE WHEN member |", ["WHEN", "THEN"]),
        ("WITH c |", ["AS ("]),
        ("SELECT COUNT(*) |", ["FILTER (WHERE", "OVER ("]),
    ],
)
def test_words_that_fit(marked: str, expected: list[str]) -> None:
    found = texts(marked)
    assert found[: len(expected)] == expected


@pytest.mark.parametrize(
    "marked", ["-- SEL|", "/* SEL|", "SELECT 1 AS |", "SELECT 12|", "SELECT * FROM people AS |"]
)
def test_nothing_in_comments_numbers_and_new_names(marked: str) -> None:
    assert texts(marked) == []


def test_a_name_that_needs_quotes_has_them() -> None:
    assert first("SELECT fir| FROM people") == 'SELECT "first name" FROM people'
    assert first("SELECT * FROM gro|") == 'SELECT * FROM "group"'
    assert first('SELECT "fir| FROM people').startswith('SELECT "first name"')
    assert first('SELECT "fir|" FROM people') == 'SELECT "first name" FROM people'
    assert first("SELECT ord| FROM people") == 'SELECT "order" FROM people'


def test_without_a_schema_words_are_offered() -> None:
    found = [one.text for one in proposals("SELECT * FROM ", 14, None, COMMANDS)]
    assert found == ["LATERAL"]


_PIECES = """
SELECT FROM WHERE JOIN ON USING WITH AS GROUP BY ORDER LIMIT UNION ALL CASE WHEN THEN END IN
DISTINCT LATERAL VALUES EXCEPT people visits id why c p . , ( ( ) ) * = <> ' '' " "" ; -- /* */ $$
$a$ \\ \\explain \\d 1 1.5 e' é INTERVAL OVER FILTER EXTRACT
"""


PIECES = st.sampled_from([*_PIECES.split(), "\n", "\0"])


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=25).map(" ".join) | st.text(max_size=60), st.data())
def test_nothing_raises_and_all_is_before_the_cursor(text: str, data: st.DataObject) -> None:
    cursor = data.draw(st.integers(0, len(text)))
    for one in proposals(text, cursor, SCHEMA, COMMANDS):
        assert 0 <= one.start <= cursor
        assert one.display.isprintable() and one.meta.isprintable()


@pytest.mark.parametrize(
    "text", ["(" * 5000, "(SELECT " * 3000, "FROM (" * 3000, "'" * 4999, "CASE " * 5000, ")" * 5000]
)
def test_deep_texts_do_no_harm(text: str) -> None:
    proposals(text, len(text), SCHEMA, COMMANDS)
    proposals(text, len(text) // 2, SCHEMA, COMMANDS)


def test_a_text_that_is_too_long_is_left_alone() -> None:
    assert proposals("SELECT " + "1+" * 30_000, 7, SCHEMA, COMMANDS) == ()
