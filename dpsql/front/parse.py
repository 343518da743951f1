"""text -> one SELECT, as sqlglot's syntax tree; anything else is rejected here.

Sizes are capped before the parser sees the text, so that no text ends in a crash. The tree is only
ever *read*: what the engine runs is printed from the plan, never from this tree, except for
queries over public tables alone.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from dpsql.core.frozen import FrozenMap
from dpsql.errors import Rejected, Span
from dpsql.front.tokens import (
    AMOUNTS,
    check_characters,
    check_intervals,
    check_names,
    check_operators,
    check_own_privacy,
    meant,
    refused,
    split,
    tokens_of,
)
from dpsql.front.written import Names, name_of, part_of, words
from dpsql.types import Type

# It warns of what it cannot parse; without a handler that would go to stderr.
logging.getLogger("sqlglot").addHandler(logging.NullHandler())

Tables = Mapping[str, Mapping[str, Type]]
"""The types of the columns of tables, both by lower-case names."""

NO_TABLES: Tables = FrozenMap()
MAX_NODES = 300_000
"""Some parsers put an argument into the tree twice, so that nested calls double it each time."""


def reject(
    code: str,
    message: str,
    node: exp.Expr | Span | None = None,
    help: str | None = None,
) -> Rejected:
    """The error for one problem at one place; to be raised by the caller."""
    span = span_of(node) if isinstance(node, exp.Expr) else node
    return refused(code, message, span, help)


def span_of(node: exp.Expr) -> Span | None:
    """The text between the first and the last token that the tree remembers of a node."""
    found: Span | None = (node._meta or {}).get(_SPAN)
    called = None if found is None else name_of(node)
    return replace(found, called=called) if found and called else found


def set_span(node: exp.Expr, span: Span) -> None:
    """Say which text a node stands for, that was made from another one."""
    node.meta[_SPAN] = span


_SPAN = "dpsql_span"

N = TypeVar("N", bound=exp.Expr)


def every(tree: exp.Expr, *kinds: type[N], most: int | None = None) -> list[N]:
    """The nodes of these kinds, each after its parent: `find_all`, which is slow, of a tree that
    stays as it is meanwhile.

    Args:
        tree: its root is one of its nodes.
        kinds: of nodes; `exp.Expr` is all.
        most: how many are looked at, about; a node that stands at several places is as many.
    """
    nodes = [tree]
    for node in nodes:
        for part in node.args.values():
            if isinstance(part, exp.Expr):
                nodes.append(part)
            elif isinstance(part, list):
                nodes += [one for one in part if isinstance(one, exp.Expr)]
        if most is not None and len(nodes) >= most:
            break
    return [node for node in nodes if isinstance(node, kinds)]


def _mark_spans(tree: exp.Expr, names: Names) -> list[exp.Expr]:
    """Give each node the span from its first to its last token, in one pass, children first.

    Returns:
        All nodes.
    """
    nodes = every(tree, exp.Expr, most=MAX_NODES)
    if len(nodes) >= MAX_NODES:
        raise reject("DP103", "the query is too large")
    for node in reversed(nodes):
        meta = node._meta or {}
        span: Span | None = meta.get(_SPAN)
        made = meta.get("start") == 0 and isinstance(node, exp.Star)  # by the parser, for VALUES
        if "start" in meta and "end" in meta and not made:
            span = _around(span, Span(meta["start"], meta["end"] + 1))
        name = names.mark(node, None if span is None else span.start)
        if name is not None:
            span = _around(span, name)
        if span is None:
            continue
        node.meta[_SPAN] = span
        if node.parent is not None:
            above = node.parent.meta
            above[_SPAN] = _around(above.get(_SPAN), span)
    return nodes


def _around(known: Span | None, other: Span) -> Span:
    """The text from the first to the last of both."""
    if known is None:
        return other
    if known.start <= other.start and other.end <= known.end:
        return known
    return Span(min(known.start, other.start), max(known.end, other.end))


def parse(text: str, dialect: str = "duckdb", tables: Tables = NO_TABLES) -> exp.Query:
    """Parse one SELECT. A tree of another dialect is brought to the meaning that DuckDB gives it.

    Args:
        text: the query.
        dialect: whose SQL it is.
        tables: the types of their columns, on which the meaning of another dialect may hang.

    Raises:
        Rejected: DP101 to DP104, with the place.
        UnknownDialect: for a dialect that is none.
    """
    from dpsql.front.dialects import check_tokens, dialect_of, normalised
    from dpsql.front.metadata import statement
    from dpsql.front.repetition import check_copies, check_patterns
    from dpsql.front.synonyms import restore_aggregates
    from dpsql.front.syntax import check_neighbours

    grammar = dialect_of(dialect)
    check_characters(text)
    told = statement(
        text, lambda t: split(t, grammar), partial(parse, dialect=dialect, tables=tables)
    )
    if told is not None:
        return told
    tokens = tokens_of(text, grammar)
    check_names(tokens)
    check_own_privacy(tokens)
    check_intervals(tokens)
    check_neighbours(tokens, text)
    if dialect != "duckdb":
        check_tokens(tokens, text, dialect)
    else:
        check_operators(tokens)
    problem: Rejected | None = None
    tree: object = None
    after: object = exp.Select()
    try:
        head, tail = _pivot_tail(tokens)
        # A comment behind the last semicolon is a statement of its own to the parser.
        trees = [t for t in grammar.parser().parse(head, text) if type(t) is not exp.Semicolon]
        tree = trees[0] if len(trees) == 1 else None
        if tail:
            after = grammar.parser().parse([*grammar.tokenize("SELECT *"), *tail], text)[0]
    except ParseError as error:
        problem = syntax_error(text, error)
    except RecursionError:
        problem = reject("DP103", "the query is too deeply nested")
    except Exception:  # the parser's own bugs are the text's fault here, and tell nothing private
        problem = reject("DP101", "the text cannot be read as SQL")
    if problem is not None:
        raise problem
    while isinstance(tree, exp.Subquery) and set(_present(tree)) <= {"this"}:
        tree = tree.this
    if isinstance(tree, exp.Pivot):  # PIVOT t ON …, which is no query of its own to the parser
        tree = exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.Subquery(this=tree)))
        if not isinstance(after, exp.Select) or not {*_present(after)} <= {"expressions", *_TAIL}:
            message = "PIVOT is followed by ORDER BY, LIMIT and OFFSET alone"
            raise reject("DP101", message, None, "write SELECT * FROM (PIVOT …)")
        for key in _TAIL:
            tree.set(key, after.args.get(key))
    if not isinstance(tree, exp.Query):
        raise reject("DP102", "dpsql answers SELECT statements only")
    nodes = _mark_spans(tree, Names(tokens, grammar))
    _check_casts(nodes)
    check_copies(nodes)
    check_patterns(nodes)
    if dialect in ("duckdb", "postgres"):
        _restore_intervals(nodes, grammar)
    if dialect != "duckdb":
        return normalised(tree, dialect, tables)
    _restore_points(nodes)
    _restore_counts(nodes)
    restore_aggregates(nodes)
    return tree


def _check_casts(nodes: list[exp.Expr]) -> None:
    """Refuse casts of nothing, such as CONVERT(): the parser leaves out what is not there."""
    for node in nodes:
        if isinstance(node, exp.Cast | exp.Convert):
            other = node.args.get("to" if isinstance(node, exp.Cast) else "expression")
            if node.args.get("this") is None or other is None:
                raise reject("DP205", "a cast without a value or a type", node)


def _restore_points(nodes: list[exp.Expr]) -> None:
    """The parser reads .5 as 0.5, and gives it no place; DuckDB tells the text of one from that of
    the other.
    """
    for node in nodes:
        number = isinstance(node, exp.Literal) and not node.is_string
        if number and "start" not in node.meta and node.this.startswith("0."):
            node.set("this", node.this[1:])


def _restore_intervals(nodes: list[exp.Expr], grammar: Dialect) -> None:
    """'1 day'::INTERVAL is INTERVAL '1 day'."""
    for node in nodes:
        if type(node) is not exp.Cast or node.to.this != exp.DType.INTERVAL:
            continue
        if isinstance(node.this, exp.Literal) and AMOUNTS.fullmatch(node.this.this):
            text = f"INTERVAL {node.this.sql(grammar)}"
            with suppress(ParseError):  # else it is refused as the cast that it is
                made = grammar.parser().parse(grammar.tokenize(text), text)[0]
                if isinstance(made, exp.Interval):
                    for part in made.walk():
                        part.meta.clear()
                    made.meta.update(node.meta)
                    node.replace(made)


def _restore_counts(nodes: list[exp.Expr]) -> None:
    """count_star() is COUNT(*), as DuckDB writes it in the definitions of views."""
    for node in nodes:
        if isinstance(node, exp.Anonymous) and str(node.this).lower() == "count_star":
            made = exp.Count(this=exp.Star(), expressions=node.expressions)
            made.meta.update(node.meta)
            node.replace(made)


def _present(node: exp.Expr) -> list[str]:
    return [key for key, value in node.args.items() if value not in (None, [], False)]


_TAIL = ("order", "limit", "offset")
_TAILS = frozenset({TokenType.ORDER_BY, TokenType.LIMIT, TokenType.OFFSET, TokenType.SEMICOLON})


def _pivot_tail(tokens: list[Token]) -> tuple[list[Token], list[Token]]:
    """PIVOT t ON …, and ORDER BY, LIMIT and OFFSET behind it, which the parser does not know."""
    deep = 0
    for i, token in enumerate(tokens):
        deep += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        if not i and token.token_type not in (TokenType.PIVOT, TokenType.UNPIVOT):
            break
        if not deep and token.token_type in _TAILS:
            return tokens[:i], tokens[i:]
    return tokens, []


def syntax_error(text: str, error: ParseError) -> Rejected:
    """What the parser could not read, and where."""
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
    message = str(details.get("description") or "").rstrip(". ")
    if not message or "<" in message:  # the parser's own objects are no words for people
        message = "the text is not a complete SELECT"
    before = [] if span is None else re.findall(r"\w+", text[: span.end])[-2:]
    help = next((h for h in map(meant, before) if h is not None), None)
    return reject("DP101", message[:200], span, help)


def only(node: exp.Expr, *allowed: str) -> None:
    """Reject a node that carries anything but the named parts: nothing is dropped in silence."""
    for key in _present(node):
        if key not in allowed:
            part = node.args[key]
            place = part if isinstance(part, exp.Expr) else node
            what = part_of(node, key, words(part, key.rstrip("_").replace("_", " ").upper()))
            raise reject("DP104", f"{what} is not supported here", place, _INSTEAD.get(key))


_INSTEAD = {
    "symmetric": "write BETWEEN LEAST(a, b) AND GREATEST(a, b)",
    "sample": "leave out USING SAMPLE",
    "locks": "leave it out",
    "order": "leave out ORDER BY",
    "limit_options": "write a number of rows",
    "exclude": "leave out EXCLUDE",
    "step": "leave out the step",
}
"""What to write in place of a part that is not one of the language."""


def bare(node: exp.Expr) -> exp.Expr:
    """What stands in the parentheses."""
    while isinstance(node, exp.Paren):
        only(node, "this")
        node = node.this
    return node
