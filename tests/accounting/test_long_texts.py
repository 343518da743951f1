"""Long texts are stored once, short ones in their lines, and changed ones are noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpsql.errors import (
    LedgerTampered,
)
from dpsql.platform.ledger import stored_texts
from dpsql.platform.ledger.ledger import Entry
from tests.accounting.test_failures import ONE, THREE

from .conftest import opened
from .damage import change, rows


def test_a_long_text_is_stored_once(where: str) -> None:
    ledger = opened(where, THREE)
    text = "SELECT " + "1 + " * 5000 + "1"
    for _ in range(5):
        ledger.commit(ledger.reserve(ONE, Entry(text, f'["{text}"]')), ())
    assert rows(where, "SELECT count(*), sum(length(body)) FROM words") == [(2, 2 * len(text) + 4)]
    assert {line.entry.sql for line in opened(where, THREE).entries()} == {text}
    assert rows(where, "SELECT max(length(sql)) FROM charge") == [(71,)]


@pytest.mark.parametrize("length", [stored_texts.SHORT, stored_texts.SHORT + 1])
def test_a_short_text_stays_in_its_line(tmp_path: Path, length: int) -> None:
    ledger = opened(str(tmp_path / "ledger"), THREE)
    ledger.reserve(ONE, Entry("x" * length))
    (found,) = rows(str(tmp_path / "ledger"), "SELECT count(*) FROM words")
    assert found == (int(length > stored_texts.SHORT),)


@pytest.mark.parametrize(
    "damage",
    ["UPDATE words SET body = 'SELECT 2'", "DELETE FROM words", "UPDATE words SET digest = 'x'"],
)
def test_a_text_that_was_changed_is_noticed(where: str, damage: str) -> None:
    opened(where, THREE).reserve(ONE, Entry("SELECT " + "1" * 100))
    change(where, damage)
    with pytest.raises(LedgerTampered, match="the text of"):
        opened(where, THREE)
