"""What can come at the cursor, by what the policy and the text say and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dpsql.core.schema import Schema
from dpsql.repl.command import Command
from dpsql.repl.completion import join_conditions, offers, vocabulary
from dpsql.repl.completion.backslash import command_proposals, query_argument, stretch
from dpsql.repl.completion.from_items import Spot
from dpsql.repl.completion.outline import spot
from dpsql.repl.completion.proposal import Proposal, chosen
from dpsql.repl.completion.spelling import quoted
from dpsql.repl.completion.vocabulary import AGGREGATES, SCALARS, WINDOWS
from dpsql.repl.lexer import Token, tokens

MAX_CHARACTERS = 50_000
"""Longer texts are not looked at."""


def proposals(
    text: str,
    cursor: int,
    schema: Schema | None,
    commands: Mapping[str, Command] | None = None,
    words: Callable[[Command], Sequence[str]] = lambda _: (),
    dialect: str = "duckdb",
) -> tuple[Proposal, ...]:
    """What can be written at the cursor, the likeliest first. Never raises for a text.

    Args:
        text: all that was typed, finished or not.
        cursor: how many characters are before it.
        schema: what is public; None while it is not known, then only words are offered.
        commands: the backslash commands, by name.
        words: what can follow a command.
        dialect: whose SQL it is.
    """
    if len(text) > MAX_CHARACTERS:
        return ()
    found, commands = stretch(text, cursor, dialect), commands or {}
    begin = found.start
    if found.command:
        query = query_argument(text[: found.end], found.start, commands)
        if query is None or cursor < query:
            return tuple(command_proposals(text, found.start, cursor, commands, words))
        begin = query
    return tuple(
        replace(candidate, start=candidate.start + begin)
        for candidate in _sql(text[begin : found.end], cursor - begin, schema, dialect)
    )


def _sql(text: str, cursor: int, schema: Schema | None, dialect: str) -> Iterator[Proposal]:
    every = list(tokens(text, dialect))
    if any(t.kind in ("comment", "number") and t.touches(cursor) for t in every):
        return
    every = [t for t in every if t.kind != "comment"]
    typed = Token("cursor", "", cursor, cursor)
    at = next((t for t in every if t.kind != "symbol" and t.touches(cursor)), None)
    if at is not None:
        typed = Token("cursor", text[at.start : cursor], at.start, cursor)
    before = [t for t in every if t.end <= typed.start]
    after = [t for t in every if t.start >= cursor]
    if at is not None and not at.closed:  # what it swallowed is not meant to be in it
        after = list(tokens(text[cursor:], dialect))
    where = spot([*before, typed, *after], schema)
    if at is None or at.kind == "word":
        yield from chosen(_offers(before, where, schema), typed.text, typed.start)
        return
    closed = at.closed and at.end > cursor
    if at.kind == "quoted":
        inside = typed._replace(kind="quoted", closed=False).name
        yield from chosen(_names(_offers(before, where, schema), closed), inside, at.start)
    elif at.text.startswith("'"):
        inside, named = text[at.start + 1 : cursor], offers.compared(before, where.block)
        if named is not None:
            strings = offers.strings(named, closed)
            yield from chosen(strings, inside.replace("''", "'"), at.start + 1)


def _names(every: Iterator[Proposal], closed: bool) -> Iterator[Proposal]:
    """The names among them, in quotes."""
    for one in every:
        if one.name and not one.spoken and "." not in one.text:
            text = quoted(one.name, always=True)
            yield replace(one, text=text[:-1] if closed else text)


def _offers(before: Sequence[Token], where: Spot, schema: Schema | None) -> Iterator[Proposal]:
    last = before[-1] if before else Token("symbol", "", 0, 0)
    block, clause = where.block, where.clause
    if last.text == ".":
        if len(before) > 1 and before[-2].is_name and not where.item:
            relation = block.relation(before[-2].name)
            if clause == "ON" and before[-3].word == "ON":
                yield from join_conditions.rest_of_equality(block.relations, before[-2].name)
            yield from () if relation is None else offers.qualified(relation)
    elif last.word in vocabulary.AFTER and not _names_something(before):
        yield from _words(vocabulary.AFTER[last.word])
    elif clause == "FROM" and where.item:
        yield from offers.tables(schema, block)
        yield from _words(("SELECT",) if last.text == "(" else ("LATERAL",))
    elif clause == "FROM" and not where.inside:
        if last.word != "AS":
            yield from _words(("ON", "USING (") if where.joined else ())
            yield from _words(vocabulary.FOLLOWING["FROM"])
    elif clause == "USING" and where.inside:
        yield from join_conditions.shared(block.relations)
    elif clause in ("", "WITH", "VALUES") or not before:
        yield from _words(_opening(clause, last))
    elif _is_whole(before):
        yield from _words(_continuing(before, where))
    elif last.word != "AS":
        yield from _expression(before, where, schema)


def _words(words: Iterable[str]) -> Iterator[Proposal]:
    return (Proposal(word, spoken=True) for word in words)


def _names_something(before: Sequence[Token]) -> bool:
    """Whether the last word is a column, as in `t.left`."""
    return len(before) > 1 and before[-2].text == "."


def _opening(clause: str, last: Token) -> Sequence[str]:
    if clause == "WITH":
        if last.text in ("(", ")"):
            return ("SELECT",)
        return ("AS (",) if last.is_name and last.word not in ("WITH", "AS") else ()
    if clause == "VALUES":
        return ()
    if last.text == ")":
        return (*vocabulary.SETS, "ORDER BY", "LIMIT")
    return vocabulary.STARTS


def _is_whole(before: Sequence[Token]) -> bool:
    """Whether an expression ends here, so that it is continued and not begun."""
    last = before[-1]
    if last.kind in ("number", "string", "quoted") or last.text in (")", "]"):
        return True
    if last.text == "*":
        previous = before[-2] if len(before) > 1 else last
        return previous.text in (",", "(", ".") or previous.word in ("SELECT", "DISTINCT", "ALL")
    if last.kind == "word":
        return last.word not in vocabulary.BEFORE_OPERAND or _names_something(before)
    return False


def _continuing(before: Sequence[Token], where: Spot) -> Iterator[str]:
    if where.clause in ("LIMIT", "OFFSET"):
        yield from vocabulary.FOLLOWING["LIMIT"]
        return
    open_cases = sum((t.word == "CASE") - (t.word == "END") for t in before)
    if open_cases > 0:
        yield from vocabulary.IN_CASE
    if before[-1].text == ")":
        yield from ("FILTER (WHERE", "OVER (") if where.clause == "SELECT" else ()
    if where.clause not in ("SELECT", "ORDER", "GROUP") or open_cases > 0:
        yield from vocabulary.TESTS
    if where.inside:
        yield from ("AS", "ORDER BY", "PARTITION BY", "DESC")
    else:
        yield from vocabulary.FOLLOWING.get(where.clause, ())


def _expression(before: Sequence[Token], where: Spot, schema: Schema | None) -> Iterator[Proposal]:
    block, clause, last = where.block, where.clause, before[-1]
    named = offers.compared(before, block)
    if named is not None:
        yield from offers.constants(named)
    if clause == "ON" and last.word == "ON":
        yield from join_conditions.equalities(block.relations)
    if clause in ("GROUP", "ORDER", "HAVING", "QUALIFY"):
        yield from offers.outputs(block)
    yield from offers.scoped(block)
    if clause == "SELECT" and not block.relations:
        yield from offers.anywhere(schema)
    if clause in ("SELECT", "HAVING", "ORDER", "QUALIFY"):
        yield from _AGGREGATES
    yield from _SCALARS
    if clause in ("SELECT", "QUALIFY", "ORDER"):
        yield from _WINDOWS
    if clause == "SELECT":
        yield from (Proposal("*"), *_words(("DISTINCT",) if last.word == "SELECT" else ()))
    if clause in ("GROUP", "ORDER") and last.word == "BY":
        yield from _words(("ALL",))
    if last.text == "(":
        yield from _words(("SELECT", "DISTINCT"))
    yield from _words(vocabulary.OPERANDS)


def _calls(signatures: Mapping[str, str]) -> Iterator[Proposal]:
    for name, signature in signatures.items():
        text = f"{name}()" if signature.endswith("()") else f"{name}("
        yield Proposal(text, name, signature, spoken=True)


_ROWS = Proposal("COUNT(*)", meta="the number of rows", spoken=True)
_AGGREGATES = (_ROWS, *_calls(AGGREGATES))
_SCALARS = tuple(_calls(SCALARS))
_WINDOWS = tuple(_calls(WINDOWS))
