"""text -> one SELECT, as sqlglot's syntax tree; anything else is rejected here.

Sizes are capped before the parser sees the text, so that no text ends in a crash. The tree is only
ever *read*: what the engine runs is printed from the plan, never from this tree, except for
queries over public tables alone.
"""

from __future__ import annotations

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import TokenType

from dpsql.errors import Diagnostic, Rejected, Span

MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 120
MAX_TOKENS = 100_000

_OPEN = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.CASE}
_CLOSE = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.END}
_STARTS = {
    TokenType.SELECT,
    TokenType.WITH,
    TokenType.L_PAREN,
    TokenType.FROM,
}


def reject(
    code: str,
    message: str,
    node: exp.Expr | Span | None = None,
    help: str | None = None,
) -> Rejected:
    """The error for one problem at one place; to be raised by the caller."""
    span = span_of(node) if isinstance(node, exp.Expr) else node
    return Rejected(Diagnostic(code, message, span, help))


def span_of(node: exp.Expr) -> Span | None:
    """The text between the first and the last token that the tree remembers of a node."""
    low, high = None, None
    for part in node.walk():
        meta = part._meta
        if meta and "start" in meta and "end" in meta:
            low = meta["start"] if low is None else min(low, meta["start"])
            high = meta["end"] if high is None else max(high, meta["end"])
    return None if low is None or high is None else Span(low, high + 1)


def _check_characters(text: str) -> None:
    if len(text) > MAX_CHARACTERS:
        raise reject("DP103", f"the query has more than {MAX_CHARACTERS:,} characters")
    for index, character in enumerate(text):
        if character < " " and character not in "\t\n\r":
            message = f"the control character U+{ord(character):04X} is not part of SQL"
            raise reject("DP101", message, Span(index, index + 1), "remove the character")


def _check_tokens(text: str) -> None:
    try:
        found = sqlglot.tokenize(text, dialect="duckdb")
    except TokenError:
        found = []
    except Exception:  # a tokenizer that fails in another way has not read SQL either
        found = []
    if not found:
        raise reject("DP101", "the text is empty or cannot be split into tokens")
    if len(found) > MAX_TOKENS:
        raise reject("DP103", f"the query has more than {MAX_TOKENS:,} tokens")
    if found[0].token_type not in _STARTS:
        first = found[0]
        raise reject(
            "DP102",
            f"dpsql answers SELECT statements, not {first.text[:30].upper()}",
            Span(first.start, first.end + 1),
        )
    depth = 0
    for index, token in enumerate(found):
        kind = token.token_type
        if kind in _OPEN:
            depth += 1
            if depth > MAX_DEPTH:
                span = Span(token.start, token.end + 1)
                raise reject("DP103", f"nested more than {MAX_DEPTH} levels deep", span)
        elif kind in _CLOSE:
            depth -= 1
        elif kind == TokenType.SEMICOLON and index != len(found) - 1:
            span = Span(token.start, token.end + 1)
            raise reject("DP102", "more than one statement", span, "send one SELECT at a time")


def parse(text: str) -> exp.Query:
    """Parse one SELECT.

    Raises:
        Rejected: DP101 to DP103, with the place.
    """
    _check_characters(text)
    _check_tokens(text)
    problem: Rejected | None = None
    tree: object = None
    try:
        trees = sqlglot.parse(text, dialect="duckdb")
        tree = trees[0] if len(trees) == 1 else None
    except ParseError as error:
        problem = _syntax_error(text, error)
    except RecursionError:
        problem = reject("DP103", "the query is too deeply nested")
    except Exception:  # the parser's own bugs are the text's fault here, and tell nothing private
        problem = reject("DP101", "the text cannot be read as SQL")
    if problem is not None:
        raise problem
    while isinstance(tree, exp.Subquery) and set(_present(tree)) <= {"this"}:
        tree = tree.this
    if not isinstance(tree, exp.Query):
        raise reject("DP102", "dpsql answers SELECT statements only")
    return tree


def _present(node: exp.Expr) -> list[str]:
    return [key for key, value in node.args.items() if value not in (None, [], False)]


def _syntax_error(text: str, error: ParseError) -> Rejected:
    details = error.errors[0] if error.errors else {}
    line, col = details.get("line"), details.get("col")
    span = None
    if isinstance(line, int) and isinstance(col, int):
        starts = [0]
        for piece in text.splitlines(keepends=True):
            starts.append(starts[-1] + len(piece))
        end = min(starts[min(line, len(starts)) - 1] + col, len(text))
        width = max(1, len(str(details.get("highlight") or "")))
        span = Span(max(0, end - width), max(end, 1))
    message = str(details.get("description") or "syntax error").rstrip(". ")
    return reject("DP101", message[:200], span)


def only(node: exp.Expr, *allowed: str, code: str = "DP104") -> None:
    """Reject a node that carries anything but the named parts: nothing is dropped in silence."""
    for key in _present(node):
        if key not in allowed:
            part = node.args[key]
            place = part if isinstance(part, exp.Expr) else node
            what = key.rstrip("_").replace("_", " ").upper()
            raise reject(code, f"{what} is not supported here", place)
