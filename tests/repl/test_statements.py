"""Text is taken apart as the engine takes it apart, and while it is still being typed."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.errors import InvalidBudget, UnknownDialect
from dpsql.front.dialects import DIALECTS
from dpsql.repl.splitting import Statement, apart, complete, split
from dpsql.report.workloads.workload import queries

CASES = Path(__file__).parents[2] / "grammar_tests"


def query(text: str, start: int = 0, line: int = 1) -> Statement:
    return Statement(text, None, "", "", start, line)


def command(name: str, argument: str = "", start: int = 0, line: int = 1) -> Statement:
    return Statement("", None, name, argument, start, line)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" ;; \n;", []),
        ("-- nothing\n/* at all */", []),
        ("SELECT 1", [query("SELECT 1")]),
        ("SELECT 1;\n\n SELECT 2;", [query("SELECT 1"), query("SELECT 2", 12, 3)]),
        ("SELECT ';' || \"a;\" || $$;$$ || $t$ ; $$ $t$;", None),
        ("SELECT 'it''s;', E'\\';' ;", None),
        ("SELECT a$$b, 1 -- ; \\q\n/* ; /* \\q */ ; */ + 2;", None),
        ("/* first\n*/ SELECT 1;", [query("SELECT 1", 12, 2)]),
        ("\\eps 0.5", [command("\\eps", "0.5")]),
        ("\\EPS\t0.5 ;\nSELECT 1;", [command("\\eps", "0.5"), query("SELECT 1", 11, 2)]),
        ("\\o it's.csv\r\nSELECT 1;", [command("\\o", "it's.csv"), query("SELECT 1", 13, 2)]),
        ("SELECT 1; \\timing", [query("SELECT 1"), command("\\timing", "", 10)]),
        ("SELECT\n1 \\explain", [Statement("SELECT\n1", None, "\\explain", "", 0, 1)]),
        ("SELECT 'a\\' \\cost", [Statement("SELECT 'a\\'", None, "\\cost", "", 0, 1)]),
        ("-- why\n\\d people", [command("\\d", "people", 7, 2)]),
        ("exit", [command("\\q")]),
        ("QUIT;", [command("\\q")]),
        ("help\n;", [command("\\help")]),
        ("SELECT 'open;", [query("SELECT 'open;")]),
        ("SELECT 1; /* open ;", [query("SELECT 1"), query("/* open ;", 10)]),
    ],
)
def test_split(text: str, expected: list[Statement] | None) -> None:
    one = [query(text.rstrip("; "))]  # None: the whole text is one query
    assert list(split(text)) == (one if expected is None else expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("  \n", True),
        ("-- nothing", True),
        ("SELECT 1", False),
        ("SELECT 1;", True),
        ("SELECT 1; -- done\n", True),
        ("SELECT 1; SELECT 2", False),
        ("SELECT ';", False),
        ('SELECT "a;', False),
        ("SELECT $$;", False),
        ("SELECT 1 /* ;", False),
        ("SELECT 1 /* /* */ ;", False),
        ("SELECT 1 -- ;", False),
        ("SELECT 1 \\explain", True),
        ("\\eps 0.5", True),
        ("\\eps 0.5\nSELECT 1", False),
        ("exit", True),
        ("help;", True),
        ("exits", False),
    ],
)
def test_complete(text: str, expected: bool) -> None:
    assert complete(text) is expected


def test_the_comment_above_a_query_is_its_eps() -> None:
    text = "-- eps: 0.1\nSELECT 1; -- eps: 0.3\nSELECT 2;\n-- eps: 1/3\n\nSELECT 3 \\cost\n"
    found = list(split(text))
    assert [one.eps for one in found] == [Fraction(1, 10), None, Fraction(1, 3)]
    assert [one.line for one in found] == [2, 3, 6]


def test_a_comment_inside_a_query_says_nothing() -> None:
    text = "-- no eps of its own\nSELECT -- eps: 9\n1;"
    assert [one.eps for one in split(text)] == [None]


def test_a_query_is_kept_with_the_comment_that_says_its_eps() -> None:
    text = "-- a\n/* eps: 1/4 */ SELECT 'open"
    assert apart(text) == (Fraction(1, 4), "SELECT 'open")
    assert [one.written for one in split(f"{text}';")] == [f"{text}'"]
    plain = "-- a\nSELECT 1"
    assert apart(plain) == (None, plain)
    assert [one.written for one in split(plain)] == ["SELECT 1"]


def test_an_eps_that_is_none() -> None:
    found = split("SELECT 1;\n\n-- eps: much\nSELECT 2;")
    assert next(found).query == "SELECT 1"
    with pytest.raises(
        InvalidBudget, match=r"^4:1: 'much' is no ε; write a number such as 0.5 or 1/3$"
    ):
        next(found)


def test_dialects_have_their_own_quotes() -> None:
    assert [s.query for s in split("SELECT `a;b` # ;\n; SELECT '\\';'", "bigquery")] == [
        "SELECT `a;b`",
        "SELECT '\\';'",
    ]
    assert [s.query for s in split("SELECT [a;]]b] ; SELECT 2", "tsql")] == [
        "SELECT [a;]]b]",
        "SELECT 2",
    ]
    assert [s.query for s in split("SELECT r'\\'; SELECT 2", "spark")] == [
        "SELECT r'\\'",
        "SELECT 2",
    ]
    with pytest.raises(UnknownDialect):
        complete("SELECT 1;", "latin")


ENGINE = duckdb.connect()
PIECES = ["SELECT 1", "; SELECT 1", "a", " ", "\n", "'", '"', "E'", "$$", "$t$", ";", "--", "/*"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*PIECES, "*/", "\\"]), max_size=9).map("".join))
def test_as_the_engine_has_it(text: str) -> None:
    """DuckDB knows no backslash outside of strings: where it takes a text, neither do we."""
    try:
        known = [s.query.strip(" \n;") for s in ENGINE.extract_statements(text)]
    except duckdb.Error:
        return
    found = list(split(text))
    assert len(found) == len(known)
    assert all(one.query and one.query in own for one, own in zip(found, known, strict=True))
    assert complete(f"{text}\n;")


def test_as_workloads_have_it() -> None:
    """A file of queries means the same to `dpsql batch` and to `dpsql repl -f`."""
    for file in sorted(CASES.glob("*.sql")):
        for case in file.read_text().split("\n==\n"):
            lines = re.split(r"\n-- (?:accept|reject)", case)[0].splitlines()
            text = "\n".join(line for line in lines if not line.startswith("#"))
            found = [(s.query, s.line) for s in split(text)]
            assert found == [(q.text, q.line) for q in queries(text)]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nothing_is_lost(dialect: str) -> None:
    text = "SELECT 'a' AS x;\n\\eps 1\n-- c\nSELECT `b` \\cost now\nSELECT \"c\""
    for one in split(text, dialect):
        assert text.startswith(one.query or one.command, one.start)
        assert one.line == 1 + text.count("\n", 0, one.start)


def test_long_texts() -> None:
    many = "SELECT 1;\n" * 20_000
    assert sum(1 for _ in split(many)) == 20_000
    long = f"SELECT '{';' * 2_000_000}';"
    assert [len(one.query) for one in split(long)] == [2_000_009]
    assert complete(long)
    assert not complete("(" * 2_000_000)
    assert not complete("/*" * 1_000_000)
