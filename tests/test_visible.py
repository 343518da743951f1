"""What could steer a terminal is written out, and nothing else is touched."""

from __future__ import annotations

import sys

import pytest

from dpsql.visible import one_line, visible


@pytest.mark.deep
def test_every_letter_is_itself_or_written_out() -> None:
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        shown = one_line(letter)
        assert shown.isprintable()
        if letter.isprintable():
            assert shown == letter
        else:
            assert shown == letter.encode("unicode_escape").decode()


def test_what_is_kept() -> None:
    assert visible("a\n\tb\x1b[2J") == "a\n\\tb\\x1b[2J"
    assert visible("a\n\tb\x1b", "\n\t") == "a\n\tb\\x1b"
    assert one_line("ε é 漢字 \u202e\ud800\u2028") == "ε é 漢字 \\u202e\\ud800\\u2028"
