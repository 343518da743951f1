"""Colours: of what is typed, of what is put out, and none of them."""

from __future__ import annotations

import re

import pytest
from prompt_toolkit.document import Document
from prompt_toolkit.styles import Attrs

from dpsql.repl import highlighting
from dpsql.repl import output as painting
from dpsql.repl.output import Role


def kinds(text: str, dialect: str = "duckdb") -> dict[str, str]:
    found = highlighting.styled(text, dialect)
    return {part[1]: part[0].removeprefix("class:sql.") for part in found if part[1].strip()}


def test_the_words_of_a_query() -> None:
    found = kinds("SELECT COUNT(*), channel FROM orders QUALIFY x > 12 -- why\n")
    assert found["SELECT"] == found["FROM"] == found["QUALIFY"] == "keyword"
    assert found["COUNT"] == "function"
    assert found["channel"] == found["orders"] == ""
    assert found["12"] == "number"
    assert found["-- why"] == "comment"


def test_functions_are_those_of_the_language() -> None:
    found = kinds("SELECT date_trunc('month', d), read_csv('x'), count FROM t")
    assert found["date_trunc"] == "function"
    assert found["read_csv"] == ""
    assert found["count"] == ""  # no call
    assert found["'month'"] == "string"


def test_commands_and_strings_that_do_not_end() -> None:
    found = kinds("\\explain SELECT 'a' FROM t;")
    assert (found["\\explain"], found["SELECT"], found["'a'"]) == ("command", "keyword", "string")
    assert kinds("\\q;")["\\q"] == "command"
    found = kinds("SELECT 'it is FROM")
    assert [kind for text, kind in found.items() if "FROM" in text] == ["string"]
    assert kinds('SELECT "from" FROM t')['"from"'] == ""


def test_colours_are_of_the_dialect() -> None:
    assert kinds("SELECT `from` # FROM", "bigquery") == {
        "SELECT": "keyword", "`from`": "", "# FROM": "comment",
    }  # fmt: skip
    assert kinds("SELECT $$ FROM $$")["$$ FROM $$"] == "string"


@pytest.mark.parametrize(
    "text", ["SELECT 'a", "\\", '"', "/* x", "$$ a", "é \x00 ;;", "a\tb\r\nc", "\\ " * 9999]
)
def test_no_character_is_lost(text: str) -> None:
    assert "".join(part[1] for part in highlighting.styled(text)) == text
    lexer = highlighting.SqlLexer(lambda: "duckdb")
    lines = lexer.lex_document(Document(f"{text}\n  1"))
    assert "".join(part[1] for part in lines(text.count("\n") + 1)).endswith("  1")
    assert lines(9) == []


def test_a_long_text_is_typed_without_colours() -> None:
    text = "SELECT 1;\n" * highlighting.MAX_CHARACTERS
    assert highlighting.styled(text) == [("", text)]


@pytest.mark.parametrize(
    ("variables", "wished", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_when_there_are_colours(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], wished: bool, expected: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert highlighting.has_color(wished) is expected


def test_light_and_dark_have_colours_of_their_own() -> None:
    def keyword(light: bool) -> Attrs:
        made = highlighting.style(color=True, light=light)
        return made.get_attrs_for_style_str("class:sql.keyword")

    assert keyword(True).color != keyword(False).color
    assert highlighting.is_light("0;15") and highlighting.is_light("0;default;7")
    assert not highlighting.is_light("15;0") and not highlighting.is_light("")


def test_without_colours_there_is_none_in_any_style() -> None:
    made = highlighting.style(color=False)
    for rule, _ in made.style_rules:
        for name in rule.split():
            found = made.get_attrs_for_style_str(f"class:{name}")
            assert not found.color and not found.bgcolor


ANSWER = """\
channel        orders  shipping
-------  ------------  --------
web      21,386 ± 435  NULL
(1 row, ε = 0.5)
"""
ERROR = """\
DP401: the query returns rows of individuals
  line 1, column 8
  | SELECT [bold]email[/bold] FROM customers
  |        ^^^^^
  help: aggregate"""


@pytest.mark.parametrize(
    ("role", "text", "painted"),
    [
        ("answer", ANSWER, [" ± 435", "-------  ------------  --------", "NULL"]),
        ("answer", ANSWER, ["(1 row, ε = 0.5)"]),
        ("error", ERROR, ["DP401:", "  |        ^^^^^", "  help: aggregate", "  line 1, column 8"]),
        ("remark", "cost ε = 0.5", ["cost ε = 0.5"]),
    ],
)  # fmt: skip
def test_paint_changes_no_text(role: Role, text: str, painted: list[str]) -> None:
    found = painting.paint(role, text)
    assert re.sub(r"\x1b\[[0-9;]*m", "", found) == text
    for part in painted:
        assert re.search(rf"\x1b\[[0-9;]+m{re.escape(part)}\x1b\[0m", found)


def test_a_long_answer_is_not_painted() -> None:
    text = "x ± 1\n" * painting.MAX_CHARACTERS
    assert painting.paint("answer", text) is text
    wide = "x" * 5000 + " ± 1\n"
    assert re.sub(r"\x1b\[[0-9;]*m", "", painting.paint("answer", wide)) == wide
