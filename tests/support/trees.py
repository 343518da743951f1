"""The parser's own tree of a text, by the grammar that dpsql reads DuckDB's SQL with."""

from __future__ import annotations

from sqlglot import exp

from dpsql.front.dialects import dialect_of


def tree_of(text: str) -> exp.Expr:
    """The tree of one statement; what is behind its semicolon is a comment."""
    found = dialect_of("duckdb").parse(text)[0]
    assert found is not None
    return found
