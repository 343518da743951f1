"""The page on the architecture names each part of dpsql, and counts the rarer ones rightly."""

from __future__ import annotations

import re
from pathlib import Path

import dpsql

ROOT = Path(dpsql.__file__).parent
PAGE = (ROOT.parent / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_each_stage_is_named() -> None:
    parts = {p.parent.relative_to(ROOT).as_posix() for p in ROOT.rglob("*.py")}
    stages = {p for p in parts if p.count("/") == p.startswith(("core/", "platform/", "front/"))}
    assert [f for f in sorted(stages - {".", "data"}) if f"`{f}/`" not in PAGE] == []


def test_its_first_screen_says_of_each_folder_what_its_mistakes_do() -> None:
    table = "\n".join(PAGE.split("\n")[:50]).partition("| folder |")[2].partition("\n\n")[0]
    rows = [row.split(" | ") for row in table.split("\n")[2:]]
    assert all(len(row) == 4 for row in rows)
    named = {name for row in rows for name in re.findall(r"`([a-z]+)/`", row[0])}
    assert named == {file.parent.name for file in ROOT.glob("*/__init__.py")} - {"data"}


def test_the_files_that_it_names_are_there() -> None:
    for name in re.findall(r"`([a-z_/]+\.py)`", PAGE):
        assert (ROOT / name).is_file(), name


def test_lines_of_the_rarer_parts() -> None:
    table = PAGE.partition("| part | what for | lines |")[2].partition("\n\n")[0]
    rows = [line for line in table.split("\n") if line.startswith("| `")]
    assert len(rows) == 5
    for row in rows:
        files = re.findall(r"`([a-z_/]+\.py)`", row)
        lines = sum(len((ROOT / f).read_text(encoding="utf-8").splitlines()) for f in files)
        assert row.endswith(f"| {lines} |"), f"{files}: {lines}"
