"""What is offered after a backslash, and when the shell asks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from dpsql import demo
from dpsql.repl.commands import COMMANDS
from dpsql.repl.completion.completer import ShellCompleter
from dpsql.repl.completion.suggest import proposals
from dpsql.repl.pending import Opening
from dpsql.repl.shell import Shell
from tests.repl.test_completion import SCHEMA, TABLES, first, offered, texts


def test_commands_by_name_with_what_they_do() -> None:
    found = offered("\\ti|")
    assert [one.text for one in found] == ["\\timing"]
    assert found[0].start == 0 and found[0].meta == COMMANDS["\\timing"].summary
    assert {one.text for one in offered("\\|")} == set(COMMANDS)
    assert texts("SELECT 1;\n\\forma|") == ["\\format"]
    assert texts("SELECT why FROM visits \\cos|") == ["\\cost"]


def test_what_follows_a_command() -> None:
    host = ["csv", "table"]
    found = proposals("\\format ta", 10, SCHEMA, COMMANDS, lambda _: host)
    assert [(one.text, one.start) for one in found] == [("table", 8)]
    assert proposals("\\nothing x", 10, SCHEMA, COMMANDS, lambda _: host) == ()


def test_a_query_after_a_command_is_completed_as_sql() -> None:
    assert texts("\\explain SELECT * FROM |")[:4] == TABLES
    assert first("\\cost SELECT why FROM vis|") == "\\cost SELECT why FROM visits"
    assert texts("\\explain SEL|") == ["SELECT"]
    assert texts("\\explain SELECT 1 FROM people\n; SELECT * FROM |")[:4] == TABLES


@pytest.fixture(scope="module")
def shell() -> Iterator[Shell]:
    opening = Opening(demo.database, "the demo")
    made = Shell(opening)
    opening.wait()
    yield made
    made.close()


def completions(shell: Shell, text: str, *, typed: bool = False) -> list[str]:
    event = CompleteEvent(text_inserted=typed, completion_requested=not typed)
    document = Document(text, len(text))
    return [
        document.text[: len(text) + c.start_position] + c.text
        for c in ShellCompleter(shell).get_completions(document, event)
    ]


def test_the_completer_asks_each_command_for_its_words(shell: Shell) -> None:
    assert "\\format markdown" in completions(shell, "\\format ma")
    assert completions(shell, "\\d order_") == ["\\d order_lines"]
    assert completions(shell, "SELECT * FROM reg") == ["SELECT * FROM regions"]


def test_files_after_a_command_that_takes_one(
    shell: Shell, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    open("queries.sql", "w").close()
    assert completions(shell, "\\i que") == ["\\i queries.sql"]


def test_no_menu_of_words_while_nothing_is_typed_of_one(shell: Shell) -> None:
    assert completions(shell, "SELECT COUNT(*) FROM orders ", typed=True) == []
    assert completions(shell, "SELECT COUNT(*) FROM orders ")[0].endswith("JOIN")
    assert completions(shell, "SELECT COUNT(*) FROM ", typed=True)[0].endswith("customers")
