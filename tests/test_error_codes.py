"""Every code has its page: what it means, a query that it rejects, and one to write instead."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import dpsql
from dpsql.cli import main
from dpsql.codes import CODES
from dpsql.errors import Diagnostic, Rejected, Span
from tools.markdown import ERRORS, ROOT, blocks

INDEX = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
INSTEAD = "\n## What to write instead\n"


def page(code: str) -> str:
    return (ERRORS / f"{code}.md").read_text(encoding="utf-8")


def test_every_page_is_of_a_code() -> None:
    assert [p.stem for p in sorted(ERRORS.iterdir())] == list(CODES)


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_its_page(code: str) -> None:
    text = page(code)
    assert text.startswith(f"# {code}: {CODES[code]}\n\n")
    assert len(text.split("```")[0].split()) > 12, "needs a paragraph"
    assert f"| [{code}](../../dpsql/data/errors/{code}.md) | {CODES[code]} |\n" in INDEX


ELSEWHERE = {"DP601", "DP106"}
"""No query is known that the one rejects, and none on DuckDB that the other does."""


@pytest.mark.parametrize("code", [code for code in CODES if code not in ELSEWHERE])
def test_the_examples_are_rejected_and_what_to_write_instead_is_not(code: str) -> None:
    # That each example prints what is shown, is tested with all other blocks.
    text = page(code)
    assert text.count(INSTEAD) == 1
    for part, accepted in zip(text.split(INSTEAD), (False, True), strict=True):
        examples = [b for b in blocks(part) if b.language == "sql"]
        assert examples
        for block in examples:
            assert block.expected is not None
            start = "released: " if accepted else f"{code}: "
            assert block.expected.text.startswith(start)


def test_every_code_that_is_used_exists() -> None:
    used: set[str] = set()
    for file in Path(dpsql.__file__).parent.rglob("*.py"):
        if file.name == "codes.py":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                used |= set(re.findall(r"^DP\d+$", node.value))
    assert used == set(CODES)


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "dp402"]) == 0
    assert capsys.readouterr().out == page("DP402")
    assert main(["help"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{c}  {w}" for c, w in CODES.items()]


@pytest.mark.parametrize("code", ["DP999", "../codes", ""])
def test_no_such_code(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["help", code])
    assert left.value.code == 2
    assert "no error code" in capsys.readouterr().err


def test_what_is_shown_of_a_query_steers_no_terminal() -> None:
    """Who runs somebody else's file sees its errors; the caret fits what is seen."""
    text = "SELECT\t'\x9b2J', nope\u202e\r\nFROM people"
    span = Span(text.index("nope"), text.index("\r"))
    found = Rejected(
        (Diagnostic("DP202", "no column nope\u202e", span, "not \x1b[2J\nbut this"),), text
    )
    assert str(found).splitlines() == [
        r"DP202: no column nope\u202e",
        "  line 1, column 15",
        r"  | SELECT '\x9b2J', nope\u202e",
        "  |                  ^^^^^^^^^^",
        r"  help: not \x1b[2J",
        "but this",
    ]
    end = Rejected((Diagnostic("DP101", "no end", Span(7, 8)),), "SELECT\r\n")
    assert str(end).splitlines()[1:] == ["  line 1, column 8", "  | SELECT", "  |       ^"]
