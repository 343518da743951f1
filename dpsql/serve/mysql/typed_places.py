"""What is wrong with a query, shown in the text that was typed, and not in the one it became."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from difflib import SequenceMatcher

from sqlglot.tokenizer_core import Token

from dpsql.errors import Rejected, Span
from dpsql.front.dialects import dialect_of

MOST = 500
"""Words of a text; a longer one is shown without the place."""


def placed(rejected: Rejected, asked: str, typed: str) -> Rejected:
    """The same problems, at the same words of the other text; without a place where these words are
    not there.

    Args:
        rejected: what is wrong.
        asked: what the query became, in DuckDB's language.
        typed: what was typed, in MySQL's.
    """
    if rejected.text != asked:
        return rejected
    theirs, own = _words(asked, "duckdb"), _words(typed, "mysql")
    texts = [[token.text.lower() for token in words] for words in (theirs, own)]
    same = SequenceMatcher(None, texts[0], texts[1], autojunk=False).get_matching_blocks()
    at = {block.a + n: own[block.b + n] for block in same for n in range(block.size)}

    def moved(span: Span | None) -> Span | None:
        if span is None:
            return None
        inside = [n for n, t in enumerate(theirs) if t.start < span.end and t.end >= span.start]
        found = [at[n] for n in inside if n in at]
        return Span(found[0].start, found[-1].end + 1) if found else None

    every = (found.placed() for found in rejected.diagnostics)
    return Rejected(tuple(replace(one, span=moved(one.span)) for one in every), typed)


def _words(text: str, dialect: str) -> list[Token]:
    found: list[Token] = []
    with suppress(Exception):  # in whatever way a tokenizer fails
        found = dialect_of(dialect).tokenize(text)
    return found if len(found) <= MOST else []
