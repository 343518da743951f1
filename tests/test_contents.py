"""The table of contents of the language is up to date, and every code has a case."""

from __future__ import annotations

from dpsql.codes import CODES
from tests.support import grammar
from tools import contents


def test_it_is_up_to_date() -> None:
    written = contents.FILE.read_text(encoding="utf-8")
    assert written == contents.contents(), "run python -m tools.contents"


def test_every_case_is_under_its_file_and_verdict() -> None:
    sections = contents.FILE.read_text(encoding="utf-8").split("\n## ")
    found = {part.partition("\n")[0]: part for part in sections}
    for case in grammar.every():
        assert case.name.startswith(f"{case.file}/")
        keys = contents.codes_of(case) or [
            {"accept": "accepted"}.get(v := contents.verdict_of(case), v)
        ]
        for key in keys:
            line = next(n for n in found[case.file].split("\n") if n.startswith(f"- {key}: "))
            assert case.name.partition("/")[2] in line.partition(": ")[2].split(", ")


def test_every_code_has_a_case() -> None:
    used = {code for case in grammar.every() for code in contents.codes_of(case)}
    # A query that the one refuses would be mended; the other is of data on a server.
    assert used == set(CODES) - {"DP601", "DP106"}
