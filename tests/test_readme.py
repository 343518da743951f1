"""Every code block of README and docs is run, and prints what it says that it prints."""

from __future__ import annotations

from pathlib import Path

import pytest

import dpsql
from dpsql.cli import exits
from tests.support.effort import chosen
from tools.markdown import ROOT, Session, blocks, files, pictures, same, shown

SLOW = ("docs/tutorial/models.md", "docs/how-to/audit.md")
"""They fit nine models, and play through thousands of answers."""

FILES = chosen(files(), *(name for name in files() if name not in SLOW))


@pytest.mark.parametrize("name", FILES)
def test_blocks(name: str, tmp_path: Path) -> None:
    session = Session(tmp_path)
    dpsql.use(None)
    text = (ROOT / name).read_text(encoding="utf-8")
    for block in blocks(text):
        printed, place = session.run(block), shown(block)
        if printed is None:
            continue
        where = f"{name}, line {block.line + 1}"
        if place is None:
            assert printed == "", f"{where} prints what is not shown:\n{printed}"
            continue
        noisy = block.noisy or place.noisy
        assert same(place.text, printed, noisy), f"{where} shows\n{place.text}\nnot\n{printed}"
    for picture in pictures(text):
        for file in (tmp_path / picture, (ROOT / name).parent / picture):
            assert file.read_bytes().startswith(b"\x89PNG"), file


def test_the_exit_codes_are_in_the_docs() -> None:
    text = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    for line in exits.HELP.splitlines()[1:]:
        code, _, words = line.strip().partition(" ")
        assert f"| {code} | {words.strip()} |" in text
