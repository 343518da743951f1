"""docs/errors.md has every code, in order, each with a query that is rejected by it."""

from __future__ import annotations

import re

from dpsql.sql.codes import CODES
from tests.markdown import ROOT, blocks

TEXT = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")


def sections() -> dict[str, str]:
    parts = re.split(r"^## (DP\d+): ", TEXT, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_code_has_its_paragraph() -> None:
    found = sections()
    assert list(found) == list(CODES)
    for code, text in found.items():
        assert text.startswith(f"{CODES[code]}\n\n")
        assert len(text.split("```")[0].split()) > 12, f"{code} needs a paragraph"


def test_every_example_is_rejected_by_its_code() -> None:
    # That each example prints what is shown, is tested with all other blocks.
    for code, text in sections().items():
        examples = [b for b in blocks(text) if b.language == "sql"]
        assert examples
        for block in examples:
            assert block.expected is not None
            assert block.expected.text.startswith(f"{code}: ")
