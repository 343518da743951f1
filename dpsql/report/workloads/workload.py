"""Files of many queries, taken apart.

Queries end with `;`. A comment `-- eps: 0.5` above a query is its ε: what stands between a query
and the one before it belongs to it, but for a comment on the line of that one's `;`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot.tokenizer_core import Token, TokenType

from dpsql.errors import InvalidArgument, InvalidBudget
from dpsql.front.dialects import dialect_of
from dpsql.report.workloads.price_comments import said

Workload = str | Iterable[str] | Mapping[str, str]
"""SQL with `;` between queries; several such texts; or texts by their names."""


@dataclass(frozen=True, slots=True)
class Query:
    """One query of a workload.

    Attributes:
        text: as it is written, from its first word to its last.
        eps: of a comment above it; None without one.
        source: the name of its file; "" for none.
        line: where it starts, from 1.
        column: the same, from 1.
    """

    text: str
    eps: Fraction | None
    source: str
    line: int
    column: int

    @property
    def place(self) -> str:
        """Where it starts, for a reader."""
        return self.at(0)

    def at(self, offset: int) -> str:
        """Where the character of that number is in the file."""
        before = self.text[:offset]
        line = self.line + before.count("\n")
        column = len(before) - before.rfind("\n") + (self.column - 1 if "\n" not in before else 0)
        return f"{self.source}:{line}:{column}" if self.source else f"{line}:{column}"


def workload(texts: Workload, dialect: str = "duckdb") -> tuple[Query, ...]:
    """All queries of one or several texts, in order; see `queries`."""
    if isinstance(texts, str):
        return queries(texts, "", dialect)
    if isinstance(texts, bytes | bytearray) or not isinstance(texts, Iterable):
        raise InvalidArgument(f"queries are texts, not a {type(texts).__name__}")
    if not isinstance(texts, Mapping):
        texts = {f"text {number}": text for number, text in enumerate(texts, 1)}
    return tuple(query for name, text in texts.items() for query in queries(text, name, dialect))


def queries(text: str, source: str = "", dialect: str = "duckdb") -> tuple[Query, ...]:
    """The queries of a text.

    Text that has no tokens, such as one with an open quote, is one query: its own rejection says
    what is wrong.

    Args:
        text: SQL, each query but the last with `;` after it.
        source: the name of the file.
        dialect: whose SQL it is.

    Raises:
        InvalidArgument: it is no text.
        InvalidBudget: a comment `-- eps:` with what is no ε, or two with different ones.
        UnknownDialect: a dialect that is none.
    """
    if not isinstance(text, str):
        raise InvalidArgument(f"a query is a text, not a {type(text).__name__}")
    tokenizer = dialect_of(dialect)
    try:
        tokens = tokenizer.tokenize(text)
    except Exception:  # what a tokenizer cannot read is rejected when it is compiled
        return (Query(text, None, source, 1, 1),) if text.strip() else ()
    return tuple(_queries(text, tokens, source))


def _queries(text: str, tokens: Iterable[Token], source: str) -> Iterator[Query]:
    lines = [0, *(match.end() for match in re.finditer("\n", text))]
    own: list[Token] = []
    for token in [*tokens, None]:
        if token is not None and token.token_type != TokenType.SEMICOLON:
            own.append(token)
        elif own:
            start, line = own[0].start, bisect_right(lines, own[0].start)
            column = start - lines[line - 1] + 1
            made = Query(text[start : own[-1].end + 1], None, source, line, column)
            yield replace(made, eps=_eps(own[0].comments, made.place))
            own = []


def _eps(comments: Iterable[str], place: str) -> Fraction | None:
    """The ε that the comments above a query say."""
    try:
        return said(comments, "eps")
    except InvalidBudget as problem:
        message = str(problem)
    raise InvalidBudget(f"{place}: {message}")
