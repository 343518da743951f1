"""Colours: of what is typed, of what is put out, and none of them."""

from __future__ import annotations

import re

import pytest
from prompt_toolkit.document import Document
from prompt_toolkit.lexers import PygmentsLexer
from prompt_toolkit.styles import Attrs
from pygments.token import Comment, Keyword, Name, Number, String

from dpsql.repl import highlighting, painting
from dpsql.repl.output import Role


def kinds(text: str) -> dict[str, object]:
    lexer = highlighting.DpsqlLexer()
    return {value: kind for kind, value in lexer.get_tokens(text) if value.strip()}


def test_the_words_of_a_query() -> None:
    found = kinds("SELECT COUNT(*), channel FROM orders QUALIFY x > 12 -- why\n")
    assert found["SELECT"] in Keyword and found["FROM"] in Keyword and found["QUALIFY"] in Keyword
    assert found["COUNT"] is Name.Function
    assert found["channel"] is Name and found["orders"] is Name
    assert found["12"] in Number
    assert found["-- why\n"] in Comment


def test_functions_are_those_of_the_language() -> None:
    found = kinds("SELECT date_trunc('month', d), read_csv('x'), count FROM t")
    assert found["date_trunc"] is Name.Function
    assert found["read_csv"] is Name
    assert found["count"] is Name  # no call
    assert found["'month'"] in String


def test_commands_and_strings_that_do_not_end() -> None:
    assert kinds("\\explain SELECT 1")["\\explain"] is Name.Decorator
    found = kinds("SELECT 'it is FROM")
    assert [kind for text, kind in found.items() if "FROM" in text] == [String.Single]
    assert kinds('SELECT "from" FROM t')['"from"'] is Name


@pytest.mark.parametrize("text", ["SELECT 'a", "\\", '"', "/* x", "$$ a", "é \x00 ;;", "a\tb\r\nc"])
def test_no_character_is_lost(text: str) -> None:
    lexer = highlighting.DpsqlLexer(stripnl=False, ensurenl=False)
    assert "".join(value for _, _, value in lexer.get_tokens_unprocessed(text)) == text
    lines = PygmentsLexer(highlighting.DpsqlLexer).lex_document(Document("SELECT\n  1"))
    assert "".join(part[1] for part in lines(1)) == "  1"


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
        return made.get_attrs_for_style_str("class:pygments.keyword")

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
